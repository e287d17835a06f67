package markdown

import (
	"reflect"
	"testing"

	"github.com/docent-md/docent/internal/needs"
	"go.yaml.in/yaml/v3"
)

func fullYAML(text string) (any, error) {
	var v any
	err := yaml.Unmarshal([]byte(text), &v)
	if v == nil {
		v = map[string]any{}
	}
	return v, err
}

// Over the corpora the plain reader must agree with the full one on every file
// it accepts, and accept most.
func TestPlainYAMLAgreesOnCorpora(t *testing.T) {
	needs.Time(t)
	for _, name := range someCorpora() {
		n, plain := 0, 0
		for _, f := range corpus(t, name) {
			d := Parse(f.path, f.text)
			if len(d.Blocks) == 0 || d.Blocks[0].Kind.String() != "front matter" {
				continue
			}
			n++
			body := string(d.Blocks[0].Inner.Of(d.Source))
			got, ok := plainYAML(body)
			if !ok {
				continue
			}
			plain++
			want, err := fullYAML(body)
			if err != nil || !reflect.DeepEqual(any(got), want) {
				t.Errorf("%s:\n%s\nplain %#v\nfull  %#v %v", f.path, body, got, want, err)
			}
		}
		t.Logf("%s: %d of %d plain", name, plain, n)
		if plain*10 < n*8 {
			t.Errorf("%s: only %d of %d front matters are read by the plain reader", name, plain, n)
		}
	}
}
