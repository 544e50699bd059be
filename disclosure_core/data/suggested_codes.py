"""Numbers that probably stand for "no answer": by their label, or by their shape at the edge of a column.

A suggestion is rare and says why; nobody's numbers are changed for it. A code of several digits clear of all other
values needs two records, one of one or two digits `OFTEN`, one with a label that says so a single one.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from numbers import Real
from typing import TYPE_CHECKING

import numpy as np

from disclosure_core.arrays import Floats
from disclosure_core.data.values import Kind
from disclosure_core.errors import DisclosureError
from disclosure_core.rounding import quantity

if TYPE_CHECKING:
    from disclosure_core.data.column import Variable

OFTEN = 5
"""A number of one or two digits in fewer records than this is not suggested as a missing code."""

_SHAPE = re.compile(r"(7+|8+|9+|9+[78])")
"""Digits of the numbers that surveys use for "no answer": 7, 98, 999, 9997, 999998; 99.9 where there are decimals."""

_SIXES = re.compile(r"6+")
"""The same below one of these: 66, 77, 88 and 99."""

_PHRASES = (
    "no answer|no response|no reply|no information|not answered|not stated|not given|not reported|not specified|"
    "not available|not applicable|not asked|not ascertained|not known|not determined|not sure|inapplicable|"
    "does not apply|do not know|does not know|don t know|doesn t know|dont know|didn t know|did not know|cannot say|"
    "can t say|unknown|unspecified|undetermined|refused|refusal|refuses to|refuse to|prefer not|prefers not|"
    "declined to|not in universe|item non ?response|non ?response|system missing|user missing|"
    # German, Dutch
    "keine angaben?|ohne angabe|nicht angegeben|keine antwort|antwort verweigert|angabe verweigert|verweigert|"
    "weiss nicht|weiss es nicht|weiss ich nicht|trifft nicht zu|nicht zutreffend|entfallt|nicht erhoben|nicht gefragt|"
    "nicht beantwortet|nicht feststellbar|nicht ermittelbar|unbekannt|fehlender wert|interviewabbruch|"
    "weet niet|weet het niet|weet ik niet|geen antwoord|geen opgave|weigert|weigering|geweigerd|wil niet zeggen|"
    "niet van toepassing|niet ingevuld|niet bekend|onbekend|ontbrekend|"
    # French, Italian
    "ne sait pas|ne sais pas|ne veut pas|ne souhaite pas|ne se prononce pas|refus|sans reponse|non reponse|"
    "pas de reponse|sans objet|non concerne|non renseigne|non precise|non declare|non applicable|inconnue?|"
    "valeur manquante|donnee manquante|non sa|non so|non risponde|nessuna risposta|mancata risposta|rifiuta|rifiuto|"
    "non applicabile|non pertinente|non disponibile|non indicato|non dichiarato|sconosciuto|"
    # Spanish, Portuguese, Romanian
    "no sabe|no contesta|no responde|sin respuesta|sin dato|sin datos|sin informacion|no aplica|no aplicable|"
    "no procede|no consta|no especificado|no declarado|se niega|rehusa|desconocido|valor perdido|nao sabe|"
    "nao responde|nao respondeu|sem resposta|sem informacao|sem declaracao|recusou|nao se aplica|nao aplicavel|"
    "desconhecido|nu stie|nu raspunde|fara raspuns|nu se aplica|refuza|"
    # Scandinavian, Finnish, Estonian, Hungarian, Turkish
    "vet ikke|vet inte|vet ej|ved ikke|vil ikke svare|onsker ikke|vill inte svara|vill ej svara|inget svar|ej svar|"
    "uoppgitt|ikke oppgitt|ubesvart|ubesvaret|ikke besvart|uoplyst|uppgift saknas|ej tillampligt|ikke relevant|nekter|"
    "vagrar|ei tieda|ei osaa sanoa|en osaa sanoa|ei vastausta|kieltaytyi|ei koske|tuntematon|ei tea|keeldus|vastamata|"
    "nem tudja|nem tudom|nem valaszolt?|nincs valasz|nincs adat|bilmiyor|cevap yok|cevap vermedi|"
    # Slavic, Lithuanian, Latvian
    "nie wiem|trudno powiedziec|odmowa|brak odpowiedzi|brak danych|nie dotyczy|nieznane|nevi|nevim|bez odpovedi|"
    "neuvedeno|neuvedene|nezjisteno|nezistene|netyka se|netyka sa|nevie|neviem|ne zna|ne znam|ne ve|bez odgovora|"
    "brez odgovora|odbio|odbija|zavrnil|nepoznato|neznano|не знаю|не знает|отказ|нет ответа|без ответа|неизвестно|"
    "nezino|nezinau|neatsake|atsisake|nav zinams"
)
_STEMS = (
    "odmit|затрудня|отказал|δεν γνωρ|δεν ξερ|δεν απαντ|αρνη|neatbild|atteic|megtagad|"
    "不知道|不清楚|拒绝|拒答|不适用|无回答|未回答|無回答|わからない|非該当|不明|모름|무응답|해당"
)
_WHOLE = (
    "missing|invalid|implausible|skipped|refuse|declined|no data|manquant|mancante|fehlt|fehlend|saknas|perdido|"
    "ignorado|puuttuu"
)
_SAYS = re.compile(
    rf"({_PHRASES})\b|({unicodedata.normalize('NFKD', _STEMS)})|({_WHOLE})( (value|values|data|answer|response|case))?$"
)
_WORDS_IN_SHORT = (
    "dk|na|n a|nr|nk|ref|rf|ns|nc|ns nc|ns nr|dk na|dk nr|dk ref|dk refused|nsp|nspp|nrp|ka|k a|tnz|t n z|wn|nvt|"
    "n v t|nd|n d|s o|s d|kn"
)
_SHORT = frozenset(_WORDS_IN_SHORT.split("|"))
"""Labels that are such words in short; nothing else may stand beside them."""


@dataclass(frozen=True, slots=True)
class MissingCode:
    """A number that may stand for "no answer": in which column, in how many original records, and why."""

    column: str
    value: str
    count: int
    reason: str

    @property
    def undeclared(self) -> str:
        """What is asked about before it is changed like any other number."""
        return (
            f"{self.value} stands in {quantity(self.count, 'original record')} of {self.column!r} and looks like a "
            f"code for “no answer” ({self.reason}), but is not declared as one."
        )

    @property
    def grouped(self) -> str:
        """What is said where it was put into a group all the same."""
        return (
            f"{self.column!r} is grouped with {self.value} as a number like any other; it stands in "
            f"{quantity(self.count, 'original record')} and looks like a code for “no answer” ({self.reason}). Say "
            "whether it is one: the figures are others then."
        )


def suggested_codes(column: Variable, labels: Mapping[str, str] | None = None) -> tuple[MissingCode, ...]:
    """Return the numbers of a column that may stand for "no answer", smallest first.

    Looked at are the values of the original, and the `labels` that files or a codebook give to some of them. By its
    shape a number is suggested that stands apart from the others, or is negative where no other value is.
    """
    if column.kind is not Kind.NUMBER or column.n_levels < 2:
        return ()
    counts = column.counts[0, : column.n_levels]
    present = np.flatnonzero(counts)
    values, counts = column.values[present].astype(float), counts[present]
    reasons = _by_label(column, present, labels or {})
    if len(values) > 2:
        for i, reason in _by_shape(values):
            digits = len(re.sub(r"\D", "", f"{values[i]:.15g}"))
            if counts[i] >= (2 if digits > 2 else OFTEN):
                reasons.setdefault(i, reason)
    if len(reasons) == len(values):  # nothing would be left to be a number
        return ()
    return tuple(
        MissingCode(column.name, f"{values[i]:.15g}", int(counts[i]), reason) for i, reason in sorted(reasons.items())
    )


@lru_cache(maxsize=4096)
def says_no_answer(label: str) -> bool:
    """Return whether a label is a word for "no answer" in one of many languages: “[98] Don't know”, “keine Angabe”."""
    letters = unicodedata.normalize("NFKD", label.casefold())
    plain = "".join(c for c in letters if not unicodedata.combining(c))
    words = re.sub(r"[\W_]+", " ", plain).strip()
    words = re.sub(r"^-?\d+ | -?\d+$", "", words).strip()  # the code beside its label
    if words in _SHORT:
        return True
    return _SAYS.match(words) is not None


