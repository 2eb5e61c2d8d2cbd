"""In: quotes that are right in spite of how they look, and wrong ones that look right. Out: what the ladder says of each.

The pages are ours; the kinds are those of CITATIONS.md.
"""

from __future__ import annotations

import pytest

from pincite.cite.haystack import Haystack, Haystacks
from pincite.cite.locate import locate
from pincite.cite.reach import Reach
from pincite.cite.verify import verify_quotes
from pincite.types import Document

PROSE = """# Vault storage

The vault writes each entry to disk before it answers, so that a crash never loses an entry that was confirmed. Entries are kept
for 30 days by default; older ones are removed at 02:00.

Deleting an entry is allowed for every member, but only when the vault is unlocked. Members who are not owners cannot rename a vault.

## Limits

A vault holds at most 5,000 entries. When the limit is reached, the oldest entry must be archived by hand. The **archive** command
accepts `--max-age` and [a pattern](patterns.html) that selects entries.

You should not store passwords in plain text. It is never safe to share the master key with guests, and the server will refuse
keys shorter than 16 bytes.

If the disk is full, new entries are rejected with status 507. Unless replication is enabled, a lost disk means lost entries.

The cache is read-only for guests. Timeouts are given in seconds; a timeout of 2.5 seconds is enough for most networks, while 25
seconds suits satellite links.

Set `vault.retry_limit` to stop retrying early. The value may be negative, which means that the client retries forever.

Backups run every night. Backups run every night. Restoring a backup overwrites the vault without asking.

The “quick start” guide — written for beginners — explains how a vault’s key is rotated.
"""

CODE = """# Client

Open a vault with the context manager:

```python
with Vault("notes.db", timeout=30) as vault:
    vault.put("k", "v")
    if vault.size() >= 100:
        vault.compact(force=False)
```

The signature is `connect(host, *, port=7070, retries=3, verify=True)`, and **all** arguments after the host are keywords.

```sh
vaultctl sync --dry-run --limit 50 && vaultctl verify
```
"""

TABLE = """# Settings

| Name | Default | Meaning |
|---|---|---|
| pool_size | 5 | Connections that are kept open |
| pool_timeout | 30 | Seconds to wait for a free connection |
| echo | false | Log every statement |
"""

CHINESE = """# 缓存

默认情况下，缓存会在写入后保留 24 小时。管理员可以随时清空缓存，但必须先停止同步任务。

不要在生产环境中关闭校验功能。启用压缩后，磁盘占用大约减少一半。

如果磁盘已满，新的条目将被拒绝。普通成员不能重命名保险库。
"""

JAPANESE = """# 設定

キャッシュは書き込みから24時間保持されます。管理者はいつでもキャッシュを消去できます。

本番環境では検証を無効にしないでください。圧縮を有効にすると、ディスク使用量が約半分になります。
"""

OTHER = """# Replication

Replicas answer reads while the primary is down. A replica that lags more than 60 seconds leaves the pool.
"""

TEXTS = {"prose": PROSE, "code": CODE, "table": TABLE, "zh": CHINESE, "ja": JAPANESE}

RIGHT = [
    ("prose", "A vault holds at most 5,000 entries.", "verbatim"),
    ("prose", "A vault holds at most 5,000 entries", "without its final stop"),
    ("prose", "a vault holds at most 5,000 entries.", "first letter lower"),
    ("prose", 'The "quick start" guide - written for beginners - explains how a vault\'s key is rotated.', "straight quotes and dashes"),
    ("prose", "The “quick start” guide – written for beginners – explains how a vault's key is rotated.", "mixed quotes, short dashes"),
    ("prose", "The archive command accepts --max-age and a pattern that selects entries.", "marks and link stripped"),
    ("prose", "The **archive** command accepts `--max-age` and [a pattern](patterns.html) that selects entries.", "marks and link kept"),
    ("prose", "The *archive* command accepts `--max-age` and a pattern that selects entries.", "other marks"),
    ("prose", "Entries are kept for 30 days\nby default; older ones\nare removed at 02:00.", "line breaks"),
    ("prose", "Entries  are kept for 30 days by default;\u00a0older ones are removed at 02:00.", "odd spaces"),
    ("prose", "A vault holds at m\u200bost 5,000 entr\u00adies.", "invisible characters"),
    ("prose", "The vault writes each entry to disk ... so that a crash never loses an entry that was confirmed.", "an honest ellipsis"),
    ("prose", "The vault writes each entry to disk […] never loses an entry that was confirmed.", "a bracketed ellipsis"),
    ("prose", "Backups run every night.", "a repeated passage"),
    ("prose", "a timeout of 2.5 seconds is enough for most networks", "a clause"),
    ("prose", "The cache is read-only for guests.", "a compound"),
    ("prose", "Deleting an entry is allowed for every member, but only when the vault is unlocked.", "a condition kept"),
    ("prose", "If the disk is full, new entries are rejected with status 507.", "a leading condition kept"),
    ("prose", "You should not store passwords in plain text.", "a negation kept"),
    ("prose", "Set vault.retry_limit to stop retrying early.", "an identifier without its marks"),
    ("prose", "The value may be negative, which means that the client retries forever.", "a relative clause"),
    ("prose", "Members who are not owners cannot rename a vault", "negations kept, no stop"),
    ("prose", "“You should not store passwords in plain text.”", "in quotation marks of its own"),
    ("prose", "Set `vault.retry_limit` to stop retrying early. The value may be negative", "over a sentence end"),
    ("code", "connect(host, *, port=7070, retries=3, verify=True)", "a signature"),
    ("code", "The signature is connect(host, *, port=7070, retries=3, verify=True)", "a signature in its sentence"),
    ("code", 'with Vault("notes.db", timeout=30) as vault:\n    vault.put("k", "v")', "two lines of code"),
    ("code", 'with Vault("notes.db", timeout=30) as vault: vault.put("k", "v")', "two lines of code on one"),
    ("code", "if vault.size() >= 100:\n    vault.compact(force=False)", "code with less indentation"),
    ("code", "vaultctl sync --dry-run --limit 50 && vaultctl verify", "a command"),
    ("code", "and all arguments after the host are keywords", "bold stripped"),
    ("table", "| pool_timeout | 30 | Seconds to wait for a free connection |", "a row"),
    ("table", "pool_timeout | 30 | Seconds to wait for a free connection", "a row without its edges"),
    ("table", "Seconds to wait for a free connection", "a cell"),
    ("zh", "默认情况下，缓存会在写入后保留 24 小时。", "verbatim"),
    ("zh", "默认情况下,缓存会在写入后保留24小时", "other widths and spaces"),
    ("zh", "不要在生产环境中关闭校验功能。", "a negation kept"),
    ("zh", "启用压缩后，磁盘占用\n大约减少一半。", "a line break"),
    ("ja", "キャッシュは書き込みから２４時間保持されます。", "full-width digits"),
    ("ja", "圧縮を有効にすると、ディスク使用量が約半分になります", "no stop"),
]

