package refresh

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"time"

	"github.com/docent-md/docent/answer"
	"github.com/docent-md/docent/internal/library/corpus"
	"github.com/docent-md/docent/internal/library/snapshot"
	"github.com/docent-md/docent/internal/text/human"
)

// Index refreshes the index of a root, or rebuilds it. Unlike Open it fails when the
// index cannot be written.
func Index(ctx context.Context, root string, full bool, o Options) (*answer.IndexReport, error) {
	start := time.Now()
	o.EmbedAll = true
	c, err := o.Find(root)
	if err != nil {
		return nil, err
	}
	if c.IndexDir == "" {
		return nil, fmt.Errorf("index: there is no cache folder: set %s, or run docent init to store the index in the project", corpus.CacheVariables(runtime.GOOS))
	}
	var on *committed
	if !full {
		on, err = openRefreshedIndex(ctx, c, o)
		if err != nil && !snapshot.Unusable(err) {
			return nil, err
		}
		full = err != nil
	}
	if full {
		if on, err = buildCommitted(ctx, c, o, false); err != nil {
			return nil, err
		}
	}
	defer on.Close()
	s, err := on.Status(ctx)
	if err != nil {
		return nil, err
	}
	r := &answer.IndexReport{
		Files: s.Files, Chunks: s.Chunks, IndexSize: s.IndexSize, Full: full,
		Refreshed: on.folder.State().Refreshed, Skips: s.Skips, Skipped: s.Skipped, Seconds: time.Since(start).Seconds(),
	}
	if full {
		r.Refreshed = s.Files
		if left, err := on.folder.Files.LeftOut(ctx); err == nil {
			r.SetLeftOut(left)
		}
	}
	return r, nil
}

// openRefreshedIndex opens the index on disk and refreshes it, or says why that failed.
func openRefreshedIndex(ctx context.Context, c *corpus.Corpus, o Options) (*committed, error) {
	next, err := guarded(func() (index, error) { return reopenAndRefresh(ctx, c, o) })
	if err != nil {
		return nil, err
	}
	switch on := next.(type) {
	case *committed:
		if note := on.folder.State().Note; note != "" {
			return nil, errors.Join(errors.New(note), on.Close())
		}
		return on, nil
	case *overlaid:
		return nil, errors.Join(fmt.Errorf("index not refreshed: %w", on.cause), on.Close())
	}
	return nil, errors.Join(fmt.Errorf("index: cannot be written to %s", c.IndexDir), next.Close())
}

// Changed says how many files of a corpus have changed since they were indexed, in
// words. It changes nothing.
func Changed(ctx context.Context, c *corpus.Corpus) (freshness string, s *answer.Status, err error) {
	on, err := openCommitted(c, Options{})
	if err != nil {
		return "", nil, err
	}
	defer on.Close()
	if s, err = on.Status(ctx); err != nil {
		return "", nil, err
	}
	entries, _, err := on.folder.Files.List(ctx, nil)
	if err != nil {
		return "", s, err
	}
	d, err := on.compare(entries, nil)
	switch {
	case err != nil:
		return "", s, err
	case d.rebuild:
		return "most files have changed", s, nil
	case d.count() > 0:
		return human.Plural(d.count(), "file") + " changed since", s, nil
	}
	return "fresh", s, nil
}
