package clients

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
)

// An Env is where a machine keeps things.
type Env struct {
	System  string // as runtime.GOOS
	Home    string
	AppData string // on Windows, the folder of programs' data
	Config  string // XDG_CONFIG_HOME; "" means .config in Home
	Codex   string // CODEX_HOME; "" means .codex in Home
	Project string // the current folder
}

// Here is this machine.
func Here() (Env, error) {
	home, err := os.UserHomeDir()
	if err != nil {
		return Env{}, err
	}
	project, err := os.Getwd()
	return Env{
		System: runtime.GOOS, Home: home, AppData: os.Getenv("APPDATA"),
		Config: os.Getenv("XDG_CONFIG_HOME"), Codex: os.Getenv("CODEX_HOME"), Project: project,
	}, err
}

// apps is the folder in which programs with windows keep their data.
func (e Env) apps() string {
	switch e.System {
	case "windows":
		return e.AppData
	case "darwin":
		return filepath.Join(e.Home, "Library", "Application Support")
	}
	return e.config()
}

func (e Env) config() string {
	if e.Config != "" {
		return e.Config
	}
	return filepath.Join(e.Home, ".config")
}

func inProject(name string) func(Env) string {
	return func(e Env) string { return filepath.Join(e.Project, filepath.FromSlash(name)) }
}

func inHome(name string) func(Env) string {
	return func(e Env) string { return filepath.Join(e.Home, filepath.FromSlash(name)) }
}

func appFile(name string) func(Env) string {
	return func(e Env) string { return filepath.Join(e.apps(), filepath.FromSlash(name)) }
}

func zedFile(e Env) string {
	if e.System == "windows" {
		return filepath.Join(e.AppData, "Zed", "settings.json")
	}
	return filepath.Join(e.config(), "zed", "settings.json")
}

func codexFile(e Env) string {
	if e.Codex != "" {
		return filepath.Join(e.Codex, "config.toml")
	}
	return filepath.Join(e.Home, ".codex", "config.toml")
}

func devinFile(e Env) string {
	if e.System == "windows" {
		return filepath.Join(e.AppData, "devin", "mcp_config.json")
	}
	return filepath.Join(e.config(), "devin", "mcp_config.json")
}

func gooseFile(e Env) string {
	if e.System == "windows" {
		return filepath.Join(e.AppData, "Block", "goose", "config", "config.yaml")
	}
	return filepath.Join(e.config(), "goose", "config.yaml")
}

// opencodeFile is opencode.json, or opencode.jsonc if only that exists.
func opencodeFile(e Env) string {
	plain := filepath.Join(e.Project, "opencode.json")
	if with := plain + "c"; !exists(plain) && exists(with) {
		return with
	}
	return plain
}

// clineFile is that of the extension, or of the program if only that is there.
func clineFile(e Env) string {
	name := "cline_mcp_settings.json"
	extension := filepath.Join(e.apps(), "Code", "User", "globalStorage", "saoudrizwan.claude-dev")
	if program := filepath.Join(e.Home, ".cline"); !exists(extension) && exists(program) {
		return filepath.Join(program, "data", "settings", name)
	}
	return filepath.Join(extension, "settings", name)
}

// signs are what shows that a client is on a machine: any of them.
type signs struct {
	programs []string // in the PATH
	folders  []string // in the home folder
	app      []string // in the folder of programs' data
}

// IsHere reports whether the client seems to be on this machine.
func (c Client) IsHere(e Env) bool {
	for _, p := range c.signs.programs {
		if _, err := exec.LookPath(p); err == nil {
			return true
		}
	}
	for _, f := range c.signs.folders {
		if exists(filepath.Join(e.Home, filepath.FromSlash(f))) {
			return true
		}
	}
	for _, f := range c.signs.app {
		if exists(filepath.Join(e.apps(), filepath.FromSlash(f))) {
			return true
		}
	}
	return false
}

func exists(name string) bool {
	_, err := os.Stat(name)
	return err == nil
}
