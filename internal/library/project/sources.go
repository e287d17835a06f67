package project

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/docent-md/docent/answer"
	"github.com/docent-md/docent/internal/library/corpus"
	"github.com/docent-md/docent/internal/source/config"
	"github.com/docent-md/docent/internal/source/fetch"
	"github.com/docent-md/docent/internal/source/trust"
	"github.com/docent-md/docent/internal/text/human"
	"github.com/docent-md/docent/internal/text/visible"
	"github.com/docent-md/docent/internal/text/words"
)

// Where the documents of a project come from, other than from the project.
//
// AddSource fetches Markdown into a folder of the project and records in
// .docent.json where it came from; UpdateSources fetches it again. Fetching is
// the only thing here that talks to others, and nothing but these two does it.
//
// A config comes with a clone and is not trusted. It may send docent to GitHub.
// Every other address, and every git repository or archive outside the project, is fetched from
// only if the user has named it on this machine, in AddSource or with
// SourceOptions.Approve; that is remembered in the user's config folder.

// A SourceInfo is where a folder of a project's documents comes from.
type SourceInfo struct {
	Path   string `json:"path"` // the folder, relative to the project
	URL    string `json:"url"`
	Kind   string `json:"kind"` // github, llms, archive or git; folder for one that is read in place
	Branch string `json:"branch,omitempty"`
	Rev    string `json:"rev,omitempty"` // the tag or commit it is pinned to
	Commit string `json:"commit,omitempty"`
	ETag   string `json:"etag,omitempty"`
	Files  int    `json:"files"` // documents in the folder
	State  string `json:"state"` // one of the States
}

// The States of a source.
const (
	SourceFetched    = "fetched"      // the folder holds what the config says
	SourceChanged    = "changed here" // files of it were changed or removed
	SourceOther      = "other commit" // the folder holds another commit than the config says
	SourceMissing    = "not fetched"
	SourceUnapproved = "not approved" // the config leads to a place that the user has not approved
)

// SourceOptions say how sources are reached. The zero value is a good default.
type SourceOptions struct {
	Path   string // folder for AddSource to make; "" means ref-docs/ and the source's name
	Branch string // for AddSource to follow; "" means the address's, or the default one
	Rev    string // tag or commit for AddSource to stay at
	As     string // index of its own for AddSource; the project's own leaves it out

	Token     string // for GitHub's API; it is sent nowhere else, and never shown
	GitHubURL string // a GitHub Enterprise server, in place of github.com; never take it from a project

	Approve   bool                 // UpdateSources approves the places that its sources lead to
	Approvals string               // folder of approvals; "" means the user's
	Progress  func(SourceProgress) // called while something is fetched; may be nil
}

// SourceProgress says how far the fetching of a source is.
type SourceProgress struct {
	Path  string // the folder it goes to
	Bytes int64
	Total int64 // 0 where it is not known
	Files int
}

// ErrNoSource is returned, wrapped, for a name that is of no source.
var ErrNoSource = errors.New("source not found")

// A TakenError says that a folder holds another source.
type TakenError struct {
	Path string
	Held SourceInfo
}

func (e *TakenError) Error() string { return fmt.Sprintf("%s holds %s already", e.Path, e.Held.Text()) }

// An OutsideError says that a path is not in the project.
type OutsideError struct{ Path, Project string }

func (e *OutsideError) Error() string {
	return fmt.Sprintf("%s is outside the project %s", e.Path, e.Project)
}

// An UnapprovedError says that a project's config leads somewhere the user has
// not approved.
type UnapprovedError struct {
	Path  string // of the source
	Place string // where it leads
}

func (e *UnapprovedError) Error() string {
	if filepath.IsAbs(e.Place) {
		return fmt.Sprintf("source %s: %s is outside the project, and only its config names it", e.Path, e.Place)
	}
	return fmt.Sprintf("source %s: %s is not on GitHub, and only the project's config names it", e.Path, e.Place)
}

// A SourceList is what "docent sources" shows.
type SourceList struct {
	Sources []SourceInfo
}

// Sources lists the sources of a project. Nothing is fetched.
func Sources(root string, o SourceOptions) (*SourceList, error) {
	c, err := corpus.Find(root)
	if err != nil {
		return nil, err
	}
	list := &SourceList{Sources: []SourceInfo{}}
	for _, e := range c.Config.Sources {
		_ = fetch.Recover(c.Dir, e.Path) // what cannot be recovered shows as missing
		list.Sources = append(list.Sources, sourceState(c, e, o))
	}
	return list, nil
}

// sourceState looks at the folder of a source.
func sourceState(c *corpus.Corpus, e config.Source, o SourceOptions) SourceInfo {
	s := SourceInfo{Path: e.Path, URL: e.URL, Branch: e.Branch, Rev: e.Rev, Commit: e.Commit, ETag: e.ETag, State: SourceMissing}
	from, err := parseSource(c, e, o)
	if err == nil {
		s.Kind = string(from.Kind)
	}
	onDisk, ok := fetch.Look(c.Dir, e.Path)
	s.Files = onDisk.Files
	switch {
	case err == nil && unapproved(c, e.Path, from, o) != nil:
		s.State = SourceUnapproved
	case !ok:
	case !onDisk.Whole:
		s.State = SourceChanged
	case e.Commit != "" && onDisk.Commit != e.Commit:
		s.State = SourceOther
	default:
		s.State = SourceFetched
	}
	return s
}

// JSONList is what --json prints.
func (l *SourceList) JSONList() any { return l.Sources }

// Empty reports whether there are none.
func (l *SourceList) Empty() bool { return len(l.Sources) == 0 }

