package llm

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
)

// client is what both APIs have in common: one origin, its key, and how often
// and how long to try.
type client struct {
	Config
	base  *url.URL
	auth  func(http.Header)
	http  *http.Client
	slots chan struct{} // one for each request that may be under way

	// reached is set once the endpoint has answered anything. One that never
	// did is most likely not running, and told about at once instead of
	// being waited for.
	reached atomic.Bool

	outage outage
}

func newClient(c Config, auth func(h http.Header, key string)) (*client, error) {
	base, err := parseBase(c.BaseURL, c.Key)
	if err != nil {
		return nil, err
	}
	if strings.ContainsFunc(c.Key, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return nil, errors.New("key: it holds a character that no key has; was it copied whole?")
	}
	return &client{
		Config: c,
		base:   base,
		auth:   func(h http.Header) { auth(h, c.Key) },
		http:   &http.Client{Transport: c.Transport, CheckRedirect: sameOrigin},
		slots:  make(chan struct{}, c.Concurrency),
		outage: outage{file: outageFile(c.OutageDir, base)},
	}, nil
}

var errElsewhere = errors.New("redirect refused")

// sameOrigin lets a redirect pass only within the origin and with the method
// of the first request. net/http would take headers that it does not know,
// x-api-key among them, to any host.
func sameOrigin(req *http.Request, via []*http.Request) error {
	first := via[0]
	if len(via) > 3 || req.Method != first.Method || origin(req.URL) != origin(first.URL) {
		return errElsewhere
	}
	return nil
}

// defaultPorts are those that an address need not name.
var defaultPorts = map[string]string{"http": "80", "https": "443"}

// origin returns scheme, host and port of u in one form.
func origin(u *url.URL) string {
	port := cmp.Or(u.Port(), defaultPorts[u.Scheme])
	return u.Scheme + "://" + strings.ToLower(u.Hostname()) + ":" + port
}

// address returns a base URL in the one form that models and paid answers are known by:
// localhost for every name of this machine, and no port where it is the default.
func address(u *url.URL) string {
	host := strings.ToLower(strings.TrimSuffix(u.Hostname(), "."))
	switch ip := net.ParseIP(host); {
	case ip != nil && ip.IsLoopback():
		host = "localhost"
	case strings.Contains(host, ":"):
		host = "[" + host + "]"
	}
	if port := u.Port(); port != "" && port != defaultPorts[u.Scheme] {
		host += ":" + port
	}
	return (&url.URL{Scheme: u.Scheme, Host: host, Path: u.Path}).String()
}

// A call is one request, tried until it works or will not.
type call struct {
	op     string
	method string
	path   string // after the base, beginning with /v1
	body   []byte
	limit  int64 // largest answer

	// costly is set when doing it twice does harm. It is then tried again
	// only after an answer that says that nothing was done.
	costly bool

	// within is set when somebody waits: all attempts together take no longer. During
	// an outage it is tried once, as a probe.
	within time.Duration
	probe  bool
}

// do returns the body of the answer to c.
func (cl *client) do(ctx context.Context, c call) ([]byte, error) {
	if c.within > 0 {
		if err := cl.hurry(&c); err != nil {
			return nil, err
		}
		within, cancel := context.WithTimeout(ctx, c.within)
		defer cancel()
		ctx = within
	}
	body, err := cl.retry(ctx, c)
	switch k := KindOf(err); {
	case isOutage(k):
		cl.outage.begin(cl.Now(), c.probe)
	case k != Cancelled && k != Unsupported:
		cl.outage.end()
	}
	return body, err
}

// retry tries c until it works or will not.
func (cl *client) retry(ctx context.Context, c call) ([]byte, error) {
	for n := 0; ; n++ {
		body, wait, err := cl.attempt(ctx, c)
		if err == nil {
			return body, nil
		}
		err.Op, err.Endpoint, err.Attempts = c.op, cl.base.Scheme+"://"+cl.base.Host, n+1
		err.Message = scrub(err.Message, cl.Key)
		switch {
		case c.probe, n >= cl.Retries, !retriable(err, c.costly), dialling(err) && !cl.reached.Load():
			return nil, err
		case err.Kind == TimedOut && err.Status == 0 && !cl.Patient: // a minute was enough
			return nil, err
		}
		pause := min(backoff(n, cl.Jitter()), cl.MaxWait)
		if wait >= 0 {
			pause = min(wait, cl.MaxWait)
		}
		// There is no use in waiting for what comes too late.
		if end, ok := ctx.Deadline(); ok && time.Until(end) < pause {
			return nil, err
		}
		if cl.Sleep(ctx, pause) != nil {
			return nil, err
		}
	}
}

