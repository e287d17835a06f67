package mcp

import (
	"crypto/sha256"
	"hash/maphash"
	"strconv"
	"strings"
	"sync"
	"time"
)

// An agent that asks twice about the same thing has the first answer in its
// context already. Within a session, text that was sent whole and has not changed
// comes back as one line, whichever tool is asked for it. The session is the
// client's on standard input; over HTTP, which has none, the client may name one.
//
// Lines are remembered, not answers: a section is known whether it came by itself,
// with others in one hit, or as part of a page. Each is a number made of its
// file, its place and its words.
const (
	maxSent     = 10_000 // lines remembered of a session, more than a context holds; then it starts over
	maxSessions = 1000   // sessions remembered; the one longest unused goes
)

// sentKey is under what a call finds what its session was sent.
type sentKey struct{}

// A sent is the set of lines a session was sent.
type sent struct {
	mu   sync.Mutex
	keys map[uint64]struct{}
	used time.Time // guarded by sessions
}

// has reports whether all of some lines were sent.
func (s *sent) has(keys []uint64) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, k := range keys {
		if _, ok := s.keys[k]; !ok {
			return false
		}
	}
	return len(keys) > 0
}

func (s *sent) add(keys []uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.keys == nil || len(s.keys) > maxSent {
		s.keys = map[uint64]struct{}{}
	}
	for _, k := range keys {
		s.keys[k] = struct{}{}
	}
}

// seed keeps documents from holding lines that are taken for others.
var seed = maphash.MakeSeed()

// lineKeys stand for lines of a file, blank ones left out. A text that is not
// these lines one by one, such as a part of a table with its head repeated, has
// one key.
func lineKeys(file string, lines [2]int, text string) []uint64 {
	each := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	if len(each) != lines[1]-lines[0]+1 {
		return []uint64{maphash.String(seed, file+"\n"+strconv.Itoa(lines[0])+"-"+strconv.Itoa(lines[1])+"\n"+text)}
	}
	var keys []uint64
	for i, line := range each {
		if line = strings.TrimSpace(line); line != "" {
			keys = append(keys, maphash.String(seed, file+"\n"+strconv.Itoa(lines[0]+i)+"\n"+line))
		}
	}
	return keys
}

// sessions are those that HTTP clients name. The zero value holds none.
type sessions struct {
	mu   sync.Mutex
	byID map[[sha256.Size]byte]*sent
}

func (s *sessions) of(name string) *sent {
	id := sha256.Sum256([]byte(name)) // a client may name it at length
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.byID == nil {
		s.byID = map[[sha256.Size]byte]*sent{}
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
	var oldest [sha256.Size]byte
	var used time.Time
	for id, x := range s.byID {
		if used.IsZero() || x.used.Before(used) {
			oldest, used = id, x.used
		}
	}
	delete(s.byID, oldest)
}
