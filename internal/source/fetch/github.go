package fetch

import (
	"archive/tar"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/docent-md/docent/internal/source/git"
)

// What is asked of GitHub.
//
//	GET /repos/{owner}/{repo}                 only where no branch is known: its default branch
//	GET /repos/{owner}/{repo}/commits/{rev}   the commit's hash alone; 304 if it is the one we have
//	GET /repos/{owner}/{repo}/tarball/{hash}  redirects to another server, which gets no token
//
// So an update that finds nothing new costs one request, which GitHub does not
// count against the limit of those who have a token.
const (
	acceptJSON = "application/vnd.github+json"
	acceptHash = "application/vnd.github.sha"
	apiVersion = "2022-11-28"
)

func (f *fetcher) github(s Source) error {
	if err := f.resolve(s); err != nil || f.report.Unchanged {
		return err
	}
	r := &f.report
	if f.before.Commit == r.Commit && f.before.Sub == r.Source.Sub {
		f.report.Unchanged = true
		return nil
	}
	resp, err := f.api(s, "tarball/"+r.Commit)
	if err != nil {
		return f.explain(err)
	}
	defer resp.Body.Close()
	if err := f.open(); err != nil {
		return err
	}
	return f.sink.untar(f.body(resp, f.opt.limits.packed), subTree(r.Source.Sub, true), func(h *tar.Header) error {
		if comment := h.PAXRecords["comment"]; commitForm().MatchString(comment) && comment != r.Commit {
			return fmt.Errorf("the server sent commit %.12s, not %.12s", comment, r.Commit)
		}
		return nil
	})
}

// resolve finds the commit to have, and how the source's address divides into a
// branch and a folder.
func (f *fetcher) resolve(s Source) error {
	r := &f.report
	if commitForm().MatchString(s.Rev) {
		r.Commit = s.Rev
		return nil
	}
	splits := s.splits()
	guessed := s.Rev == "" && s.tail == ""
	switch {
	case f.before.Branch != "" && (guessed || s.tail != "" && s.Rev == ""):
		splits = append([][2]string{{f.before.Branch, f.before.Sub}}, splits...)
		if guessed {
			splits = splits[:1]
		}
	case guessed:
		branch, err := f.defaultBranch(s)
		if err != nil {
			return f.explain(err)
		}
		splits[0][0] = branch
	}
	for i := 0; i < len(splits); i++ {
		rev, sub := splits[i][0], splits[i][1]
		err := f.commit(s, rev, sub)
		if !missing(err) {
			return f.explain(err)
		}
		if i == len(splits)-1 && guessed && f.before.Branch == rev {
			// The branch we have may have been renamed.
			if branch, err := f.defaultBranch(s); err == nil && branch != rev {
				splits = append(splits, [2]string{branch, sub})
			}
		}
	}
	if guessed {
		return f.explain(&StatusError{http.StatusNotFound, "not found"})
	}
	branch, _, _ := strings.Cut(s.tail, "/")
	return f.explain(&StatusError{http.StatusNotFound, fmt.Sprintf("no branch, tag or commit %q there", cmp.Or(branch, s.Rev))})
}

func (f *fetcher) defaultBranch(s Source) (string, error) {
	resp, err := f.api(s, "", "Accept", acceptJSON)
	if err != nil {
		return "", err
	}
	defer resp.Body.Close()
	var repo struct {
		Branch string `json:"default_branch"`
	}
	data, err := io.ReadAll(io.LimitReader(resp.Body, 1<<20))
	if err != nil {
		return "", err
	}
	if json.Unmarshal(data, &repo) != nil || git.CheckRev(repo.Branch) != nil {
		return "", errors.New("the server named no default branch")
	}
	return repo.Branch, nil
}

// commit asks which commit rev is.
func (f *fetcher) commit(s Source, rev, sub string) error {
	header := []string{"Accept", acceptHash}
	if f.before.ETag != "" && f.before.Branch == rev && f.before.Sub == sub {
		header = append(header, "If-None-Match", f.before.ETag)
	}
	resp, err := f.api(s, "commits/"+escape(rev), header...)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	r := &f.report
	r.Source.Rev, r.Source.Sub, r.Source.tail = s.Rev, sub, ""
	r.Branch = rev
	if resp.StatusCode == http.StatusNotModified {
		r.Unchanged, r.Commit, r.ETag = true, f.before.Commit, f.before.ETag
		return nil
	}
	data, err := io.ReadAll(io.LimitReader(resp.Body, 100))
	if err != nil {
		return err
	}
	r.Commit = strings.TrimSpace(string(data))
	if !commitForm().MatchString(r.Commit) {
		return errors.New("the server answered with something else than a commit")
	}
	if etag := resp.Header.Get("ETag"); printable(etag) && len(etag) < 500 {
		r.ETag = etag
	}
	return nil
}

func (f *fetcher) api(s Source, what string, header ...string) (*http.Response, error) {
	address := f.client.api.String() + "/repos/" + s.owner + "/" + s.repo
	if what != "" {
		address += "/" + what
	}
	return f.client.get(f.ctx, address, append(header, "X-GitHub-Api-Version", apiVersion)...)
}

// missing reports whether GitHub knows no such thing. 422 is its answer to a
// text that can be no commit.
func missing(err error) bool {
	e, ok := errors.AsType[*StatusError](err)
	return ok && (e.Status == http.StatusNotFound || e.Status == http.StatusUnprocessableEntity)
}

// explain adds what a 404 may mean: GitHub says it of what one may not see too.
func (f *fetcher) explain(err error) error {
	if !missing(err) {
		return err
	}
	hint := "or private: set GITHUB_TOKEN"
	if f.client.token != "" {
		hint = "or not for the token in GITHUB_TOKEN to read"
	}
	if f.opt.GitHubURL != "" {
		hint += fmt.Sprintf(" (asked %s)", f.client.api.Host)
	}
	return fmt.Errorf("%w, %s", err, hint)
}
