package cli

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/docent-md/docent"
	"github.com/docent-md/docent/internal/indexset"
	"github.com/docent-md/docent/internal/library/browse"
	"github.com/docent-md/docent/internal/library/corpus"
	"github.com/docent-md/docent/internal/surface/host"
	"github.com/docent-md/docent/internal/surface/mcp"
	"github.com/docent-md/docent/internal/surface/web"
)

// lookAtTokens is how often the token file is compared.
const lookAtTokens = time.Second

// served is what "docent serve" serves: one library with what belongs to it, or indexes
// by name, of which each user sees some.
type served struct {
	c      *console
	flags  *hostFlags
	opts   mcp.Options
	addr   string
	set    *docent.IndexSet // indexes by name; nil for one library
	token  string
	shared *mcp.Shared
}

func newServed(c *console, lib *libraryFlags, flags *hostFlags, o mcp.Options, addr string) (*served, error) {
	s := &served{c: c, flags: flags, addr: addr, shared: mcp.NewShared()}
	o.CallTime, o.Shared, o.NoPaths = flags.time, s.shared, flags.tokenFile != ""
	s.token = cmp.Or(o.Token, os.Getenv("DOCENT_TOKEN"))
	if flags.tokenFile != "" && s.token != "" {
		c.note("DOCENT_TOKEN is not used: --token-file has the tokens")
		s.token = ""
	}
	o.Token = "" // package host asks for it
	var err error
	if flags.several() {
		o.Version, o.Note = version(), c.noteText
		s.set, err = flags.open(c, lib)
	} else {
		err = lib.serve(c, &o)
	}
	s.opts = o
	return s, err
}

// open opens the indexes that are served by name: those of --corpus, or the folder with
// the named indexes of its project.
func (h *hostFlags) open(c *console, lib *libraryFlags) (*docent.IndexSet, error) {
	options := docent.IndexSetOptions{Options: lib.serveOptions(c), Watch: lib.watch, Roots: h.roots}
	options.Background = &docent.Background{}
	named := namedFlags{lib.global, lib.root}
	if len(h.roots) > 0 && !lib.global {
		set := docent.RootIndexes(options)
		set.OpenAll(context.Background())
		return set, nil
	}
	if len(h.roots) == 0 {
		root, err := ownRoot(lib.root)
		if err != nil {
			return nil, err
		}
		options.Roots = []docent.NamedRoot{root}
	}
	others, err := named.set(docent.IndexSetOptions{})
	if err != nil {
		return nil, err
	}
	for _, r := range options.Roots {
		if others.Has(r.Name) {
			return nil, withHint(fmt.Errorf("%s is the name of an index, and of the folder %s", r.Name, r.Root), "give the folder another: --corpus NAME=%s", r.Root)
		}
	}
	set, err := named.set(options)
	if err != nil {
		return nil, err
	}
	set.OpenAll(context.Background())
	return set, nil
}

// ownRoot is the folder of a project under its own name.
func ownRoot(root string) (docent.NamedRoot, error) {
	root = cmp.Or(root, ".")
	if _, err := os.Stat(root); err != nil {
		return docent.NamedRoot{}, fmt.Errorf("%w: %s", docent.ErrNoPath, root)
	}
	name := corpus.NameOf(root)
	if err := indexset.CheckName(name); err != nil {
		return docent.NamedRoot{}, withHint(err, "give the folder a name: --corpus docs=%s", root)
	}
	return docent.NamedRoot{Name: name, Root: root}, nil
}

func (s *served) close() {
	if s.set != nil {
		_ = s.set.Close()
	}
}

// stdio serves everything to one client.
func (s *served) stdio(ctx context.Context) error {
	o, err := s.options(func(string) bool { return true })
	if err != nil {
		return err
	}
	server, err := mcp.New(o)
	if err != nil {
		return err
	}
	defer server.Close()
	return server.ServeStdio(ctx, s.c.in, lineFlusher{s.c.out})
}

