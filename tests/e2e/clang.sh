#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The compiler as an axis: clang and lld build both kernels of both architectures, and they boot.
. "$TOP/tests/e2e/lib.bash"
cat >"$work/clang.toml" <<END
[axes]
arch = ["x86_64", "arm64"]
compiler = ["clang"]

[[selftest]]
target = "proc"
END
run_kmatrix 0 clang run "$work/clang.toml" --tree "$tree" \
	--series "$TOP/examples/smaps-rollup" --out "$work/clang"
for arch in x86_64 arm64; do
	says clang "$arch-default-4cpu-clang"
	for kernel in baseline patched; do
		build=$work/clang/builds/$arch-default-clang/$kernel/result.json
		grep -q '"compiler_version": "[^"]*clang version' "$build" || die "$build: clang did not build it"
		[ "$(grep -c '"status": "pass"' "$work/clang/cells/$arch-default-4cpu-clang/$kernel/functional/result.json")" -ge 20 ] ||
			die "$arch: too few tests of proc pass"
	done
done
