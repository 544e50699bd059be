r"""Letters as LaTeX prints them, by pdfLaTeX too: T1 has Latin ones, Greek and signs are mathematics.

Letters of other scripts stay as they are: LuaLaTeX and XeLaTeX print them in a font that has them (`other_scripts`).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import cache

from disclosure_core.rounding import printable


def _table(pairs: str) -> dict[str, str]:
    words = pairs.split()
    return dict(zip(words[::2], words[1::2], strict=True))


_TEXT = _table(r"""
    & \&  % \%  $ \$  # \#  _ \_  { \{  } \}  ~ \textasciitilde{}  ^ \textasciicircum{}  < \textless{}
    > \textgreater{}  | \textbar{}  ` \textasciigrave{}  [ {[}  ] {]}  … \dots{}  · \textperiodcentered{}  – --
    — ---  ‘ `  ’ '  “ \textquotedblleft{}  ” \textquotedblright{}  € \texteuro{}  £ \pounds{}  § \S{}  ¶ \P{}
    • \textbullet{}  † \dag{}  ‡ \ddag{}  ° \textdegree{}  © \textcopyright{}  ® \textregistered{}
    ™ \texttrademark{}  № \textnumero{}  ‰ \textperthousand{}  ¢ \textcent{}  ¥ \textyen{}  ‐ -  ĸ {k}  ẞ {SS}
""") | {
    "\\": r"\textbackslash{}",
    '"': r"\char34{}",
    "\N{NO-BREAK SPACE}": "~",
    "\N{NON-BREAKING HYPHEN}": "-",
    "\N{SOFT HYPHEN}": "",
}

_SIGNS = {
    **_table(r"""
        − -  × \times  ÷ \div  ± \pm  ∓ \mp  ≤ \leq  ≥ \geq  ≠ \neq  ≈ \approx  ≡ \equiv  ∼ \sim  ∝ \propto  ≪ \ll
        ≫ \gg  → \to  ← \leftarrow  ↔ \leftrightarrow  ↑ \uparrow  ↓ \downarrow  ⇒ \Rightarrow  ⇔ \Leftrightarrow
        ∞ \infty  ∑ \sum  ∏ \prod  √ \surd  ∂ \partial  ∫ \int  ∈ \in  ∉ \notin  ∪ \cup  ∩ \cap  ⊂ \subset
        ⊆ \subseteq  ∅ \emptyset  ∧ \wedge  ∨ \vee  ¬ \neg  ∀ \forall  ∃ \exists  · \cdot  ⋅ \cdot  ∘ \circ
        ′ \prime  ″ \prime\prime  ℓ \ell  ℝ \mathrm{R}  ¼ \frac{1}{4}  ½ \frac{1}{2}  ¾ \frac{3}{4}  ⟨ \langle
        ⟩ \rangle  ◇ \diamond  △ \triangle  ○ \circ  ● \bullet  ∗ \ast  ★ \star  ⁻ ^{-}  ⁺ ^{+}  ⁿ ^{n}
        ª ^{\mathrm{a}}  º ^{\mathrm{o}}  µ \mu
    """),
    **{c: f"^{{{i}}}" for i, c in enumerate("⁰¹²³⁴⁵⁶⁷⁸⁹")},
    **{c: f"_{{{i}}}" for i, c in enumerate("₀₁₂₃₄₅₆₇₈₉")},
}

_GREEK = _table("""
    α alpha  β beta  γ gamma  δ delta  ε varepsilon  ζ zeta  η eta  θ theta  ι iota  κ kappa  λ lambda  μ mu  ν nu
    ξ xi  π pi  ρ rho  σ sigma  τ tau  υ upsilon  φ varphi  χ chi  ψ psi  ω omega  ς varsigma  ϑ vartheta  ϕ phi
    ϖ varpi  ϱ varrho  Γ Gamma  Δ Delta  Θ Theta  Λ Lambda  Ξ Xi  Π Pi  Σ Sigma  Υ Upsilon  Φ Phi  Ψ Psi  Ω Omega
