package host

import (
	"math"
	"sync"
	"time"
)

// Limits bound what a user may ask of the server. The zero value of each means no limit.
type Limits struct {
	Rate       int           // requests a second of a user, on average: see burst
	Concurrent int           // requests of a user that run at once
	Body       int64         // bytes of a request
	Time       time.Duration // that a page may take; agents' calls have mcp.Options.CallTime
}

// burst is how many requests a user may make at once who made none for a while: a client
// that connects makes several.
func (l Limits) burst() float64 { return float64(max(10, 2*l.Rate)) }

// A meter counts what a user asks. It belongs to a name, so that a reload of the token
// file forgives nothing.
type meter struct {
	mu       sync.Mutex
	requests bucket
	running  int
}

// enter counts a request that begins. A reason says that it may not, and wait after how
// long it may; otherwise leave must be called when it ends.
func (m *meter) enter(l Limits, now time.Time) (reason string, wait time.Duration) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if l.Concurrent > 0 && m.running >= l.Concurrent {
		return refusedConcurrent, time.Second
	}
	if l.Rate > 0 {
		if wait := m.requests.take(now, l.burst(), float64(l.Rate)); wait > 0 {
			return refusedRate, wait
		}
	}
	m.running++
	return "", 0
}

func (m *meter) leave() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.running--
}

// meters are those of all users, by name.
type meters struct {
	mu     sync.Mutex
	byName map[string]*meter
}

func (m *meters) of(user string) *meter {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.byName == nil {
		m.byName = map[string]*meter{}
	}
	if m.byName[user] == nil {
		m.byName[user] = &meter{}
	}
	return m.byName[user]
}

// A bucket is what someone may do at once. It fills up with time, and is full at first.
type bucket struct {
	left float64 // at the time at
	at   time.Time
}

// leftAt is what the bucket holds at a time: most at most, and so many more each second.
func (b *bucket) leftAt(now time.Time, most, perSecond float64) float64 {
	if b.at.IsZero() {
		return most
	}
	return min(most, b.left+max(0, now.Sub(b.at).Seconds())*perSecond)
}

// wait is how long it takes until the bucket holds one, in whole seconds; 0 if it does.
func (b *bucket) wait(now time.Time, most, perSecond float64) time.Duration {
	left := b.leftAt(now, most, perSecond)
	if left >= 1 {
		return 0
	}
	return time.Duration(math.Ceil((1-left)/perSecond)) * time.Second
}

// take takes one, unless that has to wait.
func (b *bucket) take(now time.Time, most, perSecond float64) (wait time.Duration) {
	if wait := b.wait(now, most, perSecond); wait > 0 {
		return wait
	}
	b.left, b.at = b.leftAt(now, most, perSecond)-1, now
	return 0
}
