package host

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/docent-md/docent/internal/surface/mcp"
)

const (
	aliceToken = "alice-has-this-token"
	bobToken   = "bob-has-that-token-x"
)

// tokenFile has alice with a plain token, and bob with the hash of his.
func tokenFile() string {
	return fmt.Sprintf("# who may ask\nalice %s docs\n\nbob sha256:%x docs,api metrics\n", aliceToken, sha256.Sum256([]byte(bobToken)))
}

func anyIndex(string) bool { return true }

func usersOf(t *testing.T, text string) Users {
	t.Helper()
	us, err := parseUsers([]byte(text), anyIndex)
	if err != nil {
		t.Fatal(err)
	}
	return us
}

// echo is a view that tells what it sees of docs, api and hr.
func echo(sees func(string) bool) (View, error) {
	return View{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, err := io.Copy(io.Discard, r.Body); err != nil {
			http.Error(w, err.Error(), http.StatusRequestEntityTooLarge)
			return
		}
		for _, name := range []string{"docs", "api", "hr"} {
			if sees(name) {
				fmt.Fprintln(w, name)
			}
		}
	})}, nil
}

func newHost(t *testing.T, o Options) *Host {
	t.Helper()
	if o.View == nil {
		o.View = echo
	}
	h, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = h.Close() })
	return h
}

// asRequest is a request to this machine.
func asRequest(method, target, token, body string) *http.Request {
	r := httptest.NewRequest(method, target, strings.NewReader(body))
	r.Host = "localhost"
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	local := &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 1}
	return r.WithContext(context.WithValue(r.Context(), http.LocalAddrContextKey, net.Addr(local)))
}

func do(h http.Handler, r *http.Request) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

func TestEachUserSeesTheirOwn(t *testing.T) {
	users := usersOf(t, tokenFile())
	h := newHost(t, Options{Users: func() (Users, error) { return users, nil }})
	for _, tt := range []struct {
		name, token, path string
		status            int
		want              string
	}{
		{"alice", aliceToken, "/", 200, "docs\n"},
		{"bob", bobToken, "/", 200, "docs\napi\n"},
		{"nobody", "", "/", 401, "your token is the password"},
		{"nobody, as an agent", "", mcp.Path, 401, "Authorization: Bearer"},
		{"the hash is not the token", fmt.Sprintf("%x", sha256.Sum256([]byte(bobToken))), "/", 401, "unauthorized"},
		{"half a token", aliceToken[:10], "/", 401, "unauthorized"},
		{"health needs no token", "", mcp.HealthPath, 200, "ok"},
		{"metrics need a right", aliceToken, mcp.MetricsPath, 403, "not for you"},
		{"metrics", bobToken, mcp.MetricsPath, 200, `docent_requests_total{user="alice",status="200"} 1`},
		{"metrics need a token", "", mcp.MetricsPath, 401, "unauthorized"},
	} {
		w := do(h, asRequest(http.MethodGet, tt.path, tt.token, ""))
		if w.Code != tt.status || !strings.Contains(w.Body.String(), tt.want) {
			t.Errorf("%s: %d %s", tt.name, w.Code, w.Body)
		}
	}
	r := asRequest(http.MethodGet, "/", "", "")
	r.SetBasicAuth("anything", aliceToken)
	if w := do(h, r); w.Code != 200 || w.Body.String() != "docs\n" {
		t.Errorf("a password: %d %s", w.Code, w.Body)
	}
	r = asRequest(http.MethodGet, "/", aliceToken, "")
	r.Host = "evil.example"
	if w := do(h, r); w.Code != 403 {
		t.Errorf("another host: %d", w.Code)
	}
}