""")
_LIKE_LATIN = dict(zip("οΑΒΕΖΗΙΚΜΝΟΡΤΧ", "oABEZHIKMNOPTX", strict=True))

_MARKS = {
    "\u0300": "`",
    "\u0301": "'",
    "\u0302": "^",
    "\u0303": "~",
    "\u0304": "=",
    "\u0306": "u",
    "\u0307": ".",
    "\u0308": '"',
    "\u030a": "r",
    "\u030b": "H",
    "\u030c": "v",
    "\u0323": "d",
    "\u0327": "c",
    "\u0328": "k",
    "\u0331": "b",
    "\u0326": "c",
}
_MARKS_OF_GREEK = {"\u0301": r"\acute", "\u0308": r"\ddot", "\u0300": r"\grave"}

_T1 = (
    "ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖØÙÚÛÜÝÞßàáâãäåæçèéêëìíîïðñòóôõöøùúûüýþÿĀāĂăĄąĆćĈĉĊċČčĎďĐđĒēĔĕĖėĘęĚěĜĝĞğĠġĢģĤĥĨĩĪīĬĭĮįİıĲĳ"
    "ĴĵĶķĹĺĻļĽľŁłŃńŅņŇňŊŋŌōŎŏŐőŒœŔŕŖŗŘřŚśŜŝŞşŠšŢţŤťŨũŪūŬŭŮůŰűŲųŴŵŶŷŸŹźŻżŽž¡¿«»‹›„‚"
)
"""Letters of the encoding T1 that pdfLaTeX prints as they are."""

_LIGATURES = re.compile(r"(?<=-)(?=-)|(?<=')(?=')|(?<=,)(?=,)|(?<=[?!])(?=`)")
_BLANKS = re.compile(r"(?<=^) | (?=$)|(?<= ) ")


def escaped(text: str) -> str:
    """Return a text that LaTeX prints as it is."""
    composed = unicodedata.normalize("NFC", printable(text))
    written = "".join(_written(c) for c in _LIGATURES.sub("\0", composed)).replace("\0", "{}")
    written = f"{{*}}{written[1:]}" if written.startswith("*") else written
    return _BLANKS.sub(r"\\ ", written)


@cache
def _written(letter: str) -> str:
    if letter in _TEXT:
        return _TEXT[letter]
    if letter in _SIGNS:
        return f"${_SIGNS[letter]}$"
    if letter.isascii() or letter in _T1:
        return letter
    if letter in _LIKE_LATIN:
        return _LIKE_LATIN[letter]
    if letter in _GREEK:
        return rf"$\{_GREEK[letter]}$"
    base, *marks = list(unicodedata.normalize("NFD", letter))
    if marks and base in _GREEK and set(marks) <= _MARKS_OF_GREEK.keys():
        inner = rf"\{_GREEK[base]}"
        for mark in marks:
            inner = f"{_MARKS_OF_GREEK[mark]}{{{inner}}}"
        return f"${inner}$"
    base = _LIKE_LATIN.get(base, base)
    if marks and base.isascii() and base.isalpha() and set(marks) <= _MARKS.keys():
        inner = {"i": r"\i", "j": r"\j"}.get(base, base) if any(m not in _BELOW for m in marks) else base
        for mark in sorted(marks, key=lambda m: m not in _BELOW):
            inner = rf"\{_MARKS[mark]}{{{inner}}}"
        return inner
    return letter


_BELOW = {"\u0323", "\u0327", "\u0328", "\u0331", "\u0326"}


def other_scripts(texts: Iterable[str]) -> list[str]:
    """Return the scripts, as Unicode calls them, of letters that pdfLaTeX does not print: "Cyrillic", "Cjk"."""
    letters = {c for text in texts for c in unicodedata.normalize("NFC", printable(text)) if not _written(c).isascii()}
    letters -= set(_T1)
    return sorted({unicodedata.name(c, "a sign without a name").split(" ")[0].capitalize() for c in letters})
