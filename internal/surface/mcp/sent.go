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
// is replaced by one line, whichever tool is called. On standard input the
// connection is the session; over HTTP, which has none, the client may name one.
//
// The server remembers lines, not answers, so a section is recognised whether it was
// sent by itself, with others in one hit, or as part of a page. A line is remembered
// as a hash of its file, its number and its text.
const (
	maxSent     = 10_000 // lines of a session, more than a context holds; then the set is emptied
	maxSessions = 1000   // named sessions; the least recently used is evicted
)

// sentKey is the context key of the *sent of a call's session.
type sentKey struct{}

// A sent is the set of lines that a session was sent.
type sent struct {
	mu   sync.Mutex
	keys map[uint64]struct{}
	used time.Time // guarded by sessions
}

// has reports whether all of these lines were sent, and there is at least one.
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

// seed is random, so that a document cannot hold a line with the hash of another.
var seed = maphash.MakeSeed()

// lineKeys returns a hash for each line of a text that is not blank. A text that
// does not consist of just these lines of the file, such as a part of a table with
// its head repeated, has one hash.
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

// sessions holds the sessions that HTTP clients name. The zero value is empty.
type sessions struct {
	mu   sync.Mutex
	byID map[[sha256.Size]byte]*sent
}

// of returns what the session of that name was sent.
func (s *sessions) of(name string) *sent {
	id := sha256.Sum256([]byte(name)) // names may be long
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.byID == nil {
		s.byID = map[[sha256.Size]byte]*sent{}
	}
	got := s.byID[id]
	if got == nil {
		if len(s.byID) >= maxSessions {
			s.evict()
		}
		got = &sent{}
		s.byID[id] = got
	}
	got.used = time.Now()
	return got
}

// evict removes the least recently used session.
func (s *sessions) evict() {
	var oldest [sha256.Size]byte
	var used time.Time
	for id, x := range s.byID {
		if used.IsZero() || x.used.Before(used) {
			oldest, used = id, x.used
		}
	}
	delete(s.byID, oldest)
}
