#!/usr/bin/env bash
# Installs one release of assay into the runner's tool cache, after its digest was checked
# against the release's checksums.txt and, where gh is there, its build provenance against
# the repository. INPUT_VERSION is the release's tag; RELEASES another place of releases.
set -euo pipefail

fail() {
	echo "::error title=assay::$1" >&2
	exit 1
}

repository=assay-qa/assay
tag=${INPUT_VERSION:-}
[[ $tag =~ ^v[0-9]+\.[0-9]+\.[0-9]+(-[0-9A-Za-z.-]+)?$ ]] ||
	fail "version '$tag' names no release: give the input version one such as v1.2.3, or name the action with such a tag"
version=${tag#v}

case "$RUNNER_OS" in
Linux) os=linux ending=tar.gz cache=${XDG_CACHE_HOME:-$HOME/.cache}/assay ;;
macOS) os=darwin ending=tar.gz cache=$HOME/Library/Caches/assay ;;
Windows) os=windows ending=zip cache=$LOCALAPPDATA/assay ;;
*) fail "there is no release for the system '$RUNNER_OS': Linux, macOS and Windows have one" ;;
esac
case "$RUNNER_ARCH" in
X64) arch=amd64 ;;
ARM64) arch=arm64 ;;
*) fail "there is no release for the processor '$RUNNER_ARCH': X64 and ARM64 have one" ;;
esac
[ $os = darwin ] && arch=all

into=$RUNNER_TOOL_CACHE/assay/$version/$arch
if [ ! -e "$into.complete" ]; then
	archive=assay_${version}_${os}_${arch}.$ending
	from=${RELEASES:-https://github.com/$repository/releases/download}/$tag
	work=$(mktemp -d "$RUNNER_TEMP/assay.XXXXXX")
	trap 'rm -rf "$work"' EXIT
	for file in checksums.txt "$archive"; do
		curl --fail --silent --show-error --location --retry 3 --output "$work/$file" "$from/$file" ||
			fail "$from/$file can't be fetched: see whether $tag is a release, and whether this runner reaches that address"
	done
	want=$(awk -v name="$archive" '$2 == name { print $1 }' "$work/checksums.txt")
	got=$(cd "$work" && { sha256sum "$archive" 2>/dev/null || shasum -a 256 "$archive"; } | awk '{ print $1 }')
	[ -n "$want" ] || fail "checksums.txt of $tag does not name $archive"
	[ "$got" = "$want" ] || fail "$archive has the SHA-256 $got, and checksums.txt of $tag says $want: nothing was installed"
	if [ -z "${RELEASES:-}" ] && command -v gh >/dev/null && [ -n "${GH_TOKEN:-}" ]; then
		gh attestation verify "$work/$archive" --repo "$repository" >/dev/null ||
			fail "$archive was not built by the release workflow of $repository: nothing was installed"
	fi
	rm -rf "$into"
	mkdir -p "$into"
	if [ $ending = zip ]; then unzip -q "$work/$archive" -d "$into"; else tar -xzf "$work/$archive" -C "$into"; fi
	touch "$into.complete"
fi

echo "$into" >>"$GITHUB_PATH"
printf 'cache=%s\nversion=%s\n' "$cache" "$version" >>"$GITHUB_OUTPUT"
"$into/assay" version
