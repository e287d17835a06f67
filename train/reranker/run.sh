#!/bin/bash
# Trains the reranker from raw text to reranker.bin: run.sh WORK ARCHIVES [STEP ...]
#
# ARCHIVES holds docs-train-*.tar.xz, questions.jsonl.xz and, for the tables, candidates.json.xz. Without steps all run
# in order. Minutes are the real run's, for one H200; SHORT=1 takes seconds for each, to see that everything works.
# OUT, if set, is a folder that gets copies of the results.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
work=$1 archives=$2
shift 2
mkdir -p "$work"
train() {
	local phase=$1
	shift
	echo "== $phase $*"
	PYTHONUNBUFFERED=1 python3 "$here/train.py" "$phase" "$work" ${OUT:+--out "$OUT"} "$@"
}
minutes() { if [ -n "${SHORT:-}" ]; then echo 0.05; else echo "$1"; fi; }

for step in ${@:-unpack prepare pretrain-teacher pretrain-student teach distil export}; do
	case $step in
	unpack)
		mkdir -p "$work/raw"
		ls "$archives"/docs-train-*.tar.xz | xargs -P 8 -I{} python3 -W ignore -m tarfile -e {} "$work/raw"
		if [ -e "$archives/questions.jsonl.xz" ]; then
			python3 -c 'import lzma, sys; sys.stdout.buffer.write(lzma.open(sys.argv[1]).read())' "$archives/questions.jsonl.xz" >"$work/questions.jsonl"
		fi
		if [ -e "$archives/candidates.json.xz" ]; then cp "$archives/candidates.json.xz" "$work/"; fi
		;;
	prepare)
		python3 "$here/sections.py" "$work/raw" "$work/corpus.jsonl" --questions "$work/questions.jsonl" ${SHORT:+--cap 300000}
		train prepare
		;;
	pretrain-teacher) train pretrain --model teacher --minutes "$(minutes 6.5)" ;;
	pretrain-student) train pretrain --model student --minutes "$(minutes 2)" ;;
	teach) train teach --batch 128 --list 8 --minutes "$(minutes 4)" ;;
	distil) train distil --batch 160 --list 12 --minutes "$(minutes 4.3)" --quant-minutes "$(minutes 1.7)" ;;
	export) train export ;;
	*) echo "run.sh: no step $step" >&2; exit 2 ;;
	esac
done
