"""Questions of nonsense get no confident hit, whatever the library holds; words that it does not know are named.

Half of each library's questions are of words that it never heard of, half of words that it knows but that never stand together. Hits are
judged by passage.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from pincite import Library
from pincite.settings import Settings

PROSE = {
    "garden/soil.md": """\
# Soil

Good soil holds water and lets roots breathe. Mix compost into clay before you plant.

## Watering

Water the beds early in the morning, twice a week in summer. Wet leaves invite mildew.
""",
    "garden/pruning.md": """\
# Pruning roses

Cut roses back to three buds in early spring. Use sharp shears and clean them with alcohol.

## Climbing roses

Climbing roses flower on old wood, so only thin them out.
""",
    "house/boiler.md": """\
# The boiler

The boiler is serviced each autumn. Bleed the radiators before the first frost.

## Pressure

The gauge should read between one and two bar. Refill through the blue valve when it falls below one.
""",
    "house/doors.md": """\
# Doors and locks

The front door locks by itself after ten minutes. The cellar door needs the brass key.

## Lost keys

Report a lost key to the caretaker within a day; the lock is then changed.
""",
    "office/travel.md": """\
# Travel expenses

Send receipts within thirty days. A trip abroad needs the approval of your manager before you book.

## Daily allowance

The allowance covers meals; hotels are paid apart.
""",
}

CODE = {
    "cache.py": '''\
"""A cache of pages."""


class PageCache:
    """Keeps pages on disk until they expire."""

    def __init__(self, folder: str, max_age: float = 60.0) -> None:
        self.folder = folder
        self.max_age = max_age

    def get(self, url: str) -> bytes | None:
        """Return the page, or None when it is missing or too old."""
        return None

    def evict(self, url: str) -> None:
        """Forget one page."""
''',
    "retry.py": '''\
"""Tries again with growing pauses."""

import time


def backoff(attempt: int, base: float = 0.5, cap: float = 30.0) -> float:
    """Return the seconds to wait before the next attempt."""
    return min(cap, base * 2**attempt)


def retrying(call, attempts: int = 3):
    """Call until it succeeds or the attempts are used up."""
    for attempt in range(attempts):
        try:
            return call()
        except OSError:
            time.sleep(backoff(attempt))
    raise RuntimeError("gave up")
''',
    "tokens.py": '''\
"""Signed tokens."""

import hmac


def sign_token(secret: bytes, subject: str) -> str:
    """Return a token for the subject."""
    return subject + "." + hmac.new(secret, subject.encode(), "sha256").hexdigest()


def verify_token(secret: bytes, token: str) -> str:
    """Return the subject. Raises ValueError for a forged token."""
    subject, _, mac = token.rpartition(".")
    if not hmac.compare_digest(sign_token(secret, subject), token):
        raise ValueError("forged")
    return subject
''',
}

CJK = {
    "缓存.md": """\
# 缓存

页面默认缓存一天。使用 bypass 参数可以绕过缓存，直接读取最新页面。

## 清理

每天凌晨自动清理过期的缓存文件。
""",
    "登录.md": """\
# 登录

用户用邮箱和密码登录。连续输错五次，账户会被锁定十分钟。

## 令牌

登录后得到访问令牌，令牌一小时后过期。
""",
    "設定.md": """\
# 設定

設定ファイルはホームフォルダーに置きます。環境変数で上書きできます。

## ログ

ログの出力先は設定ファイルで変更します。
""",
    "배포.md": """\
# 배포

