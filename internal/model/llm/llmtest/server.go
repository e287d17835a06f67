// Package llmtest is a server for tests that speaks the Anthropic Messages API,
// its batches, and /v1/embeddings as OpenAI does. It checks requests as strictly
// as the real ones do, answers deterministically, misbehaves on command, and
// watches that the key stays where it belongs.
package llmtest

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
)

// Key is the one key that a Server accepts, and the canary that must not be
// seen anywhere else.
const Key = "sk-canary-3e91f0c7a2"

// A Server answers at URL. Fields below URL may be set before the first request.
type Server struct {
	URL       string
	Elsewhere string // another origin, for redirects; see Leaks

	// Rank is the oracle of reranking: it returns the numbers of the
	// candidates that answer the query, best first. By default those that
	// share words with the query, most first.
	Rank func(query string, cands []Candidate) []int

	Dim       int // of vectors; 8 by default
	MaxInputs int // texts in a request before 413; 2048 by default
	MaxInput  int // bytes of one text before 413; 32 KiB by default
	Polls     int // how often a batch is asked for before it has ended; 1 by default

	// Refuse names the requests of batches that end in an error or expire:
	// "errored", "expired" or "canceled" by custom_id.
	Refuse map[string]string

	mu      sync.Mutex
	faults  []Fault
	seen    []Seen
	leaks   []string
	prompts map[string]bool // what the prompt cache holds
	batches map[string]*batch
}

// A Candidate is what a Server read from the prompt of a reranking.
type Candidate struct {
	Number         int
	Title, Preview string
}

// Seen is a request as it came in.
type Seen struct {
	Method, Path string
	Header       http.Header
	Body         []byte
}

// A Fault is how one request is answered instead. The zero value changes
// nothing.
type Fault struct {
	Status   int               // answers with this
	Header   map[string]string // and these
	Body     string            // and this; an error in the API's form when empty
	Redirect string            // answers Status, 307 by default, and leads there
	Hang     bool              // half of the answer, then nothing until the client leaves
	Truncate bool              // half of the answer, then the end of the connection

	Text  string // what the model says
	Stop  string // its stop_reason
	Dim   int    // dimensions of the vectors
	Fewer bool   // a vector is missing
}

// New starts a Server that ends with the test.
func New(t testing.TB) *Server {
	s := &Server{Dim: 8, MaxInputs: 2048, MaxInput: 32 << 10, Polls: 1, prompts: map[string]bool{}, batches: map[string]*batch{}}
	main := httptest.NewServer(http.HandlerFunc(s.serve))
	other := httptest.NewServer(http.HandlerFunc(s.elsewhere))
	s.URL, s.Elsewhere = main.URL, other.URL
	t.Cleanup(func() {
		main.CloseClientConnections() // ends those that hang
		main.Close()
		other.Close()
	})
	return s
}

// Next sets how the next requests are answered, one each. Those after are
// answered well.
func (s *Server) Next(faults ...Fault) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.faults = append(s.faults, faults...)
}

// Requests returns what came in so far.
func (s *Server) Requests() []Seen {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.seen)
}

// Leaks returns the requests that reached Elsewhere, with what they carried.
// There must be none: nothing leads there but redirects.
func (s *Server) Leaks() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.leaks)
}

func (s *Server) elsewhere(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	head := fmt.Sprint(r.Header)
	s.mu.Lock()
	s.leaks = append(s.leaks, fmt.Sprintf("%s %s, with the key: %v", r.Method, r.URL.Path, strings.Contains(head+string(body), Key)))
	s.mu.Unlock()
	_, _ = w.Write([]byte("{}"))
}

func (s *Server) serve(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	s.mu.Lock()
	s.seen = append(s.seen, Seen{r.Method, r.URL.Path, r.Header.Clone(), body})
	var f Fault
	if len(s.faults) > 0 {
		f, s.faults = s.faults[0], s.faults[1:]
	}
	s.mu.Unlock()

	r.Body = io.NopCloser(bytes.NewReader(body))
	answer := httptest.NewRecorder()
	s.answer(answer, r, body, f)
	maps.Copy(w.Header(), answer.Header())
	out := answer.Body.Bytes()
	if f.Truncate || f.Hang {
		w.Header().Set("Content-Length", fmt.Sprint(len(out)))
		w.WriteHeader(answer.Code)
		_, _ = w.Write(out[:len(out)/2])
		_ = http.NewResponseController(w).Flush()
		if f.Hang {
			<-r.Context().Done()
		}
		panic(http.ErrAbortHandler) // which closes the connection
	}
	w.WriteHeader(answer.Code)
	_, _ = w.Write(out)
}

func (s *Server) answer(w http.ResponseWriter, r *http.Request, body []byte, f Fault) {
	for k, v := range f.Header {
		w.Header().Set(k, v)
	}
	switch {
	case f.Redirect != "":
		w.Header().Set("Location", f.Redirect)
		w.WriteHeader(cmp.Or(f.Status, http.StatusTemporaryRedirect))
		return
	case f.Body != "":
		w.WriteHeader(cmp.Or(f.Status, http.StatusOK))
		_, _ = io.WriteString(w, f.Body)
		return
	}
	path := strings.TrimPrefix(r.URL.Path, "/again") // where a redirect within the origin leads
	openai := path == "/v1/embeddings"
	switch {
	case f.Status != 0:
		fail(w, openai, f.Status, "the test asked for this")
	case openai:
		s.embeddings(w, r, body, f)
	case path == "/v1/messages":
		s.messages(w, r, body, f)
	case strings.HasPrefix(path, "/v1/messages/batches"):
		s.serveBatch(w, r, path, body)
	default:
		fail(w, openai, http.StatusNotFound, "no such path")
	}
}

// errorTypes are the names that Anthropic gives to statuses.
var errorTypes = map[int]string{
	400: "invalid_request_error",
	401: "authentication_error",
	402: "billing_error",
	403: "permission_error",
	404: "not_found_error",
	413: "request_too_large",
	429: "rate_limit_error",
	500: "api_error",
	504: "timeout_error",
	529: "overloaded_error",
}

// fail answers with an error in the form of the API.
func fail(w http.ResponseWriter, openai bool, status int, message string) {
	kind := cmp.Or(errorTypes[status], "api_error")
	var body any = map[string]any{
		"type":       "error",
		"error":      map[string]any{"type": kind, "message": message},
		"request_id": "req_test",
	}
	if openai {
		body = map[string]any{"error": map[string]any{"message": message, "type": kind, "param": nil, "code": nil}}
	}
	w.Header().Set("Request-Id", "req_test")
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body)
}

func reply(w http.ResponseWriter, body any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(body)
}
