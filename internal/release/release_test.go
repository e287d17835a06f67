package main

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/docent-md/docent/internal/needs"
)

// newTrial is a release of version v9.8.7 into a folder of its own.
func newTrial(t *testing.T, on []target, build func(*release, target, string) error) *release {
	t.Helper()
	return &release{
		version: "v9.8.7", commit: strings.Repeat("ab", 20), at: time.Date(2025, 1, 2, 3, 4, 6, 0, time.UTC),
		source: filepath.Join("..", ".."), out: t.TempDir(), targets: on, build: build,
		say: func(string) {},
	}
}

// pretend writes a program that is none, in no time.
func pretend(_ *release, t target, file string) error {
	return os.WriteFile(file, []byte("a program for "+t.String()), 0o755)
}

// sums returns the checksum of every file of a folder.
func sums(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := fs.WalkDir(os.DirFS(dir), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		raw, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
		sum := sha256.Sum256(raw)
		out[name] = hex.EncodeToString(sum[:])
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// The same source and version give the same bytes, and SHA256SUMS lists every file that
// is published.
func TestSameBytes(t *testing.T) {
	one, two := newTrial(t, targets, pretend), newTrial(t, targets, pretend)
	for _, r := range []*release{one, two} {
		if err := r.all(); err != nil {
			t.Fatal(err)
		}
	}
	have, again := sums(t, one.out), sums(t, two.out)
	for name, sum := range have {
		if again[name] != sum {
			t.Errorf("%s: two builds give other bytes", name)
		}
	}
	if !slices.Equal(slices.Sorted(maps.Keys(have)), slices.Sorted(maps.Keys(again))) {
		t.Errorf("two builds give other files")
	}
	list, err := one.read("SHA256SUMS")
	if err != nil {
		t.Fatal(err)
	}
	listed := map[string]string{}
	for line := range strings.Lines(string(list)) {
		sum, name, _ := strings.Cut(strings.TrimSpace(line), "  ")
		listed[name] = sum
	}
	for name, sum := range have {
		if name != "SHA256SUMS" && !strings.HasPrefix(name, "bin/") && listed[name] != sum {
			t.Errorf("%s: SHA256SUMS has %q", name, listed[name])
		}
	}
	for _, name := range []string{
		"docent_9.8.7_linux_amd64.tar.gz", "docent_9.8.7_linux_arm64.tar.gz", "docent_9.8.7_darwin_amd64.tar.gz",
		"docent_9.8.7_darwin_arm64.tar.gz", "docent_9.8.7_windows_amd64.zip", "docent_9.8.7_windows_arm64.zip",
		"docent_9.8.7_amd64.deb", "docent_9.8.7_arm64.deb", "docent-9.8.7.x86_64.rpm", "docent-9.8.7.aarch64.rpm",
		"docent_9.8.7_x86_64.apk", "docent_9.8.7_aarch64.apk", "docent-md-9.8.7.tgz", "docent-md-win32-arm64-9.8.7.tgz",
		"docent.rb", "docent.json", "flake.nix", "Dockerfile",
		"docent_9.8.7.cdx.json", "docent_9.8.7.provenance.json",
	} {
		if listed[name] == "" {
			t.Errorf("%s is not made", name)
		}
	}
	for name := range listed {
		if strings.Contains(name, "/") {
			t.Errorf("%s: a release page has no folders", name)
		}
	}
	checkRecipes(t, one, have)
	checkStatements(t, one, have)
}

// Recipes name the archives that there are, by their checksums, and run nobody as root.
func checkRecipes(t *testing.T, r *release, have map[string]string) {
	t.Helper()
	text := func(name string) string {
		raw, err := r.read(name)
		if err != nil {
			t.Fatal(err)
		}
		return string(raw)
	}
	for _, on := range targets {
		file := "docent.json"
		if on.os != "windows" {
			file = "docent.rb"
		}
		if s := text(file); !strings.Contains(s, r.url(r.archive(on))) || !strings.Contains(s, have[r.archive(on)]) {
			t.Errorf("%s does not name %s with its checksum:\n%s", file, r.archive(on), s)
		}
	}
	if !json.Valid([]byte(text("docent.json"))) {
		t.Error("docent.json is not JSON")
	}
	for _, words := range []string{"distroless/static", "USER 65532:65532", `ENTRYPOINT ["/usr/bin/docent"]`} {
		if !strings.Contains(text("Dockerfile"), words) {
			t.Errorf("Dockerfile has no %s", words)
		}
	}
}

// The bill of materials names modules with their licences, the provenance every file.
func checkStatements(t *testing.T, r *release, have map[string]string) {
	t.Helper()
	var bill struct {
		BOMFormat    string
		SerialNumber string
		Components   []struct {
			PURL     string
			Licenses []any
		}
	}
	var statement struct {
		Subject []struct {
			Name   string
			Digest map[string]string
		}
	}
	for name, to := range map[string]any{"docent_9.8.7.cdx.json": &bill, "docent_9.8.7.provenance.json": &statement} {
		raw, err := r.read(name)
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(raw, to); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
	}
	if bill.BOMFormat != "CycloneDX" || !strings.HasPrefix(bill.SerialNumber, "urn:uuid:") || len(bill.Components) < 10 {
		t.Errorf("bill of materials: %+v", bill)
	}
	mermaid := false
	for _, c := range bill.Components {
		mermaid = mermaid || strings.HasPrefix(c.PURL, "pkg:npm/%40mermaid-js/tiny@")
		if len(c.Licenses) != 1 || !strings.HasPrefix(c.PURL, "pkg:golang/") && !strings.HasPrefix(c.PURL, "pkg:npm/%40") {
			t.Errorf("component %+v", c)
		}
	}
	if !mermaid {
		t.Error("the bill of materials lacks what the program embeds")
	}
	if len(statement.Subject) < 20 {
		t.Errorf("provenance of %d files only", len(statement.Subject))
	}
	for _, s := range statement.Subject {
		if have[s.Name] != s.Digest["sha256"] {
			t.Errorf("provenance of %s has another checksum", s.Name)
		}
	}
}

// Homebrew refuses a longer description, and Debian's tools cut it.
func TestSummaryIsShort(t *testing.T) {
	if n := len(summary); n > 80 {
		t.Errorf("the summary has %d characters", n)
	}
}

// A trial version comes before the version in the order of each package manager.
func TestTrialVersion(t *testing.T) {
	r := newTrial(t, targets[:1], pretend)
	r.version = "v9.8.7-rc.1"
	if !versions.MatchString(r.version) {
		t.Fatalf("%s is refused", r.version)
	}
	if err := r.all(); err != nil {
		t.Fatal(err)
	}
	info := shell(t, r.out, needs.Tool(t, "tar"), "-xzOf", "docent_9.8.7-rc.1_x86_64.apk", ".PKGINFO")
	if !strings.Contains(info, "pkgver = 9.8.7_rc1\n") {
		t.Errorf("apk:\n%s", info)
	}
	if out := shell(t, r.out, needs.Tool(t, "dpkg-deb"), "--field", "docent_9.8.7-rc.1_amd64.deb", "Version"); out != "9.8.7~rc.1\n" {
		t.Errorf("deb: %s", out)
	}
}

func TestVersionIsChecked(t *testing.T) {
	for _, version := range []string{"", "0.1.0", "v1", "v1.2.3 -o /", "v1.2.3-dev", "v1.2.3-rc1"} {
		if err := run(version, t.TempDir(), "", true); err == nil || !strings.Contains(err.Error(), "must look like v0.1.0") {
			t.Errorf("%q: %v", version, err)
		}
	}
	if err := run("v0.1.0", t.TempDir(), "plan9/amd64", true); err == nil || !strings.Contains(err.Error(), "no target") {
		t.Errorf("plan9: %v", err)
	}
}
