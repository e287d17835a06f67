package project_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/docent-md/docent/internal/library/project"
	"github.com/docent-md/docent/internal/source/fetch/fetchtest"
)

// An archive of this machine is unpacked as one from an address is, and again once it has
// changed.
func TestLocalArchive(t *testing.T) {
	for name, pack := range map[string]func(files map[string]string) []byte{
		"docs.zip":    fetchtest.Zip,
		"docs.tar.gz": func(files map[string]string) []byte { return fetchtest.Tarball("docs", "", files) },
		"Docs.TGZ":    func(files map[string]string) []byte { return fetchtest.Tarball("docs", "", files) },
	} {
		t.Run(name, func(t *testing.T) {
			w := newSourceWorld(t, map[string]string{"own.md": "# Own"})
			file := filepath.Join(t.TempDir(), name)
			write := func(text string) {
				t.Helper()
				data := pack(map[string]string{"guide/keys.md": text, "index.md": "# Index", "logo.png": "x"})
				if err := os.WriteFile(file, data, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			write("# Keys")
			added, err := project.AddSource(t.Context(), w.dir, file, w.opt)
			if err != nil || added.Kind != "archive" || added.Files != 2 || added.Path != "ref-docs/"+strings.Split(name, ".")[0] {
				t.Fatalf("%+v, %v", added, err)
			}
			update := func() *project.SourceReport {
				t.Helper()
				reports, err := project.UpdateSources(t.Context(), w.dir, nil, w.opt)
				if err != nil || len(reports) != 1 || reports[0].Err != nil {
					t.Fatalf("%+v, %v", reports, err)
				}
				return reports[0]
			}
			if r := update(); !r.Unchanged {
				t.Errorf("nothing changed: %+v", r)
			}
			write("# Keys again")
			if r := update(); len(r.Changed) != 1 {
				t.Errorf("the archive changed: %+v", r)
			}
			at := filepath.Join(w.dir, filepath.FromSlash(added.Path), "guide", "keys.md")
			if got, err := os.ReadFile(at); err != nil || string(got) != "# Keys again" {
				t.Errorf("%q, %v", got, err)
			}
		})
	}
}

// A config that came with a clone does not make docent read archives elsewhere.
func TestArchivesOutsideNeedApproval(t *testing.T) {
	outside := filepath.Join(t.TempDir(), "secret.zip")
	data := fetchtest.Zip(map[string]string{"a.md": "# Secret"})
	if err := os.WriteFile(outside, data, 0o644); err != nil {
		t.Fatal(err)
	}
	w := newSourceWorld(t, map[string]string{
		".docent.json": `{"sources": [{"path": "a", "url": "own.zip"}, {"path": "b", "url": "` + filepath.ToSlash(outside) + `"}]}`,
		"own.zip":      string(data),
	})
	reports, err := project.UpdateSources(t.Context(), w.dir, nil, w.opt)
	if err != nil || len(reports) != 2 {
		t.Fatalf("%+v, %v", reports, err)
	}
	if reports[0].Err != nil {
		t.Errorf("in the project: %v", reports[0].Err)
	}
	if _, ok := errors.AsType[*project.UnapprovedError](reports[1].Err); !ok {
		t.Errorf("elsewhere: %v", reports[1].Err)
	}
}

// What makes an archive from an address fail makes one of this machine fail.
func TestHostileLocalArchive(t *testing.T) {
	good := fetchtest.Zip(map[string]string{"a.md": "# A"})
	for name, tt := range map[string]struct {
		data []byte
		want string
	}{
		"way out":   {fetchtest.Zip(map[string]string{"../../out.md": "# Out"}), ""},
		"truncated": {good[:len(good)/2], "not a .zip"},
		"empty":     {nil, "not a .zip"},
		"bomb":      {fetchtest.Zip(map[string]string{"a.md": "# A", "b.md": string(bytes.Repeat([]byte("a "), 64<<20))}), ""},
	} {
		t.Run(name, func(t *testing.T) {
			w := newSourceWorld(t, nil)
			file := filepath.Join(t.TempDir(), "docs.zip")
			if err := os.WriteFile(file, tt.data, 0o644); err != nil {
				t.Fatal(err)
			}
			r, err := project.AddSource(t.Context(), w.dir, file, w.opt)
			switch {
			case err == nil && len(r.Skipped) == 0:
				t.Errorf("it was taken in: %+v", r)
			case err != nil && !strings.Contains(err.Error(), tt.want):
				t.Errorf("got %v, want %q", err, tt.want)
			}
			for _, up := range []string{"..", "../.."} {
				if _, err := os.Stat(filepath.Join(w.dir, up, "out.md")); err == nil {
					t.Errorf("a file was written outside")
				}
			}
		})
	}
}
