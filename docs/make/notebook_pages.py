"""Pages that show the notebooks in docs/notebooks, and the command that runs them anew.

    python docs/make/notebook_pages.py

A notebook is kept with what its cells print, so that a page needs no kernel; a test runs each and compares.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from nbformat import NotebookNode

NOTEBOOKS = Path(__file__).parents[1] / "notebooks"
LONGEST = 120  # seconds of a cell


def names() -> list[str]:
    """The names of the notebooks, without the ending."""
    return sorted(file.stem for file in NOTEBOOKS.glob("*.ipynb"))


def pages() -> dict[str, str]:
    """A page for each notebook, by its path in the documentation."""
    return {f"notebooks/{name}.md": _page(name) for name in names()}


def _page(name: str) -> str:
    cells = json.loads((NOTEBOOKS / f"{name}.ipynb").read_text(encoding="utf-8"))["cells"]
    parts = []
    for cell in cells:
        if cell["cell_type"] == "markdown":
            parts.append("".join(cell["source"]))
        else:
            parts.append(f"```python\n{''.join(cell['source'])}\n```")
            told = printed(cell)
            if told:
                parts.append(f"```text\n{told}\n```")
    parts.append(f"This page is a notebook; [download it]({name}.ipynb).")
    return "\n\n".join(parts) + "\n"


def printed(cell: Mapping[str, Any]) -> str:
    """What a cell printed and what its last line came to, as text."""
    told = []
    for output in cell["outputs"]:
        text = output["text"] if output["output_type"] == "stream" else output["data"]["text/plain"]
        told.append("".join(text).rstrip("\n"))
    return "\n".join(told)


def executed(name: str) -> "NotebookNode":
    """The notebook, run anew in a kernel of its own. Raises CellExecutionError."""
    import nbformat
    from nbclient import NotebookClient
    from traitlets.config import Config

    notebook: NotebookNode = nbformat.read(NOTEBOOKS / f"{name}.ipynb", as_version=4)
    language = notebook.metadata["language_info"]
    config = Config()
    config.KernelManager.transport = "ipc"  # sockets are files, not ports that others on the machine can open
    NotebookClient(notebook, timeout=LONGEST, record_timing=False, coalesce_streams=True, config=config).execute()
    notebook.metadata["language_info"] = language  # or it has the version of Python
    return notebook


if __name__ == "__main__":
    import nbformat

    for name in names():
        nbformat.write(executed(name), NOTEBOOKS / f"{name}.ipynb")
