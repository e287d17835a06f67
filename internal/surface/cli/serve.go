package cli

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"os"
	"path/filepath"

	"github.com/docent-md/docent"
	"github.com/docent-md/docent/internal/library/browse"
	"github.com/docent-md/docent/internal/library/corpus"
	"github.com/docent-md/docent/internal/library/refresh"
	"github.com/docent-md/docent/internal/store"
	"github.com/docent-md/docent/internal/surface/mcp"
	"github.com/spf13/cobra"
)

// newServe makes "docent serve".
func newServe(c *console) *cobra.Command {
	var lib libraryFlags
	var o mcp.Options
	var addr string
	var noRerank, watch bool
	var host hostFlags
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "answer agents over the Model Context Protocol",
		Long: `Answer agents over the Model Context Protocol: on standard input and output, or over
HTTP with --http. An agent's client usually starts this command itself.

It answers at once from an existing index and refreshes it in the background: on calls,
or with --watch when files change, including those of named indexes. Documents are never
changed.

Over HTTP there are also pages for people, at /; the endpoint for agents is /mcp.

Over HTTP only this machine is served, unless --http names an address that others can
reach. That requires a token, in DOCENT_TOKEN or --token, which clients send as
"Authorization: Bearer ..." and people enter as their password. For TLS put a proxy in
front, and name its host with --allow-host.

For several users, --token-file has a line for each: a name, a token or its hash, and the
indexes that the user may see. Users learn nothing of other indexes. It is read again when
it changes and on SIGHUP. --corpus serves several folders under names. docs/hosting.md has
the file, the limits, the access log, a systemd unit and a compose file.

With ANTHROPIC_API_KEY set, Claude reranks search results; DOCENT_CLAUDE_MODEL chooses the
model (docs/models.md). If it fails, they stay in docent's own order, and a line says so.`,
		Example: `  docent serve --root docs
  docent serve --http 127.0.0.1:8300
  DOCENT_TOKEN=... docent serve --http 0.0.0.0:8300 --allow-host docs.example.com
  docent serve --http 8300 --corpus docs=/srv/docs --corpus api=/srv/api --token-file tokens`,
		Args: noArgs,
	}
	f := flagsOf(cmd)
	f.StringVar(&addr, "http", "", "serve HTTP at this address, or at this port on loopback")
	f.StringVar(&o.Tools, "tools", "default", "tools to serve: default, all, or names separated by commas")
	f.StringVar(&o.Title, "name", "", "what to tell clients the documents are called (default: \"name\" in .docent.json, or the front page's title)")
	f.StringVar(&o.About, "description", "", "what to tell clients the documents are about (default: \"description\" in .docent.json, or the front page)")
	f.StringVar(&o.Prefix, "tool-prefix", "", "put this before the name of every tool: docs_ makes docs_search")
	f.BoolVar(&o.Structured, "structured", false, "send structured content in addition to text")
	f.BoolVar(&o.Remember, "remember", false, "do not send a client the same text twice within ten minutes or twenty calls")
	f.StringVar(&o.Token, "token", "", "token that HTTP clients must send (default: DOCENT_TOKEN)")
	f.StringSliceVar(&o.Hosts, "allow-host", nil, "host name that HTTP clients may use for the server; may be repeated")
	f.StringSliceVar(&o.AllowIndex, "allow-index", nil, "let agents build named indexes of this folder and those in it; may be repeated")
	host.add(f)
	f.BoolVar(&watch, "watch", false, "refresh the index when files change, not on calls")
	f.BoolVar(&noRerank, "no-rerank", false, "do not ask Claude, even if ANTHROPIC_API_KEY is set")
	lib.add(f)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if !noRerank {
			var err error
			if lib.assistant, err = c.assistant("serve"); err != nil {
				return err
			}
			if lib.assistant != nil {
				defer lib.assistant.Close()
				o.Rerank = true
				c.note("searches are reranked by %s; --no-rerank turns that off", clean(lib.assistant.Model()))
			}
		}
		if err := refuseUnless(f, []flagRule{
			{"token", addr != "", "goes with --http"},
			{"allow-host", addr != "", "goes with --http"},
			{"remember", addr == "", "goes with standard input: over HTTP a call names its session"},
			{"allow-index", lib.db == "" && !lib.inCluster(), "goes with a folder: a database or a cluster has no named indexes"},
			{"global", lib.db == "" && !lib.inCluster(), "goes with a folder, a pack or --index: a database or a cluster has no named indexes"},
			{"watch", !isFile(lib.root), "is for files: a pack is served as it is"},
		}); err != nil {
			return err
		}
		if watch && (lib.db != "" || lib.inCluster()) {
			return errors.New("--watch is for files: changes to a database or a cluster are seen at once anyway")
		}
		if watch && lib.noRefresh {
			return errors.New("choose one of --watch and --no-refresh")
		}
		if err := host.check(f, addr); err != nil {
			return err
		}
		lib.watch = watch
		s, err := newServed(c, &lib, &host, o, addr)
		if err != nil {
			return err
		}
		defer s.close()
		if addr == "" {
			return s.stdio(cmd.Context())
		}
		return s.listen(cmd.Context())
	}
	return cmd
}

