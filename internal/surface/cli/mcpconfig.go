package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/docent-md/docent/internal/surface/handout"
	"github.com/spf13/cobra"
)

// newMCPConfig makes "docent mcp-config".
func newMCPConfig(c *console) *cobra.Command {
	var client, root string
	var asJSON bool
	var names []string
	for _, k := range handout.Clients {
		names = append(names, k.Name)
	}
	cmd := &cobra.Command{
		Use:   "mcp-config [--client <name>]",
		Short: "print the configuration that makes a client start docent",
		Long: `Print the configuration that makes an MCP client start "docent serve", to be pasted into
the client's file; standard error says which. Without --client it is the form that most
clients read.

A file that is shared with the project names the documents from the project's folder, so
run this there; a file of yours names them by their full path.`,
		Example: "  docent mcp-config --client claude-code\n  docent mcp-config --client codex --root docs",
		Args:    noArgs,
	}
	f := cmd.Flags()
	f.SortFlags = false
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
		c.note("goes into %s", k.File)
		if add := k.Command(place); add != "" {
			c.note("the same by command: %s", clean(add))
		}
		if k.Name == handout.Generic.Name {
			c.note("--client prints the form of %s", strings.Join(names, ", "))
		}
		if _, err := exec.LookPath("docent"); err != nil {
			c.note("docent is not in the PATH: put it there, or write its full path for \"docent\"")
		}
		return nil
	}
	return cmd
}

// placeOf says where a root lies, from here.
func placeOf(root string) (handout.Place, error) {
	if root == "" {
		root = "."
	}
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
