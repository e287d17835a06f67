package cli

import "maps"

// A flagTrial is how a flag is tried.
type flagTrial struct {
	flag  string // with its value
	with  string // what both runs have besides, so that the flag can tell
	stdin string
	fails bool // the flag makes the run fail for a reason of its own

	elsewhere string            // why it is not tried here, and where it is
	nothing   map[string]string // the kinds of store where there is nothing to tell, and why
}

// flagProject has what flags tell apart: several documents, a link that leads nowhere,
// code in two languages, a file that cannot be read, and one that rules leave out.
var flagProject = map[string]string{
	".docent.json":       `{"paths": [".", "docs/guide"]}`,
	"docs/keys.md":       "# Keys\n\nKeys open doors. A key is kept safe, and keys are rotated. See [logs](logs.md) and [nothing](gone.md).\n\n## Rotate keys\n\nRotate the keys every month: the old keys stay valid for a day.\n\n```go\nfunc rotate(key string) error {\n\treturn nil\n}\n```\n\n```python\ndef rotate(key):\n    pass\n```\n\n### Lost keys\n\nA lost key must be revoked at once, and the doors get new locks, whatever that costs.\n",
	"docs/logs.md":       "---\nstatus: draft\n---\n# Logs\n\nLogs say who rotated keys. See [keys](keys.md#rotate-keys).\n\n```go\nrotate(\"front\")\n```\n",
	"docs/guide/one.md":  "# Guide\n\nHow to rotate keys, in one page.\n\n```go\nrotate(\"back\")\n```\n",
	"docs/bad.md":        "# caf\xe9\n",
	"vendor/left.md":     "# Left out\n\nKeys of others.\n",
	"other/.docent.json": `{"sources": [{"path": "ref-docs/x", "url": "acme/x"}]}`,
	"other/a.md":         "# Another project\n\nKeys of another project.\n",
	"extra/b.md":         "# Extra\n\nMore keys.\n",
}

// stdinRecords is what "docent chunks" prints, for a pipe.
const stdinRecords = `{"section_id":"p.md#p","parent_id":null,"title":"P","path":"P","content":"# P\n\nPiped keys.\n","source":{"id":"p.md","file":"p.md","lines":[1,3]}}` + "\n"

