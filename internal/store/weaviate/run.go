package weaviate

import (
	"fmt"
	"slices"
	"strconv"
	"time"
)

// A run says that it has begun, and takes that back when it ends. What a run that was
// killed has left is made good by the next: most of it is overwritten, since the
// documents do not count yet. Chunks of documents that are gone by then are orphans, and
// swept away, unless they are so young that another run may be about to complete them.

// orphanAge is the age from which on a chunk without its document is an orphan.
const orphanAge = 10 * time.Minute

const runKind = "run"

func (x *Index) runKey() string { return "run:" + x.run }

// begin says that the run has begun.
func (x *Index) begin(t *Tx) error {
	if x.begun {
		return nil
	}
	if !x.fresh {
		args := fmt.Sprintf(`limit: %d, where: {path: ["kind"], operator: Equal, valueText: "%s"}`, perPage, runKind)
		runs, err := getOf[struct{ Key string }](t.ctx, x, metaClass, args, "key")
		if err != nil {
			return err
		}
		for _, o := range runs {
			x.left = append(x.left, o.Key)
		}
	}
	x.begun = true
	return t.put(runKind, map[string][]byte{x.runKey(): nil})
}

// end sweeps what others left, and takes back what begin said.
func (x *Index) end(t *Tx) error {
	if !x.begun {
		return nil
	}
	over := []string{x.runKey()}
	if len(x.left) > 0 {
		all, err := t.orphans(time.Now().Add(-orphanAge))
		if err != nil {
			return err
		}
		if all {
			over = append(over, x.left...)
			x.left = nil
		}
	}
	for i := range over {
		over[i] = id(x.name, metaClass, over[i])
	}
	x.begun = false
	return t.delete(metaClass, anyOf("id", over))
}

// orphans deletes the chunks without a document that were written before some time, and
// reports whether these were all.
func (t *Tx) orphans(before time.Time) (all bool, err error) {
	files, err := t.x.Files(t.ctx)
	if err != nil {
		return false, err
	}
	known := make(map[string]bool, len(files))
	for _, f := range files {
		known[f.Path] = true
	}
	var gone []string
	all = true
	err = eachOf(t.ctx, t.x, chunkClass, "file _additional {id lastUpdateTimeUnix}", func(o listed) string {
		if !known[o.File] {
			if ms, err := strconv.ParseInt(o.Additional.Updated, 10, 64); err != nil || ms >= before.UnixMilli() {
				all = false
			} else {
				gone = append(gone, o.Additional.ID)
			}
		}
		return o.Additional.ID
	})
	if err != nil {
		return false, err
	}
	slices.Sort(gone)
	return all, t.deleteChunks(gone)
}

// listed is a chunk in a list of all of them.
type listed struct {
	File       string
	Additional struct {
		ID      string
		Updated string `json:"lastUpdateTimeUnix"`
	} `json:"_additional"`
}
