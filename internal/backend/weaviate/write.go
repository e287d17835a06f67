package weaviate

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/docent-md/docent/internal/backend"
)

// perBatch is how many objects are sent at once.
const perBatch = 200

// A Tx is a run of writes. A cluster has no transactions: a document counts as written
// when its DocentFile is, which is sent when all its chunks are there; what an import
// that broke off left behind is overwritten by the next.
type Tx struct {
	x       *Index
	ctx     context.Context
	batch   []map[string]any
	files   []map[string]any           // to be sent when the chunks before them are there
	written map[string]map[string]bool // the chunks of documents that may have had others before
	meta    map[string][]byte
	letters map[string]map[string]bool
}

// Begin starts a run.
func (x *Index) Begin(ctx context.Context) (*Tx, error) {
	return &Tx{x: x, ctx: ctx, written: map[string]map[string]bool{}, meta: map[string][]byte{}, letters: map[string]map[string]bool{}}, nil
}

// Rollback forgets what was not sent yet.
func (t *Tx) Rollback() { t.batch, t.files = nil, nil }

// SetMeta keeps a value under a key, when the run is committed.
func (t *Tx) SetMeta(key string, value []byte) error {
	t.meta[key] = value
	return nil
}

func (t *Tx) object(class, key string, properties map[string]any) map[string]any {
	return map[string]any{"class": class, "tenant": t.x.name, "id": id(t.x.name, class, key), "properties": properties}
}

// Put takes a document in, in place of what there was of it.
func (t *Tx) Put(f *backend.File) error {
	loose := "no"
	for i := range f.Chunks {
		c := &f.Chunks[i]
		o, unresolved, err := t.chunk(f.Path, c)
		if err != nil {
			return err
		}
		if unresolved {
			loose = "yes"
		}
		t.batch = append(t.batch, o)
	}
	text := ""
	if f.Text != nil {
		text = base64.StdEncoding.EncodeToString(f.Text)
	}
	t.files = append(t.files, t.object(fileClass, f.Path, map[string]any{
		"path": f.Path, "name": f.Name, "origin": f.Origin, "hash": f.Hash, "bytes": f.Bytes, "tokens": f.Tokens,
		"lines": f.Lines, "sections": f.Sections, "chunks": len(f.Chunks), "text": text, "loose": loose,
	}))
	ids := make(map[string]bool, len(f.Chunks))
	for i := range f.Chunks {
		ids[f.Chunks[i].ID] = true
	}
	t.written[f.Path] = ids
	if len(t.batch) >= perBatch {
		return t.flush()
	}
	return nil
}

func (t *Tx) chunk(file string, c *backend.Chunk) (map[string]any, bool, error) {
	w := &c.Words
	var targets []string
	unresolved := false
	for _, r := range c.Refs {
		if r.To != "" {
			targets = append(targets, r.To)
		}
		unresolved = unresolved || r.To == ""
	}
	for _, term := range w.Terms {
		_, n := utf8.DecodeRuneInString(term)
		letter := term[:n]
		if t.letters[letter] == nil {
			t.letters[letter] = map[string]bool{}
		}
		t.letters[letter][term] = true
	}
	refs := ""
	if len(c.Refs) > 0 {
		raw, err := json.Marshal(c.Refs)
		if err != nil {
			return nil, false, err
		}
		refs = string(raw)
	}
	o := t.object(chunkClass, c.ID, map[string]any{
		"sid": c.ID, "file": file, "parent": c.Parent, "title": c.Title, "path": c.Path, "content": c.Content,
		"start": c.Lines[0], "end": c.Lines[1], "data": string(c.Data), "refs": refs, "targets": targets,
		"title_length": w.Lengths[0], "headings_length": w.Lengths[1], "body_length": w.Lengths[2],
		// The weights of the fields, as near as repeating comes to them.
		"words":  join(slices.Concat(w.Title, w.Title, w.Headings, w.Headings, w.Body)),
		"titles": join(w.Title), "terms": join(w.Terms),
	})
	if c.Vector != nil {
		o["vector"] = c.Vector
	}
	return o, unresolved, nil
}

func join(words []string) string { return strings.Join(words, " ") }

// flush sends what is waiting: chunks, then the documents that they complete, then the
// order to delete what older versions of these had more.
func (t *Tx) flush() error {
	for part := range slices.Chunk(t.batch, perBatch) {
		if err := t.send(part); err != nil {
			return err
		}
	}
	t.batch = nil
	for part := range slices.Chunk(t.files, perBatch) {
		if err := t.send(part); err != nil {
			return err
		}
	}
	t.files = nil
	return t.sweep()
}