// mcpFrames ask a server what it offers.
const mcpFrames = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
{"jsonrpc":"2.0","id":2,"method":"tools/list"}
{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"toc","arguments":{}}}
`

// everyStore is a command over a store of every kind.
func everyStore(command string) map[string]string {
	return map[string]string{
		"folder": command + " --root .", "pack": command + " --root docs.docent", "database": command + " --db docs.db", "named index": command + " --index own",
	}
}

// folderOnly is a command that knows one kind of store.
func folderOnly(command string) map[string]string { return map[string]string{"folder": command} }

// and adds another way to run a command.
func and(runs map[string]string, kind, line string) map[string]string {
	out := maps.Clone(runs)
	out[kind] = line
	return out
}

// flagRuns are the ways to run every command, by the kind of store.
var flagRuns = map[string]map[string]string{
	"add":            folderOnly("add extra"),
	"agents-md":      everyStore("agents-md"),
	"bench":          folderOnly("bench ."),
	"cache":          folderOnly("cache"),
	"cache rm":       folderOnly("cache rm"),
	"call":           everyStore("call toc {}"),
	"changes":        everyStore("changes"),
	"check":          everyStore("check"),
	"chunks":         and(folderOnly("chunks docs"), "stdin", "chunks -"),
	"cite":           everyStore("cite docs/keys.md#rotate-keys"),
	"cluster":        folderOnly("cluster"),
	"cluster drop":   folderOnly("cluster drop"),
	"cluster init":   folderOnly("cluster init"),
	"cluster status": folderOnly("cluster status"),
	"cost":           folderOnly("cost"),
	"eval":           folderOnly("eval"),
	"examples":       everyStore("examples rotate"),
	"explain":        everyStore("explain rotate"),
	"export":         folderOnly("export . --db new.db"),
	"fields":         everyStore("fields"),
	"files":          everyStore("files guide one keys logs"),
	"graph":          everyStore("graph docs/keys.md"),
	"grep":           everyStore("grep"),
	"index": {
		"folder": "index --root .", "database": "index --db docs.db", "named index": "index --name own", "stdin": "index - --db docs.db",
	},
	"indexes":    folderOnly("indexes"),
	"indexes rm": folderOnly("indexes rm ops"),
	"info":       everyStore("info docs/keys.md"),
	"init":       folderOnly("init extra"),
	"links":      everyStore("links docs/keys.md"),
	"list":       everyStore("list"),
	"llms-txt":   everyStore("llms-txt"),
	"ls":         everyStore("ls"),
	"manifest":   everyStore("manifest"),
	"mcp-config": folderOnly("mcp-config"),
	"node":       everyStore("node docs/keys.md"),
	"open":       everyStore("open"),
	"pack":       folderOnly("pack ."),
	"read":       everyStore("read docs/keys.md"),
	"related":    everyStore("related docs/keys.md"),
	"remove":     folderOnly("remove docs/guide"),
	"report":     everyStore("report -o x.html"),
	"search":     everyStore("search keys"),
	"section":    everyStore("section docs/keys.md"),
	"serve":      everyStore("serve"),
	"setup":      folderOnly("setup"),
	"skill":      everyStore("skill"),
	"snippets":   everyStore("snippets rotate"),
	"sources":    folderOnly("sources"),
	"stats":      everyStore("stats"),
	"status":     everyStore("status"),
	"toc":        and(and(everyStore("toc"), "files", "toc docs"), "stdin", "toc -"),
	"tools":      folderOnly("tools"),
	"train":      folderOnly("train"),
	"update":     folderOnly("update"),
	"verify":     everyStore("verify docs/keys.md#keys:1-22@1e46ab15"),
	"version":    folderOnly("version"),
	"watch":      folderOnly("watch"),
}

const (
	needsCluster = "needs a cluster: cluster_test.go, cluster.txt"
	needsClients = "needs MCP clients on the machine: mcpconfig.txt"
	measures     = "it measures, and no two runs print the same"
	fetches      = "needs something to fetch: sources.txt, trust.txt, versions.txt"
	trains       = "takes long: train.txt"
	noSkips      = "standard input is read or refused: no file is skipped"
	endless      = "runs until it is interrupted: serve_test.go, pages_test.go, watch_test.go"
)

// flagTrials are those of all commands with such a flag, and those of a command's own.
var flagTrials = map[string]flagTrial{
	"--json":       {flag: "--json"},
	"--root":       {flag: "--root other", fails: true},
	"--index":      {flag: "--index ops", fails: true},
	"--global":     {flag: "--global", fails: true},
	"--db":         {flag: "--db other.db", fails: true},
	"--cluster":    {flag: "--cluster http://127.0.0.1:1", fails: true},
	"--tenant":     {flag: "--tenant x"},
	"--no-refresh": {flag: "--no-refresh"},
	"--limit":      {flag: "--limit 1"},
	"--budget":     {flag: "--budget 60"},
	"--file":       {flag: "--file docs/logs.md"},
	"--where":      {flag: "--where status=draft"},
	"--changed":    {flag: "--changed"},

	"--changed-since": {flag: "--changed-since 2999-01-01"},
	"--lang":          {flag: "--lang python"},

	"add --path": {elsewhere: fetches}, "add --branch": {elsewhere: fetches}, "add --rev": {elsewhere: fetches}, "add --verbose": {elsewhere: fetches}, "add --as": {elsewhere: fetches},
	"add --no-index": {flag: "--no-index"},

	"agents-md --budget": {flag: "--budget 100", fails: true},
	"agents-md --write":  {flag: "--write"},

	"bench --pattern": {elsewhere: measures}, "bench --runs": {elsewhere: measures}, "bench --json": {elsewhere: measures},

	"cache rm --all": {elsewhere: "needs indexes in the cache: cache.txt"},

	"changes --since":   {flag: "--since HEAD~1", fails: true},
	"changes --between": {flag: "--between own ops"},

	"check --only":  {flag: "--only orphan"},
	"check --sarif": {flag: "--sarif"},
	"check --file":  {flag: "--file docs/logs.md"},

	"chunks --max-chunk-size": {flag: "--max-chunk-size 30", stdin: flagProject["docs/keys.md"]},
	"chunks --min-chunk-size": {flag: "--min-chunk-size 0", stdin: flagProject["docs/keys.md"]},
	"chunks --depth":          {flag: "--depth 1", with: "--min-chunk-size 0", stdin: flagProject["docs/keys.md"]},
	"chunks --window":         {flag: "--window", stdin: flagProject["docs/keys.md"]},
	"chunks --tokens":         {flag: "--tokens chars4", with: "--max-chunk-size 50 --min-chunk-size 0", stdin: flagProject["docs/keys.md"]},
	"chunks --json":           {flag: "--json", stdin: flagProject["docs/keys.md"]},
	"chunks --verbose":        {flag: "--verbose", nothing: map[string]string{"stdin": noSkips}},

	"cluster drop --all": {elsewhere: needsCluster}, "cluster drop --cluster": {elsewhere: needsCluster}, "cluster drop --tenant": {elsewhere: needsCluster}, "cluster drop --yes": {elsewhere: needsCluster},
	"cluster init --cluster": {elsewhere: needsCluster}, "cluster init --tenant": {elsewhere: needsCluster}, "cluster init --replicas": {elsewhere: needsCluster},
	"cluster status --cluster": {elsewhere: needsCluster}, "cluster status --tenant": {elsewhere: needsCluster}, "cluster status --json": {elsewhere: needsCluster},

	"eval --rerank": {elsewhere: measures}, "eval --foreign": {elsewhere: measures},
	"eval --json": {elsewhere: measures}, "eval --mode": {elsewhere: measures}, "eval --fusion": {elsewhere: measures}, "eval --embed": {elsewhere: measures},
	"eval --ways": {elsewhere: measures}, "eval --synonyms": {elsewhere: measures}, "eval --model": {elsewhere: measures}, "eval --triplets": {elsewhere: measures},
	"eval --root": {elsewhere: measures}, "eval --sample": {elsewhere: measures}, "eval --save": {elsewhere: measures}, "eval --against": {elsewhere: measures},

	"graph --no-embeddings": {flag: "--no-embeddings", with: "--json"},
	"examples --symbol":     {flag: "--symbol key"},

	"grep --glob":               {flag: "--glob docs/logs.md", with: "keys"},
	"grep --ignore-case":        {elsewhere: "it names the default"},
	"grep --regexp":             {flag: "--regexp keys"},
	"grep --line-number":        {elsewhere: "it names the default"},
	"grep --recursive":          {elsewhere: "it names the default"},
	"grep --extended-regexp":    {elsewhere: "it names the default"},
	"grep --color":              {flag: "--color=always", with: "keys"},
	"grep --case-sensitive":     {flag: "--case-sensitive", with: "keys"},
	"grep --word-regexp":        {flag: "--word-regexp", with: "key"},
	"grep --fixed-strings":      {flag: "--fixed-strings", with: "k.ys"},
	"grep --after-context":      {flag: "--after-context 2", with: "Rotate"},
	"grep --before-context":     {flag: "--before-context 2", with: "Rotate"},
	"grep --context":            {flag: "--context 2", with: "Rotate"},
	"grep --count":              {flag: "--count", with: "keys"},
	"grep --files-with-matches": {flag: "--files-with-matches", with: "keys"},
	"grep --max-count":          {flag: "--max-count 1", with: "keys"},
	"grep --limit":              {flag: "--limit 1", with: "keys"},
	"grep --where":              {flag: "--where status=draft", with: "keys"},
	"grep --changed-since":      {flag: "--changed-since 2999-01-01", with: "keys"},
	"grep --json":               {flag: "--json", with: "keys"},
	"grep --root":               {flag: "--root other", with: "keys", fails: true},
	"grep --index":              {flag: "--index ops", with: "keys", fails: true},
	"grep --global":             {flag: "--global", with: "keys", fails: true},
	"grep --no-refresh":         {flag: "--no-refresh", with: "keys"},
	"grep --db":                 {flag: "--db other.db", with: "keys", fails: true},
	"grep --cluster":            {flag: "--cluster http://127.0.0.1:1", with: "keys", fails: true},
	"grep --tenant":             {flag: "--tenant x", with: "keys"},

	"index --db":          {flag: "--db other.db", stdin: stdinRecords, fails: true},
	"index --cluster":     {flag: "--cluster http://127.0.0.1:1", stdin: stdinRecords, fails: true},
	"index --tenant":      {flag: "--tenant x", stdin: stdinRecords},
	"index --full":        {flag: "--full", stdin: stdinRecords},
	"index --root":        {flag: "--root other", stdin: stdinRecords, fails: true, nothing: map[string]string{"stdin": "of a project, records need the settings alone"}},
	"index --embed":       {flag: "--embed base", stdin: stdinRecords, fails: true},
	"index --model":       {flag: "--model nowhere", stdin: stdinRecords, fails: true},
	"index --name":        {flag: "--name new", stdin: stdinRecords},
	"index --description": {flag: "--description about", with: "--json", stdin: stdinRecords},
	"index --windows":     {flag: "--windows", stdin: stdinRecords, fails: true},
	"index --ignore":      {flag: "--ignore logs.md", stdin: stdinRecords},
	"index --global":      {flag: "--global", stdin: stdinRecords},
	"index --summaries":   {flag: "--summaries", stdin: stdinRecords, fails: true},
	"index --yes":         {flag: "--yes", stdin: stdinRecords},
	"index --json":        {flag: "--json", stdin: stdinRecords},
	"index --verbose":     {flag: "--verbose", stdin: stdinRecords, nothing: map[string]string{"stdin": noSkips}},

	"llms-txt --budget":   {flag: "--budget 300"},
	"llms-txt --base-url": {flag: "--base-url https://example.com/"},

	"links --depth":       {flag: "--depth 2"},
	"mcp-config --client": {flag: "--client cursor"},
	"mcp-config --root":   {flag: "--root other"},

	"mcp-config --http":       {flag: "--http http://127.0.0.1:8300/mcp"},
	"mcp-config --with-token": {flag: "--with-token", with: "--http http://127.0.0.1:8300/mcp"},
	"mcp-config --write":      {flag: "--write", with: "--client cursor"},
	"mcp-config --remove":     {flag: "--remove", with: "--client cursor"},
	"manifest --offset":       {flag: "--offset 1"},
	"setup --yes":             {elsewhere: needsClients},
	"setup --root":            {elsewhere: needsClients},
	"setup --remove":          {flag: "--remove"},

	"open --no-browser": {elsewhere: endless}, "open --root": {elsewhere: endless}, "open --index": {elsewhere: endless}, "open --global": {elsewhere: endless},
	"open --db": {elsewhere: endless}, "open --cluster": {elsewhere: endless}, "open --tenant": {elsewhere: endless}, "open --no-refresh": {elsewhere: endless},

	"pack --output":  {flag: "--output y.docent", with: "-o x.docent"},
	"pack --vectors": {flag: "--vectors", with: "-o x.docent"},
	"pack --force":   {flag: "--force", with: "-o docs/keys.md"},
	"pack --verify":  {flag: "--verify", with: "-o x.docent", fails: true},
	"pack --json":    {flag: "--json", with: "-o x.docent"},

	"read --offset": {flag: "--offset 3"},
	"read --limit":  {flag: "--limit 2"},
	"read --plain":  {flag: "--plain"},

	"remove --delete":   {flag: "--delete", fails: true},
	"remove --no-index": {flag: "--no-index"},

	"report --output": {flag: "--output y.html"},

	"search --results":     {flag: "--results 1"},
	"search --exact":       {flag: "--exact", with: "open"},
	"search --explain":     {flag: "--explain"},
	"search --leads":       {flag: "--leads", with: "--budget 60"},
	"search --full":        {flag: "--full"},
	"section --around":     {flag: "--around"},
	"search --references":  {flag: "--references"},
	"search --expand":      {flag: "--expand 1", with: "-n 1"},
	"search --mode":        {flag: "--mode lexical", with: "--explain"},
	"search --fusion":      {flag: "--fusion rrf", with: "--explain"},
	"search --rerank":      {flag: "--rerank=claude"},
	"search --rerank-ms":   {elsewhere: "limits time, which no test can rely on"},
	"search --json-answer": {flag: "--json-answer"},
	"search --jsonl":       {flag: "--jsonl"},
	"search --raw":         {flag: "--raw"},

	"serve --http":        {elsewhere: endless},
	"serve --watch":       {elsewhere: endless},
	"serve --tools":       {flag: "--tools toc", stdin: mcpFrames},
	"serve --structured":  {flag: "--structured", stdin: mcpFrames},
	"serve --name":        {flag: "--name Harbour", stdin: mcpFrames},
	"serve --description": {flag: "--description jobs", stdin: mcpFrames},
	"serve --tool-prefix": {flag: "--tool-prefix x_", stdin: mcpFrames},
	"serve --remember":    {flag: "--remember", stdin: mcpFrames},
	"serve --token":       {flag: "--token secret", stdin: mcpFrames},
	"serve --allow-host":  {flag: "--allow-host example.com", stdin: mcpFrames},
	"serve --allow-index": {flag: "--allow-index docs", stdin: mcpFrames},
	"serve --corpus":      {flag: "--corpus docs=docs", stdin: mcpFrames},
	"serve --token-file":  {flag: "--token-file tokens", stdin: mcpFrames},

	"serve --rate":           {flag: "--rate 5", stdin: mcpFrames},
	"serve --max-concurrent": {flag: "--max-concurrent 5", stdin: mcpFrames},
	"serve --max-body":       {flag: "--max-body 5k", stdin: mcpFrames},
	"serve --time-limit":     {flag: "--time-limit 5s", stdin: mcpFrames},
	"serve --grace":          {flag: "--grace 5s", stdin: mcpFrames},
	"serve --access-log":     {flag: "--access-log x.log", stdin: mcpFrames},
	"serve --behind-proxy":   {flag: "--behind-proxy", stdin: mcpFrames},
	"serve --log-questions":  {flag: "--log-questions", stdin: mcpFrames},

	"serve --no-rerank":  {flag: "--no-rerank", stdin: mcpFrames},
	"serve --root":       {flag: "--root other", stdin: mcpFrames, fails: true},
	"serve --index":      {flag: "--index ops", stdin: mcpFrames, fails: true},
	"serve --global":     {flag: "--global", stdin: mcpFrames, fails: true},
	"serve --db":         {flag: "--db other.db", stdin: mcpFrames, fails: true},
	"serve --cluster":    {flag: "--cluster http://127.0.0.1:1", stdin: mcpFrames, fails: true},
	"serve --tenant":     {flag: "--tenant x", stdin: mcpFrames},
	"serve --no-refresh": {flag: "--no-refresh", stdin: mcpFrames},

	"skill --write": {flag: "--write"},
	"skill --name":  {flag: "--name another"},

	"status --verbose": {flag: "--verbose"},

	"toc --depth":   {flag: "--depth 1", stdin: flagProject["docs/keys.md"]},
	"toc --budget":  {flag: "--budget 60", stdin: flagProject["docs/keys.md"]},
	"toc --offset":  {flag: "--offset 1", stdin: flagProject["docs/keys.md"]},
	"toc --tokens":  {flag: "--tokens chars4", stdin: flagProject["docs/keys.md"]},
	"toc --json":    {flag: "--json", stdin: flagProject["docs/keys.md"]},
	"toc --verbose": {flag: "--verbose", nothing: map[string]string{"stdin": noSkips}},

	"tools --format": {flag: "--format openai"},

	"train --triplets": {elsewhere: trains}, "train --output": {elsewhere: trains}, "train --mine": {elsewhere: trains}, "train --generate": {elsewhere: trains},
	"train --base": {elsewhere: trains}, "train --epochs": {elsewhere: trains}, "train --seed": {elsewhere: trains}, "train --strict": {elsewhere: trains},
	"train --per-chunk": {elsewhere: trains}, "train --limit": {elsewhere: trains}, "train --yes": {elsewhere: trains}, "train --json": {elsewhere: trains},

	"update --approve": {flag: "--approve"}, "update --no-index": {elsewhere: fetches}, "update --verbose": {elsewhere: fetches}, "update --root": {elsewhere: fetches},

	"watch --root": {elsewhere: endless}, "watch --json": {elsewhere: endless},
}
