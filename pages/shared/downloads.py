"""What leaves the page, and a review that comes back: files are made when their button is pressed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from disclosure_core.review import saved
from disclosure_core.review.carry import carry_over

if TYPE_CHECKING:
    from collections.abc import Callable

    from pages.shared.session import Session

MIME = {
    "pdf": "application/pdf",
    "svg": "image/svg+xml",
    "png": "image/png",
    "html": "text/html",
    "csv": "text/csv",
    "parquet": "application/vnd.apache.parquet",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "json": "application/json",
    "py": "text/x-python",
    "R": "text/plain",
    "zip": "application/zip",
}
ANY = "application/octet-stream"
"""What a file of another ending is: one in the format that the original came in, such as SPSS."""


def offer(label: str, name: str, made: Callable[[], bytes], *, primary: bool = False) -> None:
    """Show a download button; the file is made only when it is pressed."""
    st.download_button(
        label, made, file_name=name, mime=MIME.get(name.rpartition(".")[2], ANY), on_click="ignore",
        type="primary" if primary else "secondary", icon=":material/download:", key=f"report.get.{name}.{label}",
    )  # fmt: skip


def saved_before(s: Session, page: str) -> None:
    """Take up a review, settings or scenarios that were saved before, on the data that are open."""
    given = st.file_uploader("A review saved before", type=["json"], key=f"{page}.settings")

    def take() -> None:
        if given is not None:
            with s.telling():
                review, differences = carry_over(saved.from_json(given.getvalue().decode("utf-8", "replace")), s.now)
                s.change(review)
                s.messages += ("The saved review is in use.", *differences)

    st.button("Use this review", disabled=given is None, on_click=take, key=f"{page}.use")
