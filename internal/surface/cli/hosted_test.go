package cli

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/docent-md/docent/tool"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const (
	aliceToken = "alice-has-this-token"
	bobToken   = "bob-has-that-token-x"
	opsToken   = "ops-has-another-token"
)

// A hosted server has the indexes docs, atlas and vault. Alice sees docs, bob docs and
// atlas, ops all and the metrics.
type hosted struct {
	t        *testing.T
	url, dir string
	log      string // the access log's file
	stop     func() error
	notes    chan string // lines on standard error
}

func startHosted(t *testing.T, args ...string) *hosted {
	t.Helper()
	for _, v := range []string{"XDG_CACHE_HOME", "XDG_CONFIG_HOME", "HOME"} {
		t.Setenv(v, t.TempDir())
	}
	t.Setenv("DOCENT_TOKEN", "")
	dir := t.TempDir()
	h := &hosted{t: t, dir: dir, log: filepath.Join(dir, "access.log"), notes: make(chan string, 100)}
	h.write("docs/keys.md", "# Keys\n\nRotate keys monthly.\n\n## Rotate a key\n\nMake a second key, as in `rotate`.\n\n```go\nrotate()\n```\n")
	h.write("atlas/start.md", "# Start\n\nBegin here, and rotate keys.\n")
	h.write("vault/pay.md", "# Zanzibar\n\nRotate keys of the zanzibar.\n\n```go\nzanzibar()\n```\n")
	h.write("tokens", "alice "+aliceToken+" docs\nbob "+bobToken+" docs,atlas\nops "+opsToken+" * metrics\n")
	all := []string{"--http", "127.0.0.1:0", "--token-file", filepath.Join(dir, "tokens"), "--access-log", h.log}
	for _, name := range []string{"docs", "atlas", "vault"} {
		all = append(all, "--corpus", name+"="+filepath.Join(dir, name))
	}
	h.start(append(all, args...))
	return h
}

// start runs "docent serve" until stop is called, or the test ends.
func (h *hosted) start(args []string) {
	t := h.t
	t.Helper()
	errR, errW := io.Pipe()
	cmd := newServe(newConsole(strings.NewReader(""), io.Discard, errW))
	cmd.SetArgs(args)
	cmd.SilenceErrors, cmd.SilenceUsage = true, true
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() {
		done <- cmd.ExecuteContext(ctx)
		_ = errW.Close()
	}()
	lines := bufio.NewReader(errR)
	line, err := lines.ReadString('\n')
	if err != nil {
		t.Fatalf("%v: %v", err, <-done)
	}
	go func() {
		for {
			line, err := lines.ReadString('\n')
			if err != nil {
				return
			}
			h.notes <- line
		}
	}()
	_, at, _ := strings.Cut(strings.TrimSpace(line), " at ")
	h.url = strings.TrimSuffix(at, "/mcp")
	ended := false
	h.stop = func() error {
		if ended {
			return nil
		}
		ended = true
		cancel()
		return <-done
	}
	t.Cleanup(func() { _ = h.stop() })
}

