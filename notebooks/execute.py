"""Runs notebooks from top to bottom and writes their outputs back; called by `run`.

An error in a cell ends the run with that error, and leaves the file unchanged. With --cells, the code of a Python notebook runs
without a kernel and writes nothing: CI does this.
"""

import json
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent


def run_cells(path):
    """Runs the code cells as one program, without a kernel."""
    import matplotlib

    matplotlib.use("agg")
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    names = {"__name__": "__main__"}
    for number, cell in enumerate((cell for cell in cells if cell["cell_type"] == "code"), start=1):
        exec(compile("".join(cell["source"]), f"{path.name}, cell {number}", "exec"), names)


def tidy(notebook):
    """Keeps what a reader sees, and removes everything that differs between kernels and machines."""
    kept = ("name", "file_extension", "mimetype")
    language = notebook["metadata"]["language_info"]
    notebook["metadata"]["language_info"] = {key: value for key, value in language.items() if key in kept}
    for cell in notebook["cells"]:
        cell["metadata"] = {}
        outputs = []
        for output in cell.get("outputs", []):
            # Kernels send output line by line, and the Rust kernel shows `()` as the value of a loop.
            if output["output_type"] == "stream" and outputs and outputs[-1].get("name") == output["name"]:
                outputs[-1]["text"] += output["text"]
            elif output.get("data") != {"text/plain": "()"}:
                outputs.append(output)
        for output in outputs:
            if "metadata" in output:
                output["metadata"] = {}
            if "execution_count" in output:
                output["execution_count"] = cell["execution_count"]
        if "outputs" in cell:
            cell["outputs"] = outputs


def execute(path):
    """Runs a notebook in its kernel, and writes the outputs into the file."""
    import nbclient
    import nbformat

    notebook = nbformat.read(path, as_version=4)
    client = nbclient.NotebookClient(
        notebook,
        timeout=3600,
        startup_timeout=600,
        record_timing=False,
        store_widget_state=False,
        resources={"metadata": {"path": str(HERE)}},
    )
    client.execute()
    tidy(notebook)
    text = nbformat.writes(notebook, indent=1, ensure_ascii=False)
    for place in {str(HERE.parent), str(pathlib.Path.home()), "/tmp/"}:
        if place in text:
            sys.exit(f"{path.name}: an output speaks of {place}")
    path.write_text(text.rstrip("\n") + "\n", encoding="utf-8")


def main(arguments):
    bare = "--cells" in arguments
    for name in (name for name in arguments if name != "--cells"):
        print(name, file=sys.stderr)
        path = HERE / pathlib.Path(name).name
        run_cells(path) if bare else execute(path)


# Processes that a notebook starts import this file too.
if __name__ == "__main__":
    main(sys.argv[1:])
