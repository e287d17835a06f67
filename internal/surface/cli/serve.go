package cli

import (
	"bufio"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"

	"github.com/docent-md/docent"
	"github.com/docent-md/docent/internal/surface/mcp"
	"github.com/spf13/cobra"
)

// newServe makes "docent serve".
func newServe(c *console) *cobra.Command {
	var lib libraryFlags
	var o mcp.Options
	var addr string
	var noRerank, watch bool
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "answer agents over the Model Context Protocol",
		Long: `Answer agents over the Model Context Protocol: on standard input and output, or over
HTTP with --http. An agent's client usually starts this command itself.

It answers at once from the index that lies ready and brings it up to date in the
background: when it is asked, or with --watch when files change, those of named indexes
too. Nothing is ever written to the documents.

Over HTTP there are pages for people too, at the root; the endpoint for agents is /mcp.

Over HTTP only this machine can ask, unless --http names an address that others can
reach. That needs a token, in DOCENT_TOKEN or --token, which clients send as
"Authorization: Bearer ...", and people give as their password. For TLS put a proxy in
front, and name the host it serves with --allow-host.

With ANTHROPIC_API_KEY set, a language model puts the answers of searches in order.
Where it cannot, they come in docent's own, and a line says so.`,
		Example: `  docent serve --root docs
  docent serve --http 127.0.0.1:8300
  DOCENT_TOKEN=... docent serve --http 0.0.0.0:8300 --allow-host docs.example.com`,
		Args: noArgs,
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.StringVar(&addr, "http", "", "serve HTTP at this address, or at this port of this machine")
	f.StringVar(&o.Tools, "tools", "default", "tools to offer: default, all, or names separated by commas")
	f.BoolVar(&o.Structured, "structured", false, "send structured content beside the text of answers")
	f.StringVar(&o.Token, "token", "", "token that HTTP clients must send (default: DOCENT_TOKEN)")
	f.StringSliceVar(&o.Hosts, "allow-host", nil, "name under which HTTP clients may address the server; may be repeated")
	f.StringSliceVar(&o.AllowIndex, "allow-index", nil, "let agents index this folder and what lies in it, under names; may be repeated")
	f.BoolVar(&watch, "watch", false, "bring the index up to date when files change, not when something is asked")
	f.BoolVar(&noRerank, "no-rerank", false, "do not ask a language model, even when ANTHROPIC_API_KEY is set")
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
		if err := lib.serve(c, &o); err != nil {
			return err
		}
		if watch && (lib.db != "" || lib.inCluster()) {
			return errors.New("--watch is about files, and none are asked: what is written to a database or a cluster is seen at once")
		}
		if watch && !o.Fixed {
			if lib.noRefresh {
				return errors.New("choose one of --watch and --no-refresh")
			}
			wo := docent.WatchOptions{Note: o.Note}
			o.WatchIndex = func(ctx context.Context, name string, changed func()) error {
				return o.Catalogue.Watch(ctx, name, wo, changed)
			}
			o.Watch = func(ctx context.Context, changed func()) error {
				if lib.index != "" {
					return o.WatchIndex(ctx, lib.index, changed)
				}
				return docent.Watch(ctx, lib.root, wo, changed)
			}
		}
		if o.Token == "" {
			o.Token = os.Getenv("DOCENT_TOKEN")
		}
		s, err := mcp.New(o)
		if err != nil {
			return err
		}
		defer s.Close()
		if addr == "" {
			return s.ServeStdio(cmd.Context(), c.in, lineFlusher{c.out})
		}
		mountPages(s, o, addr)
		err = s.ListenAndServe(cmd.Context(), addr, func(url string) {
			c.note("serving %s at %s", clean(o.Name), url)
			c.note("pages for people: %s/", strings.TrimSuffix(url, mcp.Path))
		})
		if errors.Is(err, mcp.ErrNoToken) {
			return withHint(err, "set DOCENT_TOKEN or --token, or serve this machine only: --http 127.0.0.1:8300")
		}
		return err
	}
	return cmd
}

// serve says how the server finds its library. A root that is not there is a
// mistake worth dying of; everything else may mend itself while we serve.
func (l *libraryFlags) serve(c *console, o *mcp.Options) error {
	if err := l.oneThing(); err != nil {
		return err
	}
	if l.db != "" {
		return l.serveDB(c, o)
	}
	if l.inCluster() {
		return l.serveCluster(c, o)
	}
	root := l.root
	if root == "" {
		root = "."
	}
	info, err := os.Stat(root)
	if err != nil {
		_, err = docent.OpenWith(context.Background(), root, docent.Options{NoRefresh: true})
		return err
	}
	if o.Catalogue, err = (namedFlags{l.global, l.root}).catalogue(); err != nil {
		return err
	}
	if l.index != "" {
		if err := o.Catalogue.Has(l.index); err != nil {
			return err
		}
	}
	for i, dir := range o.AllowIndex {
		if o.AllowIndex[i], err = filepath.Abs(dir); err != nil {
			return err
		}
	}
	o.Own = l.index == "" && !l.global && info.IsDir()
	remote := c.remote("serve")
	o.Name = docent.NameOf(l.root)
	o.Version = version()
	o.Fixed = info.Mode().IsRegular()
	o.NoRefresh, o.Remote, o.Assistant = l.noRefresh, remote.get, l.assistant
	o.Note = func(s string) { c.note("%s", s) }
	o.Open = func(ctx context.Context, opts docent.Options) (*docent.Library, error) {
		opts.Assistant, opts.Summaries, opts.Remote = l.assistant, summariesFile(), remote.get
		return l.openWith(ctx, opts)
	}
	if l.index != "" {
		o.Name, o.Fixed = l.index, false
	} else if !o.Fixed {
		c.unknownKeys(docent.UnknownKeys(l.root))
	}
	return nil
}

// A lineFlusher writes each message at once.
type lineFlusher struct{ out *bufio.Writer }

func (f lineFlusher) Write(p []byte) (int, error) {
	n, err := f.out.Write(p)
	if err == nil {
		err = f.out.Flush()
	}
	return n, err
}
