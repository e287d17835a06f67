package host

import (
	"context"
	"os"
	"time"

	"github.com/docent-md/docent/internal/surface/mcp"
)

// ListenAndServe serves at an address until ctx is cancelled, and then lets running
// requests finish: new ones are refused, streams end at once, and after Options.Grace so
// does the rest. ready is called with the URL.
func (h *Host) ListenAndServe(ctx context.Context, addr string, ready func(url string)) error {
	stop := context.AfterFunc(ctx, h.drain)
	defer stop()
	return mcp.Listen(ctx, addr, mcp.ListenOptions{Handler: h, Guarded: h.opts.Users != nil, Grace: h.opts.Grace}, ready)
}

func (h *Host) isDraining() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.draining
}

// drain refuses new requests, and ends the streams: nothing else would.
func (h *Host) drain() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.draining = true
	for q := range h.streams {
		q.cancel()
	}
}

// addStream remembers a request that stays open until its client leaves.
func (h *Host) addStream(q *running) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.draining {
		q.cancel()
		return
	}
	h.streams[q] = true
}

func (h *Host) removeStream(q *running) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.streams, q)
}

// Follow calls changed whenever a file was changed, until ctx is cancelled. It looks every
// so often, which works on every file system, and with files that are replaced.
func Follow(ctx context.Context, file string, every time.Duration, changed func()) {
	before := stamp(file)
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		if now := stamp(file); now != before {
			before = now
			changed()
		}
	}
}

// A fileStamp is what tells a file from what it was before.
type fileStamp struct {
	size  int64
	at    time.Time
	there bool
}

func stamp(file string) fileStamp {
	info, err := os.Stat(file)
	if err != nil {
		return fileStamp{}
	}
	return fileStamp{info.Size(), info.ModTime(), true}
}
