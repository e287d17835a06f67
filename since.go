package docent

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/docent-md/docent/doc"
	"github.com/docent-md/docent/internal/engine/doctable"
	"github.com/docent-md/docent/internal/source/git"
	"github.com/docent-md/docent/internal/text/markdown"
)

// Changes compares the documents with what they were: at a commit, branch or tag,
// at a time ("2024-05-01", "yesterday", "2 weeks ago"), or, for "index", when the
// index was last made as a whole. "" means the last commit where there is one, and
// the index otherwise.
func (l *Library) Changes(ctx context.Context, since string) (*Changes, error) {
	if since == "index" || l.source == nil || l.source.dir == "" {
		return l.sinceIndex(since)
	}
	repo, err := git.Open(ctx, l.source.dir)
	if err != nil {
		if since == "" && (errors.Is(err, git.ErrNone) || errors.Is(err, git.ErrNoGit)) {
			return l.sinceIndex(since)
		}
		return nil, fmt.Errorf("changes since %s: %w (--since index compares with the index)", since, err)
	}
	c := &Changes{Since: since}
	if since == "" {
		c.Since = "HEAD"
	}
	if c.Commit, err = commitSince(repo, c.Since); err != nil {
		if since == "" {
			return l.sinceIndex(since) // nothing is committed yet
		}
		return nil, fmt.Errorf("changes since %s: %w", c.Since, err)
	}
	if c.Commit == "" {
		c.Since += ", before the first commit"
	}
	before, after, err := l.versionsSince(ctx, repo, c.Commit)
	if err != nil {
		return nil, err
	}
	c.Sections = compareVersions(before, after)
	c.count()
	return c, nil
}

// commitSince finds the commit that a text means: its name, or the last one before
// a time, which is "" when nothing was committed before it.
func commitSince(repo *git.Repo, since string) (string, error) {
	commit, err := repo.Commit(since)
	if err == nil || errors.Is(err, git.ErrNoGit) {
		return commit, err
	}
	when, ok := parseWhen(since, time.Now())
	if !ok {
		return "", fmt.Errorf("no branch, tag or commit of that name, and no time: understood are %s", whenForms)
	}
	before, err := repo.Before(when, "HEAD")
	if err != nil || before != "" {
		return before, err
	}
	shallow, err := repo.Line("rev-parse", "--is-shallow-repository")
	if err == nil && shallow != "false" {
		err = fmt.Errorf("no commit of this shallow clone is older than %s", when.Format("2006-01-02 15:04"))
	}
	return "", err
}

// versionsSince reads the documents that differ from a commit, or from nothing, as
// they were and as they are.
func (l *Library) versionsSince(ctx context.Context, repo *git.Repo, commit string) (before, after []version, err error) {
	prefix, err := repo.Prefix()
	if err != nil {
		return nil, nil, err
	}
	if prefix != "" {
		prefix += "/"
	}
	old := map[string]string{} // path -> hash
	if commit != "" {
		err = repo.Tree(commit, func(e git.Entry) error {
			if p, ok := strings.CutPrefix(e.Path, prefix); ok && !e.Link && doc.IsMarkdown(p) && l.source.holds(p) {
				old[p] = e.ID
			}
			return nil
		})
		if err != nil {
			return nil, nil, err
		}
	}
	files, err := l.live()
	if err != nil {
		return nil, nil, err
	}
	var paths, ids []string
	for _, k := range files {
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		data, err := l.text(k)
		if err != nil {
			return nil, nil, err
		}
		id, was := old[k.path]
		delete(old, k.path)
		if was && git.ID(data, id) == id {
			continue
		}
		d := markdown.Parse(k.path, data)
		after = append(after, versionOf(&d))
		if was {
			paths, ids = append(paths, k.path), append(ids, id)
		}
	}
	for p, id := range old {
		// What is ignored now may have been ignored then: only what is gone counts.
		if !l.source.tree.Exists(p) {
			paths, ids = append(paths, p), append(ids, id)
		}
	}
	err = repo.Read(ids, func(i int, size int64, r io.Reader) error {
		if size > maxOld {
			return nil
		}
		data, err := io.ReadAll(r)
		if err != nil {
			return err
		}
		d := markdown.Parse(paths[i], data)
		before = append(before, versionOf(&d))
		return nil
	})
	return before, after, err
}

// maxOld is the largest document of a commit that is compared.
const maxOld = 64 << 20

// holds reports whether a path lies in the folders and files of the source.
func (s *source) holds(p string) bool {
	for _, root := range s.paths {
		if root == "." || p == root || strings.HasPrefix(p, root+"/") {
			return true
		}
	}
	return false
}

// sinceIndex compares the files that were taken in since the index was made with
// what it held of them. The index keeps no text, so that sections which share a
// chunk change together.
func (l *Library) sinceIndex(since string) (*Changes, error) {
	if since != "" && since != "index" {
		return nil, fmt.Errorf("changes since %s: there is no repository to compare with, only the index (--since index)", since)
	}
	c := &Changes{Since: "the index was made"}
	if !l.meta.Built.IsZero() {
		c.Since = "the index was made, " + l.meta.Built.Format("2006-01-02 15:04")
	}
	var before, after []version
	for i, s := range l.segs {
		for row := range s.cat.Files() {
			if i == 0 != s.dead[row] {
				continue // neither of the base and gone, nor newer and there
			}
			k, err := l.known(i, row)
			if err != nil {
				return nil, err
			}
			v, err := l.indexed(k)
			if err != nil {
				return nil, err
			}
			if i == 0 {
				before = append(before, v)
			} else {
				after = append(after, v)
			}
		}
	}
	c.Sections = compareVersions(before, after)
	c.count()
	return c, nil
}

// indexed is a document as the index knows it.
func (l *Library) indexed(k known) (version, error) {
	sections, err := l.sections(k)
	if err != nil {
		return version{}, err
	}
	chunks := make([]doctable.Chunk, k.file.Chunks)
	for i := range chunks {
		if chunks[i], err = l.segs[k.seg].cat.Chunk(k.file.FirstChunk + i); err != nil {
			return version{}, err
		}
	}
	v := version{path: k.path}
	for _, s := range sections {
		var sum uint64
		for _, c := range chunks {
			if c.Span.Start < s.Span.End && s.Span.Start < c.Span.End {
				sum = sum*31 + c.Hash
			}
		}
		v.sections = append(v.sections, sectionVersion{title: s.Title, anchor: s.Anchor, lines: s.Lines, whole: sum, text: sum})
	}
	return v, nil
}
