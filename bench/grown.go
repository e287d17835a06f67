//go:build unix

package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"io/fs"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/docent-md/docent/doc"
)

// How a corpus is made larger than what there is.
//
// Copies of a folder would keep its vocabulary, and an index of them would be smaller
// and faster than one of as many different documents. In real text the vocabulary grows
// with the number of words n as n^heaps. So copy j of the files writes some words anew,
// others in each copy: as many as make the vocabulary grow so.
const heaps = 0.55

// sources are real files from which larger corpora are made, in an order that mixes
// them well.
type sources struct {
	files []string
	name  string
}

// newSources takes the corpus of the bench, and the training text where it can be
// unpacked: xz needs the tar command.
func (b *bench) newSources(ctx context.Context) (*sources, error) {
	s := &sources{name: b.corpus.name}
	dirs := []string{b.corpus.dir}
	archives, err := filepath.Glob(filepath.Join(b.corpus.shared, "train", "docs-train-*.tar.xz"))
	if err != nil {
		return nil, err
	}
	train := filepath.Join(b.tmp, "train")
	if err := os.MkdirAll(train, 0o755); err != nil {
		return nil, err
	}
	for _, a := range archives {
		if out, err := exec.CommandContext(ctx, "tar", "-xJf", a, "-C", train).CombinedOutput(); err != nil {
			return nil, fmt.Errorf("unpack %s: %w: %s", filepath.Base(a), err, out)
		}
	}
	if len(archives) > 0 {
		dirs, s.name = append(dirs, train), s.name+" and the training text"
	}
	for _, dir := range dirs {
		err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
			if err == nil && e.Type().IsRegular() && doc.IsMarkdown(path) {
				s.files = append(s.files, path)
			}
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	slices.SortFunc(s.files, func(a, b string) int { return cmp.Or(cmp.Compare(hash(a), hash(b)), cmp.Compare(a, b)) })
	return s, nil
}

// write makes a corpus of n files in dir and returns how many bytes it has. A smaller
// corpus is a part of a larger one.
func (s *sources) write(ctx context.Context, n int, dir string) (int64, error) {
	var bytes int64
	for i := range n {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		from, copied := s.files[i%len(s.files)], i/len(s.files)
		data, err := os.ReadFile(from)
		if err != nil {
			return 0, err
		}
		text := anew(string(data), copied)
		to := filepath.Join(dir, fmt.Sprintf("part%03d", i%len(s.files)%600), fmt.Sprintf("page%06d.md", i))
		err = os.WriteFile(to, []byte(text), 0o644)
		if errors.Is(err, fs.ErrNotExist) {
			err = cmp.Or(os.MkdirAll(filepath.Dir(to), 0o755), os.WriteFile(to, []byte(text), 0o644))
		}
		if err != nil {
			return 0, err
		}
		bytes += int64(len(text))
	}
	return bytes, nil
}

// anew writes some words of a text anew, those that copy number j changes. Words that
// belong to links, names and markup stay, and short ones, which are the common ones.
func anew(text string, j int) string {
	if j == 0 {
		return text
	}
	share := heaps * math.Pow(float64(j), heaps-1)
	suffix := string([]byte{'a' + byte(j/26%26), 'a' + byte(j%26), 'x'})
	var b strings.Builder
	for line := range strings.Lines(text) {
		for i, word := range strings.SplitAfter(line, " ") {
			plain := strings.TrimRight(word, " \n,.")
			if len(plain) > 4 && isPlain(plain) && (i > 0 || !strings.HasSuffix(line, ":")) && chance(plain, j) < share {
				b.WriteString(plain + suffix + word[len(plain):])
				continue
			}
			b.WriteString(word)
		}
	}
	return b.String()
}

func isPlain(word string) bool {
	return !strings.ContainsFunc(word, func(r rune) bool { return r < 'A' || r > 'Z' && r < 'a' || r > 'z' })
}

// chance is a number from 0 to 1 that a word and a copy have.
func chance(word string, j int) float64 {
	return float64(hash(fmt.Sprint(strings.ToLower(word), j))>>11) / (1 << 53)
}

func hash(s string) uint64 {
	h := fnv.New64a()
	h.Write([]byte(s))
	x := h.Sum64() // its upper bits are poor
	x ^= x >> 32
	return x * 0x9e3779b97f4a7c15
}
