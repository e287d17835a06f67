package snapshot

import (
	"sync"
	"time"

	"github.com/docent-md/docent/doc"
	"github.com/docent-md/docent/internal/engine/doctable"
	"github.com/docent-md/docent/internal/source/crawl"
)

// Texts that were read and checked are cached for the next answer. Before one is used
// again, the file's stamp is compared: size, times and inode, of which every change
// alters one. A file that was changed within seconds of being read is not cached,
// because its next change might leave the stamp as it is.

// maxCached is how many bytes of text a folder caches.
const maxCached = 16 << 20

// A textCache holds texts of documents. The zero value is empty.
type textCache struct {
	mu    sync.Mutex
	texts map[string]cachedText
	size  int
}

type cachedText struct {
	stamp crawl.Stamp
	hash  doctable.Hash
	data  []byte // never written to

	altered map[doc.Span]string // the texts of its altered chunks, once one was asked for
}

// altered returns the texts of the altered chunks of a file, if they are cached.
func (k *textCache) altered(f File) (map[doc.Span]string, bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	text, ok := k.texts[f.Path]
	return text.altered, ok && text.hash == f.Info.Hash && text.altered != nil
}

// putAltered caches the texts of altered chunks with that of their file.
func (k *textCache) putAltered(f File, altered map[doc.Span]string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if text, ok := k.texts[f.Path]; ok && text.hash == f.Info.Hash && text.altered == nil {
		text.altered = altered
		k.texts[f.Path] = text
		k.size += text.size() - len(text.data)
	}
}

// size is how many bytes a text takes.
func (t *cachedText) size() int {
	n := len(t.data)
	for _, part := range t.altered {
		n += len(part)
	}
	return n
}

// get returns the text of a file, if it is cached and the file is unchanged.
func (k *textCache) get(t *crawl.Tree, f File) ([]byte, bool) {
	k.mu.Lock()
	text, ok := k.texts[f.Path]
	k.mu.Unlock()
	if !ok || text.hash != f.Info.Hash {
		return nil, false
	}
	now, ok := t.Stamp(f.Path)
	return text.data, ok && now == text.stamp
}

// put caches a text that was read after the file had the stamp, up to a time, and has
// the hash of the index. Others are evicted to make room for it.
func (k *textCache) put(t *crawl.Tree, f File, before crawl.Stamp, at time.Time, data []byte) {
	after, ok := t.Stamp(f.Path)
	if !ok || after != before || !after.Settled(at) || len(data) > maxCached/8 {
		return
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.texts == nil {
		k.texts = map[string]cachedText{}
	}
	old := k.texts[f.Path]
	k.size += len(data) - old.size()
	k.texts[f.Path] = cachedText{stamp: after, hash: f.Info.Hash, data: data}
	for path, text := range k.texts {
		if k.size <= maxCached {
			break
		}
		if path != f.Path {
			delete(k.texts, path)
			k.size -= text.size()
		}
	}
}
