// Package rank puts candidates in their final order. The index weighs each text
// by itself; what only shows when candidates are seen together, or takes more
// than postings to know, is weighed here.
//
// # The rule
//
//	own   = score · (1 + Title·match + Path·path) + Near·near·(the best score)
//	final = own + Page · (the best own of the same page)
//
// match, from 0 to 1, is how well a title answers the whole question, read under
// the titles above it. A title
// that is the question scores 1 and comes first, as does a file of that name, or the
// front page when the question asks what they are all about: it gets the best score on
// top of its own.
//
// path, from 0 to 1, is the share of the question that occurs in the file's path.
//
// near, from 0 to 1, is how closely the words of the question stand together. It takes
// the text to know, so that it is 0 for candidates that were not read.
//
// Where the question asks what something is, a section of that title gets half of it, so
// that the page which opens with it comes before.
//
// A log of changes mentions everything and explains nothing: it has only the share
// Log of its own, unless the question asks for changes.
//
// Page lifts the sections of a page on which much was found over a chance find
// elsewhere.
package rank

import (
	"cmp"
	"slices"
)

// A Candidate is a text that matched.
type Candidate struct {
	At    int // the caller's
	Score float64
	Page  uint64  // texts of one page have the same
	Match float64 // how well a title answers
	Path  float64 // how much of the question its path has
	Named bool    // the file's name is the question, or it is the front page that was asked for
	Inner bool    // it does not open its page, where the question asks for one
	Log   bool    // it is part of a log of changes, which nobody asked for
	Near  float64 // how closely the question's words stand together in it

	Lift  float64 // set by Order: what the page added
	Final float64 // set by Order
}

// Params tune the rule.
type Params struct {
	Title float64
	Path  float64
	Page  float64
	Near  float64
	Log   float64
}

// DefaultParams are the values that did best over all evaluation sets together;
// see eval/scoreboard.txt.
func DefaultParams() Params {
	return Params{Title: 0.6, Path: 0.25, Page: 0.1, Near: 0.65, Log: 0.7}
}

// ProseParams are those for a question in sentences. Some title or other always has one
// of its many words, which says little.
func ProseParams() Params {
	p := DefaultParams()
	p.Title = 0.3
	return p
}

// Order sorts candidates, best first; those that come out equal keep their
// order.
func Order(cs []Candidate, p Params) {
	top := 0.
	for i := range cs {
		top = max(top, cs[i].Score)
	}
	best := map[uint64]float64{}
	for i := range cs {
		c := &cs[i]
		c.Final = float64(c.Score * (1 + float64(p.Title*c.Match) + float64(p.Path*c.Path)))
		c.Final += float64(p.Near * c.Near * top)
		switch {
		case c.Named || c.Match == 1 && !c.Inner:
			c.Final += top
		case c.Match == 1:
			c.Final += float64(top / 2)
		}
		if c.Log {
			c.Final *= p.Log
		}
		best[c.Page] = max(best[c.Page], c.Final)
	}
	for i := range cs {
		c := &cs[i]
		c.Lift = float64(p.Page * best[c.Page])
		c.Final += c.Lift
	}
	slices.SortStableFunc(cs, func(x, y Candidate) int { return cmp.Compare(y.Final, x.Final) })
}
