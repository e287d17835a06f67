package cli

import (
	"context"
	"errors"
	"os"
	"path/filepath"

	"github.com/docent-md/docent"
	"github.com/docent-md/docent/internal/surface/handout"
	"github.com/spf13/cobra"
)

// newSkill makes "docent skill".
func newSkill(c *console) *cobra.Command {
	var lib libraryFlags
	var dir, name string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "skill",
		Short: "write an Agent Skill that asks these docs",
		Long: `Print an Agent Skill, a SKILL.md that tells an agent when and how to ask these documents,
and what there is. With --write it goes into a folder of the skill's name in the folder
given, or into that folder where it has the skill's name itself.`,
		Example: "  docent skill --root docs\n  docent skill --write .claude/skills",
		Args:    noArgs,
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.StringVar(&dir, "write", "", "folder of skills to write it into")
	f.StringVar(&name, "name", "", "name of the skill (default: that of the docs)")
	f.BoolVar(&asJSON, "json", false, "one JSON document")
	lib.addFolder(f, "skill")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		write := f.Changed("write")
		if write && dir == "" {
			return errors.New("--write: the name of the folder is empty")
		}
		if f.Changed("name") {
			if err := handout.CheckSkillName(name); err != nil {
				return err
			}
		}
		return lib.guide(cmd.Context(), c, "", func(g *handout.Guide) error {
			if name == "" {
				name = handout.SkillName(g.Name)
			}
			text := g.Skill(name)
			if !write {
				if asJSON {
					return c.json(map[string]string{"name": name, "text": text})
				}
				_, err := c.out.WriteString(text)
				return err
			}
			if filepath.Base(filepath.Clean(dir)) != name {
				dir = filepath.Join(dir, name)
			}
			if err := os.MkdirAll(dir, 0o755); err != nil {
				return err
			}
			file := filepath.Join(dir, "SKILL.md")
			changed, err := rewrite(file, func([]byte) ([]byte, error) { return []byte(text), nil })
			if err != nil {
				return err
			}
			return c.wrote(file, len(text), changed, asJSON)
		})
	}
	return cmd
}

// guide runs fn with what the texts for agents are made of, and the file they go
// into, or "".
func (l *libraryFlags) guide(ctx context.Context, c *console, into string, fn func(*handout.Guide) error) error {
	l.words = true
	return l.with(ctx, c, func(lib *docent.Library) error {
		m, err := lib.Manifest(ctx, "")
		if err != nil {
			return err
		}
		g := &handout.Guide{Manifest: m, Root: filepath.ToSlash(l.root)}
		if into != "" {
			g.Into = within(lib.Status().Root, into)
		}
		return fn(g)
	})
}

// within is the path of a file below a folder, "" where it lies elsewhere.
func within(dir, file string) string {
	abs, err := filepath.Abs(file)
	if err != nil {
		return ""
	}
	if real, err := filepath.EvalSymlinks(filepath.Dir(abs)); err == nil {
		abs = filepath.Join(real, filepath.Base(abs))
	}
	rel, err := filepath.Rel(dir, abs)
	if err != nil || !filepath.IsLocal(rel) {
		return ""
	}
	return filepath.ToSlash(rel)
}
