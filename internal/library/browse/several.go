package browse

import (
	"context"
	"errors"
	"fmt"

	"github.com/docent-md/docent/answer"
	"github.com/docent-md/docent/internal/library/code"
	"github.com/docent-md/docent/internal/library/place"
	"github.com/docent-md/docent/internal/library/snapshot"
)

// maxPlaces is how many places one call may ask for.
const maxPlaces = 50

// A collection gathers the answers for several places within one budget.
type collection struct {
	out    *answer.Several
	budget int
	count  func([]byte) int // known from the first answer on
	found  []candidateResult
	first  error // of those that failed
}

// A candidateResult is an answer that is shown if there is room for it.
type candidateResult struct {
	answer.Result
	lead answer.Lead
	cut  func(room int) (answer.Result, bool) // a shorter one; nil when it is shown whole or not at all
}

func newCollection(places []string, budget int) (*collection, error) {
	if len(places) > maxPlaces {
		return nil, fmt.Errorf("%d places: one call takes %d at most", len(places), maxPlaces)
	}
	if err := answer.CheckBudget(budget); err != nil {
		return nil, err
	}
	return &collection{out: &answer.Several{Results: []answer.Result{}}, budget: budget}, nil
}

// fail notes why a place has no answer. What concerns the call as a whole is returned:
// stale documents, a store that cannot answer, a caller that has gone.
func (c *collection) fail(ctx context.Context, ref string, err error) error {
	_, stale := errors.AsType[*snapshot.StaleError](err)
	missing, isMissing := errors.AsType[*answer.NotFoundError](err)
	if stale || ctx.Err() != nil || errors.Is(err, snapshot.ErrUnsupported) {
		return err
	}
	f := answer.Failure{Ref: ref, Error: err.Error()}
	if isMissing {
		f.Nearest = missing.Nearest
	}
	c.out.Failed = append(c.out.Failed, f)
	if c.first == nil {
		c.first = err
	}
	return nil
}

// Of a budget, a part is held back for the list of what is left out; and the line above
// an answer that is cut may cost as much as headTokens.
const (
	maxReserve = 80
	headTokens = 40
	minCut     = 30 // tokens that a part must have to be worth its line
)

// done returns what was gathered, as much as the budget holds in the order in which it
// was asked for. The first that does not fit may be cut. Where nothing was found, the
// error is that of the first place.
func (c *collection) done() (*answer.Several, error) {
	if len(c.found) == 0 && c.first != nil {
		return nil, c.first
	}
	for _, f := range c.found {
		c.out.Results = append(c.out.Results, f.Result)
	}
	if c.budget == 0 || c.count == nil || c.out.Price(c.count) <= c.budget {
		return c.out, nil
	}
	limit := c.budget - min(c.budget/5, maxReserve)
	kept := answer.Several{Results: []answer.Result{}}
	isCut := false
	for _, f := range c.found {
		if c.fits(&kept, f.Result, limit) {
			continue
		}
		if room := limit - kept.Price(c.count) - headTokens; f.cut != nil && !isCut && room >= minCut {
			if short, ok := f.cut(room); ok && c.fits(&kept, short, limit) {
				isCut = true
				continue
			}
		}
		c.out.LeftOut = append(c.out.LeftOut, f.lead)
	}
	c.out.Results = kept.Results
	c.out.Fit(c.budget, c.count)
	return c.out, nil
}

// fits appends an answer if all then have at most limit tokens.
func (c *collection) fits(kept *answer.Several, r answer.Result, limit int) bool {
	n := len(kept.Results)
	if kept.Results = append(kept.Results, r); kept.Price(c.count) > limit {
		kept.Results = kept.Results[:n]
		return false
	}
	return true
}

// Several asks for several places in one call.
func Several(ctx context.Context, s snapshot.Snapshot, p answer.Places) (*answer.Several, error) {
	c, err := newCollection(p.Refs, p.Budget)
	if err != nil {
		return nil, err
	}
	one, err := c.asking(ctx, s, p)
	if err != nil {
		return nil, err
	}
	for _, ref := range p.Refs {
		r, err := one(ref)
		if err != nil {
			if err := c.fail(ctx, ref, err); err != nil {
				return nil, err
			}
			continue
		}
		c.found = append(c.found, r)
	}
	return c.done()
}

// asking returns the function that answers for one place.
func (c *collection) asking(ctx context.Context, s snapshot.Snapshot, p answer.Places) (func(ref string) (candidateResult, error), error) {
	switch p.For {
	case answer.ForReading:
		if p.Read.Offset > 0 {
			return nil, errors.New("an offset goes with one Ref: name the lines in the Refs, as in guide/auth.md:15-48")
		}
		return func(ref string) (candidateResult, error) { return c.read(ctx, s, ref, p.Read) }, nil
	case answer.ForSections:
		return func(ref string) (candidateResult, error) { return c.section(ctx, s, ref) }, nil
	}
	v, err := s.View(ctx, snapshot.Want{})
	if err != nil {
		return nil, err
	}
	if p.For == answer.ForVerdicts {
		return func(ref string) (candidateResult, error) {
			verdict, err := place.Verify(v, ref)
			return candidateResult{Result: verdict}, err
		}, nil
	}
	c.count = v.Ceiling
	return func(symbol string) (candidateResult, error) { return c.examples(ctx, v, symbol, p.Code) }, nil
}

// read reads the lines of a Ref.
func (c *collection) read(ctx context.Context, s snapshot.Snapshot, ref string, o answer.ReadOptions) (candidateResult, error) {
	o.Budget = 0
	v, r, err := read(ctx, s, ref, o)
	if err != nil {
		return candidateResult{}, err
	}
	c.count = v.Ceiling
	return candidateResult{r, answer.Lead{Ref: ref, Title: r.File, Tokens: r.Tokens}, func(room int) (answer.Result, bool) {
		part := o
		part.Budget = room
		_, r, err := read(ctx, s, ref, part)
		return r, err == nil && r.Text != ""
	}}, nil
}

// section returns a section whole.
func (c *collection) section(ctx context.Context, s snapshot.Snapshot, ref string) (candidateResult, error) {
	found, err := findSection(ctx, s, ref)
	if err != nil {
		return candidateResult{}, err
	}
	c.count = found.view.Ceiling
	v := found.answer
	return candidateResult{Result: v, lead: answer.Lead{Ref: v.Section.SectionID, Title: v.Section.Title, Tokens: v.Section.Tokens}}, nil
}

// examples finds code blocks with a symbol.
func (c *collection) examples(ctx context.Context, v *snapshot.View, symbol string, q answer.CodeQuery) (candidateResult, error) {
	q.Text, q.Budget = symbol, 0
	found, err := code.Examples(ctx, v, q)
	if err != nil {
		return candidateResult{}, err
	}
	lead := answer.Lead{Ref: symbol, Title: "examples"}
	for i := range found.Snippets {
		lead.Tokens += found.Snippets[i].Tokens
	}
	return candidateResult{found, lead, func(room int) (answer.Result, bool) {
		some := *found
		some.Fit(room, c.count)
		return &some, len(some.Snippets) > 0
	}}, nil
}
