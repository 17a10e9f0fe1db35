"""The studio in a real browser: see `run`, which calls this."""

import argparse
import contextlib
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Error, Page, sync_playwright

SQUARE = "roll.shock.modifier.square-against-cavalry.add"
# Trained players hardly ever charge a square, so their battles do not use its bonus; those of beginners do.
BEGINNERS = ["--set", "attacker.doctrine=charge-home", "--set", "defender.doctrine=stand"]
HEADLINE = ["square-vs-line", *BEGINNERS]
FLAGS = [
    "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
]


@contextlib.contextmanager
def studio(*words: str, within: Path | None = None):
    """A studio of the headline study, or of another in a folder; its address, and its process."""
    command = [os.environ["GROGNARD"], "studio", *(words or HEADLINE), "--quiet"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=within)
    try:
        yield process.stdout.readline().strip(), process
    finally:
        process.terminate()
        process.wait(10)


def wait(page: Page, holds: str, pause: float = 5) -> None:
    """Waits until an expression is true, checking it every `pause` milliseconds. The page's policy forbids the polling that
    `wait_for_function` does within the page."""
    for _ in range(3_000):
        try:
            if page.evaluate(holds):
                return
        except Error as error:
            # The page is being loaded again.
            if "context" not in str(error):
                raise
        page.wait_for_timeout(pause)
    raise AssertionError(f"never true: {holds}")


def answered(page: Page) -> int:
    """The number of the last question that has an answer."""
    return int((page.evaluate("document.documentElement.dataset.answered") or "0 0").split()[0])


def after(page: Page, act) -> float:
    """Acts, and waits for the first line of the answer. Returns the time to the table as the page measures it, in milliseconds."""
    before = answered(page)
    act()
    # Each check costs the page a few milliseconds of what is measured.
    wait(page, f"Number((document.documentElement.dataset.answered ?? '0 0').split(' ')[0]) > {before}", pause=40)
    return float(page.evaluate("document.documentElement.dataset.answered").split()[1])


def settled(page: Page) -> None:
    """Waits for the end of the answer."""
    wait(page, "document.getElementById('status').textContent.includes('battles of each cell')")