def _by_label(column: Variable, present: Iterable[int], labels: Mapping[str, str]) -> dict[int, str]:
    """Return, by place among the values that are present, what is said of those whose label says "no answer"."""
    if not labels:
        return {}
    found = {}
    for i, code in enumerate(present):
        label = labels.get(f"{float(column.values[code]):.15g}")
        if label is not None and says_no_answer(label):
            found[i] = f"its label is “{label}”"
    return found


def _by_shape(values: Floats) -> list[tuple[int, str]]:
    """Return places of rising values that look like codes, each with the reason."""
    texts = [f"{value:.15g}" for value in (*values[:_EDGE], *values[-_EDGE:])]
    at = {**dict(enumerate(texts[:_EDGE])), **{len(values) - 1 - i: t for i, t in enumerate(reversed(texts[-_EDGE:]))}}
    low = 0
    while low < len(values) - 1 and low in at and _is_low(at[low]):
        low += 1
    while low and values[low - 1] > -10 and _are_answers(values):
        low -= 1
    rest = values[low:]
    candidates = [
        (i, "negative, as only such codes are" if rest[0] >= 0 else f"{rest[0] - values[i]:.15g} below the next value")
        for i in range(low)
        if rest[0] >= 0 or (len(at[i]) > 2 and _clear(-rest[::-1], -values[i]))
    ]
    high = len(values)
    while high - 1 > low and high - 1 in at and _is_high(at[high - 1], below=high < len(values)):
        high -= 1
    # The answers themselves may end in 7, 8 or 9: codes begin where a value stands clear of all below it.
    first = next((i for i in range(high, len(values)) if i > low and _clear(values[low:i], values[i])), len(values))
    below = range(first, len(values))
    return [*candidates, *((i, f"{values[i] - values[first - 1]:.15g} above the next value") for i in below)]


