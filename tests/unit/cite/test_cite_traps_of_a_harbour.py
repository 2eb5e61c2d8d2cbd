"""In: more faithful and more false quotes, over rules of a harbour, its booking client, its fees and its locks. Out: what the ladder says.

The pages are ours. The kinds: times, dates, ranges, units, signs, separators, versions, swapped arguments, look-alike letters, invisible
characters, items and cells, and quotes whose lead (`only`, `up to`, `it is a mistake to think that`, `You must not:`) or rest is cut off.
"""

from __future__ import annotations

import pytest

from pincite.cite.haystack import Haystack
from pincite.cite.locate import locate
from pincite.cite.reach import Reach
from pincite.cite.verify import verify_quotes

HARBOUR = """# Harbour rules

The harbour closes at 21:30 on weekdays and at 18:00 on Sundays. Ships longer than 120 m need a pilot; ships between 80 m and
120 m may ask for one.

A berth costs 12.50 euros per metre and night. Payments made before 1 March 2026 are reduced by 15 %, later ones by 5 %.

The water temperature must stay above -4 °C. Below -10 °C the locks are not operated, and no refund is given.

Version 3.10.2 of the booking client talks to servers from 2.8 to 3.9; version 3.1 does not.

The harbour master may refuse entry, unless the ship is in distress. Only ships that fly a yellow flag have to wait for the
doctor.

Moor with the bow to the east. The stern line goes from the quay to the ship, never from the ship to the crane.

Neither fishing nor swimming is allowed in the basin. Anchoring is forbidden in the fairway, except in an emergency.

The pump moves 1,500 litres a minute, i.e. about 90,000 litres an hour. A tank of 10⁵ litres is full after roughly an hour.

Every ship reports its draught, its cargo and its crew before it enters. A ship reports again after it has unloaded.

The pilot's hand-
book is kept on the bridge. Co-operation with the coast guard is compulsory.

"Loading" means bringing goods on board; “discharging” means the opposite. See the *tide table* for `port.tide_offset` and
`port.tide_origin`.

It isn't possible to book more than 3 berths at once. All but two of the cranes lift 40 t.

Fees rise by 2% each year. Fees rise by 2% each year. Small boats are exempt.
"""

CLIENT = """# Booking client

```python
def book(ship, *, nights=1, pilot=False):
    if ship.length <= 120 and not pilot:
        return quay.assign(ship, berth=-1)
    return quay.assign(pilot_for(ship), ship)
```

The call `transfer(source, target)` moves a booking; `swap(a, b)` exchanges two. Use `x ** 2` for squares and `a -> b` for
mappings.

```sh
harbour book --nights 3 --no-pilot ship.toml > booking.log
harbour cancel -f 42
```

```sql
SELECT name FROM ships WHERE length >= 80 AND draught < 6 OR flag IS NOT NULL;
```
"""

FEES = """# Fees

| Ship | Fee | Deposit |
|---|---|---|
| barge | 120 | 40 |
| ferry | 310 | 0 |
| yacht | 75 | -5 |

- Pay the fee at the gate.
- Show the receipt to the harbour master.
- Leave the keys on board.

1. Loosen the bow line.
2. Start the engine.
"""

CHINESE = """# 港口规定

港口平日二十一点三十分关闭，周日十八点关闭。长度超过 120 米的船必须有引航员，除非船长持有执照。

泊位费为每米每晚 12.5 欧元。三月一日之前付款可减免 15%，之后只减免 5%。

禁止在航道内抛锚。小船无需付费，但应当登记。
"""

JAPANESE = """# 港の規則

港は平日21時30分に閉まります。長さが120メートルを超える船は水先人が必要です。

航路での停泊は禁止されています。ただし、緊急時を除きます。小型船は登録しなくてもかまいません。
"""