def go(page: Page, hash: str) -> None:
    """Asks the question of a link, and waits for the end of its answer."""
    before = answered(page)
    page.evaluate("(hash) => { window.heard = []; location.hash = hash; }", hash)
    wait(page, f"Number(document.documentElement.dataset.answered.split(' ')[0]) > {before}")
    settled(page)


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

    # Change a number in steps and by typing, and undo it.
    find(page, "square-against-cavalry add")
    square = control(page, SQUARE)
    after(page, lambda: square.get_by_role("button", name="Less").click())
    field = square.locator("input[type=number]")
    assert field.input_value() == "6"
    assert "+" in change_of(page, 18), change_of(page, 18)
    assert f"{SQUARE}: 7 → 6" in page.inner_text("#changed")
    page.wait_for_selector("#command:not([hidden])")
    command = page.inner_text("#command")
    assert "compare square-vs-line" in command and f"--set '{SQUARE}=6'" in command, command
    after(page, lambda: (field.fill("4"), field.press("Enter")))
    assert "7 → 4" in page.inner_text("#changed")
    link = page.url
    after(page, lambda: page.get_by_label("Only cells that change").check())
    shown = page.locator("#cells tr:visible").count()
    assert 0 < shown < 36, f"{shown} cells are shown as changed"
    after(page, lambda: page.click("#undo"))
    after(page, lambda: page.click("#undo"))
    assert field.input_value() == "6"
    after(page, lambda: page.keyboard.press("Control+z"))
    assert field.input_value() == "7" and page.is_disabled("#undo")
    after(page, lambda: page.click("#redo"))
    assert field.input_value() == "6"

    # The slider: the answer follows while it moves, and releasing it is one step for undo.
    slider = square.locator("input[type=range]")
    steps = page.evaluate("history.length")
    for value in (5, 4, 3):
        after(page, lambda: slider.evaluate(f"(slider) => {{ slider.value = {value}; slider.dispatchEvent(new Event('input')); }}"))
    assert field.input_value() == "3" and page.evaluate("history.length") == steps
    after(page, lambda: slider.evaluate("(slider) => slider.dispatchEvent(new Event('change'))"))
    assert "7 → 3" in page.inner_text("#changed")
    after(page, lambda: page.click("#undo"))
    assert field.input_value() == "6" and slider.input_value() == "6"
    after(page, lambda: page.click("#reset"))
    assert page.is_visible("#unchanged")

    # The address contains the state.
    page.goto("about:blank")
    page.goto(link)
    wait(page, "document.documentElement?.dataset.answered")
    assert "7 → 4" in page.inner_text("#changed")
    page.reload()
    wait(page, "document.documentElement?.dataset.answered")
    assert "7 → 4" in page.inner_text("#changed")
    after(page, lambda: page.get_by_role("button", name="Put back").click())

    # Switch off a rule.
    find(page, "shock square-against-cavalry")
    rule = page.locator(".rule:visible").filter(has_text="square-against-cavalry").locator("input").first
    after(page, rule.uncheck)
    assert "off" in page.inner_text("#changed") and page.is_hidden("#command")
    after(page, rule.check)

    # Select cells and a metric.
    after(page, lambda: page.locator("#axes input").first.uncheck())
    assert page.locator("#cells tr:visible").count() < 36
    after(page, lambda: page.locator("#axes input").first.check())
    for metric in page.locator("#metric option").all():
        value = metric.get_attribute("value")
        if value != page.input_value("#metric"):
            after(page, lambda: page.select_option("#metric", value))
    after(page, lambda: page.select_option("#metric", "attacker"))

    # A value that the rules refuse is explained, and the page still works.
    find(page, "turns")
    turns = control(page, "turns")
    turns.locator("input[type=number]").fill("-3")
    turns.locator("input[type=number]").press("Enter")
    page.wait_for_selector("#faults p")
    assert len(page.inner_text("#faults")) > 20, page.inner_text("#faults")
    after(page, lambda: page.click("#reset"))
    assert page.locator("#faults p").count() == 0
    find(page, "no such thing")
    assert page.is_visible("#none")
    find(page, "")

    # The answer becomes more precise, and a battle is drawn.
    settled(page)
    page.locator("#cells tr").nth(18).get_by_role("button").click()
    frame = page.frame_locator("#frame")
    frame.locator("svg:visible").first.wait_for()
    page.click("#next")
    assert page.input_value("#battle") == "1"
    frame.locator("svg:visible").first.wait_for()
    for button in ("Closest", "Longest", "Biggest upset"):
        goes_to(page, button)
        frame.locator("svg:visible").first.wait_for()

    # Judge the battle: each choice is listed with its values, and its button shows its turn in the drawing.
    page.click("#judge")
    page.wait_for_selector("#judged tbody tr")
    words = page.inner_text("#judged")
    assert "begins with" in words and "perfectly" in words, words
    taken = page.locator("#judged .taken strong").all_inner_texts()
    assert len(taken) == page.locator("#judged tbody tr").count() and "charge" in taken, taken
    page.locator("#judged tbody button").last.click()
    turn = page.locator("#judged tbody button").last.inner_text()
    assert frame.locator(".now").inner_text().startswith(turn), (turn, frame.locator(".now").inner_text())
    page.click("#next")
    assert page.is_hidden("#judged"), "it belongs to another battle"
    page.click("#close")


def goes_to(page: Page, button: str) -> str:
    """Goes to a noteworthy battle of the watched cell; returns its number."""
    page.get_by_role("button", name=button).click()
    wait(page, "document.getElementById('odd').textContent.startsWith('Among')")
    return page.input_value("#battle")


