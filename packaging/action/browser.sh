#!/usr/bin/env bash
# Installs the Playwright driver, and a browser and fonts where the runner has none.
set -euo pipefail

code=0
assay install || code=$?
if [ $code = 1 ] && [ "$RUNNER_OS" = Linux ] && command -v sudo >/dev/null; then
	echo "assay: the packages that are missing are installed as root"
	code=0
	# Root's own driver goes with its home, so that nothing in the user's becomes root's.
	home=$(mktemp -d "$RUNNER_TEMP/assay-root.XXXXXX")
	sudo env "PATH=$PATH" "HOME=$home" "XDG_CACHE_HOME=$home/cache" "$(command -v assay)" install --with-deps || code=$?
	sudo rm -rf "$home"
	[ $code != 0 ] || assay install || code=$?
fi
[ $code = 0 ] || echo "::error title=assay::driver and browser are not ready: the lines above say why" >&2
exit $code
