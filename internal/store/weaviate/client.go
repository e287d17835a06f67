// Package weaviate stores chunks in a Weaviate cluster, for corpora that one machine
// has outgrown.
//
// # What is stored where
//
// Three collections, each with a tenant for every index: DocentChunk, DocentFile and
// DocentMeta. A tenant is one shard, so that its counts are those of the index. Ids are
// UUIDv5 of tenant, collection and key: writing twice is writing once.
//
// DocentChunk has one searchable property, "words": docent's own words, those of the
// title and of the headings twice, so that the engine's BM25 sees what ours sees. Words
// that must be in the title, and terms as they are written, are in properties that can
// be filtered by, which is also how they are counted. All that is given back is in one
// more, packed (row.go).
//
// # Rules, each learnt from a fault
//
//   - Servers older than MinVersion are refused: their BM25 is wrong for up to a minute
//     after an import, and deleted objects come back.
//   - The status of a reply says nothing about the objects in it: each is looked at, and
//     those that failed are sent again.
//   - Writes want a quorum of the replicas. Never all: one dead node would block.
//   - Deletions carry their time, and collections resolve conflicts by time; else what
//     was deleted while a node was down comes back with it.
//   - Nothing is deleted by what it is not: a replica that is still taking a write in
//     finds the object before its properties (12 of 37,505 chunks were lost to that).
//   - With every question runs a read that wants a quorum: where most replicas are down
//     it fails, and no answer of a node that may have missed writes is passed off as whole.
//   - A document is written after all that it needs: what is killed half-way does not
//     count as whole, and the next run makes it good.
//   - A node that does not answer is passed over for the next in the list.
package weaviate

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
)

// MinVersion is the oldest server that is spoken to.
const MinVersion = "1.39.3"

// A Client speaks with the nodes of one cluster. It may be used by many goroutines
// at once.
type Client struct {
	nodes []string
	token string
	codec Codec
	http  *http.Client

	hesitation time.Duration // after which a node that has not answered is asked for the others

	last atomic.Int32   // the node that answered last
	next atomic.Int32   // counts writes, which go to all nodes in turn
	ill  []atomic.Int64 // when each node last failed to answer, in seconds
}

// What calls return, wrapped: ErrDown when no node answers, ErrToken when the cluster
// does not let us in, ErrForeign when what answers is no cluster, ErrOld when it is too
// old for us.
var (
	ErrDown    = errors.New("no node of the cluster answers")
	ErrToken   = errors.New("the cluster does not let us in")
	ErrForeign = errors.New("not a Weaviate server")
	ErrOld     = errors.New("too old")
)

// New returns a client for nodes at some URLs. A token, if there is one, is sent with
// every request. No connection is opened yet.
func New(urls []string, token string, codec Codec) (*Client, error) {
	c := &Client{token: token, codec: codec, hesitation: 2 * time.Second, http: &http.Client{
		Timeout: 2 * time.Minute,
		Transport: &http.Transport{
			Proxy:               http.ProxyFromEnvironment,
			DialContext:         (&net.Dialer{Timeout: 5 * time.Second, KeepAlive: 30 * time.Second}).DialContext,
			TLSHandshakeTimeout: 10 * time.Second,
			ForceAttemptHTTP2:   true,
			MaxIdleConnsPerHost: 32, // as many questions as are asked at once keep their connections
			IdleConnTimeout:     90 * time.Second,
		},
		// A redirect could carry the token elsewhere.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
	for _, s := range urls {
		if s = strings.TrimSpace(s); s == "" {
			continue
		}
		u, err := url.Parse(s)
		if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
			return nil, fmt.Errorf("cluster %q: a node is named like http://node0:8080", s)
		}
		c.nodes = append(c.nodes, strings.TrimSuffix(u.Scheme+"://"+u.Host+u.Path, "/"))
	}
	if len(c.nodes) == 0 {
		return nil, errors.New("cluster: no node is named")
	}
	c.ill = make([]atomic.Int64, len(c.nodes))
	// Many programs with the same list should not all ask the first.
	c.last.Store(rand.Int32N(int32(len(c.nodes))))
	return c, nil
}

// Check asks for the version of the server, and refuses one that is too old.
func (c *Client) Check(ctx context.Context) (version string, err error) {
	var meta struct {
		Version string `json:"version"`
	}
	err = c.call(ctx, http.MethodGet, "/v1/meta", nil, &meta)
	if isStatus(err, http.StatusNotFound) || isStatus(err, http.StatusBadRequest) || err == nil && meta.Version == "" {
		said := "it says no version"
		if s, ok := errors.AsType[*statusError](err); ok {
			said = s.text
		}
		return "", fmt.Errorf("%s: %w: %s", c.nodes[c.last.Load()], ErrForeign, said)
	}
	if err != nil {
		return "", err
	}
	if older(meta.Version, MinVersion) {
		return meta.Version, fmt.Errorf("cluster: Weaviate %s is %w: before %s, searches are wrong after an import and deleted sections come back", meta.Version, ErrOld, MinVersion)
	}
	return meta.Version, nil
}

func older(a, b string) bool {
	x, y := strings.Split(a, "."), strings.Split(b, ".")
	for i := range y {
		if i >= len(x) {
			return true
		}
		digits, _, _ := strings.Cut(x[i], "-")
		m, err := strconv.Atoi(digits)
		n, _ := strconv.Atoi(y[i])
		if err != nil || m != n {
			return err != nil || m < n
		}
	}
	return false
}