def the_keyboard_is_enough(page: Page, url: str) -> None:
    page.goto(url)
    wait(page, "document.documentElement?.dataset.answered")
    page.keyboard.press("Tab")
    assert "Skip" in page.evaluate("document.activeElement.textContent")
    while page.evaluate("document.activeElement.id") != "find":
        assert page.evaluate("document.activeElement.closest('header, .skip') !== null"), "only the views come before the controls"
        page.keyboard.press("Tab")
    page.keyboard.type("square-against-cavalry add")
    reached = lambda words: words in (page.evaluate("document.activeElement.ariaLabel ?? ''"))
    for _ in range(40):
        page.keyboard.press("Tab")
        if reached("Less: shock, modifier square against cavalry: added"):
            break
    else:
        raise AssertionError("the control is not reached with Tab")
    after(page, lambda: page.keyboard.press("Enter"))
    assert "7 → 6" in page.inner_text("#changed")


def tab_reaches_everything(page: Page, what: str) -> None:
    """Every control can be reached with Tab, in one round."""
    count = page.evaluate("""() => {
        const usable = "a[href], button:enabled, input:enabled, select:enabled, textarea, summary, [tabindex='0']";
        const all = [...document.querySelectorAll(usable)].filter((one) => one.checkVisibility());
        all.forEach((one, nth) => { one.dataset.nth = nth; });
        document.activeElement.blur();
        return all.length;
    }""")
    reached = set()
    for _ in range(count + 20):
        page.keyboard.press("Tab")
        reached.add(page.evaluate("document.activeElement.dataset.nth"))
    missed = [str(nth) for nth in range(count) if str(nth) not in reached]
    names = [page.evaluate("(nth) => document.querySelector(`[data-nth='${nth}']`).outerHTML.slice(0, 120)", nth) for nth in missed]
    assert not missed, f"{what}: Tab does not reach {names}"


def own_rules(folder: Path) -> Path:
    """A variant of the figures system with its headline study, in its own folder."""
    subprocess.run([os.environ["GROGNARD"], "new", str(folder / "my-rules"), "--from", "napoleonic-figures"], check=True, stdout=subprocess.DEVNULL)
    pack = folder / "my-rules" / "pack.toml"
    text = pack.read_text() + '\n[[roll.shock.modifier]]\nid = "square-against-cavalry"\nadd = 6\ncite = ["house"]\nnote = "Tried."\n'
    pack.write_bytes(text.replace("\n", "\r\n").encode())
    return folder / "my-rules"


def checked(page: Page, act) -> float:
    """Acts, and waits until the text is checked again; returns the milliseconds that the check took."""
    number = "Number((document.documentElement.dataset.checked ?? '0 0').split(' ')[0])"
    before = page.evaluate(number)
    act()
    wait(page, f"{number} > {before}")
    return float(page.evaluate("document.documentElement.dataset.checked").split()[1])


def write_in(page: Page, old: str, new: str) -> None:
    """Replaces the last occurrence of a text in the editor, as a user does by typing."""
    page.evaluate(
        "([old, length]) => { const text = document.getElementById('text'); const at = text.value.lastIndexOf(old);"
        " text.focus(); text.setSelectionRange(at, at + length); }", [old, len(old)])
    page.keyboard.insert_text(new)


