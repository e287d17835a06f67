package docent

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/docent-md/docent/doc"
	"github.com/docent-md/docent/internal/engine/embed"
	"github.com/docent-md/docent/internal/engine/segment"
	"github.com/docent-md/docent/internal/engine/vector"
	"github.com/docent-md/docent/internal/source/config"
	"github.com/docent-md/docent/internal/source/trust"
	"github.com/docent-md/docent/internal/wholefile"
)

// Named indexes.
//
// A catalogue is a folder with a file catalogue.json and one index a name. That of
// a project lies in .docent/indexes; it comes with a clone, so a root outside the
// project counts only when the user put it there, which is remembered in their own
// configuration folder. Names, descriptions and centroids are what a question to
// "all" is shortlisted by. Centroids are means of vectors by the table as it
// ships: adapted tables cannot be compared with each other.

// A NamedIndex is an index with a name.
type NamedIndex struct {
	Name        string    `json:"name"`
	Description string    `json:"description"`
	Root        string    `json:"root"`              // the folder; relative to the project where it lies in it
	Windows     bool      `json:"windows,omitempty"` // cut into overlapping windows of 64 to 320 tokens
	Ignore      []string  `json:"ignore,omitempty"`
	Files       int       `json:"files"`
	Chunks      int       `json:"chunks"`
	Model       string    `json:"model"`
	Updated     time.Time `json:"updated"`
	Centroid    []float32 `json:"centroid,omitempty"`
	Freshness   string    `json:"freshness,omitempty"` // what Inspect found; never kept
}

// NamedOptions say how a named index is made. The zero value is a good default.
type NamedOptions struct {
	Windows  bool     // overlapping windows instead of sections
	Sections bool     // sections again, where there were windows
	Ignore   []string // more patterns to skip; nil keeps those there were
	Options           // Embed and Model choose the embedder
}

// A Catalogue holds named indexes.
type Catalogue struct {
	dir     string // of the catalogue
	project string // that it belongs to; "" for the user's own
}

// All names every index of a catalogue.
const All = "all"

// shortlist is how many indexes a question to all of them is put to.
const shortlist = 5

// ErrNoIndex is what asking for a name returns, wrapped, that no index has.
var ErrNoIndex = errors.New("docent: no index of that name")

// ProjectCatalogue is the catalogue of the project that a folder belongs to; ""
// means the one one stands in.
func ProjectCatalogue(dir string) (*Catalogue, error) {
	if dir == "" {
		dir = "."
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	if file, ok := config.Find(dir); ok {
		dir = filepath.Dir(file)
	}
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real
	}
	return &Catalogue{dir: filepath.Join(dir, ".docent", "indexes"), project: dir}, nil
}

// UserCatalogue is a catalogue in a folder of the user's own.
func UserCatalogue(dir string) *Catalogue { return &Catalogue{dir: dir} }

