package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"go.yaml.in/yaml/v3"
)

// actionlint knows what GitHub accepts: keys, expressions, the inputs of actions.
func TestWorkflows(t *testing.T) {
	root := filepath.Join("..", "..")
	files, err := filepath.Glob(filepath.Join(root, ".github", "workflows", "*.yml"))
	if err != nil || len(files) < 3 {
		t.Fatalf("%d workflows (%v)", len(files), err)
	}
	args := []string{"tool", "-modfile=tools/go.mod", "actionlint", "-no-color", "-shellcheck=", "-pyflakes="}
	for _, file := range files {
		name, err := filepath.Rel(root, file)
		if err != nil {
			t.Fatal(err)
		}
		args = append(args, name)
	}
	cmd := exec.CommandContext(t.Context(), "go", args...)
	cmd.Dir = root
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("actionlint: %v\n%s", err, out)
	}
}

// Issue forms have fields with names of their own, and dependabot's folders exist.
func TestForms(t *testing.T) {
	root := filepath.Join("..", "..", ".github")
	forms, err := filepath.Glob(filepath.Join(root, "ISSUE_TEMPLATE", "*.yml"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range forms {
		if filepath.Base(file) == "config.yml" {
			continue
		}
		var form struct {
			Name, Description string
			Body              []struct {
				Type, ID   string
				Attributes struct{ Label string }
			}
		}
		readYAML(t, file, &form)
		if form.Name == "" || form.Description == "" || len(form.Body) == 0 {
			t.Errorf("%s: name, description and body are needed: %+v", file, form)
		}
		seen := map[string]bool{}
		for _, field := range form.Body {
			if field.ID == "" || field.Type == "" || field.Attributes.Label == "" || seen[field.ID] {
				t.Errorf("%s: field %+v", file, field)
			}
			seen[field.ID] = true
		}
	}
	var bot struct {
		Updates []struct {
			Ecosystem   string `yaml:"package-ecosystem"`
			Directories []string
		}
	}
	readYAML(t, filepath.Join(root, "dependabot.yml"), &bot)
	for _, u := range bot.Updates {
		for _, dir := range u.Directories {
			if _, err := os.Stat(filepath.Join(root, "..", filepath.FromSlash(dir), "go.mod")); u.Ecosystem == "gomod" && err != nil {
				t.Errorf("dependabot.yml: %v", err)
			}
		}
	}
}

func readYAML(t *testing.T, file string, to any) {
	t.Helper()
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := yaml.Unmarshal(raw, to); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
}