LOCKS = """# Locks

It is a common mistake to think that the locks open at night. It would be wrong to say that the keeper sleeps on board.

It is not yet possible to book a lock by telephone. The upper lock rarely opens before noon. Hardly any ship waits longer
than an hour.

Up to 12 ships fit into the chamber. At most 3 tugs may enter together. Fewer than 5 crews have ever complained about the keeper.

The gates work automatically, however not in winter. The bridge opens for sailing boats given that the wind is weak. The
lamps are lit assuming the mains is up.

The lock is free of charge for residents only. The sluice may be opened by hand (not by guests). Ropes are provided on
condition that they are returned.

The crane used to lift 80 t. Formerly, the towpath was open to riders. The west gate is no longer in use.

You must not:

- Tie a rope to the ladder.
- Start the propeller in the chamber.

Before you leave, do the following:

- Switch off the lamp.
- Return the rope.

It is forbidden to:

- Fish from the gate.
- Swim in the chamber.

The keeper opens the gate unless the signal is red, and closes it if the water rises. The signal is red from 22:00 until 6:00.

The lift carries 40 t on weekdays and 25 t on Sundays. Boats under 8 m pay 5 euros, others 9 euros.

Ships from the north wait at the red buoy and ships from the south wait at the green buoy.

The keeper believes that the old gate is safe. Whether the new gate is safe is unknown. The gate is said to be watertight.

Nobody but the keeper opens the sluice. All ships except tugs pay the toll. Not all ships pay the toll at the gate.

Do not assume that the signal works. Never let the rope touch the water. Without a permit, night passage is refused.

| Ship | Fee | Deposit |
|---|---|---|
| barge | 120 | 40 |
| ferry | 310 | 0 |
"""

CHINESE_LOCKS = """# 船闸

有人误以为船闸夜间开放。船闸尚未支持电话预约。只有持证船员才能操作闸门。

严禁：

- 在闸室内游泳。
- 在闸门上钓鱼。

并非所有船只都要缴费。渡轮几乎从不等待。除拖船外，所有船只都要缴费。
"""

OTHER = """# Airfield

The runway lights stay on until midnight. Gliders land on the grass strip to the north of the tower.
"""

TEXTS = {"prose": HARBOUR, "code": CLIENT, "table": FEES, "zh": CHINESE, "ja": JAPANESE, "locks": LOCKS, "locks-zh": CHINESE_LOCKS}

