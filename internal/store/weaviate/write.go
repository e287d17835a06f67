package weaviate

import (
	"cmp"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/docent-md/docent/internal/store/backend"
)

// perBatch is how many objects are sent at once, and flights how many such requests are
// under way: enough that no node waits for us, few enough that it is not overrun.
const (
	perBatch = 200
	flights  = 4
)

// A Tx is a run of writes. A cluster has no transactions: a document counts as written
// when its DocentFile is, which is sent last of all that concerns it. What an import
// that broke off left behind is overwritten by the next, or swept away.
type Tx struct {
	x       *Index
	ctx     context.Context
	batch   []map[string]any           // chunks that wait to be sent
	files   []map[string]any           // to be sent when the chunks are there
	written map[string]map[string]bool // the chunks of documents that may have had others before
	removed []string
	before  map[string][]byte // what must be known before a document counts
	meta    map[string][]byte // what is set when all of them do
	terms   map[string]map[string]bool
	last    bool // of the run

	flying chan struct{}
	wait   sync.WaitGroup
	mu     sync.Mutex
	failed error // of what is under way
}

// Begin starts a run.
func (x *Index) Begin(ctx context.Context) (*Tx, error) {
	return &Tx{
		x: x, ctx: ctx, written: map[string]map[string]bool{}, before: map[string][]byte{}, meta: map[string][]byte{},
		terms: map[string]map[string]bool{}, flying: make(chan struct{}, flights),
	}, nil
}

// Rollback forgets what was not sent yet.
func (t *Tx) Rollback() {
	t.batch, t.files = nil, nil
	t.wait.Wait()
}

// SetMeta sets the value of a key. What is set before the first document is written
// before it counts, and the rest after all do.
func (t *Tx) SetMeta(key string, value []byte) error {
	t.meta[key] = value
	return nil
}

func (t *Tx) object(class, key string, properties map[string]any) map[string]any {
	return map[string]any{"class": class, "tenant": t.x.name, "id": id(t.x.name, class, key), "properties": properties}
}

// Put writes a document, replacing what there was of it.
func (t *Tx) Put(f *backend.File) error {
	maps.Copy(t.before, t.meta)
	clear(t.meta)
	if err := t.x.begin(t); err != nil {
		return err
	}
	loose := 0
	ids := make(map[string]bool, len(f.Chunks))
	for i := range f.Chunks {
		c := &f.Chunks[i]
		o, unresolved, err := t.chunk(f.Path, c)
		if err != nil {
			return err
		}
		loose += unresolved
		ids[c.ID] = true
		t.batch = append(t.batch, o)
	}
	t.files = append(t.files, t.object(fileClass, f.Path, map[string]any{
		"path": f.Path, "name": f.Name, "origin": f.Origin, "hash": f.Hash, "bytes": f.Bytes, "tokens": f.Tokens,
		"lines": f.Lines, "sections": f.Sections, "chunks": len(f.Chunks), "loose": loose,
		"text": base64.StdEncoding.EncodeToString(f.Text),
	}))
	t.written[f.Path] = ids
	for len(t.batch) >= perBatch {
		if err := t.launch(t.batch[:perBatch]); err != nil {
			return err
		}
		t.batch = t.batch[perBatch:]
	}
	return nil
}

func (t *Tx) chunk(file string, c *backend.Chunk) (object map[string]any, unresolved int, err error) {
	w := &c.Words
	var targets []string
	for _, r := range c.Refs {
		if r.To == "" {
			unresolved++
			continue
		}
		targets = append(targets, r.To)
	}
	for _, term := range w.Terms {
		letter := letterOf(term)
		if t.terms[letter] == nil {
			t.terms[letter] = map[string]bool{}
		}
		t.terms[letter][term] = true
	}
	row, err := t.x.c.codec.row(c)
	if err != nil {
		return nil, 0, err
	}
	o := t.object(chunkClass, c.ID, map[string]any{
		"sid": c.ID, "file": file, "row": row, "targets": targets,
		"title_length": w.Lengths[0], "headings_length": w.Lengths[1], "body_length": w.Lengths[2],
		// The weights of the fields, as near as repeating comes to them.
		"words":  join(slices.Concat(w.Title, w.Title, w.Headings, w.Headings, w.Body)),
		"titles": join(w.Title), "terms": join(w.Terms),
	})
	if c.Vector != nil {
		o["vector"] = codeOf(c.Vector) // its length does not count, and these are shorter to write
	}
	return o, unresolved, nil
}

