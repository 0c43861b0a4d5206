#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# SIGKILL of kmatrix in each stage leaves no process and no mount behind, and --resume finishes.
. "$TOP/tests/e2e/lib.bash"

# kill_when PATTERN NAME SECONDS [ARGUMENT...]: starts a run, kills it so long after its progress
# shows the pattern, resumes it.
kill_when() {
	local pattern=$1 name=$2 delay=$3 pid
	shift 3
	"$KMATRIX" run "$TOP/tests/e2e/one.toml" --tree "$tree" --series "$TOP/tests/series/test-fails" \
		--out "$work/$name" "$@" >"$work/$name.out" 2>"$work/$name.err" &
	pid=$!
	for _ in $(seq 3000); do
		grep -qs "$pattern" "$work/$name.err" && break
		kill -0 "$pid" 2>/dev/null || die "$name: ended before '$pattern'"
		sleep 0.1
	done
	sleep "$delay"
	kill -KILL "$pid"
	wait "$pid" 2>/dev/null || true
	nothing_is_left
	run_kmatrix 1 "$name-resumed" run --resume "$work/$name"
	says "$name" 'proc: proc-loadavg-001'
	nothing_is_left
}

kill_when 'start .*image' in-image 0.3
# Built clean, so that it takes long enough to be killed in the midst; resumed, it is not.
kill_when 'start .*build .*patched' in-build 15 --clean-builds
kill_when 'start .*baseline/functional' in-boot 1.5
kill_when 'start .*patched/functional' in-second-boot 1.5

# Interrupted by Ctrl-C it keeps what is done and writes the reports.
"$KMATRIX" run "$TOP/tests/e2e/one.toml" --tree "$tree" --series "$TOP/tests/series/test-fails" \
	--out "$work/interrupted" >"$work/interrupted.out" 2>"$work/interrupted.err" &
pid=$!
until grep -qs 'start .*patched/functional' "$work/interrupted.err"; do
	kill -0 "$pid" 2>/dev/null || die "ended before it was interrupted"
	sleep 0.1
done
kill -INT "$pid"
status=0
wait "$pid" || status=$?
[ "$status" -eq 3 ] || die "interrupted: exit status $status"
[ -s "$work/interrupted/junit.xml" ] || die "interrupted: no report"
nothing_is_left
run_kmatrix 1 interrupted-resumed run --resume "$work/interrupted"
