# SPDX-License-Identifier: GPL-2.0-only
# Sourced by fetch-kernel and fetch-guest: packages out of Debian's archive, with apt, for a
# suite or an architecture that is not this machine's. apt gets lists, cache and status of its
# own in a directory that the caller throws away, so the machine's stay as they are, and an
# ordinary user may do it. Signatures are checked against Debian's archive keyring.
# shellcheck shell=bash

debian_keyring=/usr/share/keyrings/debian-archive-keyring.gpg

say() { echo "${0##*/}: $*" >&2; }
die() { say "$*"; exit 1; }

# The suite that this machine runs.
debian_suite() {
	# shellcheck disable=SC1091
	(. /etc/os-release && printf '%s\n' "${VERSION_CODENAME:?}")
}

# The mirror of Debian's archive that this machine's own sources name.
debian_mirror() {
	local suite mirror
	suite=$(debian_suite)
	# shellcheck disable=SC2016
	mirror=$(apt-get indextargets --format '$(ORIGIN)|$(CODENAME)|$(COMPONENT)|$(REPO_URI)' |
		sed -n "s/^Debian|$suite|main|//p" | head -n 1)
	if [ -z "$mirror" ]; then
		# indextargets is silent about lists that were never downloaded.
		mirror=$(apt-get update --print-uris 2>/dev/null |
			sed -n "s,^'\(.*/\)dists/$suite/InRelease'.*,\1,p" | head -n 1)
	fi
	[ -n "$mirror" ] || die "this machine's apt sources name no mirror of Debian $suite; add one (man sources.list) and run apt-get update"
	printf '%s\n' "$mirror"
}

# apt_begin DIR ARCH SUITE: makes DIR the private apt of the functions below, and reads the lists.
apt_begin() {
	local dir=$1 arch=$2 suite=$3 mirror
	[ -r "$debian_keyring" ] || die "$debian_keyring is missing; install debian-archive-keyring"
	mirror=$(debian_mirror)
	mkdir -p "$dir"/{state/lists/partial,cache/archives/partial,sources.d}
	: >"$dir/status"
	cat >"$dir/sources.d/debian.sources" <<-EOF
		Types: deb
		URIs: $mirror
		Suites: $suite
		Components: main
		Signed-By: $debian_keyring
	EOF
	# What the machine's own configuration says (a proxy, say) holds, but for hooks and places.
	cat >"$dir/apt.conf" <<-EOF
		#clear APT::Update;
		#clear DPkg::Pre-Invoke;
		#clear DPkg::Post-Invoke;
		#clear APT::Architectures;
		APT::Architecture "$arch";
		APT::Architectures { "$arch"; };
		APT::Sandbox::User "$(id -un)";
		APT::Get::List-Cleanup "false";
		Debug::NoLocking "true";
		Acquire::Retries "3";
		Acquire::Languages "none";
		Dir::State "$dir/state";
		Dir::State::status "$dir/status";
		Dir::State::Lists "$dir/state/lists";
		Dir::Cache "$dir/cache";
		Dir::Etc::SourceList "/dev/null";
		Dir::Etc::SourceParts "$dir/sources.d";
		Dir::Etc::Preferences "/dev/null";
		Dir::Etc::PreferencesParts "/dev/null";
		Dir::Log "$dir";
	EOF
	private_apt=$dir
	say "reading the lists of $suite ($arch) from $mirror"
	apt_private apt-get update -qq --error-on=any >&2 || die "apt could not read $suite ($arch) from $mirror"
}

apt_private() { "$1" -c "$private_apt/apt.conf" "${@:2}"; }

# apt_download DIR PACKAGE...: leaves one .deb a package in DIR, checked by apt.
apt_download() {
	local dir=$1
	shift
	mkdir -p "$dir"
	(cd "$dir" && apt_private apt-get download -q "$@" >&2) || die "apt could not download $*"
}

# begin_work CACHE NAME: takes the lock of NAME, sweeps what killed runs left, and makes $work, a
# directory beside the final one that vanishes when the script ends.
begin_work() {
	local cache=$1 name=$2
	mkdir -p "$cache"
	exec 9>"$cache/.$name.lock"
	flock --nonblock 9 || { say "waiting for another run of it"; flock 9; }
	rm -rf "$cache/.$name.work"
	work=$cache/.$name.work
	mkdir "$work"
	trap 'rm -rf "$work"' EXIT
	trap 'exit 130' INT
	trap 'exit 143' TERM
}