// sweep deletes the chunks that older versions of the documents just written had more.
// They are asked for and named one by one. "All of these documents that are not of this
// version" would be one request less, and was wrong: a replica on which a write is
// still under way finds the new chunk and not yet its version, and has it deleted
// everywhere.
func (t *Tx) sweep() error {
	for part := range slices.Chunk(slices.Sorted(maps.Keys(t.written)), perSweep) {
		var reply struct {
			Get struct {
				DocentChunk []struct{ SID, File string }
			}
		}
		err := t.x.c.graph(t.ctx, fmt.Sprintf(`{Get {%s(tenant: %s, limit: %d, where: %s) {sid file}}}`, chunkClass, str(t.x.name), maxChunks, inFiles(part)), &reply)
		if err != nil {
			return err
		}
		var gone []string
		for _, o := range reply.Get.DocentChunk {
			if !t.written[o.File][o.SID] {
				gone = append(gone, id(t.x.name, chunkClass, o.SID))
			}
		}
		for ids := range slices.Chunk(gone, perBatch) {
			if err := t.delete(chunkClass, map[string]any{"path": []string{"id"}, "operator": "ContainsAny", "valueTextArray": ids}); err != nil {
				return err
			}
		}
	}
	clear(t.written)
	return nil
}

// perSweep is how many documents are swept at once.
const perSweep = 20

func equal(property, value string) map[string]any {
	return map[string]any{"path": []string{property}, "operator": "Equal", "valueText": value}
}

// tries is how often objects are sent that the cluster could not take.
const tries = 6

// send writes objects. A good reply may hold bad news about each of them: those that
// failed are sent again, after a pause that grows, which is also what an overloaded
// cluster needs.
func (t *Tx) send(objects []map[string]any) error {
	for try := 0; ; try++ {
		var reply []struct {
			ID     string `json:"id"`
			Result struct {
				Errors *struct {
					Error []struct {
						Message string `json:"message"`
					} `json:"error"`
				} `json:"errors"`
			} `json:"result"`
		}
		if err := t.x.c.call(t.ctx, http.MethodPost, "/v1/batch/objects?consistency_level=QUORUM", map[string]any{"objects": objects}, &reply); err != nil {
			return err
		}
		failed := map[string]bool{}
		for _, o := range objects {
			failed[o["id"].(string)] = true // until the reply says otherwise
		}
		message := "it is not in the reply"
		for _, r := range reply {
			if r.Result.Errors == nil || len(r.Result.Errors.Error) == 0 {
				delete(failed, r.ID)
			} else {
				message = r.Result.Errors.Error[0].Message
			}
		}
		if len(failed) == 0 {
			return nil
		}
		if try == tries {
			return fmt.Errorf("cluster: %d of %d objects could not be written: %s", len(failed), len(objects), message)
		}
		objects = slices.DeleteFunc(slices.Clone(objects), func(o map[string]any) bool { return !failed[o["id"].(string)] })
		select {
		case <-time.After(time.Duration(100<<try) * time.Millisecond):
		case <-t.ctx.Done():
			return t.ctx.Err()
		}
	}
}

// delete removes what a filter matches, with the time of the deletion: without it,
// replicas that were away would bring it back.
func (t *Tx) delete(class string, filter map[string]any) error {
	for range 10_000 {
		var reply struct {
			Results struct {
				Matches, Failed, Limit int
			}
		}
		err := t.x.c.call(t.ctx, http.MethodDelete, "/v1/batch/objects?consistency_level=QUORUM&tenant="+url.QueryEscape(t.x.name), map[string]any{
			"match": map[string]any{"class": class, "where": filter}, "deletionTimeUnixMilli": time.Now().UnixMilli(),
		}, &reply)
		if err != nil {
			return err
		}
		if reply.Results.Failed > 0 {
			return fmt.Errorf("cluster: %d objects could not be deleted", reply.Results.Failed)
		}
		if reply.Results.Matches < max(reply.Results.Limit, 1) {
			return nil
		}
	}
	return errors.New("cluster: deleting does not come to an end")
}

// Remove takes a document out.
func (t *Tx) Remove(path string) error {
	if err := t.flush(); err != nil {
		return err
	}
	if err := t.delete(fileClass, equal("path", path)); err != nil {
		return err
	}
	return t.delete(chunkClass, equal("file", path))
}

// Loose does nothing: references of a cluster are looked up when they are asked for.
func (t *Tx) Loose() error { return nil }

// Commit sends what is left, and last of all what the index says of itself.
func (t *Tx) Commit() error {
	if err := t.flush(); err != nil {
		return err
	}
	for letter, terms := range t.letters {
		have, err := t.x.Vocabulary(t.ctx, letter)
		if err != nil {
			return err
		}
		n := len(have)
		for _, w := range have {
			terms[w] = true
		}
		if len(terms) > n {
			if err := t.put("words", wordsKey(letter), []byte(strings.Join(slices.Sorted(maps.Keys(terms)), " "))); err != nil {
				return err
			}
		}
	}
	clear(t.letters)
	for _, key := range slices.Sorted(maps.Keys(t.meta)) {
		if err := t.put("meta", key, t.meta[key]); err != nil {
			return err
		}
	}
	clear(t.meta)
	return nil
}

func (t *Tx) put(kind, key string, value []byte) error {
	return t.send([]map[string]any{t.object(metaClass, key, map[string]any{"kind": kind, "key": key, "value": base64.StdEncoding.EncodeToString(value)})})
}
