#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# watch.sh with real kernels: v1 does not build, v2 does, boots and passes.
. "$TOP/tests/e2e/lib.bash"
. "$TOP/tests/e2e/inbox.bash"
start_inbox
trap 'status=$?; kill "$httpd" ${watch:-} 2>/dev/null || true
	[ $status -eq 0 ] && rm -rf "$work" || echo "kept: $work" >&2' EXIT
watch_file "tree = \"$tree\""
# Who writes is git's to say, and the cached tree is not ours to configure.
export GIT_CONFIG_COUNT=2 GIT_CONFIG_KEY_0=user.name GIT_CONFIG_VALUE_0='Tess Tester' \
	GIT_CONFIG_KEY_1=user.email GIT_CONFIG_VALUE_1=tess@example.org

post_series 1 compile-error ''
"$KMATRIX" watch "$work/watch.toml" 2>"$work/watch.err" &
watch=$!
v1=$(of_version 1 3600) || die "v1 was not tested"
grep -q 'avenrun_started' "$v1/report.txt" || die "v1's report does not say what broke"
! grep -q '^Tested-by' "$v1/reply.eml" || die "v1 has a Tested-by"

# Killed while it tests v2, watch resumes the run.
post_series 2 adds-file '<v1-0@example.org>'
body comment-only | post r1@example.org '<v1-0@example.org> <v1-1@example.org>' 'Re: [PATCH 1/1] fs/proc: say it' \
	'Bob Reviewer <bob@example.org>'
for _ in $(seq 18000); do
	grep -qs 'start .*boot\|start .*functional' "$work"/watch/runs/*-v2-*/watch.log && break
	kill -0 "$watch" 2>/dev/null || die "watch ended"
	sleep 0.2
done
kill -KILL "$watch"
wait "$watch" 2>/dev/null || true
nothing_is_left_of_runs() { [ -z "$(orphans)" ]; }
for _ in $(seq 50); do nothing_is_left_of_runs && break; sleep 0.2; done
nothing_is_left_of_runs || die "a guest is left"
"$KMATRIX" watch "$work/watch.toml" 2>"$work/watch-again.err" &
watch=$!
v2=$(of_version 2 3600) || die "v2 was not tested"
grep -q 'resumed in' "$work/watch-again.err" || die "the run of v2 was not resumed"
replies_to "$v2/reply.eml" v2-0@example.org || die "v2's draft does not answer its cover letter"
grep -q '^Tested-by: Tess Tester <tess@example.org>' "$v2/reply.eml" || die "v2 has no Tested-by"
kill "$watch"
wait "$watch" || die "watch ended with status $?"
[ "$(find "$work/watch/runs" -mindepth 1 -maxdepth 1 | wc -l)" = 2 ] || die "other runs are there"
stop_inbox
