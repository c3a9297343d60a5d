#!/usr/bin/env bash
# Installs the Playwright driver, and a browser and fonts where the runner has none.
set -euo pipefail

code=0
assay install || code=$?
if [ $code = 1 ] && [ "$RUNNER_OS" = Linux ] && command -v sudo >/dev/null; then
	echo "assay: the packages that are missing are installed as root"
	code=0
	sudo env "PATH=$PATH" "HOME=$HOME" "$(command -v assay)" install --with-deps || code=$?
	sudo chown -R "$(id -u):$(id -g)" "${XDG_CACHE_HOME:-$HOME/.cache}/assay"
fi
[ $code = 0 ] || echo "::error title=assay::driver and browser are not ready: the lines above say why" >&2
exit $code
