// Release builds everything that is published of a version, from the source alone:
//
//	go run ./internal/release -version v0.1.0
//
// The programs for all systems, archives with man pages and completions, Linux packages,
// npm packages, files for Homebrew, Scoop, Nix and Docker, a bill of materials, a
// statement of provenance, and the checksums of them all. The same commit and version
// give the same bytes. Nothing is uploaded.
package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"
)

func main() {
	version := flag.String("version", "", "version to release, such as v0.1.0")
	out := flag.String("out", "dist", "folder to write; it is emptied first")
	dirty := flag.Bool("dirty", false, "allow files that are not committed")
	only := flag.String("target", "", "build for this system alone, such as linux/amd64")
	flag.Parse()
	if err := run(*version, *out, *only, *dirty); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

// versions are those of semver.org with a v before them, which Go modules have. Of trial versions, all package managers
// know these three kinds.
var versions = regexp.MustCompile(`^v\d+\.\d+\.\d+(-(alpha|beta|rc)\.\d+)?$`)

func run(version, out, only string, dirty bool) error {
	if !versions.MatchString(version) {
		return fmt.Errorf("version is %q: must look like v0.1.0 or v0.1.0-rc.1 (make release VERSION=v0.1.0)", version)
	}
	r := &release{version: version, source: ".", out: out, targets: targets, build: goBuild}
	r.say = func(step string) { fmt.Fprintln(os.Stderr, step) }
	if only != "" {
		r.targets = nil
		for _, t := range targets {
			if t.String() == only {
				r.targets = []target{t}
			}
		}
		if r.targets == nil {
			return fmt.Errorf("no target %q: there are %v", only, targets)
		}
	}
	if err := r.fromGit(dirty); err != nil {
		return err
	}
	if err := os.RemoveAll(out); err != nil {
		return err
	}
	if err := r.all(); err != nil {
		return err
	}
	for _, file := range append(r.written, "SHA256SUMS") {
		fmt.Println(filepath.Join(out, file))
	}
	return nil
}

// all makes everything, in the order in which one needs the other.
func (r *release) all() error {
	for _, step := range []struct {
		name string
		run  func() error
	}{
		{"programs", r.programs},
		{"archives", r.archives},
		{"Linux packages", r.linuxPackages},
		{"npm packages", r.npmPackages},
		{"Homebrew, Scoop, Nix, Docker", r.recipes},
		{"bill of materials", r.materials},
		{"provenance", r.provenance},
		{"checksums", r.checksums},
	} {
		r.say(step.name)
		if err := step.run(); err != nil {
			return fmt.Errorf("%s: %w", step.name, err)
		}
	}
	return nil
}

// fromGit reads commit and time of the source.
func (r *release) fromGit(dirty bool) error {
	git := func(args ...string) (string, error) {
		cmd := exec.Command("git", args...)
		cmd.Dir = r.source
		out, err := cmd.Output()
		if err != nil {
			err = fmt.Errorf("git %s: %w", strings.Join(args, " "), err)
		}
		return strings.TrimSpace(string(out)), err
	}
	changed, err := git("status", "--porcelain")
	if err != nil {
		return err
	}
	if changed != "" && !dirty {
		return fmt.Errorf("files are not committed: commit them, or pass -dirty for a trial:\n%s", changed)
	}
	if r.commit, err = git("rev-parse", "HEAD"); err != nil {
		return err
	}
	stamp, err := git("log", "-1", "--format=%ct")
	if err != nil {
		return err
	}
	seconds, err := strconv.ParseInt(stamp, 10, 64)
	r.at = time.Unix(seconds/2*2, 0).UTC() // zip has even seconds
	return err
}

// write publishes a file.
func (r *release) write(name string, data []byte) error {
	r.written = append(r.written, name)
	return os.WriteFile(filepath.Join(r.out, name), data, 0o644)
}

// read returns a file that was made before.
func (r *release) read(name string) ([]byte, error) {
	return os.ReadFile(filepath.Join(r.out, filepath.FromSlash(name)))
}
