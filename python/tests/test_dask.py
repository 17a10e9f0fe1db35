"""The workers of a Dask cluster are killed while they fight, and every number is still that of a single process."""

import contextlib
import os
import pathlib
import pickle
import random
import re
import signal
import threading
import time
from functools import partial

import dask
import pyarrow as pa
import pytest
from dask.distributed import Client, LocalCluster

import grognard as g
from grognard.dask import Spread, spread

DUEL = """
study = "duel"
pack = "refduel"
turns = 12
side.a.units = [{ type = "one-up" }]
side.b.units = [{ type = "plain" }]
target = [{ says = "One up is no sure thing", metric = "a score", band = ["70 %", "80 %"] }]
"""

# A pack that is solved by hand: small, with doctrines.
FIELD = pathlib.Path(__file__).resolve().parents[2] / "crates/exact/tests/packs/charge-or-wait"
HORSE = f"""
study = "horse"
pack = "{FIELD.as_posix()}"
turns = 3
side.horse.doctrine = "at-once"
side.horse.units = [{{ type = "horse" }}]
side.foot.doctrine = "foot"
side.foot.units = [{{ type = "foot" }}]
"""


@pytest.fixture(scope="module")
def client():
    # A worker that is killed takes its shards with it, although they are not to blame.
    with dask.config.set({"distributed.scheduler.allowed-failures": 100, "distributed.deploy.lost-worker-timeout": "5s"}):
        with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster, Client(cluster) as client:
            # A worker that is killed while it starts is not restarted; this replaces it.
            cluster.adapt(minimum=2, maximum=2)
            yield client


@contextlib.contextmanager
def killing(client, pause, record, most):
    """Kills a worker now and then, at most this many. Yields those that were killed while they were busy. Each kill adds a byte to the
    file `record`."""
    killed, over = [], threading.Event()

    def kill():
        chance = random.Random(1815)
        while len(killed) < most and not over.wait(pause):
            try:
                busy = [worker for worker, tasks in client.processing().items() if tasks]
                worker, victim = chance.choice(list(client.run(os.getpid, workers=busy, on_error="ignore").items()))
                os.kill(victim, signal.SIGKILL)
            except (OSError, ValueError, IndexError, RuntimeError):
                continue  # No worker is alive and busy at the moment.
            killed.append(worker)
            with record.open("ab") as file:
                file.write(b".")

    killer = threading.Thread(target=kill, daemon=True)
    killer.start()
    try:
        yield killed
    finally:
        over.set()
        killer.join()


def held(task, record, kills):
    """Does a task on a worker, and returns its result only after this many kills."""
    result = task()
    for _ in range(6_000):
        if record.exists() and record.stat().st_size >= kills:
            return result
        time.sleep(0.01)
    raise TimeoutError(f"fewer than {kills} workers were killed")


def fail(taken):
    """Fails on a worker, once the client has taken two other results."""
    for _ in range(6_000):
        if len(list(taken.iterdir())) >= 2:
            raise OSError("the disk is gone")
        time.sleep(0.01)
    raise TimeoutError("fewer than two results were taken")


class Changed:
    """A client that submits changed tasks, depending on their numbers, and records the original ones."""

    def __init__(self, client, change):
        self.client, self.change, self.tasks = client, change, []

    def submit(self, task, **how):
        self.tasks.append(task)
        return self.client.submit(*self.change(task, len(self.tasks) - 1), **how)

    def __getattr__(self, name):
        return getattr(self.client, name)


