package graph

import (
	"cmp"
	"slices"
	"strings"
)

// A Segment is a part of a corpus: its tables, which of its files are gone, and how
// to learn of a file what is stored elsewhere. Path, title and sections must be
// those of the document that was extracted.
type Segment struct {
	Reader   *Reader
	Dead     map[int]bool // rows of files that are gone or replaced
	Page     func(row int) (path, title string, err error)
	Sections func(row int) ([]Section, error)
}

// A Walker answers questions about a corpus. It remembers what it has read, so
// that asking it many things is cheap; it may be used by one goroutine, and its
// memory ends with it.
type Walker struct {
	segments []Segment
	pages    map[ID]*page
	found    map[uint32]*candidates
	nums     []uint32
	plan     plan

	// Where links with long targets lead, of the file that was asked about last.
	resolvedOf *page
	resolved   map[longTarget]Edge
}

// Walk returns a Walker over the files of several segments. A path is alive in one
// of them at most.
func Walk(segments []Segment) *Walker {
	return &Walker{segments: segments, pages: map[ID]*page{}, found: map[uint32]*candidates{}}
}

func (w *Walker) alive(id ID) bool { return !w.segments[id.Segment].Dead[id.Row] }

// Out returns the references of a file, in reading order.
func (w *Walker) Out(id ID) ([]Edge, error) {
	from, err := w.page(id)
	if err != nil {
		return nil, err
	}
	c, err := w.segments[id.Segment].Reader.links(id.Row)
	if err != nil {
		return nil, err
	}
	out := make([]Edge, 0, c.left)
	for c.left > 0 {
		l := c.next(true)
		if c.err != nil {
			return nil, c.err
		}
		e, err := w.resolve(from, l)
		if err != nil {
			return nil, err
		}
		out = append(out, e)
	}
	return out, nil
}

// In returns the references that lead to a file or a place in it, its own among
// them, in the order of the paths they come from.
func (w *Walker) In(id ID) ([]Edge, error) {
	to, err := w.page(id)
	if err != nil {
		return nil, err
	}
	keys, err := w.keys(to)
	if err != nil {
		return nil, err
	}
	var out []Edge
	for s := range w.segments {
		r := w.segments[s].Reader
		nums := w.nums[:0]
		for _, k := range keys {
			if nums, err = r.targets.find(nums, k, r.Links()); err != nil {
				return nil, err
			}
		}
		// A file's links to itself need no name.
		if s == id.Segment {
			first, end, err := r.linkRange(id.Row)
			if err != nil {
				return nil, err
			}
			for n := first; n < end; n++ {
				nums = append(nums, uint32(n))
			}
		}
		slices.Sort(nums)
		w.nums = slices.Compact(nums)
		if out, err = w.landing(out, to, s, w.nums); err != nil {
			return nil, err
		}
	}
	slices.SortStableFunc(out, func(a, b Edge) int { return cmp.Compare(a.From.Path, b.From.Path) })
	return out, nil
}

// landing appends those of the numbered links of a segment that lead to a page.
func (w *Walker) landing(out []Edge, to *page, s int, nums []uint32) ([]Edge, error) {
	r := w.segments[s].Reader
	for len(nums) > 0 {
		row, err := r.fileOf(int(nums[0]))
		if err != nil {
			return nil, err
		}
		first, end, err := r.linkRange(row)
		if err != nil {
			return nil, err
		}
		n, _ := slices.BinarySearch(nums, uint32(end))
		mine := nums[:n]
		nums = nums[n:]
		id := ID{s, row}
		if !w.alive(id) {
			continue
		}
		from, err := w.page(id)
		if err != nil {
			return nil, err
		}
		c, err := r.links(row)
		if err != nil {
			return nil, err
		}
		for num := first; len(mine) > 0; num++ {
			want := num == int(mine[0])
			l := c.next(want)
			if c.err != nil {
				return nil, c.err
			}
			if !want {
				continue
			}
			mine = mine[1:]
			e, err := w.resolve(from, l)
			if err != nil {
				return nil, err
			}
			if (e.State == Found || e.State == NoAnchor) && e.To.File == to.id {
				out = append(out, e)
			}
		}
	}
	return out, nil
}

// keys returns the keys under which references to a page are filed.
func (w *Walker) keys(p *page) ([]uint32, error) {
	if err := w.name(p); err != nil {
		return nil, err
	}
	at, err := w.places(p)
	if err != nil {
		return nil, err
	}
	keys := at.numbers.keys(nameKeys(nil, p.named.paths, p.title, p.named.declared), p.path)
	for _, a := range at.extra {
		keys = append(keys, hashKey(ruleID, fold(a.ID)))
	}
	slices.Sort(keys)
	return slices.Compact(keys), nil
}

// Files returns where the file of an edge that is an Asset, or Missing, may lie,
// most likely first. Which of them is there is for the caller to see: this package
// opens no files. All are paths within the corpus.
//
// A path from the root of a site is looked for under the folders that hold the page,
// and in what generators call their static files; a wiki's embed under the folders
// that hold the page, and in those beside it that hold attachments.
func (e Edge) Files() []string {
	if e.Path == "" {
		return nil
	}
	var beside []string
	switch {
	case e.Kind == Wiki:
		beside = []string{"", "attachments", "assets", "images", "Attachments"}
	case strings.HasPrefix(e.Target, "/"):
		beside = []string{"", "static", "public", "assets"}
	default:
		return []string{e.Path}
	}
	var out []string
	add := func(dir string) {
		for _, b := range beside {
			if p, ok := join(dir, b+"/"+e.Path); ok {
				out = append(out, p)
			}
		}
	}
	if e.Kind != Wiki {
		add("")
	}
	for dir := folder(e.From.Path); dir != "" && len(out) < 64; dir = folder(dir) {
		add(dir)
	}
	if e.Kind == Wiki {
		add("")
	}
	return out
}
