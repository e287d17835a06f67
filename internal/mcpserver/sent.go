package mcpserver

import (
	"crypto/sha256"
	"sync"
	"time"
)

// An agent that asks twice about the same thing has the first answer in its
// context already. Within a session, a section that was sent whole and has not
// changed comes back as one line. The session is the client's on standard
// input; over HTTP, which has none, the client may name one.
const (
	maxSent     = 10_000 // texts remembered of a session; then it starts over
	maxSessions = 1000   // sessions remembered; the one longest unused goes
)

// sentKey is under what a call finds what its session was sent.
type sentKey struct{}

// A sent is the set of texts a session was sent, by citation or digest.
type sent struct {
	mu   sync.Mutex
	keys map[string]bool
	used time.Time // guarded by sessions
}

func (s *sent) has(key string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.keys[key]
}

func (s *sent) add(keys []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.keys == nil || len(s.keys) > maxSent {
		s.keys = map[string]bool{}
	}
	for _, k := range keys {
		s.keys[k] = true
	}
}

// digest stands for a text.
func digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return string(sum[:16])
}

// sessions are those that HTTP clients name. The zero value holds none.
type sessions struct {
	mu   sync.Mutex
	byID map[string]*sent
}

func (s *sessions) of(id string) *sent {
	id = digest(id)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.byID == nil {
		s.byID = map[string]*sent{}
	}
	got := s.byID[id]
	if got == nil {
		if len(s.byID) >= maxSessions {
			s.forget()
		}
		got = &sent{}
		s.byID[id] = got
	}
	got.used = time.Now()
	return got
}

// forget drops the session longest unused.
func (s *sessions) forget() {
	oldest := ""
	for id, x := range s.byID {
		if oldest == "" || x.used.Before(s.byID[oldest].used) {
			oldest = id
		}
	}
	delete(s.byID, oldest)
}
