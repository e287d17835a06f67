package main

import (
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/docent-md/docent/internal/release/bundle"
	"github.com/docent-md/docent/internal/surface/cli"
)

// programs builds the program for every target, as bin/linux_amd64/docent.
func (r *release) programs() error {
	for _, t := range r.targets {
		file := filepath.Join(r.out, filepath.FromSlash(binary(t)))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return err
		}
		r.say("  " + t.String())
		if err := r.build(r, t, file); err != nil {
			return fmt.Errorf("%s: %w", t, err)
		}
	}
	return nil
}

func binary(t target) string { return path.Join("bin", t.os+"_"+t.arch, t.program()) }

// goBuild compiles the program. Paths, build ids and the state of the working tree stay
// out of it, so that anybody with the same Go gets the same bytes.
func goBuild(r *release, t target, file string) error {
	file, err := filepath.Abs(file)
	if err != nil {
		return err
	}
	flags := fmt.Sprintf("-s -w -buildid= -X %[1]s.releaseVersion=%[2]s -X %[1]s.releaseCommit=%[3]s",
		module+"/internal/surface/cli", r.version, r.commit)
	cmd := exec.Command("go", "build", "-trimpath", "-buildvcs=false", "-ldflags", flags, "-o", file, "./cmd/docent")
	cmd.Dir = r.source
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS="+t.os, "GOARCH="+t.arch, "GOAMD64=v1", "GOARM64=v8.0")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("go build: %w\n%s", err, out)
	}
	return nil
}

// shells are those that "docent completion" knows, with the file that each looks for.
var shells = []struct{ name, file string }{
	{"bash", "docent.bash"},
	{"fish", "docent.fish"},
	{"powershell", "docent.ps1"},
	{"zsh", "_docent"},
}

// texts returns what goes into every archive beside the program: licences, the README,
// man pages and completions.
func (r *release) texts() ([]bundle.File, error) {
	var out []bundle.File
	for _, name := range []string{"LICENSE", "THIRD_PARTY.txt", "README.md", "CHANGELOG.md"} {
		data, err := os.ReadFile(filepath.Join(r.source, name))
		if err != nil {
			return nil, err
		}
		out = append(out, bundle.File{Name: name, Data: data})
	}
	for name, text := range cli.Manual(r.version) {
		if strings.HasSuffix(name, ".1") {
			out = append(out, bundle.File{Name: "man/" + name, Data: []byte(text)})
		}
	}
	for _, sh := range shells {
		script := &strings.Builder{}
		if code := cli.Main([]string{"completion", sh.name}, strings.NewReader(""), script, os.Stderr); code != 0 {
			return nil, fmt.Errorf("docent completion %s: exit code %d", sh.name, code)
		}
		out = append(out, bundle.File{Name: "completions/" + sh.file, Data: []byte(script.String())})
	}
	slices.SortFunc(out, func(a, b bundle.File) int { return strings.Compare(a.Name, b.Name) })
	return out, nil
}

// archives puts each program into an archive with the texts. All of it lies in one folder, so that unpacking an archive
// in a project overwrites no README.
func (r *release) archives() error {
	texts, err := r.texts()
	if err != nil {
		return err
	}
	for _, t := range r.targets {
		data, err := r.read(binary(t))
		if err != nil {
			return err
		}
		files := append(slices.Clone(texts), bundle.File{Name: t.program(), Data: data, Exec: true})
		for i := range files {
			files[i].Name = path.Join(r.folder(t), files[i].Name)
		}
		pack := bundle.TarGz
		if t.os == "windows" {
			pack = bundle.Zip
		}
		if data, err = pack(files, r.at); err != nil {
			return err
		}
		if err := r.write(r.archive(t), data); err != nil {
			return err
		}
	}
	return nil
}
