"""The table of results: of each game and size the best score known, its bound, and the certificate of both.

The table is a folder of files that people read, compare and extend; `quet results` shows it and enters what is better.
"""
