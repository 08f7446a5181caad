# SPDX-License-Identifier: Apache-2.0
"""The list of configs and the conversion of their values."""

from __future__ import annotations

import pytest

from sparksieve import ConfigValueError, UnknownConfigError
from sparksieve._setup.configs import (
    Config,
    ConfigValue,
    all_configs,
    config_of_key,
    config_of_keyword,
    parse_bytes,
    snake_case,
)


def config(kind: str, default: str = "x") -> Config:
    return Config(
        "spark.sieve.feature.someConfig", kind, default, "what is allowed", "A doc.", "0.1.0"
    )


def test_the_list_is_complete_and_consistent() -> None:
    configs = all_configs()
    keys = [one.key for one in configs]
    assert "spark.sieve.enabled" in keys
    assert "spark.sieve.setop.enabled" in keys
    assert len(set(keys)) == len(keys)
    for one in configs:
        assert one.key.startswith("spark.sieve.")
        assert one.doc
        assert one.allowed
        assert one.since
        # The default has the config's type, and no config has the name of a group.
        one.from_spark(one.default)
        assert not any(other.key.startswith(f"{one.key}.") for other in configs)


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("0", 0),
        ("1048576", 1048576),
        ("64m", 64 << 20),
        ("64MB", 64 << 20),
        ("1 kb", 1024),
        ("7b", 7),
    ],
)
def test_sizes(text: str, size: int) -> None:
    assert parse_bytes(text) == size


@pytest.mark.parametrize("text", ["", "m", "-1", "1.5m", "1x", "1mbb", "1bb x"])
def test_what_is_no_size(text: str) -> None:
    with pytest.raises(ValueError, match="not a"):
        parse_bytes(text)


@pytest.mark.parametrize(
    ("kind", "value", "text"),
    [
        ("boolean", True, "true"),
        ("boolean", False, "false"),
        ("boolean", "FALSE", "FALSE"),
        ("int", 5, "5"),
        ("int", "1000", "1000"),
        # Spark checks limits, when the value is set.
        ("int", -5, "-5"),
        ("long", 1 << 40, "1099511627776"),
        ("double", 0.25, "0.25"),
        ("double", 2, "2"),
        ("bytes", 1024, "1024"),
        ("bytes", "64m", "64m"),
        ("string", "anything", "anything"),
    ],
)
def test_values_on_their_way_to_spark(kind: str, value: ConfigValue, text: str) -> None:
    assert config(kind).to_spark(value) == text


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        ("boolean", 1),
        ("boolean", "yes"),
        ("boolean", None),
        ("int", True),
        ("int", 1.5),
        ("int", "many"),
        ("int", "1.5"),
        ("int", "64m"),
        ("int", None),
        ("double", "much"),
        ("bytes", "64 apples"),
        ("bytes", 1.5),
        ("string", 3.5),
        ("string", ["a"]),
    ],
)
def test_wrong_values_name_config_value_and_what_is_allowed(kind: str, value: object) -> None:
    with pytest.raises(ConfigValueError) as caught:
        config(kind).to_spark(value)
    text = str(caught.value)
    assert "spark.sieve.feature.someConfig" in text
    assert repr(value) in text
    assert "what is allowed" in text
    assert isinstance(caught.value, ValueError)


@pytest.mark.parametrize(
    ("kind", "text", "value"),
    [
        ("boolean", "true", True),
        ("int", "5", 5),
        ("double", "0.25", 0.25),
        ("bytes", "67108864b", 64 << 20),
        ("string", "x", "x"),
    ],
)
def test_values_on_their_way_from_spark(kind: str, text: str, value: ConfigValue) -> None:
    assert config(kind).from_spark(text) == value


def test_names() -> None:
    assert snake_case("minScanBytes") == "min_scan_bytes"
    assert snake_case("adaptiveFilter") == "adaptive_filter"
    assert config("int").path == ("feature", "some_config")
    assert config_of_keyword("enabled").key == "spark.sieve.enabled"
    assert config_of_keyword("setop").key == "spark.sieve.setop.enabled"
    assert config_of_keyword("setop__counting").key == "spark.sieve.setop.counting.enabled"
    assert config_of_keyword("setop__enabled").key == "spark.sieve.setop.enabled"


def test_unknown_names_are_answered_with_the_nearest() -> None:
    with pytest.raises(UnknownConfigError, match=r"no config setopp; did you mean setop\?"):
        config_of_keyword("setopp")
    with pytest.raises(UnknownConfigError, match=r"did you mean spark\.sieve\.setop\.enabled\?"):
        config_of_key("spark.sieve.setop.enable")
    with pytest.raises(UnknownConfigError, match=r"known names: .*spark\.sieve\.enabled"):
        config_of_key("q")
