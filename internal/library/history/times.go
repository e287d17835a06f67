package history

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/docent-md/docent/internal/library/snapshot"
	"github.com/docent-md/docent/internal/source/git"
)

// When a document was last changed.
//
// That is its last commit. Where there is none, or the file differs from what is
// committed, it is the time of the file. Git is asked for the files that are shown, or for
// the commits since a time, and for no more than maxLog: a file whose last commit lies
// further back than git gets in that time has none.

// ErrNoTimes is what is returned where it is not known when documents changed.
var ErrNoTimes = errors.New("a pack does not know when files changed (--changed, --changed-since): ask the folder it was made from")

const (
	maxLog   = 5 * time.Second
	maxNamed = 200 // files that git is asked for by name; for more it is asked for all
)

// Times returns when each of some documents of a folder was last changed, by path.
func Times(ctx context.Context, v *snapshot.View, files []snapshot.File) (map[string]time.Time, error) {
	repo, err := repoOf(ctx, v)
	if err != nil {
		return nil, err
	}
	out := make(map[string]time.Time, len(files))
	if repo != nil {
		var names []string
		want := map[string]bool{}
		for _, f := range files {
			want[f.Path] = true
			names = append(names, f.Path)
		}
		if len(names) > maxNamed {
			names = nil
		}
		err = logged(ctx, v, time.Time{}, names, func(path string, when time.Time) bool {
			if want[path] {
				out[path] = when
				delete(want, path)
			}
			return len(want) > 0
		})
		if err != nil {
			return nil, err
		}
	}
	return out, addFileTimes(v, repo, files, out)
}

// addFileTimes sets the times of files that git does not know, or that were changed since
// their last commit.
func addFileTimes(v *snapshot.View, repo *git.Repo, files []snapshot.File, times map[string]time.Time) error {
	isCommitted, err := committed(v, repo)
	if err != nil {
		return err
	}
	for _, f := range files {
		ms, err := v.Origin.ModTime(f)
		if err != nil {
			return err
		}
		modified := time.UnixMilli(ms)
		if at, ok := times[f.Path]; ok && !modified.After(at) {
			continue
		}
		same, err := isCommitted(f)
		if err != nil {
			return err
		}
		if !same && ms != 0 {
			times[f.Path] = modified
		}
	}
	return nil
}

// ChangedSince returns the documents of a folder that were changed since a time, by path.
func ChangedSince(ctx context.Context, v *snapshot.View, when time.Time) (map[string]bool, error) {
	repo, err := repoOf(ctx, v)
	if err != nil {
		return nil, err
	}
	out := map[string]bool{}
	if repo != nil {
		err = logged(ctx, v, when, nil, func(path string, _ time.Time) bool {
			out[path] = true
			return true
		})
		if err != nil {
			return nil, err
		}
	}
	isCommitted, err := committed(v, repo)
	if err != nil {
		return nil, err
	}
	files, err := v.Files()
	if err != nil {
		return nil, err
	}
	for _, f := range files {
		ms, err := v.Origin.ModTime(f)
		if err != nil {
			return nil, err
		}
		if out[f.Path] || time.UnixMilli(ms).Before(when) {
			continue
		}
		same, err := isCommitted(f)
		if err != nil {
			return nil, err
		}
		out[f.Path] = !same
	}
	return out, nil
}

// repoOf opens the repository that a folder is in; nil when it is in none, or git is not
// installed.
func repoOf(ctx context.Context, v *snapshot.View) (*git.Repo, error) {
	dir := v.Origin.Dir()
	if dir == "" {
		return nil, ErrNoTimes
	}
	repo, err := git.Open(ctx, dir)
	if err != nil {
		if ctx.Err() != nil {
			return nil, err
		}
		return nil, nil
	}
	if _, err := repo.Commit("HEAD"); err != nil {
		return nil, ctx.Err() // nothing is committed yet
	}
	return repo, nil
}

// logged asks git for commits, for maxLog at most.
func logged(ctx context.Context, v *snapshot.View, since time.Time, names []string, fn func(string, time.Time) bool) error {
	limited, cancel := context.WithTimeout(ctx, maxLog)
	defer cancel()
	repo, err := git.Open(limited, v.Origin.Dir())
	if err == nil {
		err = repo.Log(names, since, fn)
	}
	if limited.Err() != nil && ctx.Err() == nil {
		return nil // what was found so far
	}
	return err
}

// committed returns what tells whether a file is as it is committed.
func committed(v *snapshot.View, repo *git.Repo) (func(snapshot.File) (bool, error), error) {
	if repo == nil {
		return func(snapshot.File) (bool, error) { return false, nil }, nil
	}
	prefix, err := repo.Prefix()
	if err != nil {
		return nil, err
	}
	if prefix != "" {
		prefix += "/"
	}
	head, err := repo.Commit("HEAD")
	if err != nil {
		return nil, err
	}
	ids := map[string]string{}
	err = repo.Tree(head, func(e git.Entry) error {
		if p, ok := strings.CutPrefix(e.Path, prefix); ok && !e.Link {
			ids[p] = e.ID
		}
		return nil
	})
	return func(f snapshot.File) (bool, error) {
		id, ok := ids[f.Path]
		if !ok {
			return false, nil
		}
		data, err := v.Text(f)
		return err == nil && git.ID(data, id) == id, err
	}, err
}
