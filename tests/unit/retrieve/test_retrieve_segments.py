"""Segments are the stretches worth reading: they bridge weak chunks, end in deserts, and never lose a lone good chunk."""

import pytest

from pincite.retrieve.segments import PRESETS, Preset, Scored, segments, segments_of

PLAIN = Preset(chunk_length_adjustment=False)
NOTHING = Scored(None, 0.0, 700)


def hit(rank, score=1.0, chars=700):
    return Scored(rank, score, chars)


def ranges(found):
    return [(s.document, s.first, s.last) for s in found]


def test_a_weak_chunk_between_good_ones_is_bridged():
    assert ranges(segments({"a": [hit(1), NOTHING, hit(2)]}, PLAIN)) == [("a", 0, 2)]


def test_a_desert_parts_two_segments():
    row = [hit(1), *[NOTHING] * 8, hit(2)]
    assert ranges(segments({"a": row}, PLAIN)) == [("a", 0, 0), ("a", 9, 9)]


def test_segments_begin_and_end_with_a_hit():
    for found in segments({"a": [NOTHING, hit(1), NOTHING, hit(2), NOTHING]}, PLAIN):
        assert (found.first, found.last) == (1, 3)


def test_a_lone_chunk_below_the_minimum_is_still_returned():
    assert ranges(segments({"a": [NOTHING, hit(1, 0.4, 120), NOTHING]}, Preset())) == [("a", 1, 1)]


def test_no_hits_no_segments():
    assert segments({"a": [NOTHING]}, PLAIN) == []


def test_no_segment_is_longer_than_allowed_and_none_overlap():
    found = segments({"a": [hit(n + 1) for n in range(40)]}, PLAIN)
    assert all(s.last - s.first < PLAIN.max_length for s in found)
    assert sum(s.last - s.first + 1 for s in found) <= PLAIN.overall_max_length
    taken = [k for s in found for k in range(s.first, s.last + 1)]
    assert len(taken) == len(set(taken))


def taken(found):
    return [(s.document, k) for some in found for s in some for k in range(s.first, s.last + 1)]


@pytest.mark.parametrize(("questions", "chunks"), [(1, 30), (2, 35), (3, 40), (5, 50)])
def test_each_further_question_lengthens_the_whole_by_five_chunks(questions, chunks):
    rows = [{"a": [hit(n % 10 + 1) for n in range(100)]}] * questions
    assert len(taken(segments_of(rows, Preset(chunk_length_adjustment=False)))) == chunks


def test_find_all_is_not_lengthened():
    rows = [{"a": [hit(1) for _ in range(500)]}] * 3
    assert len(taken(segments_of(rows, PRESETS["find_all"]))) == 200


def test_questions_take_turns_and_share_no_chunk():
    loud, faint = {"a": [hit(1) for _ in range(60)]}, {"a": [NOTHING] * 60, "b": [hit(3, 0.9), hit(4, 0.9)]}
    first, second = segments_of([loud, faint], PLAIN)
    assert ranges(second) == [("b", 0, 1)]
    assert len(taken([first, second])) == len(set(taken([first, second])))


def test_a_question_without_a_segment_keeps_its_best_chunk():
    _, second = segments_of([{"a": [hit(1)]}, {"b": [hit(1, 0.3)]}], PLAIN)
    assert ranges(second) == [("b", 0, 0)]


@pytest.mark.parametrize(("name", "least"), [("balanced", 0.5), ("precision", 0.7), ("find_all", 0.4)])
def test_presets_are_the_published_ones(name, least):
    assert PRESETS[name].minimum_value == least