func TestTokenFilesThatAreRefused(t *testing.T) {
	const secret = "very-secret-token-01"
	for text, want := range map[string]string{
		"":                              "names no user",
		"# only a comment\n":            "names no user",
		"alice\n":                       "line 1: 1 fields",
		"alice " + secret + "\n":        "line 1: 2 fields",
		"\nalice short docs\n":          "line 2: the token of alice: 5 characters: 16 at least",
		"alice sha256:abc docs\n":       "no hash",
		"alice " + secret + " docs,\n":  "names with commas",
		"alice " + secret + " nope\n":   `alice may see "nope", and no index has that name`,
		"alice " + secret + " docs x\n": `"x" is no right`,
		"alice " + secret + " docs\nalice " + secret + "2 docs\n": "line 2: alice has line 1 already",
		"alice " + secret + " docs\nbob " + secret + " docs\n":    "line 2: bob has the token of line 1",
		"al\"ice " + secret + " docs\n":                           "the user's name",
	} {
		_, err := parseUsers([]byte(text), func(name string) bool { return name == "docs" })
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), secret) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestVersionsOfAnIndexAreSeenWithIt(t *testing.T) {
	u := &User{Indexes: []string{"api@2", "react"}}
	for name, want := range map[string]bool{"react": true, "react@17": true, "react-native": false, "api": false, "api@2": true, "api@3": false} {
		if u.Sees(name) != want {
			t.Errorf("%s: %v", name, !want)
		}
	}
}

func TestRates(t *testing.T) {
	now := time.Unix(0, 0)
	users := usersOf(t, tokenFile())
	h := newHost(t, Options{Limits: Limits{Rate: 1}, Users: func() (Users, error) { return users, nil }, now: func() time.Time { return now }})
	ask := func(token string) *httptest.ResponseRecorder { return do(h, asRequest(http.MethodGet, "/", token, "")) }
	for i := range 10 {
		if w := ask(aliceToken); w.Code != 200 {
			t.Fatalf("request %d: %d", i, w.Code)
		}
	}
	w := ask(aliceToken)
	if w.Code != http.StatusTooManyRequests || w.Header().Get("Retry-After") != "1" || !strings.Contains(w.Body.String(), "over 1 requests a second") {
		t.Errorf("the eleventh at once: %d %v %s", w.Code, w.Header(), w.Body)
	}
	if w := ask(bobToken); w.Code != 200 {
		t.Errorf("another user: %d", w.Code)
	}
	now = now.Add(2 * time.Second)
	if a, b, c := ask(aliceToken).Code, ask(aliceToken).Code, ask(aliceToken).Code; a != 200 || b != 200 || c != 429 {
		t.Errorf("two seconds later: %d, %d, %d", a, b, c)
	}
	if err := h.Reload(); err != nil || ask(aliceToken).Code != 429 {
		t.Errorf("a reload forgives (%v)", err)
	}
}

// blocking is a view whose requests wait until they are let go or cancelled.
type blocking struct {
	began, end chan struct{}
}

func newBlocking() *blocking { return &blocking{make(chan struct{}, 10), make(chan struct{})} }

func (b *blocking) view(func(string) bool) (View, error) {
	return View{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		b.began <- struct{}{}
		select {
		case <-b.end:
			fmt.Fprintln(w, "finished")
		case <-r.Context().Done():
		}
	})}, nil
}

func TestConcurrentRequests(t *testing.T) {
	users, b := usersOf(t, tokenFile()), newBlocking()
	h := newHost(t, Options{Limits: Limits{Concurrent: 2}, View: b.view, Users: func() (Users, error) { return users, nil }})
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			if w := do(h, asRequest(http.MethodGet, "/", aliceToken, "")); w.Code != 200 {
				t.Errorf("one of two: %d", w.Code)
			}
		})
		<-b.began
	}
	if w := do(h, asRequest(http.MethodGet, "/", aliceToken, "")); w.Code != 429 || !strings.Contains(w.Body.String(), "2 of your requests are running") {
		t.Errorf("the third: %d %s", w.Code, w.Body)
	}
	wg.Go(func() { do(h, asRequest(http.MethodGet, "/", bobToken, "")) })
	<-b.began // another user's runs
	close(b.end)
	wg.Wait()
	if w := do(h, asRequest(http.MethodGet, "/", aliceToken, "")); w.Code != 200 {
		t.Errorf("when those have ended: %d", w.Code)
	}
}

