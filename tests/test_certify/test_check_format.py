"""Every example of the format document has the verdict that its heading states."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from certify import check

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "certify" / "FORMAT.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"^```json (.+)\n((?:.*\n)*?)```$", PAGE, re.MULTILINE)
BASE: dict[str, Any] = json.loads(EXAMPLES[0][1])


@pytest.mark.parametrize(("stated", "text"), EXAMPLES, ids=[f"{k}-{head}" for k, (head, _) in enumerate(EXAMPLES)])
def test_example_has_the_stated_verdict(stated: str, text: str) -> None:
    """An example of the page, put over the first one, gets the verdict, and fails first by the rule, stated."""
    merged = {**BASE, **json.loads(text)}
    verdict = check.check_document({key: value for key, value in merged.items() if value is not None})
    word, *failure = stated.split()
    assert verdict.verdict == word, str(verdict)
    if failure == ["assumed", "-"]:
        assert verdict.assumed
        assert not verdict.failed
    elif failure:
        assert [verdict.failed[0].rule, verdict.failed[0].place] == failure


def test_every_rule_has_an_accepted_and_a_rejected_example() -> None:
    """The page has a section for each rule and kind of goal, with an example of either verdict."""
    sections = PAGE.split("\n## ")[1:]
    rules = ("C0", "C1", "C2", "C3", "C4", "C5", "C6", "C7", "C8", "C9", "C9-drift", "C9-backlog", "C9-game", "C10")
    for rule in (*rules, "Ratio"):
        section = next(one for one in sections if re.match(rf"{rule}(:|\n)", one))
        assert "```json accepted" in section
        assert f"```json rejected {rule if rule != 'Ratio' else 'ratio'} " in section
    assert set(check.RULES) <= {one.split(":")[0] for one in sections}
    assert all(f'"claim": "{claim}"' in PAGE for claim in check.CLAIMS)
