"""In: a page about a pump, and what a model says of it over true quotes: sentences that say something else, and true ones in other words.
Out: none of the first printed, the second printed.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from pincite.library import Library
from pincite.settings import Settings
from pincite.types import AskOptions

PAGE = """# Pump

The pump starts when the water rises above 40 cm. It stops after 15 minutes, or earlier if the tank is empty. The operator may override the
timer with `pump --force`. Filters should be changed every 6 months. Never open the valve while the pump is running.

The controller stores the last 200 events and sends them to the server every hour. Only administrators can delete events. A warning
is shown if the battery falls below 20 %. The default port is 7044. Data is encrypted with TLS, and passwords are hashed before they are
stored.

Version 3 introduced remote control; version 4 removed it again. Unlike the X2, the X3 has two motors. The manual recommends rinsing the
tank twice a year.
"""
LIES = {
    "The pump starts when the water rises above 40 cm.": [
        "The pump starts when the water falls above 40 cm.",
        "The pump starts when the water rises above 40 m.",
        "The pump stops when the water rises above 40 cm.",
        "The pump starts when the water rises below 40 cm.",
        "The pump starts when the oil rises above 40 cm.",
        "The pump starts.",
        "The pump starts when the water rises to 40 cm.",
    ],
    "It stops after 15 minutes, or earlier if the tank is empty.": [
        "It stops after 15 hours, or earlier if the tank is empty.",
        "It stops after 15 minutes, or earlier if the tank is full.",
        "It stops after 15 minutes, or later if the tank is empty.",
        "It starts after 15 minutes.",
        "It stops after 50 minutes.",
    ],
    "The operator may override the timer with `pump --force`.": [
        "The operator must override the timer with `pump --force`.",
        "The operator may override the timer with `pump --quiet`.",
        "The operator may not override the timer.",
        "Anybody may override the timer with `pump --force`.",
        "The operator may override the valve with `pump --force`.",
        "The operator may disable the pump with `pump --force`.",
    ],
    "Filters should be changed every 6 months.": [
        "Filters must be changed every 6 months.",
        "Filters should be changed every 6 years.",
        "Filters should be cleaned every 6 months.",
        "Filters should never be changed.",
        "Filters should be changed every half year by a certified technician.",
        "Filters need not be changed.",
    ],
    "Never open the valve while the pump is running.": [
        "Open the valve while the pump is running.",
        "Always open the valve while the pump is running.",
        "Never open the valve while the pump is idle.",
        "Never close the valve while the pump is running.",
        "The valve can be opened while the pump is running.",
    ],
    "The controller stores the last 200 events and sends them to the server every hour.": [
        "The controller stores the first 200 events and sends them to the server every hour.",
        "The controller stores the last 200 events and sends them to the server every minute.",
        "The server stores the last 200 events and sends them to the controller every hour.",
        "The controller stores the last 200 events and deletes them every hour.",
        "The controller stores all events.",
        "The controller sends 200 events every hour to the cloud for marketing.",
    ],
    "Only administrators can delete events.": [
        "Administrators cannot delete events.",
        "Everybody can delete events.",
        "Only administrators can read events.",
        "Only guests can delete events.",
        "Operators can delete events.",
    ],
    "A warning is shown if the battery falls below 20 %.": [
        "A warning is shown if the battery rises below 20 %.",
        "A warning is shown if the battery falls below 20 V.",
        "A warning is hidden if the battery falls below 20 %.",
        "An email is sent if the battery falls below 20 %.",
        "A warning is shown if the battery exceeds 20 %.",
    ],
    "The default port is 7044.": [
        "The default port is 7040.",
        "The maximum port is 7044.",
        "The default password is 7044.",
    ],
    "Data is encrypted with TLS, and passwords are hashed before they are stored.": [
        "Data is encrypted with AES, and passwords are hashed before they are stored.",
        "Data is encrypted with TLS, and passwords are hashed after they are stored.",
        "Data is encrypted with TLS, and passwords are stored in plain text.",
        "Data is not encrypted.",
        "Passwords are encrypted with TLS, and data is hashed before it is stored.",
    ],
    "Version 3 introduced remote control; version 4 removed it again.": [
        "Version 4 introduced remote control; version 3 removed it again.",
        "Version 3 removed remote control.",
        "Version 3 introduced remote control; version 4 kept it.",
    ],
    "Unlike the X2, the X3 has two motors.": [
        "Like the X2, the X3 has two motors.",
        "Unlike the X3, the X2 has two motors.",
        "Unlike the X2, the X3 has three motors.",
    ],
    "The manual recommends rinsing the tank twice a year.": [
        "The manual forbids rinsing the tank twice a year.",
        "The manual requires rinsing the tank twice a year.",
        "The manual recommends rinsing the tank once a year.",
        "The manual recommends rinsing the tank twice a month.",
        "The manual recommends draining the tank twice a year.",
        "The pump is the best on the market.",
        "Rinsing the tank voids the warranty.",
    ],
}
TRUE = {
    "The pump starts when the water rises above 40 cm.": [
        "The pump starts once the water is above 40 cm.",
        "When the water rises above 40 cm, the pump starts.",
    ],
    "It stops after 15 minutes, or earlier if the tank is empty.": [
        "The pump stops after 15 minutes, or earlier if the tank is empty.",
        "After 15 minutes it stops, or earlier when the tank is empty.",
    ],
    "The operator may override the timer with `pump --force`.": [
        "Operators may override the timer using `pump --force`.",
        "You can override the timer with pump --force.",
    ],
    "Filters should be changed every 6 months.": [
        "Change filters every 6 months.",
        "Filters should be changed every six months.",
    ],
    "Never open the valve while the pump is running.": [
        "Do not open the valve while the pump is running.",
        "The valve must never be opened while the pump runs.",
    ],
    "The controller stores the last 200 events and sends them to the server every hour.": [
        "The last 200 events are stored by the controller.",
        "Every hour, the controller sends the stored events to the server.",
        "It stores the last 200 events and sends them to the server hourly.",
    ],
    "Only administrators can delete events.": [
        "Events can be deleted only by administrators.",
        "Deleting events is reserved to administrators.",
    ],
    "A warning is shown if the battery falls below 20 %.": [
        "If the battery falls below 20 %, a warning is shown.",
    ],
    "The default port is 7044.": [
        "Port 7044 is the default.",
        "By default, the port is 7044.",
    ],
    "Data is encrypted with TLS, and passwords are hashed before they are stored.": [
        "Passwords are hashed before they are stored.",
        "Data is encrypted with TLS.",
    ],
    "Version 3 introduced remote control; version 4 removed it again.": [
        "Remote control was introduced in version 3 and removed in version 4.",
    ],
    "Unlike the X2, the X3 has two motors.": [
        "The X3 has two motors, unlike the X2.",
    ],
    "The manual recommends rinsing the tank twice a year.": [
        "Rinse the tank twice a year, the manual recommends.",
        "The tank should be rinsed twice a year.",
    ],
}


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("pump")
    (folder / "docs").mkdir()
    (folder / "docs" / "pump.md").write_text(PAGE, "utf-8")
    with Library(str(folder / "l.db")) as library:
        library.add(str(folder / "docs"))
    return folder / "l.db"


@pytest.fixture
def said(place: Path, model_server, say):
    def ask(quote: str, sentence: str):
        script = model_server(say((quote, sentence)), say())
        with Library(str(place), settings=Settings(llm_url=script.url, model="m", llm_retries=0), create=False) as library:
            return library.ask("How does the pump work, and what does the controller do?", options=AskOptions(floor=0.0), score_ratio=0.0)

    return ask


@pytest.mark.parametrize(("quote", "sentence"), [(q, s) for q, each in LIES.items() for s in each])
def test_a_sentence_that_says_something_else_than_its_true_quote_is_dropped(said, quote: str, sentence: str) -> None:
    answer = said(quote, sentence)
    assert answer.abstained
    assert [d.sentence for d in answer.dropped] == [sentence]
    assert answer.dropped[0].reason.startswith("claim check: ")


@pytest.mark.parametrize(("quote", "sentence"), [(q, s) for q, each in TRUE.items() for s in each])
def test_a_sentence_that_says_the_same_in_other_words_is_printed(said, quote: str, sentence: str) -> None:
    answer = said(quote, sentence)
    assert answer.markdown.startswith(sentence + "[^1]"), answer.dropped
