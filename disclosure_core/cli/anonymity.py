"""`disclosure anonymity`: who shares keys with how many."""

from __future__ import annotations

from typing import Any

import click

from disclosure_core.cli import declared, inputs, outputs
from disclosure_core.cli.manual import Manual


@click.command(
    cls=Manual,
    short_help="Count who shares keys with how many.",
    epilog="Example: disclosure anonymity people.csv release.csv --keys sex,age,region --k 5",
)
@declared.files
@click.option("--k", type=click.IntRange(2), default=5, show_default=True, help="Records that should share their keys.")
@outputs.table_options
def anonymity(**options: Any) -> None:
    """Count k-anonymity and l-diversity: FILES are an original and its syntheses, or a saved review.

    File 0 is the original, 1 and so on are the syntheses.
    """
    from disclosure_core.counting.settings import Exclusions
    from disclosure_core.errors import NotEvaluated
    from disclosure_core.review.population import in_population
    from disclosure_core.sensitivity.anonymity import diversity, profile

    outputs.check(options)
    say = outputs.progress_printer(options)
    opened = inputs.open_data(options, say)
    result, study = opened.printed.assessment(), opened.study()
    classes = profile(study, opened.review.settings, result.keys)
    levels = diversity(study, opened.review.settings, result.tables)
    under = classes.under(options["k"])
    notes = []
    if opened.review.settings.left_out != Exclusions():
        notes.append("Exclusions do not act on k-anonymity and l-diversity: every record is counted.")
    if opened.review.threat_model.population_size is not None:
        unique = classes.population(opened.review.threat_model.population_size)
        notes.append(f"{unique.why} {unique.needs}" if isinstance(unique, NotEvaluated) else str(unique))
        if opened.review.threat_model.source:
            notes.append(f"The population's size is from: {opened.review.threat_model.source}.")
    found = in_population(opened)
    if not isinstance(found, NotEvaluated):
        notes += [str(found), found.assumed]
    tables = {"under_k": under, "classes": classes.sizes, "diversity": levels}
    if not isinstance(found, NotEvaluated):
        tables["in_population"] = found.figures
    one = levels[levels["levels"] == 1]
    printed = {
        f"Classes and records with fewer than {options['k']} records of the same keys; share in % of the file; file 0 "
        "is the original": under,
        "Records whose class holds one level of the target, upto in % of the file; file 0 is the original": one,
    }
    outputs.end(outputs.write_tables(opened, tables, options, say, notes=notes, printed=printed))
