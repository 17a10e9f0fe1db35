"""Long work: the interpreter keeps running, Ctrl-C stops the work, and progress is reported."""

import multiprocessing
import pickle
import subprocess
import sys
import textwrap
import threading
import time
from concurrent.futures import ProcessPoolExecutor
from datetime import timedelta
from types import SimpleNamespace

import pytest

import grognard as g

FOREVER = 1_000_000_000


def test_other_threads_go_on():
    ticks = []
    over = threading.Event()

    def tick():
        while not over.wait(0.005):
            ticks.append(time.perf_counter())

    clock = threading.Thread(target=tick)
    clock.start()
    g.Study.load("square-vs-line").run(FOREVER, max_time=1.0, threads=1, keep="none")
    over.set()
    clock.join()
    assert len(ticks) > 20


def test_time_ends_a_run():
    started = time.perf_counter()
    answer = g.Study.load("square-vs-line").run(FOREVER, max_time=timedelta(seconds=0.5), keep="none")
    assert answer.stopped and answer.runs < FOREVER and time.perf_counter() - started < 20


def test_progress_is_told():
    told = []
    g.Study.load("risk-roll").run(200_000, keep="none", progress=told.append)
    assert told and told[-1].of == 200_000 * len(g.Study.load("risk-roll").cells)
    assert told[-1].done == told[-1].of and str(told[-1]).endswith("battles")
    odds = []
    g.Study.load("square-vs-line").exact(18, progress=odds.append)
    assert all(progress.done is None and "states" in progress.text for progress in odds)


def test_what_is_raised_meanwhile_ends_the_work():
    def complain(progress):
        raise KeyError("enough")

    started = time.perf_counter()
    with pytest.raises(KeyError, match="enough"):
        g.Study.load("square-vs-line").run(FOREVER, keep="none", progress=complain)
    assert time.perf_counter() - started < 20


def test_a_line_on_the_terminal(capsys, monkeypatch):
    monkeypatch.setattr("grognard._progress.PATIENCE", 0.0)
    g.Study.load("risk-roll").run(200_000, keep="none", progress=True)
    told = capsys.readouterr().err
    assert "battles" in told and told.endswith("\r")
    g.Study.load("risk-roll").run(1_000, keep="none")
    assert capsys.readouterr().err == ""


def test_a_bar_in_a_notebook(monkeypatch):
    shown = []

    class Handle:
        update = staticmethod(shown.append)

    def display(html, display_id):
        shown.append(html)
        return Handle

    shell = type("ZMQInteractiveShell", (), {})()
    monkeypatch.setitem(sys.modules, "IPython", SimpleNamespace(get_ipython=lambda: shell))
    monkeypatch.setitem(sys.modules, "IPython.display", SimpleNamespace(HTML=str, display=display))
    monkeypatch.setattr("grognard._progress.PATIENCE", 0.0)
    g.Study.load("risk-roll").run(200_000, keep="none")
    assert len(shown) >= 2 and shown[0].startswith("<progress value=") and shown[-1] == ""
    shown.clear()
    g.Study.load("risk-roll").run(200_000, keep="none", progress=False)
    assert not shown


def python(code):
    line = [sys.executable, "-P", "-c", textwrap.dedent(code)]
    return subprocess.Popen(line, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


@pytest.mark.skipif(sys.platform == "win32", reason="signals of Unix")
@pytest.mark.parametrize("work", ["run(1_000_000_000, keep='none')", "exact()"])
def test_ctrl_c_is_heard(work):
    import signal

    name = "square-vs-line" if "run" in work else "combined-square"
    process = python(
        f"""
        import grognard as g
        study = g.Study.load("{name}")
        print("begun", flush=True)
        try:
            study.{work}
        except KeyboardInterrupt:
            print("heard", flush=True)
        """
    )
    assert process.stdout.readline() == "begun\n"
    time.sleep(2.0)
    process.send_signal(signal.SIGINT)
    out, errors = process.communicate(timeout=60)
    assert out == "heard\n" and process.returncode == 0, errors


def test_an_interpreter_that_closes_does_not_wait():
    process = python(
        """
        import threading, time
        import grognard as g
        study = g.Study.load("square-vs-line")
        threading.Thread(target=lambda: study.run(1_000_000_000, keep="none", threads=1), daemon=True).start()
        time.sleep(0.5)
        print("closing", flush=True)
        """
    )
    out, errors = process.communicate(timeout=60)
    assert out == "closing\n" and process.returncode == 0, errors


def test_everything_that_is_sent_pickles():
    softer = g.Pack.from_files({"pack.toml": 'pack = "softer"\nextends = "napoleonic-figures"\n'})
    study = g.Study.load("square-vs-line").with_pack(softer).set("turns", 6).vary("distance", [4, 8.5]).set("approach", "flank")
    again = pickle.loads(pickle.dumps(study))
    answer = study.run(50, keep="all")
    assert again.run(50, keep="all") == answer and answer.pack == "softer"
    assert pickle.loads(pickle.dumps(answer)) == answer == g.Answer.from_bytes(answer.to_bytes())
    odds = g.Study.load("risk-roll").exact()
    assert pickle.loads(pickle.dumps(odds)) == odds != answer
    number = answer.estimate("attacker", 0)
    assert pickle.loads(pickle.dumps(number)) == number
    assert pickle.loads(pickle.dumps(softer)).name == "softer"
    replay = study.replay(1, 2)
    assert pickle.loads(pickle.dumps(replay)).events == replay.events


def test_other_processes_fight_shares():
    study = g.Study.load("risk-dice")
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn")) as pool:
        shares = [pool.submit(study.run, 20_000, seed=5, shard=(number, 4), threads=1) for number in range(4)]
        total = g.merge(share.result() for share in shares)
    assert total == g.merge([study.run(20_000, seed=5)])
