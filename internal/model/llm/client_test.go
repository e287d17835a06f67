package llm_test

import (
	"context"
	"errors"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/docent-md/docent/internal/model/llm"
	"github.com/docent-md/docent/internal/model/llm/llmtest"
)

func TestWhatServersDo(t *testing.T) {
	status := func(n int) llmtest.Fault { return llmtest.Fault{Status: n} }
	huge := llmtest.Fault{Body: `{"type":"message","content":[{"type":"text","text":"` + strings.Repeat("a", 5<<20) + `"}]}`}
	for _, test := range []struct {
		name     string
		faults   []llmtest.Fault
		want     llm.Kind // "" when it works out
		requests int
	}{
		{"a good answer", nil, "", 1},
		{"a bad request is not repeated", []llmtest.Fault{status(400)}, llm.Rejected, 1},
		{"a bad key is not tried again", []llmtest.Fault{status(401)}, llm.Denied, 1},
		{"nor an unpaid bill", []llmtest.Fault{status(402)}, llm.Denied, 1},
		{"nor a missing permission", []llmtest.Fault{status(403)}, llm.Denied, 1},
		{"nor a wrong address", []llmtest.Fault{status(404)}, llm.Rejected, 1},
		{"nor one that is too large", []llmtest.Fault{status(413)}, llm.TooLarge, 1},
		{"a limit is waited for", []llmtest.Fault{status(429), status(429)}, "", 3},
		{"a conflict is tried again", []llmtest.Fault{status(409)}, "", 2},
		{"an error of the server too", []llmtest.Fault{status(500), status(502), status(503)}, "", 4},
		{"and an overloaded one", []llmtest.Fault{status(529), status(529), status(529), status(529)}, "", 5},
		{"but not for ever", slices.Repeat([]llmtest.Fault{status(529)}, 9), llm.Overloaded, 5},
		{"the last failure is the one told", []llmtest.Fault{status(529), status(401)}, llm.Denied, 2},
		{"a connection that breaks is tried again", []llmtest.Fault{{Truncate: true}}, "", 2},
		{"until it is enough", slices.Repeat([]llmtest.Fault{{Truncate: true}}, 5), llm.Unreachable, 5},
		{"no JSON", []llmtest.Fault{{Body: "<html>sign in to the hotel network</html>"}}, llm.Malformed, 1},
		{"JSON that is cut", []llmtest.Fault{{Body: `{"type":"message","content":[`}}, llm.Malformed, 1},
		{"another thing than a message", []llmtest.Fault{{Body: `{"type":"completion"}`}}, llm.Malformed, 1},
		{"a message without text", []llmtest.Fault{{Body: `{"type":"message","content":[]}`}}, llm.Empty, 1},
		{"more than an answer may be", []llmtest.Fault{huge}, llm.Oversized, 1},
		{"the model declines", []llmtest.Fault{{Stop: "refusal"}}, llm.Declined, 1},
		{"the model runs into its limit", []llmtest.Fault{{Stop: "max_tokens"}}, llm.Cut, 1},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := llmtest.New(t)
			s.Next(test.faults...)
			c, _ := config(s)
			got, err := claude(t, c).Summarise(t.Context(), "Keys are rotated every day.")
			if llm.KindOf(err) != test.want || err == nil != (test.want == "") {
				t.Errorf("got %q, %v, want kind %q", got, err, test.want)
			}
			if n := len(s.Requests()); n != test.requests {
				t.Errorf("%d requests, want %d", n, test.requests)
			}
			noKey(t, "error", err)
		})
	}
}

func TestErrorTellsWhatToKnow(t *testing.T) {
	s := llmtest.New(t)
	c, _ := config(s)
	c.Retries = -1
	s.Next(llmtest.Fault{Status: 429, Header: map[string]string{"Retry-After": "7"}})
	_, err := claude(t, c).Summarise(t.Context(), "text")
	want := "summarise: " + s.URL + ": rate limited (429): rate_limit_error: the test asked for this"
	var e *llm.Error
	if !errors.As(err, &e) || e.Error() != want || e.RequestID != "req_test" || e.Status != 429 {
		t.Errorf("got  %v\nwant %s", err, want)
	}
}