WRONG = [
    ("prose", "A vault holds at most 50,000 entries.", "absent", "a number"),
    ("prose", "Entries are kept for 31 days by default; older ones are removed at 02:00.", "absent", "one digit"),
    ("prose", "a timeout of 25 seconds is enough for most networks", "absent", "a decimal point dropped"),
    ("prose", "The vault writes each entry to memory before it answers, so that a crash never loses an entry.", "absent", "one word"),
    ("prose", "the newest entry must be archived by hand", "absent", "one word, the other way round"),
    ("prose", "the oldest entry may be archived by hand", "operator_changed", "a modal"),
    ("prose", "You should store passwords in plain text.", "operator_changed", "a dropped not"),
    ("prose", "The cache is not read-only for guests.", "operator_changed", "an added not"),
    ("prose", "It is always safe to share the master key with guests", "operator_changed", "never turned always"),
    ("prose", "Members who are owners cannot rename a vault.", "operator_changed", "a dropped not in a clause"),
    ("prose", "A vault holds at least 5,000 entries.", "operator_changed", "most and least"),
    ("prose", "Deleting an entry is allowed for every member", "truncated_condition", "a condition cut off"),
    ("prose", "new entries are rejected with status 507", "truncated_condition", "a leading condition cut off"),
    ("prose", "a lost disk means lost entries", "truncated_condition", "unless cut off"),
    ("prose", "store passwords in plain text", "truncated_condition", "should not cut off"),
    ("prose", "safe to share the master key with guests", "truncated_condition", "never cut off"),
    ("prose", "You should ... store passwords in plain text.", "ellipsis_hides", "dots over not"),
    ("prose", "It is … safe to share the master key with guests", "ellipsis_hides", "dots over never"),
    ("prose", "Deleting an entry is allowed for every member … when the vault is unlocked.", "ellipsis_hides", "dots over but only"),
    ("prose", "A vault holds at most 5,000 entries. Timeouts are given in seconds", "spliced", "two sentences joined"),
    ("prose", "The vault writes each entry to disk ... are removed at 02:00.", "spliced", "two sentences under dots"),
    ("prose", "The oldest entry must be archived before the vault is unlocked.", "absent", "pieces of three sentences"),
    ("prose", "Set vault.retry_count to stop retrying early.", "absent", "an identifier"),
    ("prose", "The archive command accepts --min-age and a pattern", "absent", "a flag"),
    ("prose", "only for guests. Timeouts are given in seconds", "absent", "a compound cut in two"),
    ("prose", "A vault holds at most 5,000 shared entries.", "absent", "an added word"),
    ("prose", "Vaults are encrypted with AES-256 by default.", "absent", "invented"),
    ("prose", "Replicas answer reads while the primary is down.", "found_elsewhere", "right words, another page"),
    ("prose", "holds at", "absent", "too short"),
    ("code", "connect(host, *, port=7071, retries=3, verify=True)", "absent", "a default in a signature"),
    ("code", "connect(host, *, port=7070, retries=3, verify=False)", "absent", "a boolean in a signature"),
    ("code", "if vault.size() > 100:\n        vault.compact(force=False)", "operator_changed", "an operator"),
    ("code", "if vault.size() <= 100:", "operator_changed", "an operator turned round"),
    ("code", 'with vault("notes.db", timeout=30) as Vault:', "absent", "case in code"),
    ("code", "vaultctl sync --dry-run --limit 50 || vaultctl verify", "operator_changed", "and turned or"),
    ("code", "vault.compact(force=True)", "absent", "a boolean in code"),
    ("table", "| pool_timeout | 5 | Seconds to wait for a free connection |", "absent", "a cell of another row"),
    ("table", "pool_size | 30 | Connections that are kept open", "absent", "a value of another row"),
    ("zh", "默认情况下，缓存会在写入后保留 48 小时。", "absent", "a number"),
    ("zh", "要在生产环境中关闭校验功能。", "truncated_condition", "a negation cut off"),
    ("zh", "普通成员能重命名保险库。", "operator_changed", "a dropped 不"),
    ("zh", "管理员可以随时清空缓存", "truncated_condition", "a condition cut off"),
    ("zh", "新的条目将被拒绝。", "truncated_condition", "如果 cut off"),
    ("zh", "启用压缩后，磁盘占用大约增加一半。", "absent", "one word"),
    ("ja", "本番環境では検証を無効にしてください。", "operator_changed", "a dropped negation"),
    ("ja", "キャッシュは書き込みから48時間保持されます。", "absent", "a number"),
    ("ja", "管理者はいつでもキャッシュを消去できません。", "operator_changed", "an added negation"),
]


