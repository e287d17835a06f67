package answer

import (
	"fmt"
	"io"
	"strings"

	"github.com/docent-md/docent/internal/text/human"
	"github.com/docent-md/docent/internal/text/visible"
)

// Fields are what documents say of themselves in front matter and tags.
type Fields struct {
	Fields []Field `json:"fields"` // those of most documents first
	Files  int     `json:"files"`  // documents in all
	With   int     `json:"with"`   // of those, with any field
}

// A Field is one field, and the values that documents have for it.
type Field struct {
	Name     string       `json:"name"`
	Files    int          `json:"files"`    // documents that have it
	Distinct int          `json:"distinct"` // values there are
	Values   []FieldValue `json:"values"`   // the most frequent first; all of them where one field was asked for
}

// A FieldValue is one value, and how many documents have it.
type FieldValue struct {
	Value string `json:"value"`
	Files int    `json:"files"`
}

// isUnique reports whether a field of many documents has another value in each.
func (f *Field) isUnique() bool { return f.Distinct > len(f.Values) && f.Values[0].Files == 1 }

// Empty reports whether no document has a field.
func (f *Fields) Empty() bool { return len(f.Fields) == 0 }

// shownValue is how much of a value is shown in a line with others.
const shownValue = 40

// WriteText writes a line a field with its most frequent values; of one field, a line a
// value.
func (f *Fields) WriteText(w io.Writer) error {
	b := &strings.Builder{}
	if len(f.Fields) == 0 {
		fmt.Fprintf(b, "no front matter and no #tags in %s\n", human.Plural(f.Files, "file"))
		return flush(w, b)
	}
	for _, field := range f.Fields {
		fmt.Fprintf(b, "%s  (%s, %s)\n", visible.Line(field.Name), human.Plural(field.Files, "file"), human.Plural(field.Distinct, "value"))
		if len(field.Values) == field.Distinct && len(f.Fields) == 1 {
			for _, v := range field.Values {
				fmt.Fprintf(b, "  %s  (%s)\n", visible.Line(v.Value), human.Commas(v.Files))
			}
			continue
		}
		if field.isUnique() {
			fmt.Fprintf(b, "  all different: %s, ...\n", shortened(visible.Line(field.Values[0].Value), 2*shownValue))
			continue
		}
		shown := make([]string, len(field.Values))
		for i, v := range field.Values {
			shown[i] = fmt.Sprintf("%s (%s)", shortened(visible.Line(v.Value), shownValue), human.Commas(v.Files))
		}
		line := strings.Join(shown, ", ")
		if more := field.Distinct - len(field.Values); more > 0 {
			line += fmt.Sprintf(", and %s more", human.Commas(more))
		}
		fmt.Fprintf(b, "  %s\n", line)
	}
	fmt.Fprintf(b, "\n%s of %s have fields; a question chooses by them: tag:security, date:>2025-01\n",
		human.Commas(f.With), human.Plural(f.Files, "file"))
	return flush(w, b)
}
