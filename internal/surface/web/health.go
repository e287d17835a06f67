package web

import (
	"cmp"
	"context"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/docent-md/docent"
	"github.com/docent-md/docent/answer"
)

type healthPage struct {
	*frame
	healthView
	Kind  string // only these problems
	Since string
}

type healthView struct {
	Health    *answer.Health
	Kinds     []kindView
	Files     []fileProblems
	More      int // problems that are not shown
	Changes   *answer.Changes
	Moved     []changeView
	MoreMoved int
	NoChanges string // why there are no changes to show
}

type kindView struct {
	Name, Level, URL string
	Count            int
}

type fileProblems struct {
	File, URL string
	Problems  []problemView
}

type problemView struct {
	answer.Problem
	URL string
}

type changeView struct {
	answer.SectionChange
	URL string
}

// maxProblems is how many problems a page shows, maxReport a report.
const (
	maxProblems = 400
	maxReport   = 2000
	maxChanges  = 200
)

func (s *site) healthPage(w http.ResponseWriter, r *http.Request, f *frame) error {
	f.Title, f.Here = "Health", "health"
	q := r.URL.Query()
	p := healthPage{frame: f, Kind: q.Get("kind"), Since: strings.TrimSpace(q.Get("since"))}
	now, err := f.release(r.Context())
	if err != nil {
		return err
	}
	health, err := compute(r.Context(), now, "health", func(ctx context.Context, lib *docent.Library) (*answer.Health, error) {
		return lib.Check(ctx, answer.CheckOptions{})
	})
	if err != nil {
		return err
	}
	p.problems(f, health, p.Kind, maxProblems)
	if !validSince().MatchString(p.Since) {
		p.NoChanges = "a commit, branch, tag or date is needed"
		return s.write(w, r, http.StatusOK, "health", p)
	}
	changes, err := compute(r.Context(), now, "changes "+p.Since, func(ctx context.Context, lib *docent.Library) (*answer.Changes, error) {
		return lib.Changes(ctx, p.Since)
	})
	if err == errBusy {
		return err
	}
	p.changes(f, changes, err)
	return s.write(w, r, http.StatusOK, "health", p)
}

// validSince matches names of commits and dates, and never an option of git.
var validSince = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^$|^[A-Za-z0-9][A-Za-z0-9._/~^: -]{0,63}$`) })

func (v *healthView) problems(f *frame, h *answer.Health, only string, limit int) {
	v.Health = h
	counts := map[string]*kindView{}
	for _, name := range answer.ProblemKinds() {
		counts[name] = &kindView{Name: name, URL: f.address("/health", "", "kind", name)}
	}
	shown := 0
	for _, p := range h.Problems {
		k := counts[p.Kind]
		if k == nil {
			continue
		}
		k.Level = p.Level
		k.Count++
		if only != "" && only != p.Kind {
			continue
		}
		if shown == limit {
			v.More++
			continue
		}
		shown++
		n := len(v.Files)
		if n == 0 || v.Files[n-1].File != p.File {
			v.Files = append(v.Files, fileProblems{File: p.File, URL: f.readURL(p.File)})
			n++
		}
		v.Files[n-1].Problems = append(v.Files[n-1].Problems, problemView{p, f.readURL(p.Ref)})
	}
	for _, name := range answer.ProblemKinds() {
		if k := counts[name]; k.Count > 0 {
			v.Kinds = append(v.Kinds, *k)
		}
	}
	slices.SortStableFunc(v.Kinds, func(a, b kindView) int { return cmp.Compare(a.Level, b.Level) })
}

func (v *healthView) changes(f *frame, c *answer.Changes, err error) {
	if err != nil {
		v.NoChanges = err.Error()
		return
	}
	v.Changes = c
	for i, s := range c.Sections {
		if i == maxChanges {
			v.MoreMoved = len(c.Sections) - i
			break
		}
		view := changeView{SectionChange: s}
		if s.Status != "removed" {
			view.URL = f.readURL(s.Ref)
		}
		v.Moved = append(v.Moved, view)
	}
}
