#!/usr/bin/env bash
# Puts docent on the machine: the program that DOCENT_PROGRAM names, or the release
# DOCENT_VERSION, downloaded and compared with its checksum.
set -euo pipefail

if [ -n "${DOCENT_PROGRAM:-}" ]; then
	echo "program=$DOCENT_PROGRAM" >>"$GITHUB_OUTPUT"
	exit 0
fi

base=${DOCENT_RELEASES:-https://github.com/docent-md/docent/releases}
version=${DOCENT_VERSION:-}
if ! [[ $version =~ ^v[0-9]+\.[0-9]+\.[0-9]+ ]]; then # a branch or a commit: the newest release
	latest=$(curl -fsSLI -o /dev/null -w '%{url_effective}' "$base/latest")
	version=${latest##*/}
	if [[ $version != v* ]]; then
		echo "::error::docent has no release yet: name a docent on the machine as the input program"
		exit 1
	fi
fi

case $RUNNER_OS in
Linux) os=linux ending=tar.gz program=docent ;;
macOS) os=darwin ending=tar.gz program=docent ;;
Windows) os=windows ending=zip program=docent.exe ;;
*) echo "::error::docent has no release for $RUNNER_OS" && exit 1 ;;
esac
case $RUNNER_ARCH in
X64) arch=amd64 ;;
ARM64) arch=arm64 ;;
*) echo "::error::docent has no release for $RUNNER_ARCH" && exit 1 ;;
esac

dir=$RUNNER_TEMP/docent
mkdir -p "$dir"
cd "$dir"
name=docent_${version#v}_${os}_${arch}
file=$name.$ending
if ! curl -fsSL --retry 3 -o "$file" "$base/download/$version/$file"; then
	echo "::error::docent $version could not be downloaded: $base lists the versions that there are"
	exit 1
fi
curl -fsSL --retry 3 -o SHA256SUMS "$base/download/$version/SHA256SUMS"
want=$(awk -v file="$file" '$2 == file { print $1 }' SHA256SUMS)
if command -v sha256sum >/dev/null; then
	have=$(sha256sum "$file")
else
	have=$(shasum -a 256 "$file")
fi
have=${have%% *}
if [ -z "$want" ] || [ "$want" != "$have" ]; then
	echo "::error::$file has the checksum $have, not $want: it was not installed"
	exit 1
fi
if [ "$ending" = zip ]; then unzip -qo "$file"; else tar -xzf "$file"; fi
echo "program=$dir/$name/$program" >>"$GITHUB_OUTPUT"
echo "$dir/$name" >>"$GITHUB_PATH"
