#!/usr/bin/env bash
# Checks the documents of the working folder with $DOCENT, and shows what it finds as
# annotations and in the job's summary. File names and titles come from the documents,
# so they are escaped everywhere. Paths come from the JSON: those of SARIF are URIs.
set -euo pipefail

sarif=${RUNNER_TEMP:-/tmp}/docent.sarif
report=${RUNNER_TEMP:-/tmp}/docent.json
options=()
if [ -n "${DOCENT_ONLY:-}" ]; then options+=(--only "$DOCENT_ONLY"); fi
# shellcheck disable=SC2206 # paths are separated by spaces
paths=(${DOCENT_PATHS:-})

check() { # format
	local code=0
	"$DOCENT" check "$1" ${options[@]+"${options[@]}"} -- ${paths[@]+"${paths[@]}"} || code=$?
	if [ "$code" -gt 1 ]; then
		echo "::error::docent check failed; the log says why" >&2
		exit "$code"
	fi
}
check --json >"$report"
check --sarif >"$sarif"

# Windows' jq ends lines with a carriage return, which a number must not have.
problems() { jq -r "$@" "$report" | tr -d '\r'; }

errors=$(problems .errors)
warnings=$(problems .warnings)

problems '
  def data: gsub("%"; "%25") | gsub("\r"; "%0D") | gsub("\n"; "%0A");
  def property: data | gsub(":"; "%3A") | gsub(","; "%2C");
  .problems // [] | sort_by(.level != "error") | .[:50][]
  | "::\(.level) file=\(.file | property),line=\(.line),title=\(.kind | property)::\(.message | data)"
'

{
	echo "### Documents: $errors errors, $warnings warnings"
	echo
	if [ "$errors" -gt 0 ] || [ "$warnings" -gt 0 ]; then
		echo "<table><tr><th>where</th><th>what</th></tr>"
		problems '
      .problems // [] | sort_by(.level != "error") | .[:200][]
      | "<tr><td><code>\("\(.file):\(.line)" | @html)</code></td><td>\(.kind + ": " + .message | @html)</td></tr>"
    '
		echo "</table>"
		left=$((errors + warnings - 200))
		if [ "$left" -gt 0 ]; then printf '\nand %d more; errors come first\n' "$left"; fi
	else
		echo "Every link, anchor and image leads somewhere."
	fi
} >>"$GITHUB_STEP_SUMMARY"

{
	echo "errors=$errors"
	echo "warnings=$warnings"
	echo "sarif=$sarif"
} >>"$GITHUB_OUTPUT"