def files_are_written(page: Page, folder: Path) -> None:
    pack = folder / "pack.toml"
    with studio(folder.name, *BEGINNERS, within=folder.parent) as (url, _):
        page.goto(url)
        wait(page, "document.documentElement?.dataset.answered")
        checked(page, lambda: page.get_by_role("button", name="Write").click())
        checked(page, lambda: page.locator("#files button").filter(has_text="pack.toml").first.click())
        assert page.inner_text("#file-name") == "my-rules/pack.toml" and page.is_disabled("#save")
        assert page.inner_text("#verdict") == "No problems found."
        # A fault is marked at its line and explained. Then it is fixed through its entry in the list.
        checked(page, lambda: write_in(page, "add = 6", "ad = 6"))
        line = pack.read_text().splitlines().index("add = 6") + 1
        assert page.locator("#lines .wrong").inner_text() == str(line)
        assert f"line {line}" in page.inner_text("#said") and "add" in page.inner_text("#said")
        page.locator("#said button").first.click()
        caret = page.evaluate("(text => text.value.slice(0, text.selectionStart).split('\\n').length)(document.getElementById('text'))")
        assert caret == line, caret
        # Complete a word with the keyboard alone, and show its meaning.
        checked(page, lambda: write_in(page, "ad = 6", "ad"))
        page.keyboard.press("Control+Space")
        page.wait_for_selector("#offers [aria-selected=true]")
        assert page.locator("#offers li").first.inner_text().startswith("add")
        checked(page, lambda: page.keyboard.press("Enter"))
        checked(page, lambda: page.keyboard.insert_text(" = 5"))
        assert page.inner_text("#verdict") == "No problems found.", page.inner_text("#said")
        page.keyboard.press("Home")
        wait(page, "document.getElementById('about').textContent.startsWith('roll.shock.modifier.add ')")
        # The file is saved as written, and Ask uses it.
        before = pack.read_bytes()
        page.keyboard.press("Control+s")
        wait(page, "document.getElementById('save').disabled")
        assert pack.read_bytes() == before.replace(b"add = 6", b"add = 5"), "line ends and all else stay"
        page.click("#reopen")
        wait(page, f"""document.querySelector('.number[title="{SQUARE}"] input')?.value === '5'""")
        assert page.is_visible("#ask") and page.is_hidden("#write")
        # A file that changed on disk is not overwritten.
        checked(page, lambda: page.get_by_role("button", name="Write").click())
        checked(page, lambda: page.locator("#files button").filter(has_text="pack.toml").first.click())
        checked(page, lambda: write_in(page, "add = 5", "add = 4"))
        other = pack.read_bytes().replace(b"Tried.", b"Tried by another.")
        pack.write_bytes(other)
        page.click("#save")
        page.wait_for_selector("#file-faults p")
        assert "changed on disk" in page.inner_text("#file-faults") and pack.read_bytes() == other
        # Built-in files are shown, but cannot be changed.
        page.locator("#files button").filter(has_text="packs/napoleonic-figures/shock.toml").click()
        wait(page, "document.getElementById('text').readOnly")
        assert page.is_visible("#kept") and page.is_disabled("#save")


def changes_become_a_variant(page: Page, folder: Path) -> None:
    with studio(folder.name, *BEGINNERS, within=folder.parent) as (url, _):
        page.goto(f"{url}#n={SQUARE}%3D3")
        settled(page)
        page.fill("#variant-name", "../out")
        page.keyboard.press("Enter")
        page.wait_for_selector("#variant-faults p")
        page.fill("#variant-name", "weak-square")
        page.keyboard.press("Enter")
        page.wait_for_selector("#variant-saved pre")
        assert f"{SQUARE}: 5 → 3" in (folder / "weak-square" / "pack.toml").read_text()
        command = page.inner_text("#variant-saved pre").split()
        assert command == ["grognard", "run", "my-rules/weak-square"], command
        subprocess.run([os.environ["GROGNARD"], "check", command[2]], check=True, stdout=subprocess.DEVNULL, cwd=folder.parent)


def sampled(lines) -> dict[int, dict]:
    """The lines of an answer that come from battles alone, by their number."""
    return {line["battles"]: line for line in lines if not any(cell["exact"] for cell in line["cells"])}


def native_lines(url: str, question: dict) -> dict[int, dict]:
    """The server's lines, by their number of battles."""
    origin = url.split("/", 3)
    headers = {"Origin": "/".join(origin[:3]), "Content-Type": "application/json"}
    request = urllib.request.Request(f"{url}ask", json.dumps(question).encode(), headers)
    with urllib.request.urlopen(request) as answer:
        return sampled(map(json.loads, answer))


