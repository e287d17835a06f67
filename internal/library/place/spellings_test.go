package place

import (
	"slices"
	"testing"
)

func TestSpellings(t *testing.T) {
	for _, tt := range []struct {
		name, typed string
		want        []string
	}{
		{"plain", "./guide/keys.md", []string{"guide/keys.md"}},
		{"typed on Windows", `guide\keys.md`, []string{`guide\keys.md`, "guide/keys.md"}},
		{"typed in one character, stored in two", "Gr\u00fc\u00dfe.md", []string{"Gr\u00fc\u00dfe.md", "Gru\u0308\u00dfe.md"}},
		{"copied in two characters, stored in one", "Gru\u0308\u00dfe.md", []string{"Gru\u0308\u00dfe.md", "Gr\u00fc\u00dfe.md"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := Spellings(tt.typed); !slices.Equal(got, tt.want) {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}
