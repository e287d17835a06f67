package crawl

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/fstest"

	"github.com/docent-md/docent/doc"
)

func reason(err error) Reason {
	if s, ok := errors.AsType[*Skip](err); ok {
		return s.Reason
	}
	return 0
}

// What a file may hold, and what we say when it does not.
func TestEncodings(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"ASCII", "# Title\n", ""},
		{"UTF-8", "Grüße, 世界 🌍\n", ""},
		{"a UTF-8 byte order mark", "\ufefftext\n", ""},
		{"carriage returns", "a\r\nb\rc\n", ""}, // of which one becomes a line end
		{"U+2028", "a\u2028b\n", ""},
		{"no final newline", "text", ""},
		{"the replacement character", "a\ufffdb", ""},
		{"UTF-16, little end first", "\xff\xfea\x00b\x00", "x.md: not UTF-8: UTF-16"},
		{"UTF-16, big end first", "\xfe\xff\x00a\x00b", "x.md: not UTF-8: UTF-16"},
		{"UTF-16 without a mark", "a\x00b\x00", "x.md: binary"},
		{"Latin-1", "line\ncaf\xe9\n", "x.md: not UTF-8: byte 0xe9 on line 2"},
		{"a character cut short", "ab\xe4\xb8", "x.md: not UTF-8: byte 0xe4 on line 1"},
		{"a surrogate", "\xed\xa0\x80", "x.md: not UTF-8: byte 0xed on line 1"},
		{"an overlong form", "\xc0\xaf", "x.md: not UTF-8: byte 0xc0 on line 1"},
		{"a NUL at the very end", strings.Repeat("text ", 10000) + "\x00", "x.md: binary"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			write(t, filepath.Join(dir, "x.md"), tt.text)
			tree, err := Open(dir)
			if err != nil {
				t.Fatal(err)
			}
			defer tree.Close()
			f, err := tree.Read("x.md", 0)
			var walked []byte
			found, werr := tree.Walk(t.Context(), Options{}, func(f File) error { walked = f.Data; return nil })
			if werr != nil {
				t.Fatal(werr)
			}
			if skip := Check("x.md", []byte(tt.text)); (skip == nil) != (tt.want == "") {
				t.Errorf("Check: %v", skip)
			}
			if tt.want == "" {
				if err != nil || string(f.Data) != string(doc.EndLines([]byte(tt.text))) || f.Size != int64(len(tt.text)) || !bytes.Equal(walked, f.Data) {
					t.Errorf("read %q, %v; walked %q", f.Data, err, walked)
				}
				return
			}
			if err == nil || err.Error() != tt.want {
				t.Errorf("read: %v", err)
			}
			if len(found.Files) != 0 || len(found.Skipped) != 1 || found.Skipped[0].Error() != tt.want {
				t.Errorf("walked: %+v", found)
			}
		})
	}
}

func TestReadRefusesWhatIsNotInTheTree(t *testing.T) {
	dir := t.TempDir()
	files{"tree/a.md": "", "tree/x/": "", "secret.md": "canary\n"}.on(t, dir)
	tree, err := Open(filepath.Join(dir, "tree"))
	if err != nil {
		t.Fatal(err)
	}
	defer tree.Close()
	for _, path := range []string{
		"", ".", "..", "/", "../secret.md", "x/../../secret.md", "./a.md", "a.md/", "/a.md", "a.md\x00", "a.md\x00.png",
		"x//a.md", `..\secret.md`, "..%2fsecret.md", filepath.Join(dir, "secret.md"), "//server/share/a.md", "~/a.md",
		"a.md/b", strings.Repeat("../", 50) + "etc/passwd", strings.Repeat("x/", 5000) + "a.md", strings.Repeat("a", 70000), "x",
	} {
		f, err := tree.Read(path, 0)
		if reason(err) == 0 {
			t.Errorf("read %q: %q, %v", path, f.Data, err)
		}
	}
	if _, err := tree.Read("nope.md", 0); reason(err) != Vanished || !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("missing: %v", err)
	}
	if _, err := tree.Read("a.md", 3); reason(err) != TooLarge {
		t.Errorf("over the limit: %v", err)
	}
	if f, err := tree.Read("a.md", 5); err != nil || string(f.Data) != "text\n" {
		t.Errorf("at the limit: %v", err)
	}
}

func manyFiles(n int) fstest.MapFS {
	m := fstest.MapFS{}
	for i := range n {
		path := fmt.Sprintf("d%d/e%d/f%d.md", i%7, i%11, i)
		m[path] = &fstest.MapFile{Data: []byte(path), Mode: 0o666}
	}
	return m
}

func TestWalkGivesEachFileOnceInOrder(t *testing.T) {
	m := manyFiles(2000)
	dir := t.TempDir()
	for path, f := range m {
		write(t, filepath.Join(dir, filepath.FromSlash(path)), string(f.Data))
	}
	disk, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer disk.Close()
	for _, tree := range []*Tree{disk, FromFS(m)} {
		for _, workers := range []int{1, 2, 16} {
			var inside atomic.Int32
			var got []string
			found, err := tree.Walk(t.Context(), Options{Workers: workers}, func(f File) error {
				if inside.Add(1) != 1 {
					t.Error("called while it was running")
				}
				defer inside.Add(-1)
				if string(f.Data) != f.Path || f.Size != int64(len(f.Path)) {
					t.Errorf("%s holds %q", f.Path, f.Data)
				}
				got = append(got, f.Path)
				return nil
			})
			if err != nil || len(got) != len(m) || !slices.IsSorted(got) || !slices.Equal(got, paths(found)) {
				t.Errorf("%d workers: %d files, sorted %v, %v", workers, len(got), slices.IsSorted(got), err)
			}
		}
	}
}

func TestWalkStops(t *testing.T) {
	tree := FromFS(manyFiles(2000))
	stop := errors.New("enough")
	n := 0
	_, err := tree.Walk(t.Context(), Options{}, func(File) error {
		if n++; n == 100 {
			return stop
		}
		return nil
	})
	if err != stop || n != 100 {
		t.Errorf("after an error: %d files, %v", n, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	n = 0
	_, err = tree.Walk(ctx, Options{}, func(File) error {
		if n++; n == 100 {
			cancel()
		}
		return nil
	})
	if !errors.Is(err, context.Canceled) || n != 100 {
		t.Errorf("cancelled: %d files, %v", n, err)
	}
}

// However many large files there are, few are in memory at once.
func TestWalkReadsAheadOnlySoFar(t *testing.T) {
	const size = 2 << 20
	m := fstest.MapFS{}
	text := bytes.Repeat([]byte("text\n"), size/5)
	for i := range 200 {
		m[fmt.Sprintf("%03d.md", i)] = &fstest.MapFile{Data: text, Mode: 0o666}
	}
	var opened atomic.Int64
	tree := FromFS(faultFS{m, func(op, path string) error {
		if op == "open" && strings.HasSuffix(path, ".md") {
			opened.Add(1)
		}
		return nil
	}})
	given, most := int64(0), int64(0)
	_, err := tree.Walk(t.Context(), Options{Workers: 4}, func(File) error {
		most = max(most, opened.Load()-given)
		given++
		return nil
	})
	if err != nil || given != 200 || most > 12 {
		t.Errorf("%d files given, at most %d open or waiting, %v", given, most, err)
	}
}
