# Everything here also works by hand; the targets only save typing.
# The product is built without cgo. The race detector needs it, so only that
# line turns it on, and says so where there is no C compiler.

export CGO_ENABLED = 0
TOOL = go tool -modfile=tools/go.mod
BUILD = go build -trimpath -buildvcs=false -ldflags "-s -w -buildid="

.PHONY: build docs recording release test check fmt structure race fuzz fuzz-check bench bench-parse scoreboard foreign match conformance load gates gates-short tokens torture screenshots weaviate cluster

build: ## one static binary, ./docent
	$(BUILD) -o docent ./cmd/docent

docs: ## what is written from the source: docs/commands and THIRD_PARTY.txt
	go test -count=1 ./internal/surface/cli -run TestCommandPages -update
	go test -count=1 ./internal/release/licence -run TestThirdPartyIsCurrent -update

recording: ## the session at the top of the README, docs/images/session.svg
	go run ./internal/recording

release: ## everything that is published of VERSION=v0.1.0, into dist; ten minutes
	go run ./internal/release -version "$(VERSION)"

test: ## go test ./..., and a last line on what was skipped; EVENTS=file keeps what gates-short can judge
	go run ./internal/testrun $(if $(EVENTS),-events="$(EVENTS)") -timeout 30m ./...

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

.PHONY: platforms
platforms: ## tests as other systems see them: 386, arm64 and arm by qemu, Windows by wine, where installed
	tools/platforms.sh

structure: ## how the source is cut up, against what we hold ourselves to; seconds
	go run ./internal/structure

# Packages of the program in which, or in whose tests, anything runs at once. In the others the detector has nothing to see.
CONCURRENT = $$(grep -rlE '^\s*go (func|[A-Za-z.]+\()|\.Go\(|\bsync\.[A-Z]|\batomic\.|t\.Parallel\(|httptest\.' \
	--include='*.go' . | sed 's,/[^/]*$$,,' | grep -vE '^\./(bench|cmd|tools|train)|^\./internal/(agents|surface/clients/matrix)|/browser$$|/testdata' | sort -u)
# A program with the race detector waits a second before it ends, and tests run thousands.
race: ## the race detector over every package with concurrency
	@if command -v "$${CC:-gcc}" >/dev/null; then \
		echo "go test -race -short"; CGO_ENABLED=1 GORACE=atexit_sleep_ms=0 go test -race -short -timeout 30m $(CONCURRENT); \
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

growth: ## what more documents cost: corpora up to 400,000 files, into docs/growth.md; about half an hour and 10 GB of disk
	cd bench && go run . -only growth -plots ../docs/images >growth.tmp && mv growth.tmp ../docs/growth.md

benchmarks: ## docent beside its peers, speed and quality in one run, into docs/benchmarks.md; about twenty minutes
	cd bench && go run . -rounds 5 -only start,build,cold,warm,clients,grep,quality -plots ../docs/images >benchmarks.tmp && mv benchmarks.tmp ../docs/benchmarks.md

bench-parse: ## agreement with and speed against goldmark
	@out=$$(DOCENT_BENCH_PARSE=1 go test -count=1 -run 'TestAgreesWithGoldmark|TestSpeedTable' -v ./internal/text/markdown) || { echo "$$out"; exit 1; }; \
	echo "$$out" | grep '|'

SHARED ?= $(or $(DOCENT_SHARED),../shared)
screenshots: ## pictures of the pages, into docs/images; needs Chromium
	cd internal/surface/web/browser && go run . -root ../../../../examples/harbour -out ../../../../docs/images

scoreboard: build ## search quality on the retrieval test sets
	@if [ -d $(SHARED)/eval ]; then ./docent eval --ways --synonyms eval/synonyms.txt $(sort $(dir $(wildcard $(SHARED)/eval/*/qrels.tsv $(SHARED)/eval-people/*/qrels.tsv))) > eval/scoreboard.txt && go run ./internal/eval/freshness -write && cat eval/scoreboard.txt; \
	else echo "no test sets in $(SHARED)/eval: the scoreboard was left alone"; fi

