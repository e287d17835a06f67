package main

import (
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/docent-md/docent/internal/release/bundle"
)

// A linuxFormat is a package that nfpm makes: the name of its file for a target, and the places that its systems have
// for licences and for zsh's completions.
type linuxFormat struct {
	name          string
	file          func(number, arch string) string
	licences, zsh string
	description   string // Alpine's is one line, Debian's begins with the summary
}

var linuxFormats = []linuxFormat{
	{
		"deb", func(number, arch string) string { return "docent_" + number + "_" + arch + ".deb" },
		"/usr/share/doc/docent/", "/usr/share/zsh/vendor-completions/", summary + "\n" + details,
	},
	{
		"rpm", func(number, arch string) string { return "docent-" + number + "." + gnuArch[arch] + ".rpm" },
		"/usr/share/licenses/docent/", "/usr/share/zsh/site-functions/", details,
	},
	{
		"apk", func(number, arch string) string { return "docent_" + number + "_" + gnuArch[arch] + ".apk" },
		"/usr/share/licenses/docent/", "/usr/share/zsh/site-functions/", summary,
	},
}

// place is where a package puts one of the texts; it is empty for those that stay out.
func (f linuxFormat) place(text string) string {
	switch {
	case text == "LICENSE" && f.name == "deb":
		return f.licences + "copyright"
	case text == "LICENSE", text == "THIRD_PARTY.txt":
		return f.licences + text
	case text == "completions/docent.bash":
		return "/usr/share/bash-completion/completions/docent"
	case text == "completions/docent.fish":
		return "/usr/share/fish/vendor_completions.d/docent.fish"
	case text == "completions/_docent":
		return f.zsh + "_docent"
	case strings.HasPrefix(text, "man/"):
		return "/usr/share/man/man1/" + path.Base(text) + ".gz"
	}
	return ""
}

var gnuArch = map[string]string{"amd64": "x86_64", "arm64": "aarch64"}

// linuxPackages makes .deb, .rpm and .apk of the Linux programs. Files lie in a folder of
// their own while nfpm reads them.
func (r *release) linuxPackages() error {
	texts, err := r.texts()
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "docent-release")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	for _, t := range r.targets {
		if t.os != "linux" {
			continue
		}
		program, err := filepath.Abs(filepath.Join(r.out, filepath.FromSlash(binary(t))))
		if err != nil {
			return err
		}
		for _, f := range linuxFormats {
			contents, err := r.contents(dir, f, texts)
			if err != nil {
				return err
			}
			contents = append(contents, content{Src: program, Dst: "/usr/bin/docent", Info: infoAt(r.at, 0o755)})
			if err := r.nfpm(dir, f, t.arch, contents); err != nil {
				return err
			}
		}
	}
	return nil
}

// contents writes the texts of a package into dir, man pages compressed.
func (r *release) contents(dir string, f linuxFormat, texts []bundle.File) ([]content, error) {
	out := []content{{Dst: f.licences, Type: "dir", Info: infoAt(r.at, 0o755)}} // rpm removes only folders that it knows
	for _, text := range texts {
		to := f.place(text.Name)
		if to == "" {
			continue
		}
		data := text.Data
		if strings.HasSuffix(to, ".gz") {
			var err error
			if data, err = bundle.Gz(data); err != nil {
				return nil, err
			}
		}
		src := filepath.Join(dir, path.Base(text.Name))
		if err := os.WriteFile(src, data, 0o644); err != nil {
			return nil, err
		}
		out = append(out, content{Src: src, Dst: to, Info: infoAt(r.at, 0o644)})
	}
	return out, nil
}

func infoAt(at time.Time, mode int) info { return info{Mode: mode, MTime: at.Format(timeFormat)} }

const timeFormat = "2006-01-02T15:04:05Z"

// A content is a file of a package, as nfpm's configuration has it.
type content struct {
	Src  string `yaml:"src,omitempty"`
	Dst  string `yaml:"dst"`
	Type string `yaml:"type,omitempty"`
	Info info   `yaml:"file_info"`
}

type info struct {
	Mode  int    `yaml:"mode"`
	MTime string `yaml:"mtime"`
}

func (r *release) nfpm(dir string, f linuxFormat, arch string, contents []content) error {
	file, version := f.file(r.number(), arch), r.version
	if number, trial, ok := strings.Cut(version, "-"); ok && f.name == "apk" { // Alpine writes 0.1.0_rc1
		version = number + "-" + strings.ReplaceAll(trial, ".", "")
	}
	config, err := yaml.Marshal(map[string]any{
		"name": "docent", "arch": arch, "platform": "linux", "version": version, "section": "text", "priority": "optional",
		"maintainer": contact, "description": f.description, "vendor": "docent", "homepage": homepage,
		"license": spdx, "mtime": r.at.Format(timeFormat), "contents": contents,
		"rpm": map[string]any{"buildhost": "localhost", "summary": summary},
	})
	if err != nil {
		return err
	}
	name := filepath.Join(dir, "nfpm.yaml")
	if err := os.WriteFile(name, config, 0o644); err != nil {
		return err
	}
	to, err := filepath.Abs(filepath.Join(r.out, file))
	if err != nil {
		return err
	}
	cmd := exec.Command("go", "tool", "-modfile=tools/go.mod", "nfpm", "package", "--config", name, "--packager", f.name, "--target", to)
	cmd.Dir = r.source
	cmd.Env = append(os.Environ(), "SOURCE_DATE_EPOCH="+strconv.FormatInt(r.at.Unix(), 10))
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("nfpm: %w\n%s", err, out)
	}
	r.written = append(r.written, file)
	return nil
}