func TestSizesAndTimes(t *testing.T) {
	h := newHost(t, Options{Limits: Limits{Body: 10}})
	if w := do(h, asRequest(http.MethodPost, "/", "", "0123456789")); w.Code != 200 {
		t.Errorf("ten bytes: %d", w.Code)
	}
	if w := do(h, asRequest(http.MethodPost, "/", "", "0123456789x")); w.Code != 413 || !strings.Contains(w.Body.String(), "at most 10 bytes") {
		t.Errorf("eleven bytes: %d %s", w.Code, w.Body)
	}
	r := asRequest(http.MethodPost, "/", "", "0123456789x")
	r.ContentLength = -1
	if w := do(h, r); w.Code != 413 {
		t.Errorf("eleven bytes that were not announced: %d", w.Code)
	}
	b := newBlocking()
	slow := newHost(t, Options{Limits: Limits{Time: time.Millisecond}, View: b.view})
	if w := do(slow, asRequest(http.MethodGet, "/", "", "")); w.Code != 503 || !strings.Contains(w.Body.String(), "longer than 1ms") {
		t.Errorf("a page that takes long: %d %s", w.Code, w.Body)
	}
}

func TestLogHasNoSecret(t *testing.T) {
	users, lines := usersOf(t, tokenFile()), &bytes.Buffer{}
	log := NewLog(lines, nil)
	ask := func(v func(func(string) bool) (View, error)) {
		h := newHost(t, Options{Log: log, View: v, Users: func() (Users, error) { return users, nil }})
		do(h, asRequest(http.MethodGet, "/hits?q=who+earns+what&token="+bobToken, aliceToken, ""))
		do(h, asRequest(http.MethodGet, "/x", "wrong-but-a-secret-too", ""))
		r := asRequest(http.MethodGet, "/y", "", "")
		r.SetBasicAuth("me", bobToken)
		do(h, r)
		do(h, asRequest(http.MethodGet, mcp.HealthPath, "", ""))
	}
	ask(nil)
	var got []entry
	for line := range strings.Lines(lines.String()) {
		var e entry
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		got = append(got, e)
	}
	if len(got) != 3 || got[0].User != "alice" || got[0].Path != "/hits" || got[0].Status != 200 || got[0].Bytes != 5 ||
		got[1].User != "" || got[1].Status != 401 || got[1].Refused != "token" || got[2].User != "bob" {
		t.Errorf("logs %+v", got)
	}
	for _, secret := range []string{aliceToken, bobToken, "secret", "earns", "sha256", fmt.Sprintf("%x", sha256.Sum256([]byte(aliceToken)))} {
		if strings.Contains(lines.String(), secret) {
			t.Errorf("%q is in\n%s", secret, lines)
		}
	}
	e := entry{CallInfo: mcp.CallInfo{Question: "who earns what"}}
	lines.Reset()
	if log.add(e); strings.Contains(lines.String(), "earns") {
		t.Error("a question is logged that nobody asked to log")
	}
	log.Questions = true
	if log.add(e); !strings.Contains(lines.String(), "who earns what") {
		t.Error("a question is not logged")
	}
}

func TestReload(t *testing.T) {
	text, b := tokenFile(), newBlocking()
	var failure error
	views := 0
	h := newHost(t, Options{
		Users: func() (Users, error) { return usersOf(t, text), failure },
		View: func(sees func(string) bool) (View, error) {
			if views++; !sees("api") {
				return b.view(sees)
			}
			return echo(sees)
		},
	})
	ended := make(chan int)
	go func() { ended <- do(h, asRequest(http.MethodGet, "/", aliceToken, "")).Code }()
	<-b.began
	do(h, asRequest(http.MethodGet, "/", bobToken, ""))
	failure = errors.New("no such file")
	if err := h.Reload(); err == nil || do(h, asRequest(http.MethodGet, "/", bobToken, "")).Code != 200 {
		t.Errorf("a file that cannot be read changes something (%v)", err)
	}
	failure = nil
	text = "bob " + bobToken + " docs,api,hr\n"
	if err := h.Reload(); err != nil {
		t.Fatal(err)
	}
	<-ended // what alice asked was cancelled
	if w := do(h, asRequest(http.MethodGet, "/", aliceToken, "")); w.Code != 401 {
		t.Errorf("alice is still let in: %d", w.Code)
	}
	if w := do(h, asRequest(http.MethodGet, "/", bobToken, "")); w.Body.String() != "docs\napi\nhr\n" {
		t.Errorf("bob sees %q", w.Body)
	}
	if w := do(h, asRequest(http.MethodGet, mcp.MetricsPath, bobToken, "")); w.Code != 403 {
		t.Errorf("bob still has the metrics: %d", w.Code)
	}
	if views != 3 {
		t.Errorf("%d views were made", views)
	}
}
