package browse

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/docent-md/docent/answer"
	"github.com/docent-md/docent/doc"
	"github.com/docent-md/docent/internal/library/corpus"
	"github.com/docent-md/docent/internal/library/filter"
	"github.com/docent-md/docent/internal/library/place"
	"github.com/docent-md/docent/internal/library/snapshot"
	"github.com/docent-md/docent/internal/text/markdown"
	"github.com/docent-md/docent/internal/text/visible"
)

// OutlineOptions tune a table of contents. The zero value is a good default.
type OutlineOptions struct {
	Depth  int    // deepest level shown; 0 means all of a file and none of several
	Tokens string // name of the token profile; "" means o200k
}

// Contents lists the headings of the documents that paths name, as Scan reads
// them.
func Contents(ctx context.Context, paths []string, s corpus.ScanOptions, o OutlineOptions) (*answer.Outline, answer.Report, error) {
	count, err := corpus.Counter(o.Tokens)
	if err != nil {
		return nil, answer.Report{}, err
	}
	out := &answer.Outline{Files: []answer.OutlineFile{}}
	var first *doc.Document
	report, err := corpus.Scan(ctx, paths, s, func(d *doc.Document) error {
		if out.Total.Files == 0 {
			first = d
		}
		out.Add(d, o.Depth, count)
		return nil
	})
	if err == nil && o.Depth == 0 && len(out.Files) == 1 {
		out = &answer.Outline{}
		out.Add(first, 6, count)
	}
	return out, report, err
}

// Outline lists the headings of a file of the library or, for a folder or "", of
// the files in it. Depth is the deepest level shown; 0 means all of a file and
// none of several. Only files that meet the conditions are listed.
func Outline(ctx context.Context, s snapshot.Snapshot, ref string, depth int, where []string) (*answer.Outline, error) {
	asked := time.Now()
	v, err := s.View(ctx, snapshot.Want{})
	if errors.Is(err, snapshot.ErrUnsupported) && len(where) == 0 {
		return outlineOneByOne(ctx, s, ref, depth)
	}
	if err != nil {
		return nil, err
	}
	if v, err = filter.Where(ctx, v, where, asked); err != nil {
		return nil, err
	}
	files, err := filesUnder(v, ref)
	if err != nil {
		return nil, err
	}
	if depth == 0 && len(files) == 1 {
		depth = 6
	}
	out := &answer.Outline{Files: []answer.OutlineFile{}}
	for _, k := range files {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if err := outlineFile(out, v, k, depth); err != nil {
			return nil, err
		}
	}
	if len(files) > 1 {
		out.Folders, err = foldersOf(v, files)
	}
	return out, err
}

func outlineFile(out *answer.Outline, v *snapshot.View, f snapshot.File, depth int) error {
	data, err := v.Text(f)
	if err != nil {
		return err
	}
	d := markdown.Parse(f.Path, data)
	out.Add(&d, depth, v.Policy.Count)
	return nil
}

// outlineOneByOne is Outline where not all documents are at hand: they are fetched one
// by one, unless only what is known of each is shown.
func outlineOneByOne(ctx context.Context, s snapshot.Snapshot, ref string, depth int) (*answer.Outline, error) {
	all, err := s.Files(ctx, "")
	if err != nil {
		return nil, err
	}
	names := append(place.Spellings(ref), ref)
	var files []answer.FileInfo
	for _, f := range all {
		if ref != "" && slices.Contains(names, f.File) {
			files, depth = []answer.FileInfo{f}, cmp.Or(depth, 6)
			break
		}
		if isIn(f.File, names) {
			files = append(files, f)
		}
	}
	out := &answer.Outline{Files: []answer.OutlineFile{}}
	for _, f := range files {
		if depth == 0 {
			out.AddFile(answer.OutlineFile{File: f.File, Title: f.Title, Lines: f.Lines, Tokens: f.Tokens, Count: f.Sections})
			continue
		}
		v, err := s.View(ctx, snapshot.Want{Document: f.File})
		if err != nil {
			return nil, err
		}
		k, ok, err := v.Find(f.File)
		if err != nil {
			return nil, err
		}
		if ok {
			if err := outlineFile(out, v, k, depth); err != nil {
				return nil, err
			}
		}
	}
	if len(files) == 0 && ref != "" {
		v, err := s.View(ctx, snapshot.Want{Document: ref})
		if err != nil {
			return nil, err
		}
		if file, _, _ := strings.Cut(v.Refs[ref], "#"); file != "" && file != ref { // another program's name for it
			return outlineOneByOne(ctx, s, file, depth)
		}
		return nil, &answer.NotFoundError{Name: ref, Err: answer.ErrNotFound}
	}
	return out, nil
}

