"""Two people and a bot, in pages of their own, play whole matches of every game by pressing what is offered."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests import paths
from tests.browser.conftest import NewPerson
from tests.browser.people import play
from tests.browser.serving import served
from tests.extras import needs

pytestmark = needs("browser")


@pytest.mark.parametrize("name", sorted(path.stem for path in paths.GAMES.glob("*.rules")))
def test_two_people_and_a_bot_play_to_the_end(name: str, person: NewPerson, tmp_path: Path) -> None:
    game = str(paths.GAMES / f"{name}.rules")
    with served(tmp_path, [game]) as server:
        one, other, watching = server.begun(game, "human", "human", "random", seed="w")
        wide, narrow, spectator = person(), person(viewport={"width": 390, "height": 800}), person()
        people = [wide.sit(one), narrow.sit(other)]
        spectator.sit(watching)
        assert play(people) > 5
        spectator.page.wait_for_selector(".result")
        for each in (*people, spectator):
            assert each.refused == 0
            assert {address for address in each.called if not address.startswith(server.address)} == set()
