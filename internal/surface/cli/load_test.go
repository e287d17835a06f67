package cli

import (
	"bufio"
	"context"
	"fmt"
	"math"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/docent-md/docent/internal/gates/cases"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// The server as a process of its own, under many clients. "make load" runs these
// at length and with the program as it is shipped; otherwise they are short, and
// the program is this test.
func long() bool { return os.Getenv("DOCENT_LOAD") != "" }

// loadTime bounds how long the clients of a load go on asking. A fifth of their calls are
// questions, and the model may read twenty sections for each: 20,000 calls took four minutes
// of two processors once, and twenty where others worked on them. What was asked in that
// time is what is measured.
const loadTime = 2 * time.Minute

// program returns the docent to run.
func program(t *testing.T) string {
	t.Helper()
	if !long() {
		return "docent" // which TestMain puts into the PATH
	}
	return shipped(t)
}

// shipped returns the program as it is shipped: a test binary has more in it.
func shipped(t *testing.T) string {
	t.Helper()
	file, err := buildOnce()
	if err != nil {
		t.Fatal(err)
	}
	return file
}

// buildOnce builds the program beside the one that TestMain puts into the PATH, whose
// folder is removed at the end.
var buildOnce = sync.OnceValues(func() (string, error) {
	beside, err := exec.LookPath("docent")
	if err != nil {
		return "", err
	}
	file := filepath.Join(filepath.Dir(beside), "shipped"+filepath.Ext(beside))
	if out, err := exec.Command("go", "build", "-trimpath", "-o", file, "../../../cmd/docent").CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w: %s", err, out)
	}
	return file, nil
})

// examples returns the folder of the example docs, and makes their index.
func examples(t *testing.T, docent string) string {
	t.Helper()
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	dir, err := filepath.Abs(filepath.Join("..", "..", "..", "examples", "harbour"))
	if err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(docent, "index", "--root", dir).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return dir
}

// 500 clients and up to 20,000 calls: no error, little memory, no descriptor left.
func TestManyClientsOfOneProcess(t *testing.T) {
	docent := program(t)
	dir := examples(t, docent)
	load{args: []string{"--root", dir}, ref: func(_ int, ref string) string { return ref }}.run(t, docent)
}

// The same as ten users with tokens, of whom half see one index and half two: none sees
// what is not theirs, whatever the load.
func TestManyClientsOfSeveralUsers(t *testing.T) {
	const users = 10
	docent := program(t)
	dir := examples(t, docent)
	tokens := ""
	for u := range users {
		indexes := "docs"
		if u%2 == 1 {
			indexes = "docs,guide"
		}
		tokens += fmt.Sprintf("user%d %s %s\n", u, tokenOf(u), indexes)
	}
	file := filepath.Join(t.TempDir(), "tokens")
	if err := os.WriteFile(file, []byte(tokens), 0o600); err != nil {
		t.Fatal(err)
	}
	load{
		args:  []string{"--corpus", "docs=" + dir, "--corpus", "guide=" + filepath.Join(dir, "guide"), "--token-file", file, "--max-concurrent", "1000"},
		token: func(client int) string { return tokenOf(client % users) },
		ref: func(client int, ref string) string {
			if client%2 == 1 {
				return "docs:" + ref
			}
			return ref
		},
		check: func(client int, text string) error {
			if client%2 == 0 && strings.Contains(text, "guide:") {
				return fmt.Errorf("a client sees an index that is not theirs: %s", text)
			}
			return nil
		},
	}.run(t, docent)
}

func tokenOf(user int) string { return fmt.Sprintf("token-of-the-user-%d", user) }

// A load is many clients of one server.
type load struct {
	args  []string                            // of the server
	token func(client int) string             // nil for none
	ref   func(client int, ref string) string // as the client has to name it
	check func(client int, text string) error // nil for none
}

// A withToken sends a token with each request.
type withToken struct {
	http.RoundTripper
	token string
}

func (w withToken) RoundTrip(r *http.Request) (*http.Response, error) {
	if w.token != "" {
		r = r.Clone(r.Context())
		r.Header.Set("Authorization", "Bearer "+w.token)
	}
	return w.RoundTripper.RoundTrip(r)
}

// ask makes the ith call of a client.
func (l load) ask(cs *mcp.ClientSession, client, i int) error {
	call := []struct {
		name string
		args map[string]any
	}{
		{"search", map[string]any{"query": "how do I rotate a key"}},
		{"get_section", map[string]any{"ref": l.ref(client, "guide/keys.md#rotate-a-key")}},
		{"read", map[string]any{"ref": l.ref(client, "faq.md"), "limit": 20}},
		{"grep", map[string]any{"pattern": "retr(y|ies)", "limit": 5}},
		{"toc", map[string]any{"ref": l.ref(client, "guide")}},
	}[(client+i)%5]
	if index, ok := strings.CutSuffix(l.ref(client, ""), ":"); ok && call.name == "grep" {
		call.args["index"] = index
	}
	res, err := cs.CallTool(context.Background(), &mcp.CallToolParams{Name: call.name, Arguments: call.args})
	if err != nil {
		return err
	}
	text, ok := res.Content[0].(*mcp.TextContent)
	if res.IsError || len(res.Content) != 1 || !ok {
		return fmt.Errorf("%s: %v", call.name, res.Content[0])
	}
	if l.check != nil {
		return l.check(client, text.Text)
	}
	return nil
}