def apart(own: dict, native: dict) -> float:
    """How far the limits of intervals differ in two lines that otherwise agree to the last digit."""
    lines = [json.loads(json.dumps(line)) for line in (own, native)]
    ends = [[cell[name].pop() for cell in line["cells"] for name in ("was", "now", "change") for _ in "lh"] for line in lines]
    assert lines[0] == lines[1], lines
    return max(abs(one - other) for one, other in zip(*ends))


def an_exported_page_answers_alike(browser, url: str, folder: Path, module: str) -> None:
    """The exported page, opened from disk: the same digits as the server, and no network requests."""
    file = folder / "page.html"
    command = [os.environ["GROGNARD"], "studio", *HEADLINE, "--export", str(file), "--module", module]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    assert file.stat().st_size <= 4 << 20, file.stat().st_size
    context = browser.new_context(offline=True)
    page = context.new_page()
    requests: list[str] = []
    wrong: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("console", lambda message: wrong.append(message.text) if message.type == "error" else None)
    page.add_init_script("""
        window.heard = [];
        window.Worker = class extends Worker {
            constructor(place) { super(place); this.addEventListener("message", ({ data }) => window.heard.push(data)); }
        };
    """)
    started = time.monotonic()
    page.goto(file.as_uri())
    wait(page, "document.documentElement?.dataset.answered")
    print(f"the exported page: {file.stat().st_size:,} bytes, {time.monotonic() - started:.1f} s to its first answer")
    assert page.locator("#cells tr").count() == 36 and page.is_hidden(".views"), "there are no files to write"
    rule = "roll.shock.modifier.square-against-cavalry"
    compared, furthest = 0, 0.0
    for hash, question in [
        ("", {}),
        (f"n={SQUARE}%3D4", {"changes": {SQUARE: 4000}}),
        (f"off={rule}&metric=draw", {"off": [rule], "metric": "draw"}),
        (f"n={SQUARE}%3D9&metric=turns", {"changes": {SQUARE: 9000}, "metric": "turns"}),
    ]:
        go(page, hash or "only=1")
        texts = page.evaluate("window.heard.filter((data) => data.text).map((data) => data.text)")
        own = sampled(map(json.loads, texts))
        native = native_lines(url, {**question, "cells": list(range(36))})
        both = own.keys() & native.keys()
        assert 32 in both, (own.keys(), native.keys())
        for battles in both:
            furthest = max(furthest, apart(own[battles], native[battles]))
            compared += 1
    # A battle is drawn and narrated as the command does it.
    go(page, "")
    page.locator("#cells tr").nth(18).get_by_role("button", name="Watch").click()
    frame = page.frame_locator("#frame")
    frame.locator("svg:visible").first.wait_for()
    command = [os.environ["GROGNARD"], "replay", *HEADLINE, "--cell", "18", "--battle", "0"]
    replayed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    spans = frame.locator(".narration span").all_inner_texts()
    lines = [line for line in spans if not line.endswith(": end.")]
    assert len(lines) > 5 and all(line in replayed for line in lines), lines
    in_both_schemes(page, None, "a battle in the exported page")
    with urllib.request.urlopen(f"{url}odd?cell=18") as answer:
        battles = json.load(answer)["battles"]
    for oddity, button in [("closest", "Closest"), ("longest", "Longest"), ("upset", "Biggest upset")]:
        assert goes_to(page, button) == str(battles[oddity]), (oddity, battles)
    page.click("#close")
    in_both_schemes(page, None, "the exported page")
    assert not wrong, wrong
    assert all(request.split(":")[0] in ("file", "blob", "data", "about") for request in requests), requests
    assert furthest < 1e-9, furthest
    print(f"{compared} looks have the same odds to the last digit; limits of intervals differ by at most {furthest:.0e}")
    context.close()