def bytes_of(answer):
    """Everything that an answer says about its battles, as bytes."""
    tables = (answer.cells, answer.summary, answer.battles, answer.battle_sides)

    def stream(table):
        sink = pa.BufferOutputStream()
        taken = pa.table(table).combine_chunks()
        with pa.ipc.new_stream(sink, taken.schema) as writer:
            writer.write_table(taken, max_chunksize=taken.num_rows or None)
        return sink.getvalue().to_pybytes()

    return answer.digest, [stream(table) for table in tables]


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="signals of Unix")
def test_sixty_four_shards_of_workers_that_are_killed(client, tmp_path):
    study = g.Study.load("square-vs-line").set("approach", "front").set("attacker.0.type", "heavy-cavalry")
    # Each shard has a block of 4,096 battles of each of four cells.
    runs = 64 * 4096
    # Each group of eight shards waits for one kill more than the group before it, up to six.
    record = tmp_path / "killed"
    patient = Changed(client, lambda task, number: (held, task, record, min(number // 8, 6)))
    with killing(client, 0.5, record, most=6) as killed:
        total = spread(study, patient).run(runs, seed=1815, keep=5_000, shards=64)
    assert len(killed) == 6
    whole = study.run(runs, seed=1815, keep=5_000)
    assert total.runs == runs and total == whole and bytes_of(total) == bytes_of(whole)
    print(f"64 shards, {len(killed)} workers killed while they fought: the same to the byte as one run")


def test_a_sweep_is_spread_with_its_cells(client):
    study = g.Study.load("square-vs-line").set("approach", "front").vary("distance", [4, 8, 12])
    assert spread(study, client).run(10_000, seed=7, shards=3) == study.run(10_000, seed=7)


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="signals of Unix")
@pytest.mark.parametrize(
    ("text", "name", "asked", "settings"),
    [
        (DUEL, "tune", ["unit.plain.figures", "unit.one-up.figures"], {"runs": 40_000}),
        (g.Study.load("refduel").text, "ablate", "a score", {"runs": 20_000}),
        (HORSE, "train", "horse", {"runs": 1_000}),
    ],
)
def test_questions_are_answered_by_workers_that_are_killed(client, tmp_path, text, name, asked, settings):
    study = g.Study.from_text(text)
    alone = getattr(study, name)(asked, **settings)
    # No part is returned until a worker that was fighting one has been killed.
    record = tmp_path / "killed"
    patient = Changed(client, lambda task, _: (held, task, record, 1))
    with killing(client, 0.3, record, most=2) as killed:
        together = getattr(spread(study, patient), name)(asked, **settings)
    assert killed and patient.tasks and together == alone


class Told(Spread):
    """A spread study that writes a file for each result that it has taken."""

    def __init__(self, study, client, taken):
        super().__init__(study, client)
        taken.mkdir()
        self.taken = taken

    def _all(self, what, of, tasks, take):
        def told(number, result):
            take(number, result)
            (self.taken / str(number)).touch()

        super()._all(what, of, tasks, told)


def failing(study, client, taken, at):
    """A spread study whose task with this number fails once two others are done, and its client."""
    other = Changed(client, lambda task, number: (fail, taken) if number == at else (task,))
    return Told(study, other, taken), other


def as_given(task, _):
    return (task,)


def test_what_was_finished_is_kept_for_a_second_call(client, tmp_path):
    study = g.Study.load("risk-roll")
    far, other = failing(study, client, tmp_path / "taken", 5)
    with pytest.raises(g.SpreadError, match=r"^shard 5 of 9: OSError: the disk is gone; \d of 9 shards are done and kept") as caught:
        far.run(50_000, seed=3, shards=9)
    assert isinstance(caught.value.__cause__, OSError) and len(other.tasks) == 9
    done = int(re.search(r"(\d) of 9 shards", str(caught.value))[1])
    assert 2 <= done <= 8
    # Another run does not use them. The same run fights the remaining shards; after it is complete, the next one fights all again.
    other.change = as_given
    for seed, fought in ((4, 9), (3, 9 - done), (3, 9)):
        other.tasks.clear()
        assert far.run(50_000, seed=seed, shards=9) == study.run(50_000, seed=seed)
        assert len(other.tasks) == fought


def test_what_was_learned_for_a_question_is_kept(client, tmp_path):
    study = g.Study.load("refduel")
    far, other = failing(study, client, tmp_path / "taken", 3)
    with pytest.raises(g.SpreadError, match=r"^part 3 of 4: OSError: the disk is gone; \d of 4 parts are done and kept"):
        far.ablate("a score", runs=500, pairs=False, parts=4)
    other.change = as_given
    other.tasks.clear()
    assert far.ablate("a score", runs=500, pairs=False, parts=4) == study.ablate("a score", runs=500, pairs=False)
    # The ledgers sent to the workers contain the earlier results.
    assert other.tasks and all(len(task.args[-1]) > 0 for task in other.tasks)


def test_ctrl_c_says_what_is_kept(client):
    study, kept = g.Study.load("risk-roll"), {}

    def take(number, answer):
        if len(kept) == 3:
            raise KeyboardInterrupt
        kept[number] = answer

    with pytest.raises(KeyboardInterrupt) as caught:
        spread(study, client)._all("shard", 8, {number: partial(study.run, 100) for number in range(8)}, take)
    assert len(kept) == 3 and "3 of 8 shards are done and kept" in caught.value.__notes__[0]


def test_more_parts_than_workers_come_to_the_same(client):
    study = g.Study.load("refduel")
    settings = {"runs": 500, "pairs": False}
    assert spread(study, client).ablate("a score", parts=7, **settings) == study.ablate("a score", **settings)


def test_what_is_wrong_on_a_worker_is_raised_here(client):
    far = spread(g.Study.load("square-vs-line"), client)
    with pytest.raises(g.SettingError, match="`runs` is -1"):
        far.run(-1)
    with pytest.raises(g.UnknownError, match="did you mean `attacker score`"):
        far.ablate("attacker scor")
    with pytest.raises(g.FaultError, match="targets"):
        far.tune(["unit.line-battalion.figures"])
    with pytest.raises(g.UnknownError, match="did you mean `attacker`"):
        far.train("attaker")
    for setting in ({"precision": 0.1}, {"max_time": 1.0}):
        with pytest.raises(TypeError, match="cannot be combined with shards"):
            far.run(100, **setting)
    with pytest.raises(ValueError, match="`shards` is 0"):
        far.run(100, shards=0)
    # Shards that do not belong together are refused with a reason, wherever they were fought.
    study = g.Study.load("risk-roll")
    share = client.submit(study.run, 10_000, shard=(0, 2), pure=False)
    other = client.submit(g.Study.load("risk-dice").run, 100, pure=False)
    with pytest.raises(g.MergeError, match="twice"):
        g.merge(client.gather([share, share]))
    with pytest.raises(g.MergeError):
        g.merge(client.gather([share, other]))


def test_a_worker_that_dies_too_often_is_named():
    study = g.Study.load("risk-roll")
    with dask.config.set({"distributed.scheduler.allowed-failures": 0}):
        with LocalCluster(n_workers=1, threads_per_worker=1, dashboard_address=None) as cluster, Client(cluster) as client:
            deadly = Changed(client, lambda task, number: (os.abort,) if number == 2 else (task,))
            far = spread(study, deadly)
            with pytest.raises(g.SpreadError, match=r"^shard \d of 3: KilledWorker: .*; \d of 3 shards are done and kept"):
                far.run(10_000, seed=3, shards=3)
            deadly.change = as_given
            assert far.run(10_000, seed=3, shards=3) == study.run(10_000, seed=3)


def test_ledgers_say_what_they_are_not_for():
    study, ledger = g.Study.load("refduel"), g.Ledger()
    nobody = pickle.loads(pickle.dumps(ledger.part([])))
    with pytest.raises(g.LeftError, match="left to other processes"):
        study.ablate("a score", runs=500, pairs=False, ledger=nobody)
    assert nobody.wanted and len(nobody) == 0
    part = ledger.part(nobody.wanted)
    alone = study.ablate("a score", runs=500, pairs=False, ledger=part)
    ledger.add(part.news)
    assert len(pickle.loads(pickle.dumps(ledger))) == len(ledger) == len(nobody.wanted)
    # Everything is known now, so nothing is fought again.
    assert study.ablate("a score", runs=500, pairs=False, ledger=ledger.part([])) == alone
    for other in ({"runs": 501}, {"runs": 500, "seed": 1}, {"runs": 500, "level": 0.9}):
        with pytest.raises(g.LedgerError, match="another question"):
            study.ablate("a score", pairs=False, ledger=ledger, **other)
    with pytest.raises(g.LedgerError, match="damaged"):
        ledger.add(part.news[:-1])
    with pytest.raises(TypeError):
        study.ablate("a score", ledger="ledger")
