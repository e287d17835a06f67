package search

import (
	"strings"
	"testing"

	"github.com/docent-md/docent/internal/engine/index"
)

func TestIsGuessed(t *testing.T) {
	for question, want := range map[string]bool{
		"bake=base bread=read yeast=least":             true,
		"bake=base":                                    false, // a slip
		"bake=base bread=bread":                        false,
		"localstorge=localstorage sesion=session":      false, // long words differ in a letter by mistake
		"setitem=set getitem=get":                      false, // taken apart
		"bake=base bread=":                             false, // no document has it, which is said
		"rotat=rotate keis=keys":                       true,
		"securecontext=secure featurepolicy=feature k": false,
	} {
		var words []index.WordInfo
		for item := range strings.FieldsSeq(question) {
			text, found, _ := strings.Cut(item, "=")
			w := index.WordInfo{Word: index.Word{Text: text}, Searched: []string{found}, DocFreq: len(found)}
			words = append(words, w)
		}
		if got := isGuessed(words); got != want {
			t.Errorf("%s: %v", question, got)
		}
	}
}
