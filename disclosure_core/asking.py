"""What one asks with, as a model of pydantic: apart from `parameters`, since counting does without pydantic."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict


class Parameters(BaseModel):
    """What one asks with: widgets, options and the saved review are made of its fields."""

    model_config = ConfigDict(frozen=True, extra="forbid", arbitrary_types_allowed=True)
