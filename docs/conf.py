"""How the documentation is built: `sphinx-build -W --keep-going -n -b html docs build/site`.

The pages are the Markdown files beside this one, which read as well without being built; the Python reference is made
from the docstrings. What is built needs no other machine, neither to build nor to open.
"""

import ast
import re
import sys
from contextlib import chdir
from importlib import import_module
from pathlib import Path
from typing import ClassVar

import matplotlib as mpl
from docutils import nodes
from docutils.parsers.rst import Directive

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

# The core's annotations name things that only a type checker imports: once all of it is there, each module is given
# those names, too, so that the annotations become links.
ROOMS = [
    path
    for path in sorted((ROOT / "disclosure_core").rglob("*.py"))
    if path.stem != "__main__" and not {"cli", "engines"} & set(path.relative_to(ROOT).parts)  # they need more
]
MODULES = {
    path: import_module(".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"))
    for path in ROOMS
}
for path, module in MODULES.items():
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.If) and getattr(node.test, "id", "") == "TYPE_CHECKING":
            exec(compile(ast.Module(node.body, []), str(path), "exec"), vars(module))  # noqa: S102 (our own)

mpl.use("agg")  # the gallery's figures need no window

project = "Disclosure"
author = "the Disclosure developers"
version = release = import_module("disclosure_core.version").__version__
language = "en"
html_title = "Disclosure"

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
exclude_patterns = ["pictures"]
nitpicky = True

# Markdown: `file.md#some-heading` is a link, as on a Git host.
myst_heading_anchors = 3

# Docstrings: numpy's form, with a section of our own for the source; `x` is code.
default_role = "literal"
napoleon_google_docstring = False
napoleon_custom_sections = ["Source", ("Attributes", "params_style")]
napoleon_attr_annotations = False  # the signature has the types
napoleon_use_param = False
napoleon_use_rtype = False
add_module_names = False
autodoc_member_order = "bysource"
autodoc_typehints_format = "short"
autodoc_class_signature = "mixed"
autodoc_inherit_docstrings = False
python_maximum_signature_line_length = 88
python_use_unqualified_type_names = True
# Types of other packages have no page here, and none is fetched. A name of ours that has none is an error.
nitpick_ignore_regex = [
    ("py:class", r".*\.V_co|.*suggestions\.Table|.*review\.data\.S|.*answers\.Level"),  # type variables
    ("py:class", r"(.*\.)?review\.inputs\.Inputs"),  # what a declared result reads: CONTRIBUTING says how
    ("py:class", r"AnyTable|Codes|Node"),  # aliases: their definitions say what they stand for
    ("py:class", r"Ints|Counts|Floats|Mask|Indices"),  # arrays, by what they hold
    ("py:class", r"(.*\.)?(DuckDB|Engine|Table)(Study|Joined)"),  # engines have no page: they need more than the core
    ("py:.*", r"(collections|decimal|fractions|matplotlib|np|npt|numpy|pandas|pathlib|pd|pyarrow|pydantic)\..+"),
    ("py:.*", r".*~types\.Annotated\[.+"),  # what pydantic is told of a type
]

html_theme = "furo"
html_logo = html_favicon = "../assets/logo.svg"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_show_sourcelink = False
html_copy_source = False
html_show_copyright = False
html_theme_options = {
    "top_of_page_buttons": [],
    # The colours of the app (.streamlit/config.toml).
    "light_css_variables": {
        "color-brand-primary": "#17648F",
        "color-brand-content": "#17648F",
        "color-brand-visited": "#17648F",
        "color-foreground-primary": "#101922",
        "color-background-secondary": "#F4F6F8",
        "color-background-border": "#D5DCE3",
    },
    "dark_css_variables": {
        "color-brand-primary": "#7CC0EE",
        "color-brand-content": "#7CC0EE",
        "color-brand-visited": "#7CC0EE",
        "color-foreground-primary": "#E6EBF0",
        "color-background-primary": "#12181F",
        "color-background-secondary": "#0D1319",
        "color-background-border": "#33414F",
    },
}


def docstring(app, what, name, obj, options, lines):  # noqa: ARG001, D103 (what autodoc calls)
    # Of a property, "Shape (n,): what it holds" is a sentence to us and a type with its description to napoleon, unless
    # a colon stands before it.
    if what in ("attribute", "data", "property") and lines:
        lines[0] = f": {lines[0]}"
    lines[:] = [re.sub(r"measures\.md \d+(\.\d+)?", r":doc:`\g<0> </measures>`", line) for line in lines]


def signature(app, what, name, obj, options, given, returned):  # noqa: ARG001, D103 (what autodoc calls)
    def plain(text: str | None) -> str | None:
        # A default that a dataclass makes anew is written <factory>, which is no Python; any array's shape is `Any`s.
        text = text and text.replace("<factory>", "...")
        array = r"~numpy\.ndarray\[tuple\[~typing\.Any, \.\.\.\], ~numpy\.dtype\[([\w.~]+(\[~typing\.Any\])?)\]\]"
        return text and re.sub(array, r"~numpy.ndarray[\1]", text)

    return plain(given), plain(returned)


def whole_figures(app, doctree, page):  # noqa: ARG001, D103 (what Sphinx calls)
    # A figure and its unit stay on one line.
    for text in list(doctree.findall(nodes.Text)):
        if not isinstance(text.parent, nodes.literal | nodes.literal_block):
            text.parent.replace(text, nodes.Text(re.sub(r"(?<=\d) (?=%|points)", "\N{NO-BREAK SPACE}", text)))


class Drawn(Directive):
    """Lines of Python that write a figure: the lines, and the figure. The first block of the page goes before all."""

    has_content = True
    names: ClassVar[dict[str, dict]] = {}

    def run(self):  # noqa: D102 (what Sphinx calls)
        env = self.state.document.settings.env
        page = ROOT / "docs" / f"{env.docname}.md"
        code = "\n".join(self.content)
        folder = ROOT / "docs" / "_drawn"
        folder.mkdir(exist_ok=True)
        with chdir(folder):
            if env.docname not in self.names:
                self.names[env.docname] = {}
                first = re.search(r"```python\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)[1]
                exec(first, self.names[env.docname])  # noqa: S102 (our own)
            exec(code, self.names[env.docname])  # noqa: S102
        (name,) = re.findall(r'"(\w+\.svg)"', code)
        written = nodes.literal_block(code, code, language="python")
        return [written, nodes.image(uri=f"_drawn/{name}", alt=f"The figure that these lines draw: {name}")]


def modules(app, page, source):  # noqa: ARG001, D103 (what Sphinx calls)
    # ```{modules} lists modules of the core; each is written with all its members.
    def written(block: re.Match) -> str:
        each = [f".. automodule:: disclosure_core.{name}\n   :members:\n" for name in block[1].split()]
        return "\n".join(["```{eval-rst}", *each, "```"])

    source[0] = re.sub(r"```\{modules\}\n(.*?)```", written, source[0], flags=re.DOTALL)


def setup(app):  # noqa: D103 (what Sphinx calls)
    app.add_directive("drawn", Drawn)
    app.connect("source-read", modules)
    app.connect("doctree-resolved", whole_figures)
    app.connect("autodoc-process-docstring", docstring, priority=400)  # before napoleon
    app.connect("autodoc-process-signature", signature)
