// Package fetchtest is a server that does what GitHub does, and what can go
// wrong with it, for tests: real tarballs, redirects to a second server, ETags,
// private repositories, rate limits, answers that break off and answers that
// lie. It also serves plain files.
package fetchtest

import (
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"time"
)

// A Request is what one request showed of itself.
type Request struct {
	Server  string // "api", "codeload" or "files"
	Method  string
	Path    string
	Query   string
	Status  int
	Header  http.Header
	Changed bool // whether it asked "has it changed since?"
}

// Faults are what goes wrong. The zero value is a server in good health.
type Faults struct {
	RateLimit  time.Time // until then every request to the API is refused
	Truncate   int       // bytes of a tarball after which the connection breaks off
	Stall      bool      // the connection stays open after Truncate bytes
	Fail       int       // how many requests are answered 503 first
	WrongHash  bool      // the tarball is of another commit
	NotGzip    bool      // the tarball is a page of HTML with status 200
	NoETag     bool
	Redirect   string                                                           // where tarballs redirect to, instead of codeload
	Tarball    func(repo, commit string) []byte                                 // sent in place of the real tarball
	Before     func(server string, r *http.Request)                             // called before each answer
	Handle     func(server string, w http.ResponseWriter, r *http.Request) bool // answers in place of the server, if it returns true
	NoLength   bool                                                             // the tarball's length is not said
	SlowChunks int                                                              // in how many parts a tarball is sent, flushed one by one
}

// A Server is GitHub on this machine: an API, and on another port, and so
// another origin, the server that has the tarballs. On a third are plain files.
type Server struct {
	URL      string // for DOCENT_GITHUB_URL
	Codeload string // the origin of the tarballs
	Files    string // the origin of plain files

	servers  []*httptest.Server
	mu       sync.Mutex
	repos    map[string]*Repo
	files    map[string]file
	faults   Faults
	requests []Request
}

type file struct {
	body        []byte
	contentType string
}

// New starts a server. Close it after use.
func New() *Server {
	s := &Server{repos: map[string]*Repo{}, files: map[string]file{}}
	s.URL = s.start("api", s.serveAPI)
	s.Codeload = s.start("codeload", s.serveTarball)
	s.Files = s.start("files", s.serveFile)
	return s
}

func (s *Server) start(name string, serve func(http.ResponseWriter, *http.Request, Faults)) string {
	h := httptest.NewServer(s.handler(name, serve))
	s.servers = append(s.servers, h)
	return h.URL
}

// Close stops the server.
func (s *Server) Close() {
	for _, h := range s.servers {
		h.CloseClientConnections()
		h.Close()
	}
}

// Set changes what goes wrong from now on.
func (s *Server) Set(f Faults) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.faults = f
}

// Repo returns the repository of a name such as "owner/repo", made where there
// is none.
func (s *Server) Repo(name string) *Repo {
	s.mu.Lock()
	defer s.mu.Unlock()
	r := s.repos[name]
	if r == nil {
		r = &Repo{server: s, name: name, branch: "main", refs: map[string]string{}, commits: map[string]map[string]string{}}
		s.repos[name] = r
	}
	return r
}

// File serves a plain file at a path below s.Files.
func (s *Server) File(path, contentType string, body []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.files[path] = file{body, contentType}
}

// Requests returns what was asked so far, and forgets it.
func (s *Server) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := s.requests
	s.requests = nil
	return out
}

// Seen reports whether any request so far, to whichever server, carried text in
// its headers, path or query, and to which servers.
func Seen(requests []Request, text string) (servers []string) {
	at := map[string]bool{}
	for _, r := range requests {
		if strings.Contains(fmt.Sprint(r.Path, r.Query, r.Header), text) {
			at[r.Server] = true
		}
	}
	return slices.Sorted(maps.Keys(at))
}

// handler records requests and applies the faults common to all.
func (s *Server) handler(name string, serve func(http.ResponseWriter, *http.Request, Faults)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		rec := &recorder{ResponseWriter: w, status: http.StatusOK}
		s.mu.Lock()
		f := s.faults
		fail := s.faults.Fail > 0
		if fail {
			s.faults.Fail--
		}
		s.mu.Unlock()
		defer func() {
			s.mu.Lock()
			defer s.mu.Unlock()
			s.requests = append(s.requests, Request{
				Server: name, Method: r.Method, Path: r.URL.Path, Query: r.URL.RawQuery, Status: rec.status,
				Header: r.Header.Clone(), Changed: r.Header.Get("If-None-Match") != "",
			})
		}()
		if f.Before != nil {
			f.Before(name, r)
		}
		switch {
		case f.Handle != nil && f.Handle(name, rec, r):
		case fail:
			http.Error(rec, "unavailable", http.StatusServiceUnavailable)
		default:
			serve(rec, r, f)
		}
	})
}

type recorder struct {
	http.ResponseWriter
	status int
}

func (r *recorder) WriteHeader(status int) {
	r.status = status
	r.ResponseWriter.WriteHeader(status)
}

func (r *recorder) Unwrap() http.ResponseWriter { return r.ResponseWriter }
