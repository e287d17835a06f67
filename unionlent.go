package docent

import (
	"context"
	"fmt"
)

// A Lent library is an index that is open already, and stays its owner's: a server keeps
// those it was asked for open, and compares their files by a rule of its own.
type Lent struct {
	Name    string // "" for the project's own documents
	Library *Library
}

// A LentError says that a lent library cannot answer before its owner has seen to it:
// Err is a StaleError, or says that it is damaged. It does not unwrap: it is about that
// library and no other.
type LentError struct {
	Name string
	Err  error
}

func (e *LentError) Error() string { return fmt.Sprintf("index %s: %v", shownName(e.Name), e.Err) }

// SearchLent is Search with libraries that are open: those of names, but for some that
// could not be opened. It fails with a LentError where one of them must be brought up to
// date first.
func (c *Catalogue) SearchLent(ctx context.Context, names string, libs []Lent, left []string, q Query, o Options) (*Answer, error) {
	u := &Union{opts: o, lent: true}
	for _, n := range left {
		u.left = append(u.left, shownName(n))
	}
	for _, l := range libs {
		u.names, u.libs = append(u.names, l.Name), append(u.libs, l.Library)
	}
	if len(u.libs) == 0 {
		return nil, ErrNoIndex
	}
	if err := u.whole(ctx, u.join); err != nil {
		return nil, err
	}
	return u.ask(ctx, c, names, q)
}
