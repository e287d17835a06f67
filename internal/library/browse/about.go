package browse

import (
	"cmp"
	"context"
	"io"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/docent-md/docent/answer"
	"github.com/docent-md/docent/internal/library/corpus"
	"github.com/docent-md/docent/internal/library/snapshot"
	"github.com/docent-md/docent/internal/text/markdown"
	"github.com/docent-md/docent/internal/text/visible"
)

// About says what the documents are about: "name" and "description" of the project's
// config, else the title and the first words of the front page.
func About(ctx context.Context, s snapshot.Snapshot) (*answer.About, error) {
	files, err := s.Files(ctx, "")
	if err != nil {
		return nil, err
	}
	paths := make([]string, len(files))
	for i, f := range files {
		paths[i] = f.File
	}
	if len(files) == 0 {
		return &answer.About{Called: s.Name()}, nil
	}
	front := frontPage(paths)
	v, err := s.View(ctx, snapshot.Want{Document: paths[max(front, 0)]})
	if err != nil {
		return nil, err
	}
	about := &answer.About{
		Called:      s.Name(),
		Name:        visible.Line(v.Corpus.Config.Name),
		Description: shorten(v.Corpus.Config.Description, maxSummary),
	}
	if front < 0 {
		return about, nil
	}
	k, ok, err := v.Find(paths[front])
	if err != nil || !ok {
		return about, err
	}
	f, err := manifestFile(v, k)
	if err != nil {
		return nil, err
	}
	about.Title = f.Title
	if about.Description == "" {
		about.Description = f.Summary
	}
	return about, nil
}

// GuessAbout says what the documents of a root are about before they are indexed, from
// its config and the front page on disk. It says nothing of what it cannot find.
func GuessAbout(root string) answer.About {
	c, err := corpus.Find(root)
	if err != nil {
		return answer.About{}
	}
	about := answer.About{Name: visible.Line(c.Config.Name), Description: shorten(c.Config.Description, maxSummary)}
	for _, folder := range append([]string{"."}, c.Config.Paths...) {
		for _, name := range []string{"README.md", "index.md", "docs/README.md", "docs/index.md"} {
			data, err := readFront(filepath.Join(c.Dir, filepath.FromSlash(folder), filepath.FromSlash(name)))
			if err != nil {
				continue
			}
			d := markdown.Parse(name, data)
			about.Title = shownTitle(d.Title)
			if about.Description == "" {
				about.Description = shorten(cmp.Or(d.Description, markdown.Caption(data)), maxSummary)
			}
			return about
		}
	}
	return about
}

// maxFront is how much of a front page is read before it is indexed.
const maxFront = 64 << 10

func readFront(file string) ([]byte, error) {
	info, err := os.Stat(file)
	if err != nil || !info.Mode().IsRegular() {
		return nil, cmp.Or(err, os.ErrNotExist)
	}
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, maxFront))
}

// frontPage is the index of the file that introduces all others; -1 if there is none.
// It lies at the top, in the folder that all files share, or in docs.
func frontPage(paths []string) int {
	folders := []string{"."}
	if len(paths) > 0 {
		shared := path.Dir(paths[0])
		for _, p := range paths {
			for shared != "." && !strings.HasPrefix(p, shared+"/") {
				shared = path.Dir(shared)
			}
		}
		folders = append(folders, shared)
	}
	for _, folder := range append(folders, "docs", "doc") {
		for _, name := range []string{"readme", "index", "_index"} {
			for i, p := range paths {
				base := path.Base(p)
				if path.Dir(p) == folder && strings.EqualFold(strings.TrimSuffix(base, path.Ext(base)), name) {
					return i
				}
			}
		}
	}
	return -1
}

// shownTitle is a title as it is read: without markup and hidden characters.
func shownTitle(title string) string { return markdown.Tidy(visible.Line(title)) }
