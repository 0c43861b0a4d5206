#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# From mails on a list to drafts of replies, with a real public-inbox and runs that are made up:
# v1 has a fault and its report says which, v2 comes while watch runs and earns a Tested-by.
set -euo pipefail
work=$(mktemp -d "${TMPDIR:-/tmp}/kmatrix-e2e.XXXXXX")
export XDG_STATE_HOME=$work/state XDG_CACHE_HOME=$work/cache
pids=()
trap 'status=$?; for pid in "${pids[@]}"; do kill "$pid" 2>/dev/null || true; done
	[ $status -eq 0 ] && rm -rf "$work" || echo "kept: $work" >&2' EXIT

die() {
	echo "FAIL: $*" >&2
	for file in "$work"/*.out "$work"/*.err "$work"/watch/runs/*/watch.log; do
		[ -s "$file" ] && { echo "--- $file" >&2; tail -n 40 "$file" >&2; }
	done
	exit 1
}
. "$TOP/tests/e2e/inbox.bash"

git init -q -b main "$work/tree"
git -C "$work/tree" config user.name 'Tess Tester'
git -C "$work/tree" config user.email tess@example.org
git -C "$work/tree" commit -q --allow-empty -m base
start_inbox
pids+=("$httpd")
watch_file "tree = \"$work/tree\"" "command = [\"$BUILD/tests/fake_run\"]"

post_series 1 compile-error ''
"$KMATRIX" watch "$work/watch.toml" 2>"$work/watch.err" &
watch=$!
pids+=("$watch")
v1=$(of_version 1 30) || die "v1 was not tested"
grep -q 'avenrun_started' "$v1/report.txt" || die "v1's report does not say what broke"
! grep -q '^Tested-by' "$v1/reply.eml" || die "v1 has a Tested-by"
replies_to "$v1/reply.eml" v1-0@example.org || replies_to "$v1/reply.eml" v1-1@example.org ||
	die "v1's draft answers another mail"
[ "$(jq -r '.status' "$v1/published.json")" = 1 ] || die "the hook was not told of v1"

# Killed, watch goes on where it was.
kill -KILL "$watch"
wait "$watch" 2>/dev/null || true
"$KMATRIX" watch "$work/watch.toml" 2>"$work/watch-again.err" &
watch=$!
pids+=("$watch")
body comment-only | post r1@example.org '<v1-0@example.org> <v1-1@example.org>' 'Re: [PATCH 1/1] fs/proc: say it' \
	'Bob Reviewer <bob@example.org>'
body comment-only | post r2@example.org '<v1-0@example.org> <v1-1@example.org>' '[PATCH] fs/proc: on top of it?' \
	'Bob Reviewer <bob@example.org>'
post_series 2 adds-file '<v1-0@example.org>'
v2=$(of_version 2 30) || die "v2 was not tested"
replies_to "$v2/reply.eml" v2-0@example.org || die "v2's draft does not answer its cover letter"
grep -q '^Tested-by: Tess Tester <tess@example.org>' "$v2/reply.eml" || die "v2 has no Tested-by"
jq -e '.status == 0 and .series.version == 2 and .reply != null and .directory == $v2' --arg v2 "$v2" \
	"$v2/published.json" >"$work/published.out" || die "the hook was told something else of v2"

# Each once, and the replies not at all.
sleep 3
kill "$watch"
wait "$watch" || die "watch ended with status $? when it was told to end"
"$KMATRIX" queue "$work/watch.toml" --json >"$work/queue.out"
[ "$(jq -c 'map([.version, .state]) | sort' "$work/queue.out")" = '[[1,"done"],[2,"done"]]' ] ||
	die "the queue has something else in it"
[ "$(find "$work/watch/runs" -mindepth 1 -maxdepth 1 | wc -l)" = 2 ] || die "other runs are there"
"$KMATRIX" queue "$work/watch.toml" >"$work/queue-text.out"
grep -q '^done .*PATCH v2 0/1.*as wanted' "$work/queue-text.out" || die "the queue's text says otherwise"

# What git read, b4 reads as well.
KMATRIX_ARCHIVE=$url "$KMATRIX" series '<v2-0@example.org>' --tree "$work/tree" >"$work/series.out" 2>"$work/series.err" ||
	die "b4 cannot read the inbox"
grep -qF 'say since when the load is averaged (v2)' "$work/series.out" || die "b4 read another series"

# Once, as cron does it: nothing is new, and nothing is done.
"$KMATRIX" watch --once "$work/watch.toml" 2>"$work/once.err" || die "--once failed"
[ ! -s "$work/once.err" ] || die "--once did something"
stop_inbox
"$KMATRIX" watch --once "$work/watch.toml" 2>"$work/gone.err" && die "--once did not see that the inbox is gone"
grep -q 'kernel: cannot be read' "$work/gone.err" || die "--once does not say that the inbox is gone"

# What the keeper of a server sees. Nothing is there: that is a failure, and no new epoch.
python3 - "$port" >"$work/agent.out" 2>"$work/agent.err" <<'END' &
import http.server, sys
class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        print(self.headers['User-Agent'], flush=True)
        self.send_error(404)
http.server.HTTPServer(('127.0.0.1', int(sys.argv[1])), Handler).serve_forever()
END
pids+=("$!")
for _ in $(seq 100); do
	curl --silent --output /dev/null "$url/" && break
	sleep 0.1
done
"$KMATRIX" watch --once "$work/watch.toml" 2>"$work/none.err" && die "--once did not see that the epoch is gone"
grep -q "kernel: there is no epoch 0 at $url" "$work/none.err" || die "--once does not say that the epoch is gone"
grep -qE '^git/[0-9.]+ kmatrix/[0-9.]+ \(ci@example.org\)$' "$work/agent.out" || die "another user agent"
