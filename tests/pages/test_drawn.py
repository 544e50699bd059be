"""Which widgets a browser has: what a run that was cut short drew is not taken for what is there."""

from contextlib import suppress

from pages.shared.drawn import Drawn


class Cut(Exception):
    """Another run has begun."""


def test_a_widget_of_a_run_that_was_cut_short_is_new_once_a_whole_one_was_without_it():
    drawn = Drawn()
    with drawn.drawing():
        assert drawn.is_new("variant")
    with suppress(Cut), drawn.drawing():
        assert not drawn.is_new("variant")
        raise Cut  # a click that adopts, while the name is taken in
    with drawn.drawing():
        assert drawn.is_new("name")  # adopted: nothing is tried
    with drawn.drawing():  # taken back
        assert drawn.is_new("variant")
        assert not drawn.is_new("name")


def test_what_a_run_that_was_cut_short_told_was_not_heard():
    drawn = Drawn()
    with suppress(Cut), drawn.drawing():
        at = drawn.draw()
        raise Cut
    with drawn.drawing():
        assert drawn.draw() == at
        assert not drawn.came_whole(at)
    with drawn.drawing():
        assert drawn.came_whole(at)


def test_a_part_within_a_page_is_heard_with_the_page_and_gone_where_the_page_is_without_it():
    drawn = Drawn()

    def part(cut=None):
        with drawn.drawing("bench"):
            new = drawn.is_new("row")
            if cut:
                raise cut
        return new

    with suppress(Cut), drawn.drawing():
        assert part()
        raise Cut
    with drawn.drawing():
        assert part(), "the page around it was not heard"
    assert not part(), "alone"
    with suppress(Cut):
        part(Cut)
    assert not part()
    with drawn.drawing():
        assert drawn.is_new("row"), "of the page, not of its part"
    assert part(), "the page was drawn without it"
