// Package history compares documents with what they were: at a commit, at a time, when
// the index was built.
package history

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/docent-md/docent/answer"
	"github.com/docent-md/docent/doc"
	"github.com/docent-md/docent/internal/engine/doctable"
	"github.com/docent-md/docent/internal/library/snapshot"
	"github.com/docent-md/docent/internal/source/git"
	"github.com/docent-md/docent/internal/text/human"
	"github.com/docent-md/docent/internal/text/markdown"
)

// Changes compares the documents with what they were: at a commit, branch or tag,
// at a time ("2024-05-01", "yesterday", "2 weeks ago"), or, for "index", when the
// index was last built as a whole. "" means the last commit where there is one, and
// the index otherwise.
func Changes(ctx context.Context, v *snapshot.View, since string) (*answer.Changes, error) {
	if since == "index" || v.Origin.Dir() == "" {
		return sinceIndex(v, since)
	}
	repo, err := git.Open(ctx, v.Origin.Dir())
	if err != nil {
		if since == "" && (errors.Is(err, git.ErrNone) || errors.Is(err, git.ErrNoGit)) {
			return sinceIndex(v, since)
		}
		return nil, fmt.Errorf("changes since %s: %w (--since index compares with the index)", since, err)
	}
	c := &answer.Changes{Since: since}
	if since == "" {
		c.Since = "HEAD"
	}
	if c.Commit, err = commitSince(repo, c.Since); err != nil {
		if since == "" {
			return sinceIndex(v, since) // nothing is committed yet
		}
		return nil, fmt.Errorf("changes since %s: %w", c.Since, err)
	}
	if c.Commit == "" {
		c.Since += ", before the first commit"
	}
	before, after, err := versionsSince(ctx, v, repo, c.Commit)
	if err != nil {
		return nil, err
	}
	c.Sections = compareVersions(before, after)
	c.Count()
	return c, nil
}

// commitSince finds the commit that a text means: its name, or the last one before
// a time, which is "" when nothing was committed before it.
func commitSince(repo *git.Repo, since string) (string, error) {
	commit, err := repo.Commit(since)
	if err == nil || errors.Is(err, git.ErrNoGit) {
		return commit, err
	}
	when, ok := human.When(since, time.Now())
	if !ok {
		return "", fmt.Errorf("no branch, tag or commit of that name, and no time: understood are %s", human.WhenForms)
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
func versionsSince(ctx context.Context, v *snapshot.View, repo *git.Repo, commit string) (before, after []version, err error) {
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
			if p, ok := strings.CutPrefix(e.Path, prefix); ok && !e.Link && doc.IsMarkdown(p) && v.Corpus.Holds(p) {
				old[p] = e.ID
			}
			return nil
		})
		if err != nil {
			return nil, nil, err
		}
	}
	files, err := v.Files()
	if err != nil {
		return nil, nil, err
	}
	var paths, ids []string
	for _, k := range files {
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		data, err := v.Text(k)
		if err != nil {
			return nil, nil, err
		}
		id, was := old[k.Path]
		delete(old, k.Path)
		if was && git.ID(data, id) == id {
			continue
		}
		d := markdown.Parse(k.Path, data)
		after = append(after, versionOf(&d))
		if was {
			paths, ids = append(paths, k.Path), append(ids, id)
		}
	}
	for p, id := range old {
		// What is ignored now may have been ignored then: only what is gone counts.
		if exists, _ := v.Origin.Exists(p); !exists {
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
		d := markdown.Parse(paths[i], doc.EndLines(data))
		before = append(before, versionOf(&d))
		return nil
	})
	return before, after, err
}

// maxOld is the largest document of a commit that is compared.
const maxOld = 64 << 20

// sinceIndex compares the files that were indexed since the base was built with what
// the base has of them. The index has hashes of chunks and no text, so sections that
// share a chunk change together.
func sinceIndex(l *snapshot.View, since string) (*answer.Changes, error) {
	if since != "" && since != "index" {
		return nil, fmt.Errorf("changes since %s: there is no repository to compare with, only the index (--since index)", since)
	}
	c := &answer.Changes{Since: "the index was made"}
	if !l.Meta.Built.IsZero() {
		c.Since = "the index was made, " + l.Meta.Built.Format("2006-01-02 15:04")
	}
	var before, after []version
	for i, s := range l.Segments {
		for row := range s.Table.Files() {
			if (i < l.Meta.Bases()) != s.Dead[row] {
				continue // neither of the base and gone, nor newer and there
			}
			k, err := l.File(i, row)
			if err != nil {
				return nil, err
			}
			v, err := indexed(l, k)
			if err != nil {
				return nil, err
			}
			if i < l.Meta.Bases() {
				before = append(before, v)
			} else {
				after = append(after, v)
			}
		}
	}
	c.Sections = compareVersions(before, after)
	c.Count()
	return c, nil
}

// indexed is a document as the index knows it.
func indexed(l *snapshot.View, k snapshot.File) (version, error) {
	sections, err := l.Sections(k)
	if err != nil {
		return version{}, err
	}
	chunks := make([]doctable.Chunk, k.Info.Chunks)
	for i := range chunks {
		if chunks[i], err = l.Segments[k.Seg].Table.Chunk(k.Info.FirstChunk + i); err != nil {
			return version{}, err
		}
	}
	v := version{path: k.Path}
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