def a_report_is_published(page: Page, url: str, pictures: Path | None) -> None:
    page.goto(f"{url}#n={SQUARE}%3D4")
    settled(page)
    page.get_by_role("button", name="Publish").click()
    assert "one change" in page.inner_text("#publish-what")
    link = page.input_value("#published-link")
    assert "seed=1815" in link and "n=" in link and "view=" not in link, link
    # A report that takes long can be stopped.
    page.fill("#published-battles", "1000000")
    page.click("#publish-now")
    wait(page, "document.getElementById('progress').value > 0")
    page.click("#publish-stop")
    wait(page, "document.getElementById('publish-status').textContent === 'Stopped.'")
    page.fill("#published-battles", "1000")
    page.click("#publish-now")
    page.wait_for_selector("#published a")
    assert "1,000 battles" in page.inner_text("#publish-status")
    wait(page, "[...document.images].every((image) => image.complete && image.naturalWidth > 0)")
    for name in ("SVG", "PNG"):
        with page.expect_download() as download:
            page.locator("#published a", has_text=name).first.click()
        data = Path(download.value.path()).read_bytes()
        assert data.startswith(b"\x89PNG" if name == "PNG" else b"<svg") or b"<svg" in data[:200], data[:60]
    with page.expect_popup() as popup:
        page.get_by_role("link", name="Open the report").click()
    popup.value.wait_for_load_state()
    assert "from 7 to 4" in popup.value.inner_text("body")
    popup.value.close()
    tab_reaches_everything(page, "publish")
    in_both_schemes(page, pictures, "publish")
    page.fill("#published-battles", "0")
    page.click("#publish-now")
    page.wait_for_selector("#publish-faults p")
    # The link with another seed says so.
    page.goto("about:blank")
    page.goto(link.replace("seed=1815", "seed=7") + "&n=no.such.number%3D1&off=no.such.rule")
    page.wait_for_selector("#faults p")
    for words in ("seed 7", "no.such.number", "no.such.rule"):
        assert words in page.inner_text("#faults"), page.inner_text("#faults")


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


def in_both_schemes(page: Page, pictures: Path | None, name: str) -> None:
    """The view in dark and light: accessible, and as pictures if requested."""
    page.set_viewport_size({"width": 1280, "height": 1000})
    for scheme in ("dark", "light"):
        page.emulate_media(color_scheme=scheme)
        page.evaluate("scrollTo(0, 0)")
        page.wait_for_timeout(300)
        is_accessible(page, f"{name}, {scheme}")
        if pictures:
            page.screenshot(path=pictures / f"studio-{name}{'-dark' if scheme == 'dark' else ''}.png")


def views(browser, url: str, pictures: Path | None) -> None:
    """Every view, in light and dark and on a phone: accessible, nothing wider than the screen, and as a picture if requested."""
    changed = f"{url}#n={SQUARE}%3D5&only=1"
    for scheme, width, height in [("light", 1280, 1000), ("dark", 1280, 1000), ("light", 390, 844)]:
        context = browser.new_context(color_scheme=scheme, viewport={"width": width, "height": height})
        page = context.new_page()
        page.goto(changed)
        settled(page)
        find(page, "square-against-cavalry")
        name = "phone" if width < 600 else scheme
        is_accessible(page, name)
        if name == "light":
            tab_reaches_everything(page, "ask")
        assert page.evaluate("document.documentElement.scrollWidth") <= width, f"{name}: wider than the screen"
        if pictures:
            page.screenshot(path=pictures / f"studio-{name}.png")
        if width > 600:
            page.locator("#cells tr").nth(18).get_by_role("button").click()
            page.frame_locator("#frame").locator("svg:visible").first.wait_for()
            if scheme == "light":
                in_both_schemes(page, pictures, "battle")
                page.click("#judge")
                page.wait_for_selector("#judged tbody tr")
                in_both_schemes(page, pictures, "judged")
            page.click("#close")
        context.close()


