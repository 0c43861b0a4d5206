# SPDX-License-Identifier: GPL-2.0-only
# What the end-to-end tests share. They boot real kernels: `tools/fetch-kernel` and
# `tools/fetch-guest` must have run. $KMATRIX is the program, $TOP the source.
set -euo pipefail
cache=${XDG_CACHE_HOME:-$HOME/.cache}/kmatrix
tree=$("$TOP/tools/fetch-kernel" 2>/dev/null | tail -n 1)
work=$(mktemp -d "${TMPDIR:-/tmp}/kmatrix-e2e.XXXXXX")
# What these runs teach is not for the user's own.
export XDG_STATE_HOME=$work/state
trap 'status=$?; [ $status -eq 0 ] && rm -rf "$work" || echo "kept: $work" >&2' EXIT

die() {
	echo "FAIL: $*" >&2
	for file in "$work"/*.out "$work"/*.err; do
		[ -s "$file" ] && { echo "--- $file" >&2; tail -n 60 "$file" >&2; }
	done
	exit 1
}

# run_kmatrix EXPECTED-STATUS NAME ARGUMENT...: output in NAME.out, progress in NAME.err.
run_kmatrix() {
	local expected=$1 name=$2 status=0
	shift 2
	"$KMATRIX" "$@" >"$work/$name.out" 2>"$work/$name.err" || status=$?
	[ "$status" -eq "$expected" ] || die "$name: exit status $status, expected $expected"
}

# try_series EXPECTED-STATUS SERIES MATRIX [ARGUMENT...]: a run in $work/SERIES.
try_series() {
	local expected=$1 series=$2 matrix=$3
	shift 3
	run_kmatrix "$expected" "$series" run "$matrix" --tree "$tree" \
		--series "$TOP/tests/series/$series" --out "$work/$series" "$@"
}

# says NAME TEXT...: the report of that run has each text in it.
says() {
	local name=$1 text
	shift
	for text in "$@"; do
		tr -s ' \n' '  ' <"$work/$name/report.txt" | grep -qF -- "$text" || die "$name: the report does not say: $text"
	done
}

says_not() {
	tr -s ' \n' '  ' <"$work/$1/report.txt" | grep -qF -- "$2" && die "$1: the report says: $2"
	return 0
}

# xml_is_valid NAME: junit.xml, under the schema where one is at hand.
xml_is_valid() {
	local schema=()
	[ -f "${KMATRIX_JUNIT_XSD:-}" ] && schema=(--schema "$KMATRIX_JUNIT_XSD")
	xmllint --noout "${schema[@]}" "$work/$1/junit.xml" 2>"$work/xmllint.err" || die "$1: junit.xml is not valid"
}

# Guests whose kmatrix is dead: the number in a guest's name is its process.
orphans() {
	local guest owner
	for guest in $(pgrep -f 'guest=kmatrix-'); do
		owner=$(tr '\0' ' ' <"/proc/$guest/cmdline" 2>/dev/null | sed -n 's/.*guest=kmatrix-\([0-9]*\)-.*/\1/p')
		[ -z "$owner" ] || [ -d "/proc/$owner" ] || echo "guest $guest of $owner"
	done
}

# Nothing that this test started may run or be mounted any more; another kmatrix of this machine's
# may. Ends of processes may take a moment.
nothing_is_left() {
	for _ in $(seq 50); do
		[ -n "$(orphans)" ] || pgrep -f "$work" >/dev/null || break
		sleep 0.2
	done
	orphans | grep . && die "a guest is left"
	pgrep -af -- "$work" | grep -v "$$" && die "a process is left"
	grep -F "$cache/work" /proc/mounts && die "a mount is left"
	return 0
}