// serveOptions say how a library is opened that is served.
func (l *libraryFlags) serveOptions(c *console) docent.Options {
	o := docent.Options{
		NoRefresh: l.noRefresh, Confirm: !l.noRefresh, Note: c.noteText, Assistant: l.assistant,
		Summaries: summariesFile(), Endpoint: c.remote("serve").get, Background: &docent.Background{},
	}
	if l.watch {
		o.Background.Watch = func(ctx context.Context, changed func()) error {
			return refresh.Watch(ctx, l.root, refresh.WatchOptions{Note: c.noteText}, changed)
		}
	}
	return o
}

// serve opens what is served, in the background. A root that does not exist is an
// error; other problems may be fixed while the server runs.
func (l *libraryFlags) serve(c *console, o *mcp.Options) error {
	if err := l.checkTarget(); err != nil {
		return err
	}
	o.Version, o.Note = version(), c.noteText
	if l.db != "" || l.inCluster() {
		return l.serveStore(c, o)
	}
	root := cmp.Or(l.root, ".")
	info, err := os.Stat(root)
	if err != nil {
		_, err = docent.Open(context.Background(), root, docent.Options{NoRefresh: true})
		return err
	}
	for i, dir := range o.AllowIndex {
		if o.AllowIndex[i], err = filepath.Abs(dir); err != nil {
			return err
		}
	}
	o.Name = corpus.NameOf(l.root)
	options := l.serveOptions(c)
	sets := docent.IndexSetOptions{Options: options, Watch: l.watch}
	sets.Background = &docent.Background{}
	if l.index == "" {
		if o.Library, err = docent.Open(context.Background(), l.root, options); err != nil {
			return err
		}
		if !l.global && info.IsDir() {
			sets.Own = o.Library
		}
		if info.IsDir() {
			o.Guess = browse.GuessAbout(l.root)
			configNotes(c, l.root)
		}
	}
	if o.Indexes, err = (namedFlags{l.global, l.root}).set(sets); err != nil {
		return err
	}
	if l.index != "" {
		o.Name = l.index
		o.Described = indexDescription(o.Indexes, l.index)
		if o.Library, err = o.Indexes.Library(l.index); err != nil {
			return err
		}
	}
	if l.watch {
		o.Indexes.OpenAll(context.Background())
	}
	return nil
}

// indexDescription is what a named index is about, as whoever made it said.
func indexDescription(set *docent.IndexSet, name string) string {
	all, err := set.List()
	if err != nil {
		return "" // opening it says why
	}
	for _, n := range all {
		if n.Name == name {
			return n.Description
		}
	}
	return ""
}

// A lineFlusher flushes after each message.
type lineFlusher struct{ out *bufio.Writer }

func (f lineFlusher) Write(p []byte) (int, error) {
	n, err := f.out.Write(p)
	if err == nil {
		err = f.out.Flush()
	}
	return n, err
}

// serveCluster is serve for an index of a cluster. One that is down may come up while
// the server runs.
func (l *libraryFlags) serveCluster(c *console, o *mcp.Options) error {
	options := l.serveOptions(c)
	options.Background = nil
	lib, err := l.openCluster(context.Background(), options)
	if errors.Is(err, store.ErrClusterDown) {
		c.note("%s: calls fail until it is up", err)
		lib, err = l.openCluster(context.Background(), l.serveOptions(c))
	}
	if err != nil {
		return err
	}
	o.Library, o.Name = lib, l.cluster.index(l.root)
	return nil
}

// serveStore is serve for a database or a cluster, which only some tools can use.
func (l *libraryFlags) serveStore(c *console, o *mcp.Options) error {
	if o.Tools == "" || o.Tools == "default" || o.Tools == "all" {
		o.Tools = "search,get_section,read,toc"
	}
	if l.db != "" {
		return l.serveDB(c, o)
	}
	return l.serveCluster(c, o)
}

// serveDB is serve for a database. Changes to it are seen at once.
func (l *libraryFlags) serveDB(c *console, o *mcp.Options) error {
	var err error
	if o.Library, err = l.openDB(context.Background(), l.serveOptions(c)); err != nil {
		return err
	}
	o.Name = corpus.NameOf(l.db)
	return nil
}
