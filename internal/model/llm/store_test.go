package llm_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"github.com/docent-md/docent/internal/model/llm"
)

func put(t testing.TB, s *llm.Store, values map[string]string) {
	t.Helper()
	m := map[llm.Key][]byte{}
	for k, v := range values {
		m[llm.KeyOf(k)] = []byte(v)
	}
	if err := s.Put(m); err != nil {
		t.Fatal(err)
	}
}

func get(s *llm.Store, key string) string {
	v, ok := s.Get(llm.KeyOf(key))
	if !ok {
		return "-"
	}
	return string(v)
}

func TestStoreKeeps(t *testing.T) {
	path := filepath.Join(t.TempDir(), "new", "folder", "cache")
	s := store(t, path)
	put(t, s, map[string]string{"a": "1", "b": "", "c": strings.Repeat("x", 1<<20)})
	put(t, s, map[string]string{"a": "2"})
	for name, s := range map[string]*llm.Store{"the same": s, "another": store(t, path)} {
		if s.Len() != 3 || get(s, "a") != "2" || get(s, "b") != "" || len(get(s, "c")) != 1<<20 || get(s, "d") != "-" {
			t.Errorf("%s store: %d keys, a is %q", name, s.Len(), get(s, "a"))
		}
	}
	if info, err := os.Stat(path); runtime.GOOS != "windows" && (err != nil || info.Mode().Perm() != 0o600) {
		t.Errorf("others may read it: %v, %v", info.Mode(), err)
	}
}

func TestNilStoreIsEmpty(t *testing.T) {
	var s *llm.Store
	put(t, s, map[string]string{"a": "1"})
	if s.Len() != 0 || get(s, "a") != "-" || s.Close() != nil {
		t.Error("a nil store keeps something")
	}
}

func TestKeysTellPartsApart(t *testing.T) {
	if llm.KeyOf("a", "b") == llm.KeyOf("ab", "") || llm.KeyOf("a") == llm.KeyOf("a", "") {
		t.Error("different parts have the same key")
	}
}

// A process may be killed after any byte it wrote. Whatever was whole before is
// still there, and what is added later is found.
func TestStoreAfterAKill(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "whole")
	s := store(t, path)
	for i := range 4 {
		put(t, s, map[string]string{fmt.Sprint(i): strings.Repeat(fmt.Sprint(i), 20+i)})
	}
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for n := range len(whole) + 1 {
		path := filepath.Join(dir, fmt.Sprint(n))
		if err := os.WriteFile(path, whole[:n], 0o600); err != nil {
			t.Fatal(err)
		}
		s, err := llm.OpenStore(path, 0)
		if err != nil {
			t.Fatal(err)
		}
		put(t, s, map[string]string{"later": "after the kill"})
		_ = s.Close()
		s, err = llm.OpenStore(path, 0)
		if err != nil {
			t.Fatal(err)
		}
		if get(s, "later") != "after the kill" {
			t.Errorf("cut at %d: what came later is lost", n)
		}
		end := 0
		for i := range 4 {
			end += 32 + 20 + i
			want := "-"
			if end <= n {
				want = strings.Repeat(fmt.Sprint(i), 20+i)
			}
			if got := get(s, fmt.Sprint(i)); got != want {
				t.Errorf("cut at %d: value %d is %q", n, i, got)
			}
		}
		_ = s.Close()
	}
}

// Whatever happens to the bytes, a value is the one that was put or is not
// there, and opening does not fail.
func TestStoreDamage(t *testing.T) {
	dir := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		path := filepath.Join(dir, fmt.Sprint(rand.Uint64()))
		s, err := llm.OpenStore(path, 0)
		if err != nil {
			t.Fatal(err)
		}
		n := rapid.IntRange(1, 20).Draw(t, "values")
		for i := range n {
			put2(t, s, fmt.Sprint(i), strings.Repeat("v", i*7)+fmt.Sprint(i))
		}
		_ = s.Close()
		raw, _ := os.ReadFile(path)
		for range rapid.IntRange(0, 5).Draw(t, "flips") {
			raw[rapid.IntRange(0, len(raw)-1).Draw(t, "at")] ^= byte(rapid.IntRange(1, 255).Draw(t, "by"))
		}
		_ = os.WriteFile(path, raw, 0o600)
		if s, err = llm.OpenStore(path, 0); err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		for i := range n {
			if got := get(s, fmt.Sprint(i)); got != "-" && got != strings.Repeat("v", i*7)+fmt.Sprint(i) {
				t.Fatalf("value %d is %q", i, got)
			}
		}
	})
}

