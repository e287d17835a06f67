package docent_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/docent-md/docent"
	"github.com/docent-md/docent/answer"
	"github.com/docent-md/docent/internal/library/corpus"
)

// A budget is a contract for several places too: whatever is asked for, what is printed
// costs no more, and every place is there, named or counted.
func TestSeveralPlacesKeepTheBudget(t *testing.T) {
	files := fstest.MapFS{}
	var refs []string
	for i := range 6 {
		name := fmt.Sprintf("page%d.md", i)
		text := fmt.Sprintf("# Page %d\n\n", i) + strings.Repeat("Some words about keys and doors.\n", 1+3*i) + "\n```go\nrotate()\n```\n"
		files[name] = &fstest.MapFile{Data: []byte(text)}
		refs = append(refs, name)
	}
	refs = append(refs, "nope.md")
	lib, err := docent.FromFS(t.Context(), files)
	if err != nil {
		t.Fatal(err)
	}
	defer lib.Close()
	count, err := corpus.Counter("")
	if err != nil {
		t.Fatal(err)
	}
	for budget := 60; budget < 900; budget += 17 {
		for name, ask := range map[string]func() (*answer.Several, error){
			"read": func() (*answer.Several, error) {
				return lib.Several(t.Context(), answer.Places{For: answer.ForReading, Refs: refs, Budget: budget})
			},
			"sections": func() (*answer.Several, error) {
				return lib.Several(t.Context(), answer.Places{For: answer.ForSections, Refs: refs, Budget: budget})
			},
			"examples": func() (*answer.Several, error) {
				return lib.Several(t.Context(), answer.Places{For: answer.ForExamples, Refs: []string{"rotate", "rotate", "nothing"}, Budget: budget})
			},
		} {
			s, err := ask()
			if err != nil {
				t.Fatal(name, err)
			}
			b := &strings.Builder{}
			if err := s.WriteText(b); err != nil {
				t.Fatal(err)
			}
			if n := count([]byte(b.String())); n > budget {
				t.Errorf("%s: %d tokens of %d:\n%s", name, n, budget, b)
			}
			want := len(refs)
			if name == "examples" {
				want = 3
			}
			if got := len(s.Results) + len(s.LeftOut) + len(s.Failed) + s.Unlisted; got != want {
				t.Errorf("%s within %d: %d places of %d are accounted for", name, budget, got, want)
			}
		}
	}
}
