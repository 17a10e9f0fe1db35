"""Runs the queries of a page: SQL with DuckDB, and Python that sets `answer`. All blocks of a section must agree, and the text block
must show their result. With BLESS=1, the text block is rewritten.

    queries.py PAGE
"""

import os
import pathlib
import re
import sys

import duckdb

BLOCK = re.compile(r"^```(\w+)([^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def rows(answer):
    """An answer as rows of plain values."""
    if isinstance(answer, list):
        return [tuple(row) for row in answer]
    if hasattr(answer, "iter_rows"):
        return list(answer.iter_rows())
    return list(answer.itertuples(index=False, name=None))


def same(one, other):
    def close(left, right):
        return abs(left - right) < 1e-9 if isinstance(left, float) else left == right

    return len(one) == len(other) and all(
        len(left) == len(right) and all(map(close, left, right)) for left, right in zip(one, other)
    )


def printed(names, found):
    """Rows as text, in columns."""
    cells = [[f"{value:.4f}" if isinstance(value, float) else str(value) for value in row] for row in found]
    table = ([names] if names else []) + cells
    widths = [max(len(row[at]) for row in table) for at in range(len(table[0]))]
    lines = ["  ".join(value.ljust(width) for value, width in zip(row, widths)).rstrip() for row in table]
    return "".join(f"{line}\n" for line in lines)


def main(page):
    path = pathlib.Path(page)
    text = path.read_text(encoding="utf-8")
    sections = re.split(r"(?m)^(?=## )", text)
    done, changed = 0, []
    for section in sections:
        title = section.splitlines()[0]
        names, found, shown = None, None, None
        for language, _, body in BLOCK.findall(section):
            if language == "sql":
                relation = duckdb.sql(body)
                names, answer = relation.columns, relation.fetchall()
            elif language == "python":
                scope = {}
                exec(compile(body, f"{path.name}, {title}", "exec"), scope)
                answer = rows(scope["answer"])
            elif language == "text":
                shown = body
                continue
            else:
                continue
            assert answer, f"{title}: no rows"
            assert found is None or same(found, answer), f"{title}: {language} finds {answer}, not {found}"
            found = found or answer
            done += 1
        if found is None:
            continue
        now = printed(names, found)
        assert shown is not None, f"{title}: no text block shows the result"
        if shown != now:
            changed.append(title)
            section_now = section.replace(f"```text\n{shown}```", f"```text\n{now}```", 1)
            text = text.replace(section, section_now, 1)
    assert done >= 10, f"only {done} queries were found"
    if changed and os.environ.get("BLESS"):
        path.write_text(text, encoding="utf-8")
        print("written:", ", ".join(changed))
    elif changed:
        sys.exit(f"{path} does not show the results of its queries: {', '.join(changed)} (BLESS=1 writes them)")
    print(f"{done} queries of {path.name} agree")


if __name__ == "__main__":
    main(sys.argv[1])
