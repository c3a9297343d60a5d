#!/usr/bin/env bash
# Runs flows, tasks and specs as the action's inputs say, and ends with assay's own exit code:
# 0 all passed, 1 something failed or was inconclusive, 2 a file or a setting is wrong.
set -euo pipefail

arguments=()
add() { # each line of a text is one argument
	local line
	while IFS= read -r line || [ -n "$line" ]; do
		line=${line%$'\r'}
		[ -z "$line" ] || arguments+=("$line")
	done <<<"$1"
}

[ ! -e mcp.toml ] || arguments+=(--config=mcp.toml) # whoever runs the workflow trusts its repository
add "${INPUT_ARGUMENTS:-}"
[ -z "${INPUT_BASE_URL:-}" ] || arguments+=("--base-url=$INPUT_BASE_URL")
case "${INPUT_COMMENT:-}" in
true) [[ ${GITHUB_REF:-} == refs/pull/* ]] && arguments+=(--comment) ;;
false | '') ;;
*) echo "::error title=assay::comment is '$INPUT_COMMENT'; it takes true or false" >&2 && exit 2 ;;
esac
arguments+=(--junit=assay-junit.xml --)
add "${INPUT_PATHS:-}"

{
	echo "files<<ASSAY_FILES"
	printf '%s\n' "$PWD/.assay" "$PWD/assay-junit.xml"
	echo ASSAY_FILES
} >>"$GITHUB_OUTPUT"
export ASSAY_DATA_DIR=$PWD/.assay
exec assay run "${arguments[@]}"
