"""`quet check`: whether a game keeps the contract of a game, and what it could add."""

from .. import catalog
from ..contract import advice
from ..contract import checks as contract
from ..contract.faces import FONT
from ..contract.faces import texts_drawn as drawn
from ..contract.trials import asked, random_games, require
from ..core.errors import BrokenRules, MissingExtra, why
from ..core.extras import needs


def _translations(entry: catalog.Entry) -> dict[str, str]:
    """The catalogs in which sentences wait for a translation, with how many; none where Babel isn't installed."""
    try:
        with needs("site", "Babel"):
            from babel.messages.pofile import PoFileError

            from ..web import catalogs
    except MissingExtra:
        return {}
    found = {}
    for language in sorted(catalogs.LANGUAGES.keys() - {catalogs.SOURCE}):
        try:
            number = catalogs.waiting(entry.package, language)
        except (PoFileError, ValueError) as error:
            found[f"{language}.po"] = f"It can't be brought up to date: {why(error)}."
            continue
        if number:
            sentences = "1 sentence waits" if number == 1 else f"{number} sentences wait"
            command = f"python -m quet.web.catalogs {entry.id}"
            found[f"{language}.po"] = (
                f"{sentences} for a translation and are said in English; {command} adds them there."
            )
    return found


def translated_pictures_can_be_drawn(entry: catalog.Entry) -> None:
    """The texts in pictures are ASCII in each language too; nothing is tried where Babel isn't installed."""
    try:
        with needs("site", "Babel"):
            from ..web import catalogs, i18n
    except MissingExtra:
        return
    texts = {text for game in random_games(entry) if game.ply % 5 == 0 or game.is_over for text in drawn(game.scene())}
    for language in sorted(catalogs.LANGUAGES.keys() - {catalogs.SOURCE}):
        foreign = [said for text in texts if not (said := i18n.sentence(text, language)).isascii()]
        require(not foreign, f"{sorted(foreign)[:1]} of {language}.po stands in a picture: {FONT}.")


def run(game_id: str, *, is_json: bool) -> dict[str, object]:
    """Print what each check found unless JSON is wanted. Returns what JSON tells. Raises UnknownGame."""
    entry = catalog.get(game_id)
    results, untried = {}, []
    checks = {**contract.CHECKS, "translated pictures can be drawn": contract.fully(translated_pictures_can_be_drawn)}
    for name, check in checks.items():
        try:
            line, results[name] = f"ok    {name}", ""
            if not asked(check, entry):
                line = f"-     {name}: nothing to try"
                untried.append(name)
        except BrokenRules as error:
            results[name] = str(error)
            line = f"FAIL  {name}: {error}"
        if not is_json:
            print(line, flush=True)
    failures = sum(1 for broken in results.values() if broken)
    about = None if failures else advice.about(entry)  # a broken game can't be looked at
    if about is not None:
        about.could_add.update(_translations(entry))
    if about is not None and not is_json:
        print(f"\nRoles of its pictures: {', '.join(about.roles)}.")
        print(f"Beyond its rules it has: {'; '.join(about.has) or 'nothing'}.")
        print("It could add (docs/capabilities.md tells how):")
        for names, brings in about.could_add.items():
            print(f"- {names}: {brings}")
    told = {"game": entry.id, "passed": failures == 0, "checks": results, "untried": untried}
    return told | (about._asdict() if about else {})
