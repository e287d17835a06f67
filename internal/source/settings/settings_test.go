package settings

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

func write(t *testing.T, text string) {
	t.Helper()
	if runtime.GOOS == "windows" || runtime.GOOS == "darwin" {
		t.Skip("the configuration folder is not where XDG_CONFIG_HOME says")
	}
	dir := t.TempDir()
	t.Setenv("XDG_CONFIG_HOME", dir)
	if text == "" {
		return
	}
	if err := os.Mkdir(filepath.Join(dir, "docent"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "docent", "settings.json"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestLoad(t *testing.T) {
	for _, tt := range []struct {
		name, file string
		env        map[string]string
		want       Settings
	}{
		{"nothing is set", "", nil, Settings{}},
		{"a file", `{"claude": {"model": "m"}, "embed": {"url": "http://localhost:11434", "dimensions": 768}}`, nil, Settings{
			Claude:   Endpoint{Model: "m"},
			Embedder: Embedder{Endpoint: Endpoint{URL: "http://localhost:11434"}, Dimensions: 768},
		}},
		{
			"the environment wins", `{"claude": {"model": "m"}}`,
			map[string]string{"DOCENT_CLAUDE_MODEL": "n", "ANTHROPIC_API_KEY": " k "},
			Settings{Claude: Endpoint{Model: "n", Key: "k"}},
		},
		{
			"OpenAI's key goes to OpenAI", "",
			map[string]string{"OPENAI_API_KEY": "k", "DOCENT_EMBED_URL": "https://api.openai.com/v1/"},
			Settings{Embedder: Embedder{Endpoint: Endpoint{URL: "https://api.openai.com/v1/", Key: "k"}}},
		},
		{
			"and nowhere else", "",
			map[string]string{"OPENAI_API_KEY": "k", "DOCENT_EMBED_URL": "https://api.openai.com.example.com"},
			Settings{Embedder: Embedder{Endpoint: Endpoint{URL: "https://api.openai.com.example.com"}}},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			write(t, tt.file)
			got, err := load(func(name string) string { return tt.env[name] })
			got.File = ""
			if err != nil || got != tt.want {
				t.Errorf("got %+v, %v; want %+v", got, err, tt.want)
			}
		})
	}
}

// A file that is not understood stops docent before it talks to anybody.
func TestLoadFails(t *testing.T) {
	for _, file := range []string{`{"claude": {"url"`, `{"claud": {}}`, `{"claude": {"key": "secret-123"}}`, `[]`} {
		write(t, file)
		_, err := load(func(string) string { return "" })
		if err == nil || strings.Contains(err.Error(), "secret-123") {
			t.Errorf("%s: %v", file, err)
		}
	}
}