var nameForm = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$`) })

// taken are names of files beside the indexes.
var taken = []string{catalogueName, "lock", "CACHEDIR.TAG"}

func checkName(name string) error {
	if !nameForm().MatchString(name) || name == All || strings.HasSuffix(name, ".") {
		return fmt.Errorf("index name %q: must be letters, digits, \".\", \"-\" and \"_\", 64 at most, and not %q", name, All)
	}
	isTaken := func(t string) bool { return strings.EqualFold(t, name) }
	if slices.ContainsFunc(taken, isTaken) || doc.IsMarkdown(name) {
		return fmt.Errorf("index name %q: is taken, or would read as a file's: choose another", name)
	}
	return nil
}

// List returns the indexes in the order of their names.
func (c *Catalogue) List() ([]NamedIndex, error) {
	raw, err := os.ReadFile(c.file())
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var all []NamedIndex
	if err := json.Unmarshal(raw, &all); err != nil {
		return nil, fmt.Errorf("%s: %w (remove it, and make the indexes again)", c.file(), err)
	}
	for _, n := range all {
		if err := checkName(n.Name); err != nil {
			return nil, fmt.Errorf("%s: %w", c.file(), err)
		}
	}
	slices.SortFunc(all, func(a, b NamedIndex) int { return strings.Compare(a.Name, b.Name) })
	return all, nil
}

const catalogueName = "catalogue.json"

func (c *Catalogue) file() string { return filepath.Join(c.dir, catalogueName) }

// Find returns the index of that name, without its freshness.
func (c *Catalogue) Find(name string) (NamedIndex, error) {
	all, err := c.List()
	if err != nil {
		return NamedIndex{}, err
	}
	for _, n := range all {
		if n.Name == name {
			return n, nil
		}
	}
	return NamedIndex{}, noIndex(name, all)
}

// noIndex says that no index has a name, and which names there are.
func noIndex(name string, all []NamedIndex) error {
	if len(all) == 0 {
		return fmt.Errorf("%w: %s (there are none: docent index --name %s <folder> makes one)", ErrNoIndex, name, name)
	}
	names := make([]string, len(all))
	for i, n := range all {
		names[i] = n.Name
	}
	return fmt.Errorf("%w: %s (there are %s)", ErrNoIndex, name, strings.Join(names, ", "))
}

// Has says why there is no index of that name, or nothing when there is one.
func (c *Catalogue) Has(name string) error {
	_, err := c.Find(name)
	return err
}

// Same reports whether an index is still made of the same documents, in the same way,
// as it was when the catalogue said before of it, and was not written since by whoever
// makes named indexes.
func (n *NamedIndex) Same(before *NamedIndex) bool {
	return n.Name == before.Name && n.Root == before.Root && n.Windows == before.Windows && slices.Equal(n.Ignore, before.Ignore) && n.Updated.Equal(before.Updated)
}

// edit changes the catalogue, one program at a time.
func (c *Catalogue) edit(ctx context.Context, change func([]NamedIndex) []NamedIndex) error {
	if _, err := c.store(""); err != nil {
		return err
	}
	w, err := segment.Lock(ctx, c.dir)
	if err != nil {
		return err
	}
	defer w.Close()
	all, err := c.List()
	if err != nil {
		return err
	}
	all = change(all)
	if all == nil {
		all = []NamedIndex{}
	}
	slices.SortFunc(all, func(a, b NamedIndex) int { return strings.Compare(a.Name, b.Name) })
	raw, err := json.MarshalIndent(all, "", "  ")
	if err != nil {
		return err
	}
	return wholefile.WriteBytes(c.file(), 0o644, append(raw, '\n'))
}

// IndexDirectory makes the index of a folder under a name, or brings it up to date. A
// root of "" means the folder it was made of; what else is not said stays as it is.
func (c *Catalogue) IndexDirectory(ctx context.Context, name, description, root string, o NamedOptions) (*NamedIndex, error) {
	if err := checkName(name); err != nil {
		return nil, err
	}
	n := NamedIndex{Name: name, Description: description, Windows: o.Windows, Ignore: o.Ignore}
	chosen := root != "" // by the user, which is to approve of it
	fresh := true
	all, err := c.List()
	if err != nil {
		return nil, err
	}
	for _, was := range all {
		if was.Name != name && strings.EqualFold(was.Name, name) { // one folder, where case does not count
			return nil, fmt.Errorf("index name %q: there is %q already", name, was.Name)
		}
		if was.Name != name {
			continue
		}
		fresh = false
		if description == "" {
			n.Description = was.Description
		}
		if root == "" {
			if root = filepath.FromSlash(was.Root); !filepath.IsAbs(root) {
				root = filepath.Join(c.project, root)
			}
		}
		n.Windows = o.Windows || was.Windows && !o.Sections
		if o.Ignore == nil {
			n.Ignore = was.Ignore
		}
	}
	abs, err := filepath.Abs(root)
	if err != nil {
		return nil, err
	}
	if real, err := filepath.EvalSymlinks(abs); err == nil {
		abs = real
	}
	n.Root = abs
	if rel, err := filepath.Rel(c.project, abs); c.project != "" && err == nil && within(c.project, abs) {
		n.Root = filepath.ToSlash(rel)
	} else if chosen {
		if err := c.approve(abs); err != nil {
			return nil, err
		}
	}
	if _, err := os.Lstat(filepath.Join(c.dir, name)); err == nil {
		fresh = false
	}
	lib, err := c.open(ctx, n, o.Options)
	if err != nil {
		if fresh {
			c.clear(name)
		}
		return nil, err
	}
	defer lib.Close()
	s := lib.Status()
	n.Files, n.Chunks, n.Model, n.Updated = s.Files, s.Chunks, s.Model, s.Updated
	if n.Centroid, err = lib.centroid(ctx); err != nil {
		return nil, err
	}
	return &n, c.edit(ctx, func(all []NamedIndex) []NamedIndex {
		all = slices.DeleteFunc(all, func(x NamedIndex) bool { return x.Name == name })
		return append(all, n)
	})
}

// clear takes away the folder of an index that came to nothing, and the folders
// around it where they are empty.
func (c *Catalogue) clear(name string) {
	dir, err := c.store(name)
	if err != nil || c.Has(name) == nil {
		return
	}
	_ = os.RemoveAll(dir)
	_ = os.Remove(c.dir)
	_ = os.Remove(filepath.Dir(c.dir))
}

// Remove deletes an index. The documents stay.
func (c *Catalogue) Remove(ctx context.Context, name string) error {
	if _, err := c.Find(name); err != nil {
		return err
	}
	err := c.edit(ctx, func(all []NamedIndex) []NamedIndex {
		return slices.DeleteFunc(all, func(x NamedIndex) bool { return x.Name == name })
	})
	if err != nil {
		return err
	}
	return os.RemoveAll(filepath.Join(c.dir, name))
}

// Open opens one index.
func (c *Catalogue) Open(ctx context.Context, name string, o Options) (*Library, error) {
	n, err := c.Find(name)
	if err != nil {
		return nil, err
	}
	return c.open(ctx, n, o)
}

func (c *Catalogue) open(ctx context.Context, n NamedIndex, o Options) (*Library, error) {
	corpus, err := c.corpus(n, o)
	if err != nil {
		return nil, err
	}
	return corpus.openFresh(ctx, o)
}

// Inspect compares an index with its documents, and changes neither: its counts are
// those of now, and its freshness is in words.
func (c *Catalogue) Inspect(ctx context.Context, n NamedIndex) NamedIndex {
	n.Freshness = ""
	corpus, err := c.corpus(n, Options{})
	switch {
	case errors.Is(err, ErrNoPath):
		n.Freshness = "its folder is gone"
		return n
	case err != nil:
		n.Freshness = strings.TrimPrefix(err.Error(), "index "+n.Name+": ")
		return n
	}
	lib, err := corpus.openStore()
	if err == nil {
		defer lib.Close()
		s := lib.Status()
		n.Files, n.Chunks, n.Model, n.Updated = s.Files, s.Chunks, s.Model, s.Updated
		n.Freshness, err = lib.changedSince(ctx)
	}
	if unusable(err) {
		n.Freshness = "made anew when it is next asked"
	} else if err != nil {
		n.Freshness = err.Error()
	}
	return n
}

// changedSince says how many files have changed since they were indexed.
func (l *Library) changedSince(ctx context.Context) (string, error) {
	entries, _, err := l.source.list(ctx, nil)
	if err != nil {
		return "", err
	}
	d, err := l.compare(entries)
	switch {
	case err != nil:
		return "", err
	case d.rebuild:
		return "most files have changed", nil
	case d.count() > 0:
		return plural(d.count(), "file") + " changed since", nil
	}
	return "fresh", nil
}

// corpus is what an index covers.
func (c *Catalogue) corpus(n NamedIndex, o Options) (*corpus, error) {
	root := n.Root
	if !filepath.IsAbs(root) {
		if c.project == "" || !filepath.IsLocal(filepath.FromSlash(root)) {
			return nil, fmt.Errorf("index %s: its folder %q is none", n.Name, n.Root)
		}
		root = filepath.Join(c.project, filepath.FromSlash(root))
	} else if err := c.checkRoot(n.Name, root); err != nil {
		return nil, err
	}
	corpus, err := findCorpus(root)
	if err != nil {
		return nil, fmt.Errorf("index %s: %w", n.Name, err)
	}
	// A link, or the index of another folder, may have led elsewhere.
	if c.project != "" && !within(c.project, corpus.dir) {
		if err := c.checkRoot(n.Name, corpus.dir); err != nil {
			return nil, err
		}
	}
	own := *corpus.config
	own.Ignore = append(slices.Clone(own.Ignore), n.Ignore...)
	corpus.config, corpus.window = &own, n.Windows
	if n.Windows {
		own.ChunkMax, own.ChunkMin, own.ChunkDepth = 320, 64, 2
	}
	if corpus.store, err = c.store(n.Name); err != nil {
		return nil, err
	}
	corpus.assist(o)
	return corpus, corpus.choose(o)
}

// store is the folder of an index. One that a link leads out of the project is not
// written to: a clone may come with such links.
func (c *Catalogue) store(name string) (string, error) {
	dir := filepath.Join(c.dir, name)
	if c.project != "" && !within(c.project, dir) {
		return "", fmt.Errorf("index %s: %s leads out of the project", name, dir)
	}
	return dir, nil
}

// approve remembers that the user chose a folder outside the project.
func (c *Catalogue) approve(root string) error {
	if c.project == "" {
		return nil
	}
	s, err := trust.User()
	if err != nil {
		return fmt.Errorf("index of %s, which lies outside the project: %w", root, err)
	}
	return s.Approve(trust.Hash("index", c.project, root), fmt.Sprintf("%s may index %s", c.project, root))
}

// checkRoot refuses a folder outside the project that the user did not choose.
func (c *Catalogue) checkRoot(name, root string) error {
	if c.project == "" {
		return nil
	}
	s, err := trust.User()
	if err == nil && s.Approved(trust.Hash("index", c.project, root)) {
		return nil
	}
	return fmt.Errorf("index %s: %s lies outside the project, and you have not approved it: docent index --name %s %s does", name, root, name, root)
}

// centroid is what the library is about, by the table as it ships.
func (l *Library) centroid(ctx context.Context) ([]float32, error) {
	m, err := embed.NewModel(embed.Base(), nil)
	if err != nil {
		return nil, err
	}
	files, err := l.live()
	if err != nil {
		return nil, err
	}
	b, err := vector.NewBuilder(embed.Dim)
	if err != nil {
		return nil, err
	}
	e := m.NewEncoder()
	for i, k := range files {
		if err := now(ctx, i); err != nil {
			return nil, err
		}
		sections, err := l.sections(k)
		if err != nil {
			return nil, err
		}
		var titles []string
		for _, s := range sections {
			titles = append(titles, s.Title)
		}
		v := e.Document([]string{k.file.Title}, k.file.Description+"\n"+strings.Join(titles, "\n"))
		if err := b.AddCode(v.Values[:]); err != nil {
			return nil, err
		}
	}
	r, err := vector.Open(b.Bytes())
	if err != nil {
		return nil, err
	}
	var c vector.Centroid
	err = c.Add(r, nil)
	return c.Vector(), err
}
