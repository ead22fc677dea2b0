"""`python -m quet` is `quet`."""

import sys

from .cli.main import main

sys.exit(main())
