package fetch

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// How requests are made.
//
// The token goes with a request when its address has the origin (scheme, host
// and port) of GitHub's API, and no redirect has led elsewhere on the way there.
// Redirects are followed by our own loop: net/http would keep the Authorization
// header when only the port changes, and all others always. There are at most 5,
// none from https to http, and http is for this machine only.
//
// Addresses after a redirect may carry a key of their own (GitHub's tarballs of
// private repositories do): errors show the server and path, never the query.
//
// A request that fails for a reason that passes (connection, 502, 503, 504) is
// tried twice more. A body that stops for 30 seconds is given up.
const (
	maxRedirects = 5
	maxTries     = 3
	stall        = 30 * time.Second
	maxMessage   = 64 << 10 // of an error's body
)

type client struct {
	transport http.RoundTripper
	api       *url.URL
	token     string
	wait      time.Duration
}

func newClient(o Options) (*client, error) {
	c := &client{transport: o.Transport, token: strings.TrimSpace(o.Token), wait: cmp.Or(o.wait, 500*time.Millisecond)}
	if !printable(c.token) {
		return nil, errors.New("GITHUB_TOKEN holds characters that no token has")
	}
	var err error
	if c.api, err = apiOf(o.GitHubURL); err != nil {
		return nil, err
	}
	if c.transport == nil {
		t := http.DefaultTransport.(*http.Transport).Clone()
		t.DisableCompression = true // what is unpacked on the way has no bounds
		t.ResponseHeaderTimeout = stall
		c.transport = t
	}
	return c, nil
}

func (c *client) close() {
	if t, ok := c.transport.(interface{ CloseIdleConnections() }); ok {
		t.CloseIdleConnections()
	}
}