// attempt tries once. With an error it returns how long the server wants us
// to wait, below 0 when it does not say.
func (cl *client) attempt(ctx context.Context, c call) ([]byte, time.Duration, *Error) {
	select {
	case cl.slots <- struct{}{}:
		defer func() { <-cl.slots }()
	case <-ctx.Done():
		return nil, -1, broken(ctx, ctx, context.Cause(ctx))
	}
	within, cancel := context.WithTimeout(ctx, cl.Timeout)
	defer cancel()

	at := *cl.base
	at.Path += c.path
	req, err := http.NewRequestWithContext(within, c.method, at.String(), bytes.NewReader(c.body))
	if err != nil {
		return nil, -1, &Error{Kind: Unsupported, Message: err.Error(), Err: err}
	}
	req.Header.Set("Accept", "application/json")
	req.Header.Set("User-Agent", "docent")
	if c.body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	cl.auth(req.Header)

	resp, err := cl.http.Do(req)
	if err != nil {
		return nil, -1, broken(ctx, within, err)
	}
	defer resp.Body.Close()
	cl.reached.Store(true)
	if resp.StatusCode < 200 || resp.StatusCode > 299 {
		text, _ := io.ReadAll(io.LimitReader(resp.Body, 64<<10))
		e := &Error{
			Kind:      kindOfStatus(resp.StatusCode),
			Status:    resp.StatusCode,
			Message:   serverMessage(text),
			RequestID: scrub(resp.Header.Get("Request-Id"), cl.Key),
		}
		if tooLong(e) {
			e.Kind = TooLarge
		}
		return nil, retryAfter(resp.Header, cl.Now()), e
	}
	body, err := io.ReadAll(io.LimitReader(resp.Body, c.limit+1))
	if err != nil {
		return nil, -1, broken(ctx, within, err)
	}
	if int64(len(body)) > c.limit {
		return nil, -1, &Error{Kind: Oversized, Status: resp.StatusCode}
	}
	return body, -1, nil
}

// broken says why there was no whole answer: the caller's context ended, or
// that of the attempt, or the connection.
func broken(ctx, within context.Context, err error) *Error {
	if inner, ok := errors.AsType[*url.Error](err); ok {
		err = inner.Err // without the address, which a redirect may have chosen
	}
	e := &Error{Kind: Unreachable, Err: err, Message: err.Error()}
	switch {
	case errors.Is(err, errElsewhere):
		e.Kind, e.Message = Redirected, "not followed: the key stays with its origin"
	case errors.Is(ctx.Err(), context.DeadlineExceeded) || ctx.Err() == nil && within.Err() != nil:
		e.Kind, e.Message = TimedOut, ""
	case ctx.Err() != nil:
		e.Kind, e.Message = Cancelled, ""
	}
	return e
}

// Waits between attempts double from half a second on. The second half of each
// is left to chance, so that clients that failed together do not come back
// together. With four retries that is 4 to 7.5 seconds in all.
const (
	firstWait = 500 * time.Millisecond
	lastWait  = 8 * time.Second
)

// backoff returns how long to wait after attempt n, counted from 0.
func backoff(n int, jitter float64) time.Duration {
	d := min(firstWait<<min(n, 10), lastWait)
	return d/2 + time.Duration(float64(d/2)*jitter)
}

// retriable reports whether trying again may help. A costly request is tried
// again only when the server said that it did not begin it.
func retriable(e *Error, costly bool) bool {
	switch e.Kind {
	case Limited, Overloaded:
		return true
	case Failed, Unreachable, TimedOut:
		return !costly
	case Rejected:
		return e.Status == http.StatusConflict
	}
	return false
}

// dialling reports whether there was not even a connection.
func dialling(e *Error) bool {
	op, ok := errors.AsType[*net.OpError](e.Err)
	return ok && op.Op == "dial"
}

// retryAfter reads how long the server wants us to wait: retry-after-ms as
// OpenAI sends it, Retry-After in seconds or as a date. It returns -1 when there
// is nothing to read. The caller caps it.
func retryAfter(h http.Header, now time.Time) time.Duration {
	if ms, err := strconv.ParseFloat(h.Get("Retry-After-Ms"), 64); err == nil && ms >= 0 {
		return seconds(ms / 1000)
	}
	text := strings.TrimSpace(h.Get("Retry-After"))
	if s, err := strconv.ParseFloat(text, 64); err == nil && s >= 0 {
		return seconds(s)
	}
	if at, err := http.ParseTime(text); err == nil {
		return max(0, at.Sub(now))
	}
	return -1
}

// seconds is s as a duration, cut where a duration would overflow.
func seconds(s float64) time.Duration {
	const most = 24 * time.Hour
	if !(s < most.Seconds()) {
		return most
	}
	return time.Duration(s * float64(time.Second))
}
