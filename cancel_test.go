package docent_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"testing/fstest"

	"github.com/docent-md/docent"
	"github.com/docent-md/docent/answer"
)

// A countdown is a context that ends after its end was asked for some times.
type countdown struct {
	context.Context
	left atomic.Int64
}

func (c *countdown) Err() error {
	if c.left.Add(-1) < 0 {
		return context.Canceled
	}
	return nil
}

// Nothing works on for a caller that is gone. Whenever the context ends, what is
// going on ends with it, within one file or a few dozen sections.
func TestWorkEndsWithItsContext(t *testing.T) {
	fsys := fstest.MapFS{}
	for i := range 50 {
		b := &strings.Builder{}
		fmt.Fprintf(b, "# Page %d\n\n", i)
		for s := range 300 {
			fmt.Fprintf(b, "## Section %d\n\nSome alpha words.\n\n", s)
		}
		fsys[fmt.Sprintf("%02d.md", i)] = &fstest.MapFile{Data: []byte(b.String())}
	}
	lib, err := docent.FromFS(t.Context(), fsys)
	opened(t, lib, err)
	for _, op := range []struct {
		name string
		asks int64 // times that its end is asked for, at least
		run  func(context.Context) error
	}{
		{"Search", 3, func(ctx context.Context) error { _, err := lib.Search(ctx, answer.Query{Text: "alpha"}); return err }},
		{"Grep", 3, func(ctx context.Context) error { _, err := lib.Grep(ctx, "alpha", answer.GrepOptions{}); return err }},
		{"Section", 3, func(ctx context.Context) error {
			_, err := lib.Section(ctx, "01.md", answer.SectionOptions{Around: true})
			return err
		}},
		{"Brief", 3, func(ctx context.Context) error {
			_, err := lib.Brief(ctx, "01.md:100-200", 200, answer.SectionOptions{Around: true})
			return err
		}},
		{"Read", 2, func(ctx context.Context) error {
			_, err := lib.Read(ctx, "01.md", answer.ReadOptions{Budget: 500})
			return err
		}},
		{"Outline", 50, func(ctx context.Context) error { _, err := lib.Outline(ctx, "", 6); return err }},
		{"Manifest", 50, func(ctx context.Context) error { _, err := lib.Manifest(ctx, ""); return err }},
	} {
		t.Run(op.name, func(t *testing.T) {
			for after := range op.asks {
				ctx := &countdown{Context: t.Context()}
				ctx.left.Store(after)
				if err := op.run(ctx); !errors.Is(err, context.Canceled) {
					t.Fatalf("ended after %d: %v", after, err)
				}
				if more := -ctx.left.Load(); more > 8 {
					t.Fatalf("ended after %d, and asked %d times more", after, more)
				}
			}
			if err := op.run(t.Context()); err != nil {
				t.Error(err)
			}
		})
	}
}
