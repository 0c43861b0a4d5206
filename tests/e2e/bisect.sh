#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# What one does with a regression: bisect names the patch that brings it, rerun shows it again, and
# shell gives a prompt in that kernel.
. "$TOP/tests/e2e/lib.bash"
series=$work/three-patches
mkdir "$series"
number=0
for part in adds-file test-fails comment-only; do
	number=$((number + 1))
	sed "s/^Subject: \[PATCH\]/Subject: [PATCH $number\/3]/" "$TOP/tests/series/$part"/0001-*.patch \
		>"$series/000$number-$part.patch"
done
run_kmatrix 1 run run "$TOP/tests/e2e/one.toml" --tree "$tree" --series "$series" --out "$work/run"

run_kmatrix 0 bisect bisect "$work/run" --test proc:proc-loadavg-001
grep -q 'patch 2 of 3 is the first bad one: fs/proc: take the last pid' "$work/bisect.out" ||
	die "bisect names another patch"
grep -q 'proc: proc-loadavg-001' "$work/bisect.out" || die "bisect does not say what fails"

run_kmatrix 1 rerun rerun "$work/run" --cell x86_64-default-4cpu-gcc --test proc:proc-loadavg-001
grep -q 'proc: proc-loadavg-001' "$work/run/rerun-1/report.txt" || die "rerun did not run the test"

run_kmatrix 0 shell shell "$work/run" --print
{
	sleep 20
	printf 'cat /proc/version; nproc\n'
	sleep 5
	printf 'poweroff -f\n'
	sleep 5
} | timeout 120 sh -c "$(cat "$work/shell.out")" >"$work/prompt.out" 2>&1 || true
grep -q 'Linux version 7' "$work/prompt.out" || die "there is no prompt"
grep -aq "^4" "$work/prompt.out" || die "the guest has not four vCPUs"
nothing_is_left