func put2(t *rapid.T, s *llm.Store, key, value string) {
	if err := s.Put(map[llm.Key][]byte{llm.KeyOf(key): []byte(value)}); err != nil {
		t.Fatal(err)
	}
}

// Two processes, and many goroutines in each, add at once.
func TestStoreIsShared(t *testing.T) {
	path := filepath.Join(t.TempDir(), "cache")
	stores := []*llm.Store{store(t, path), store(t, path)}
	var all sync.WaitGroup
	for i, s := range stores {
		for g := range 4 {
			all.Go(func() {
				for n := range 10 {
					key := fmt.Sprint(i, g, n)
					if err := s.Put(map[llm.Key][]byte{llm.KeyOf(key): []byte(key)}); err != nil {
						t.Error(err)
					}
					if got := get(s, key); got != key {
						t.Errorf("just put %q, got %q", key, got)
					}
				}
			})
		}
	}
	all.Wait()
	s := store(t, path)
	if s.Len() != 80 {
		t.Errorf("%d of 80", s.Len())
	}
	for i := range stores {
		for g := range 4 {
			for n := range 10 {
				if key := fmt.Sprint(i, g, n); get(s, key) != key {
					t.Errorf("%s is %q", key, get(s, key))
				}
			}
		}
	}
}

func TestStoreShrinks(t *testing.T) {
	path := filepath.Join(t.TempDir(), "cache")
	s := store(t, path)
	for i := range 100 {
		put(t, s, map[string]string{fmt.Sprint(i): strings.Repeat("x", 68)})
	}
	_ = s.Close()
	s, err := llm.OpenStore(path, 5000)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if s.Len() != 25 || get(s, "74") != "-" || get(s, "75") == "-" || get(s, "99") == "-" {
		t.Errorf("%d are left", s.Len())
	}
	put(t, s, map[string]string{"new": "1"})
	if get(s, "new") != "1" {
		t.Error("nothing can be added")
	}
	if left, _ := filepath.Glob(path + "*"); len(left) != 1 {
		t.Errorf("left behind: %v", left)
	}
}

func TestStoreRefusals(t *testing.T) {
	if _, err := llm.OpenStore(t.TempDir(), 0); err == nil {
		t.Error("a folder was opened")
	}
	s := store(t, filepath.Join(t.TempDir(), "cache"))
	if err := s.Put(map[llm.Key][]byte{{}: make([]byte, 17<<20)}); err == nil {
		t.Error("a huge value was put")
	}
}

// FuzzOpenStore opens any bytes: it neither fails nor takes long, and what is
// added is found.
func FuzzOpenStore(f *testing.F) {
	path := filepath.Join(f.TempDir(), "seed")
	s, err := llm.OpenStore(path, 0)
	if err != nil {
		f.Fatal(err)
	}
	put(f, s, map[string]string{"a": "1"})
	put(f, s, map[string]string{"b": "2"})
	_ = s.Close()
	raw, _ := os.ReadFile(path)
	f.Add(raw)
	f.Add(raw[:40])
	f.Add(bytes.Repeat([]byte("\xd0llm"), 200))
	f.Fuzz(func(t *testing.T, raw []byte) {
		path := filepath.Join(t.TempDir(), "cache")
		if err := os.WriteFile(path, raw, 0o600); err != nil {
			t.Fatal(err)
		}
		s, err := llm.OpenStore(path, 1<<10)
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		put(t, s, map[string]string{"x": "y"})
		if get(s, "x") != "y" {
			t.Fatal("what was put is not found")
		}
	})
}
