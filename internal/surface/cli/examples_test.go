package cli

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/docent-md/docent/internal/needs"
	"github.com/spf13/cobra"
)

// The examples of a command stand in its help, its man page and docs/commands. They run one after another in a project
// that has what they name. Some cannot, for a reason below: their commands and flags must exist.
func TestExamplesOfCommands(t *testing.T) {
	var shell, bin string
	if !testing.Short() { // which checks that commands and flags exist
		shell, bin = needs.Tool(t, "bash"), programFolder(t)
	}
	c := newConsole(strings.NewReader(""), io.Discard, io.Discard)
	root := bareRoot(c)
	addAll(c, root)
	ran := 0
	for _, cmd := range withExamples(root) {
		t.Run(cmd.CommandPath(), func(t *testing.T) {
			var home, dir string
			for line := range strings.Lines(cmd.Example) {
				if line = strings.TrimSpace(line); line == "" {
					continue
				}
				knownCommands(t, cmd.CommandPath(), regexp.MustCompile(`^([A-Z_]+=\S+ )+`).ReplaceAllString(line, ""))
				if shell == "" || notTried.MatchString(line) {
					continue
				}
				if dir == "" {
					home, dir = newExampleProject(t)
					if made := before[cmd.CommandPath()]; made != "" {
						runIn(t, shell, bin, home, dir, made)
					}
				}
				ran++
				if strings.HasPrefix(line, "docent verify ") || strings.HasPrefix(line, "docent check") {
					line += " || [ $? = 1 ]" // what is cited or linked to is not there
				}
				runIn(t, shell, bin, home, dir, line)
			}
		})
	}
	if shell != "" && ran < 80 {
		t.Errorf("only %d examples ran", ran)
	}
}

// notTried are examples that need a network, a cluster, a key, a server that does not end, somebody's test sets or minutes.
var notTried = regexp.MustCompile(`^([A-Z_]+=\S+ )*docent (add|update|remove|sources|bench|eval|open|serve|train|watch|cluster) ?` +
	`|--cluster|--model|--tenant|DOCENT_EMBED_URL|--summaries|--rerank claude|react@|cache rm ~/notes| \| `)

// before makes what the examples of a command ask for and those of another make.
var before = map[string]string{
	"docent indexes rm": "docent index --name api docs/api && docent index --name api --global docs/api",
	"docent stats":      "docent pack docs -o docs.docent",
}

func withExamples(root *cobra.Command) []*cobra.Command {
	var out []*cobra.Command
	for _, cmd := range root.Commands() {
		if cmd.Example != "" {
			out = append(out, cmd)
		}
		out = append(out, withExamples(cmd)...)
	}
	return out
}

// newExampleProject makes what the examples name.
func newExampleProject(t *testing.T) (home, dir string) {
	t.Helper()
	home = t.TempDir()
	dir = filepath.Join(home, "project")
	code := "\n```go\nvar h http.Handler = retry(backoff)\n```\n\n```tsx\nconst [a, b] = useState(0); useEffect(() => {})\n```\n" +
		"\n```js\nnew AbortController(); x.addEventListener(\"abort\", f)\n```\n\n```yaml\napiVersion: v1\n```\n"
	front := "---\nstatus: draft\ndate: 2025-06-01\ntags: [security]\n---\n"
	for name, text := range map[string]string{
		"README.md":       "# Harbour\n\nHow do I rotate keys, deploy or reset a login. See [keys](guide/keys.md).\n",
		"guide/auth.md":   "# Auth\n\n## JWT\n\nA key has a price, a cost.\n\n## JWT Tokens\n" + code + strings.Repeat("\nA token for the login.\n", 30) + "\nSee [keys](keys.md#rotate).\n",
		"guide/keys.md":   front + "# Keys\n\n## Rotate\n\nRotate keys after a password reset. TODO --feature-gates.\n" + strings.Repeat("\nMore.\n", 12),
		"guide/final.md":  "---\nstatus: final\ndate: 2025-06-01\ntags: [security]\n---\n# Final\n\nRotate keys, login, deploy.\n",
		"web/abort.md":    "# Abort\n\nAn abort controller ends a request.\n" + code,
		"ops/deploy.md":   "# Deploy\n\nDeploy with care.\n" + code,
		"api/http.md":     "# HTTP\n\nThe HTTP API rotates keys.\n",
		"docs/api/a.md":   "# API\n\nRotate keys over HTTP.\n",
		"docs/index.md":   "# Docs\n\nRotate keys. Deploy.\n",
		"../notes/n.md":   "# Notes\n\nA note.\n",
		"docs/guide/a.md": "# Guide\n\nRotate keys.\n",
	} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	git := "git init -q && git add . && git -c user.name=t -c user.email=t@example.com commit -qm first && git tag v1.2"
	cmd := exec.CommandContext(t.Context(), needs.Tool(t, "bash"), "-c", git)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatal(fmt.Errorf("%w: %s", err, out))
	}
	return home, dir
}
