package graph

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// A link may name a place by the anchor of any of the programs that make sites of
// Markdown. They agree on the letters and digits of a heading and differ in all
// else:
//
//	GitHub, Docusaurus, Hugo  spaces "-", other punctuation gone, "_" kept, "-1" for the second
//	GitLab, mdBook            the same; GitLab makes several "-" one
//	VitePress, VuePress       punctuation "-", several "-" one, accents off, "_" before a digit
//	MkDocs                    ASCII letters only, several "-" one, "_1" for the second
//	Jekyll (kramdown), Pandoc nothing before the first letter
//	MDN                       spaces "_", "_2" for the second
//	Sphinx, Bitbucket, Gitea  punctuation "-"; prefixes "markdown-header-", "user-content-"
//	Obsidian                  the heading's text
//
// So places are compared in full first, and then by their letters and digits alone, in
// lower case and without accents; repeats are told by a number at the end.

// places are the places of a file that can be pointed at.
type places struct {
	sections []Section
	extra    []Anchor
	numbers  numbers
	exact    map[string]int
	bare     map[string][]int // sections by the letters and digits of their titles and anchors
	titles   map[string][]int // by those of their titles
	ends     []int            // where what is under each section ends
}

func (w *Walker) places(p *page) (*places, error) {
	if p.places != nil {
		return p.places, nil
	}
	seg := &w.segments[p.id.Segment]
	sections, err := seg.Sections(p.id.Row)
	if err != nil {
		return nil, err
	}
	extra, err := seg.Reader.Anchors(p.id.Row)
	if err != nil {
		return nil, err
	}
	at := &places{sections: sections, extra: extra}
	at.numbers = numbersOf(func(i int) string { return sections[i].Title }, len(sections))
	p.places = at
	return at, nil
}

// find returns the section that an anchor means. With words it may be the text of a
// heading, or several, each under the one before: "A#B".
func (a *places) find(anchor string, words bool) (int, bool) {
	if len(a.sections) == 0 {
		return 0, false
	}
	if a.exact == nil {
		a.exact = map[string]int{}
		for _, x := range slices.Backward(a.extra) {
			a.exact[x.ID] = min(x.Section, len(a.sections)-1)
		}
		for i := len(a.sections) - 1; i >= 0; i-- {
			if s := a.sections[i].Anchor; s != "" {
				a.exact[s] = i
			}
		}
	}
	if i, ok := a.exact[anchor]; ok {
		return i, true
	}
	if words {
		if strings.HasPrefix(anchor, "^") {
			return 0, false
		}
		if i, ok := a.under(anchor); ok {
			return i, true
		}
	}
	anchor, _, _ = strings.Cut(anchor, ":~:") // a text fragment
	for _, pre := range []string{"user-content-", "markdown-header-", "r-"} {
		if s, ok := strings.CutPrefix(anchor, pre); ok {
			if i, ok := a.exact[s]; ok {
				return i, true
			}
			if pre != "r-" {
				anchor = s
			}
		}
	}
	anchor = strings.Trim(anchor, "/")
	if anchor == "" || strings.EqualFold(anchor, "top") {
		return 0, true
	}
	if i, ok := a.line(anchor); ok {
		return i, true
	}
	return a.loose(anchor)
}

// line finds the section of GitHub's "L15" and "L15-L20".
func (a *places) line(anchor string) (int, bool) {
	s, ok := strings.CutPrefix(anchor, "L")
	if !ok {
		return 0, false
	}
	s, _, _ = strings.Cut(s, "-")
	n, err := strconv.Atoi(s)
	if err != nil {
		return 0, false
	}
	i := slices.IndexFunc(a.sections, func(s Section) bool { return s.Lines.Start <= n && n <= s.Lines.End })
	return max(i, 0), i >= 0
}

// loose finds a section by letters and digits.
func (a *places) loose(anchor string) (int, bool) {
	if a.bare == nil {
		a.bare = map[string][]int{}
		add := func(s string, i int) {
			for _, key := range []string{bare(s), strings.TrimLeftFunc(bare(s), unicode.IsDigit)} {
				if list := a.bare[key]; key != "" && (len(list) == 0 || list[len(list)-1] != i) {
					a.bare[key] = append(list, i)
				}
			}
		}
		for i, s := range a.sections {
			add(s.Title, i)
			// An anchor that is the title and a number only tells repeats apart.
			if n, ok := strings.CutPrefix(bare(s.Anchor), bare(s.Title)); !ok || strings.Trim(n, "0123456789") != "" {
				add(s.Anchor, i)
			}
		}
		for _, x := range a.extra {
			if key := bare(x.ID); key != "" {
				a.bare[key] = append(a.bare[key], min(x.Section, len(a.sections)-1))
			}
		}
	}
	if list := a.bare[bare(anchor)]; len(list) > 0 {
		return list[0], true
	}
	cut := strings.TrimRight(anchor, "0123456789")
	if n, err := strconv.Atoi(anchor[len(cut):]); err == nil && len(cut) > 1 && n > 0 {
		sep := cut[len(cut)-1]
		list := a.bare[bare(cut)]
		// MDN, whose words are joined by "_", counts the second as 2; others as 1.
		if sep == '_' && n > 1 && !strings.Contains(cut, "-") {
			n--
		}
		if (sep == '-' || sep == '_') && n < len(list) {
			return list[n], true
		}
	}
	return 0, false
}

// under finds a section by the text of its heading, and of those above it.
func (a *places) under(path string) (int, bool) {
	if a.titles == nil {
		a.titles, a.ends = map[string][]int{}, make([]int, len(a.sections))
		for i := len(a.sections) - 1; i >= 0; i-- {
			s := &a.sections[i]
			a.ends[i] = max(a.ends[i], i+1)
			if s.Parent >= 0 && s.Parent < i {
				a.ends[s.Parent] = max(a.ends[s.Parent], a.ends[i])
			}
		}
		for i, s := range a.sections {
			key := bare(s.Title)
			a.titles[key] = append(a.titles[key], i)
		}
	}
	from, end, found := 0, len(a.sections), -1
	for text := range strings.SplitSeq(path, "#") {
		key := bare(text)
		if key == "" {
			continue
		}
		list := a.titles[key]
		n, _ := slices.BinarySearch(list, from)
		if n == len(list) || list[n] >= end {
			return 0, false
		}
		found = list[n]
		// A page without a heading of its own is called like its file, and is no heading.
		if found == 0 && a.sections[0].Anchor == "" && n+1 < len(list) && list[n+1] < end {
			found = list[n+1]
		}
		from, end = found+1, a.ends[found]
	}
	return found, found >= 0
}

// bare returns the letters and digits of s, in lower case and without accents.
func bare(s string) string {
	if strings.ContainsFunc(s, func(r rune) bool { return r >= utf8.RuneSelf }) {
		s = norm.NFKD.String(s)
	}
	b := make([]byte, 0, len(s))
	for _, r := range s {
		switch {
		case r < utf8.RuneSelf:
			if c := byte(r); isDigit(c) {
				b = append(b, c)
			} else if isLetter(c) {
				b = append(b, c|0x20)
			}
		case unicode.IsLetter(r) || unicode.IsDigit(r):
			b = utf8.AppendRune(b, unicode.ToLower(r))
		}
	}
	return string(b)
}
