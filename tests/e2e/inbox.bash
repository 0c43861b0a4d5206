# SPDX-License-Identifier: GPL-2.0-only
# A mailing list for the tests of `kmatrix watch`: a public-inbox in $work/inbox, served on loopback
# at $url, and mails to it.
export PI_CONFIG=$work/public-inbox.config PI_EMERGENCY=$work/emergency
export no_proxy=127.0.0.1 NO_PROXY=127.0.0.1
list=kernel@example.org
author='Ada Author <ada@example.org>'

# Nobody else has the port yet; should somebody be faster, the server ends and says so.
start_inbox() {
	port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
	url=http://127.0.0.1:$port/kernel
	public-inbox-init -V2 -L basic kernel "$work/inbox" "$url" "$list" >"$work/inbox.out" 2>&1 || die "no inbox"
	git config -f "$PI_CONFIG" publicinboxmda.spamcheck none
	public-inbox-httpd -W0 -l "127.0.0.1:$port" --stdout="$work/httpd.out" --stderr="$work/httpd.err" 2>"$work/httpd-start.err" &
	httpd=$!
	for _ in $(seq 100); do
		curl --silent --output /dev/null "$url/" && return # 404 as long as it is empty
		kill -0 "$httpd" 2>/dev/null || break
		sleep 0.1
	done
	kill "$httpd" 2>/dev/null || true
	die "public-inbox-httpd does not serve $url"
}

stop_inbox() { kill "$httpd" && wait "$httpd" || true; }

# post ID PARENTS SUBJECT [FROM] <BODY: PARENTS as in References, "<a@b> <c@d>".
post() {
	{
		printf 'From: %s\nTo: %s\nDate: %s\nMessage-ID: <%s>\nSubject: %s\n' "${4:-$author}" "$list" \
			"$(date -R)" "$1" "$3"
		[ -z "$2" ] || printf 'In-Reply-To: %s\nReferences: %s\n' "${2##* }" "$2"
		printf 'MIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8\n\n'
		cat
	} | ORIGINAL_RECIPIENT=$list public-inbox-mda || die "$1 was not delivered"
}

# body SERIES: what follows the header in the first patch of tests/series/SERIES.
body() { sed '1,/^$/d' "$TOP/tests/series/$1"/0001-*.patch; }

# post_series VERSION SERIES PARENTS: a cover letter <vVERSION-0@...> and one patch.
post_series() {
	local tag=PATCH
	[ "$1" = 1 ] || tag="PATCH v$1"
	echo 'The load averages do not say since when they are averaged.' |
		post "v$1-0@example.org" "$3" "[$tag 0/1] fs/proc: say since when the load is averaged"
	body "$2" | post "v$1-1@example.org" "${3:+$3 }<v$1-0@example.org>" "[$tag 1/1] fs/proc: say it"
}

# watch_file RUN-LINE...: $work/watch.toml; lines are put into its [run].
watch_file() {
	{
		cat <<END
[watch]
directory = "$work/watch"
interval = "1s"
contact = "ci@example.org"

[[inbox]]
name = "kernel"
url = "$url"
from_epoch = 0

[[rule]]
name = "proc"
files = ["fs/proc/"]

[publish]
command = ["$work/publish"]

[run]
matrix = "$TOP/tests/e2e/one.toml"
END
		printf '%s\n' "$@"
	} >"$work/watch.toml"
	printf '#!/bin/sh\ncat >"$1/published.json"\n' >"$work/publish"
	chmod +x "$work/publish"
}

# of_version N: the directory of its run, once it is done. Waits SECONDS at most.
of_version() {
	local directory
	for _ in $(seq "$(($2 * 5))"); do
		directory=$("$KMATRIX" queue "$work/watch.toml" --json 2>/dev/null |
			jq -r --arg id "v$1-0@example.org" '.[] | select(.message_id == $id and .state == "done") | .directory')
		[ -n "$directory" ] && echo "$directory" && return
		sleep 0.2
	done
	"$KMATRIX" queue "$work/watch.toml" >&2
	return 1
}

# replies_to FILE ID: the draft answers this mail.
replies_to() { grep -qi "^In-Reply-To: <$2>" "$1"; }
