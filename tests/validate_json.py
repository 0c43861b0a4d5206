#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Validates a JSON file by a JSON Schema with an implementation that is not kmatrix's own.

usage: validate_json.py [--strict] SCHEMA FILE

--strict: fields that the schema does not name are errors too, though it allows them to readers.
"""
import json
import sys

import jsonschema


def close(schema):
    """Forbids, in place, what is not named in any object of the schema."""
    if isinstance(schema, dict):
        if isinstance(schema.get("properties"), dict) and "type" in schema:
            schema.setdefault("additionalProperties", False)
        for value in schema.values():
            close(value)
    elif isinstance(schema, list):
        for value in schema:
            close(value)


def main(arguments):
    strict = "--strict" in arguments
    schema_file, file = [word for word in arguments if word != "--strict"]
    with open(schema_file, encoding="utf-8") as stream:
        schema = json.load(stream)
    with open(file, encoding="utf-8") as stream:
        instance = json.load(stream)
    if strict:
        close(schema)
    validator = jsonschema.validators.validator_for(schema, jsonschema.Draft202012Validator)
    validator.check_schema(schema)
    errors = list(
        validator(schema, format_checker=jsonschema.FormatChecker()).iter_errors(instance))
    for error in errors[:20]:
        print(f"{file}: {'/'.join(map(str, error.absolute_path))}: {error.message[:500]}")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
