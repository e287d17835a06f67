// Package host lets several users ask one HTTP server, each of them what they may see.
//
// A user is whoever has a token. The server makes a view for each list of indexes that
// users may see: an MCP server and pages over just these. A view has no way to the other
// indexes, so that no tool, resource, page or error can tell of them. In front of the views
// are limits, an access log and an end that lets running requests finish.
package host

import (
	"context"
	"errors"
	"net/http"
	"sync"
	"time"

	"github.com/docent-md/docent/internal/surface/mcp"
)

// Options say who may ask what. View must be set; the zero value of the rest serves
// everybody, without limits.
type Options struct {
	// Users reads who may ask: at the start, and whenever Reload is called. Nil means
	// that anybody may ask everything.
	Users func() (Users, error)

	// View makes what users see who may see the same. It is called when one of them asks
	// for the first time.
	View func(sees func(index string) bool) (View, error)

	Hosts       []string // that clients may name in addition to the server's own address
	BehindProxy bool     // clients' addresses are what a proxy says in X-Forwarded-For
	Limits      Limits
	Log         *Log          // may be nil
	Grace       time.Duration // that running requests have when the server ends

	Ready  func() bool                 // there is an index to answer from
	Counts func(w http.ResponseWriter) // writes what the views count, for /metrics

	Note func(string) // receives warnings, in lines for standard error; may be nil

	now func() time.Time // for tests
}

// A View answers the users who see the same.
type View struct {
	http.Handler
	Close func() error
}

// A Host serves several users over HTTP.
type Host struct {
	opts    Options
	meters  meters
	guesses guesses
	counts  counts

	mu       sync.Mutex
	users    Users            // nil for anybody
	access   map[string]*pass // by the name of the user
	views    map[string]*openView
	streams  map[*running]bool // which end when the server does
	draining bool
}

// A pass lets a user in until it is revoked.
type pass struct {
	user    *User
	ctx     context.Context
	revoke  context.CancelFunc
	session mcp.Sessions
	from    places
}

// An openView is a view that is made once.
type openView struct {
	once sync.Once
	View
	err error
}

// New returns a server, which the caller must close. It fails if the users cannot be read.
func New(o Options) (*Host, error) {
	if o.Note == nil {
		o.Note = func(string) {}
	}
	if o.now == nil {
		o.now = time.Now
	}
	h := &Host{opts: o, access: map[string]*pass{}, views: map[string]*openView{}, streams: map[*running]bool{}}
	if err := h.Reload(); err != nil {
		return nil, err
	}
	return h, nil
}

// anybody is who asks where nobody needs a token.
var anybody = &User{Indexes: []string{allIndexes}, Metrics: true}

// Reload reads the users again. Whoever is not among them any more, or has another token
// or other indexes, is cut off. If they cannot be read, all stays as it was.
func (h *Host) Reload() error {
	var users Users
	current := Users{anybody}
	if h.opts.Users != nil {
		var err error
		if users, err = h.opts.Users(); err != nil {
			return err
		}
		current = users
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	before := h.access
	h.users, h.access = users, map[string]*pass{}
	used := map[string]bool{}
	for _, u := range current {
		used[u.view()] = true
		p := before[u.Name]
		if p == nil || p.user.digest != u.digest || p.user.view() != u.view() || p.user.Metrics != u.Metrics {
			p = &pass{user: u}
			p.ctx, p.revoke = context.WithCancel(context.Background())
		} else {
			delete(before, u.Name)
		}
		h.access[u.Name] = p
	}
	for _, p := range before {
		p.revoke()
	}
	for name, v := range h.views {
		if !used[name] {
			delete(h.views, name)
			go v.close()
		}
	}
	return nil
}

// pass returns that of whoever has a token; nil for nobody.
func (h *Host) pass(token string) *pass {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.users == nil {
		return h.access[anybody.Name]
	}
	u := h.users.find(token)
	if u == nil {
		return nil
	}
	return h.access[u.Name]
}

// view returns what a user sees.
func (h *Host) view(u *User) (http.Handler, error) {
	h.mu.Lock()
	v := h.views[u.view()]
	if v == nil {
		v = &openView{}
		h.views[u.view()] = v
	}
	h.mu.Unlock()
	v.once.Do(func() { v.View, v.err = h.opts.View(u.Sees) })
	return v.Handler, v.err
}

// Open makes the view of users who see everything, which is otherwise made for the first
// request.
func (h *Host) Open() error {
	_, err := h.view(anybody)
	return err
}

func (v *openView) close() {
	v.once.Do(func() { v.err = errClosed })
	if v.Close != nil {
		_ = v.Close()
	}
}

var errClosed = errors.New("what you may see has changed: ask again")

// Close closes the views.
func (h *Host) Close() error {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, p := range h.access {
		p.revoke()
	}
	for _, v := range h.views {
		v.close()
	}
	h.views = map[string]*openView{}
	return nil
}
