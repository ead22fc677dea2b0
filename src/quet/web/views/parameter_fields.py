"""How forms ask for the parameters of a game: numbers, and sequences with a name or of one's own."""

from collections.abc import Mapping
from dataclasses import dataclass

from ... import catalog
from ...core.messages import say
from ...core.parameters import AnyParameter, Parameter
from ...core.sequences import NAMED
from ..errors import BadForm
from ..i18n import gettext as _
from ..i18n import said
from ..preferences import OWN

FEW = 8  # values of a parameter that are offered side by side


@dataclass(frozen=True)
class Field:
    """A parameter as the form asks for it."""

    name: str
    meaning: str
    limits: str
    value: str
    is_number: bool
    low: int = 0
    high: int = 0
    options: tuple[str, ...] = ()  # all values, where they are few
    known: tuple[tuple[str, str, str], ...] = ()  # values with a name: each as sent, as called, and what it is
    about: str = ""  # the meaning, where the name alone doesn't say it


def typed(fields: Mapping[str, str], name: str) -> str | None:
    """What the form says of a parameter; None where that is left to the game. Raises BadForm."""
    value = fields.get(f"parameter-{name}", "").strip()
    if value != OWN:
        return value or None
    if own := fields.get(f"own-{name}", "").strip():
        return own
    raise BadForm(say("Type your own sequence, or choose one of those with a name."))


def shown(fields: Mapping[str, str], parameter: AnyParameter) -> str:
    """The value that the form showed, right or wrong."""
    value = fields.get(f"parameter-{parameter.name}", str(parameter.default))
    return fields.get(f"own-{parameter.name}", "") if value == OWN else value


def field(entry: catalog.Entry, parameter: AnyParameter, value: str) -> Field:
    """The parameter with a value, as a form shows it."""
    about = "" if parameter.meaning == entry.parameter_name(parameter) else parameter.meaning
    if not isinstance(parameter, Parameter):
        return Field(
            parameter.name,
            entry.parameter_name(parameter),
            _("a list like 1,2,2,3, or random:7:1:9 for random numbers from 1 to 9, where the 7 says which"),
            value,
            is_number=False,
            known=tuple((name, said(one.called), f"{said(one.about)}: {one.beginning}") for name, one in NAMED.items()),
            about=about,
        )
    limits = _("%(low)s to %(high)s") % {"low": parameter.low, "high": parameter.high}
    if parameter.usual:
        limits = _("%(limits)s; best %(usual)s") % {"limits": limits, "usual": said(parameter.usual)}
    few = range(parameter.low, parameter.high + 1) if parameter.high - parameter.low < FEW else ()
    return Field(
        name=parameter.name,
        meaning=entry.parameter_name(parameter),
        limits=limits,
        value=value,
        is_number=True,
        low=parameter.low,
        high=parameter.high,
        options=tuple(map(str, few)),
        about=about,
    )
