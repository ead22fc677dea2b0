"""The table of results: the best score known for each game and size, its bound, and a certificate of both.

The table is a folder of files that people read, compare and extend. `quet results` shows it and enters better results.
"""
