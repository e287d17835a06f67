// Package llm speaks to language models over HTTP: the Anthropic Messages API,
// for reranking, summaries and questions, and any endpoint that serves
// /v1/embeddings as OpenAI does. It is one small client without an SDK, and it
// opens no connection before a method is called.
//
// Three promises hold for every call. The key goes to the origin of the base
// URL and nowhere else: not across a redirect, not into an error. A call ends:
// attempts, waits and answers are bounded, and the context is obeyed. And an
// answer is either what the protocol says or an *Error whose Kind tells the
// caller whether to fall back, to wait or to ask the user.
package llm

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// Defaults of a Config.
const (
	ClaudeURL   = "https://api.anthropic.com"
	ClaudeModel = "claude-sonnet-5-5" // the class that docsearch names; a smaller one costs a twentieth
	OpenAIURL   = "https://api.openai.com"
	OpenAIModel = "text-embedding-3-small"

	defaultTimeout     = time.Minute
	defaultWithin      = 8 * time.Second
	defaultRetries     = 4
	defaultMaxWait     = 30 * time.Second
	defaultConcurrency = 4
)

// A Config says where an endpoint is and how to treat it. Only the user may
// decide on BaseURL and Key, never a project.
type Config struct {
	BaseURL string // with or without a final /v1; "" means the provider's own
	Key     string // "" sends none, as local servers need none
	Model   string // "" means a small one

	Timeout     time.Duration // of one attempt; 0 means a minute
	Within      time.Duration // of a reranking or the vector of a query, all attempts together; 0 means 8 s
	Retries     int           // attempts after the first; 0 means 4, below 0 none
	MaxWait     time.Duration // longest wait between attempts, whatever Retry-After says; 0 means 30 s
	Concurrency int           // requests at once; 0 means 4

	Patient   bool   // do a long job to its end; otherwise somebody waits, and an outage is not waited for
	OutageDir string // folder by which other processes know of an outage; "" means none

	Cache  *Store    // answers paid for already; nil means none
	Record func(Use) // told of everything that costs, also when the answer was of no use; may be nil

	// What follows is for tests; the zero value is the real thing.

	Transport http.RoundTripper
	Sleep     func(ctx context.Context, d time.Duration) error
	Jitter    func() float64 // from 0 to 1
	Now       func() time.Time
}

func (c Config) withDefaults(baseURL, model string) Config {
	c.BaseURL = cmp.Or(c.BaseURL, baseURL)
	c.Model = cmp.Or(c.Model, model)
	c.Timeout = cmp.Or(max(c.Timeout, 0), defaultTimeout)
	c.Within = cmp.Or(max(c.Within, 0), defaultWithin)
	c.Retries = max(cmp.Or(c.Retries, defaultRetries), 0)
	c.MaxWait = cmp.Or(max(c.MaxWait, 0), defaultMaxWait)
	c.Concurrency = cmp.Or(max(c.Concurrency, 0), defaultConcurrency)
	c.Transport = cmp.Or(c.Transport, http.DefaultTransport)
	if c.Record == nil {
		c.Record = func(Use) {}
	}
	if c.Sleep == nil {
		c.Sleep = sleep
	}
	if c.Jitter == nil {
		c.Jitter = rand.Float64
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	return c
}

func sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// parseBase reads a base URL. What it returns ends before /v1.
func parseBase(raw, key string) (*url.URL, error) {
	u, err := url.Parse(strings.TrimSpace(raw))
	if err != nil {
		// The cause is not told: it repeats the address, and people paste
		// addresses with a password in them.
		return nil, errors.New("base URL: not an address")
	}
	switch {
	case u.Scheme != "https" && u.Scheme != "http":
		return nil, errors.New("base URL: it must begin with https:// or http://")
	case u.Hostname() == "":
		return nil, errors.New("base URL: it names no host")
	case u.User != nil:
		return nil, errors.New("base URL: it holds a user name; a key is a setting of its own")
	case u.RawQuery != "" || u.ForceQuery || u.Fragment != "":
		return nil, errors.New("base URL: it ends in a query or a fragment")
	case u.Scheme == "http" && key != "" && !nearby(u.Hostname()):
		return nil, fmt.Errorf("base URL: a key is not sent to %s without https", u.Hostname())
	}
	path := strings.TrimSuffix(strings.TrimRight(u.Path, "/"), "/v1")
	return &url.URL{Scheme: u.Scheme, Host: u.Host, Path: path}, nil
}

// nearby reports whether a host is this machine or in a private network, where
// people run embedders without https.
func nearby(host string) bool {
	if ip := net.ParseIP(host); ip != nil {
		return ip.IsLoopback() || ip.IsPrivate() || ip.IsLinkLocalUnicast()
	}
	host = strings.ToLower(strings.TrimSuffix(host, "."))
	return !strings.Contains(host, ".") || strings.HasSuffix(host, ".localhost") ||
		strings.HasSuffix(host, ".local") || strings.HasSuffix(host, ".internal")
}
