"""Texts and questions are cut into the same terms, whatever their case and punctuation."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.index.analyzer import Analyzer, is_identifier


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("cache", "cache?"),
        ("take_screenshot(", "take_screenshot"),
        ("PROXY", "proxy"),
        ("std::vector<int>", "std.vector int"),
        ("“quoted”", "quoted"),
        ("café", "cafe"),
        ("ＣＡＣＨＥ", "cache"),
        ("`mode`,", "mode"),
        ("running", "runs"),
    ],
)
def test_spellings_of_the_same_word_give_the_same_terms(one, other):
    assert Analyzer().terms(one) == Analyzer().terms(other)


@pytest.mark.parametrize(
    ("word", "parts"),
    [
        ("CacheMode.BYPASS", ["cachemode.bypass", "bypass", "mode"]),
        ("run_coroutine_threadsafe", ["run_coroutine_threadsafe", "run"]),
        ("HTTPServer", ["httpserver", "http", "server"]),
        ("--no-cache-write", ["no.cache.write", "write"]),
        ("base64", ["base64", "base", "64"]),
        ("__init__", ["init"]),
        ("C++", ["c++"]),
        ("robots_cache.db", ["robots_cache.db", "robots_cache", "db"]),
    ],
)
def test_identifiers_count_whole_and_in_parts(word, parts):
    assert set(parts) <= set(Analyzer().terms(word))


@pytest.mark.parametrize("text", ["如何绕过缓存", "キャッシュを無効にするには", "캐시를 무시하려면 어떻게"])
def test_scripts_without_spaces_run_as_pairs(text):
    terms = [t for word in Analyzer().question(text) for t in word.terms]
    assert terms
    assert all(len(term) == 2 for term in terms)


def test_identifiers_in_chinese_text_are_found():
    assert "cachemode.bypass" in Analyzer().terms("请使用CacheMode.BYPASS来绕过缓存。")


@pytest.mark.parametrize("text", ["how do I use the cache", "What is a cache?"])
def test_function_words_are_marked(text):
    content = [word.surface for word in Analyzer().question(text) if not word.stop]
    assert "cache" in content
    assert not {"how", "do", "the", "is", "a", "What"} & set(content)


def test_a_function_word_in_backticks_is_content():
    assert [w.surface for w in Analyzer().question("what does `with` do") if not w.stop] == ["with"]


def test_repeated_words_count_once():
    assert len(Analyzer().question("cache cache CACHE cache?")) == 1


def test_quoted_phrases_are_kept_in_order():
    assert Analyzer().phrases('why "connection reset by peer" and `a_b`') == (("connect", "reset", "by", "peer"), ("a_b", "a", "b"))


@pytest.mark.parametrize("word", ["CacheMode", "a.b", "snake_case", "std::move", "utf8", "TTL", "__all__"])
def test_names_out_of_program_text_are_told_from_words(word):
    assert is_identifier(word)
    assert not is_identifier("cache")


@given(st.text(max_size=200))
def test_any_text_gives_lower_case_terms_without_white_space(text):
    for term in Analyzer().terms(text):
        assert term
        assert not any(c.isspace() for c in term)


@given(st.text(max_size=100))
def test_a_question_finds_the_text_that_it_quotes(text):
    analyzer = Analyzer()
    held = set(analyzer.terms(text))
    assert all(set(word.terms) <= held for word in analyzer.question(text) if word.terms[0].isascii())