// filesUnder returns the file of that path, or the files in the folder of that path.
func filesUnder(v *snapshot.View, ref string) ([]snapshot.File, error) {
	if k, ok, err := place.Lookup(v, ref); ref != "" && (ok || err != nil) {
		if err == nil && !v.Has(k.Seg, k.Row) {
			return nil, nil
		}
		return []snapshot.File{k}, err
	}
	names := place.Spellings(ref)
	all, err := v.Files()
	if err != nil || names[0] == "" {
		return all, err
	}
	var in []snapshot.File
	for _, k := range all {
		if isIn(k.Path, names) {
			in = append(in, k)
		}
	}
	if len(in) == 0 && !v.IsChosen() {
		return nil, place.NoFile(v, ref)
	}
	return in, nil
}

// isIn reports whether a file lies in one of some folders. All files lie in "".
func isIn(file string, folders []string) bool {
	return slices.ContainsFunc(folders, func(folder string) bool { return folder == "" || strings.HasPrefix(file, folder+"/") })
}

// Manifest maps the file or the files of the folder that ref names; "" means
// all.
func Manifest(ctx context.Context, v *snapshot.View, ref string) (*answer.Manifest, error) {
	files, err := filesUnder(v, ref)
	if err != nil {
		return nil, err
	}
	m := &answer.Manifest{Name: cmp.Or(visible.Line(v.Corpus.Config.Name), v.Corpus.Name), Summary: shorten(v.Corpus.Config.Description, maxSummary), Files: make([]answer.ManifestFile, 0, len(files))}
	for _, k := range files {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		f, err := manifestFile(v, k)
		if err != nil {
			return nil, err
		}
		m.Files = append(m.Files, f)
		m.Total.Files++
		m.Total.Sections += k.Info.Sections
		m.Total.Lines += f.Lines
		m.Total.Tokens += f.Tokens
	}
	paths := make([]string, len(m.Files))
	for i, f := range m.Files {
		paths[i] = f.File
	}
	if front := frontPage(paths); front >= 0 && m.Summary == "" {
		m.Summary = m.Files[front].Summary
	}
	m.Folders, err = foldersOf(v, files)
	return m, err
}

func manifestFile(v *snapshot.View, k snapshot.File) (answer.ManifestFile, error) {
	f := answer.ManifestFile{
		File: k.Path, Title: shownTitle(k.Info.Title), Summary: shorten(k.Info.Description, maxSummary),
		Lines: k.Info.Lines, Tokens: k.Info.Tokens, Headings: []answer.ManifestHeading{},
	}
	sections, err := v.Sections(k)
	if err != nil {
		return f, err
	}
	for i, s := range sections {
		if s.Anchor == "" {
			continue
		}
		lines := place.Subtree(sections, i)
		f.Headings = append(f.Headings, answer.ManifestHeading{
			Ref:   doc.Ref{Path: k.Path, Anchor: s.Anchor}.String(),
			Title: shownTitle(s.Title), Level: s.Level, Lines: [2]int{lines.Start, lines.End},
		})
	}
	if f.Summary == "" {
		data, err := v.Text(k)
		if err != nil {
			return f, err
		}
		f.Summary = shorten(markdown.Caption(data), maxSummary)
	}
	return f, nil
}

// maxSummary is the most characters of a summary.
const maxSummary = 160

// shorten cuts a text to a line of at most n characters: after a sentence where
// one ends in its second half, else after a word.
func shorten(s string, n int) string {
	s = strings.Join(strings.Fields(visible.Text(s)), " ")
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	end := 0
	for i := range s {
		if n--; n < 3 { // room for the dots
			end = i
			break
		}
	}
	cut := s[:end]
	if i := max(strings.LastIndex(cut, ". "), strings.LastIndex(cut, "! "), strings.LastIndex(cut, "? ")); i >= len(cut)/2 {
		return cut[:i+1]
	}
	if i := strings.LastIndexByte(cut, ' '); i >= len(cut)/2 {
		cut = cut[:i]
	}
	return strings.TrimRight(cut, " ,;:-") + "..."
}
