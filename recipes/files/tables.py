"""Reads, filters, joins, sorts and aggregates every table of results folders with several libraries, and compares what they find.

    tables.py --with pyarrow,pandas,polars,duckdb FOLDER...
"""

import argparse
import io
import pathlib
import sys

# Signed numbers, plain texts and truth values: what every tool computes with.
TYPES = {"int32", "int64", "double", "string", "bool"}
METADATA = ("study", "pack", "seed", "method", "sides", "units", "vary", "format", "tool")


def tables(folder):
    """The tables of a folder: a file, or a folder of parts."""
    found = sorted(path for path in (folder / "data").iterdir())
    assert {"cells.parquet", "summary.parquet"} <= {path.name for path in found}, found
    return found


def with_pyarrow(path, cells):
    import pyarrow as pa
    import pyarrow.compute as pc
    import pyarrow.csv
    import pyarrow.parquet as pq

    table = pq.read_table(path)
    types = {field.name: str(field.type) for field in table.schema}
    assert set(types.values()) <= TYPES, (path, types)
    metadata = table.schema.metadata or {}
    missing = [key for key in METADATA if f"grognard.{key}".encode() not in metadata]
    assert not missing, (path, missing)
    texts = [name for name, type in types.items() if type == "string"]
    for name in texts:
        column = table[name]
        # The empty string stands for nothing here.
        assert pc.sum(pc.equal(column, "")).as_py() in (0, None), (path, name)
        for text in pc.unique(pc.drop_null(column)).to_pylist()[:3]:
            found = table.filter(pc.equal(column, text))
            assert found.num_rows == pc.sum(pc.equal(column, text)).as_py() > 0, (path, name, text)
        assert table.take(pc.sort_indices(table, [(name, "ascending")])).num_rows == table.num_rows
        grouped = table.group_by(name).aggregate([("cell", "count")])
        assert sum(grouped["cell_count"].to_pylist()) == table.num_rows
    out = io.BytesIO()
    pa.csv.write_csv(table.slice(0, 1000), out)
    assert out.getvalue().startswith(b'"cell"')
    labels = pq.read_table(cells).select(["cell", "label"]).rename_columns(["cell", "cell_label"])
    joined = table.join(labels, keys="cell", join_type="inner")
    assert joined.num_rows == table.num_rows, path
    counts = joined.group_by("cell_label").aggregate([("cell", "count")])
    return dict(zip(counts["cell_label"].to_pylist(), counts["cell_count"].to_pylist())), table.num_rows, texts


def with_pandas(path, cells):
    import pandas as pd

    frame = pd.read_parquet(path)
    labels = pd.read_parquet(cells)[["cell", "label"]].rename(columns={"label": "cell_label"})
    texts = list(frame.select_dtypes(include=["object", "string"]).columns)
    for name in texts:
        some = frame[name].dropna()
        if len(some):
            assert len(frame[frame[name] == some.iloc[0]]) > 0
        frame.sort_values(name)
    joined = frame.merge(labels, on="cell").sort_values("cell_label")
    if "attacker_losses" in frame:
        assert (frame["attacker_losses"] - frame["defender_losses"]).min() < 0, "losses do not wrap"
    return joined.groupby("cell_label").size().to_dict(), len(frame), None


def with_polars(path, cells):
    import polars as pl

    frame = pl.read_parquet(path)
    labels = pl.read_parquet(cells).select("cell", cell_label="label")
    for name, type in frame.schema.items():
        if type == pl.String:
            texts = frame[name].drop_nulls()
            if len(texts):
                assert frame.filter(pl.col(name) == texts[0]).height > 0
            frame.sort(name)
    counts = frame.join(labels, on="cell").group_by("cell_label").len().sort("cell_label")
    return dict(counts.iter_rows()), frame.height, None


def with_duckdb(path, cells):
    import duckdb

    source = f"'{path}'" if path.is_file() else f"'{path}/*.parquet'"
    # Names that need no quotes.
    names = [row[0] for row in duckdb.sql(f"describe from {source}").fetchall()]
    duckdb.sql(f"select {', '.join(f't.{name}' for name in names)} from {source} t limit 1").fetchall()
    counts = duckdb.sql(
        f"select c.label, count(*) from {source} t join '{cells}' c on t.cell = c.cell group by 1 order by 1"
    ).fetchall()
    return dict(counts), sum(count for _, count in counts), None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--with", dest="libraries", required=True)
    parser.add_argument("folders", nargs="+", type=pathlib.Path)
    arguments = parser.parse_args()
    libraries = arguments.libraries.split(",")
    number = 0
    for folder in arguments.folders:
        cells = folder / "data/cells.parquet"
        for path in tables(folder):
            found = {library: globals()[f"with_{library}"](path, cells) for library in libraries}
            first = next(iter(found.values()))
            for library, (counts, rows, _) in found.items():
                assert (counts, rows) == first[:2], (path, library)
            number += 1
    versions = ", ".join(f"{library} {__import__(library).__version__}" for library in libraries)
    print(f"{number} tables read, filtered, joined, sorted and counted alike with {versions}")


if __name__ == "__main__":
    sys.exit(main())
