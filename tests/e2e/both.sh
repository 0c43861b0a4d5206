#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The demo's series on both architectures: everything boots, the race test passes, nothing
# regresses, and under both kernels smaps_rollup agrees with the sum over smaps.
. "$TOP/tests/e2e/lib.bash"
cp "$TOP/tests/e2e/both.toml" "$work/both.toml"
cat >>"$work/both.toml" <<END

[[benchmark]]
name = "rollup-agrees"
command = "$BUILD/tests/rollup_agrees"
pattern = 'smaps_rollup: ([0-9.]+) ms a read'
boots = 4
END
run_kmatrix 0 both run "$work/both.toml" --tree "$tree" \
	--series "$TOP/examples/smaps-rollup" --out "$work/both"
for arch in x86_64 arm64; do
	cell=$arch-default-4cpu-gcc
	says both "$cell" "boots functional baseline 1 of 1, patched 1 of 1" \
		"boots smaps_rollup baseline 4 of 4, patched 4 of 4" \
		"boots rollup-agrees baseline 4 of 4, patched 4 of 4"
	[ "$(grep -c '"status": "pass"' "$work/both/cells/$cell/patched/functional/result.json")" -ge 7 ] ||
		die "$arch: too few results of proc-maps-race"
	for kernel in baseline patched; do
		for number in 1 2 3 4; do
			boot=$work/both/cells/$cell/$kernel/rollup-agrees-$number
			grep -q '"mean_ms"' "$boot/result.json" || die "$boot: no figure: $(grep sample_error "$boot/result.json")"
			grep -q 'ok 11 many_vmas' "$boot/transcript.jsonl" || die "$boot: it did not run"
		done
	done
done
says both EMULATED 'proc: proc-maps-race'
xml_is_valid both
git -C "$tree" status --porcelain --ignored | grep . && die "the user's tree was touched"
nothing_is_left
