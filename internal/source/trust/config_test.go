package trust_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/docent-md/docent/internal/source/config"
	"github.com/docent-md/docent/internal/source/fetch"
	"github.com/docent-md/docent/internal/source/trust"
)

// A config from a clone either is refused, or asks for something that the user
// has not approved, or is harmless. This is how its reader tells.
func judge(text string, store trust.Store) string {
	c, err := config.Parse([]byte(text))
	if err != nil {
		return "refused: " + err.Error()
	}
	var foreign []string
	for _, entry := range c.Sources {
		s, err := fetch.Parse(entry.URL, "")
		if err != nil {
			return "refused: " + err.Error()
		}
		if s.Foreign() {
			foreign = append(foreign, s.URL)
		}
	}
	if len(foreign) > 0 && !store.Approved(trust.Hash("sources", foreign...)) {
		return "asks for " + strings.Join(foreign, ", ")
	}
	return "harmless"
}

func TestHostileConfigs(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	t.Setenv("HOME", dir)
	source := func(fields string) string { return `{"sources": [{` + fields + `}]}` }
	at := func(url string) string { return source(`"path": "ref-docs/x", "url": "` + url + `"`) }
	long := strings.Repeat("x", 3000)
	for _, tt := range []struct{ name, config, want string }{
		{"an honest one", at("https://github.com/acme/lib"), "harmless"},
		{"an honest one by ssh", at("git@github.com:acme/lib.git"), "harmless"},
		{"another server", at("https://evil.example/llms.txt"), "asks for https://evil.example/llms.txt"},
		{"another server's archive", at("https://evil.example/x.zip"), "asks for"},
		{"this machine's services", at("http://127.0.0.1:9200/llms.txt"), "asks for"},
		{"a name like GitHub's", at("https://github.com.evil.example/a/llms.txt"), "asks for"},
		{"GitHub as the user", at("https://github.com@evil.example/llms.txt"), "refused"},
		{"a password", at("https://user:pass@evil.example/llms.txt"), "refused"},
		{"GitHub before a backslash", at(`https://github.com\\@evil.example/llms.txt`), "refused"},
		{"the cloud's metadata", at("http://169.254.169.254/latest/llms.txt"), "refused"},
		{"http", at("http://evil.example/llms.txt"), "refused"},
		{"a file", at("file:///etc/passwd"), "refused"},
		{"a git transport that is a command", at("ext::sh -c id"), "refused"},
		{"a git transport that is a descriptor", at("fd::17"), "refused"},
		{"an option for git", at("--upload-pack=id"), "refused"},
		{"an ssh option", at("ssh://-oProxyCommand=id/x"), "refused"},
		{"a folder above", at(".."), "asks for .."},
		{"the root of the machine", at("/"), "asks for " + string(filepath.Separator)},
		{"a control character", at(`https://evil.example/\u001b[2Jllms.txt`), "refused"},
		{"a NUL", at(`acme/lib\u0000`), "refused"},
		{"an endless address", at("https://evil.example/" + long + "/llms.txt"), "refused"},
		{"no address", source(`"path": "ref-docs/x"`), "refused"},
		{"a place outside", source(`"path": "../x", "url": "acme/lib"`), "refused"},
		{"an absolute place", source(`"path": "/etc", "url": "acme/lib"`), "refused"},
		{"a backslashed place", source(`"path": "..\\..\\x", "url": "acme/lib"`), "refused"},
		{"the project as the place", source(`"path": ".", "url": "acme/lib"`), "refused"},
		{"no place", source(`"url": "acme/lib"`), "refused"},
		{"two sources in one place", `{"sources": [{"path": "x", "url": "a/b"}, {"path": "X", "url": "c/d"}]}`, "refused"},
		{"a source in another's place", `{"sources": [{"path": "x", "url": "a/b"}, {"path": "x/y", "url": "c/d"}]}`, "refused"},
		{"a key twice in a source", source(`"path": "x", "path": "../y", "url": "acme/lib"`), "refused"},
		{"a revision that is an option", source(`"path": "x", "url": "a/b", "rev": "\u0007"`), "refused"},
		{"a source that is a string", `{"sources": ["acme/lib"]}`, "refused"},
		{"sources that are an object", `{"sources": {"path": "x"}}`, "refused"},
		{"too many sources", `{"sources": [` + strings.Repeat(`{"path": "x", "url": "a/b"},`, 1001) + `{}]}`, "refused"},
		{"an index outside", `{"index": "../../x"}`, "refused"},
		{"a path outside", `{"paths": ["../secrets"]}`, "refused"},
		{"commands nobody knows", `{"hooks": {"update": "rm -rf /"}, "command": "id", "embedder": {"baseURL": "https://evil.example"}}`, "harmless"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			store := trust.In(t.TempDir())
			got := judge(tt.config, store)
			if !strings.HasPrefix(got, tt.want) {
				t.Errorf("%s; want %q", got, tt.want)
			}
			if strings.Contains(got, "pass@") && !strings.Contains(tt.want, "pass") && strings.Contains(got, "user:pass") {
				t.Errorf("shows the password: %s", got)
			}
		})
	}
}

// What the user has approved is followed; the same with one more is not.
func TestApprovedConfig(t *testing.T) {
	store := trust.In(t.TempDir())
	one := `{"sources": [{"path": "x", "url": "https://docs.example/llms.txt"}]}`
	two := `{"sources": [{"path": "x", "url": "https://docs.example/llms.txt"}, {"path": "y", "url": "https://evil.example/llms.txt"}]}`
	if err := store.Approve(trust.Hash("sources", "https://docs.example/llms.txt"), "https://docs.example/llms.txt"); err != nil {
		t.Fatal(err)
	}
	if got := judge(one, store); got != "harmless" {
		t.Errorf("approved, but %s", got)
	}
	if got := judge(two, store); !strings.HasPrefix(got, "asks for") {
		t.Errorf("not approved, but %s", got)
	}
}
