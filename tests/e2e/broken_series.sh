#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Series that break something: each ends with the right outcome, exit status 1, and a report that
# names the cell and the line that matters.
. "$TOP/tests/e2e/lib.bash"
one=$TOP/tests/e2e/one.toml
cell=x86_64-default-4cpu-gcc

try_series 1 compile-error "$one"
says compile-error "$cell" avenrun_started 'fs/proc/loadavg.c'
grep -q '<failure type="build"' "$work/compile-error/junit.xml" || die "no build failure in junit.xml"

try_series 1 panic-at-boot "$one"
says panic-at-boot "$cell" panicked 'fs/proc: the version is not the one expected'

try_series 1 hang-at-boot "$one"
says hang-at-boot "$cell"
grep -qE 'hung|never booted' "$work/hang-at-boot/report.txt" || die "hang-at-boot is not seen"

try_series 1 reset "$one"
says reset "$cell" 'reset without being asked to'

try_series 1 test-fails "$one"
says test-fails "$cell" 'proc: proc-loadavg-001' 'fails 21 of 21 times on patched, 0 of 21 on baseline'
grep -q '<failure type="test"' "$work/test-fails/junit.xml" || die "no test failure in junit.xml"

# Failed on patched alone, run again on both: no more than chance, and no regression.
try_series 0 test-flakes "$one"
says test-flakes 'fails 2 of 21 times on patched, 0 of 21 on baseline' flaky

try_series 1 weakens-test "$one"
says weakens-test "(baseline's)"

try_series 0 new-warning "$one"
says new-warning "unused variable 'count'"

for series in compile-error panic-at-boot reset test-fails weakens-test new-warning; do
	xml_is_valid "$series"
done

try_series 2 does-not-apply "$one"
grep -q 'fs/proc/loadavg.c' "$work/does-not-apply.err" || die "the file that does not apply is not named"
nothing_is_left
