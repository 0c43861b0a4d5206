#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# A series whose second patch does not compile, and whose third mends it: whoever bisects there stops,
# and every report says where. Then comes v2 without that fault, which knows of v1.
. "$TOP/tests/e2e/lib.bash"
matrix=$TOP/tests/e2e/one.toml

try_series 1 broken-middle "$matrix" --each-patch=boot
says broken-middle 'after patch 2 of 3 the kernel does not build (x86_64 default gcc); patch 3 mends it' \
	avenrun_started 'patch 2 of 3 breaks bisection' '1 of 3 works: fs/proc: add /proc/hertz' \
	'3 of 3 works' 'proc: proc-loadavg-001'
grep -q 'each patch: patch 2 of 3 breaks bisection' "$work/broken-middle.out" || die "the summary does not say it"
grep -q 'failures="1"' "$work/broken-middle/junit.xml" || die "junit.xml has not one failure"
grep -q '<testcase name="each patch: 2 of 3"' "$work/broken-middle/junit.xml" || die "junit.xml has no case of patch 2"
xml_is_valid broken-middle
python3 "$TOP/tests/validate_json.py" "$TOP/docs/report.schema.json" "$work/broken-middle/report.json" || die "report.json is not valid"
cell=$work/broken-middle/cells/x86_64-default-4cpu-gcc
grep -q '"end": "completed"' "$cell/patch-1/functional/result.json" || die "patch 1 was not booted"
[ -e "$cell/patch-2" ] && die "a kernel that does not build was booted"

# Nothing is done twice, and the same is said.
run_kmatrix 1 resumed run --resume "$work/broken-middle"
grep -E '^(ok|start) .*(build|functional)' "$work/resumed.err" | grep . && die "something was done again"

# v2: the first patch as it was, and another second one.
mkdir "$work/v2"
sed 's/^Subject: \[PATCH\]/Subject: [PATCH v2 1\/2]/' "$TOP/tests/series/adds-file"/0001-*.patch >"$work/v2/0001.patch"
sed 's/^Subject: \[PATCH\]/Subject: [PATCH v2 2\/2]/' "$TOP/tests/series/comment-only"/0001-*.patch >"$work/v2/0002.patch"
run_kmatrix 0 v2 run "$matrix" --tree "$tree" --series "$work/v2" --out "$work/run-v2" --each-patch
says run-v2 'the kernel builds after each of the 2 patches' 'v1 was tested here on' \
	'WHAT CHANGED SINCE v1' 'git range-diff v1 v2' 'fs/proc: reword a comment' \
	"compare: kmatrix compare $work/broken-middle $work/run-v2"
run_kmatrix 0 compare compare "$work/broken-middle" "$work/run-v2"
grep -q "git range-diff of the patches" "$work/compare.out" || die "compare shows no range-diff"
grep -q '= 1: .*fs/proc: add /proc/hertz' "$work/compare.out" || die "the range-diff does not match patch 1"
git -C "$tree" status --porcelain --ignored | grep . && die "the user's tree was touched"
nothing_is_left
