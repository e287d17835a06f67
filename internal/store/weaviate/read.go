package weaviate

import (
	"cmp"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/docent-md/docent/internal/store/backend"
)

// An Index is one index of a cluster. It may be asked by many goroutines at once, and
// written to by one.
type Index struct {
	c    *Client
	name string

	fresh bool             // nothing was there when it was opened to be written to
	run   string           // of the run that writes
	begun bool             // it has said so
	left  []string         // what runs that did not end have said
	lists map[string]*list // of terms, by letter
}

// Open returns the index of that name.
func (c *Client) Open(ctx context.Context, name string) (*Index, error) {
	if err := checkName(name); err != nil {
		return nil, err
	}
	if _, err := c.Check(ctx); err != nil {
		return nil, err
	}
	have, err := c.Indexes(ctx)
	if err != nil {
		return nil, err
	}
	if !slices.Contains(have, name) {
		return nil, &NoIndexError{name, have}
	}
	return &Index{c: c, name: name}, nil
}

// A NoIndexError is what Open returns for an index that is not there.
type NoIndexError struct {
	Name string
	Have []string // the indexes that are
}

func (e *NoIndexError) Error() string {
	if len(e.Have) == 0 {
		return fmt.Sprintf("the cluster has no index %s, and no other", e.Name)
	}
	few := strings.Join(e.Have[:min(len(e.Have), maxNamed)], ", ")
	if more := len(e.Have) - maxNamed; more > 0 {
		few += fmt.Sprintf(" and %d more", more)
	}
	return fmt.Sprintf("the cluster has no index %s, but %s", e.Name, few)
}

// maxNamed is how many indexes an error names.
const maxNamed = 12

// Is reports that an index which is not there does not exist.
func (e *NoIndexError) Is(err error) bool { return err == fs.ErrNotExist }

// Create returns the index of that name to write to, and makes it where there is none.
func (c *Client) Create(ctx context.Context, name string) (*Index, error) {
	if err := checkName(name); err != nil {
		return nil, err
	}
	if err := c.Init(ctx, 0); err != nil {
		return nil, err
	}
	fresh, err := c.addTenant(ctx, name)
	return &Index{c: c, name: name, fresh: fresh, run: strconv.FormatInt(time.Now().UnixNano(), 36), lists: map[string]*list{}}, err
}

// Close lets idle connections go.
func (x *Index) Close() error {
	x.c.http.CloseIdleConnections()
	return nil
}

// Meta returns what is stored under a key; nil when nothing is. It wants a quorum.
func (x *Index) Meta(ctx context.Context, key string) ([]byte, error) {
	var o struct {
		Properties struct {
			Value string `json:"value"`
		} `json:"properties"`
	}
	if found, err := x.object(ctx, metaClass, key, &o); !found {
		return nil, err
	}
	return base64.StdEncoding.DecodeString(o.Properties.Value)
}

// object reads one object, and reports whether it is there.
func (x *Index) object(ctx context.Context, class, key string, out any) (found bool, err error) {
	path := "/v1/objects/" + class + "/" + id(x.name, class, key) + "?consistency_level=QUORUM&tenant=" + url.QueryEscape(x.name)
	err = x.c.call(ctx, http.MethodGet, path, nil, out)
	if isStatus(err, http.StatusNotFound) {
		return false, nil
	}
	return err == nil, err
}

// Stats sum up the index.
func (x *Index) Stats(ctx context.Context) (backend.Stats, error) {
	type sum struct {
		Sum float64 `json:"sum"`
	}
	var reply struct {
		Aggregate struct {
			Chunks, Files []struct {
				Meta struct {
					Count int `json:"count"`
				} `json:"meta"`
				Title    sum `json:"title_length"`
				Headings sum `json:"headings_length"`
				Body     sum `json:"body_length"`
			}
		}
	}
	err := x.c.graph(ctx, `{Aggregate {
		chunks: `+chunkClass+`(tenant: `+str(x.name)+`) {meta {count} title_length {sum} headings_length {sum} body_length {sum}}
		files: `+fileClass+`(tenant: `+str(x.name)+`) {meta {count}}}}`, &reply)
	if err != nil {
		return backend.Stats{}, err
	}
	a := reply.Aggregate
	if len(a.Chunks) == 0 || len(a.Files) == 0 {
		return backend.Stats{}, errors.New("cluster: an answer without counts")
	}
	c := a.Chunks[0]
	return backend.Stats{
		Files: a.Files[0].Meta.Count, Chunks: c.Meta.Count, Sections: c.Meta.Count,
		Lengths: [3]uint64{uint64(c.Title.Sum), uint64(c.Headings.Sum), uint64(c.Body.Sum)},
	}, nil
}

// object is a chunk as the cluster gives it back.
type object struct{ SID, File, Row string }

func (x *Index) get(ctx context.Context, args string) ([]backend.Chunk, error) {
	objects, err := getOf[object](ctx, x, chunkClass, args, "sid file row")
	if err != nil {
		return nil, err
	}
	return x.chunks(objects)
}

