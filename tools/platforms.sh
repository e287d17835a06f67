#!/usr/bin/env bash
# Runs tests as other systems see them, where an emulator is installed, and says so where not.
#
#   386        runs on amd64 as it is
#   arm64, arm by qemu-user
#   windows    by wine, 10 or newer: older ones lack what Go's runtime needs
#   fused      reads the compiler's output for arm64
#
# Each system runs the tests that can come out differently there; see the lists below. Each package has a line, with
# what failed above it, and a table comes last. It ends by itself, within 45 minutes on two cores: tests run with
# -short, a package has five minutes and a system fifteen. SYSTEMS="386 windows", PACKAGES="./doc" and RUN=TestName
# choose what is run. docs/platforms.md lists the failures that are left, with reasons.
set -uo pipefail
cd "$(dirname "$0")/.." || exit
export CGO_ENABLED=0
systems=${SYSTEMS:-386 arm64 arm windows fused}

# Text in, numbers out: integers of 32 bits, words at odd addresses and products with other bits show here.
numbers="./doc ./internal/portable ./internal/blob ./internal/intern ./internal/text/... ./internal/engine/..."
# Files, folders, locks and mapped memory, which differ by system.
files="./internal/wholefile ./internal/syserr ./internal/fault ./internal/source/crawl ./internal/library/corpus"
files+=" ./internal/library/snapshot ./internal/library/refresh"
# Paths, names, rights, watches and quoting, which only Windows has otherwise; the command line's scripts follow them.
windows="./internal/glob ./internal/text/human ./internal/engine/segment ./internal/engine/grep ./internal/engine/index"
windows+=" ./internal/source/watch ./internal/source/trust ./internal/source/settings ./internal/source/config"
windows+=" ./internal/indexset ./internal/store/sqlite ./internal/surface/clients"

rows=()
failed=0
log=$(mktemp)
run=$(mktemp)
trap 'rm -f "$log" "$run"' EXIT
go build -o "$run" ./internal/testrun || exit
limit=()
if command -v timeout >/dev/null; then limit=(timeout -k 30 900); fi

row() { # system, passed, failed, skipped and why
	rows+=("$(printf '%-14s %6s  %-28s %s' "$1" "$2" "$3" "$4")")
}

test_on() { # system, by what, packages, then words for "env" and flags of go test
	local bad status skipped packages=${PACKAGES:-$3}
	echo "== $1 $2"
	# shellcheck disable=SC2086
	env "${@:4:$words}" ${limit[@]+"${limit[@]}"} "$run" -short -timeout 5m ${RUN:+-run "$RUN"} "${@:4+$words}" \
		$packages </dev/null 2>&1 | grep --line-buffered -v '\[no test files\]$' | tee "$log"
	status=${PIPESTATUS[0]}
	bad=$(sed -nE 's,^FAIL[[:space:]]+(github.com/docent-md/docent/|\./)?([^[:space:]]+).*,\2,p' "$log" | xargs)
	skipped=$(sed -n 's/^skipped: //p' "$log" | tail -1)
	if [ "$status" = 124 ] || [ "$status" = 137 ]; then
		bad="${bad:+$bad }and what fifteen minutes were too short for"
	elif [ "$status" != 0 ]; then
		bad=${bad:-everything}
	fi
	[ "$status" = 0 ] || failed=1
	row "$1" "$(grep -c '^ok' "$log")" "${bad:-none}" "${skipped:-unknown} ($2)"
}

skip() { row "$1" - - "not run, $2"; }

wanted() { [[ " $systems " == *" $1 "* ]]; }

first() { # the first of several programs that is installed
	local p
	for p; do command -v "$p" && return; done
	return 1
}

# A product that is fused with a sum has other bits than on amd64.
# shellcheck disable=SC2317 # it is called below
fused() {
	local found
	GOARCH=arm64 go build -gcflags='github.com/docent-md/docent/...=-S' ./internal/portable \
		./internal/engine/{embed,index,rank,reranker,vector} ./internal/library/{retrieve,search,links} >"$log" 2>&1 || return
	grep -q 'FMULD' "$log" || return # else there is no such output to read
	found=$(grep -E '\bFN?M(ADD|SUB)[SD]?\b' "$log" | grep -oE 'docent/[a-zA-Z0-9_/]+\.go:[0-9]+' |
		grep -v 'internal/engine/grep/' | sort -u)
	[ -z "$found" ] || { echo "$found" && return 1; }
}

if wanted 386; then
	if [ "$(go env GOHOSTARCH)" = amd64 ] && [ "$(go env GOHOSTOS)" = linux ]; then
		words=1 test_on linux/386 natively "$numbers $files" GOARCH=386
	else
		skip linux/386 "as this machine is not linux/amd64"
	fi
fi
for pair in arm64:qemu-aarch64 arm:qemu-arm; do
	arch=${pair%%:*} emulator=${pair##*:}
	wanted "$arch" || continue
	if [ "$(go env GOHOSTARCH)" = "$arch" ]; then
		skip "linux/$arch" "as it is this machine: go test runs it"
	elif emulator=$(first "$emulator" "$emulator-static"); then
		# qemu, 7 and 10, does not tell a program at which address of a mapped file it faulted, which these tests are about.
		words=1 test_on "linux/$arch" "by $emulator" "$numbers $files" GOARCH="$arch" \
			-skip '^(TestFileCutShortWhileOpen|TestGuard|TestSegmentCutShortWithinAQuestion)$' -exec "$emulator"
	else
		skip "linux/$arch" "as ${pair##*:} is not installed (Debian: qemu-user-static)"
	fi
done
if wanted windows; then
	if ! emulator=$(first ${WINE:+"$WINE"} wine wine64); then
		skip windows/amd64 "as wine is not installed"
	elif version=$("$emulator" --version 2>/dev/null | grep -oE '[0-9]+' | head -1); [ "${version:-0}" -lt 10 ]; then
		skip windows/amd64 "as wine is ${version:-of no version}: older than 10"
	else
		export WINEDEBUG=-all
		# The first program starts wine's services, which stay and hold its standard output open: go test would wait
		# for them. This one ends when its input does.
		exec 9> >(exec "$emulator" cmd /c more >/dev/null 2>&1)
		"$emulator" cmd /c ver </dev/null >/dev/null 2>&1 9>&-
		# wine takes minutes for paths of 4,000 bytes and does not remove them, and for folders with many files.
		words=2 test_on windows/amd64 "by wine $version" "$files $windows" GOOS=windows GOARCH=amd64 \
			-skip '^(TestDeepFolders|TestBurst)$' -exec "$emulator"
		[ -n "${PACKAGES:-}" ] || words=2 RUN=${RUN:-^TestScripts$} test_on windows,cli "by wine $version" \
			./internal/surface/cli GOOS=windows GOARCH=amd64 -exec "$emulator"
		exec 9>&-
	fi
fi
if wanted fused; then
	echo "== products fused with sums on arm64"
	if fused; then
		row "arm64, fused" - none "read from the compiler's output"
	else
		failed=1
		row "arm64, fused" - "products fused with sums" "which gives other scores"
	fi
fi
echo "== summary"
printf '%-14s %6s  %-28s %s\n' system passed failed skipped
printf '%s\n' "${rows[@]}"
exit $failed