// WriteText writes a line a source.
func (l *SourceList) WriteText(w io.Writer) error {
	b := &strings.Builder{}
	for _, s := range l.Sources {
		fmt.Fprintf(b, "%s  %s  (%s, %s)\n", visible.Line(s.Path), visible.Line(s.Text()), human.Plural(s.Files, "file"), s.State)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// Text names the source as a person does: its address, what is followed, and the
// commit.
func (s *SourceInfo) Text() string {
	text := strings.TrimPrefix(s.URL, "https://")
	if rev := cmp.Or(s.Branch, s.Rev); rev != "" && !strings.Contains(s.URL, "/tree/") {
		text += "@" + rev
	}
	if s.Commit != "" && s.Commit != s.Rev {
		text += " at " + s.Commit[:min(len(s.Commit), 12)]
	}
	return text
}

// parseSource reads an entry of the config. Its paths count from the project.
func parseSource(c *corpus.Corpus, e config.Source, o SourceOptions) (fetch.Source, error) {
	text := e.URL
	first, _, _ := strings.Cut(text, "/")
	if !strings.Contains(text, "://") {
		at := filepath.FromSlash(text)
		if !filepath.IsAbs(at) {
			at = filepath.Join(c.Dir, at)
		}
		_, err := os.Stat(at)
		switch {
		case err == nil, filepath.IsAbs(text), strings.HasPrefix(text, "."):
			text = at
		case !strings.ContainsAny(first, ".:@"):
			text = "github.com/" + text // even if the working directory has such a path
		}
	}
	s, err := fetch.Parse(text, o.GitHubURL)
	if err != nil {
		return s, err
	}
	if s, err = s.At(cmp.Or(e.Branch, e.Rev)); err != nil {
		return s, err
	}
	if s.Kind == fetch.Folder {
		return s, fmt.Errorf("source %s: names no revision of %s", e.Path, e.URL)
	}
	return s, nil
}

// foreignPlace says where a source leads if the config alone must not choose that
// place: see the top of the file.
func foreignPlace(c *corpus.Corpus, s fetch.Source) string {
	if !s.Local() {
		if s.Foreign() {
			return s.URL
		}
		return ""
	}
	at, err := filepath.EvalSymlinks(s.URL)
	if err != nil {
		return s.URL
	}
	if rel, err := filepath.Rel(c.Dir, at); err == nil && filepath.IsLocal(rel) {
		return ""
	}
	return at
}

// unapproved says that a source leads to a place that the user has not approved.
func unapproved(c *corpus.Corpus, at string, s fetch.Source, o SourceOptions) error {
	place := foreignPlace(c, s)
	if place == "" {
		return nil
	}
	store, err := o.approvals()
	if err == nil && store.Approved(approval(place)) {
		return nil
	}
	return &UnapprovedError{Path: at, Place: place}
}

// approveWith runs do, which fetches from a place that the user named. If that works the
// place is approved.
func approveWith(c *corpus.Corpus, s fetch.Source, o SourceOptions, do func() error) error {
	place := foreignPlace(c, s)
	if place == "" {
		return do()
	}
	store, err := o.approvals()
	if err != nil {
		return err
	}
	return store.ApproveWith(approval(place), place, do)
}

func approval(place string) string { return trust.Hash("sources", place) }

func (o SourceOptions) approvals() (trust.Store, error) {
	if o.Approvals != "" {
		return trust.In(o.Approvals), nil
	}
	return trust.User()
}

// findSource returns the source that the user names: by its folder, relative to the
// working directory or to the project, by the folder's last element, or by address.
func findSource(c *corpus.Corpus, name string, o SourceOptions) (config.Source, error) {
	rel, _ := placeIn(c.Dir, name)
	clean := path.Clean(filepath.ToSlash(name))
	from, parseErr := fetch.Parse(name, o.GitHubURL)
	ways := []func(config.Source) bool{
		func(e config.Source) bool { return e.Path == rel || e.Path == clean },
		func(e config.Source) bool { return path.Base(e.Path) == clean },
		func(e config.Source) bool {
			s, err := parseSource(c, e, o)
			if err != nil || parseErr != nil || from.Rev != "" && from.Rev != s.Rev {
				return false
			}
			repo, _, _ := strings.Cut(s.URL, "/tree/")
			return strings.EqualFold(s.URL, from.URL) || strings.EqualFold(repo, from.URL)
		},
	}
	for _, is := range ways {
		var found []config.Source
		var at []string
		for _, e := range c.Config.Sources {
			if is(e) {
				found, at = append(found, e), append(at, e.Path)
			}
		}
		switch len(found) {
		case 0:
		case 1:
			return found[0], nil
		default:
			return config.Source{}, fmt.Errorf("source %s: could be %s: name the folder", name, strings.Join(at, " or "))
		}
	}
	var all []string
	for _, e := range c.Config.Sources {
		all = append(all, e.Path)
	}
	return config.Source{}, &answer.NotFoundError{Name: name, Nearest: words.Nearest(clean, all, 3), Err: ErrNoSource}
}

// placeIn gives a path, which counts from the current folder and need not exist,
// as a config in dir has it.
func placeIn(dir, p string) (string, error) {
	abs, err := filepath.Abs(p)
	if err != nil {
		return "", err
	}
	// What exists of it may be reached through links.
	there, rest := abs, ""
	for {
		real, err := filepath.EvalSymlinks(there)
		if err == nil {
			there = filepath.Join(real, rest)
			break
		}
		up := filepath.Dir(there)
		if up == there {
			there = abs
			break
		}
		there, rest = up, filepath.Join(filepath.Base(there), rest)
	}
	rel, err := filepath.Rel(dir, there)
	if err != nil {
		return "", err
	}
	local, err := config.Local(filepath.ToSlash(rel))
	if err != nil {
		return "", &OutsideError{p, dir}
	}
	return local, nil
}