RIGHT = [
    ("prose", "The harbour closes at 21:30 on weekdays and at 18:00 on Sundays.", "verbatim"),
    ("prose", "The harbour closes at 21:30\xa0on weekdays and\u202fat 18:00 on Sundays", "no-break spaces"),
    (
        "prose",
        "Ships longer than 120\xa0m need a pilot; ships between 80\xa0m and 120\xa0m may ask for one.",
        "units behind no-break spaces",
    ),
    ("prose", "A berth costs 12.50 euros per metre and night.", "a decimal"),
    ("prose", "Payments made before 1 March 2026 are reduced by 15 %, later ones by 5 %.", "a date and shares"),
    ("prose", "The water temperature must stay above −4 °C.", "a minus sign"),
    ("prose", "Below -10 °C the locks are not operated, and no refund is given.", "negative number"),
    ("prose", "Version 3.10.2 of the booking client talks to servers from 2.8 to 3.9", "a version"),
    ("prose", "The harbour master may refuse entry, unless the ship is in distress.", "unless kept"),
    ("prose", "Only ships that fly a yellow flag have to wait for the doctor.", "only kept"),
    ("prose", "The stern line goes from the quay to the ship, never from the ship to the crane.", "never kept"),
    ("prose", "Neither fishing nor swimming is allowed in the basin.", "neither nor"),
    ("prose", "Anchoring is forbidden in the fairway, except in an emergency.", "except kept"),
    ("prose", "The pump moves 1,500 litres a minute, i.e. about 90,000 litres an hour.", "i.e. and thousands"),
    ("prose", "A tank of 10⁵ litres is full after roughly an hour.", "a superscript"),
    ("prose", "The pilot’s hand-\nbook is kept on the bridge.", "hyphen at a line end, as printed"),
    ("prose", '“Loading” means bringing goods on board; "discharging" means the opposite.', "quotes turned round"),
    ("prose", "See the tide table for port.tide_offset and port.tide_origin.", "marks stripped"),
    ("prose", "See the _tide table_ for `port.tide_offset`", "underscores for asterisks"),
    ("prose", "It isn’t possible to book more than 3 berths at once.", "curly apostrophe"),
    ("prose", "All but two of the cranes lift 40 t.", "all but kept"),
    ("prose", "Fees rise by 2% each year.", "repeated"),
    ("prose", "Fees rise by 2 % each year. Small boats are exempt.", "space before per cent"),
    ("prose", "Every ship reports its draught ... before it enters.", "honest dots"),
    ("prose", "The harbour closes at ２１:３０ on weekdays", "full-width digits"),
    ("prose", "Co‑operation with the coast guard is compulsory.", "no-break hyphen"),
    ("prose", "The har\xadbour mas\u200bter may refuse entry, unless the ship is in distress.", "soft hyphen and zero width"),
    ("prose", "Moor with the bow to the east.", "short whole sentence"),
    (
        "prose",
        "Every ship reports its draught, its cargo and its crew before it enters. A ship reports again after it has unloaded.",
        "two sentences",
    ),
    ("code", "if ship.length <= 120 and not pilot:", "a condition"),
    ("code", "def book(ship, *, nights=1, pilot=False):\n    if ship.length <= 120 and not pilot:", "two lines"),
    ("code", "return quay.assign(ship, berth=-1)", "negative default"),
    ("code", "harbour book --nights 3 --no-pilot ship.toml > booking.log", "a redirect"),
    ("code", "harbour cancel -f 42", "a short command"),
    ("code", "SELECT name FROM ships WHERE length >= 80 AND draught < 6 OR flag IS NOT NULL;", "sql"),
    ("code", "The call transfer(source, target) moves a booking; swap(a, b) exchanges two.", "calls in prose"),
    ("code", "The call `transfer(source, target)` moves a booking", "ticks kept"),
    ("table", "| barge | 120 | 40 |", "a row"),
    ("table", "ferry | 310 | 0", "a row without edges"),
    ("table", "Show the receipt to the harbour master.", "an item"),
    ("table", "- Show the receipt to the harbour master.", "an item with its dash"),
    ("table", "Pay the fee at the gate.\nShow the receipt to the harbour master.", "two items without dashes"),
    ("table", "- Pay the fee at the gate.\n- Show the receipt to the harbour master.", "two items with dashes"),
    ("table", "| barge | 120 | 40 |\n| ferry | 310 | 0 |", "two rows"),
    ("zh", "泊位费为每米每晚12.5欧元。", "spaces dropped"),
    ("zh", "三月一日之前付款可减免 15％，之后只减免 5％。", "full-width per cent"),
    ("zh", "禁止在航道内抛锚", "no stop"),
    ("zh", "小船无需付费,但应当登记。", "ASCII comma"),
    ("ja", "港は平日２１時３０分に閉まります。", "full-width digits"),
    ("ja", "航路での停泊は禁止されています。ただし、緊急時を除きます。", "with its exception"),
    ("locks", "Up to 12 ships fit into the chamber.", "as it stands"),
    ("locks", "Hardly any ship waits longer than an hour.", "as it stands"),
    ("locks", "The gates work automatically, however not in winter.", "as it stands"),
    ("locks", "You must not:\n- Tie a rope to the ladder.", "as it stands"),
    ("locks", "Switch off the lamp.", "as it stands"),
    ("locks", "Return the rope.", "as it stands"),
    ("locks", "Switch off the lamp. Return the rope.", "as it stands"),
    ("locks", "It is forbidden to:\n- Fish from the gate.", "as it stands"),
    ("locks", "The lift carries 40 t ... and 25 t on Sundays.", "as it stands"),
    ("locks", "Boats under 8 m pay 5 euros, others 9 euros.", "as it stands"),
    ("locks", "The crane used to lift 80 t.", "as it stands"),
    ("locks", "Not all ships pay the toll at the gate.", "as it stands"),
    ("locks", "| barge | 120 | 40 |", "as it stands"),
    ("locks", "Nobody but the keeper opens the sluice.", "as it stands"),
    ("locks", "Do not assume that the signal works.", "as it stands"),
    ("locks", "The signal is red from 22:00 until 6:00.", "as it stands"),
    ("locks", "It is not yet possible to book a lock by telephone.", "as it stands"),
    ("locks", "The lift carries 40 t on weekdays", "as it stands"),
    ("locks", "closes it if the water rises", "as it stands"),
    ("locks-zh", "船闸尚未支持电话预约。", "as it stands"),
    ("locks-zh", "只有持证船员才能操作闸门。", "as it stands"),
    ("locks-zh", "并非所有船只都要缴费。", "as it stands"),
    ("locks-zh", "除拖船外，所有船只都要缴费。", "as it stands"),
]