// options are those of a server for whoever sees some of the indexes.
func (s *served) options(sees func(index string) bool) (mcp.Options, error) {
	o := s.opts
	if s.set == nil {
		return o, nil
	}
	part := s.set.Only(sees)
	all, err := part.List()
	if err != nil {
		return o, err
	}
	if len(all) == 0 {
		return o, errNothingToServe
	}
	for _, n := range all {
		lib, err := part.Library(n.Name)
		if err != nil {
			return o, err
		}
		o.Several = append(o.Several, mcp.Corpus{Name: n.Name, About: cmp.Or(n.Description, guessed(n.Root)), Library: lib})
	}
	if len(all) == 1 {
		only := o.Several[0]
		o.Name, o.Library, o.Described, o.Several = only.Name, only.Library, all[0].Description, nil
		if isDir(all[0].Root) {
			o.Guess = browse.GuessAbout(all[0].Root)
		}
		return o, nil
	}
	o.Name, o.Indexes = "docs", part
	return o, nil
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// guessed is what the config or the front page of a folder says it is about.
func guessed(root string) string {
	if !isDir(root) {
		return ""
	}
	return browse.GuessAbout(root).Description
}

// view makes what users see who see the same.
func (s *served) view(sees func(index string) bool) (host.View, error) {
	o, err := s.options(sees)
	if err != nil {
		return host.View{}, err
	}
	server, err := mcp.New(o)
	if err != nil {
		return host.View{}, err
	}
	if len(o.Several) == 0 {
		mountPages(server, o, s.addr, s.flags.tokenFile == "", s.guarded())
	} else {
		mountSeveral(server, o, s.guarded())
	}
	return host.View{Handler: server.Handler(), Close: server.Close}, nil
}

// guarded reports whether users need a token.
func (s *served) guarded() bool { return s.token != "" || s.flags.tokenFile != "" }

// mountSeveral adds the pages for people to a server of several indexes.
func mountSeveral(s *mcp.Server, o mcp.Options, token bool) {
	var corpora []web.Corpus
	for _, c := range o.Several {
		corpora = append(corpora, web.Corpus{Name: c.Name, Library: func(context.Context) (*docent.Library, error) { return c.Library, nil }})
	}
	s.Mount(web.New(web.Options{
		Corpora: corpora, Version: o.Version, Note: o.Note, Endpoint: mcp.Path, Token: token,
		Agent: func(ctx context.Context, corpus, tool string, params []byte) (string, error) {
			named, err := nameIndex(corpus, params)
			if err != nil {
				return "", err
			}
			return s.Tell(ctx, tool, named)
		},
	}))
}

// nameIndex puts the name of an index into the parameters of a tool.
func nameIndex(index string, params []byte) ([]byte, error) {
	var all map[string]any
	if err := json.Unmarshal(params, &all); err != nil {
		return nil, err
	}
	if ref, ok := all["ref"].(string); ok {
		all["ref"] = index + ":" + ref
	} else {
		all["index"] = index
	}
	return json.Marshal(all)
}

// listen serves over HTTP until ctx is cancelled.
func (s *served) listen(ctx context.Context) error {
	log, err := s.flags.openLog(s.c)
	if err != nil {
		return err
	}
	defer log.Close()
	o := host.Options{
		View: s.view, Hosts: s.opts.Hosts, BehindProxy: s.flags.proxy, Limits: s.flags.limits(), Log: log, Grace: s.flags.grace,
		Ready: s.ready, Counts: s.counts, Note: s.c.noteText,
	}
	switch {
	case s.flags.tokenFile != "":
		o.Users = s.users
	case s.token != "":
		o.Users = func() (host.Users, error) { return host.OneUser(s.token), nil }
	}
	h, err := host.New(o)
	if err != nil {
		return err
	}
	defer h.Close()
	if err := s.tryView(h); err != nil {
		return err
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	s.followTokens(ctx, h, log)
	err = h.ListenAndServe(ctx, s.addr, func(url string) {
		s.c.note("serving %s at %s", clean(s.name()), url)
		s.c.note("pages for people: %s/", strings.TrimSuffix(url, mcp.Path))
	})
	if errors.Is(err, mcp.ErrNoToken) {
		return withHint(err, "set DOCENT_TOKEN or --token, or serve this machine only: --http 127.0.0.1:8300")
	}
	return err
}

// tryView makes a view, so that mistakes end the program before it listens.
func (s *served) tryView(h *host.Host) error {
	if s.set == nil {
		return h.Open()
	}
	v, err := s.view(func(string) bool { return true })
	if err != nil {
		return err
	}
	return v.Close()
}

// users reads the token file.
func (s *served) users() (host.Users, error) {
	all, err := s.set.List()
	if err != nil {
		return nil, err
	}
	names := make([]string, len(all))
	for i, n := range all {
		names[i] = n.Name
	}
	us, err := host.ReadUsers(s.flags.tokenFile, func(index string) bool {
		return slices.ContainsFunc(names, func(n string) bool { return n == index || strings.HasPrefix(n, index+"@") })
	})
	if err != nil {
		return nil, withHint(err, "served are %s; docs/hosting.md describes the file", strings.Join(names, ", "))
	}
	return us, nil
}

// followTokens reads the token file again when it changes, and with the access log on
// SIGHUP.
func (s *served) followTokens(ctx context.Context, h *host.Host, log *host.Log) {
	if s.flags.tokenFile == "" && s.flags.log == "" {
		return
	}
	reload := func() {
		if err := h.Reload(); err != nil {
			s.c.note("%v: users stay as they were", err)
			return
		}
		s.c.note("the token file was read again")
	}
	hups := make(chan os.Signal, 1)
	signal.Notify(hups, syscall.SIGHUP)
	go func() {
		defer signal.Stop(hups)
		for {
			select {
			case <-ctx.Done():
				return
			case <-hups:
			}
			if err := log.Reopen(); err != nil {
				s.c.note("%v: it stays as it was", err)
			}
			if s.flags.tokenFile != "" {
				reload()
			}
		}
	}()
	if s.flags.tokenFile != "" {
		go host.Follow(ctx, s.flags.tokenFile, lookAtTokens, reload)
	}
}

// name is what is served, for people.
func (s *served) name() string {
	if s.set == nil {
		return s.opts.Name
	}
	all, _ := s.set.List() // each call says what is wrong
	names := make([]string, len(all))
	for i, n := range all {
		names[i] = n.Name
	}
	return strings.Join(names, ", ")
}

// documents counts those of each index that is open.
func (s *served) documents() map[string]int {
	out := map[string]int{}
	if s.set == nil {
		if n, ok := s.opts.Library.FileCount(); ok {
			out[""] = n
		}
		return out
	}
	all, _ := s.set.List() // without the list there is nothing to count
	for _, x := range all {
		lib, err := s.set.Library(x.Name)
		if err != nil {
			continue
		}
		if n, ok := lib.FileCount(); ok {
			out[x.Name] = n
		}
	}
	return out
}

// ready reports whether there is an index to answer from.
func (s *served) ready() bool { return len(s.documents()) > 0 }

func (s *served) counts(w http.ResponseWriter) { s.shared.Write(w, s.documents()) }
