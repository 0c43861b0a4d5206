#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# A series that changes nothing gives no verdict of change, and the same image twice is seen.
. "$TOP/tests/e2e/lib.bash"
try_series 0 comment-only "$TOP/tests/e2e/one.toml"
says comment-only 'both kernels have the same image'
says_not comment-only 'WHAT GOT WORSE'
# The same tree, series and configuration again: nothing is built twice.
run_kmatrix 0 again run "$TOP/tests/e2e/one.toml" --tree "$tree" \
	--series "$TOP/tests/series/comment-only" --out "$work/again"
[ "$(grep -c '^ok .*build .*: cached' "$work/again.err")" -eq 2 ] || die "a kernel was built again"
# Rendering again says the same.
"$KMATRIX" report "$work/again" >"$work/rendered.out" || die "kmatrix report failed"
cmp "$work/rendered.out" "$work/again/report.txt" || die "the report differs when rendered again"
