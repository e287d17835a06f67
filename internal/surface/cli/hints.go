package cli

import (
	"errors"
	"fmt"
	"strings"

	"github.com/docent-md/docent"
	"github.com/docent-md/docent/answer"
)

// errNothing is returned by a command that found nothing and has printed that.
var errNothing = errors.New("nothing found")

// errSaid is returned by a command that has printed its error.
var errSaid = errors.New("failed")

// A hintError carries the second line of a message: what to do next.
type hintError struct {
	err  error
	hint string
}

func (e *hintError) Error() string { return e.err.Error() }

func (e *hintError) Unwrap() error { return e.err }

// withHint adds to an error what to do next.
func withHint(err error, format string, args ...any) error {
	return &hintError{err, fmt.Sprintf(format, args...)}
}

// complain prints an error and what to do next.
func (c *console) complain(err error) {
	c.note("%v", err)
	if h, ok := errors.AsType[*hintError](err); ok {
		c.note("%s", h.hint)
	}
	switch missing, ok := errors.AsType[*answer.NotFoundError](err); {
	case !ok:
	case errors.Is(err, docent.ErrNoField) && len(missing.Nearest) == 0:
		c.note("\"docent fields\" lists the fields of the documents")
	case len(missing.Nearest) > 0:
		c.note("did you mean %s?", clean(strings.Join(missing.Nearest, ", ")))
	case errors.Is(err, docent.ErrNoSection):
		file, _, _ := strings.Cut(missing.Name, "#")
		file, _, _ = strings.Cut(file, "::")
		c.note("\"docent toc %s\" lists what the file holds", clean(file))
	case errors.Is(err, docent.ErrNotFound):
		c.note("\"docent ls\" lists the documents")
	}
}