// The server of examples/compose starts, and its users see what its token file says.
func TestComposeExampleServes(t *testing.T) {
	for _, v := range []string{"XDG_CACHE_HOME", "XDG_CONFIG_HOME", "HOME"} {
		t.Setenv(v, t.TempDir())
	}
	t.Setenv("DOCENT_TOKEN", "")
	examples := filepath.Join("..", "..", "..", "examples")
	raw, err := os.ReadFile(filepath.Join(examples, "compose", "compose.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	here := strings.NewReplacer("/srv/docs", filepath.Join(examples, "harbour"), "/etc/docent/tokens", filepath.Join(examples, "compose", "tokens.example"),
		"0.0.0.0:8300", "127.0.0.1:0", "${DOCENT_HOST:-localhost}", "localhost")
	var args []string
	for line := range strings.Lines(string(raw)) {
		if flag, ok := strings.CutPrefix(strings.TrimSpace(line), "- --"); ok {
			args = append(args, "--"+here.Replace(flag))
		}
	}
	h := &hosted{t: t, notes: make(chan string, 100)}
	h.start(args)
	for token, want := range map[string]string{
		"alice-needs-a-better-token": "[1] keys.md#rotate-a-key", "bob-needs-a-better-token": "docs:guide/keys.md#rotate-a-key", "ops-needs-a-better-token": "guide:keys.md#rotate-a-key",
	} {
		if text := h.call(token, "search", map[string]any{"query": "rotate a key", "full": true}); !strings.Contains(text, want) {
			t.Errorf("%s: no %s in\n%s", token, want, text)
		}
	}
}

func (h *hosted) write(name, text string) {
	h.t.Helper()
	file := filepath.Join(h.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		h.t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		h.t.Fatal(err)
	}
}

// rpc sends a request to the endpoint and returns the status and the message.
func (h *hosted) rpc(token, method string, params any) (int, string) {
	h.t.Helper()
	body, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
	if err != nil {
		h.t.Fatal(err)
	}
	return h.send(http.MethodPost, "/mcp", token, body)
}

func (h *hosted) call(token, tool string, args map[string]any) string {
	_, text := h.rpc(token, "tools/call", map[string]any{"name": tool, "arguments": args})
	return text
}

func (h *hosted) send(method, path, token string, body []byte) (int, string) {
	h.t.Helper()
	r, err := http.NewRequest(method, h.url+path, bytes.NewReader(body))
	if err != nil {
		h.t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		h.t.Fatal(err)
	}
	defer res.Body.Close()
	raw, err := io.ReadAll(res.Body)
	if err != nil {
		h.t.Fatal(err)
	}
	return res.StatusCode, string(raw)
}

// Alice asks for an index that she may not see, in every way there is: each tool with each
// of its parameters, resources, prompts, completions and pages. The answers are those that
// she gets for an index that does not exist, and none has a word of the others.
func TestUsersLearnNothingOfOtherIndexes(t *testing.T) {
	h := startHosted(t, "--tools", "all")
	initialize := map[string]any{"protocolVersion": "2025-11-25", "capabilities": map[string]any{}, "clientInfo": map[string]any{"name": "t", "version": "1"}}
	ask := func(token, index string) map[string]string {
		got := map[string]string{}
		add := func(name string, status int, text string) { got[name] = fmt.Sprint(status, " ", text) }
		rpc := func(name, method string, params any) {
			status, text := h.rpc(token, method, params)
			add(name, status, text)
		}
		rpc("initialize", "initialize", initialize)
		for _, list := range []string{"tools/list", "resources/list", "resources/templates/list", "prompts/list"} {
			rpc(list, list, map[string]any{})
		}
		for _, uri := range []string{"docent://" + index + "/pay.md", "docent://docs/../" + index + "/pay.md", "docent://docs/" + index + ":pay.md"} {
			rpc("read "+strings.Replace(uri, index, "INDEX", 1), "resources/read", map[string]any{"uri": uri})
			rpc("subscribe "+strings.Replace(uri, index, "INDEX", 1), "resources/subscribe", map[string]any{"uri": uri})
		}
		rpc("complete", "completion/complete", map[string]any{
			"ref": map[string]any{"type": "ref/resource", "uri": "docent://" + index + "/{+path}"}, "argument": map[string]any{"name": "path", "value": "p"},
		})
		for _, op := range tool.All() {
			name := op.Name
			if op.Agent.Name != "" {
				name = op.Agent.Name
			}
			for _, place := range []string{index, index + ":", index + ":pay.md", index + ":pay.md#zanzibar", "../" + index + "/pay.md"} {
				args := map[string]any{}
				for _, f := range op.Input {
					if f.Kind == "string" && len(f.Enum) == 0 {
						args[f.Name] = place
					}
				}
				rpc(name+" of "+strings.Replace(place, index, "INDEX", 1), "tools/call", map[string]any{"name": name, "arguments": args})
			}
			for _, names := range []string{index, "docs," + index, "all"} {
				args := map[string]any{"index": names}
				for _, f := range op.Input {
					if f.Required {
						args[f.Name] = "keys"
					}
				}
				rpc(name+" in "+strings.Replace(names, index, "INDEX", 1), "tools/call", map[string]any{"name": name, "arguments": args})
			}
		}
		for _, page := range []string{"/", "/?q=rotate+keys", "/hits?q=rotate+keys", "/hits?q=rotate&in=INDEX", "/read/pay.md?in=INDEX", "/read/INDEX:pay.md", "/picture/../INDEX/pay.md", "/picture/pay.png?in=INDEX", "/map?in=INDEX", "/health", "/index", "/index?in=INDEX", "/metrics", "/healthz", "/nothing"} {
			status, text := h.send(http.MethodGet, strings.ReplaceAll(page, "INDEX", index), token, nil)
			add("page "+page, status, text)
		}
		return got
	}
	// The words must be there to be hidden.
	if text := h.call(opsToken, "search", map[string]any{"query": "zanzibar"}); !strings.Contains(text, "vault:pay.md#zanzibar") {
		t.Fatalf("ops does not see the vault: %s", text)
	}
	for user, token := range map[string]string{"alice": aliceToken, "bob": bobToken} {
		existing, missing := ask(token, "vault"), ask(token, "nowhere")
		for name, text := range existing {
			if want := missing[name]; strings.ReplaceAll(text, "vault", "nowhere") != want && !strings.HasPrefix(name, "page /map") {
				t.Errorf("%s, %s: an index that exists differs from one that does not:\n%s\n%s", user, name, text, want)
			}
		}
		for name, text := range missing {
			for _, word := range []string{"vault", "anzibar", "pay.md", "atlas", "ops", bobToken, h.dir} {
				if word == "pay.md" && strings.Contains(name, "pay.md") || word == "anzibar" && strings.Contains(name, "zanzibar") || word == "atlas" && user == "bob" {
					continue // which the question has
				}
				if strings.Contains(text, word) {
					t.Errorf("%s, %s has %q:\n%.600s", user, name, word, text)
				}
			}
		}
	}
	if text := h.call(bobToken, "search", map[string]any{"query": "rotate keys"}); !strings.Contains(text, "docs:keys.md") || !strings.Contains(text, "atlas:start.md") {
		t.Errorf("bob does not see his own: %s", text)
	}
	if text := h.call(bobToken, "read", map[string]any{"ref": "atlas:start.md"}); !strings.Contains(text, "Begin here") {
		t.Errorf("bob cannot follow a Ref: %s", text)
	}
	if text := h.call(aliceToken, "search", map[string]any{"query": "rotate keys"}); !strings.Contains(text, "[1] keys.md#") {
		t.Errorf("alice does not see her own: %s", text)
	}
}

// A session of one user is not that of another who chose the same name.
func TestSessionsBelongToUsers(t *testing.T) {
	h := startHosted(t)
	args := map[string]any{"query": "rotate keys", "session": "s"}
	first, again := h.call(aliceToken, "search", args), h.call(aliceToken, "search", args)
	if !strings.Contains(first, "Rotate keys monthly") || strings.Contains(again, "Rotate keys monthly") {
		t.Fatalf("sessions do not work:\n%s\n%s", first, again)
	}
	h.write("tokens", "alice "+aliceToken+" docs\neve eve-has-yet-another-token docs\n")
	h.waitFor("the token file was read again")
	if text := h.call("eve-has-yet-another-token", "search", args); !strings.Contains(text, "Rotate keys monthly") {
		t.Errorf("eve is told what alice was sent:\n%s", text)
	}
	if status, _ := h.rpc(bobToken, "tools/list", map[string]any{}); status != http.StatusUnauthorized {
		t.Errorf("bob is still let in: %d", status)
	}
	h.write("tokens", "alice "+aliceToken+" dcos\n")
	h.waitFor(`alice may see "dcos", and no index has that name`)
	if status, _ := h.rpc(aliceToken, "tools/list", map[string]any{}); status != http.StatusOK {
		t.Errorf("a mistake in the file locks alice out: %d", status)
	}
}

// waitFor waits for a line on standard error.
func (h *hosted) waitFor(text string) {
	h.t.Helper()
	for line := range h.notes {
		if strings.Contains(line, text) {
			return
		}
	}
}

func TestAccessLogOfCalls(t *testing.T) {
	for _, questions := range []bool{false, true} {
		var args []string
		if questions {
			args = append(args, "--log-questions")
		}
		h := startHosted(t, args...)
		h.call(bobToken, "search", map[string]any{"query": "rotate the zebra", "index": "atlas"})
		h.call(bobToken, "made-up-secret", nil)
		h.send(http.MethodGet, "/?q=the+zebra", bobToken, nil)
		if err := h.stop(); err != nil {
			t.Fatal(err)
		}
		raw, err := os.ReadFile(h.log)
		if err != nil {
			t.Fatal(err)
		}
		first, _, _ := strings.Cut(string(raw), "\n")
		for _, want := range []string{`"user":"bob"`, `"tool":"search"`, `"index":"atlas"`, `"outcome":"ok"`, `"status":200`} {
			if !strings.Contains(first, want) {
				t.Errorf("no %s in %s", want, first)
			}
		}
		if strings.Contains(string(raw), "zebra") != questions || strings.Contains(string(raw), "made-up") || strings.Contains(string(raw), bobToken) {
			t.Errorf("with questions %v:\n%s", questions, raw)
		}
	}
}

// A client that listens is told of changes to what it sees, and does not keep the server
// from ending, however much time that has.
func TestListenersAreToldAndLetGo(t *testing.T) {
	h := startHosted(t, "--watch", "--grace", "1h")
	changed := make(chan struct{}, 100)
	c := mcp.NewClient(&mcp.Implementation{Name: "t", Version: "1"}, &mcp.ClientOptions{
		ResourceListChangedHandler: func(context.Context, *mcp.ResourceListChangedRequest) { changed <- struct{}{} },
	})
	as := &http.Client{Transport: withToken{http.DefaultTransport, aliceToken}}
	cs, err := c.Connect(t.Context(), &mcp.StreamableClientTransport{Endpoint: h.url + "/mcp", HTTPClient: as, MaxRetries: -1}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer cs.Close()
	for n := 0; ; n++ { // the first may come before the server knows what there was
		h.write(fmt.Sprintf("docs/new%d.md", n), "# New\n")
		h.write(fmt.Sprintf("vault/new%d.md", n), "# New\n")
		select {
		case <-changed:
		case <-time.After(200 * time.Millisecond):
			continue
		}
		break
	}
	if err := h.stop(); err != nil {
		t.Error(err)
	}
}

func TestTimeLimit(t *testing.T) {
	h := startHosted(t, "--time-limit", "1ns")
	if _, text := h.rpc(aliceToken, "tools/call", map[string]any{"name": "search", "arguments": map[string]any{"query": "keys"}}); !strings.Contains(text, "took longer than 1ns") {
		t.Errorf("got %s", text)
	}
}

func TestHostFlagsThatContradict(t *testing.T) {
	for _, v := range []string{"XDG_CACHE_HOME", "XDG_CONFIG_HOME", "HOME"} {
		t.Setenv(v, t.TempDir())
	}
	dir := t.TempDir()
	tokens := filepath.Join(dir, "tokens")
	if err := os.WriteFile(tokens, []byte("alice "+aliceToken+" docs\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	corpus := "docs=" + dir
	for _, tt := range []struct{ line, want string }{
		{"--token-file " + tokens, "--token-file goes with --http"},
		{"--rate 5", "--rate goes with --http"},
		{"--max-concurrent 5", "--max-concurrent goes with --http"},
		{"--max-body 5k", "--max-body goes with --http"},
		{"--time-limit 5s", "--time-limit goes with --http"},
		{"--grace 5s", "--grace goes with --http"},
		{"--access-log -", "--access-log goes with --http"},
		{"--http 0 --log-questions", "--log-questions goes with --access-log"},
		{"--http 0 --token x --token-file " + tokens, "--token and --token-file contradict"},
		{"--corpus " + corpus + " --root " + dir, "--root and --corpus contradict"},
		{"--corpus " + corpus + " --index docs", "--index is for one index"},
		{"--corpus " + corpus + " --db x.db", "--db cannot be served with --corpus"},
		{"--corpus " + corpus + " --name x", "--name is for one index"},
		{"--corpus " + corpus + " --description x", "--description is for one index"},
		{"--corpus " + corpus + " --allow-index " + dir, "--allow-index cannot be had"},
		{"--corpus " + corpus + " --corpus " + corpus, "there is another docs"},
		{"--corpus docs", "no name and folder"},
		{"--corpus a/b=" + dir, "index name"},
		{"--corpus docs=" + dir + "/nope", "path not found"},
		{"--http 0 --rate -1", "--rate: must be positive"},
		{"--http 0 --max-body 1", "between 1k and 4M"},
		{"--http 0 --max-body 5x", "between 1k and 4M"},
		{"--http 0 --corpus a=" + dir + " --token-file " + tokens, `alice may see "docs", and no index has that name`},
		{"--http 0 --corpus " + corpus + " --token-file " + tokens + "-not", "no such file"},
		{"--http 0 --corpus " + corpus + " --tools serch", `no tool is called "serch"`},
		{"--http 0.0.0.0:0 --corpus " + corpus, "needs a token"},
	} {
		cmd := newServe(newConsole(strings.NewReader(""), io.Discard, io.Discard))
		cmd.SilenceErrors, cmd.SilenceUsage = true, true
		cmd.SetArgs(strings.Fields(tt.line))
		if err := cmd.ExecuteContext(t.Context()); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v", tt.line, err)
		}
	}
}

// The start page tells people where their agents connect, and that a token is needed. A
// user of several indexes was not told, nor of https where a proxy has the certificate.
func TestStartPageNamesTheEndpoint(t *testing.T) {
	h := startHosted(t, "--behind-proxy")
	for user, token := range map[string]string{"alice, who sees one index": aliceToken, "bob, who sees two": bobToken} {
		status, page := h.send(http.MethodGet, "/", token, nil)
		for _, want := range []string{
			"<code>" + h.url + "/mcp</code>",
			"claude mcp add --transport http docs " + h.url + "/mcp --header \"Authorization: Bearer $DOCENT_TOKEN\"",
			"docent mcp-config --client codex --http " + h.url + "/mcp --with-token",
		} {
			if status != http.StatusOK || !strings.Contains(page, want) {
				t.Errorf("%s: %d, no %q in\n%s", user, status, want, page)
			}
		}
		if strings.Contains(page, "docent setup") {
			t.Errorf("%s is told to type at a machine that is elsewhere", user)
		}
	}
	r, err := http.NewRequest(http.MethodGet, h.url+"/", nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+bobToken)
	r.Header.Set("X-Forwarded-Proto", "https")
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if page, err := io.ReadAll(res.Body); err != nil || !strings.Contains(string(page), "<code>https"+strings.TrimPrefix(h.url, "http")+"/mcp</code>") {
		t.Errorf("behind a proxy with TLS (%v):\n%s", err, page)
	}
}
