package indexset

import (
	"cmp"
	"slices"

	"github.com/docent-md/docent/answer"
	"github.com/docent-md/docent/internal/engine/embed"
	"github.com/docent-md/docent/internal/engine/index"
	"github.com/docent-md/docent/internal/library/embedding"
	"github.com/docent-md/docent/internal/library/retrieve"
	"github.com/docent-md/docent/internal/library/snapshot"
)

// maxShortlist is how many named indexes a question to all of them is put to.
const maxShortlist = 5

// aboutWeight is the weight of the centroid relative to lexical search in a shortlist.
const aboutWeight = 0.5

// shortlist returns the indexes that most likely answer a question: by the best lexical
// score in each, and by what each is about. The project's own documents are always
// included.
func (s *Set) shortlist(joined *snapshot.View, open []*openMember, q string) ([]*openMember, error) {
	own := slices.IndexFunc(open, func(m *openMember) bool { return m.name == "" })
	if len(open) <= maxShortlist || own >= 0 && len(open) == maxShortlist+1 {
		return open, nil
	}
	words, err := evidence(joined, open, q)
	if err != nil {
		return nil, err
	}
	about, err := s.about(open, q)
	if err != nil {
		return nil, err
	}
	order := make([]int, len(open))
	for i := range order {
		order[i] = i
	}
	total := func(i int) float64 { return relative(words, i) + aboutWeight*relative(about, i) }
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Or(cmp.Compare(total(b), total(a)), a-b) })
	order = slices.DeleteFunc(order, func(i int) bool { return i == own })
	chosen := order[:maxShortlist:maxShortlist]
	if own >= 0 {
		chosen = append(chosen, own)
	}
	slices.Sort(chosen)
	var out []*openMember
	for _, i := range chosen {
		out = append(out, open[i])
	}
	return out, nil
}

// about is how similar a question is to what each index is about: its centroid, its
// description, or what its config says of a folder.
func (s *Set) about(open []*openMember, q string) ([]float64, error) {
	all, err := s.List()
	if err != nil {
		return nil, err
	}
	m, err := embed.NewModel(embed.Base(), nil)
	if err != nil {
		return nil, err
	}
	e := m.NewEncoder()
	e.Add(q, 1)
	asked := e.Vector()
	about := make([]float64, len(open))
	for i, x := range open {
		at := slices.IndexFunc(all, func(n answer.NamedIndex) bool { return n.Name == x.name })
		if at < 0 {
			continue
		}
		about[i] = float64(dot(embedding.Floats(&asked), all[at].Centroid))
		if d := all[at].Description; d != "" {
			dv := m.Embed(x.name + " " + d)
			about[i] = max(about[i], float64(embed.Cosine(&asked, &dv)))
		}
		for folder, text := range x.view.Corpus.Config.Folders {
			dv := m.Embed(folder + " " + text)
			about[i] = max(about[i], float64(embed.Cosine(&asked, &dv)))
		}
	}
	return about, nil
}

// evidence is the best lexical score in each index, with common statistics.
func evidence(joined *snapshot.View, open []*openMember, q string) ([]float64, error) {
	n := 20 * len(open)
	ranked, _, err := retrieve.Lexical(joined, answer.Query{Text: q}, index.Parse(q), n, n)
	if err != nil {
		return nil, err
	}
	out := make([]float64, len(open))
	for _, c := range ranked {
		i := slices.IndexFunc(open, func(m *openMember) bool { return m.view == c.Segment.Home })
		out[i] = max(out[i], c.Final)
	}
	return out, nil
}

// relative is a value as a share of the largest.
func relative(values []float64, i int) float64 {
	most := slices.Max(values)
	if most <= 0 {
		return 0
	}
	return max(values[i]/most, 0)
}

func dot(a, b []float32) float32 {
	var sum float32
	for i := range min(len(a), len(b)) {
		sum += a[i] * b[i]
	}
	return sum
}
