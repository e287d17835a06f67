package cli

import (
	"cmp"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/docent-md/docent/doc"
	"github.com/docent-md/docent/internal/source/config"
	"github.com/docent-md/docent/internal/surface/clients"
	"github.com/spf13/cobra"
)

// newMCPConfig returns "docent mcp-config".
func newMCPConfig(c *console) *cobra.Command {
	var client, root string
	var server clients.Server
	var write, remove, asJSON bool
	names := clients.Names()
	cmd := &cobra.Command{
		Use:   "mcp-config [--client <name>]",
		Short: "print or write the configuration of an MCP client",
		Long: `Print the configuration with which an MCP client starts "docent serve", to paste into the
client's file; standard error says which. Without --client it is the format that most
clients read. With --http the client is given the address of a server that runs already.

With --write it goes into the client's file, in the place of an older one: the rest of the
file stays as it is, comments included, and what it was is kept beside it, in a file that
ends in ` + backupEnd + `. --remove takes it out again.

A file in the project has paths relative to the project's folder, so run this there; a
file of yours has full paths.`,
		Example: `  docent mcp-config --client claude-code
  docent mcp-config --client codex --root docs --write
  docent mcp-config --client vscode --http https://docs.example.com/mcp --with-token
  docent mcp-config --client codex --remove`,
		Args: noArgs,
	}
	f := flagsOf(cmd)
	f.StringVar(&client, "client", "", "client to configure: "+strings.Join(names, ", "))
	f.StringVar(&root, "root", "", "folder or pack to serve (default: this folder)")
	f.StringVar(&server.URL, "http", "", "address of a server that runs already: https://docs.example.com/mcp")
	f.BoolVar(&server.WithToken, "with-token", false, "the server wants a token, which the client finds in "+clients.TokenVariable)
	f.BoolVar(&write, "write", false, "write it into the client's file")
	f.BoolVar(&remove, "remove", false, "take docent out of the client's file")
	f.BoolVar(&asJSON, "json", false, "one JSON document")
	cmd.RunE = func(*cobra.Command, []string) error {
		if err := refuseUnless(f, []flagRule{
			{"root", server.URL == "" && !remove, "says what docent serves, so not with --http or --remove"},
			{"with-token", server.URL != "", "goes with --http"},
			{"http", !remove, "goes without --remove"},
			{"write", client != "" && !remove, "goes with --client, and without --remove"},
			{"remove", client != "", "goes with --client"},
		}); err != nil {
			return err
		}
		k := clients.Generic()
		if f.Changed("client") {
			var err error
			if k, err = clients.Find(client); err != nil {
				return err
			}
		}
		var err error
		if server.Place, err = placeOf(root); err != nil {
			return err
		}
		server.Program = programFor(os.Getenv(launcherVariable), runtime.GOOS)
		if err := checkAddress(server.URL); err != nil {
			return err
		}
		if server.URL == "" && !remove {
			noteNoDocuments(c, server.Place.Full)
		}
		if write || remove {
			done, err := configure(k, server, remove)
			if err != nil {
				return err
			}
			return c.report(asJSON, done, "%s\n", done.sentence())
		}
		text, err := k.Config(server)
		if err != nil {
			return err
		}
		if asJSON {
			return c.json(struct {
				Client  string `json:"client"`
				File    string `json:"file"`
				Config  string `json:"config"`
				Command string `json:"command,omitempty"`
			}{k.Name, k.File(), text, k.Command(server)})
		}
		if _, err := c.out.WriteString(text); err != nil {
			return err
		}
		c.note("paste this into %s", k.File())
		if add := k.Command(server); add != "" {
			c.note("or run: %s", clean(add))
		}
		if k.NeedsToken(server) {
			c.note("put the token in the place of YOUR_TOKEN: this client does not read it from the environment")
		}
		if !f.Changed("client") {
			c.note("--client prints the format of %s", strings.Join(names, ", "))
		}
		noteMissingProgram(c, server)
		return nil
	}
	return cmd
}

// checkAddress says what is wrong with the address of an HTTP server; "" is none.
func checkAddress(address string) error {
	if address == "" {
		return nil
	}
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return withHint(fmt.Errorf("--http is %q: not an address", address), "for example: --http http://127.0.0.1:8300/mcp")
	}
	return nil
}

// launcherVariable is set to "npx" by the npm package's launcher where npx has installed it for this one call: clients
// find no docent afterwards and have to start it by npx too.
const launcherVariable = "DOCENT_LAUNCHER"

// programFor returns what clients start docent with on a system, as runtime.GOOS names it; nil means docent by its name.
func programFor(launcher, system string) []string {
	switch {
	case launcher != "npx":
		return nil
	case system == "windows": // npx is a script there, which only a shell starts
		return []string{"cmd", "/c", "npx", "-y", "docent-md"}
	}
	return []string{"npx", "-y", "docent-md"}
}

// noteMissingProgram says so if a client would not find docent.
func noteMissingProgram(c *console, s clients.Server) {
	if s.Program != nil {
		return
	}
	if _, err := exec.LookPath("docent"); err != nil && s.URL == "" {
		c.note("docent is not in the PATH: put it there, or write its full path for \"docent\"")
	}
}

// maxLooked is how many files and folders are looked at for a document.
const maxLooked = 20_000

// noteNoDocuments says so if a folder has no documents that docent would serve: most likely
// another one was meant. It is a look, not the rules of the crawl.
func noteNoDocuments(c *console, root string) {
	looked, found := 0, false
	_ = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		looked++
		switch {
		case err != nil && path != root:
			return nil
		case path == root && (err != nil || !d.IsDir()), looked > maxLooked, d.Name() == config.Name, !d.IsDir() && doc.IsMarkdown(d.Name()):
			found = true
			return fs.SkipAll
		case d.IsDir() && path != root && strings.HasPrefix(d.Name(), "."):
			return fs.SkipDir
		}
		return nil
	})
	if !found {
		c.note("no Markdown files are in %s: --root names the folder of the documents", clean(root))
	}
}

// placeOf returns the place of a root, relative to the current folder.
func placeOf(root string) (clients.Place, error) {
	root = cmp.Or(root, ".")
	if _, err := os.Stat(root); err != nil {
		return clients.Place{}, noRoot(root)
	}
	full, err := filepath.Abs(root)
	if err != nil {
		return clients.Place{}, err
	}
	here, err := os.Getwd()
	if err != nil {
		return clients.Place{}, err
	}
	rel, err := filepath.Rel(here, full)
	p := clients.Place{Full: full, Outside: err != nil || !filepath.IsLocal(rel)}
	if rel != "." && !p.Outside {
		p.Relative = filepath.ToSlash(rel)
	}
	return p, nil
}
