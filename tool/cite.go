package tool

import (
	"context"
	"fmt"
	"io"

	"github.com/docent-md/docent"
	"github.com/docent-md/docent/answer"
)

type citeInput struct {
	Ref string `json:"ref" arg:"ref" doc:"a section: guide/auth.md#jwt, guide/auth.md::JWT Tokens"`
}

var citeOp = operation[citeInput]{
	Tool: Tool{
		Name:  "cite",
		Doc:   "print the citation of a section, to paste into a text",
		Group: Ask,
		Help: `Print where a section is, with a hash of its text. Paste it into a comment, a ticket or a
commit; "docent verify" says later whether the text is still the same.`,
		Example: `  docent cite guide/auth.md#jwt-tokens
  docent cite 'JWT Tokens' --json`,
		Stores: AnyStore,
		RefArg: true,
	},
	Run: func(ctx context.Context, lib *docent.Library, in citeInput) (Answer, error) {
		v, err := lib.Section(ctx, in.Ref, answer.SectionOptions{})
		if err != nil {
			return nil, err
		}
		return &citation{v.Section.Citation(), v.Section.Title}, nil
	},
}

// A citation is where a text is, and what it was.
type citation struct {
	Citation string `json:"citation"`
	Title    string `json:"title"`
}

func (c *citation) WriteText(w io.Writer) error {
	_, err := fmt.Fprintln(w, c.Citation)
	return err
}

// PrefixRefs puts the name of an index before the citation.
func (c *citation) PrefixRefs(index string) { c.Citation = index + ":" + c.Citation }
