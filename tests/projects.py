"""Project files as the program wrote them before there was a Review: they still have to open."""

import json

from disclosure_core.counting.settings import Settings
from disclosure_core.review.project import Project


def settings_file(settings: Settings, files: dict[str, str]) -> str:
    """Return the text of a settings file that names its data: SHA-256 by name."""
    return json.dumps(json.loads(settings.to_json()) | {"files": files}, ensure_ascii=False, indent=1)


def project_file(project: Project) -> str:
    """Return the text of a project file; a program that reads settings finds them in it."""
    plain = {"confidential": "Confidential."} | json.loads(settings_file(project.settings, dict(project.files)))
    plain |= {
        "project": 1,
        "scenarios": [{"name": s.name, "exclusions": s.exclusions.to_plain()} for s in project.scenarios],
        "reasons": dict(project.reasons),
        "about": dict(project.about),
        "missing_codes": {name: list(codes) for name, codes in project.missing_codes.items()},
        "mends": {name: list(kinds) for name, kinds in project.mends.items()},
        "assumptions": dict(project.assumptions),
    }
    return json.dumps(plain, ensure_ascii=False, indent=1)
