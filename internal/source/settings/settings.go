// Package settings reads what only the user decides: which endpoints
// docent may talk to, and with which keys. They come from a file in the user's
// configuration folder and from the environment, which wins. A project's
// .docent.json has no say in them: whoever can write a document could write that
// too.
//
// The file is docent/settings.json in the folder that the system gives programs
// for their configuration:
//
//	{
//	  "claude": {"url": "https://api.anthropic.com", "model": "claude-sonnet-5-5"},
//	  "embed":  {"url": "http://localhost:11434", "model": "embeddinggemma", "dimensions": 768}
//	}
//
// Keys are never in it: they come from ANTHROPIC_API_KEY, and from DOCENT_EMBED_KEY
// or, for OpenAI's own address, OPENAI_API_KEY.
package settings

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// Settings are the user's. The zero value talks to nobody.
type Settings struct {
	Claude   Endpoint `json:"claude"`
	Embedder Embedder `json:"embed"`

	File string `json:"-"` // that was read; "" when there is none
}

// An Endpoint is a service that the user lets docent talk to.
type Endpoint struct {
	URL   string `json:"url,omitempty"`   // "" means the provider's own
	Model string `json:"model,omitempty"` // "" means the default
	Key   string `json:"-"`
}

// An Embedder is an endpoint that turns texts into vectors.
type Embedder struct {
	Endpoint
	Dimensions  int    `json:"dimensions,omitempty"`  // expected; 0 takes what comes
	TextPrefix  string `json:"textPrefix,omitempty"`  // put before each text, as some models want
	QueryPrefix string `json:"queryPrefix,omitempty"` // and before each question
}

// openAI is the one address that gets OPENAI_API_KEY.
const openAI = "https://api.openai.com"

// Load reads the settings. A file that cannot be read is an error: to ignore it
// would be to talk to other endpoints than the user chose.
func Load() (Settings, error) { return load(os.Getenv) }

func load(env func(string) string) (Settings, error) {
	var s Settings
	if dir, err := os.UserConfigDir(); err == nil {
		file := filepath.Join(dir, "docent", "settings.json")
		raw, err := os.ReadFile(file)
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			return s, fmt.Errorf("settings: %w", err)
		default:
			dec := json.NewDecoder(bytes.NewReader(raw))
			dec.DisallowUnknownFields()
			if err := dec.Decode(&s); err != nil {
				return s, fmt.Errorf("settings %s: %w", file, err)
			}
			s.File = file
		}
	}
	set := func(to *string, name string) {
		if v := strings.TrimSpace(env(name)); v != "" {
			*to = v
		}
	}
	set(&s.Claude.URL, "DOCENT_CLAUDE_URL")
	set(&s.Claude.Model, "DOCENT_CLAUDE_MODEL")
	set(&s.Claude.Key, "ANTHROPIC_API_KEY")
	set(&s.Embedder.URL, "DOCENT_EMBED_URL")
	set(&s.Embedder.Model, "DOCENT_EMBED_MODEL")
	if u := strings.TrimSuffix(strings.TrimSuffix(s.Embedder.URL, "/"), "/v1"); u == "" || u == openAI {
		set(&s.Embedder.Key, "OPENAI_API_KEY")
	}
	set(&s.Embedder.Key, "DOCENT_EMBED_KEY")
	return s, nil
}

// DataDir is where docent keeps what must outlive an index: what was paid for, and
// what it cost.
func DataDir() (string, error) {
	if dir := os.Getenv("XDG_DATA_HOME"); filepath.IsAbs(dir) {
		return filepath.Join(dir, "docent"), nil
	}
	switch runtime.GOOS {
	case "windows", "darwin", "ios", "plan9":
		dir, err := os.UserConfigDir()
		if err != nil {
			return "", fmt.Errorf("%w: %w", ErrNoDataDir, err)
		}
		return filepath.Join(dir, "docent"), nil
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return "", ErrNoDataDir
	}
	return filepath.Join(home, ".local", "share", "docent"), nil
}

// ErrNoDataDir is why there is no folder to keep anything in.
var ErrNoDataDir = errors.New("no folder for this user's data: set XDG_DATA_HOME or HOME")
