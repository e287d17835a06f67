package cli

import (
	"context"
	"errors"
	"io"
	"net"
	"net/url"
	"os/exec"
	"runtime"
	"strings"

	"github.com/docent-md/docent"
	"github.com/docent-md/docent/internal/surface/mcp"
	"github.com/docent-md/docent/internal/surface/web"
	"github.com/docent-md/docent/internal/wholefile"
	"github.com/spf13/cobra"
)

// mountPages adds the pages for people to a server. Paths on disk are shown only if
// the server is on loopback, and its users may see them.
func mountPages(s *mcp.Server, o mcp.Options, addr string, disk, token bool) {
	own := func(context.Context) (*docent.Library, error) { return o.Library, nil }
	corpora := []web.Corpus{{Name: o.Name, Library: own}}
	if o.Indexes != nil {
		all, _ := o.Indexes.List() // without the list there are still the documents
		for _, n := range all {
			show := n.Name
			if show == o.Name {
				show += " (index)"
			}
			corpora = append(corpora, web.Corpus{Name: show, Index: n.Name, Library: func(ctx context.Context) (*docent.Library, error) {
				return o.Indexes.Library(n.Name)
			}})
		}
	}
	s.Mount(web.New(web.Options{
		Corpora: corpora, Version: o.Version, Note: o.Note, Endpoint: mcp.Path, Token: token,
		Disk: disk && isLoopback(addr),
		Agent: func(ctx context.Context, _, tool string, params []byte) (string, error) {
			return s.Tell(ctx, tool, params)
		},
	}))
}

// isLoopback reports whether only this machine can reach an address.
func isLoopback(addr string) bool {
	host, _, err := net.SplitHostPort(addr)
	if err != nil {
		return !strings.Contains(addr, ":") // a port alone
	}
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// newOpen returns "docent open".
func newOpen(c *console) *cobra.Command {
	var lib libraryFlags
	var quiet bool
	cmd := &cobra.Command{
		Use:   "open [file]",
		Short: "show the documents in a browser",
		Long: `Show the documents in a browser: search as an agent does, read with backlinks in the
margin, see the map of links, broken links, and what is indexed. Only this machine is
served, and documents are never changed. "docent serve --http" serves the same pages and
the endpoint for agents. Ctrl-C ends it.`,
		Example: "  docent open\n  docent open guide/keys.md --root docs",
		Args:    atMostOne,
	}
	f := flagsOf(cmd)
	f.BoolVar(&quiet, "no-browser", false, "only print the address")
	lib.addFolder(f, "open")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		var o mcp.Options
		if err := lib.serve(c, &o); err != nil {
			return err
		}
		s, err := mcp.New(o)
		if err != nil {
			return err
		}
		defer s.Close()
		const addr = "127.0.0.1:0"
		mountPages(s, o, addr, true, false)
		return s.ListenAndServe(cmd.Context(), addr, func(at string) {
			page := strings.TrimSuffix(at, mcp.Path) + "/"
			if len(args) > 0 {
				page += "read/" + (&url.URL{Path: args[0]}).EscapedPath()
			}
			c.note("%s (Ctrl-C ends it)", page)
			if quiet {
				return
			}
			if err := openBrowser(page); err != nil {
				c.note("no browser could be started: %v", err)
			}
		})
	}
	return cmd
}

// openBrowser opens an address in the user's browser.
func openBrowser(page string) error {
	switch runtime.GOOS {
	case "darwin":
		return exec.Command("open", page).Start()
	case "windows":
		return exec.Command("rundll32", "url.dll,FileProtocolHandler", page).Start()
	}
	return exec.Command("xdg-open", page).Start()
}

// newReport returns "docent report".
func newReport(c *console) *cobra.Command {
	var lib libraryFlags
	var out string
	cmd := &cobra.Command{
		Use:   "report -o <file.html>",
		Short: "write a health report of the documents as one HTML file",
		Long: `Write the problems of the documents, what is indexed and the map of links as one
self-contained HTML file, for a build to keep or to send by mail.`,
		Example: "  docent report -o report.html --root docs",
		Args:    noArgs,
	}
	f := flagsOf(cmd)
	f.StringVarP(&out, "output", "o", "", "file to write")
	lib.addFolder(f, "report")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if out == "" {
			return withHint(errors.New("report needs a file to write"), "for example: docent report -o report.html")
		}
		return lib.with(cmd.Context(), c, func(l *docent.Library) error {
			about, err := l.About(cmd.Context())
			if err != nil {
				return err
			}
			err = wholefile.Write(out, 0o644, func(w io.Writer) error { return web.Report(cmd.Context(), about.Called, l, w) })
			if err != nil {
				return err
			}
			return c.printf("wrote %s\n", out)
		})
	}
	return cmd
}
