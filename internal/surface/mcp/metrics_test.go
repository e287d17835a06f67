package mcp

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// Whoever runs a server sees whether it answers, without a token, and what was asked of
// it, with one.
func TestHealthAndMetrics(t *testing.T) {
	o := fixed(docs)
	o.Token = "secret"
	h := at("127.0.0.1:1", newServer(t, o).Handler())
	get := func(path, token string) (int, string) {
		r := httptest.NewRequest(http.MethodGet, path, nil)
		r.Host = "localhost:1"
		if token != "" {
			r.Header.Set("Authorization", "Bearer "+token)
		}
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		return w.Code, w.Body.String()
	}
	if code, text := get("/healthz", ""); code != http.StatusOK || text != "ok\n" {
		t.Errorf("health: %d %q", code, text)
	}
	call := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"NAME","arguments":{"query":"rotate keys"}}}`
	for _, name := range []string{"search", "search", "toc", "made-up"} {
		post(h, "localhost:1", "", "Bearer secret", "/mcp", strings.Replace(call, "NAME", name, 1))
	}
	if code, _ := get("/metrics", ""); code == http.StatusOK {
		t.Error("metrics without the token")
	}
	code, text := get("/metrics", "secret")
	for _, want := range []string{
		"docent_documents 2\n", "docent_calls_total{tool=\"search\",outcome=\"ok\"} 2\n", "docent_calls_total{tool=\"toc\",outcome=\"error\"} 1\n",
		"docent_calls_total{tool=\"other\",outcome=\"error\"} 1\n",
	} {
		if code != http.StatusOK || !strings.Contains(text, want) {
			t.Errorf("no %q in %d\n%s", want, code, text)
		}
	}
}

// With 500 clients, who read a page waited for all who had asked a question before: seconds
// for what takes a millisecond.
func TestReadersDoNotWaitForQuestions(t *testing.T) {
	s := newServer(t, fixed(docs))
	for range cap(s.shared.questions) {
		s.shared.questions <- struct{}{}
	}
	cs := dial(t, s)
	for tool, args := range map[string]object{"toc": {}, "grep": {"pattern": "key"}, "get_section": {"ref": "keys.md"}, "read": {"ref": "keys.md"}, "examples": {"symbol": "x"}} {
		if text, failed := call(t, cs, tool, args); failed {
			t.Errorf("%s: %s", tool, text)
		}
	}
	// A question waits, and what it has waited is taken from the time of the model.
	s.opts.RerankMS = 1
	done := make(chan string)
	go func() {
		text, _ := call(t, cs, "search", object{"query": "how do I rotate keys"})
		done <- text
	}()
	select {
	case <-done:
		t.Error("a question was answered where as many run as may")
	case <-time.After(20 * time.Millisecond):
	}
	<-s.shared.questions
	if text := <-done; !strings.Contains(text, "keys.md#rotate") || !strings.Contains(text, "note: not reranked: too many ask at once\n") {
		t.Errorf("got %s", text)
	}
}
