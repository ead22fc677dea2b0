"""The log: a line of JSON for each request and event, on standard error.

A line about a request has its method, the template of its path, its status and its time. It never has the path itself,
cookies, forms or names, since a link or a token opens a game. Of a game's id a line has the beginning only.
"""

import json
import logging
import time
from typing import TextIO

requests = logging.getLogger("quet.web.requests")


class JsonFormatter(logging.Formatter):
    """A record as one line of JSON."""

    def format(self, record: logging.LogRecord) -> str:
        """The line."""
        told: dict[str, object] = {
            "time": time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created)) + f".{int(record.msecs):03}Z",
            "level": record.levelname.lower(),
        }
        if isinstance(record.msg, dict):
            told |= record.msg
        else:
            told |= {"logger": record.name, "message": record.getMessage()}
        if record.exc_info:
            told["error"] = self.formatException(record.exc_info)
        return json.dumps(told)


class Lines(logging.StreamHandler[TextIO]):
    """Writes to standard error. After a line that was cut off, as by a full disk, the next one begins a line anew."""

    _begin = ""

    def format(self, record: logging.LogRecord) -> str:
        """The line."""
        begin, self._begin = self._begin, ""
        return begin + super().format(record)

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802 - so logging calls it
        """Note that the line wasn't written to its end."""
        self._begin = "\n"
        super().handleError(record)


def shortened(id: str) -> str:
    """The beginning of a game's id: enough to find it in the database, and too little to open it."""
    return f"{id[:6]}..."


CONFIG: dict[str, object] = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"json": {"()": "quet.web.log.JsonFormatter"}},
    "handlers": {"standard error": {"class": "quet.web.log.Lines", "formatter": "json"}},
    "loggers": {
        "quet": {"handlers": ["standard error"], "level": "INFO", "propagate": False},
        "uvicorn": {"handlers": ["standard error"], "level": "INFO", "propagate": False},
    },
}
"""For `logging.config.dictConfig`."""