서버는 매주 월요일에 배포합니다. 배포 전에 백업을 만드세요.
""",
}

PAGES = {"prose": PROSE, "code": CODE, "cjk": CJK, "mixed": {**PROSE, **CODE, **CJK}}

NONSENSE = {
    "cjk": [
        "量子香蕉食谱",
        "独角兽报税指南",
        "区块链千层面固件",
        "如何传送企鹅",
        "ゾルブラックス転送装置",
        "월요일 바나나 요리법",
        "邮箱自动清理ログ 백업",
        "quantum banana 缓存食谱",
        "猫の月曜バックアップ料理",
        "배포 로그 바나나 unicorn",
    ],
    "code": [
        "quantum banana recipe",
        "unicorn tax deduction for dragons",
        "blockchain lasagna firmware",
        "how do I teleport a penguin",
        "Zorblax flux capacitor calibration",
        "forged page pauses on disk",
        "evict the secret subject with backoff",
        "sign the cache folder until attempts expire",
        "PageCache.teleport_banana",
        "seconds of forged disk subject",
    ],
    "mixed": [
        "quantum banana recipe",
        "blockchain lasagna firmware",
        "how do I teleport a penguin",
        "Zorblax flux capacitor calibration",
        "roses evict the forged boiler",
        "sign the compost token in early spring",
        "pruning backoff for hotels and receipts",
        "unicorn 食谱 in PageCache",
        "量子香蕉食谱",
        "caretaker of secret subject radiators",
    ],
    "prose": [
        "quantum banana recipe",
        "unicorn tax deduction for dragons",
        "blockchain lasagna firmware",
        "how do I teleport a penguin",
        "Zorblax flux capacitor calibration",
        "roses approval receipts gauge",
        "brass compost manager allowance mildew",
        "how do I lock compost with the boiler manager",
        "radiators flower abroad in clay receipts",
        "does the caretaker prune hotels with alcohol",
    ],
}

SENSE = {
    "prose": ["When do I cut back roses?", "how often are the beds watered in summer", "Who approves a trip abroad?", "lost key"],
    "code": ["PageCache", "how long to wait before the next attempt", "verify_token forged", "evict a page from the cache"],
    "cjk": ["如何绕过缓存", "账户锁定多久", "ログの出力先", "배포 전에 백업"],
    "mixed": ["When do I cut back roses?", "backoff", "如何绕过缓存", "how much pressure should the boiler have"],
}


@pytest.fixture(scope="module")
def libraries(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[str], Library]]:
    opened: dict[str, Library] = {}

    def of(name: str) -> Library:
        if name not in opened:
            folder = tmp_path_factory.mktemp(name)
            for path, text in PAGES[name].items():
                (folder / "pages" / path).parent.mkdir(parents=True, exist_ok=True)
                (folder / "pages" / path).write_text(text, "utf-8")
            opened[name] = Library(str(folder / "library.db"), settings=Settings(processes=1))
            opened[name].add(str(folder / "pages"))
        return opened[name]

    yield of
    for library in opened.values():
        library.close()


@pytest.mark.parametrize(("name", "question"), [(name, question) for name, some in NONSENSE.items() for question in some])
def test_nonsense_is_never_answered_with_confidence(libraries: Callable[[str], Library], name: str, question: str) -> None:
    assert len(NONSENSE[name]) == 10
    found = libraries(name).search(question, score_ratio=0.0)
    assert found.answerable < 0.5
    assert all(passage.similarity < 0.7 for passage in found)
    text = "\n".join([*PAGES[name], *PAGES[name].values()]).lower()
    strange = [word for word in question.split() if word.isascii() and len(word) > 4 and word.lower()[:4] not in text]
    assert set(strange) <= set(found.unknown_terms), "unknown words are named as they were written"


@pytest.mark.parametrize(("name", "question"), [(name, question) for name, some in SENSE.items() for question in some])
def test_questions_with_an_answer_are_told_from_nonsense(libraries: Callable[[str], Library], name: str, question: str) -> None:
    assert libraries(name).search(question).answerable >= 0.5


@pytest.mark.parametrize("question", ["密码香蕉清理月曜", "凌晨锁定环境变量备份", "设置文件夹香蕉每天"])
def test_a_run_of_characters_is_not_known_by_its_first_pair(libraries: Callable[[str], Library], question: str) -> None:
    found = libraries("cjk").search(question, score_ratio=0.0)
    assert found.answerable < 0.5
    assert all(passage.similarity < 0.5 for passage in found)
    assert found.unknown_terms == (question,)


@pytest.mark.parametrize("question", ["quantum banana recipe", "量子香蕉食谱", "blockchain lasagna"])
@pytest.mark.parametrize("name", PAGES)
def test_words_that_nobody_wrote_find_nothing_and_are_named(libraries: Callable[[str], Library], name: str, question: str) -> None:
    found = libraries(name).search(question, score_ratio=0.0)
    assert found.passages == ()
    assert found.unknown_terms == tuple(question.split())
    answer = libraries(name).ask(question)
    assert answer.abstained
    assert answer.citations == ()


def test_an_unknown_word_alone_is_not_answered_by_words_like_it(tmp_path: Path) -> None:
    (tmp_path / "pages").mkdir()
    (tmp_path / "pages/a.md").write_text("# Servers\n\nStop the server before you delete its folder.\n", "utf-8")
    with Library(str(tmp_path / "library.db")) as library:
        library.add(str(tmp_path / "pages"))
        for unknown in ("terminate", "directory", "terminate directory"):
            found = library.search(unknown, score_ratio=0.0)
            assert (found.passages, found.unknown_terms, found.answerable) == ((), tuple(unknown.split()), 0.0)
        found = library.search("terminate the server")
        assert [p.path for p in found] == ["a.md"], "beside a known word it helps"
        assert found.unknown_terms == (), "and is a word that the library has another for"


def test_a_question_in_chinese_still_finds_a_page_in_english(tmp_path: Path) -> None:
    (tmp_path / "pages").mkdir()
    (tmp_path / "pages/a.md").write_text("# Migration\n\nDeploy the server, then scale it.\n", "utf-8")
    with Library(str(tmp_path / "library.db")) as library:
        library.add(str(tmp_path / "pages"))
        found = library.search("部署", score_ratio=0.0)
        assert [p.path for p in found] == ["a.md"]
        assert found.answerable < 0.5