func TestWaits(t *testing.T) {
	after := func(value string) llmtest.Fault {
		return llmtest.Fault{Status: 429, Header: map[string]string{"Retry-After": value}}
	}
	plain := llmtest.Fault{Status: 500}
	ms := func(n ...int) (d []time.Duration) {
		for _, n := range n {
			d = append(d, time.Duration(n)*time.Millisecond)
		}
		return d
	}
	for _, test := range []struct {
		name   string
		jitter float64
		faults []llmtest.Fault
		want   []time.Duration
	}{
		{"they double", 0, []llmtest.Fault{plain, plain, plain, plain}, ms(250, 500, 1000, 2000)},
		{"chance makes them up to twice as long", 1, []llmtest.Fault{plain, plain, plain, plain}, ms(500, 1000, 2000, 4000)},
		{"seconds", 0, []llmtest.Fault{after("3"), after("0.5")}, ms(3000, 500)},
		{"none", 0, []llmtest.Fault{after("0")}, ms(0)},
		{"a date", 0, []llmtest.Fault{after("Sun, 15 Nov 2026 12:00:20 GMT")}, ms(20_000)},
		{"a date that is past", 0, []llmtest.Fault{after("Sun, 15 Nov 2026 11:00:00 GMT")}, ms(0)},
		{"milliseconds", 0, []llmtest.Fault{{Status: 429, Header: map[string]string{"Retry-After-Ms": "120"}}}, ms(120)},
		{"a century is cut", 0, []llmtest.Fault{after("3155760000"), after("1e300")}, ms(30_000, 30_000)},
		{"nonsense is as good as nothing", 0, []llmtest.Fault{after("soon"), after("-5"), after("NaN")}, ms(250, 500, 1000)},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := llmtest.New(t)
			s.Next(test.faults...)
			c, clock := config(s)
			c.Jitter = func() float64 { return test.jitter }
			if _, err := claude(t, c).Summarise(t.Context(), "text"); err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(clock.slept, test.want) {
				t.Errorf("waited %v, want %v", clock.slept, test.want)
			}
		})
	}
}

// The key never leaves its origin: not by a redirect, whatever its status and
// wherever it leads, in either API, and no error tells it.
func TestKeyStaysAtHome(t *testing.T) {
	for _, status := range []int{301, 302, 303, 307, 308} {
		for name, lead := range map[string]func(s *llmtest.Server) string{
			"another port":   func(s *llmtest.Server) string { return s.Elsewhere + "/v1/messages" },
			"another name":   func(s *llmtest.Server) string { return strings.Replace(s.Elsewhere, "127.0.0.1", "localhost", 1) },
			"same port name": func(s *llmtest.Server) string { return strings.Replace(s.URL, "127.0.0.1", "localhost", 1) },
			"another scheme": func(s *llmtest.Server) string { return strings.Replace(s.URL, "http:", "https:", 1) },
			"no scheme":      func(s *llmtest.Server) string { return strings.TrimPrefix(s.Elsewhere, "http:") },
			"a user":         func(s *llmtest.Server) string { return strings.Replace(s.Elsewhere, "//", "//"+llmtest.Key+"@", 1) },
			"a query":        func(s *llmtest.Server) string { return s.Elsewhere + "/?key=" + llmtest.Key },
			"itself, twice":  func(s *llmtest.Server) string { return "/again/v1/messages" },
		} {
			t.Run(name, func(t *testing.T) {
				s := llmtest.New(t)
				f := llmtest.Fault{Status: status, Redirect: lead(s)}
				second := llmtest.Fault{Redirect: s.Elsewhere}
				c, _ := config(s)
				s.Next(f, second)
				_, err := claude(t, c).Summarise(t.Context(), "text")
				if llm.KindOf(err) != llm.Redirected {
					t.Errorf("claude: %v", err)
				}
				noKey(t, "error", err)
				_, err = claude(t, c).Summarise(t.Context(), "text") // uses up the faults
				noKey(t, "error", err)

				s.Next(f, second)
				_, err = embedder(t, llm.EmbedConfig{Config: c}).Query(t.Context(), "text", 0)
				if llm.KindOf(err) != llm.Redirected {
					t.Errorf("embedder: %v", err)
				}
				noKey(t, "error", err)
				if leaks := s.Leaks(); len(leaks) > 0 {
					t.Errorf("reached elsewhere: %q", leaks)
				}
			})
		}
	}
}

func TestRedirectsAtHomeAreFollowed(t *testing.T) {
	for status, works := range map[int]bool{307: true, 308: true, 302: false} {
		s := llmtest.New(t)
		s.Next(llmtest.Fault{Status: status, Redirect: "/again/v1/messages"})
		c, _ := config(s)
		if _, err := claude(t, c).Summarise(t.Context(), "text"); (err == nil) != works {
			t.Errorf("%d: %v", status, err)
		}
	}
	s := llmtest.New(t)
	s.Next(slices.Repeat([]llmtest.Fault{{Redirect: "/again/v1/messages"}}, 20)...)
	c, _ := config(s)
	if _, err := claude(t, c).Summarise(t.Context(), "text"); llm.KindOf(err) != llm.Redirected {
		t.Errorf("a circle: %v", err)
	}
}

