"""The commands on a row's page are those that check it and solve it: with the limits that it needs."""

import shlex

from quet.certificates import claims
from quet.certificates.limits import USUAL
from quet.cli.arguments import parser
from quet.game import new_to_solve
from quet.results import commands, theorems
from quet.results.folder import find


def test_every_row_has_two_commands_that_can_be_typed() -> None:
    table, told, typed = find(None), {}, parser()
    for row in table.rows():
        told[row.certificate] = check, solve = (
            commands.check(row),
            commands.solve(row, table.larger().get(row.certificate)),
        )
        for words in (check.command, solve):
            typed.parse_args(shlex.split(words)[1:])
        assert f" {row.words}" in solve or row.certificate in table.larger()
    check, solve = told["palindromes-24.json"]
    assert check.command == f"quet verify palindromes-24.json --memory {check.megabytes}" and check.minutes > 0
    assert solve == "quet solve palindromes m=24 --time 3600 --memory 12288"
    assert told["blob-7.json.gz"][1] == "quet solve blob n=7 --strategies --memory 6000 --time 7200"
    assert told["sums-grid-4.json"][1] == "quet solve sums-grid n=4 --time 20000"
    assert told["blob-4.json.gz"] == (commands.Check("quet verify blob-4.json.gz"), "quet solve blob n=4")


def test_the_limits_told_are_enough_and_told_only_where_they_are_needed() -> None:
    num_large = 0
    for row in find(None).rows():
        if "minimax" not in row.proof:
            continue
        own, found = claims.of(row.game).claims, commands.check(row)
        cost = own.cost(new_to_solve(row.game, **row.parameters).state) if isinstance(own, claims.Perfect) else None
        options = dict(zip(*[iter(found.command.split()[3:])] * 2, strict=True))
        if cost is not None:
            assert cost[0] <= int(options.get("--time", USUAL.seconds))
            assert cost[1] <= int(options.get("--memory", USUAL.memory >> 20)) << 20
            assert bool(options) == (cost[0] > USUAL.seconds or cost[1] > USUAL.memory)
            num_large += bool(options)
    assert num_large >= 3


def test_a_theorem_about_lowest_scores_is_not_told_of_highest_ones() -> None:
    assert len(theorems.of_size("up-and-up", {"n": 40}, is_lowest=True)) == 1
    assert theorems.of_size("up-and-up", {"n": 40}, is_lowest=False) == []
