package mcp

import (
	"context"
	"crypto/sha256"
	"fmt"
	"hash/maphash"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// An agent that asks twice about the same thing may have the first answer in its
// context already, or may not: a client can have several chats, agents and users on one
// connection, and forgets what it compacts. So text is sent again unless the caller asks
// for less: by naming a session in a call, or with Options.Remember, which takes a
// connection on standard input for the session that revisions before 2026-07-28 call it.
// Then lines that were sent a short while ago and have not changed are replaced by one
// line, whichever tool is called.
//
// The server remembers lines, not answers, so a section is recognised whether it was
// sent by itself, with others in one hit, or as part of a page. A line is remembered
// as a hash of its file, its number and its text.
const (
	sentFor     = 10 * time.Minute // a line is remembered this long, and
	sentCalls   = 20               // for this many answers of its session
	maxSent     = 10_000           // lines of a session; then the set is emptied
	maxSessions = 1000             // named sessions; the least recently used is evicted

	sessionless = "2026-07-28" // the first revision without sessions
)

// connectionKey is the context key of the *sent of a connection, which also tells the
// sessions named on it from those named on others.
type connectionKey struct{}

// A sent is the set of lines that a session was sent.
type sent struct {
	mu    sync.Mutex
	lines map[uint64]sending
	calls int
	used  time.Time // guarded by Sessions
}

// A sending is when a line was sent: at a time, in the nth answer.
type sending struct {
	at   time.Time
	call int
}

// has reports whether all of these lines were sent lately, and there is at least one.
func (s *sent) has(keys []uint64) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := time.Now()
	for _, k := range keys {
		if !s.hasLately(k, now) {
			return false
		}
	}
	return len(keys) > 0
}

// hasLately reports whether a line was sent lately. The lock is held.
func (s *sent) hasLately(key uint64, now time.Time) bool {
	was, ok := s.lines[key]
	return ok && now.Sub(was.at) <= sentFor && s.calls-was.call < sentCalls
}

// fewLines is how many lines that were sent before are sent again, if others stand
// around them.
const fewLines = 4

// without returns some lines of a file, with one line in the place of those that were
// sent before and stand together.
func (s *sent) without(file string, lines [2]int, text string) string {
	each := strings.SplitAfter(strings.TrimSuffix(text, "\n"), "\n")
	if len(each) != lines[1]-lines[0]+1 {
		return text
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	b, now := &strings.Builder{}, time.Now()
	for i := 0; i < len(each); {
		if strings.TrimSpace(each[i]) == "" {
			b.WriteString(each[i])
			i++
			continue
		}
		end, filled := i, 0 // of the lines that were sent, blank ones between them included
		for k := i; k < len(each); k++ {
			if strings.TrimSpace(each[k]) == "" {
				continue
			}
			if !s.hasLately(lineKey(file, lines[0]+k, each[k]), now) {
				break
			}
			end, filled = k+1, filled+1
		}
		if filled <= fewLines {
			end = max(end, i+1)
			b.WriteString(strings.Join(each[i:end], ""))
		} else {
			fmt.Fprintf(b, "[lines %d-%d were sent before]\n", lines[0]+i, lines[0]+end-1)
		}
		i = end
	}
	return b.String()
}

// add remembers the lines of an answer.
func (s *sent) add(keys []uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.lines == nil || len(s.lines) > maxSent {
		s.lines = map[uint64]sending{}
	}
	s.calls++
	now := sending{time.Now(), s.calls}
	for _, k := range keys {
		s.lines[k] = now
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
			keys = append(keys, lineKey(file, lines[0]+i, line))
		}
	}
	return keys
}

// lineKey is the hash of a line.
func lineKey(file string, number int, line string) uint64 {
	return maphash.String(seed, file+"\n"+strconv.Itoa(number)+"\n"+strings.TrimSpace(line))
}

// Sessions holds the sessions that calls name. The zero value is empty.
type Sessions struct {
	remember bool // a connection is a session too: see Options.Remember

	mu   sync.Mutex
	byID map[sessionID]*sent
}

// A sessionID is a name on a connection, which is nil over HTTP.
type sessionID struct {
	conn *sent
	name [sha256.Size]byte // names may be long
}

// sessionsKey is the context key of the Sessions of a user.
type sessionsKey struct{}

// WithSessions has the calls of an HTTP request name sessions of one user: the same name is
// another session for another user.
func WithSessions(ctx context.Context, s *Sessions) context.Context {
	return context.WithValue(ctx, sessionsKey{}, s)
}

// sentTo returns what the session of a call was sent; nil where there is no session.
func (s *Sessions) sentTo(ctx context.Context, session *mcp.ServerSession, name string) *sent {
	conn, _ := ctx.Value(connectionKey{}).(*sent)
	switch {
	case name != "":
		return s.of(conn, name)
	case conn == nil || !s.remember || session == nil:
		return nil
	}
	if p := session.InitializeParams(); p == nil || p.ProtocolVersion >= sessionless {
		return nil
	}
	return conn
}

// of returns what the session of that name was sent.
func (s *Sessions) of(conn *sent, name string) *sent {
	id := sessionID{conn, sha256.Sum256([]byte(name))}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.byID == nil {
		s.byID = map[sessionID]*sent{}
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
func (s *Sessions) evict() {
	var oldest sessionID
	var used time.Time
	for id, x := range s.byID {
		if used.IsZero() || x.used.Before(used) {
			oldest, used = id, x.used
		}
	}
	delete(s.byID, oldest)
}