// Servers repeat the key that they refuse; we do not.
func TestKeyIsNotInErrors(t *testing.T) {
	s := llmtest.New(t)
	c, _ := config(s)
	echo := `{"error":{"type":"x","message":"bad key ` + llmtest.Key + `!"}}`
	for _, f := range []llmtest.Fault{
		{Status: 401, Body: echo},
		{Status: 400, Body: `{"error":"` + llmtest.Key + `"}`},
		{Status: 400, Body: llmtest.Key},
		{Body: llmtest.Key},
		{Body: `{"type":"` + llmtest.Key + `"}`},
		{Status: 401, Header: map[string]string{"Request-Id": llmtest.Key}},
		{Text: llmtest.Key},
		{Text: `{"` + llmtest.Key + `":1}`},
		{Status: 418, Body: echo, Header: map[string]string{"Retry-After": llmtest.Key}},
	} {
		s.Next(f)
		_, err := claude(t, c).Summarise(t.Context(), "text")
		if err == nil {
			t.Errorf("%+v: no error", f)
		}
		noKey(t, "error", err)
	}
	c.Key = "sk-wrong-but-secret-too"
	for _, err := range []error{
		func() error { _, err := claude(t, c).Summarise(t.Context(), "text"); return err }(),
		func() error {
			_, err := embedder(t, llm.EmbedConfig{Config: c}).Query(t.Context(), "text", 0)
			return err
		}(),
	} {
		if llm.KindOf(err) != llm.Denied || strings.Contains(err.Error(), c.Key) {
			t.Errorf("got %v", err)
		}
	}
	noKey(t, "client", *embedder(t, llm.EmbedConfig{}))
}

func TestContexts(t *testing.T) {
	s := llmtest.New(t)
	c, clock := config(s)

	t.Run("an attempt that takes too long is given up", func(t *testing.T) {
		c := c
		c.Timeout, c.Patient = 3*time.Second, true // enough for the second attempt on a busy machine
		s.Next(llmtest.Fault{Hang: true})
		if _, err := claude(t, c).Summarise(t.Context(), "text"); err != nil {
			t.Errorf("the second attempt: %v", err)
		}
		c.Timeout, c.Retries = 50*time.Millisecond, -1
		s.Next(llmtest.Fault{Hang: true})
		if _, err := claude(t, c).Summarise(t.Context(), "text"); llm.KindOf(err) != llm.TimedOut {
			t.Errorf("without a second: %v", err)
		}
	})
	t.Run("a reranking ends in time, all attempts together", func(t *testing.T) {
		c := c
		c.Within, c.Sleep = 20*time.Second, nil
		s.Next(llmtest.Fault{Status: 529, Header: map[string]string{"Retry-After": "25"}})
		if _, err := claude(t, c).Rerank(t.Context(), "q", candidates(2)); llm.KindOf(err) != llm.Overloaded {
			t.Errorf("a wait beyond the end is not begun: %v", err)
		}
		c.Within = 50 * time.Millisecond
		s.Next(llmtest.Fault{Hang: true})
		if _, err := claude(t, c).Rerank(t.Context(), "q", candidates(2)); llm.KindOf(err) != llm.TimedOut {
			t.Errorf("a slow answer: %v", err)
		}
	})
	t.Run("cancelling ends it", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		s.Next(llmtest.Fault{Hang: true})
		go func() {
			for n := len(s.Requests()); len(s.Requests()) == n; {
				time.Sleep(time.Millisecond)
			}
			cancel()
		}()
		slept := len(clock.slept)
		_, err := claude(t, c).Summarise(ctx, "another text")
		if llm.KindOf(err) != llm.Cancelled || !errors.Is(err, context.Canceled) || len(clock.slept) != slept {
			t.Errorf("got %v", err)
		}
		if _, err := claude(t, c).Summarise(ctx, "text"); llm.KindOf(err) != llm.Cancelled {
			t.Errorf("cancelled before it began: %v", err)
		}
	})
}

// counting counts requests that are under way. The first wait until there are three, or
// for so long that there will be no more.
type counting struct {
	now, most atomic.Int32
}

