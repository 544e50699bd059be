"""What a value is: one rule for every format and every engine.

Two records have the same level where a person would say that they hold the same value, however it was stored:

- **Floats** are the shortest decimal that reads back as them in their own width: 1.1 in 16, 32 and 64 bits is 1.1. Of
  64 bits at most 15 significant digits count, as in R, so that 0.1 + 0.2 and 0.3 are one level; but never fewer than
  all digits before the point: whole numbers are whole. Where every 64-bit float of a file is a 32-bit one (Stata's, a
  network's, widened on the way), each stands for the 32-bit one's decimal, unless the long decimals are in another file
  too; that is said.
- **Whole numbers and decimals** are exact, of any length; 12.50 is 12.5. Where one file holds such numbers that no
  float can hold, and another holds floats, they are compared digit by digit and that is said: no levels are merged.
- **True and false** are one value each in all spellings (`TRUE`, `True`, `true`, a stored boolean, also beside missing
  values). T and F count where nothing else stands beside them and some file says it in full. A text column with other
  texts stays text, where no file holds booleans; where one does, only the spellings of true and false become those.
- **Moments** are instants, to the last digit given and in any unit; a day is its midnight. In two zones they meet as
  instants and are shown in the first file's zone. A moment without a zone is compared by what the clock shows, and that
  is said. Times of day and durations are their length; periods of a day or less are the moment they begin at, longer
  ones their text (2024Q1).
- **Categories and dictionaries** are their values: a category of whole numbers is a number.
- **Texts** are themselves, to the last space. Numbers against texts meet as texts, and that is said. What a text file
  holds is typed before it comes here (`readers/_types.py`): a column becomes a number only if every text of it is one.
- Missing is None, NaN, NaT and null, and nothing else. 1 and True in one column are two levels.

Bytes, lists and records in cells are no answers of a person, and refused.
"""

from disclosure_core.data.values._against import Placed, against, odd_cells, value_text
from disclosure_core.data.values._coding import distinct, rising
from disclosure_core.data.values._levels import joint_levels
from disclosure_core.data.values._numbers import in_units, plain_floats, roomy, same_number, texts
from disclosure_core.data.values._sides import side_of, text_of
from disclosure_core.data.values._times import SECOND, clock_times, zone_name
from disclosure_core.data.values._types import Kind, Levels, Note, Side, Sort

__all__ = [
    "SECOND",
    "Kind",
    "Levels",
    "Note",
    "Placed",
    "Side",
    "Sort",
    "against",
    "clock_times",
    "distinct",
    "in_units",
    "joint_levels",
    "odd_cells",
    "plain_floats",
    "rising",
    "roomy",
    "same_number",
    "side_of",
    "text_of",
    "texts",
    "value_text",
    "zone_name",
]
