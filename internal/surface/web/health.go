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
	Kind   string // only these problems
	Filter string // only those whose file or message has these words
	Of     string // only this group, place by place
	All    string // the address of everything
	Since  string
	pager
}

type healthView struct {
	Health    *answer.Health
	Kinds     []kindView
	Groups    []problemGroup
	Places    []problemView // of one group
	More      int           // groups that are not shown
	Changes   *answer.Changes
	Moved     []changeView
	MoreMoved int
	NoChanges string // why there are no changes to show
}

type kindView struct {
	Name, Level, URL string
	Count            int
}

type problemView struct {
	answer.Problem
	URL string
}

type changeView struct {
	answer.SectionChange
	URL string
}

// groupRows and placeRows are how many groups and places a page lists, maxReport is how
// many groups a report lists.
const (
	groupRows  = 60
	placeRows  = 150
	maxReport  = 400
	maxChanges = 200
)

func (s *site) healthPage(w http.ResponseWriter, r *http.Request, f *frame) error {
	f.Title, f.Here = "Health", "health"
	q := r.URL.Query()
	p := healthPage{frame: f, Kind: q.Get("kind"), Filter: strings.TrimSpace(clip(q.Get("q"), 200)), Of: clip(q.Get("of"), 500), Since: strings.TrimSpace(q.Get("since"))}
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
	p.All = f.address("/health", "")
	p.problems(r, health)
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

// problems fills in a page of the groups, or of the places of one.
func (p *healthPage) problems(r *http.Request, h *answer.Health) {
	p.Health = h
	p.countKinds(p.frame)
	var kept []answer.Problem
	words := strings.Fields(strings.ToLower(p.Filter))
	for _, one := range h.Problems {
		text := strings.ToLower(one.File + " " + one.Message)
		if (p.Kind == "" || p.Kind == one.Kind) && (p.Of == "" || p.Of == groupOf(one)) &&
			!slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(text, w) }) {
			kept = append(kept, one)
		}
	}
	address := func(page string) string {
		return p.address("/health", "", "kind", p.Kind, "q", p.Filter, "of", p.Of, "page", page)
	}
	if p.Of != "" {
		p.pager = newPager(r, len(kept), placeRows, address)
		for _, one := range kept[p.From:p.To] {
			p.Places = append(p.Places, problemView{one, p.readURL(one.Ref)})
		}
		return
	}
	groups := groupProblems(p.frame, kept)
	p.pager = newPager(r, len(groups), groupRows, address)
	p.Groups = groups[p.From:p.To]
}

// countKinds counts the problems of each kind, errors first.
func (v *healthView) countKinds(f *frame) {
	counts := map[string]*kindView{}
	for _, name := range answer.ProblemKinds() {
		counts[name] = &kindView{Name: name, URL: f.address("/health", "", "kind", name)}
	}
	for _, p := range v.Health.Problems {
		if k := counts[p.Kind]; k != nil {
			k.Level = p.Level
			k.Count++
		}
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