func (c *counting) RoundTrip(r *http.Request) (*http.Response, error) {
	n := c.now.Add(1)
	defer c.now.Add(-1)
	for m := c.most.Load(); n > m && !c.most.CompareAndSwap(m, n); m = c.most.Load() {
	}
	for giveUp := time.Now().Add(time.Minute); c.most.Load() < 3 && time.Now().Before(giveUp); {
		time.Sleep(time.Millisecond)
	}
	return http.DefaultTransport.RoundTrip(r)
}

func TestConcurrencyIsBounded(t *testing.T) {
	s := llmtest.New(t)
	c, _ := config(s)
	count := &counting{}
	c.Transport, c.Concurrency = count, 3
	cl := claude(t, c)
	done := make(chan error)
	for range 20 {
		go func() {
			_, err := cl.Summarise(t.Context(), "text")
			done <- err
		}()
	}
	for range 20 {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
	if most := count.most.Load(); most != 3 {
		t.Errorf("%d at once, want 3", most)
	}
}

// nowhere is a transport whose connections are refused while down.
type nowhere struct{ down atomic.Bool }

func (n *nowhere) RoundTrip(r *http.Request) (*http.Response, error) {
	if n.down.Load() {
		return nil, &net.OpError{Op: "dial", Net: "tcp", Err: errors.New("connection refused")}
	}
	return http.DefaultTransport.RoundTrip(r)
}

// An endpoint that is not running is told about at once; one that answered
// before may come back and is waited for.
func TestEndpointThatIsDown(t *testing.T) {
	s := llmtest.New(t)
	c, clock := config(s)
	cable := &nowhere{}
	cable.down.Store(true)
	c.Transport = cable
	now := c.Now()
	c.Now = func() time.Time { return now }
	e := embedder(t, llm.EmbedConfig{Config: c})
	_, err := e.Query(t.Context(), "text", 0)
	if want := "embed query: " + s.URL + ": unreachable: dial tcp: connection refused"; err == nil || err.Error() != want || len(clock.slept) != 0 {
		t.Errorf("got  %v after %v\nwant %s", err, clock.slept, want)
	}
	cable.down.Store(false)
	now = now.Add(2 * time.Second)
	if _, err := e.Query(t.Context(), "text", 0); err != nil {
		t.Fatal(err)
	}
	cable.down.Store(true)
	if _, err := e.Query(t.Context(), "text", 0); llm.KindOf(err) != llm.Unreachable || len(clock.slept) != 4 {
		t.Errorf("got %v after %v", err, clock.slept)
	}
}

func TestBaseURL(t *testing.T) {
	for _, test := range []struct {
		url, key string
		ok       bool
	}{
		{"", "k", true},
		{"https://api.example.com", "k", true},
		{"https://api.example.com/v1/", "k", true},
		{"https://gateway.example.com/llm/v1", "k", true},
		{"http://localhost:11434/v1", "k", true},
		{"http://192.168.1.7:8080", "k", true},
		{"http://[::1]:8080", "k", true},
		{"http://ollama:11434", "k", true},
		{"http://api.example.com", "", true},
		{"http://api.example.com", "k", false},
		{"http://8.8.8.8", "k", false},
		{"ftp://api.example.com", "k", false},
		{"api.example.com", "k", false},
		{"https://", "k", false},
		{"https://user:pass@example.com", "k", false},
		{"https://example.com/?q", "k", false},
		{"https://example.com/#f", "k", false},
		{"https://exa mple.com", "k", false},
		{"https://api.example.com", "a key", false},
		{"https://api.example.com", "k\nX-Other: 1", false},
	} {
		if _, err := llm.NewClaude(llm.Config{BaseURL: test.url, Key: test.key}); (err == nil) != test.ok {
			t.Errorf("%q with key %q: %v", test.url, test.key, err)
		} else if err != nil && (strings.Contains(err.Error(), "pass") || strings.Contains(err.Error(), "X-Other")) {
			t.Errorf("the error tells a secret: %v", err)
		}
	}
}

func TestVersionIsNotDoubled(t *testing.T) {
	s := llmtest.New(t)
	c, _ := config(s)
	c.BaseURL += "/v1/"
	if _, err := claude(t, c).Summarise(t.Context(), "text"); err != nil {
		t.Error(err)
	}
}

// Nothing goes out before it is asked for.
func TestMakingAClientOpensNoConnection(t *testing.T) {
	s := llmtest.New(t)
	c, _ := config(s)
	claude(t, c)
	embedder(t, llm.EmbedConfig{Config: c})
	if n := len(s.Requests()); n != 0 {
		t.Errorf("%d requests", n)
	}
}