// getOf returns fields of the objects of a class that the arguments ask for.
func getOf[T any](ctx context.Context, x *Index, class, args, fields string) ([]T, error) {
	var reply struct{ Get map[string][]T }
	err := x.c.graph(ctx, fmt.Sprintf(`{Get {%s(tenant: %s, %s) {%s}}}`, class, str(x.name), args, fields), &reply)
	return reply.Get[class], err
}

// perUnpack is how many rows are unpacked by one goroutine.
const perUnpack = 40

// chunks unpacks rows, by as many processors as there are.
func (x *Index) chunks(objects []object) ([]backend.Chunk, error) {
	out, failed := make([]backend.Chunk, len(objects)), make([]error, len(objects))
	var wait sync.WaitGroup
	for from := 0; from < len(objects); from += perUnpack {
		wait.Go(func() {
			for i := from; i < min(from+perUnpack, len(objects)); i++ {
				out[i], failed[i] = x.c.codec.chunk(objects[i].SID, objects[i].File, objects[i].Row)
			}
		})
	}
	wait.Wait()
	return out, cmp.Or(failed...)
}

// Candidates returns the chunks that Weaviate's BM25 ranks best.
func (x *Index) Candidates(ctx context.Context, q backend.Query) ([]backend.Chunk, error) {
	if len(q.Any) == 0 || q.K <= 0 || q.Files != nil && len(q.Files) == 0 {
		return nil, nil
	}
	var words []string
	var and []string
	for _, w := range q.Any {
		words = append(words, w.Text)
	}
	for _, group := range q.Must {
		and = append(and, hasOne(group))
	}
	if !slices.ContainsFunc(q.Any, func(w backend.Word) bool { return !w.Title }) { // only titles count
		and = append(and, hasOne(q.Any))
	}
	for _, w := range q.Not {
		and = append(and, `{path: ["words"], operator: NotEqual, valueText: `+str(w)+`}`)
	}
	if q.Files != nil {
		and = append(and, inFiles(q.Files))
	}
	return x.get(ctx, fmt.Sprintf(`limit: %d, bm25: {query: %s, properties: ["words"]}%s`, q.K, str(strings.Join(words, " ")), where(and)))
}

func hasOne(words []backend.Word) string {
	or := make([]string, len(words))
	for i, w := range words {
		property := "words"
		if w.Title {
			property = "titles"
		}
		or[i] = `{path: ["` + property + `"], operator: Equal, valueText: ` + str(w.Text) + `}`
	}
	if len(or) == 1 {
		return or[0]
	}
	return `{operator: Or, operands: [` + strings.Join(or, ", ") + `]}`
}

func inFiles(files []string) string {
	return `{path: ["file"], operator: ContainsAny, valueText: ` + strs(files) + `}`
}

func where(and []string) string {
	switch len(and) {
	case 0:
		return ""
	case 1:
		return ", where: " + and[0]
	}
	return `, where: {operator: And, operands: [` + strings.Join(and, ", ") + `]}`
}

// Near returns the k chunks whose vectors are nearest to v.
func (x *Index) Near(ctx context.Context, v []float32, k int, files []string) ([]backend.Chunk, error) {
	if k <= 0 || files != nil && len(files) == 0 {
		return nil, nil
	}
	raw, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	var and []string
	if files != nil {
		and = append(and, inFiles(files))
	}
	return x.get(ctx, fmt.Sprintf(`limit: %d, nearVector: {vector: %s}%s`, k, raw, where(and)))
}

// Words returns in how many chunks each of some words occurs.
func (x *Index) Words(ctx context.Context, words []string) ([]int, error) {
	return x.counts(ctx, "words", words)
}

// Terms returns in how many chunks each of some terms occurs as it is written.
func (x *Index) Terms(ctx context.Context, terms []string) ([]int, error) {
	return x.counts(ctx, "terms", terms)
}

// perCount is how many words are counted in one request.
const perCount = 64

func (x *Index) counts(ctx context.Context, property string, keys []string) ([]int, error) {
	out := make([]int, 0, len(keys))
	for part := range slices.Chunk(keys, perCount) {
		var b strings.Builder
		b.WriteString("{Aggregate {")
		for i, k := range part {
			fmt.Fprintf(&b, `n%d: %s(tenant: %s, where: {path: ["%s"], operator: Equal, valueText: %s}) {meta {count}}`+"\n", i, chunkClass, str(x.name), property, str(k))
		}
		b.WriteString("}}")
		var reply struct {
			Aggregate map[string][]struct {
				Meta struct {
					Count int `json:"count"`
				} `json:"meta"`
			}
		}
		if err := x.c.graph(ctx, b.String(), &reply); err != nil {
			return nil, err
		}
		for i := range part {
			n := reply.Aggregate[fmt.Sprint("n", i)]
			if len(n) == 0 {
				return nil, errors.New("cluster: an answer without counts")
			}
			out = append(out, n[0].Meta.Count)
		}
	}
	return out, nil
}

// fileObject is a document as the cluster gives it back.
type fileObject struct {
	Path, Name, Origin, Hash, Text  string
	Bytes                           int64
	Tokens, Lines, Sections, Chunks int
	Additional                      struct{ ID string } `json:"_additional"`
}

