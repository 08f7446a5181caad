# SPDX-License-Identifier: Apache-2.0
"""Reads and writes filters as JSON, in the form that Scala and Python share.

`{"version":1,"filter":NODE}`, where NODE is one of

    {"operator":"AND"|"OR","instances":[NODE,…]}
    {"operation":"Include"|"Exclude","key":SQL,"file":PATH or "table":NAME,
     "options":{…},"nulls":"keep"|"drop","name":TEXT}

`options`, `nulls` and `name` are optional; the writer omits them if they are empty or the default.
The values of options may be strings, booleans or whole numbers. `tests/golden/bulkfilter` checks
that both languages agree, errors included.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any, NoReturn

from sparksieve._bulkfilter.leaf import ProjectionBulkFilter
from sparksieve._bulkfilter.node import BulkFilterNode
from sparksieve._bulkfilter.tree import BulkFilter
from sparksieve._bulkfilter.words import known_nulls, known_operation, known_operator
from sparksieve._functions import option_text
from sparksieve.errors import BulkFilterError

VERSION = 1

_TREE_FIELDS = ("operator", "instances")
_LEAF_FIELDS = ("operation", "key", "file", "table", "options", "nulls", "name")


def write(filter_: BulkFilterNode) -> str:
    """The filter as one line of JSON. Raises `BulkFilterError` if a key has no SQL text."""
    document = {"version": VERSION, "filter": _node(filter_)}
    return json.dumps(document, ensure_ascii=False, separators=(",", ":"))


def _node(filter_: BulkFilterNode) -> dict[str, Any]:
    if isinstance(filter_, BulkFilter):
        return {"operator": filter_.operator, "instances": [_node(i) for i in filter_.instances]}
    assert isinstance(filter_, ProjectionBulkFilter)  # noqa: S101
    if filter_.key_text is None:
        raise BulkFilterError(
            f"The key {filter_.key!r} has no SQL text, which JSON needs: make the leaf from the "
            'text of an expression, as in Include("lower(color)", …).'
        )
    made: dict[str, Any] = {"operation": filter_.operation, "key": filter_.key_text}
    made["table" if filter_.is_table else "file"] = filter_.file_location
    if filter_.options:
        made["options"] = dict(sorted(filter_.options.items()))
    if filter_.nulls != known_nulls("", filter_.operation):
        made["nulls"] = filter_.nulls
    if filter_.name is not None:
        made["name"] = filter_.name
    return made


def read(text: str) -> BulkFilterNode:
    """Reads a filter from JSON.

    Raises `BulkFilterError` if `text` is not a valid filter; the message names the place and what
    is allowed there.
    """
    try:
        document = json.loads(text, object_pairs_hook=_once, parse_constant=_no_number)
        top = "the document"
        fields = _object_at(top, document)
        _known(top, fields, ("version", "filter"))
        version = _required(top, fields, "version")
        if type(version) is not int or version != VERSION:
            shown = json.dumps(version, ensure_ascii=False, separators=(",", ":"))
            _wrong("version", f"{shown} is not known; this Sieve reads version {VERSION}")
        return _node_at("filter", _required(top, fields, "filter"))
    except json.JSONDecodeError as e:
        raise BulkFilterError(f"This is not JSON: {e}.") from e
    except RecursionError:
        raise BulkFilterError("The filters in this JSON are nested too deeply.") from None


def _node_at(path: str, value: Any) -> BulkFilterNode:
    fields = _object_at(path, value)
    if ("operator" in fields) == ("operation" in fields):
        _wrong(
            path, "either operator and instances are expected, or operation, key and file or table"
        )
    return _tree_at(path, fields) if "operator" in fields else _leaf_at(path, fields)


def _tree_at(path: str, fields: dict[str, Any]) -> BulkFilter:
    _known(path, fields, _TREE_FIELDS)
    operator = _at(f"{path}.operator", known_operator, _text_at(path, fields, "operator"))
    place = f"{path}.instances"
    instances = _required(path, fields, "instances")
    if not isinstance(instances, list):
        _mismatch(place, "an array", instances)
    if not instances:
        _wrong(place, "at least one instance is expected")
    nodes = [_node_at(f"{place}[{index}]", value) for index, value in enumerate(instances)]
    return BulkFilter(operator, nodes)


def _leaf_at(path: str, fields: dict[str, Any]) -> ProjectionBulkFilter:
    _known(path, fields, _LEAF_FIELDS)
    operation = _at(f"{path}.operation", known_operation, _text_at(path, fields, "operation"))
    key = _text_at(path, fields, "key")
    if ("file" in fields) == ("table" in fields):
        _wrong(path, "either file or table is expected")
    is_table = "table" in fields
    location = _text_at(path, fields, "table" if is_table else "file")
    options = _options_at(path, fields["options"]) if "options" in fields else {}
    nulls = ""
    if "nulls" in fields:
        given = _text_at(path, fields, "nulls")
        nulls = _at(f"{path}.nulls", lambda text: known_nulls(text, operation), given)
    name = _text_at(path, fields, "name") if "name" in fields else None
    return ProjectionBulkFilter(key, location, operation, options, nulls, is_table, name)


def _options_at(path: str, value: Any) -> dict[str, str]:
    place = f"{path}.options"
    options = {}
    for name, option in _object_at(place, value).items():
        if not isinstance(option, (str, bool, int)):
            _mismatch(f"{place}.{name}", "a string, a boolean or a whole number", option)
        options[name] = option_text(option)
    return options


def _object_at(path: str, value: Any) -> dict[str, Any]:
    if not isinstance(value, dict):
        _mismatch(path, "an object", value)
    return value


def _required(path: str, fields: dict[str, Any], name: str) -> Any:
    if name not in fields:
        _wrong(path, f"{name} is missing")
    return fields[name]


def _text_at(path: str, fields: dict[str, Any], name: str) -> str:
    value = _required(path, fields, name)
    if not isinstance(value, str):
        _mismatch(f"{path}.{name}", "a string", value)
    if not value.strip():
        _wrong(f"{path}.{name}", "the string must not be empty")
    return value


def _known(path: str, fields: dict[str, Any], allowed: Sequence[str]) -> None:
    for name in fields:
        if name not in allowed:
            _wrong(path, f"'{name}' is not known; allowed are {', '.join(allowed)}")


def _at(path: str, check: Callable[[str], str], given: str) -> str:
    """Applies `check` to `given`; its error is raised again with the path of the field."""
    try:
        return check(given)
    except BulkFilterError as wrong:
        _wrong(path, str(wrong))


def _mismatch(path: str, expected: str, found: Any) -> NoReturn:
    kinds: list[tuple[Any, str]] = [
        (dict, "an object"),
        (list, "an array"),
        (str, "a string"),
        (bool, "a boolean"),
        ((int, float), "a number"),
    ]
    kind = next((word for type_, word in kinds if isinstance(found, type_)), "null")
    _wrong(path, f"{expected} is expected, not {kind}")


def _wrong(path: str, problem: str) -> NoReturn:
    raise BulkFilterError(f"Filter in JSON, at {path}: {problem}.")


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields = dict(pairs)
    if len(fields) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise BulkFilterError(f"This is not JSON: the field '{twice}' is there twice.")
    return fields


def _no_number(text: str) -> NoReturn:
    raise BulkFilterError(f"This is not JSON: {text} is no number there.")
