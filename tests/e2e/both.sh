#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The demo's series on both architectures: everything boots, the race test passes, nothing regresses.
. "$TOP/tests/e2e/lib.bash"
run_kmatrix 0 both run "$TOP/tests/e2e/both.toml" --tree "$tree" \
	--series "$TOP/examples/smaps-rollup" --out "$work/both"
for arch in x86_64 arm64; do
	says both "$arch-default-4cpu-gcc" "boots functional baseline 1 of 1, patched 1 of 1" \
		"boots smaps_rollup baseline 4 of 4, patched 4 of 4"
	[ "$(grep -c '"status": "pass"' "$work/both/cells/$arch-default-4cpu-gcc/patched/functional-1/result.json")" -ge 7 ] ||
		die "$arch: too few results of proc-maps-race"
done
says both EMULATED 'proc: proc-maps-race'
xml_is_valid both
git -C "$tree" status --porcelain --ignored | grep . && die "the user's tree was touched"
nothing_is_left
