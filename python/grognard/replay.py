"""One battle, blow by blow."""

import json
from html import escape
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from grognard._native import Study


def _snake(data: Any) -> Any:
    """Data with its keys in Python style, such as `rout_turn`."""
    if isinstance(data, dict):
        return {key.replace("-", "_"): _snake(value) for key, value in data.items()}
    if isinstance(data, list):
        return [_snake(value) for value in data]
    return data


class Replay:
    """One battle of a study: its events and its outcome. See `Study.replay`."""

    def __init__(self, study: "Study", cell: int, battle: int, seed: int | None, told: str) -> None:
        data = _snake(json.loads(told))
        self.study: Study = study
        """The study."""
        self.cell: int = cell
        """The number of the cell."""
        self.battle: int = battle
        """The number of the battle."""
        self.seed: int | None = seed
        """The seed; None for the study's own."""
        self.label: str = data["label"]
        """The name of the cell."""
        self.outcome: dict[str, Any] = data["outcome"]
        """The outcome: `winner` (a side, or `draw`), `turns`, and under `sides` each side's `won`, `losses`, `routed_units`,
        `shaken_units` and `rout_turn`."""
        self.timeline: dict[str, Any] | None = data["timeline"]
        """Everything needed to draw it: table, terrain, units, and `moments` in which indices stand for units, sides and phases.
        Lengths are in hundredths of an inch, angles in tenths of a degree. None if nothing happened."""
        names = list(self.study.sides)
        self.outcome["sides"] = dict(zip(names, self.outcome["sides"]))

    @property
    def events(self) -> list[dict[str, Any]]:
        """The events, in order: `turn`, `side`, `phase`, `what`, `unit`, `target`, `text` (a list of lines), `clauses`, `dice`,
        `decision` and `changed`, which lists every unit whose state changed. A missing value is None."""
        line = self.timeline
        if line is None:
            return []

        def named(moment: dict[str, Any], key: str, names: list[str]) -> str | None:
            index = moment.get(key)
            return None if index is None else names[index]

        units = [unit["name"] for unit in line["units"]]
        return [
            {
                "turn": moment["turn"],
                "side": line["sides"][moment["side"]],
                "phase": named(moment, "phase", line["phases"]),
                "what": moment["happening"],
                "unit": named(moment, "unit", units),
                "target": named(moment, "target", units),
                "text": [text.strip() for text in moment.get("text", [])],
                "clauses": moment.get("clauses", []),
                "dice": moment.get("dice", []),
                "decision": moment.get("decision"),
                "changed": [self._standing(unit, standing) for unit, standing in moment.get("changed", [])],
            }
            for moment in line["moments"]
        ]

    def _standing(self, unit: int, standing: dict[str, Any]) -> dict[str, Any]:
        line = self.timeline or {}
        title = {key: line[table][standing[key]]["title"] for key, table in _TITLED.items()}
        return {"unit": line["units"][unit]["name"], **standing, **title}

    @property
    def lines(self) -> list[str]:
        """The battle in words, as `grognard replay` prints it."""
        moments = self.timeline["moments"] if self.timeline else []
        return [text for moment in moments for text in moment.get("text", [])]

    def page(self) -> str | None:
        """An HTML page that replays the battle on its map, for mouse, keyboard and screen reader; None if nothing happened. It is
        self-contained and can be saved as one file: `grognard replay --html` writes the same page."""
        return self.study._page(self.cell, self.battle, self.seed)

    def show(self) -> "Shown":
        """Draws the battle in a notebook: a map with controls to step through the events."""
        return Shown(self)

    def __str__(self) -> str:
        return "\n".join(self.lines)

    def _repr_html_(self) -> str:
        return f"<pre>{escape(str(self))}</pre>"

    def __repr__(self) -> str:
        return f"<grognard.Replay: {self.study.name}, cell {self.cell}, battle {self.battle}>"


class Shown:
    """A battle drawn in a notebook: see `Replay.show`."""

    def __init__(self, replay: Replay) -> None:
        self._replay = replay

    def _repr_html_(self) -> str:
        page = self._replay.page()
        if page is None:
            return "<p>Nothing happens in this battle.</p>"
        # The page brings its own style and script, so it needs its own frame.
        return f'<iframe srcdoc="{escape(page)}" style="width: 100%; height: 820px; border: 0" title="A battle, drawn"></iframe>'

    def __repr__(self) -> str:
        return str(self._replay)


#: The parts of a unit's state that are indices, and the lists with their titles.
_TITLED = {"kind": "kinds", "formation": "formations", "morale": "morale"}
