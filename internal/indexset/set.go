// Package indexset holds indexes by name and asks several of them as one.
//
// A set is a folder with a file indexes.json and one index a name. That of a project is
// in .docent/indexes. It may come with a clone, so a root outside the project is used
// only after the user chose it, which is recorded in their own configuration folder. For
// a question to "all", indexes are shortlisted by a lexical search, their descriptions
// and their centroids, which are means of base table vectors: those of adapted tables
// cannot be compared with each other.
package indexset

import (
	"cmp"
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

	"github.com/docent-md/docent/answer"
	"github.com/docent-md/docent/doc"
	"github.com/docent-md/docent/internal/engine/segment"
	"github.com/docent-md/docent/internal/library/corpus"
	"github.com/docent-md/docent/internal/library/refresh"
	"github.com/docent-md/docent/internal/source/config"
	"github.com/docent-md/docent/internal/source/trust"
	"github.com/docent-md/docent/internal/syserr"
	"github.com/docent-md/docent/internal/wholefile"
)

// All names every index of a set.
const All = "all"

// ErrNoIndex is what asking for a name returns, wrapped, that no index has.
var ErrNoIndex = errors.New("no index of that name")

// A Set holds named indexes. Those that were asked for stay open until it is closed. It
// may be used by many goroutines at once.
type Set struct {
	registry registry
	options  Options
	*members
	borrowed bool // the members are another set's to close

	noteBad sync.Once
}

// members are the indexes that were asked for.
type members struct {
	mu     sync.Mutex
	open   map[string]*member // by name; "" for the project's own documents
	closed bool
}

// A registry is the list of a set's indexes: on disk, and the roots that have a name.
type registry struct {
	dir     string // of the set; "" for none on disk
	project string // that it belongs to; "" for the user's own
	roots   []Root
	only    func(name string) bool // the indexes that the set has; nil for all
}

// Options say how the indexes of a set are opened.
type Options struct {
	refresh.Options

	Background *refresh.Background // opens and refreshes them in the background; nil waits for each
	Watch      bool                // with Background: refreshes them when files change
	Own        *refresh.Live       // the project's own documents, where they are open already; may be nil
	Roots      []Root              // that the set has besides, or instead of indexes of the same name
}

// A member is an index that was asked for.
type member struct {
	*refresh.Live
	index  answer.NamedIndex // as it was when it was opened
	shared bool              // it is not the set's to close
}

// OfProject is the set of the project that a folder belongs to; "" means the project
// that contains the working directory.
func OfProject(dir string, o Options) (*Set, error) {
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
	return newSet(registry{dir: filepath.Join(dir, ".docent", "indexes"), project: dir, roots: o.Roots}, o), nil
}

// OfUser is a set in a folder of the user's own.
func OfUser(dir string, o Options) *Set { return newSet(registry{dir: dir, roots: o.Roots}, o) }

func newSet(r registry, o Options) *Set {
	return &Set{registry: r, options: o, members: &members{}}
}

// fileName is the file that lists the indexes of a set.
const fileName = "indexes.json"

