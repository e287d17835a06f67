package host

import (
	"crypto/sha256"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"time"
)

// Whoever guesses tokens is slowed down, by address:
//
//   - An address may send firstGuesses wrong tokens, and one more each guessEvery. Over
//     that no token of it is looked up, and a wrong one learns nothing from its answer.
//   - A wrong token that is sent again is no new guess: a program with an old token that
//     tries for ever uses up one.
//   - A token that was right from an address before is right while that address is over
//     the limit: whoever shares it with a guesser goes on working. Other addresses are not
//     concerned at all.
//   - What is remembered is bounded: maxGuessers addresses, maxWrong tokens of each, and
//     maxPlaces addresses of each user. Of addresses, the one goes that may guess most.
const (
	firstGuesses = 10
	guessEvery   = 10 * time.Second
	maxGuessers  = 4096
	maxWrong     = 8
	maxPlaces    = 64
)

// guesses are the wrong tokens of all addresses. The zero value has seen none.
type guesses struct {
	mu sync.Mutex
	by map[netip.Prefix]*guesser
}

// A guesser is an address that sent a wrong token.
type guesser struct {
	bucket                     // of guesses
	wrong  [][sha256.Size]byte // hashes of the last wrong tokens, the oldest first
}

// guessRate is how many guesses an address gets back each second.
var guessRate = 1 / guessEvery.Seconds()

// wait is how long an address must wait before it may guess again; 0 if it need not.
func (gs *guesses) wait(from netip.Prefix, now time.Time) time.Duration {
	gs.mu.Lock()
	defer gs.mu.Unlock()
	if g := gs.by[from]; g != nil {
		return g.wait(now, firstGuesses, guessRate)
	}
	return 0
}

// add counts a wrong token, unless it was sent before. If the address is over the limit,
// nothing is counted, and it must wait.
func (gs *guesses) add(from netip.Prefix, token string, now time.Time) (wait time.Duration) {
	gs.mu.Lock()
	defer gs.mu.Unlock()
	hash := sha256.Sum256([]byte(token))
	g := gs.by[from]
	if g != nil && slices.Contains(g.wrong, hash) {
		return 0
	}
	if g == nil {
		if gs.by == nil {
			gs.by = map[netip.Prefix]*guesser{}
		}
		gs.evict(now)
		g = &guesser{}
		gs.by[from] = g
	}
	if wait := g.take(now, firstGuesses, guessRate); wait > 0 {
		return wait
	}
	if len(g.wrong) == maxWrong {
		g.wrong = slices.Delete(g.wrong, 0, 1)
	}
	g.wrong = append(g.wrong, hash)
	return 0
}

// evict makes room for an address: those that have all guesses again go, and if there are
// none, the one that may make most, of these the one that is quiet for longest.
func (gs *guesses) evict(now time.Time) {
	if len(gs.by) < maxGuessers {
		return
	}
	var out netip.Prefix
	var best *guesser
	leftOf := func(g *guesser) float64 { return g.leftAt(now, firstGuesses, guessRate) }
	for from, g := range gs.by {
		left := leftOf(g)
		if left >= firstGuesses {
			delete(gs.by, from)
			continue
		}
		if best == nil || left > leftOf(best) || left == leftOf(best) && g.at.Before(best.at) {
			out, best = from, g
		}
	}
	if len(gs.by) >= maxGuessers {
		delete(gs.by, out)
	}
}

// places are addresses from which a user's token came, up to maxPlaces. The zero value
// has none.
type places struct {
	mu   sync.Mutex
	seen map[netip.Prefix]time.Time
}

func (p *places) has(from netip.Prefix) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	_, ok := p.seen[from]
	return ok
}

func (p *places) add(from netip.Prefix, now time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.seen == nil {
		p.seen = map[netip.Prefix]time.Time{}
	}
	if _, ok := p.seen[from]; !ok && len(p.seen) == maxPlaces {
		oldest := from
		for at, when := range p.seen {
			if oldest == from || when.Before(p.seen[oldest]) {
				oldest = at
			}
		}
		delete(p.seen, oldest)
	}
	p.seen[from] = now
}

// neighbourhood is what counts as one address: of IPv6 the 64 bits that a subscriber gets,
// who may use as many addresses of them as they like.
func neighbourhood(address string) netip.Prefix {
	ip, err := netip.ParseAddr(address)
	if err != nil {
		return netip.Prefix{} // all of these are one
	}
	ip = ip.Unmap().WithZone("")
	bits := 64
	if ip.Is4() {
		bits = 32
	}
	p, _ := ip.Prefix(bits)
	return p
}

// remote is the address of a client, without its port. Behind a proxy that is the last
// address of X-Forwarded-For, which the proxy writes: those before it may be made up.
func remote(r *http.Request, behindProxy bool) string {
	if all := r.Header.Values("X-Forwarded-For"); behindProxy && len(all) > 0 {
		last := all[len(all)-1]
		if ip, err := netip.ParseAddr(strings.TrimSpace(last[strings.LastIndexByte(last, ',')+1:])); err == nil {
			return ip.String()
		}
	}
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		return r.RemoteAddr
	}
	return host
}
