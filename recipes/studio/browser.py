"""The studio in a real browser: see `run`, which calls this."""

import argparse
import contextlib
import os
import statistics
import subprocess
import sys
from pathlib import Path

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, sync_playwright

SQUARE = "roll.shock.modifier.square-against-cavalry.add"
FLAGS = [
    "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
]


@contextlib.contextmanager
def studio(*words: str):
    """A studio of the headline study; its address, and its process."""
    command = [os.environ["GROGNARD"], "studio", *(words or ["square-vs-line"]), "--quiet"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        yield process.stdout.readline().strip(), process
    finally:
        process.terminate()
        process.wait(10)


def wait(page: Page, holds: str) -> None:
    """Waits until an expression holds. The page's policy forbids the polling that `wait_for_function` does within the page."""
    for _ in range(3_000):
        if page.evaluate(holds):
            return
        page.wait_for_timeout(5)
    raise AssertionError(f"in vain: {holds}")


def answered(page: Page) -> int:
    """The number of the last question that has an answer."""
    return int((page.evaluate("document.documentElement.dataset.answered") or "0 0").split()[0])


def after(page: Page, act) -> float:
    """Acts, and waits for the first line of the answer; milliseconds from the control to the table."""
    before = answered(page)
    act()
    wait(page, f"Number((document.documentElement.dataset.answered ?? '0 0').split(' ')[0]) > {before}")
    return float(page.evaluate("document.documentElement.dataset.answered").split()[1])


def settled(page: Page) -> None:
    wait(page, "document.getElementById('status').textContent.includes('battles of each cell')")


def control(page: Page, key: str):
    return page.locator(f'.number[title="{key}"]')


def find(page: Page, words: str) -> None:
    page.fill("#find", words)


def change_of(page: Page, row: int) -> str:
    return page.locator("#cells tr").nth(row).locator("td").nth(0).inner_text()


def every_control_works(page: Page, url: str) -> None:
    page.goto(url)
    wait(page, "document.documentElement?.dataset.answered")
    assert "Square or line" in page.inner_text("h1"), page.inner_text("h1")
    assert page.locator("#cells tr").count() == 36
    assert change_of(page, 18) == "–", "nothing is changed yet"
    assert page.is_disabled("#undo") and page.is_disabled("#redo") and page.is_disabled("#reset")

    # A number: by its steps, by typing, and back.
    find(page, "square-against-cavalry add")
    square = control(page, SQUARE)
    after(page, lambda: square.get_by_role("button", name="Less").click())
    assert square.locator("input").input_value() == "6"
    assert "+" in change_of(page, 18), change_of(page, 18)
    assert f"{SQUARE}: 7 → 6" in page.inner_text("#changed")
    page.wait_for_selector("#command:not([hidden])")
    assert f"compare square-vs-line --set '{SQUARE}=6'" in page.inner_text("#command")
    after(page, lambda: (square.locator("input").fill("4"), square.locator("input").press("Enter")))
    assert "7 → 4" in page.inner_text("#changed")
    link = page.url
    after(page, lambda: page.get_by_label("Only cells that change").check())
    shown = page.locator("#cells tr:visible").count()
    assert 0 < shown < 36, f"{shown} cells are shown as changed"
    after(page, lambda: page.click("#undo"))
    after(page, lambda: page.click("#undo"))
    assert square.locator("input").input_value() == "6"
    after(page, lambda: page.keyboard.press("Control+z"))
    assert square.locator("input").input_value() == "7" and page.is_disabled("#undo")
    after(page, lambda: page.click("#redo"))
    assert square.locator("input").input_value() == "6"
    after(page, lambda: page.click("#reset"))
    assert page.is_visible("#unchanged")

    # The address carries the state.
    page.goto("about:blank")
    page.goto(link)
    wait(page, "document.documentElement?.dataset.answered")
    assert "7 → 4" in page.inner_text("#changed")
    page.reload()
    wait(page, "document.documentElement?.dataset.answered")
    assert "7 → 4" in page.inner_text("#changed")
    after(page, lambda: page.get_by_role("button", name="Put back").click())

    # A rule.
    find(page, "shock square-against-cavalry")
    rule = page.locator(".rule:visible").filter(has_text="square-against-cavalry").locator("input").first
    after(page, rule.uncheck)
    assert "off" in page.inner_text("#changed") and page.is_hidden("#command")
    after(page, rule.check)

    # Cells and metric.
    after(page, lambda: page.locator("#axes input").first.uncheck())
    assert page.locator("#cells tr:visible").count() < 36
    after(page, lambda: page.locator("#axes input").first.check())
    for metric in page.locator("#metric option").all():
        value = metric.get_attribute("value")
        if value != page.input_value("#metric"):
            after(page, lambda: page.select_option("#metric", value))
    after(page, lambda: page.select_option("#metric", "attacker"))

    # What the rules refuse is said in words, and the page goes on.
    find(page, "turns")
    turns = control(page, "turns")
    turns.locator("input").fill("-3")
    turns.locator("input").press("Enter")
    page.wait_for_selector("#faults p")
    assert len(page.inner_text("#faults")) > 20, page.inner_text("#faults")
    after(page, lambda: page.click("#reset"))
    assert page.locator("#faults p").count() == 0
    find(page, "no such thing")
    assert page.is_visible("#none")
    find(page, "")

    # It sharpens, and a battle is drawn.
    settled(page)
    page.locator("#cells tr").nth(18).get_by_role("button").click()
    frame = page.frame_locator("#frame")
    frame.locator("svg:visible").first.wait_for()
    page.click("#next")
    assert page.input_value("#battle") == "1"
    frame.locator("svg:visible").first.wait_for()
    page.click("#close")


def the_keyboard_is_enough(page: Page, url: str) -> None:
    page.goto(url)
    wait(page, "document.documentElement?.dataset.answered")
    page.keyboard.press("Tab")
    assert "Skip" in page.evaluate("document.activeElement.textContent")
    page.keyboard.press("Tab")
    page.keyboard.type("square-against-cavalry add")
    reached = lambda words: words in (page.evaluate("document.activeElement.ariaLabel ?? ''"))
    for _ in range(40):
        page.keyboard.press("Tab")
        if reached("Less: shock: square-against-cavalry add"):
            break
    else:
        raise AssertionError("the control is not reached with Tab")
    after(page, lambda: page.keyboard.press("Enter"))
    assert "7 → 6" in page.inner_text("#changed")


def two_pages_do_not_disturb_each_other(context, url: str) -> None:
    pages = [context.new_page(), context.new_page()]
    for page, value in zip(pages, ["5", "9"]):
        page.goto(f"{url}#n={SQUARE}%3D{value}")
    for page, sign in zip(pages, "+−"):
        settled(page)
        assert change_of(page, 18).startswith(sign), change_of(page, 18)
        page.close()


def a_server_that_is_gone_is_told(page: Page) -> None:
    with studio() as (url, process):
        page.goto(url)
        wait(page, "document.documentElement?.dataset.answered")
        process.terminate()
        process.wait(10)
        find(page, "square-against-cavalry add")
        control(page, SQUARE).get_by_role("button", name="More").click()
        page.wait_for_selector("#faults p")
        assert "does not answer" in page.inner_text("#faults")


def is_accessible(page: Page, what: str) -> None:
    found = Axe().run(page)
    if found.violations_count:
        print(found.generate_report())
        raise AssertionError(f"{what}: {found.violations_count} kinds of violation")


def views(browser, url: str, pictures: Path | None) -> None:
    """Every view, in light and dark and on a phone: accessible, nothing wider than the screen, and as a picture if they are wanted."""
    changed = f"{url}#n={SQUARE}%3D5&only=1"
    for scheme, width, height in [("light", 1280, 1000), ("dark", 1280, 1000), ("light", 390, 844)]:
        context = browser.new_context(color_scheme=scheme, viewport={"width": width, "height": height})
        page = context.new_page()
        page.goto(changed)
        settled(page)
        find(page, "square-against-cavalry")
        name = "phone" if width < 600 else scheme
        is_accessible(page, name)
        assert page.evaluate("document.documentElement.scrollWidth") <= width, f"{name}: wider than the screen"
        if pictures:
            page.screenshot(path=pictures / f"studio-{name}.png")
        if width > 600:
            page.locator("#cells tr").nth(18).get_by_role("button").click()
            page.frame_locator("#frame").locator("svg:visible").first.wait_for()
            page.wait_for_timeout(300)
            is_accessible(page, f"{name}, a battle")
            if pictures and scheme == "light":
                page.screenshot(path=pictures / "studio-battle.png")
        context.close()


def latency(page: Page, url: str, moves: int) -> None:
    page.goto(url)
    settled(page)
    find(page, "square-against-cavalry add")
    buttons = [control(page, SQUARE).get_by_role("button", name=name) for name in ("Less", "More")]
    # Out and back, so that no value is too far out; the first moves are for warming up.
    took = [after(page, buttons[(nth // 5) % 2].click) for nth in range(10 + moves)][10:]
    tenths = statistics.quantiles(took, n=20)
    print(f"from a control to the table, all 36 cells, {moves} moves: "
          f"median {statistics.median(took):.0f} ms, 95th percentile {tenths[-1]:.0f} ms, longest {max(took):.0f} ms")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--pictures", type=Path)
    parser.add_argument("--moves", type=int, default=200)
    args = parser.parse_args()
    with sync_playwright() as playwright, studio() as (url, _):
        browser = playwright.chromium.launch(executable_path=os.environ["CHROMIUM"], args=FLAGS)
        context = browser.new_context()
        page = context.new_page()
        wrong: list[str] = []
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("console", lambda message: wrong.append(message.text) if "Content Security" in message.text else None)
        every_control_works(page, url)
        the_keyboard_is_enough(page, url)
        two_pages_do_not_disturb_each_other(context, url)
        assert not wrong, wrong
        a_server_that_is_gone_is_told(page)
        views(browser, url, args.pictures)
        print("every control, undo, links, faults, keyboard, two pages, a lost server: all work; axe-core finds nothing")
        latency(context.new_page(), url, args.moves)
        browser.close()


if __name__ == "__main__":
    sys.exit(main())
