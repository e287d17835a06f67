package fetchtest

import (
	"bytes"
	"crypto/sha1"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A Repo is a repository on the server.
type Repo struct {
	server  *Server
	name    string
	branch  string // the default one
	token   string // needed to see it; empty for all to see
	refs    map[string]string
	commits map[string]map[string]string
}

// Commit makes files the newest commit of a branch or tag and returns its hash.
// The same files always make the same commit.
func (r *Repo) Commit(ref string, files map[string]string) string {
	h := sha1.New()
	for _, name := range slices.Sorted(maps.Keys(files)) {
		fmt.Fprintf(h, "%s\x00%s\x00", name, files[name])
	}
	hash := fmt.Sprintf("%x", h.Sum(nil))
	r.change(func() { r.refs[ref], r.commits[hash] = hash, maps.Clone(files) })
	return hash
}

// Default names the default branch; it is "main" unless named.
func (r *Repo) Default(branch string) { r.change(func() { r.branch = branch }) }

// Private hides the repository from those who do not send the token.
func (r *Repo) Private(token string) { r.change(func() { r.token = token }) }

// Delete removes a branch or tag.
func (r *Repo) Delete(ref string) { r.change(func() { delete(r.refs, ref) }) }

func (r *Repo) change(fn func()) {
	r.server.mu.Lock()
	defer r.server.mu.Unlock()
	fn()
}

// key is what codeload takes instead of the token, as GitHub's does.
func (r *Repo) key() string {
	if r.token == "" {
		return ""
	}
	return fmt.Sprintf("%x", sha1.Sum([]byte("key of "+r.name)))[:20]
}

func answer(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(v)
}

func notFound(w http.ResponseWriter) {
	answer(w, http.StatusNotFound, map[string]string{"message": "Not Found"})
}

// snapshot returns a repository as it is now, nil if there is none.
func (s *Server) snapshot(name string) *Repo {
	s.mu.Lock()
	defer s.mu.Unlock()
	r := s.repos[name]
	if r == nil {
		return nil
	}
	now := *r
	now.refs, now.commits = maps.Clone(r.refs), maps.Clone(r.commits)
	return &now
}

// serveAPI answers as GitHub Enterprise does.
func (s *Server) serveAPI(w http.ResponseWriter, r *http.Request, f Faults) {
	path, ok := strings.CutPrefix(r.URL.Path, "/api/v3/repos/")
	if !ok {
		notFound(w)
		return
	}
	if time.Now().Before(f.RateLimit) {
		w.Header().Set("X-RateLimit-Remaining", "0")
		w.Header().Set("X-RateLimit-Reset", strconv.FormatInt(f.RateLimit.Unix(), 10))
		answer(w, http.StatusForbidden, map[string]string{"message": "API rate limit exceeded for " + r.Header.Get("Authorization")})
		return
	}
	parts := strings.SplitN(path, "/", 4)
	if len(parts) < 2 {
		notFound(w)
		return
	}
	repo := s.snapshot(parts[0] + "/" + parts[1])
	auth := r.Header.Get("Authorization")
	switch {
	case repo == nil || repo.token != "" && auth == "":
		notFound(w)
	case repo.token != "" && auth != "Bearer "+repo.token:
		answer(w, http.StatusUnauthorized, map[string]string{"message": "Bad credentials"})
	case len(parts) == 2:
		answer(w, http.StatusOK, map[string]string{"full_name": repo.name, "default_branch": repo.branch})
	case len(parts) == 4 && parts[2] == "commits":
		s.serveCommit(w, r, repo, parts[3], f)
	case len(parts) == 4 && parts[2] == "tarball":
		to := f.Redirect
		if to == "" {
			to = s.Codeload + "/" + repo.name + "/legacy.tar.gz/" + parts[3]
			if key := repo.key(); key != "" {
				to += "?token=" + url.QueryEscape(key)
			}
		}
		w.Header().Set("Location", to)
		w.WriteHeader(http.StatusFound)
	default:
		notFound(w)
	}
}

func (s *Server) serveCommit(w http.ResponseWriter, r *http.Request, repo *Repo, ref string, f Faults) {
	hash, ok := repo.refs[ref]
	if _, isHash := repo.commits[ref]; isHash {
		hash, ok = ref, true
	}
	empty := len(repo.refs) == 0
	switch etag := `"` + hash + `"`; {
	case empty:
		answer(w, http.StatusConflict, map[string]string{"message": "Git Repository is empty."})
	case !ok:
		answer(w, http.StatusUnprocessableEntity, map[string]string{"message": "No commit found for SHA: " + ref})
	default:
		if !f.NoETag {
			w.Header().Set("ETag", etag)
			if r.Header.Get("If-None-Match") == etag {
				w.WriteHeader(http.StatusNotModified)
				return
			}
		}
		if r.Header.Get("Accept") != "application/vnd.github.sha" {
			answer(w, http.StatusOK, map[string]string{"sha": hash})
			return
		}
		_, _ = w.Write([]byte(hash))
	}
}

// serveTarball answers as codeload.github.com does.
func (s *Server) serveTarball(w http.ResponseWriter, r *http.Request, f Faults) {
	parts := strings.SplitN(strings.TrimPrefix(r.URL.Path, "/"), "/", 4)
	if len(parts) < 4 {
		notFound(w)
		return
	}
	repo := s.snapshot(parts[0] + "/" + parts[1])
	if repo == nil || repo.commits[parts[3]] == nil || r.URL.Query().Get("token") != repo.key() {
		notFound(w)
		return
	}
	files := repo.commits[parts[3]]
	hash := parts[3]
	if f.WrongHash {
		hash = strings.Repeat("0", 40)
	}
	body := Tarball(strings.ReplaceAll(repo.name, "/", "-")+"-"+parts[3][:7], hash, files)
	if f.Tarball != nil {
		body = f.Tarball(repo.name, parts[3])
	}
	if f.NotGzip {
		body = []byte("<!DOCTYPE html><title>Unicorn!</title>")
	}
	w.Header().Set("Content-Type", "application/x-gzip")
	send(w, r, body, f)
}

func send(w http.ResponseWriter, r *http.Request, body []byte, f Faults) {
	if !f.NoLength {
		w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	}
	if f.Truncate > 0 && f.Truncate < len(body) {
		_, _ = w.Write(body[:f.Truncate])
		_ = http.NewResponseController(w).Flush()
		if f.Stall {
			<-r.Context().Done()
		}
		panic(http.ErrAbortHandler)
	}
	if f.SlowChunks > 1 {
		size := len(body)/f.SlowChunks + 1
		for part := range slices.Chunk(body, size) {
			_, _ = w.Write(part)
			_ = http.NewResponseController(w).Flush()
		}
		return
	}
	_, _ = w.Write(body)
}

func (s *Server) serveFile(w http.ResponseWriter, r *http.Request, _ Faults) {
	s.mu.Lock()
	f, ok := s.files[r.URL.Path]
	s.mu.Unlock()
	if !ok {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", f.contentType)
	w.Header().Set("ETag", fmt.Sprintf(`"%x"`, sha1.Sum(f.body)))
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(f.body))
}
