#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# A patched kernel built on from the baseline's objects is the same, byte by byte, as one built
# clean, whatever the patch does to the tree. Arguments: the series to try.
. "$TOP/tests/e2e/lib.bash"
for series in "$@"; do
	try_series 0 "$series" "$TOP/tests/e2e/one.toml"
	try_clean=$work/$series-clean
	run_kmatrix 0 "$series-clean" run "$TOP/tests/e2e/one.toml" --tree "$tree" \
		--series "$TOP/tests/series/$series" --out "$try_clean" --clean-builds
	of() { grep -o '"image_sha256": "[0-9a-f]*"' "$1/builds/x86_64-default-gcc/patched/result.json"; }
	[ "$(of "$work/$series")" = "$(of "$try_clean")" ] || die "$series: the incremental image differs from the clean one"
done
