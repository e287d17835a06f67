#!/usr/bin/env bash
# Runs tests as other systems see them, where an emulator is installed, and says so where not.
#
#   386        runs on amd64 as it is
#   arm64, arm by qemu-user
#   windows    by wine, 10 or newer: older ones lack what Go's runtime needs
#
#   fused      reads the compiler's output for arm64
#
# Each package has a line, with what failed above it, and a summary comes last. SYSTEMS="386 windows" and
# PACKAGES="./doc" choose what is run. docs/platforms.md lists the failures that are left, with reasons.
set -uo pipefail
cd "$(dirname "$0")/.." || exit
export CGO_ENABLED=0
systems=${SYSTEMS:-386 arm64 arm windows fused}
packages=${PACKAGES:-./doc ./internal/portable ./internal/syserr ./internal/wholefile ./internal/glob ./internal/text/... ./internal/engine/... ./internal/source/crawl ./internal/source/watch ./internal/library/corpus ./internal/library/snapshot ./internal/library/refresh}
summary=()
failed=0
log=$(mktemp)
trap 'rm -f "$log"' EXIT

test_on() { # system, by what, the command's words before "go test"...
	local bad status
	echo "== $1 $2"
	# shellcheck disable=SC2086
	env "${@:3}" $packages 2>&1 | grep --line-buffered -v '\[no test files\]$' | tee "$log"
	status=${PIPESTATUS[0]}
	if [ "$status" != 0 ]; then
		failed=1
		bad=$(sed -nE 's,^FAIL[[:space:]]+(github.com/docent-md/docent/|\./)?([^[:space:]]+).*,\2,p' "$log" | xargs)
		summary+=("$1: failed in ${bad:-everything}; $(grep -c '^ok' "$log") packages pass $2")
	else
		summary+=("$1: $(grep -c '^ok' "$log") packages pass $2")
	fi
}

skip() { summary+=("$1: not run, $2"); }

wanted() { [[ " $systems " == *" $1 "* ]]; }

first() { # the first of several programs that is installed
	local p
	for p; do command -v "$p" && return; done
	return 1
}

# A product that is fused with a sum has other bits than on amd64.
# shellcheck disable=SC2317 # it is called below
fused() {
	GOARCH=arm64 go build -gcflags='github.com/docent-md/docent/...=-S' ./internal/portable \
		./internal/engine/{embed,index,rank,reranker,vector} ./internal/library/{retrieve,search,links} 2>&1 |
		grep -E '\bFN?M(ADD|SUB)[SD]?\b' | grep -oE 'docent/[a-zA-Z0-9_/]+\.go:[0-9]+' |
		grep -v 'internal/engine/grep/' | sort -u | tee /dev/stderr | wc -l | grep -qx '0'
}

if wanted 386; then
	if [ "$(go env GOHOSTARCH)" = amd64 ] && [ "$(go env GOHOSTOS)" = linux ]; then
		test_on linux/386 natively GOARCH=386 go test -short -timeout 60m
	else
		skip linux/386 "as this machine is not linux/amd64"
	fi
fi
for pair in arm64:qemu-aarch64 arm:qemu-arm; do
	arch=${pair%%:*} emulator=${pair##*:}
	without=()
	wanted "$arch" || continue
	if [ "$(go env GOHOSTARCH)" = "$arch" ]; then
		skip "linux/$arch" "as it is this machine: go test runs it"
	elif emulator=$(first "$emulator" "$emulator-static"); then
		# qemu does not tell a program for arm at which address it faulted, which these tests are about.
		[ "$arch" != arm ] || without=(-skip '^(TestFileCutShortWhileOpen|TestGuard|TestSegmentCutShortWithinAQuestion)$')
		test_on "linux/$arch" "by $emulator" GOARCH="$arch" go test -short -timeout 60m ${without[@]+"${without[@]}"} -exec "$emulator"
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
		test_on windows/amd64 "by wine $version" WINEDEBUG=-all GOOS=windows GOARCH=amd64 \
			go test -short -timeout 60m -exec "$emulator"
	fi
fi
if wanted fused; then
	echo "== products fused with sums on arm64"
	if fused; then
		summary+=("arm64: no product is fused with a sum")
	else
		failed=1
		summary+=("arm64: products are fused with sums, which gives other scores")
	fi
fi
echo "== summary"
printf '%s\n' "${summary[@]}"
exit $failed
