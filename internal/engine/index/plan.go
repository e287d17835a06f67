package index

import "github.com/docent-md/docent/internal/portable"

// A Correction is a word that no text has, and the one that was looked for
// instead.
type Correction struct{ From, To string }

// A WordInfo says what became of a word of the query.
type WordInfo struct {
	Word
	Searched []string // what was looked for: the word itself, or what replaced it
	Also     []string // other words that were looked for too, from a glossary
	DocFreq  int      // in how many texts it occurs, in any form
	Weight   float64  // its weight in the query times its idf
	Full     float64  // the same, or where no text has it, what it would be if one had
}

// A plan is a query made ready for one Searcher.
type plan struct {
	params  Params
	words   []WordInfo
	fixes   []Correction
	also    []Correction // by a glossary
	lists   []queryList  // what texts are found by
	light   []queryList  // what only adds to the score of those found
	size    int          // of both, terms counted
	must    []condition
	not     []condition
	byWord  map[string]int // index in lists, or in light
	stem    stemmer
	factors []float32 // for each segment: see boundFactor
}

// A queryList is one word to look for, and the terms it was typed as.
type queryList struct {
	weighted
	word  string
	title bool   // only titles count
	words uint64 // which words of the query it was made for
	exact []exactList
}

// only returns the fields that count, all bits of them set.
func (l *queryList) only() counts {
	if l.title {
		return full[0]
	}
	return 1<<32 - 1
}

// An exactList is a term as it was typed. Where it occurs, its word does.
type exactList struct {
	weighted
	term string
}

// weighted is what a word and a term have in common.
type weighted struct {
	df     int
	times  int     // how often the query has it
	weight float64 // in the query
	scale  float32
	in     []list // by segment
}

// setScale puts what is known of the query and of all texts together.
func (w *weighted) setScale(s *Searcher, p Params) {
	w.weight = float64(w.weight * portable.Pow(float64(w.times), p.Repeat))
	w.scale = scaleOf(w.weight, s.stats.idf(w.df), p.K1)
}

// A condition is something a text must have, or must not: one of the lists.
type condition struct {
	title bool
	any   [][]list // by alternative and segment
}

func (s *Searcher) plan(q Query, p Params) (*plan, error) {
	if p == (Params{}) {
		p = DefaultParams()
	}
	pl := &plan{
		params: p.valid(),
		words:  make([]WordInfo, min(len(q.Words), maxQueryWords)),
		byWord: map[string]int{},
	}
	last := len(pl.words) - 1
	for last > 0 && q.Words[last].Extra {
		last-- // the last word is what its parts belong to
	}
	for i := range pl.words {
		unfinished := q.Unfinished && i >= last
		if err := pl.planWord(s, i, q.Words[i], unfinished); err != nil {
			return nil, err
		}
	}
	if err := pl.joinPairs(s); err != nil {
		return nil, err
	}
	if err := pl.widen(s, &q); err != nil {
		return nil, err
	}
	for _, w := range q.Not {
		lists, _, err := s.word([]byte(w.Text))
		if err != nil {
			return nil, err
		}
		pl.not = append(pl.not, condition{any: [][]list{lists}})
	}
	if len(pl.lists) == 0 {
		// Nothing but question words is known: then they are the question.
		pl.lists, pl.light = pl.light, nil
	}
	for _, lists := range [][]queryList{pl.lists, pl.light} {
		for i := range lists {
			lists[i].setScale(s, pl.params)
			for j := range lists[i].exact {
				lists[i].exact[j].setScale(s, pl.params)
			}
		}
	}
	for i := range s.segments {
		pl.factors = append(pl.factors, boundFactor(pl.params, &s.stats, &s.segments[i].stats))
	}
	return pl, nil
}