func join(words []string) string { return strings.Join(words, " ") }

// launch sends objects while the next are made ready, and waits when too many are
// under way.
func (t *Tx) launch(objects []map[string]any) error {
	t.flying <- struct{}{}
	t.mu.Lock()
	err := t.failed
	t.mu.Unlock()
	if err != nil {
		<-t.flying
		return err
	}
	t.wait.Go(func() {
		err := t.send(objects)
		t.mu.Lock()
		if t.failed == nil {
			t.failed = err
		}
		t.mu.Unlock()
		<-t.flying
	})
	return nil
}

// land launches objects and waits until all that were launched are there.
func (t *Tx) land(objects []map[string]any) error {
	var err error
	for part := range slices.Chunk(objects, perBatch) {
		if err = t.launch(part); err != nil {
			break
		}
	}
	t.wait.Wait()
	t.mu.Lock()
	defer t.mu.Unlock()
	return cmp.Or(err, t.failed)
}

// sweep deletes the chunks that older versions of the documents just written had more.
// They are asked for and named one by one. "All of these documents that are not of this
// version" would be one request less, and was wrong: a replica on which a write is
// still under way finds the new chunk and not yet its version, and has it deleted
// everywhere.
func (t *Tx) sweep() error {
	if t.x.fresh {
		return nil // nothing was there before
	}
	for part := range slices.Chunk(slices.Sorted(maps.Keys(t.written)), perSweep) {
		chunks, err := getOf[object](t.ctx, t.x, chunkClass, fmt.Sprintf(`limit: %d, where: %s`, maxChunks, inFiles(part)), "sid file")
		if err != nil {
			return err
		}
		var gone []string
		for _, o := range chunks {
			if !t.written[o.File][o.SID] {
				gone = append(gone, id(t.x.name, chunkClass, o.SID))
			}
		}
		if err := t.deleteChunks(gone); err != nil {
			return err
		}
	}
	return nil
}

func (t *Tx) deleteChunks(ids []string) error {
	for part := range slices.Chunk(ids, perBatch) {
		if err := t.delete(chunkClass, anyOf("id", part)); err != nil {
			return err
		}
	}
	return nil
}

// perSweep is how many documents are swept at once.
const perSweep = 20

func anyOf(property string, values []string) map[string]any {
	return map[string]any{"path": []string{property}, "operator": "ContainsAny", "valueTextArray": values}
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

// Remove deletes a document.
func (t *Tx) Remove(path string) error {
	t.removed = append(t.removed, path)
	return nil
}

// DropDanglingRefs marks the end of the run. References are stored in the chunks they
// are in, and documents with dangling ones are written again: there are none to drop.
func (t *Tx) DropDanglingRefs() error {
	t.last = true
	return nil
}

// Commit sends what is left: chunks, what must be known to use them, the documents that
// they complete, and last of all the metadata of the index. A run that ends between two
// of these is completed by the next.
func (t *Tx) Commit() error {
	if err := t.land(t.batch); err != nil {
		return err
	}
	t.batch = nil
	if err := t.sweep(); err != nil {
		return err
	}
	if err := t.learn(); err != nil {
		return err
	}
	if err := t.put("meta", t.before); err != nil {
		return err
	}
	if err := t.land(t.files); err != nil {
		return err
	}
	t.files = nil
	// The document last: as long as it is there it will be removed again.
	for part := range slices.Chunk(t.removed, perSweep) {
		if err := t.delete(chunkClass, anyOf("file", part)); err != nil {
			return err
		}
		if err := t.delete(fileClass, anyOf("path", part)); err != nil {
			return err
		}
	}
	if err := t.put("meta", t.meta); err != nil {
		return err
	}
	if t.last {
		return t.x.end(t)
	}
	return nil
}

func (t *Tx) put(kind string, values map[string][]byte) error {
	var objects []map[string]any
	for _, key := range slices.Sorted(maps.Keys(values)) {
		objects = append(objects, t.object(metaClass, key, map[string]any{"kind": kind, "key": key, "value": base64.StdEncoding.EncodeToString(values[key])}))
	}
	return t.land(objects)
}
