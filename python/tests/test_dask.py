"""The workers of a Dask cluster fight, and are killed while they fight; every number is that of one process."""

import contextlib
import os
import pathlib
import pickle
import random
import signal
import threading

import dask
import pyarrow as pa
import pytest
from dask.distributed import Client, LocalCluster

import grognard as g
from grognard.dask import spread

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
    # A worker that is killed takes its shards with it; they are not to blame.
    with dask.config.set({"distributed.scheduler.allowed-failures": 100, "distributed.deploy.lost-worker-timeout": "5s"}):
        with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster, Client(cluster) as client:
            # Nobody starts a worker again that was killed while it was starting; this fills its place.
            cluster.adapt(minimum=2, maximum=2)
            yield client


@contextlib.contextmanager
def killing(client, pause, most=6):
    """Kills a worker now and then, so many at the most. Gives those that were killed while they had something to do."""
    killed, over = [], threading.Event()

    def kill():
        chance = random.Random(1815)
        while len(killed) < most and not over.wait(pause):
            try:
                busy = [worker for worker, tasks in client.processing().items() if tasks]
                worker, victim = chance.choice(list(client.run(os.getpid, workers=busy, on_error="ignore").items()))
                os.kill(victim, signal.SIGKILL)
                killed.append(worker)
            except (OSError, ValueError, IndexError, RuntimeError):
                pass  # Nobody lives or works at the moment.

    killer = threading.Thread(target=kill, daemon=True)
    killer.start()
    try:
        yield killed
    finally:
        over.set()
        killer.join()


def bytes_of(answer):
    """Everything that an answer says of its battles, as bytes."""
    tables = (answer.cells, answer.summary, answer.battles, answer.battle_sides)

    def stream(table):
        sink = pa.BufferOutputStream()
        taken = pa.table(table).combine_chunks()
        with pa.ipc.new_stream(sink, taken.schema) as writer:
            writer.write_table(taken, max_chunksize=taken.num_rows or None)
        return sink.getvalue().to_pybytes()

    return answer.digest, [stream(table) for table in tables]


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="signals of Unix")
def test_sixty_four_shards_of_workers_that_are_killed(client):
    study = g.Study.load("square-vs-line").set("approach", "front").set("attacker.0.type", "heavy-cavalry")
    # A block of 4,096 battles of each of four cells in each shard.
    runs = 64 * 4096
    with killing(client, 0.5) as killed:
        total = spread(study, client).run(runs, seed=1815, keep=5_000, shards=64)
    assert len(killed) >= 3, f"only {len(killed)} workers were killed while they fought"
    whole = study.run(runs, seed=1815, keep=5_000)
    assert total.runs == runs and total == whole and bytes_of(total) == bytes_of(whole)
    print(f"64 shards, {len(killed)} workers killed while they fought: the same to the byte as one run")


def test_a_sweep_is_spread_with_its_cells(client):
    study = g.Study.load("square-vs-line").set("approach", "front").vary("distance", [4, 8, 12])
    assert spread(study, client).run(10_000, seed=7, shards=3) == study.run(10_000, seed=7)


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="signals of Unix")
def test_questions_are_answered_by_workers_that_are_killed(client):
    duel, horse = g.Study.from_text(DUEL), g.Study.from_text(HORSE)
    for study, name, asked, settings in [
        (duel, "tune", ["unit.plain.figures", "unit.one-up.figures"], {"runs": 40_000}),
        (g.Study.load("refduel"), "ablate", "a score", {"runs": 20_000}),
        (horse, "train", "horse", {"runs": 1_000}),
    ]:
        alone = getattr(study, name)(asked, **settings)
        with killing(client, 2.0, most=2):
            together = getattr(spread(study, client), name)(asked, **settings)
        assert together == alone, name


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
    with pytest.raises(TypeError, match="`precision` does not go with shards"):
        far.run(100, precision=0.1)
    with pytest.raises(ValueError, match="`shards` is 0"):
        far.run(100, shards=0)
    # Shares that do not fit together are refused with a reason, wherever they were fought.
    study = g.Study.load("risk-roll")
    share = client.submit(study.run, 10_000, shard=(0, 2), pure=False)
    other = client.submit(g.Study.load("risk-dice").run, 100, pure=False)
    with pytest.raises(g.MergeError, match="twice"):
        g.merge(client.gather([share, share]))
    with pytest.raises(g.MergeError):
        g.merge(client.gather([share, other]))


def test_a_worker_that_dies_too_often_is_named(client):
    from dask.distributed import KilledWorker

    with dask.config.set({"distributed.scheduler.allowed-failures": 0}):
        with LocalCluster(n_workers=1, threads_per_worker=1, dashboard_address=None) as cluster, Client(cluster) as other:
            fate = other.submit(os.kill, other.submit(os.getpid, pure=False), signal.SIGKILL, pure=False)
            with pytest.raises(KilledWorker, match="kill"):
                other.gather(fate)


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
    # Everything is known now, and nothing is fought again.
    assert study.ablate("a score", runs=500, pairs=False, ledger=ledger.part([])) == alone
    for other in ({"runs": 501}, {"runs": 500, "seed": 1}, {"runs": 500, "level": 0.9}):
        with pytest.raises(g.LedgerError, match="another question"):
            study.ablate("a score", pairs=False, ledger=ledger, **other)
    with pytest.raises(g.LedgerError, match="damaged"):
        ledger.add(part.news[:-1])
    with pytest.raises(TypeError):
        study.ablate("a score", ledger="ledger")