def writing(browser, folder: Path, pictures: Path | None) -> None:
    """The editor with a fault and with completions, in light and dark and on a phone."""
    with studio(folder.name, within=folder.parent) as (url, _):
        for name, scheme, width, height in [("write", "light", 1280, 1000), ("write-dark", "dark", 1280, 1000), ("write-phone", "light", 390, 844)]:
            context = browser.new_context(color_scheme=scheme, viewport={"width": width, "height": height})
            page = context.new_page()
            page.goto(f"{url}#view=write&file=1")
            wait(page, "document.documentElement?.dataset.checked")
            checked(page, lambda: write_in(page, "note =", "no ="))
            assert page.locator("#said li").count() > 0
            is_accessible(page, name)
            if name == "write":
                tab_reaches_everything(page, name)
                page.focus("#text")
            for _ in " =":
                page.keyboard.press("ArrowLeft")
            page.keyboard.press("Control+Space")
            page.wait_for_selector("#offers [aria-selected=true]")
            is_accessible(page, f"{name}, completions")
            assert page.evaluate("document.documentElement.scrollWidth") <= width, f"{name}: wider than the screen"
            page.keyboard.press("Escape")
            if pictures and width > 600:
                page.screenshot(path=pictures / f"studio-{name}.png")
            context.close()


def latency(page: Page, url: str, moves: int) -> None:
    page.goto(url)
    settled(page)
    find(page, "square-against-cavalry add")
    buttons = [control(page, SQUARE).get_by_role("button", name=name) for name in ("Less", "More")]
    # Move back and forth, so that no value goes too far; the first moves are for warming up.
    took = [after(page, buttons[(nth // 5) % 2].click) for nth in range(10 + moves)][10:]
    told(f"from a control to the table, all 36 cells, {moves} moves", took)


def latency_of_faults(page: Page, folder: Path, edits: int) -> None:
    """From a key in the editor to the messages: a word becomes wrong, and right again."""
    with studio(folder.name, within=folder.parent) as (url, _):
        page.goto(url)
        checked(page, lambda: page.get_by_role("button", name="Write").click())
        checked(page, lambda: page.locator("#files button").filter(has_text="pack.toml").first.click())
        words = ("note =", "no =")
        took = []
        for nth in range(10 + edits):
            took.append(checked(page, lambda: write_in(page, words[nth % 2], words[(nth + 1) % 2])))
            assert (page.locator("#said li").count() > 0) == (nth % 2 == 0)
        told("from a key to the messages of the editor", took[10:])


def told(what: str, took: list[float]) -> None:
    ninety_fifth = statistics.quantiles(took, n=20, method="inclusive")[-1]
    print(f"{what}: median {statistics.median(took):.0f} ms, 95th percentile {ninety_fifth:.0f} ms, longest {max(took):.0f} ms")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--pictures", type=Path)
    parser.add_argument("--moves", type=int, default=200)
    args = parser.parse_args()
    with sync_playwright() as playwright, studio() as (url, _):
        browser = playwright.chromium.launch(executable_path=os.environ["CHROMIUM"], args=FLAGS)
        context = browser.new_context()
        # A report takes a while on a slow machine.
        context.set_default_timeout(120_000)
        page = context.new_page()
        wrong: list[str] = []
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("console", lambda message: wrong.append(message.text) if "Content Security" in message.text else None)
        every_control_works(page, url)
        the_keyboard_is_enough(page, url)
        two_pages_do_not_disturb_each_other(context, url)
        assert not wrong, wrong
        with tempfile.TemporaryDirectory() as folder:
            own = own_rules(Path(folder))
            files_are_written(context.new_page(), own)
            changes_become_a_variant(context.new_page(), own)
            writing(browser, own, args.pictures)
            latency_of_faults(context.new_page(), own, args.moves)
            if os.environ.get("MODULE"):
                an_exported_page_answers_alike(browser, url, Path(folder), os.environ["MODULE"])
            else:
                print("without a module the exported page is not tested: see recipes/module/build")
        a_report_is_published(context.new_page(), url, args.pictures)
        a_server_that_is_gone_is_told(page)
        views(browser, url, args.pictures)
        print("every control, undo, links, faults, keyboard, two pages, files, variants, reports, a lost server: all work; axe-core finds nothing")
        latency(context.new_page(), url, args.moves)
        browser.close()


if __name__ == "__main__":
    sys.exit(main())
