package docent

import (
	"sync"
	"time"

	"github.com/docent-md/docent/doc"
	"github.com/docent-md/docent/internal/engine/doctable"
	"github.com/docent-md/docent/internal/source/crawl"
)

// Texts that were read and checked are kept for the next answer. Before one is
// used again, the file's stamp is compared: size, times, and the number of the
// file, which no change leaves as they are. A file that was changed within
// seconds of being read is not kept, because its next change might.

// maxKept is how many bytes of text a library keeps.
const maxKept = 16 << 20

// keptTexts are the texts a library has at hand. The zero value is empty.
type keptTexts struct {
	mu    sync.Mutex
	texts map[string]keptText
	size  int
}

type keptText struct {
	stamp crawl.Stamp
	hash  doctable.Hash
	data  []byte // never written to

	altered map[doc.Span]string // the texts of its altered chunks, once one was asked for
}

// part returns the text of an altered chunk of a file, if it is at hand.
func (k *keptTexts) part(f doctable.File, sp doc.Span) (string, bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	text, ok := k.texts[f.Path]
	if !ok || text.hash != f.Hash {
		return "", false
	}
	part, ok := text.altered[sp]
	return part, ok
}

// putParts keeps the texts of altered chunks beside that of their file.
func (k *keptTexts) putParts(f doctable.File, altered map[doc.Span]string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if text, ok := k.texts[f.Path]; ok && text.hash == f.Hash && text.altered == nil {
		text.altered = altered
		k.texts[f.Path] = text
		k.size += text.size() - len(text.data)
	}
}

// size is how many bytes a text takes.
func (t *keptText) size() int {
	n := len(t.data)
	for _, part := range t.altered {
		n += len(part)
	}
	return n
}

// get returns the text of a file, if it is at hand and the file still holds it.
func (k *keptTexts) get(t *crawl.Tree, f known) ([]byte, bool) {
	k.mu.Lock()
	text, ok := k.texts[f.path]
	k.mu.Unlock()
	if !ok || text.hash != f.file.Hash {
		return nil, false
	}
	now, ok := t.Stamp(f.path)
	return text.data, ok && now == text.stamp
}

// put keeps a text that was read after the file had the stamp, up to a time, and
// was found to have the hash of the index. Where that would be too much, some
// others go.
func (k *keptTexts) put(t *crawl.Tree, f known, before crawl.Stamp, at time.Time, data []byte) {
	after, ok := t.Stamp(f.path)
	if !ok || after != before || !after.Settled(at) || len(data) > maxKept/8 {
		return
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.texts == nil {
		k.texts = map[string]keptText{}
	}
	old := k.texts[f.path]
	k.size += len(data) - old.size()
	k.texts[f.path] = keptText{stamp: after, hash: f.file.Hash, data: data}
	for path, text := range k.texts {
		if k.size <= maxKept {
			break
		}
		if path != f.path {
			delete(k.texts, path)
			k.size -= text.size()
		}
	}
}
