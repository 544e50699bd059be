"""Whom DiSCO counts is decided in one place: what it answers, and that all who ask it count the same people."""

from itertools import combinations

import pytest
from hypothesis import given

from disclosure_core import attribute_baseline, count, partition
from disclosure_core.counting.nodes import KeyNodes
from disclosure_core.counting.target_nodes import TargetNodes
from tests.core.test_baseline import with_holdout
from tests.core.test_every_figure import KEYS, TARGETS, exclusions_of, frame
from tests.reference import plainly


@pytest.mark.slow
@given(with_holdout())
def test_members_and_people_outside_are_the_same_wherever_they_are_asked_about(case):
    """By cells, beside a holdout, and at the nodes of subsets: as many people as the plain counter finds."""
    training, synthetic, holdout, (settings, out, *_) = case
    keys = [name for name in KEYS if name in settings.keys]
    joined = partition(frame(training), frame(holdout), [frame(side) for side in synthetic])
    if not hasattr(joined, "joint"):
        return
    data = plainly.data(training, synthetic, holdout)
    beside = attribute_baseline(joined, settings).figures.query("measure == 'DiSCO' and synthesis > 0")
    tables = count(joined.joint, settings)
    nodes = KeyNodes.of_subsets(tables.keys, joined.n_syntheses)
    for name in TARGETS:
        excluded = exclusions_of(out, name)
        counted = [cells.counted(settings.exclusions.of(name)) for cells in tables.targets[name][:-1]]
        members, others = zip(*plainly.right(plainly.target(data, keys, name, excluded)), strict=True)
        by_cells = [100 * c.d[c.disclosed].sum() / len(training) for c in counted]
        assert by_cells == pytest.approx(members, abs=1e-9)
        rows = beside[beside["target"] == name]
        assert rows["members"].tolist() == pytest.approx(members, abs=1e-9)
        assert rows["non_members"].tolist() == pytest.approx(others, abs=1e-9)
        target = TargetNodes(nodes, tables.targets[name], settings.exclusions.of(name))
        for known in [some for n in range(1, len(keys) + 1) for some in combinations(range(len(keys)), n)]:
            at = nodes.merged(tuple(int(k not in known) for k in range(len(keys))))
            asked = plainly.target(data, [keys[k] for k in known], name, excluded)
            for people, n, i in ((target.members, len(training), 0), (target.outside, len(holdout), 1)):
                right = [100 * each / n for each in target.learnt(at, people).each]
                assert right == pytest.approx([row[i] for row in plainly.right(asked)], abs=1e-9), known
