package cli

import (
	"cmp"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/docent-md/docent/internal/surface/handout"
	"github.com/spf13/cobra"
)

// newMCPConfig returns "docent mcp-config".
func newMCPConfig(c *console) *cobra.Command {
	var client, root string
	var asJSON bool
	names := handout.ClientNames()
	cmd := &cobra.Command{
		Use:   "mcp-config [--client <name>]",
		Short: "print the configuration of an MCP client",
		Long: `Print the configuration with which an MCP client starts "docent serve", to paste into the
client's file; standard error says which. Without --client it is the format that most
clients read.

A file in the project has paths relative to the project's folder, so run this there; a
file of yours has full paths.`,
		Example: "  docent mcp-config --client claude-code\n  docent mcp-config --client codex --root docs",
		Args:    noArgs,
	}
	f := flagsOf(cmd)
	f.StringVar(&client, "client", "", "client to configure: "+strings.Join(names, ", "))
	f.StringVar(&root, "root", "", "folder or pack to serve (default: this folder)")
	f.BoolVar(&asJSON, "json", false, "one JSON document")
	cmd.RunE = func(*cobra.Command, []string) error {
		k := handout.Generic
		if f.Changed("client") {
			var err error
			if k, err = handout.FindClient(client); err != nil {
				return err
			}
		}
		place, err := placeOf(root)
		if err != nil {
			return err
		}
		text, err := k.Config(place)
		if err != nil {
			return err
		}
		if asJSON {
			return c.json(struct {
				Client  string `json:"client"`
				File    string `json:"file"`
				Config  string `json:"config"`
				Command string `json:"command,omitempty"`
			}{k.Name, k.File, text, k.Command(place)})
		}
		if _, err := c.out.WriteString(text); err != nil {
			return err
		}
		c.note("paste this into %s", k.File)
		if add := k.Command(place); add != "" {
			c.note("or run: %s", clean(add))
		}
		if k.Name == handout.Generic.Name {
			c.note("--client prints the format of %s", strings.Join(names, ", "))
		}
		if _, err := exec.LookPath("docent"); err != nil {
			c.note("docent is not in the PATH: put it there, or write its full path for \"docent\"")
		}
		return nil
	}
	return cmd
}

// placeOf returns the place of a root, relative to the current folder.
func placeOf(root string) (handout.Place, error) {
	root = cmp.Or(root, ".")
	if _, err := os.Stat(root); err != nil {
		return handout.Place{}, noRoot(root)
	}
	full, err := filepath.Abs(root)
	if err != nil {
		return handout.Place{}, err
	}
	here, err := os.Getwd()
	if err != nil {
		return handout.Place{}, err
	}
	rel, err := filepath.Rel(here, full)
	p := handout.Place{Full: full, Outside: err != nil || !filepath.IsLocal(rel)}
	if rel != "." && !p.Outside {
		p.Relative = filepath.ToSlash(rel)
	}
	return p, nil
}
