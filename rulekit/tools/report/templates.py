"""Rendering of the templates in `rulekit/templates/` (Jinja): plain values go in, the text of a page comes out.

A template of HTML or SVG escapes whatever it is given, so that no text of a
game, a book or a command line can become a tag.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from rulekit import library
from rulekit.tools.language.translation import Tongue

if TYPE_CHECKING:
    import jinja2

_MARKUP = ("html.j2", "svg.j2")
"""Endings of templates that escape."""


def rendered(name: str, tongue: Tongue, **values: object) -> str:
    """The text that a template makes of values, in a language.

    name:   of the template; by its ending it is known what the text is.
    values: what the template names; it may also say phrases of the engine and write numbers.  Its own words stand in it
            as `_("…")` (gettext), where `tools/language/engine_extraction` finds them.
    """
    return str(_environment(tongue).get_template(name).render(values))


@lru_cache(maxsize=16)
def _environment(tongue: Tongue) -> jinja2.Environment:
    """The templates in a language, each compiled once: a page at a table is made many times."""
    # Only whoever makes a page waits for it.
    import jinja2

    made = jinja2.Environment(
        loader=jinja2.FunctionLoader(library.template),
        autoescape=jinja2.select_autoescape(_MARKUP),
        undefined=jinja2.StrictUndefined,
        keep_trailing_newline=True,
    )

    def number(value: float) -> str:
        return tongue.with_separators(f"{value:,.2f}" if isinstance(value, float) else f"{value:,}")

    made.globals.update(language=tongue.language, say=tongue.say, count=tongue.count, number=number)
    made.globals.update({"_": tongue.gettext, "ngettext": tongue.ngettext, "pgettext": tongue.pgettext})
    return made