func (l load) run(t *testing.T, docent string) {
	t.Helper()
	clients, calls := 20, 5
	if long() {
		clients, calls = 500, 40
	}
	cmd := exec.Command(docent, append([]string{"serve", "--http", "127.0.0.1:0"}, l.args...)...)
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = cmd.Process.Kill(); _ = cmd.Wait() }()
	line, err := bufio.NewReader(stderr).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	_, url, _ := strings.Cut(strings.TrimSpace(line), " at ")

	transport := &http.Transport{MaxIdleConnsPerHost: clients, MaxConnsPerHost: clients}
	connect := func(client int) (*mcp.ClientSession, error) {
		c := mcp.NewClient(&mcp.Implementation{Name: "load", Version: "1"}, nil)
		as := withToken{RoundTripper: transport}
		if l.token != nil {
			as.token = l.token(client)
		}
		return c.Connect(context.Background(), &mcp.StreamableClientTransport{Endpoint: url, HTTPClient: &http.Client{Transport: as}}, nil)
	}
	for client := range 2 { // one of each kind
		first, err := connect(client)
		if err != nil {
			t.Fatal(err)
		}
		for i := range 5 {
			if err := l.ask(first, client, i); err != nil {
				t.Fatal(err)
			}
		}
		_ = first.Close()
	}
	transport.CloseIdleConnections()
	before := settle(cmd.Process.Pid, math.MaxInt)

	start := time.Now()
	others, questions := make([][]time.Duration, clients), make([][]time.Duration, clients)
	var wg sync.WaitGroup
	for c := range clients {
		wg.Go(func() {
			cs, err := connect(c)
			if err != nil {
				t.Error(err)
				return
			}
			defer cs.Close()
			for i := range calls {
				began := time.Now()
				if i > 0 && began.Sub(start) > loadTime {
					return
				}
				if err := l.ask(cs, c, i); err != nil {
					t.Error(err)
					return
				}
				kind := others
				if (c+i)%5 == 0 { // a question
					kind = questions
				}
				kind[c] = append(kind[c], time.Since(began))
			}
		})
	}
	wg.Wait()
	asked, read := slices.Concat(questions...), slices.Concat(others...)
	cases.Tried(t, "M4", len(asked)+len(read))
	whole := time.Since(start)
	transport.CloseIdleConnections()
	after := settle(cmd.Process.Pid, before)
	peak := peakMemory(cmd.Process.Pid)
	if len(asked) == 0 || len(read) == 0 {
		t.Fatalf("%d questions and %d other calls were answered", len(asked), len(read))
	}
	t.Logf("%d clients over HTTP, %d calls in %.1f s; questions %s; others %s; %d MiB at most; %d descriptors before, %d after", clients,
		len(asked)+len(read), whole.Seconds(), percentiles(asked), percentiles(read), peak>>20, before, after)
	if after > before {
		t.Errorf("%d descriptors before, %d after", before, after)
	}
	if peak > 300<<20 {
		t.Errorf("%d MiB", peak>>20)
	}
}

// percentiles says how long the middle one and the slowest hundredth took, of at least one.
func percentiles(all []time.Duration) string {
	slices.Sort(all)
	return fmt.Sprintf("median %v, p99 %v", all[len(all)/2].Round(time.Millisecond), all[len(all)*99/100].Round(time.Millisecond))
}

// settle waits until a process has no more than some descriptors, and the number stays as
// it is.
func settle(pid, most int) int {
	n, same := openFiles(pid), 0
	for giveUp := time.Now().Add(time.Minute); time.Now().Before(giveUp) && (same < 20 || n > most); {
		time.Sleep(10 * time.Millisecond)
		if now := openFiles(pid); now != n {
			n, same = now, 0
		} else {
			same++
		}
	}
	return n
}

// openFiles and peakMemory ask the system about a process; 0 where it does not
// tell.
func openFiles(pid int) int {
	open, _ := os.ReadDir(fmt.Sprintf("/proc/%d/fd", pid))
	return len(open)
}

func peakMemory(pid int) int64 {
	status, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	_, rest, _ := strings.Cut(string(status), "VmHWM:")
	n, _ := strconv.ParseInt(strings.TrimSpace(strings.Split(rest, " kB")[0]), 10, 64)
	return n << 10
}
