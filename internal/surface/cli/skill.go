package cli

import (
	"context"
	"errors"
	"os"
	"path/filepath"

	"github.com/docent-md/docent"
	"github.com/docent-md/docent/answer"
	"github.com/docent-md/docent/internal/surface/handout"
	"github.com/spf13/cobra"
)

// newSkill returns "docent skill".
func newSkill(c *console) *cobra.Command {
	var lib libraryFlags
	var dir, name string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "skill",
		Short: "write an Agent Skill for these docs",
		Long: `Print an Agent Skill, a SKILL.md that tells an agent when and how to query these documents
and what they contain. With --write it goes into a folder with the skill's name in the
given folder, or into that folder if it has the skill's name itself.`,
		Example: "  docent skill --root docs\n  docent skill --write .claude/skills",
		Args:    noArgs,
	}
	f := flagsOf(cmd)
	f.StringVar(&dir, "write", "", "folder of skills to write to")
	f.StringVar(&name, "name", "", "name of the skill (default: after the docs)")
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
				return c.report(asJSON, map[string]string{"name": name, "text": text}, "%s", text)
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
			return reportRewrite(c, file, len(text), changed, asJSON)
		})
	}
	return cmd
}

// guide runs fn with the source of the texts for agents. into is the file that the text
// goes into, or "".
func (l *libraryFlags) guide(ctx context.Context, c *console, into string, fn func(*handout.Guide) error) error {
	l.words = true
	return l.with(ctx, c, func(lib *docent.Library) error {
		m, err := lib.Manifest(ctx, "")
		if err != nil {
			return err
		}
		g := &handout.Guide{Manifest: m, Root: filepath.ToSlash(l.root)}
		if into != "" {
			status, err := lib.Status(ctx, answer.StatusOptions{})
			if err != nil {
				return err
			}
			g.Into = within(status.Root, into)
		}
		return fn(g)
	})
}

// within returns the path of a file below a folder; "" if it is not below it.
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