// joinPairs also looks for what two words that follow each other are in one: for
// "nameservers" where "name servers" is asked for, for "backup" where it is "back up".
func (pl *plan) joinPairs(s *Searcher) error {
	before := -1
	for i := range pl.words {
		w := &pl.words[i]
		if w.Extra {
			continue
		}
		isHalf := len(w.Text) >= minHalf && !stopWords[w.Text]
		if before >= 0 && w.kind == wordToken && !w.Title && (isHalf || particles[w.Text]) {
			joined := pl.words[before].Text + w.Text
			lists, _, err := pl.addWord(s, before, joined, Word{Text: joined, Extra: true, Count: 1}, inOne)
			if err != nil {
				return err
			}
			if lists != nil {
				pl.lists[pl.byWord[string(pl.stem.word([]byte(joined)))]].words |= 1 << i
				pl.words[before].Searched = append(pl.words[before].Searched, joined)
				w.Searched = append(w.Searched, joined)
			}
		}
		before = -1
		if w.kind == wordToken && isHalf && !w.Title {
			before = i
		}
	}
	return nil
}

// inOne is the weight of two words that are written in one. It is small: most texts that
// have "backup" for "back up" have the halves too.
const inOne = 0.3

// particles are the stop words that end verbs: "log in", "set up".
var particles = wordSet(`down in off on out over up`)

func (pl *plan) planWord(s *Searcher, i int, w Word, unfinished bool) error {
	info := &pl.words[i]
	info.Word = w
	weight := 1.
	switch w.kind {
	case partToken:
		weight = pl.params.Part
	case joinedToken:
		weight = pl.params.Joined
	}
	if w.Stop {
		weight *= pl.params.Stop
	}
	if w.Light {
		weight *= pl.params.Light
	}
	lists, df, err := pl.addWord(s, i, w.Text, w, weight)
	if err != nil {
		return err
	}
	cond := condition{title: w.Title, any: [][]list{lists}}
	info.Searched = []string{w.Text}
	if df == 0 && w.kind != joinedToken && !w.defined {
		instead, err := s.replace(w, unfinished)
		if err != nil {
			return err
		}
		if len(instead) > 0 {
			info.Searched = nil
		}
		for _, c := range instead {
			lists, n, err := pl.addWord(s, i, c, w, weight*pl.params.Fixed)
			if err != nil {
				return err
			}
			df = max(df, n)
			info.Searched = append(info.Searched, c)
			cond.any = append(cond.any, lists)
			if !w.Extra {
				pl.fixes = append(pl.fixes, Correction{w.Text, c})
			}
		}
	}
	info.DocFreq = df
	info.Full = weight * s.stats.idf(max(df, 1))
	if df > 0 {
		info.Weight = info.Full
	}
	if w.Must {
		pl.must = append(pl.must, cond)
	}
	return nil
}

// addWord adds a term to the plan: the list of its word, and its own. It returns
// the list of the word, unless no text has it.
func (pl *plan) addWord(s *Searcher, i int, term string, w Word, weight float64) ([]list, int, error) {
	word := string(pl.stem.word([]byte(term)))
	id, to := word, &pl.lists
	if w.Title {
		id = "title:" + word
	}
	if w.Stop {
		id, to = "stop:"+id, &pl.light
	}
	at, ok := pl.byWord[id]
	if !ok {
		l := queryList{word: word, title: w.Title}
		var err error
		if l.in, l.df, err = s.stemmed(&pl.stem, word); err != nil || l.df == 0 || pl.size >= maxLists {
			return nil, 0, err
		}
		at = len(*to)
		pl.byWord[id] = at
		*to = append(*to, l)
		pl.size++
	}
	l := &(*to)[at]
	l.words |= 1 << i
	l.weight = max(l.weight, weight)
	if !w.Extra || l.times == 0 {
		l.times += max(w.Count, 1)
	}
	if w.Extra || w.Stop || pl.params.Exact == 0 {
		return l.in, l.df, nil
	}
	weight *= pl.params.Exact
	for j := range l.exact {
		if e := &l.exact[j]; e.term == term {
			e.weight = max(e.weight, weight)
			e.times += max(w.Count, 1)
			return l.in, l.df, nil
		}
	}
	e := exactList{term: term}
	e.weight, e.times = weight, max(w.Count, 1)
	var err error
	if e.in, e.df, err = s.term([]byte(term)); err == nil && e.df > 0 && pl.size < maxLists {
		l.exact = append(l.exact, e)
		pl.size++
	}
	return l.in, l.df, err
}