// get asks for an address, with more headers as pairs of names and values. The
// status of the answer is 200 or 304; all others are errors.
func (c *client) get(ctx context.Context, address string, header ...string) (resp *http.Response, err error) {
	u, err := url.Parse(address)
	if err != nil {
		return nil, errors.New("not a valid address")
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer func() {
		if err != nil {
			cancel(nil)
		}
	}()
	mayHaveToken := true
	for range maxRedirects + 1 {
		// Gone for good: a server that sends us back to the API would otherwise
		// choose what the token asks for.
		mayHaveToken = mayHaveToken && origin(u) == origin(c.api)
		if resp, err = c.try(ctx, u, mayHaveToken, header); err != nil {
			return nil, err
		}
		next, err := redirect(u, resp)
		if err != nil || next == nil {
			if err == nil {
				err = c.judge(resp, mayHaveToken)
			}
			if err != nil {
				drain(resp)
				return nil, fmt.Errorf("%s: %w", shown(u), err)
			}
			give := func() { cancel(fmt.Errorf("nothing came for %v", stall)) }
			resp.Body = &patient{resp.Body, ctx, cancel, time.AfterFunc(stall, give)}
			return resp, nil
		}
		drain(resp)
		u = next
	}
	return nil, fmt.Errorf("%s: more than %d redirects", shown(u), maxRedirects)
}

// try sends one request, again if it fails for a reason that passes.
func (c *client) try(ctx context.Context, u *url.URL, withToken bool, header []string) (*http.Response, error) {
	if u.Scheme != "https" && (u.Scheme != "http" || !loopback(u.Hostname())) {
		return nil, fmt.Errorf("%s: not an https address", shown(u))
	}
	for n := 1; ; n++ {
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
		if err != nil {
			return nil, fmt.Errorf("%s: not a valid address", shown(u))
		}
		req.Header.Set("User-Agent", "docent")
		for i := 0; i+1 < len(header); i += 2 {
			req.Header.Set(header[i], header[i+1])
		}
		if withToken && c.token != "" {
			req.Header.Set("Authorization", "Bearer "+c.token)
		}
		resp, err := c.transport.RoundTrip(req)
		if ctx.Err() != nil {
			drain(resp)
			return nil, context.Cause(ctx)
		}
		if err == nil && !passes(resp.StatusCode) || n == maxTries {
			if err != nil {
				err = fmt.Errorf("%s://%s: %w", u.Scheme, u.Host, err)
			}
			return resp, err
		}
		drain(resp)
		select {
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		case <-time.After(c.wait << (n - 1)):
		}
	}
}

func passes(status int) bool {
	return status == http.StatusBadGateway || status == http.StatusServiceUnavailable || status == http.StatusGatewayTimeout
}

// redirect returns where an answer sends us, nil if nowhere.
func redirect(from *url.URL, resp *http.Response) (*url.URL, error) {
	switch resp.StatusCode {
	case http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther, http.StatusTemporaryRedirect, http.StatusPermanentRedirect:
	default:
		return nil, nil
	}
	to, err := from.Parse(resp.Header.Get("Location"))
	switch {
	case err != nil || resp.Header.Get("Location") == "" || to.Host == "":
		return nil, errors.New("a redirect that leads nowhere")
	case to.Scheme != "https" && to.Scheme != from.Scheme,
		from.Scheme == "http" && to.Scheme == "http" && !loopback(to.Hostname()):
		return nil, fmt.Errorf("a redirect to %s://%s: must be https", to.Scheme, to.Host)
	}
	to.User, to.Fragment, to.RawFragment = nil, "", ""
	return to, nil
}

// A StatusError is an answer that is none.
type StatusError struct {
	Status int
	text   string
}

func (e *StatusError) Error() string { return e.text }

// A RateLimitError is what GitHub answers to those who ask too often.
type RateLimitError struct {
	Reset time.Time // when asking works again; zero where the server did not say
	Token bool      // whether a token was sent
	now   time.Time
}

func (e *RateLimitError) Error() string {
	text := "the server's rate limit is used up"
	if !e.Reset.IsZero() {
		wait := max(e.Reset.Sub(e.now), 0).Round(time.Second)
		text += fmt.Sprintf(" until %s (in %v)", e.Reset.Local().Format("15:04:05"), wait)
	}
	if !e.Token {
		text += "; set GITHUB_TOKEN to have more requests"
	}
	return text
}

// judge turns an answer that holds no content into an error.
func (c *client) judge(resp *http.Response, withToken bool) error {
	status := resp.StatusCode
	withToken = withToken && c.token != ""
	switch {
	case status == http.StatusOK || status == http.StatusNotModified:
		return nil
	case status == http.StatusTooManyRequests,
		status == http.StatusForbidden && (resp.Header.Get("X-Ratelimit-Remaining") == "0" || resp.Header.Get("Retry-After") != ""):
		now := time.Now()
		return &RateLimitError{Reset: resetOf(resp.Header, now), Token: withToken, now: now}
	}
	text := map[int]string{
		http.StatusUnauthorized: "asks for a token: set GITHUB_TOKEN",
		http.StatusNotFound:     "not found",
		http.StatusConflict:     "the repository is empty",
	}[status]
	switch {
	case status == http.StatusUnauthorized && withToken:
		text = "does not accept the token in GITHUB_TOKEN"
	case text == "":
		text = fmt.Sprintf("answered %d %s", status, http.StatusText(status))
		if m := message(resp.Body); m != "" {
			text += " (" + m + ")"
		}
	}
	return &StatusError{Status: status, text: text}
}

// resetOf reads when a limit ends. A server that names a time beyond a day is
// not believed.
func resetOf(h http.Header, now time.Time) time.Time {
	var t time.Time
	if n, err := strconv.ParseInt(h.Get("Retry-After"), 10, 32); err == nil && n >= 0 {
		t = now.Add(time.Duration(n) * time.Second)
	} else if n, err := strconv.ParseInt(h.Get("X-Ratelimit-Reset"), 10, 64); err == nil {
		t = time.Unix(n, 0)
	}
	if t.After(now.Add(24 * time.Hour)) {
		return time.Time{}
	}
	return t
}

// message reads what GitHub says about an error, on one line.
func message(body io.Reader) string {
	var m struct {
		Message string `json:"message"`
	}
	data, _ := io.ReadAll(io.LimitReader(body, maxMessage))
	if json.Unmarshal(data, &m) != nil || !printable(m.Message) || len(m.Message) > 200 {
		return ""
	}
	return m.Message
}

// drain lets a connection be used again, if little is left to read.
func drain(resp *http.Response) {
	if resp != nil {
		_, _ = io.CopyN(io.Discard, resp.Body, 4<<10)
		_ = resp.Body.Close()
	}
}

// patient reads a body and gives it up when nothing comes for too long.
type patient struct {
	io.ReadCloser
	ctx    context.Context
	cancel context.CancelCauseFunc
	timer  *time.Timer
}

func (p *patient) Read(b []byte) (int, error) {
	n, err := p.ReadCloser.Read(b)
	if err == nil {
		p.timer.Reset(stall)
	} else if err != io.EOF && p.ctx.Err() != nil {
		err = context.Cause(p.ctx)
	}
	return n, err
}

func (p *patient) Close() error {
	p.timer.Stop()
	err := p.ReadCloser.Close()
	p.cancel(nil)
	return err
}