func (o *fileObject) file() backend.File {
	return backend.File{Path: o.Path, Name: o.Name, Origin: o.Origin, Hash: o.Hash, Bytes: o.Bytes, Tokens: o.Tokens, Lines: o.Lines, Sections: o.Sections, Rows: o.Chunks}
}

// perPage is how many objects are listed in one request.
const perPage = 1000

// eachOf visits all objects of a class, with some of their fields. visit returns
// the id of its object.
func eachOf[T any](ctx context.Context, x *Index, class, fields string, visit func(T) (id string)) error {
	for after := ""; ; {
		page, err := getOf[T](ctx, x, class, fmt.Sprintf(`limit: %d, after: %s`, perPage, str(after)), fields)
		if err != nil {
			return err
		}
		for _, o := range page {
			after = visit(o)
		}
		if len(page) < perPage {
			return nil
		}
	}
}

// Files lists the documents in the order of their paths, without text and chunks.
func (x *Index) Files(ctx context.Context) ([]backend.File, error) {
	out := []backend.File{}
	err := eachOf(ctx, x, fileClass, "path name origin hash bytes tokens lines sections chunks _additional {id}", func(o fileObject) string {
		out = append(out, o.file())
		return o.Additional.ID
	})
	if err != nil {
		return nil, err
	}
	slices.SortFunc(out, func(a, b backend.File) int { return strings.Compare(a.Path, b.Path) })
	return out, nil
}

// File returns a document with its text and chunks; nil when there is none.
func (x *Index) File(ctx context.Context, path string) (*backend.File, error) {
	var o struct {
		Properties fileObject `json:"properties"`
	}
	found, err := x.object(ctx, fileClass, path, &o)
	if !found {
		return nil, err
	}
	f := o.Properties.file()
	if o.Properties.Text != "" {
		if f.Text, err = base64.StdEncoding.DecodeString(o.Properties.Text); err != nil {
			return nil, fmt.Errorf("cluster: the text of %s: %w", path, err)
		}
	}
	f.Chunks, err = x.get(ctx, fmt.Sprintf(`limit: %d, where: {path: ["file"], operator: Equal, valueText: %s}`, maxChunks, str(path)))
	slices.SortFunc(f.Chunks, func(a, b backend.Chunk) int { return a.Lines[0] - b.Lines[0] })
	return &f, err
}

// maxChunks is the most chunks of a document that are read, which is the most the
// engine gives at once.
const maxChunks = 10_000

// Links returns the references in some chunks, or lead to some sections.
func (x *Index) Links(ctx context.Context, from, to []string) ([]backend.Reference, error) {
	var out []backend.Reference
	for _, key := range from {
		var o struct {
			Properties object `json:"properties"`
		}
		if found, err := x.object(ctx, chunkClass, key, &o); err != nil {
			return nil, err
		} else if !found {
			continue
		}
		c, err := x.c.codec.chunk(key, "", o.Properties.Row)
		if err != nil {
			return nil, err
		}
		out = append(out, c.Refs...)
	}
	if len(to) == 0 {
		return out, nil
	}
	back, err := x.leadingTo(ctx, to, maxBack)
	for _, r := range back {
		if !slices.Contains(from, r.From) {
			out = append(out, r)
		}
	}
	return out, err
}

// maxBack is the most chunks that are looked at for links to a section.
const maxBack = 500

// Referring returns the references that lead to some sections: of as many chunks as the
// engine gives at once for perFilter of them.
func (x *Index) Referring(ctx context.Context, to []string) ([]backend.Reference, error) {
	var out []backend.Reference
	for some := range slices.Chunk(to, perFilter) {
		refs, err := x.leadingTo(ctx, some, maxChunks)
		if err != nil {
			return nil, err
		}
		out = append(out, refs...)
	}
	return out, nil
}

// perFilter is how many sections one question about the links to them names.
const perFilter = 100

// leadingTo returns the references that lead to some sections, of some chunks at most.
func (x *Index) leadingTo(ctx context.Context, to []string, limit int) ([]backend.Reference, error) {
	chunks, err := x.get(ctx, fmt.Sprintf(`limit: %d, where: {path: ["targets"], operator: ContainsAny, valueText: %s}`, limit, strs(to)))
	var out []backend.Reference
	for _, c := range chunks {
		for _, r := range c.Refs {
			if slices.Contains(to, r.To) {
				out = append(out, r)
			}
		}
	}
	return out, err
}

// Unresolved counts the unresolved references, by document: of as many documents
// as the engine gives at once.
func (x *Index) Unresolved(ctx context.Context) (map[string]int, error) {
	type file struct {
		Path  string
		Loose int
	}
	args := fmt.Sprintf(`limit: %d, where: {path: ["loose"], operator: GreaterThan, valueInt: 0}`, maxChunks)
	files, err := getOf[file](ctx, x, fileClass, args, "path loose")
	out := map[string]int{}
	for _, f := range files {
		out[f.Path] = f.Loose
	}
	return out, err
}

// Size is not known of a cluster.
func (x *Index) Size(context.Context) int64 { return 0 }
