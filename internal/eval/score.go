package eval

// How an answer is scored.
//
// A hit is a range of lines of a file. It is printed as the text of those lines,
// but never more than 800 tokens of it, a token being four characters (code
// points). Lines that begin after those 800 tokens are not seen and do not
// count: otherwise whole files would always win.
//
//   - A hit is relevant to a section question when it is in the judged file and
//     the lines seen overlap the judged lines.
//   - For a page question, and in passage sets, a hit is relevant when it is in
//     the judged file, whatever its lines. Before ranks are counted, hits are
//     collapsed to files: of several in one file only the first keeps its place.
//   - The first 100 hits of that list count.
//
// Each judged place is found once, at the first hit relevant to it; a second chunk
// of the same section takes up a rank and gains nothing. From that, per question:
//
//	ndcg@10      sum of score/log2(rank+1) over the places found at ranks 1 to 10,
//	             divided by the same sum for the judged places in the order of their
//	             scores, one a rank. The gain is linear. One hit may find two places
//	             and so beat that order; the quotient then is 1.
//	mrr@10       1/rank of the first relevant hit at ranks 1 to 10, else 0
//	recall@k     the share of judged places found at ranks 1 to k
//	success@N    1 when a relevant hit was printed, to its end, within the first N
//	             tokens, else 0. Every hit is printed: what a reader pays for does
//	             not collapse.
//	empty        1 when there was no hit at all, else 0
//
// A figure is the mean over the questions of one set and kind. Questions without
// a right answer are not asked.

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"sort"
	"strings"
	"unicode/utf8"
)

const (
	// MaxHits is how many hits of an answer count. As hits are collapsed to
	// files before they are counted, a ranker may well return more.
	MaxHits = 100

	charsPerToken = 4
	seenChars     = 800 * charsPerToken
)

// A Hit is one place in an answer.
type Hit struct {
	File       string // the path in Set.Files
	Start, End int    // lines, counted from 1, inclusive; both 0 mean the whole file
}

// The metrics, in the order of every table.
const (
	NDCG10 = iota
	MRR10
	Recall5
	Recall10
	Recall20
	Recall100
	Success1000
	Success2000
	Empty
	numMetrics
)

// Metrics are the names of the metrics.
var Metrics = [numMetrics]string{
	"ndcg@10", "mrr@10", "recall@5", "recall@10", "recall@20", "recall@100",
	"success@1000", "success@2000", "empty",
}

// Values holds one figure for each metric.
type Values [numMetrics]float64

// Score asks every question of the set and scores the answers. The results, one
// for each kind, are in the order of the kinds' names.
func Score(s *Set, ask func(q string) ([]Hit, error)) (Run, error) {
	byKind := map[string]*Result{}
	for _, q := range s.Queries {
		if len(q.Judged) == 0 {
			continue
		}
		var v Values
		hits, err := ask(q.Text)
		if err == nil {
			v, err = s.score(q, hits)
		}
		if err != nil {
			return nil, fmt.Errorf("set %s, query %s: %w", s.Name, q.ID, err)
		}
		r := byKind[q.Kind]
		if r == nil {
			r = &Result{Set: s.Name, Kind: q.Kind}
			byKind[q.Kind] = r
		}
		r.Queries = append(r.Queries, QueryScore{q.ID, v})
	}
	run := make(Run, 0, len(byKind))
	for _, r := range byKind {
		run = append(run, *r)
	}
	run.sort()
	return run, nil
}

