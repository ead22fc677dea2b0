"""The name of a file that somebody types while they play: `~` is their own folder."""

from pathlib import Path


def path_of(name: str) -> Path:
    """The path that is meant."""
    try:
        return Path(name).expanduser()
    except RuntimeError:  # no user has this name
        return Path(name)


def exists(name: str) -> bool:
    """Whether something is there already."""
    try:
        return path_of(name).exists()
    except (OSError, ValueError):  # saving will say what is wrong with the name
        return False