WRONG = [
    ("prose", "The harbour closes at 20:30 on weekdays", "absent", "time"),
    ("prose", "The harbour closes at 21:30 on Sundays", "absent", "day swapped"),
    ("prose", "The harbour closes at 18:00 on weekdays and at 21:30 on Sundays.", "absent", "numbers swapped"),
    ("prose", "Ships longer than 120 km need a pilot", "absent", "unit"),
    ("prose", "Ships longer than 210 m need a pilot", "absent", "digits swapped"),
    ("prose", "Ships shorter than 120 m need a pilot", "absent", "comparison"),
    ("prose", "ships between 80 m and 210 m may ask for one", "absent", "range end"),
    ("prose", "ships between 120 m and 80 m may ask for one", "absent", "range turned"),
    ("prose", "A berth costs 1250 euros per metre and night.", "absent", "decimal point dropped"),
    ("prose", "A berth costs 12,50 euros per metre and night.", "absent", "decimal comma"),
    ("prose", "A berth costs 12.5 euros per metre and week.", "absent", "unit of time"),
    ("prose", "Payments made before 3 January 2026 are reduced by 15 %", "absent", "date turned"),
    ("prose", "Payments made before 1 March 2025 are reduced by 15 %", "absent", "year"),
    ("prose", "Payments made after 1 March 2026 are reduced by 15 %", "operator_changed", "before turned after"),
    ("prose", "The water temperature must stay above 4 °C.", "absent", "sign dropped"),
    ("prose", "The water temperature must stay above +4 °C.", "absent", "sign turned"),
    ("prose", "The water temperature must stay below -4 °C.", "operator_changed", "above turned below"),
    ("prose", "Below -10 °C the locks are operated, and no refund is given.", "operator_changed", "not dropped"),
    ("prose", "Below -10 °C the locks are not operated, and refund is given.", "operator_changed", "no dropped"),
    ("prose", "Version 3.1.2 of the booking client talks to servers from 2.8 to 3.9", "absent", "version digit dropped"),
    ("prose", "Version 3.10 of the booking client talks to servers", "absent", "version cut"),
    ("prose", "servers from 2.8 to 3.90", "absent", "version padded"),
    ("prose", "version 3.1 does", "truncated_condition", "a not at the end"),
    ("prose", "The harbour master may refuse entry", "truncated_condition", "unless cut"),
    ("prose", "The harbour master must refuse entry, unless the ship is in distress.", "operator_changed", "modal"),
    ("prose", "The harbour master may refuse entry, if the ship is in distress.", "operator_changed", "unless turned if"),
    ("prose", "ships that fly a yellow flag have to wait for the doctor", "truncated_condition", "only cut"),
    ("prose", "All ships that fly a yellow flag have to wait for the doctor.", "operator_changed", "only turned all"),
    ("prose", "The stern line goes from the ship to the quay", "absent", "arguments swapped"),
    ("prose", "from the ship to the crane", "truncated_condition", "never cut"),
    ("prose", "Fishing and swimming is allowed in the basin.", "operator_changed", "neither nor turned and"),
    ("prose", "swimming is allowed in the basin", "truncated_condition", "neither nor cut"),
    ("prose", "Anchoring is forbidden in the fairway", "truncated_condition", "except cut"),
    ("prose", "Anchoring is forbidden ... in an emergency.", "ellipsis_hides", "dots over except"),
    ("prose", "The locks are ... operated", "ellipsis_hides", "dots over not"),
    ("prose", "The pump moves 1.500 litres a minute", "absent", "thousands point"),
    ("prose", "The pump moves 15,00 litres a minute", "absent", "separator moved"),
    ("prose", "The pump moves 1,500 litres an hour", "absent", "units spliced"),
    ("prose", "about 9,000 litres an hour", "absent", "digit dropped"),
    ("prose", "A tank of 105 litres is full after roughly an hour.", "absent", "superscript flattened"),
    ("prose", "Every ship reports its draught, its crew and its cargo after it enters.", "absent", "before turned after"),
    ("prose", "Every ship reports its cargo before it enters.", "absent", "items dropped"),
    ("prose", "Every ship reports its draught, its cargo and its crew after it has unloaded.", "absent", "two sentences spliced"),
    ("prose", "Every ship reports its draught ... after it has unloaded.", "spliced", "dots over a sentence end"),
    ("prose", "Loading means the opposite", "absent", "spliced halves"),
    ("prose", "“discharging” means bringing goods on board", "absent", "halves swapped"),
    ("prose", "See the tide table for port.tide_origin and port.tide_offset.", "absent", "names swapped"),
    ("prose", "See the tide table for port.tide_offsets", "absent", "name with a letter more"),
    ("prose", "It is possible to book more than 3 berths at once.", "operator_changed", "isn't turned is"),
    ("prose", "possible to book more than 3 berths at once", "truncated_condition", "isn't cut"),
    ("prose", "All of the cranes lift 40 t.", "absent", "all but dropped"),
    ("prose", "All but two of the cranes lift 40 kg.", "absent", "unit"),
    ("prose", "Fees rise by 2% each month.", "absent", "word"),
    ("prose", "Fees rise by 20% each year.", "absent", "digit added"),
    ("prose", "The hаrbour closes at 21:30 on weekdays", "absent", "homoglyph"),
    ("prose", "Ships longer than l20 m need a pilot", "absent", "letter for digit"),
    ("prose", "Ships longer than 12\u200b0\u200b0 m need a pilot", "absent", "zero width between digits"),
    ("prose", "Gliders land on the grass strip to the north of the tower.", "found_elsewhere", "other page"),
    ("prose", "The harbour closes at 21:30 on weekdays, except on holidays.", "absent", "added exception"),
    ("prose", "Small boats are not exempt.", "operator_changed", "added not"),
    ("code", "if ship.length < 120 and not pilot:", "operator_changed", "operator"),
    ("code", "if ship.length <= 120 and pilot:", "operator_changed", "not dropped"),
    ("code", "if ship.length <= 120 or not pilot:", "operator_changed", "and turned or"),
    ("code", "return quay.assign(ship, berth=1)", "absent", "sign dropped"),
    ("code", "def book(ship, nights=1, pilot=False):", "absent", "star dropped"),
    ("code", "def book(ship, *, nights=1, pilot=True):", "absent", "default"),
    ("code", "transfer(target, source)", "absent", "arguments swapped"),
    ("code", "The call transfer(target, source) moves a booking", "absent", "arguments swapped in prose"),
    ("code", "return quay.assign(ship, pilot_for(ship))", "absent", "arguments swapped in code"),
    ("code", "harbour book --nights 3 --pilot ship.toml", "operator_changed", "flag turned"),
    ("code", "harbour book --nights 3 --no-pilot ship.toml >> booking.log", "operator_changed", "redirect changed"),
    ("code", "harbour cancel -F 42", "absent", "case of a flag"),
    ("code", "WHERE length > 80 AND draught < 6", "operator_changed", "operator in sql"),
    ("code", "WHERE length >= 80 OR draught < 6", "operator_changed", "and turned or in sql"),
    ("code", "flag IS NULL;", "operator_changed", "not dropped in sql"),
    ("code", "a <- b for mappings", "operator_changed", "arrow turned"),
    ("code", "Use x * 2 for squares", "operator_changed", "power turned product"),
    ("code", "Use x ^ 2 for squares", "operator_changed", "another sign"),
    ("table", "| barge | 310 | 40 |", "absent", "cell of another row"),
    ("table", "| ferry | 310 | 40 |", "absent", "deposit of another row"),
    ("table", "| yacht | 75 | 5 |", "absent", "sign dropped in a cell"),
    ("table", "barge | 40", "absent", "a cell skipped"),
    ("table", "Pay the fee to the harbour master.", "operator_changed", "items spliced"),
    ("table", "Pay the fee at the gate. Leave the keys on board.", "spliced", "an item skipped"),
    ("table", "Show the receipt at the gate.", "absent", "items crossed"),
    ("table", "Start the engine.\nLoosen the bow line.", "spliced", "order turned"),
    ("zh", "长度超过 120 米的船必须有引航员", "truncated_condition", "除非 cut"),
    ("zh", "长度超过 210 米的船必须有引航员，除非船长持有执照。", "absent", "number"),
    ("zh", "长度不超过 120 米的船必须有引航员，除非船长持有执照。", "operator_changed", "added 不"),
    ("zh", "三月一日之后付款可减免 15%", "absent", "之前 turned 之后"),
    ("zh", "在航道内抛锚。小船无需付费", "truncated_condition", "禁止 cut"),
    ("zh", "允许在航道内抛锚。", "operator_changed", "禁止 turned 允许"),
    ("zh", "小船需付费，但应当登记。", "operator_changed", "无 dropped"),
    ("zh", "小船无需付费", "truncated_condition", "但 cut"),
    ("zh", "港口平日十八点关闭", "spliced", "spliced"),
    ("zh", "港口平日二十点三十分关闭", "absent", "number in words"),
    ("ja", "港は平日22時30分に閉まります。", "absent", "number"),
    ("ja", "航路での停泊は許可されています。", "operator_changed", "word turned"),
    ("ja", "小型船は登録しなくてはなりません。", "absent", "turned"),
    ("ja", "航路での停泊は禁止されています。小型船は登録しなくてもかまいません。", "operator_changed", "sentence skipped"),
    ("ja", "長さが120メートルを超える船は水先人が不要です。", "operator_changed", "必要 turned"),
    ("locks", "the locks open at night", "truncated_condition", "its lead or its rest cut off"),
    ("locks", "the keeper sleeps on board", "truncated_condition", "its lead or its rest cut off"),
    ("locks", "book a lock by telephone", "truncated_condition", "its lead or its rest cut off"),
    ("locks", "possible to book a lock by telephone", "truncated_condition", "its lead or its rest cut off"),
    ("locks", "opens before noon. Hardly", "truncated_condition", "its lead or its rest cut off"),
    ("locks", "any ship waits longer than an hour", "truncated_condition", "its lead or its rest cut off"),
    ("locks", "12 ships fit into the chamber.", "truncated_condition", "its lead or its rest cut off"),
    ("locks", "3 tugs may enter together", "truncated_condition", "its lead or its rest cut off"),
    ("locks", "The gates work automatically", "truncated_condition", "its lead or its rest cut off"),
    ("locks", "The bridge opens for sailing boats", "truncated_condition", "its lead or its rest cut off"),
    ("locks", "The lamps are lit", "truncated_condition", "its lead or its rest cut off"),
    ("locks", "The lock is free of charge for residents", "truncated_condition", "its lead or its rest cut off"),
    ("locks", "The sluice may be opened by hand", "truncated_condition", "its lead or its rest cut off"),
    ("locks", "Ropes are provided", "truncated_condition", "its lead or its rest cut off"),
    ("locks", "The west gate is ... in use", "ellipsis_hides", "its lead or its rest cut off"),
    ("locks", "Tie a rope to the ladder.", "truncated_condition", "its lead or its rest cut off"),
    ("locks", "Start the propeller in the chamber.", "truncated_condition", "its lead or its rest cut off"),
    ("locks", "Fish from the gate.", "truncated_condition", "its lead or its rest cut off"),
    ("locks", "Swim in the chamber.", "truncated_condition", "its lead or its rest cut off"),
    ("locks", "The keeper opens the gate", "truncated_condition", "its lead or its rest cut off"),
    ("locks", "The lift carries ... 25 t on weekdays", "absent", "its lead or its rest cut off"),
    ("locks", "The lift carries 40 t ... on Sundays.", "absent", "its lead or its rest cut off"),
    ("locks", "Boats under 8 m pay ... 9 euros.", "absent", "its lead or its rest cut off"),
    ("locks", "Boats under 8 m pay 5 euros, others 5 euros.", "absent", "its lead or its rest cut off"),
    ("locks", "Ships from the north wait at the ... green buoy.", "absent", "its lead or its rest cut off"),
    ("locks", "Ships from the north ... wait at the green buoy.", "ellipsis_hides", "its lead or its rest cut off"),
    ("locks", "the old gate is safe", "truncated_condition", "its lead or its rest cut off"),
    ("locks", "the new gate is safe", "truncated_condition", "its lead or its rest cut off"),
    ("locks", "All ships ... pay the toll.", "absent", "its lead or its rest cut off"),
    ("locks", "ships pay the toll at the gate", "truncated_condition", "its lead or its rest cut off"),
    ("locks", "all ships pay the toll at the gate", "truncated_condition", "its lead or its rest cut off"),
    ("locks", "the signal works", "truncated_condition", "its lead or its rest cut off"),
    ("locks", "let the rope touch the water", "truncated_condition", "its lead or its rest cut off"),
    ("locks", "night passage is refused", "truncated_condition", "its lead or its rest cut off"),
    ("locks", "| 40 | ferry | 310 |", "absent", "its lead or its rest cut off"),
    ("locks", "40 | ferry", "operator_changed", "its lead or its rest cut off"),
    ("locks", "the keeper opens the sluice", "truncated_condition", "its lead or its rest cut off"),
    ("locks-zh", "船闸夜间开放", "truncated_condition", "its lead cut off"),
    ("locks-zh", "支持电话预约。", "truncated_condition", "its lead cut off"),
    ("locks-zh", "持证船员才能操作闸门。", "truncated_condition", "its lead cut off"),
    ("locks-zh", "在闸室内游泳。", "truncated_condition", "its lead cut off"),
    ("locks-zh", "在闸门上钓鱼。", "truncated_condition", "its lead cut off"),
    ("locks-zh", "所有船只都要缴费。渡轮", "truncated_condition", "its lead cut off"),
    ("locks-zh", "所有船只都要缴费", "truncated_condition", "its lead cut off"),
    ("locks-zh", "从不等待", "absent", "its lead cut off"),
    ("locks-zh", "船闸已支持电话预约。", "operator_changed", "its lead cut off"),
]


@pytest.mark.parametrize(("where", "quote", "why"), RIGHT, ids=[f"{w}: {y}: {q[:24]!a}" for w, q, y in RIGHT])
def test_what_stands_there_is_accepted(page, where: str, quote: str, why: str) -> None:
    document = page(TEXTS[where])
    located = locate(quote, Haystack(document))
    assert located.accepted, located
    assert located.span is not None
    assert located.span.of(document.text) in document.text


@pytest.mark.parametrize(("where", "quote", "verdict", "why"), WRONG, ids=[f"{w}: {y}: {q[:24]!a}" for w, q, _, y in WRONG])
def test_what_does_not_stand_there_is_refused_by_name(page, where: str, quote: str, verdict: str, why: str) -> None:
    document, other = page(TEXTS[where]), page(OTHER, url="https://docs.example.org/other.html")
    reach = Reach(lambda source, path: (document,), lambda words: (document, other), lambda id: None)
    (check,) = verify_quotes([{"id": "q", "quote": quote, "path": "page.html"}], reach)
    assert (check.status, check.verdict) == ("unverified", verdict), check
