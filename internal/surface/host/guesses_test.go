package host

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"time"
)

// guessed is a server with alice and bob, a clock that stands still, and who asks it.
type guessed struct {
	*Host
	now time.Time
}

func newGuessed(t *testing.T, o Options) *guessed {
	users, g := usersOf(t, tokenFile()), &guessed{now: time.Unix(0, 0)}
	o.Users, o.now = func() (Users, error) { return users, nil }, func() time.Time { return g.now }
	g.Host = newHost(t, o)
	return g
}

func (g *guessed) ask(from, token string) *httptest.ResponseRecorder {
	r := asRequest(http.MethodGet, "/", token, "")
	r.RemoteAddr = from
	return do(g, r)
}

// Whoever tried tokens one after another was told 401 as fast as they could ask, which a
// short DOCENT_TOKEN does not stand for long. Now an address is asked to wait after ten,
// and its right guess is refused like a wrong one, while alice works on from elsewhere.
func TestGuessesAreSlowedDown(t *testing.T) {
	g := newGuessed(t, Options{})
	const attacker, office = "192.0.2.7:1000", "198.51.100.1:1000"
	for i := range firstGuesses {
		if w := g.ask(attacker, fmt.Sprint("guess-", i)); w.Code != 401 {
			t.Fatalf("guess %d: %d", i, w.Code)
		}
	}
	w := g.ask(attacker, "one-more")
	if w.Code != 429 || w.Header().Get("Retry-After") != "10" || !strings.Contains(w.Body.String(), "too many wrong tokens from your address") {
		t.Errorf("one more: %d %v %s", w.Code, w.Header(), w.Body)
	}
	if right := g.ask("192.0.2.7:2000", aliceToken); right.Code != 429 || right.Body.String() != w.Body.String() {
		t.Errorf("the right token, guessed: %d %s", right.Code, right.Body)
	}
	if w := g.ask(office, aliceToken); w.Code != 200 {
		t.Errorf("alice, from elsewhere: %d", w.Code)
	}
	if w := g.ask(attacker, ""); w.Code != 401 {
		t.Errorf("without a token: %d, which a browser needs to ask for one", w.Code)
	}
	g.now = g.now.Add(guessEvery - time.Second)
	if w := g.ask(attacker, "too-early"); w.Code != 429 || w.Header().Get("Retry-After") != "1" {
		t.Errorf("a second too early: %d %v", w.Code, w.Header())
	}
	g.now = g.now.Add(time.Second)
	if a, b := g.ask(attacker, "in-time").Code, g.ask(attacker, "and-again").Code; a != 401 || b != 429 {
		t.Errorf("ten seconds later: %d, %d", a, b)
	}
	if w := do(g, asRequest(http.MethodGet, "/metrics", bobToken, "")); !strings.Contains(w.Body.String(), `docent_refused_total{reason="guesses"} 4`) {
		t.Errorf("metrics: %s", w.Body)
	}
}

// An agent with last month's token, on the same machine as one with today's, tried again
// for ever: that is one guess, and locks nobody out.
func TestOldTokenIsOneGuess(t *testing.T) {
	g := newGuessed(t, Options{})
	const machine = "127.0.0.1:1000"
	for range 10 * firstGuesses {
		if w := g.ask(machine, "last-months-token"); w.Code != 401 {
			t.Fatalf("the old token: %d", w.Code)
		}
	}
	if w := g.ask(machine, aliceToken); w.Code != 200 {
		t.Errorf("the new one: %d", w.Code)
	}
}

// Users whose token was right from an address go on when somebody guesses there.
func TestGuessesFromTheSameAddress(t *testing.T) {
	g := newGuessed(t, Options{})
	const office = "198.51.100.1:1000"
	if w := g.ask(office, aliceToken); w.Code != 200 {
		t.Fatal(w.Code)
	}
	for i := range 2 * firstGuesses {
		g.ask(office, fmt.Sprint("guess-", i))
	}
	if alice, bob := g.ask(office, aliceToken).Code, g.ask(office, bobToken).Code; alice != 200 || bob != 429 {
		t.Errorf("alice, who was there: %d, want 200; bob, who was not: %d, want 429", alice, bob)
	}
}

