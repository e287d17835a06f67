package web

import (
	"cmp"
	"context"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/docent-md/docent"
	"github.com/docent-md/docent/answer"
	"github.com/docent-md/docent/internal/text/human"
)

// A homeView is the start page: what these documents are, and where to begin.
type homeView struct {
	treeView
	About    answer.About
	Size     *answer.Stats // nil while it is not known
	Fresh    string
	Lists    *homeLists // nil while they are being computed
	ListsURL string
	Endpoint string // where agents connect; "" if this server has none
	Token    bool   // they need a token there
	Local    bool   // readers use the machine that has the documents
}

// homeLists are the pages that a newcomer may want.
type homeLists struct {
	Linked, Recent []reference
}

// homeRows is how many pages each list names.
const homeRows = 8

// home fills in the start page.
func (s *site) home(r *http.Request, f *frame, now *release) (*homeView, error) {
	tree, err := now.tree(r.Context())
	if err != nil {
		return nil, err
	}
	h := &homeView{treeView: f.treeAt(tree, nil), Fresh: now.status.Freshness, ListsURL: f.address("/lists", "")}
	h.About = computeSoon(r.Context(), now, "about", func(ctx context.Context, lib *docent.Library) (answer.About, error) {
		about, err := lib.About(ctx)
		if err != nil {
			return answer.About{}, err
		}
		return *about, nil
	})
	h.Size = computeSoon(r.Context(), now, "stats", func(ctx context.Context, lib *docent.Library) (*answer.Stats, error) {
		return lib.Stats(ctx)
	})
	brief, cancel := context.WithTimeout(r.Context(), timesWait)
	defer cancel()
	if lists, err := f.lists(brief, now); err == nil {
		h.Lists = lists
	}
	if s.opts.Endpoint != "" {
		h.Endpoint, h.Token = address(r)+s.opts.Endpoint, s.opts.Token
	}
	h.Local = s.opts.Disk || h.Endpoint == ""
	return h, nil
}

// address is that of this server, as the reader has it. A proxy that speaks TLS says so in
// the scheme of the request, which is empty otherwise.
func address(r *http.Request) string {
	if r.TLS != nil || r.URL.Scheme == "https" {
		return "https://" + r.Host
	}
	return "http://" + r.Host
}

// Heading is what the documents are called.
func (h *homeView) Heading(name string) string {
	return cmp.Or(h.About.Name, plainTitle(h.About.Title), name)
}

// homePart writes the lists of the start page, for a page that came before they were
// known.
func (s *site) homePart(w http.ResponseWriter, r *http.Request, f *frame) error {
	now, err := f.release(r.Context())
	if err != nil {
		return err
	}
	lists, err := f.lists(r.Context(), now)
	if err != nil {
		return err
	}
	return s.write(w, r, http.StatusOK, "home-lists", lists)
}

// lists returns the most linked and the last changed pages.
func (f *frame) lists(ctx context.Context, now *release) (*homeLists, error) {
	tree, err := now.tree(ctx)
	if err != nil {
		return nil, err
	}
	counts, err := compute(ctx, now, "linked", inLinks)
	if err != nil {
		return nil, err
	}
	times, err := compute(ctx, now, "times", changeTimes)
	if err != nil {
		return nil, err
	}
	out := &homeLists{}
	add := func(list *[]reference, file, note string) {
		if n := tree.Page(file); n != nil {
			*list = append(*list, reference{f.readURL(file), n.Title, note})
		}
	}
	for _, file := range most(counts, func(a, b int) int { return b - a }) {
		add(&out.Linked, file, human.Plural(counts[file], "link"))
	}
	if sameDay(times) {
		return out, nil // a copy of files has the time of the copy
	}
	for _, file := range most(times, func(a, b time.Time) int { return b.Compare(a) }) {
		add(&out.Recent, file, times[file].Format("2 January 2006"))
	}
	return out, nil
}

// sameDay reports whether all documents were changed on one day.
func sameDay(times map[string]time.Time) bool {
	year, day := 0, 0
	for _, t := range times {
		y, d := t.Year(), t.YearDay()
		if day != 0 && (d != day || y != year) {
			return false
		}
		year, day = y, d
	}
	return true
}

// most returns the first keys of a map in the order of its values, then of its keys. The
// start page asks for it each time, of as many keys as there are documents.
func most[V any](m map[string]V, order func(a, b V) int) []string {
	type entry struct {
		key   string
		value V
	}
	before := func(a, b entry) int { return cmp.Or(order(a.value, b.value), strings.Compare(a.key, b.key)) }
	var first []entry
	for k, v := range m {
		e := entry{k, v}
		if len(first) == homeRows && before(e, first[homeRows-1]) > 0 {
			continue
		}
		at, _ := slices.BinarySearchFunc(first, e, before)
		first = slices.Insert(first, at, e)
		first = first[:min(len(first), homeRows)]
	}
	keys := make([]string, len(first))
	for i, e := range first {
		keys[i] = e.key
	}
	return keys
}

// inLinks counts the documents that link to each document.
func inLinks(ctx context.Context, lib *docent.Library) (map[string]int, error) {
	seen := map[[2]string]bool{}
	counts := map[string]int{}
	err := lib.EachLink(ctx, func(from, to string) {
		if from == to || seen[[2]string{from, to}] {
			return
		}
		seen[[2]string{from, to}] = true
		counts[to]++
	})
	return counts, err
}