foreign: build ## which questions without an answer are flagged, on the retrieval test sets
	@if [ -d $(SHARED)/eval ]; then ./docent eval --foreign --sample 20 $(sort $(dir $(wildcard $(SHARED)/eval/*/qrels.tsv $(SHARED)/eval-people/*/qrels.tsv))) > eval/foreign.txt && cat eval/foreign.txt; \
	else echo "no test sets in $(SHARED)/eval: eval/foreign.txt was left alone"; fi

match: ## fits how hits are graded to written questions about the repositories in the folder TEXT; ten minutes
	questions=$$(mktemp) && xz -dc train/reranker/questions.jsonl.xz >$$questions && \
		go run ./internal/eval/calibrate -text "$(TEXT)" -write internal/library/search/weights.go $$questions; rm -f $$questions
	$(TOOL) gofumpt -w internal/library/search/weights.go

conformance: ## the MCP server against the protocol's own suites, from npm
	internal/surface/mcp/conformance/run.sh

# Without a pipe behind it, so that make fails when a test does.
load: ## the server under many clients, calls, frames and pipes
	DOCENT_LOAD=1 go test -count=1 -timeout 60m -v -run 'ManyClients|Pipes|FirstAnswer|RandomFrames|EndOfInputWaits|NoAnswerIsDearer' ./internal/surface/mcp ./internal/surface/cli

gates: ## the fault-and-attack programme, into docs/reliability.md; about two hours, GATES_FUZZ=50000000x adds days
	GATES_FUZZ=$${GATES_FUZZ:-10s} go run ./internal/gates -write docs/reliability.md

gates-short: ## the same with fewer cases, in minutes; with EVENTS=file in seconds, of a run of make test
	go run ./internal/gates -short $(if $(EVENTS),-events "$(EVENTS)")

tokens: ## what an agent reads until it has the answer, with docent and without
	@out=$$(DOCENT_TOKENS=1 go test -count=1 -timeout 60m -run TestTokensUntilTheAnswer -v ./internal/surface/mcp) || { echo "$$out"; exit 1; }; \
	echo "$$out" | sed -n 's/^ *[a-z_]*\.go:[0-9]*: |/|/p'

.PHONY: agents clients
clients: build ## real MCP clients from npm, given docent by mcp-config: the table of docs/clients.md
	go run ./internal/surface/clients/matrix -docent ./docent -write docs/clients.md

AGENTS ?=
agents: build ## a model answers with docent, and with grep: docs/agents.md says which model, and how to read the table
	go run ./internal/agents -docent ./docent -shared $(SHARED) $(AGENTS)

WEAVIATE ?= $(HOME)/.cache/docent-weaviate
weaviate: ## builds the Weaviate server that the cluster is tested with, about four minutes
	GOBIN=$(WEAVIATE) go install -trimpath -ldflags '-s -w' github.com/weaviate/weaviate/cmd/weaviate-server@v1.39.3

# With DOCENT_PARITY, 500 questions are compared and the whole of mdn-reference is imported, where the
# shared folder has it: a quarter of an hour. Without, as .ci/run does it, 60 questions and 600 documents.
cluster: ## three nodes on this machine: parity, imports and a leader killed, two nodes down
	DOCENT_WEAVIATE=$${DOCENT_WEAVIATE:-$(WEAVIATE)/weaviate-server} DOCENT_PARITY=1 go test -count=1 -timeout 60m -v -run 'TestCluster$$' .

torture: ## the index under ill treatment, at length
	DOCENT_TORTURE=1 go test -count=1 -timeout 60m -run 'Torture|Incremental|Compact|Deterministic|Damaged|Writers|Killed|FullDisk|Burst|AnyWord|AnyQuestion|GrepEqualsRipgrep' -v . ./internal/engine/segment ./internal/library/... ./internal/indexset ./internal/source/fetch ./internal/surface/cli ./internal/store/sqlite

.PHONY: browser
browser: ## try the pages in Chromium, where there is one
	@cd internal/surface/web/browser && if go mod download 2>/dev/null; then DOCENT_AXE="$$(./axe.sh)" go test -timeout 60m ./...; else echo "chromedp cannot be had: the pages were not tried in a browser"; fi