var nameForm = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,63}(@[A-Za-z0-9][A-Za-z0-9._-]{0,31})?$`)
})

// reserved are the names of other files in the folder of a set.
var reserved = []string{fileName, "lock", "CACHEDIR.TAG"}

// CheckName says why no index can have a name.
func CheckName(name string) error { return checkName(name) }

func checkName(name string) error {
	if !nameForm().MatchString(name) || name == All || strings.HasSuffix(name, ".") {
		return fmt.Errorf("index name %q: must be letters, digits, \".\", \"-\" and \"_\", 64 at most, a version may follow an \"@\", and not %q", name, All)
	}
	isReserved := func(t string) bool { return strings.EqualFold(t, name) }
	if slices.ContainsFunc(reserved, isReserved) || doc.IsMarkdown(name) {
		return fmt.Errorf("index name %q: is reserved, or reads like a file's: choose another", name)
	}
	return nil
}

func (r *registry) file() string { return filepath.Join(r.dir, fileName) }

// maxDescription is the most characters that a description has. A list may come with a
// clone, and what it says is shown to agents.
const maxDescription = 500

// A badEntry is one of the list that cannot be used. The others can.
type badEntry struct {
	name string // as it stands there, or "#3" for the third where it has none
	raw  json.RawMessage
	err  error
}

// read returns the indexes in the order of their names, and the entries that are none.
func (r *registry) read() (all []answer.NamedIndex, bad []badEntry, err error) {
	all, bad, err = r.readFile()
	if err != nil {
		return nil, nil, err
	}
	all, bad = r.choose(all, bad)
	sortByName(all)
	return all, bad, nil
}

// readFile returns the indexes on disk, and the entries that are none.
func (r *registry) readFile() (all []answer.NamedIndex, bad []badEntry, err error) {
	if r.dir == "" {
		return nil, nil, nil
	}
	raw, err := os.ReadFile(r.file())
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, err
	}
	var entries []json.RawMessage
	if err := json.Unmarshal(raw, &entries); err != nil {
		return nil, nil, fmt.Errorf("%s: %w (remove it, and make the indexes again)", r.file(), err)
	}
	for i, e := range entries {
		var n answer.NamedIndex
		err := json.Unmarshal(e, &n)
		if err == nil {
			err = checkName(n.Name)
		}
		if err != nil {
			bad = append(bad, badEntry{cmp.Or(n.Name, fmt.Sprintf("#%d", i+1)), e, err})
			continue
		}
		n.Description = shorten(n.Description)
		all = append(all, n)
	}
	return all, bad, nil
}

// shorten cuts a description that is too long.
func shorten(text string) string {
	if runes := []rune(text); len(runes) > maxDescription {
		return string(runes[:maxDescription-1]) + "…"
	}
	return text
}

// list returns the indexes in the order of their names.
func (r *registry) list() ([]answer.NamedIndex, error) {
	all, _, err := r.read()
	return all, err
}

// List returns the indexes in the order of their names. Entries that cannot be used are
// left out, and noted once, with how to remove them.
func (s *Set) List() ([]answer.NamedIndex, error) {
	all, bad, err := s.registry.read()
	if note := s.options.Note; note != nil && len(bad) > 0 {
		s.noteBad.Do(func() {
			for _, e := range bad {
				note(fmt.Sprintf("%s: an entry is left out: %v (docent indexes rm %s removes it)", s.registry.file(), e.err, quoted(e.name)))
			}
		})
	}
	return all, err
}

// quoted is a name as it can be typed at a prompt.
func quoted(name string) string {
	if nameForm().MatchString(name) {
		return name
	}
	return "'" + strings.Map(func(r rune) rune {
		if r < ' ' || r == '\'' || r > '~' {
			return -1
		}
		return r
	}, name) + "'"
}

// Find returns the index of that name, without its freshness. A name without a version
// finds the newest version, unless an index is called just so.
func (s *Set) Find(name string) (answer.NamedIndex, error) { return s.registry.find(name) }

// Has reports whether an index is called just so.
func (s *Set) Has(name string) bool {
	n, err := s.Find(name)
	return err == nil && n.Name == name
}

func sortByName(all []answer.NamedIndex) {
	slices.SortFunc(all, func(a, b answer.NamedIndex) int { return strings.Compare(a.Name, b.Name) })
}

// find returns the index of that name, without its freshness.
func (r *registry) find(name string) (answer.NamedIndex, error) {
	all, bad, err := r.read()
	if err != nil {
		return answer.NamedIndex{}, err
	}
	for _, n := range all {
		if n.Name == name {
			return n, nil
		}
	}
	if n, ok := newest(all, name); ok {
		return n, nil
	}
	for _, e := range bad {
		if e.name == name {
			return answer.NamedIndex{}, fmt.Errorf("index %s: its entry in %s cannot be used: %w (docent index --name %s <folder> makes it again)", name, r.file(), e.err, quoted(name))
		}
	}
	return answer.NamedIndex{}, noIndex(name, all)
}

// noIndex says that no index has a name, and which names there are.
func noIndex(name string, all []answer.NamedIndex) error {
	if len(all) == 0 {
		return fmt.Errorf("%w: %s (there are none: docent index --name %s <folder> makes one)", ErrNoIndex, name, name)
	}
	names := make([]string, len(all))
	for i, n := range all {
		names[i] = n.Name
	}
	return fmt.Errorf("%w: %s (there are %s)", ErrNoIndex, name, strings.Join(names, ", "))
}

// edit changes the list of indexes, one program at a time. Entries that cannot be used
// stay as they are, unless they have the name that the change is about.
func (r *registry) edit(ctx context.Context, name string, change func([]answer.NamedIndex) []answer.NamedIndex) error {
	if r.fixed() {
		return errFixed
	}
	if _, err := r.indexDir(""); err != nil {
		return err
	}
	w, err := segment.Lock(ctx, r.dir)
	if err != nil {
		return err
	}
	defer w.Close()
	all, bad, err := r.read()
	if err != nil {
		return err
	}
	all = change(all)
	sortByName(all)
	entries := []any{}
	for _, n := range all {
		entries = append(entries, n)
	}
	for _, e := range bad {
		if e.name != name {
			entries = append(entries, e.raw)
		}
	}
	raw, err := json.MarshalIndent(entries, "", "  ")
	if err != nil {
		return err
	}
	return wholefile.WriteBytes(r.file(), 0o644, append(raw, '\n'))
}

// Remove deletes an index. The documents stay. Of an entry that cannot be used nothing but
// the entry is removed: its name may lead anywhere.
func (s *Set) Remove(ctx context.Context, name string) error {
	n, err := s.Find(name)
	if err == nil && n.Name != name {
		return fmt.Errorf("%w: %s (there is %s)", ErrNoIndex, name, n.Name)
	}
	if _, bad, readErr := s.registry.read(); err != nil && readErr == nil {
		isName := func(e badEntry) bool { return e.name == name }
		if slices.ContainsFunc(bad, isName) {
			return s.registry.edit(ctx, name, func(all []answer.NamedIndex) []answer.NamedIndex { return all })
		}
	}
	if err != nil {
		return err
	}
	err = s.registry.edit(ctx, name, func(all []answer.NamedIndex) []answer.NamedIndex {
		return slices.DeleteFunc(all, func(x answer.NamedIndex) bool { return x.Name == name })
	})
	if err != nil {
		return err
	}
	// Windows deletes no segment that someone has mapped. The index is gone with its entry; what is left of it goes when
	// its folder is used again.
	if err := os.RemoveAll(filepath.Join(s.registry.dir, name)); !syserr.InUse(err) {
		return err
	}
	return nil
}

// corpus is what an index covers.
func (r *registry) corpus(n answer.NamedIndex) (*corpus.Corpus, error) {
	root := n.Root
	if !filepath.IsAbs(root) {
		if r.project == "" || !filepath.IsLocal(filepath.FromSlash(root)) {
			return nil, fmt.Errorf("index %s: its folder %q is none", n.Name, n.Root)
		}
		root = filepath.Join(r.project, filepath.FromSlash(root))
	} else if err := r.checkRoot(n.Name, root); err != nil {
		return nil, err
	}
	c, err := corpus.Find(root)
	if err != nil {
		return nil, fmt.Errorf("index %s: %w", n.Name, err)
	}
	// A link, or the index of another folder, may have led elsewhere.
	if r.project != "" && !corpus.Within(r.project, c.Dir) {
		if err := r.checkRoot(n.Name, c.Dir); err != nil {
			return nil, err
		}
	}
	c.Vary(n.Windows, n.Ignore)
	c.IndexDir, err = r.indexDir(n.Name)
	return c, err
}

// indexDir is the folder of an index. One that a link leads out of the project is not
// written to: a clone may come with such links.
func (r *registry) indexDir(name string) (string, error) {
	dir := filepath.Join(r.dir, name)
	if r.project != "" && !corpus.Within(r.project, dir) {
		return "", fmt.Errorf("index %s: %s leads out of the project", name, dir)
	}
	return dir, nil
}

// approveWith runs do, which indexes a folder outside the project that the user chose. If
// that works the folder is approved.
func (r *registry) approveWith(root string, do func() error) error {
	if r.project == "" {
		return do()
	}
	approvals, err := trust.User()
	if err != nil {
		return fmt.Errorf("index of %s, which is outside the project: %w", root, err)
	}
	return approvals.ApproveWith(trust.Hash("index", r.project, root), fmt.Sprintf("%s may index %s", r.project, root), do)
}

// checkRoot refuses a folder outside the project that the user did not choose.
func (r *registry) checkRoot(name, root string) error {
	if r.project == "" {
		return nil
	}
	approvals, err := trust.User()
	if err == nil && approvals.Approved(trust.Hash("index", r.project, root)) {
		return nil
	}
	return fmt.Errorf("index %s: %s is outside the project, and you have not approved it: docent index --name %s %s does", name, root, name, root)
}
