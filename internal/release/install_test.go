package main

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/docent-md/docent/internal/needs"
)

// Packages for this machine are built with the real program, installed as users do,
// asked a question, and removed.
func TestInstall(t *testing.T) {
	if testing.Short() {
		t.Skip("builds and compresses the program several times")
	}
	here := target{runtime.GOOS, runtime.GOARCH}
	if !slices.Contains(targets, here) {
		t.Skipf("nothing is released for %s", here)
	}
	r := newTrial(t, []target{here}, goBuild)
	if err := r.all(); err != nil {
		t.Fatal(err)
	}
	t.Run("two builds", func(t *testing.T) {
		again := filepath.Join(t.TempDir(), here.program())
		if err := goBuild(r, here, again); err != nil {
			t.Fatal(err)
		}
		one, err := r.read(binary(here))
		if err != nil {
			t.Fatal(err)
		}
		two, err := os.ReadFile(again)
		if err != nil || string(one) != string(two) {
			t.Errorf("two builds give other programs (%v)", err)
		}
	})
	t.Run("archive", func(t *testing.T) {
		dir := t.TempDir()
		shell(t, dir, needs.Tool(t, "tar"), "-xzf", filepath.Join(r.out, r.archive(here)))
		ask(t, filepath.Join(dir, r.folder(here), here.program()))
	})
	t.Run("deb", func(t *testing.T) { installDeb(t, r, here) })
	t.Run("rpm", func(t *testing.T) { installRPM(t, r, here) })
	t.Run("apk", func(t *testing.T) { unpackAPK(t, r, here) })
	t.Run("npm", func(t *testing.T) { installNPM(t, r, here) })
}