@pytest.mark.parametrize(("where", "quote", "why"), RIGHT, ids=[f"{w}: {y}" for w, _, y in RIGHT])
def test_a_faithful_quote_is_accepted_and_printed_from_the_page(page, where: str, quote: str, why: str) -> None:
    document: Document = page(TEXTS[where])
    located = locate(quote, Haystack(document))
    assert located.accepted, located
    assert located.verdict in ("exact", "punctuation_only")
    assert located.span is not None
    assert located.span.of(document.text) in document.text


@pytest.mark.parametrize(("where", "quote", "verdict", "why"), WRONG, ids=[f"{w}: {y}" for w, _, _, y in WRONG])
def test_a_false_quote_is_refused_with_its_verdict(page, where: str, quote: str, verdict: str, why: str) -> None:
    document, other = page(TEXTS[where]), page(OTHER, url="https://docs.example.org/other.html")
    reach = Reach(lambda source, path: (document,), lambda words: (document, other), lambda id: None)
    (check,) = verify_quotes([{"id": "q", "quote": quote, "path": "page.html"}], reach)
    assert not check.accepted, check
    assert check.status == "unverified"
    assert check.verdict == verdict, check


def test_the_suite_holds_at_least_sixty_quotes_over_prose_code_tables_and_han() -> None:
    assert len(RIGHT) + len(WRONG) >= 60
    assert {w for w, *_ in RIGHT} == {w for w, *_ in WRONG} == set(TEXTS)


NEAR = [
    ("Entries are kept for 30 days by defalt; older ones are removed at 02:00.", "a letter dropped"),
    ("The vault writes each entry to disk before it anwsers, so that a crash never loses an entry that was confirmed.", "letters swapped"),
    ("When limit is reached, the oldest entry must be archived by hand.", "an article dropped"),
]


@pytest.mark.parametrize(("quote", "why"), NEAR, ids=[y for _, y in NEAR])
def test_a_typing_error_is_located_and_never_passed(page, quote: str, why: str) -> None:
    located = locate(quote, Haystack(page(PROSE)))
    assert located.status == "near"
    assert not located.accepted
    assert located.span is not None


def test_a_repeated_passage_says_how_often_it_stands_there(page) -> None:
    assert locate("Backups run every night.", Haystack(page(PROSE))).occurrences == 2


@pytest.mark.parametrize(
    ("quote", "holds"),
    [
        ("__init__ is called first, then _open.", True),
        ("is called first, then _open", True),
        ("__init__ is called first", True),
        ("init is called first, then _open.", False),
        ("_init_ is called first, then _open.", False),
        ("__init__ is called first, then open.", False),
    ],
)
def test_a_name_at_the_edge_of_a_quote_keeps_its_underscores(page, quote: str, holds: bool) -> None:
    document = page("# Calls\n\n`__init__` is called first, then `_open`.\n")
    located = locate(quote, Haystack(document))
    assert located.accepted is holds, located


@pytest.mark.parametrize("separator", ["\u2028", "\u2029", " \u2028 "], ids=["line", "paragraph", "line among spaces"])
def test_a_separator_of_lines_is_white_space(page, separator: str) -> None:
    assert locate(f"A vault holds at most{separator}5,000 entries.", Haystack(page(PROSE))).accepted
    assert locate("Small boats are exempt.", Haystack(page(f"# Fees\n\nSmall{separator}boats are exempt.\n"))).accepted


def test_a_document_is_folded_once_for_many_quotes(page) -> None:
    kept, document = Haystacks(), page(PROSE)
    assert kept.of(document) is kept.of(document)