def shaped_as_codes(values: Floats) -> Floats:
    """Return those of rising numbers that look like codes for "no answer"; none where nothing else would be left."""
    found = [i for i, _ in _by_shape(values)] if len(values) > 2 else []
    return values[found if len(found) < len(values) else []]


def _are_answers(values: Floats) -> bool:
    """Whether -1 to -9 are answers: about 0 they mirror the others (-2 … 2), or none of many is left out (-6 … -1)."""
    below, above = {*(-values[(values < 0) & (values > -10)])}, {*values[values > 0]}
    if len(below) < 2 or 0 not in values:
        return False
    return len(below & above) >= _ALIKE * len(below | above) or (len(below) >= _RUN and max(below) == len(below))


_ALIKE, _RUN = 0.8, 6
"""So much of both sides of 0 is alike, or so many whole numbers follow each other below it."""

_EDGE = 16
"""So many values at each end may be codes."""


def _digits(text: str) -> str:
    return text.lstrip("-").replace(".", "", 1)


def is_code(text: str) -> bool:
    """Return whether a number has the shape of a code, wherever it stands."""
    return _is_low(text) or _is_high(text, below=False)


def _is_low(text: str) -> bool:
    return text.startswith("-") and bool(_SHAPE.fullmatch(_digits(text)) or re.fullmatch(r"-[1-9]", text))


def _is_high(text: str, *, below: bool) -> bool:
    """Whether a number has the shape of a code; `below` says whether it stands below one."""
    return bool(_SHAPE.fullmatch(text.replace(".", "", 1)) or (below and _SIXES.fullmatch(text)))


def _clear(below: Floats, value: float) -> bool:
    """Whether `value` stands apart from the rising values `below` it."""
    gap = float(value - below[-1])
    if gap <= max(5.0, 0.1 * float(below[-1] - below[0])):  # at once: the median is dear where columns are thousands
        return False
    return gap > 5 * (float(np.median(np.diff(below))) if below.size > 1 else 1.0)


def codes_by_column(given: Mapping[str, float | str | Iterable[float | str]]) -> dict[str, tuple[float | str, ...]]:
    """Return missing codes by column; one alone is taken as such.

    Raises
    ------
    DisclosureError
        When it is no mapping, or a code is no number.
    """
    if not isinstance(given, Mapping):
        raise DisclosureError("Give the missing codes as a mapping from a column's name to its codes.")
    found = {}
    for name, codes in given.items():
        found[name] = tuple(codes) if isinstance(codes, Iterable) and not isinstance(codes, str) else (codes,)
        for code in found[name]:
            if isinstance(code, bool) or not isinstance(code, Real | str):
                raise DisclosureError(f"A missing code of {name!r} is a number, such as -8; correct {code!r}.")
    return found
