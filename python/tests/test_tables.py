"""Other tools read the tables through the PyCapsule interface."""

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import grognard as g


@pytest.fixture(scope="module")
def answer():
    return g.Study.load("square-vs-line").run(2_500, seed=1815, keep="all")


@pytest.fixture(scope="module")
def odds():
    return g.Study.load("risk-dice").exact()


def test_pyarrow_takes_them_with_their_metadata(answer):
    table = pa.table(answer.summary)
    assert table.num_rows == len(answer.summary) and table.column_names == answer.summary.columns
    assert table.schema.field("side").type == pa.string() and table.schema.field("cell").type == pa.int32()
    assert table.schema.metadata[b"grognard.study"] == b"square-vs-line"
    assert answer.summary.metadata["grognard.seed"] == "1815"
    assert pa.schema(answer.battles) == pa.table(answer.battles).schema
    table.validate(full=True)


def test_battles_come_in_batches_that_nobody_copies(answer):
    reader = pa.RecordBatchReader.from_stream(answer.battles)
    rows = [batch.num_rows for batch in reader]
    assert sum(rows) == len(answer.battles) == 36 * 2_500
    assert len(rows) == 2 and rows[0] == 65_536
    # A table can be read more than once.
    assert pa.table(answer.battles).equals(pa.table(answer.battles))
    # Nothing is copied: polars and pyarrow use the same buffers.
    taken = pa.table(answer.battles)
    again = pl.from_arrow(taken.column("turns").chunk(0)).to_arrow()
    assert again.buffers()[1].address == taken.column("turns").chunk(0).buffers()[1].address


def test_polars_takes_them(answer, odds):
    battles = pl.DataFrame(answer.battles)
    assert battles.shape == (90_000, len(answer.battles.columns))
    assert battles["battle"].dtype == pl.Int64 and battles["winner"].dtype == pl.String
    assert battles["attacker_rout_turn"].null_count() > 0
    assert battles.group_by("cell").len()["len"].unique().to_list() == [2_500]
    assert pl.DataFrame(odds.ends)["p"].sum() == pytest.approx(len(odds.cells))
    # Numbers are signed, so that they can be subtracted.
    assert battles.select((pl.col("attacker_losses") - pl.col("defender_losses")).min()).item() < 0


def test_pandas_takes_them(answer):
    summary = pd.DataFrame.from_arrow(answer.summary)
    wins = summary[(summary["metric"] == "win") & (summary["kind"] == "share")]
    assert len(wins) == 72 and wins["mean"].between(0, 1).all()


def test_duckdb_takes_them(answer, odds):
    battles = duckdb.from_arrow(answer.battles)
    counted = duckdb.sql("select winner, count(*) from battles group by winner order by winner").fetchall()
    assert sum(count for _, count in counted) == 90_000 and {winner for winner, _ in counted} == {"attacker", "defender", "draw"}
    ends = duckdb.from_arrow(odds.ends)
    assert duckdb.sql("select sum(p) from ends").fetchall()[0][0] == pytest.approx(len(odds.cells))
    assert battles is not None and ends is not None


def test_rows_and_notebooks(answer):
    rows = answer.cells.to_dicts()
    assert rows[18]["defender_0_formation"] == "square" and rows[18]["cell"] == 18
    assert "square" in answer.cells._repr_html_() and "20 of 36 rows" in answer.cells._repr_html_()
    assert repr(answer.cells).startswith("<grognard.Table: 36 rows of cell, label")
    assert "<th>attacker wins</th>" in answer._repr_html_()
    assert str(answer).count("\n") == 35 and "36 cells, 2500 battles each" in repr(answer)


def test_what_is_not_there_says_so(answer, odds):
    with pytest.raises(g.Error, match="no odds were computed: use `exact`"):
        answer.odds
    with pytest.raises(g.Error, match="no battles were fought: use `run`"):
        odds.battles
