# Everything here also works by hand; the targets only save typing.
# The product is built without cgo. The race detector needs it, so only that
# line turns it on, and says so where there is no C compiler.

export CGO_ENABLED = 0
TOOL = go tool -modfile=tools/go.mod
BUILD = go build -trimpath -buildvcs=false -ldflags "-s -w -buildid="

.PHONY: build test check fmt structure race fuzz fuzz-check bench bench-parse scoreboard foreign conformance load gates gates-short tokens torture screenshots weaviate cluster

build: ## one static binary, ./docent
	$(BUILD) -o docent ./cmd/docent

test: ## go test ./..., and a last line on what was skipped
	go run ./internal/testrun -timeout 30m ./...

fmt:
	$(TOOL) gofumpt -l -w .

check: ## what a change must pass before it lands
	@out=$$($(TOOL) gofumpt -l .); if [ -n "$$out" ]; then echo "run make fmt:"; echo "$$out"; exit 1; fi
	go vet ./...
	GOOS=windows go vet ./...
	GOOS=darwin go vet ./...
	$(TOOL) staticcheck ./...
	$(MAKE) race
	$(MAKE) fuzz-check
	@go run ./internal/eval/freshness

structure: ## how the source is cut up, against what we hold ourselves to; seconds
	go run ./internal/structure

# A program with the race detector waits a second before it ends, and tests run thousands.
race:
	@if command -v "$${CC:-gcc}" >/dev/null; then \
		echo "go test -race -short ./..."; CGO_ENABLED=1 GORACE=atexit_sleep_ms=0 go test -race -short -timeout 30m ./...; \
	else echo "no C compiler: the race detector was not run"; fi

FUZZTIME ?= 30s
FUZZ = go test -run '^$$' -fuzztime $(FUZZTIME) -fuzz
fuzz-check: ## what reads bytes or patterns from outside, for FUZZTIME each
	$(FUZZ) '^FuzzParseRef$$' ./doc
	$(FUZZ) '^FuzzFile$$' ./internal/engine/segment
	$(FUZZ) '^FuzzNeed$$' ./internal/engine/grep
	$(FUZZ) '^FuzzReplace$$' ./internal/surface/handout

fuzz: ## every fuzz target for FUZZTIME each
	@grep -rlE '^func Fuzz' --include='*_test.go' . | while read -r file; do \
		dir=$$(dirname "$$file"); \
		for target in $$(sed -nE 's/^func (Fuzz[A-Za-z0-9_]*).*/\1/p' "$$file"); do \
			echo "== $$dir $$target"; go test "$$dir" -run '^$$' -fuzz "^$$target$$" -fuzztime $(FUZZTIME) || exit 1; \
		done; done

bench: ## speed and size, as ratios against peers in the same run
	cd bench && go run .

bench-parse: ## agreement with and speed against goldmark
	@DOCENT_BENCH_PARSE=1 go test -count=1 -run 'TestAgreesWithGoldmark|TestSpeedTable' -v ./internal/text/markdown | grep '|'

SHARED ?= $(or $(DOCENT_SHARED),../shared)
screenshots: ## pictures of the pages, into docs/images; needs Chromium
	cd internal/surface/web/browser && go run . -root ../../../../examples/harbour -out ../../../../docs/images

scoreboard: build ## search quality on the retrieval test sets
	@if [ -d $(SHARED)/eval ]; then ./docent eval --ways --synonyms eval/synonyms.txt $(sort $(dir $(wildcard $(SHARED)/eval/*/qrels.tsv $(SHARED)/eval-people/*/qrels.tsv))) > eval/scoreboard.txt && go run ./internal/eval/freshness -write && cat eval/scoreboard.txt; \
	else echo "no test sets in $(SHARED)/eval: the scoreboard was left alone"; fi

foreign: build ## which questions without an answer are flagged, on the retrieval test sets
	@if [ -d $(SHARED)/eval ]; then ./docent eval --foreign --sample 20 $(sort $(dir $(wildcard $(SHARED)/eval/*/qrels.tsv $(SHARED)/eval-people/*/qrels.tsv))) > eval/foreign.txt && cat eval/foreign.txt; \
	else echo "no test sets in $(SHARED)/eval: eval/foreign.txt was left alone"; fi

conformance: ## the MCP server against the protocol's own suites, from npm
	internal/surface/mcp/conformance/run.sh

load: ## the server under many clients, calls, frames and pipes
	DOCENT_LOAD=1 go test -count=1 -timeout 20m -v -run 'ManyClients|Pipes|FirstAnswer|RandomFrames|EndOfInputWaits|NoAnswerIsDearer' ./internal/surface/mcp ./internal/surface/cli | grep -v '^=== '

gates: ## the fault-and-attack programme, into docs/reliability.md; about two hours, GATES_FUZZ=50000000x adds days
	GATES_FUZZ=$${GATES_FUZZ:-10s} go run ./internal/gates -write docs/reliability.md

gates-short: ## the same with fewer cases, in minutes
	go run ./internal/gates -short

tokens: ## what an agent reads until it has the answer, with docent and without
	@DOCENT_TOKENS=1 go test -count=1 -run TestTokensUntilTheAnswer -v ./internal/surface/mcp | sed -n 's/^ *[a-z_]*\.go:[0-9]*: |/|/p'

WEAVIATE ?= $(HOME)/.cache/docent-weaviate
weaviate: ## builds the Weaviate server that the cluster is tested with, about four minutes
	GOBIN=$(WEAVIATE) go install -trimpath -ldflags '-s -w' github.com/weaviate/weaviate/cmd/weaviate-server@v1.39.3

# With DOCENT_PARITY, 500 questions are compared and the whole of mdn-reference is imported, where the
# shared folder has it: a quarter of an hour. Without, as .ci/run does it, 60 questions and 600 documents.
cluster: ## three nodes on this machine: parity, imports and a leader killed, two nodes down
	DOCENT_WEAVIATE=$${DOCENT_WEAVIATE:-$(WEAVIATE)/weaviate-server} DOCENT_PARITY=1 go test -count=1 -timeout 60m -v -run 'TestCluster$$' .

torture: ## the index under ill treatment, at length
	DOCENT_TORTURE=1 go test -count=1 -timeout 60m -run 'Torture|Incremental|Compact|Deterministic|Damaged|Writers|Killed|FullDisk|Burst|AnyWord|AnyQuestion' -v . ./internal/engine/segment ./internal/library/... ./internal/indexset ./internal/source/fetch ./internal/surface/cli ./internal/store/sqlite

.PHONY: browser
browser: ## try the pages in Chromium, where there is one
	@cd internal/surface/web/browser && if go mod download 2>/dev/null; then go test ./...; else echo "chromedp cannot be had: the pages were not tried in a browser"; fi