// Guesses that come at once are counted one by one.
func TestGuessesAtOnce(t *testing.T) {
	g := newGuessed(t, Options{})
	codes := make([]int, 5*firstGuesses)
	var wg sync.WaitGroup
	for i := range codes {
		wg.Go(func() { codes[i] = g.ask("192.0.2.7:1", fmt.Sprint("guess-", i)).Code })
	}
	wg.Wait()
	count := map[int]int{}
	for _, c := range codes {
		count[c]++
	}
	if count[401] != firstGuesses || count[429] != len(codes)-firstGuesses {
		t.Errorf("answers: %v", count)
	}
}

// However many addresses guess, a bounded number is remembered, and the busiest of them.
func TestMemoryOfGuessesIsBounded(t *testing.T) {
	g := newGuessed(t, Options{})
	const attacker = "192.0.2.7:1000"
	for i := range firstGuesses {
		g.ask(attacker, fmt.Sprint("guess-", i))
	}
	for i := range maxGuessers + 100 {
		g.ask(fmt.Sprintf("10.1.%d.%d:1", i/250, i%250), fmt.Sprint("guess-", i))
	}
	if n := len(g.guesses.by); n > maxGuessers {
		t.Errorf("%d addresses are remembered", n)
	}
	if w := g.ask(attacker, "one-more"); w.Code != 429 {
		t.Errorf("the one that guessed most was forgotten: %d", w.Code)
	}
	for _, one := range g.guesses.by {
		if len(one.wrong) > maxWrong {
			t.Fatalf("%d wrong tokens of an address are remembered", len(one.wrong))
		}
	}
	g.now = g.now.Add(firstGuesses * guessEvery)
	if g.ask("10.9.9.9:1", "guess"); len(g.guesses.by) != 1 {
		t.Errorf("%d addresses are remembered that may guess as if for the first time", len(g.guesses.by)-1)
	}
	var p places
	for i := range 2 * maxPlaces {
		p.add(neighbourhood(fmt.Sprintf("10.0.0.%d", i)), g.now.Add(time.Duration(i)))
	}
	if len(p.seen) != maxPlaces || p.has(neighbourhood("10.0.0.0")) || !p.has(neighbourhood(fmt.Sprintf("10.0.0.%d", 2*maxPlaces-1))) {
		t.Errorf("%d places of a user", len(p.seen))
	}
}

func TestNeighbourhood(t *testing.T) {
	for address, want := range map[string]string{
		"192.0.2.7":                "192.0.2.7/32",
		"::ffff:192.0.2.7":         "192.0.2.7/32",
		"2001:db8:1:2:3:4:5:6":     "2001:db8:1:2::/64",
		"2001:db8:1:2:ffff::1%en0": "2001:db8:1:2::/64",
	} {
		if got := neighbourhood(address); got != netip.MustParsePrefix(want) {
			t.Errorf("%s: %v, want %s", address, got, want)
		}
	}
	if got := neighbourhood("@"); got.IsValid() { // a Unix socket has no address
		t.Errorf("no address: %v", got)
	}
}

// Behind a proxy all clients have the proxy's address, and one of them who guessed would
// have all of them wait.
func TestGuessesBehindAProxy(t *testing.T) {
	for _, tt := range []struct {
		name, header string
		behind       bool
		want         string
	}{
		{"no proxy", "203.0.113.5", false, "127.0.0.1"},
		{"behind one", "203.0.113.5", true, "203.0.113.5"},
		{"what the client made up stands first", "1.2.3.4, 203.0.113.5", true, "203.0.113.5"},
		{"no address", "unknown", true, "127.0.0.1"},
		{"nothing", "", true, "127.0.0.1"},
	} {
		r := asRequest(http.MethodGet, "/", "", "")
		r.RemoteAddr = "127.0.0.1:4000"
		if tt.header != "" {
			r.Header.Set("X-Forwarded-For", tt.header)
		}
		if got := remote(r, tt.behind); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
	g := newGuessed(t, Options{BehindProxy: true})
	ask := func(client, token string) int {
		r := asRequest(http.MethodGet, "/", token, "")
		r.Header.Add("X-Forwarded-For", "198.51.100.99") // made up by the client
		r.Header.Add("X-Forwarded-For", client)
		return do(g, r).Code
	}
	for i := range firstGuesses {
		ask("203.0.113.5", fmt.Sprint("guess-", i))
	}
	if a, b := ask("203.0.113.5", "guess"), ask("203.0.113.6", aliceToken); a != 429 || b != 200 {
		t.Errorf("the guesser: %d, want 429; another client: %d, want 200", a, b)
	}
}
