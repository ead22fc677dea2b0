"""What MkDocs calls while it builds: generated pages, the navigation, links, and scripts that a policy allows."""

import hashlib
import re
import sys
from os.path import normpath
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

sys.path.insert(0, str(Path(__file__).parent))
import command_page
import game_pages
import listings
import notebook_pages

ROOT = Path(__file__).parents[2]
_LINK = re.compile(r"(?<!!)\[([^\]]+)\]\((\.\./[^)\s]*)\)")
_NOTEBOOK = re.compile(r"(\]\(\S*)\.ipynb\)")
_SCRIPT = re.compile(r"<script>(.*?)</script>", re.DOTALL)
_ALIGNED = re.compile(r' style="text-align: (left|right|center);"')
_STYLED = re.compile(r'<[a-z][^>]* style="[^"]*"|<style')
_scripts: dict[str, str] = {}
"""Scripts that stood in pages, by their path in the site."""


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Put generated pages into the navigation."""
    _scripts.clear()
    nav = config.nav
    assert isinstance(nav, list)
    _section(nav, "Games")[:] = ["games/index.md", *[{title: f"games/{id}.md"} for id, title in game_pages.names()]]
    decisions = sorted((ROOT / "docs" / "decisions").glob("*.md"))
    _section(nav, "Decisions")[:] = [f"decisions/{file.name}" for file in decisions]
    return config


def _section(nav: list[object], title: str) -> list[object]:
    """The part of the navigation with this title, at any depth."""
    for item in nav:
        if isinstance(item, dict):
            for name, inside in item.items():
                if name == title:
                    assert isinstance(inside, list)
                    return inside
                if isinstance(inside, list):
                    try:
                        return _section(inside, title)
                    except PluginError:
                        continue
    raise PluginError(f"mkdocs.yml has no section {title}.")


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages that are generated."""
    try:
        made = game_pages.pages() | command_page.pages() | listings.pages() | notebook_pages.pages()
    except (command_page.Undocumented, listings.Undocumented) as error:
        raise PluginError(str(error)) from None
    made["pictures/sign.svg"] = (ROOT / "src/quet/web/static/favicon.svg").read_text(encoding="utf-8")
    for path, content in made.items():
        files.append(File.generated(config, path, content=content))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """A link to a file of the project that isn't documentation keeps its words and tells the path.

    A link to a notebook leads to the page that shows it.
    """

    def told(match: re.Match[str]) -> str:
        words, target = match.groups()
        file = Path(normpath((ROOT / "docs" / page.file.src_uri).parent / target.partition("#")[0]))
        if file.is_relative_to(ROOT / "docs") or not file.is_relative_to(ROOT) or not file.exists():
            return match.group()  # MkDocs says what is wrong with it
        path = str(file.relative_to(ROOT))
        return words if path in words else f"{words} (`{path}`)"

    return _LINK.sub(told, _NOTEBOOK.sub(r"\1.md)", markdown))


def on_post_page(output: str, page: Page, config: MkDocsConfig) -> str:
    """Take scripts and styles out of the page, so that it works where only files of the site's own are allowed."""

    def moved(match: re.Match[str]) -> str:
        content = match.group(1)
        name = f"assets/javascripts/page-{hashlib.sha256(content.encode()).hexdigest()[:12]}.js"
        _scripts[name] = content
        depth = page.url.count("/") if page.url else 0
        return f'<script src="{"../" * depth}{name}"></script>'

    output = _ALIGNED.sub(r' class="\1"', _SCRIPT.sub(moved, output))
    output = output.replace("<table>", '<table tabindex="0">')  # it scrolls sideways
    output = output.replace('role="dialog"', 'role="dialog" aria-label="Search"', 1)
    styled = _STYLED.search(output)
    if styled:
        raise PluginError(f"{page.file.src_uri} has a style inside: {styled.group()[:80]}")
    return output


def on_post_build(config: MkDocsConfig) -> None:
    """Write what was taken out of pages. There is no page for what is missing: `quet serve` has its own."""
    (Path(config.site_dir) / "404.html").unlink(missing_ok=True)
    for name, content in _scripts.items():
        (Path(config.site_dir) / name).write_text(content, encoding="utf-8")
