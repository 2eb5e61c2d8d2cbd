"""The shipped token estimate against counts of two published byte-pair vocabularies, taken once and written down here."""

# ruff: noqa: E501

import pytest

from pincite.tokens import estimate

SAMPLES = {
    "prose": (
        "A snapshot is never changed once it has been written. When the page behind it moves on, the next capture makes a new snapshot, and both can be read side by side. Footnotes keep pointing at the bytes they were checked against, so a reader who opens one after three years still finds the sentence that was quoted. Deleting a source hides its pages from search at once; what has been cited stays readable until somebody asks for a purge.",
        90,
        89,
    ),
    "markdown": (
        "## Setting a time-out\n\nPass `timeout_s` to the policy:\n\n| option | default | meaning |\n|---|---|---|\n| `timeout_s` | 30.0 | seconds for one page |\n| `delay_s` | 0.25 | pause between two requests |\n\n- **Slow hosts** are asked again later.\n- See [the guide](guide.html#limits) for the rest.\n\n```python\npolicy = Policy(timeout_s=5.0, delay_s=1)\n```\n",
        106,
        106,
    ),
    "python": (
        'class Ledger:\n    """Keeps amounts by account."""\n\n    def __init__(self, opening: dict[str, int] | None = None) -> None:\n        self._amounts = dict(opening or {})\n\n    def transfer(self, source: str, target: str, cents: int) -> None:\n        if cents <= 0 or self._amounts.get(source, 0) < cents:\n            raise ValueError(f"can\'t move {cents} from {source!r}")\n        self._amounts[source] -= cents\n        self._amounts[target] = self._amounts.get(target, 0) + cents\n',
        134,
        133,
    ),
    "c": (
        "static int ring_push(struct ring *r, const uint8_t *data, size_t len)\n{\n\tif (len > RING_SIZE - r->used)\n\t\treturn -ENOSPC;\n\tfor (size_t i = 0; i < len; i++)\n\t\tr->buf[(r->head + i) % RING_SIZE] = data[i];\n\tr->head = (r->head + len) % RING_SIZE;\n\tr->used += len;\n\treturn 0;\n}\n",
        102,
        102,
    ),
    "chinese": (
        "快照一旦写入就不再改变。页面以后更新时，系统会生成新的快照，旧的快照仍然可以查看。每条脚注都指向核对过的原文，因此多年以后打开脚注，读者依然能找到当时引用的句子。删除来源之后，搜索结果里不会再出现它的页面；已经被引用的内容会一直保留，直到有人要求彻底清除。",
        97,
        137,
    ),
    "japanese": (
        "スナップショットは一度書き込まれると変更されません。ページが更新されると新しいスナップショットが作られ、古いものも引き続き読むことができます。脚注は確認済みの原文を指しているため、何年も後に開いても、引用された文を見つけることができます。設定を変えるには、構成ファイルの該当する行を編集してください。",
        105,
        152,
    ),
    "korean": (
        "스냅샷은 한 번 기록되면 바뀌지 않습니다. 페이지가 바뀌면 새 스냅샷이 만들어지고 이전 것도 계속 읽을 수 있습니다. 각주는 확인된 원문을 가리키므로 몇 년 뒤에 열어도 인용된 문장을 찾을 수 있습니다. 설정을 바꾸려면 구성 파일의 해당 줄을 고치십시오.",
        84,
        126,
    ),
    "russian": (
        "Снимок страницы после записи не меняется. Когда страница обновляется, создаётся новый снимок, а старый по-прежнему можно прочитать. Каждая сноска указывает на проверенный текст, поэтому и через несколько лет читатель найдёт процитированное предложение.",
        60,
        99,
    ),
}
"""name: (text, tokens in o200k_base, tokens in cl100k_base)"""

BOUND = 0.2


@pytest.mark.parametrize(("text", "newer", "older"), SAMPLES.values(), ids=SAMPLES)
def test_estimate_is_within_a_fifth_of_real_vocabularies(text, newer, older):
    assert (1 - BOUND) * min(newer, older) <= estimate(text) <= (1 + BOUND) * max(newer, older)


def test_estimate_over_all_samples_is_within_a_tenth_of_the_middle():
    middle = sum((newer + older) / 2 for _, newer, older in SAMPLES.values())
    assert abs(sum(estimate(text) for text, _, _ in SAMPLES.values()) - middle) <= 0.1 * middle


def test_nothing_costs_nothing():
    assert estimate("") == 0
    assert estimate("x") == 1