// installDeb installs into a folder that dpkg takes for the root of a system.
func installDeb(t *testing.T, r *release, here target) {
	dpkg := needs.Tool(t, "dpkg")
	root := t.TempDir()
	for _, dir := range []string{"info", "updates", "triggers"} {
		if err := os.MkdirAll(filepath.Join(root, "var/lib/dpkg", dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(root, "var/lib/dpkg/status"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	options := []string{"--root=" + root, "--force-not-root", "--force-script-chrootless", "--log=" + filepath.Join(root, "log"), "--force-architecture"}
	shell(t, root, dpkg, append(options, "--install", filepath.Join(r.out, "docent_"+r.number()+"_"+here.arch+".deb"))...)
	ask(t, filepath.Join(root, "usr/bin/docent"))
	holds(t, root, "doc/docent/copyright", "doc/docent/THIRD_PARTY.txt", "zsh/vendor-completions/_docent")
	shell(t, root, dpkg, append(options, "--purge", "docent")...)
	if _, err := os.Stat(filepath.Join(root, "usr")); err == nil {
		t.Error("removing the package leaves files in /usr")
	}
}

// installRPM installs into a folder that rpm takes for the root of a system, which only
// root may do.
func installRPM(t *testing.T, r *release, here target) {
	rpm := needs.Tool(t, "rpm")
	if os.Getuid() != 0 {
		t.Skip("rpm --root needs root")
	}
	root := t.TempDir()
	options := []string{"--root=" + root, "--dbpath=/var/lib/rpm"}
	shell(t, root, rpm, append(options, "--initdb")...)
	shell(t, root, rpm, append(options, "--nodeps", "--install", filepath.Join(r.out, "docent-"+r.number()+"."+gnuArch[here.arch]+".rpm"))...)
	ask(t, filepath.Join(root, "usr/bin/docent"))
	holds(t, root, "licenses/docent/LICENSE", "licenses/docent/THIRD_PARTY.txt", "zsh/site-functions/_docent")
	if out := shell(t, root, rpm, append(options, "--verify", "docent")...); strings.TrimSpace(out) != "" {
		t.Errorf("rpm --verify: %s", out)
	}
	shell(t, root, rpm, append(options, "--erase", "docent")...)
	err := filepath.WalkDir(filepath.Join(root, "usr"), func(name string, d fs.DirEntry, err error) error {
		if err == nil && (!d.IsDir() || d.Name() == "docent") {
			t.Errorf("removing the package leaves %s", name)
		}
		return err
	})
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
}

// unpackAPK unpacks the package, as the tool that installs it is part of Alpine alone.
func unpackAPK(t *testing.T, r *release, here target) {
	root := t.TempDir()
	shell(t, root, needs.Tool(t, "tar"), "-xzf", filepath.Join(r.out, "docent_"+r.number()+"_"+gnuArch[here.arch]+".apk"))
	ask(t, filepath.Join(root, "usr/bin/docent"))
	holds(t, root, "licenses/docent/LICENSE", "licenses/docent/THIRD_PARTY.txt", "zsh/site-functions/_docent")
	raw, err := os.ReadFile(filepath.Join(root, ".PKGINFO"))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(raw)) { // apk reads keys and values, a line each
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' && !strings.Contains(line, " = ") {
			t.Errorf(".PKGINFO has the line %q", line)
		}
	}
}

// holds checks that a Linux package has the files under usr/share that all have, and those of its kind.
func holds(t *testing.T, root string, names ...string) {
	t.Helper()
	names = append(names, "man/man1/docent.1.gz", "man/man1/docent-search.1.gz",
		"bash-completion/completions/docent", "fish/vendor_completions.d/docent.fish")
	for _, name := range names {
		if info, err := os.Stat(filepath.Join(root, "usr/share", name)); err != nil || info.Size() == 0 {
			t.Errorf("no %s, or it is empty: %v", name, err)
		}
	}
}

// installNPM installs the launcher and the package for this system from their tarballs.
func installNPM(t *testing.T, r *release, here target) {
	npm := needs.Tool(t, "npm")
	dir := t.TempDir()
	shell(t, dir, npm, "install", "--offline", "--ignore-scripts", "--no-audit", "--no-fund", "--cache", filepath.Join(dir, ".npm"),
		filepath.Join(r.out, r.npmFile("docent-md")), filepath.Join(r.out, r.npmFile(npmName(here))))
	ask(t, filepath.Join(dir, "node_modules", ".bin", "docent-md"))
	out := shell(t, dir, npm, "exec", "--offline", "--no", "--", "docent-md", "version")
	if !strings.Contains(out, "docent v9.8.7\n") {
		t.Errorf("npx docent-md version: %s", out)
	}
	if err := os.RemoveAll(filepath.Join(dir, "node_modules", filepath.FromSlash(npmName(here)))); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), filepath.Join(dir, "node_modules", ".bin", "docent-md"), "version")
	if text, err := cmd.CombinedOutput(); err == nil || !strings.Contains(string(text), npmName(here)+" is not installed") {
		t.Errorf("without the package of this system: %v\n%s", err, text)
	}
}

// ask has an installed program say its version, answer a question and miss one.
func ask(t *testing.T, program string) {
	t.Helper()
	home := t.TempDir()
	docs := filepath.Join(home, "docs")
	if err := os.Mkdir(docs, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(docs, "keys.md"), []byte("# Keys\n\n## Rotate a key\n\nRun rotate twice.\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	run := func(args ...string) (string, int) {
		cmd := exec.CommandContext(t.Context(), program, args...)
		cmd.Dir, cmd.Env = docs, append(os.Environ(), "HOME="+home, "XDG_CACHE_HOME="+filepath.Join(home, ".cache"))
		out, _ := cmd.CombinedOutput()
		return string(out), cmd.ProcessState.ExitCode()
	}
	if out, code := run("version"); code != 0 || !strings.HasPrefix(out, "docent v9.8.7\n") || !strings.Contains(out, "commit abab") {
		t.Errorf("%s version: %d %s", program, code, out)
	}
	if out, code := run("search", "how do I rotate a key"); code != 0 || !strings.Contains(out, "keys.md#rotate-a-key") {
		t.Errorf("%s search: %d %s", program, code, out)
	}
	if out, code := run("search", "zebra"); code != 1 {
		t.Errorf("%s search zebra: %d %s", program, code, out)
	}
}

func shell(t *testing.T, dir, program string, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), program, args...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s %s: %v\n%s", program, strings.Join(args, " "), err, out)
	}
	return string(out)
}