func (s *Set) score(q Query, hits []Hit) (Values, error) {
	var v Values
	if len(hits) == 0 {
		v[Empty] = 1
		return v, nil
	}
	list, err := s.see(hits)
	if err != nil {
		return v, err
	}
	byFile := s.ByFile(q)
	relevant := func(h seen, j Judgement) bool { return h.answers(j, byFile) }

	printed := 0 // characters, up to the end of a hit
	for _, h := range list {
		if printed += h.chars; printed > 2000*charsPerToken {
			break
		}
		if slices.ContainsFunc(q.Judged, func(j Judgement) bool { return relevant(h, j) }) {
			v[Success2000] = 1
			if printed <= 1000*charsPerToken {
				v[Success1000] = 1
			}
			break
		}
	}

	if byFile {
		list = collapse(list)
	}
	dcg, count := 0.0, 0
	found := make([]bool, len(q.Judged))
	for i, h := range list[:min(MaxHits, len(list))] {
		rank := i + 1
		for k, j := range q.Judged {
			if found[k] || !relevant(h, j) {
				continue
			}
			if found[k] = true; count == 0 && rank <= 10 {
				v[MRR10] = 1 / float64(rank)
			}
			if count++; rank <= 10 {
				dcg += j.Score / discount(rank)
			}
		}
		share := float64(count) / float64(len(q.Judged))
		for _, r := range [...]struct{ metric, k int }{{Recall5, 5}, {Recall10, 10}, {Recall20, 20}, {Recall100, 100}} {
			if rank <= r.k {
				v[r.metric] = share
			}
		}
	}
	v[NDCG10] = min(1, dcg/ideal(q.Judged))
	return v, nil
}

// ByFile reports whether the answers of a question are whole files.
func (s *Set) ByFile(q Query) bool { return s.Passages || q.Type == Page }

// Found returns which of a question's judged places a hit is relevant to.
func (s *Set) Found(q Query, h Hit) ([]int, error) {
	list, err := s.see([]Hit{h})
	if err != nil {
		return nil, err
	}
	var found []int
	for i, j := range q.Judged {
		if list[0].answers(j, s.ByFile(q)) {
			found = append(found, i)
		}
	}
	return found, nil
}

func discount(rank int) float64 { return math.Log2(float64(rank + 1)) }

// ideal is the best sum ten hits, each finding one place, can reach.
func ideal(judged []Judgement) float64 {
	scores := make([]float64, len(judged))
	for i, j := range judged {
		scores[i] = j.Score
	}
	slices.SortFunc(scores, func(a, b float64) int { return cmp.Compare(b, a) })
	sum := 0.0
	for i, g := range scores[:min(10, len(scores))] {
		sum += g / discount(i+1)
	}
	return sum
}

// A seen is what a reader gets of a hit.
type seen struct {
	file       string
	start, end int // lines
	chars      int // printed
}

// answers reports whether it is relevant to a judged place, or its file.
func (h seen) answers(j Judgement, byFile bool) bool {
	return h.file == j.File && (byFile || h.start <= j.End && h.end >= j.Start)
}

// see cuts hits to what is printed of them.
func (s *Set) see(hits []Hit) ([]seen, error) {
	list := make([]seen, len(hits))
	for i, h := range hits {
		text := s.layout[h.File]
		if text == nil {
			return nil, fmt.Errorf("hit in %q, which is no file of the set", h.File)
		}
		list[i] = text.see(h)
	}
	return list, nil
}

// collapse keeps the first hit of each file.
func collapse(list []seen) []seen {
	var out []seen
	had := map[string]bool{}
	for _, h := range list {
		if !had[h.file] {
			had[h.file] = true
			out = append(out, h)
		}
	}
	return out
}

// A layout tells how many characters the lines of a file hold, so that a ranker
// need not be trusted with it: before[i] characters precede line i+1. The last
// element is the size of the file.
type layout struct{ before []int }

func newLayout(text string) *layout {
	l := &layout{before: []int{0}}
	chars := 0
	for line := range strings.Lines(text) {
		chars += utf8.RuneCountInString(line)
		l.before = append(l.before, chars)
	}
	return l
}

func (l *layout) see(h Hit) seen {
	lines := len(l.before) - 1
	start, end := max(h.Start, 1), min(h.End, lines)
	if h.Start == 0 && h.End == 0 {
		end = lines
	}
	if start > end {
		return seen{file: h.File, start: 1, end: 0} // no line, so that it overlaps none
	}
	from := l.before[start-1]
	chars := l.before[end] - from
	if chars > seenChars {
		chars = seenChars
		// Line n is seen when it begins within the characters printed.
		end = sort.Search(lines, func(i int) bool { return l.before[i] >= from+seenChars })
	}
	return seen{h.File, start, end, chars}
}
