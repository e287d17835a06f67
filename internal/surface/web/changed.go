package web

import (
	"context"
	"time"

	"github.com/docent-md/docent"
	"github.com/docent-md/docent/answer"
)

// timesWait is how long a page waits to learn when documents were changed. Git may take
// seconds to say so: a page that is opened before has no date.
const timesWait = 40 * time.Millisecond

// changeTimes returns when each document was last changed, by path, as far as that is
// known: a pack does not say.
func changeTimes(ctx context.Context, lib *docent.Library) (map[string]time.Time, error) {
	out := map[string]time.Time{}
	list, err := lib.FindFiles(ctx, answer.FileQuery{Changed: true})
	if err != nil {
		return out, ctx.Err()
	}
	for _, f := range list.Files {
		if f.Changed != nil {
			out[f.File] = *f.Changed
		}
	}
	return out, nil
}

// changed returns when a document was last changed; nil if that is not known yet.
func (r *release) changed(ctx context.Context, file string) *time.Time {
	brief, cancel := context.WithTimeout(ctx, timesWait)
	defer cancel()
	times, err := compute(brief, r, "times", changeTimes)
	if at, ok := times[file]; ok && err == nil {
		return &at
	}
	return nil
}
