#!/bin/bash
# Trains the reranker from raw text to reranker.bin: run.sh WORK ARCHIVES [STEP ...]
#
# ARCHIVES holds docs-train-*.tar.xz and questions.jsonl.xz; evaluation sets, for the tables, are the folders in SETS.
# Without steps all run in order. Steps marked "go" need Go, those marked "gpu" a GPU and requirements.txt: where one
# machine has not both, name the steps and copy WORK between them (README.md). Minutes and seconds are the real run's,
# for one H200; SHORT=1 takes seconds for each, to see that everything works. OUT, if set, is a folder that gets copies
# of the results.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
work=$(mkdir -p "$1" && cd "$1" && pwd) archives=$2
shift 2
export PYTHONUNBUFFERED=1

train() {
	local phase=$1
	shift
	echo "== $phase $*"
	python3 "$here/train.py" "$phase" "$work" ${OUT:+--out "$OUT"} "$@"
}
refine() {
	echo "== refine $*"
	python3 "$here/refine.py" "$work" "$@" ${OUT:+--out "$OUT"}
}
candidates() { (cd "$here/../.." && CGO_ENABLED=0 go run ./internal/eval/candidates "$@"); }
unxz_to() { python3 -c 'import lzma, sys; sys.stdout.buffer.write(lzma.open(sys.argv[1]).read())' "$1" >"$2"; }
minutes() { if [ -n "${SHORT:-}" ]; then echo 0.05; else echo "$1"; fi; }
seconds() { if [ -n "${SHORT:-}" ]; then echo 3; else echo "$1"; fi; }

all="unpack prepare pretrain-teacher pretrain-student teach distil export sets candidates lists refine"
for step in ${@:-$all}; do
	case $step in
	unpack)
		mkdir -p "$work/raw"
		ls "$archives"/docs-train-*.tar.xz | xargs -P 8 -I{} python3 -W ignore -m tarfile -e {} "$work/raw"
		unxz_to "$archives/questions.jsonl.xz" "$work/questions.jsonl"
		unxz_to "$here/questions.jsonl.xz" "$work/questions-2.jsonl"
		;;
	prepare) # gpu: tables of PyTorch
		cat "$work/questions.jsonl" "$work/questions-2.jsonl" >"$work/questions-all.jsonl"
		python3 "$here/sections.py" "$work/raw" "$work/corpus.jsonl" --questions "$work/questions-all.jsonl" ${SHORT:+--cap 300000}
		train prepare
		;;
	pretrain-teacher) train pretrain --model teacher --minutes "$(minutes 6.5)" ;;                               # gpu
	pretrain-student) train pretrain --model student --minutes "$(minutes 2)" ;;                                 # gpu
	teach) train teach --batch 128 --list 8 --minutes "$(minutes 4)" ;;                                          # gpu
	distil) train distil --batch 160 --list 12 --minutes "$(minutes 4.3)" --quant-minutes "$(minutes 1.7)" ;;    # gpu
	export) train export ;;                                                                                      # gpu
	sets)
		python3 "$here/sets.py" "$work/raw" "$work/sets" --only taken --bytes 1200000
		python3 "$here/sets.py" "$work/raw" "$work/sets" "$work/questions.jsonl" "$work/questions-2.jsonl" --only written
		;;
	candidates) # go
		for kind in written taken; do candidates "$work/candidates/$kind" "$work/sets/$kind"/*; done
		if [ -n "${SETS:-}" ]; then candidates "$work/candidates/evaluation" $SETS; fi
		;;
	lists)
		for kind in written taken evaluation; do
			if [ -d "$work/candidates/$kind" ]; then
				python3 "$here/lists.py" "$work/$kind.npz" "$work/candidates/$kind" "$work/sets/held-out.txt"
			fi
		done
		;;
	refine) # gpu
		cp "$work/reranker.bin" "$work/distilled.bin"
		refine reranker --init "$work/distilled.bin" --float "$(seconds 150)" --quant "$(seconds 60)"
		;;
	*) echo "run.sh: no step $step" >&2; exit 2 ;;
	esac
done
