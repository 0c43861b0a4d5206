#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# A splat in a boot whose tests all pass is a failure of its own.
. "$TOP/tests/e2e/lib.bash"
try_series 1 lockdep-splat "$TOP/tests/e2e/debug.toml"
says lockdep-splat x86_64-default+debug-4cpu-gcc splat 'circular locking'
grep -q '<failure type="splat"' "$work/lockdep-splat/junit.xml" || die "no splat in junit.xml"
xml_is_valid lockdep-splat
