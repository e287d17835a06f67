package markdown

import (
	"reflect"
	"sync"
	"testing"
)

// A parser that has been used gives what a new one gives, in any order and from
// many goroutines at once.
func TestParsersAreReused(t *testing.T) {
	texts := append(specExamples(t), seeds...)
	var wg sync.WaitGroup
	for g := range 4 {
		wg.Go(func() {
			for i := range texts {
				src := []byte(texts[(i*(2*g+1)+g)%len(texts)])
				got := Parse("a.md", src)
				if want := new(parser).parse("a.md", src); !reflect.DeepEqual(got, want) {
					t.Errorf("%q: %+v, not %+v", src, got, want)
					return
				}
			}
		})
	}
	wg.Wait()
}
