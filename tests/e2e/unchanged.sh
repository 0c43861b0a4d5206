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
python3 "$TOP/tests/validate_json.py" "$TOP/docs/report.schema.json" "$work/again/report.json" || die "report.json is not valid"
# A kernel that the series does not change earns no Tested-by.
git config --file "$work/gitconfig" user.name Tester
git config --file "$work/gitconfig" user.email tester@example.org
GIT_CONFIG_GLOBAL=$work/gitconfig run_kmatrix 0 reply reply "$work/again"
grep -q '^Subject: Re: \[PATCH\] fs/proc: reword a comment$' "$work/again/reply.eml" || die "no reply to the patch"
grep -q '^> No line moves' "$work/again/reply.eml" || die "the patch is not quoted"
grep -q 'Tested-by' "$work/again/reply.eml" && die "a Tested-by for kernels that are the same"
grep -q 'does not change the kernels' "$work/reply.err" || die "no word of why there is no Tested-by"
