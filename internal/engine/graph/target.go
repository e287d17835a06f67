package graph

import (
	"path"
	"slices"
	"strings"
)

// A plan says how to find what a link leads to. It follows from the link and the
// path of its file alone.
type plan struct {
	tries  []try
	self   bool   // the file itself
	state  State  // when no try finds anything
	folder string // where the file would be, unless that is in path
	path   string // where the file would be, or under which name in folder
	anchor string
	words  bool // the anchor is the text of a heading
	hashes []uint32
}

// A try is one way to look for a file. It has one key, which the file it finds
// has too.
type try struct {
	kind   tryKind
	path   string // what to look for, without extension
	key    string // the same, folded
	prefix string // of an under: what the name begins with, folded
	file   string // the path as written, whose bearer comes first
	slash  bool   // a folder is meant
	loose  bool
}

// A tryKind says which names a try accepts.
type tryKind uint8

const (
	exact    tryKind = iota // the path
	ending                  // a path that ends with it, the whole one first
	rest                    // the same, for what is left when a site's prefix is taken off
	nearest                 // the same, the nearest first
	under                   // a path that begins and ends so
	titled                  // a title or alias
	numbered                // a heading's number, if only one file has it
	ruled                   // a rule id
)

var spaces = [...]space{wholePath, pathEnd, pathEnd, pathEnd, pathEnd, words, number, ruleID}

// hash returns the key of the try. A number of one part has none, for it is looked
// for in its own file only.
func (t *try) hash() (uint32, bool) {
	key := t.key
	if spaces[t.kind] == pathEnd {
		if key == "" {
			return 0, false
		}
		key = tail(key, maxTail)
	}
	if t.kind == numbered && !isGlobal(key) {
		return 0, false
	}
	return hashKey(spaces[t.kind], key), true
}

func (p *plan) try(t try) {
	t.key = fold(t.path)
	p.tries = append(p.tries, t)
}

// keys returns the keys of a link, valid until the next call.
func (p *plan) keys() []uint32 {
	p.hashes = p.hashes[:0]
	for i := range p.tries {
		if h, ok := p.tries[i].hash(); ok && !slices.Contains(p.hashes, h) {
			p.hashes = append(p.hashes, h)
		}
	}
	return p.hashes
}

// make makes p the plan for a link in the file src, using its memory again.
func (p *plan) make(src string, l *Link) {
	*p = plan{state: Missing, tries: p.tries[:0], hashes: p.hashes[:0]}
	switch {
	case l.Kind == Text:
		p.try(try{kind: numbered, path: l.Target})
	case l.cut:
		if hasScheme(l.Target) {
			p.state = External
		}
	case l.Kind == Macro:
		p.macro(l.Target)
	case l.Kind == Wiki:
		p.wiki(src, l.Target)
	case l.Kind == Auto:
		p.state = External
	default:
		p.url(src, strings.TrimSpace(l.Target))
	}
}

// url plans for the target of a Markdown or HTML link. Addresses that a program
// makes of names in a language, such as std::fmt, are elsewhere.
func (p *plan) url(src, target string) {
	if strings.HasPrefix(target, "{{") {
		end := strings.Index(target, "}}")
		if end < 0 || !isBase(target[2:end]) || !strings.HasPrefix(target[end+2:], "/") {
			p.shortcode(src, target)
			return
		}
		target = target[end+2:]
	}
	target = unescape(target)
	if hasScheme(target) || strings.HasPrefix(target, "//") || strings.HasPrefix(target, "`") ||
		strings.Contains(target, "::") && !strings.Contains(target, "/") {
		p.state = External
		return
	}
	target, anchor, _ := strings.Cut(target, "#")
	p.anchor = percentDecode(anchor)
	target, _, _ = strings.Cut(target, "?")
	if target == "" {
		p.self = true
		return
	}
	// A backslash is read as browsers read it; %5C is one in a name.
	target = percentDecode(strings.ReplaceAll(target, `\`, "/"))
	for _, root := range []string{"@site/", "@/", "~/"} { // what MDX and bundlers call the root
		if s, ok := strings.CutPrefix(target, root); ok {
			target = "/" + s
			break
		}
	}
	if target[0] == '/' {
		p.site(target)
	} else {
		p.relative(src, target)
	}
}

// site plans for a path from the root of a site. Where that root is among the
// folders of the corpus is unknown: the path may be the end of a file's
// ("/docs/x" is content/en/docs/x.md), or begin with a part of the address that has
// no folder ("/en-US/docs/Web/API" is the page that calls itself Web/API).
func (p *plan) site(target string) {
	full, ok := join("", target)
	if !ok {
		p.state = Outside
		return
	}
	p.path = full
	slash := strings.HasSuffix(target, "/")
	if !slash && isAsset(full) {
		p.state = Asset
		return
	}
	p.state = missingState(full, slash)
	s := trimExt(full)
	if s == "" {
		p.try(try{path: "", slash: true})
		return
	}
	if slash {
		full = ""
	}
	if isIndex(path.Base(s)) > 0 {
		if s = folder(s); s == "" {
			p.try(try{path: "", file: full, slash: true})
			return
		}
		slash = true
	}
	key := fold(s)
	p.tries = append(p.tries, try{kind: ending, path: s, key: key, file: full, slash: slash})
	for range 3 {
		first, left, found := strings.Cut(key, "/")
		if !found || !isSitePrefix(first) {
			return
		}
		key, s = left, s[strings.IndexByte(s, '/')+1:]
		p.tries = append(p.tries, try{kind: rest, path: s, key: key, slash: slash})
	}
}

// relative plans for a path from the folder of src. Many sites serve "a/b.md" as
// "a/b/" and resolve against that, so it is tried after the file's own folder.
func (p *plan) relative(src, target string) {
	slash := strings.HasSuffix(target, "/")
	full, ok := join(folder(src), target)
	p.state = Outside
	if ok {
		p.path = full
		if !slash && isAsset(full) {
			p.state = Asset
			return
		}
		p.state = missingState(full, slash)
		p.exact(full, slash, false)
	}
	page := trimExt(src)
	if isIndex(path.Base(page)) == 0 {
		if s, ok := join(page, target); ok && !isAsset(s) {
			p.exact(s, slash, true)
		}
	}
	s := strings.TrimPrefix(target, "./")
	if strings.HasPrefix(s, ".") || !ok {
		return
	}
	switch named := trimExt(strings.TrimSuffix(s, "/")); {
	case len(named) < len(s) && !slash:
		// A vault's own Markdown links name a note as its wiki links do.
		p.named(s, true)
	case strings.Contains(named, "/"):
		// A page may set the base of its addresses to the site's root.
		p.try(try{kind: ending, path: named, slash: slash, loose: true})
	case !slash:
		p.try(try{kind: ruled, path: named})
	}
}

// exact tries a path from the root, as a file and, where it names an index file,
// as a folder.
func (p *plan) exact(full string, slash, loose bool) {
	s := trimExt(full)
	t := try{path: s, file: full, slash: slash, loose: loose}
	if slash {
		t.file = "" // no file is written so
	}
	p.try(t)
	if isIndex(path.Base(s)) > 0 {
		p.try(try{path: folder(s), slash: true, loose: loose || !strings.HasSuffix(strings.ToLower(full), ".html")})
	}
}

// named tries a name as wikis have them: a path, or the end of one, of which the
// nearest is meant.
func (p *plan) named(full string, loose bool) {
	s := trimExt(full)
	t := try{kind: nearest, path: s, file: full, loose: loose}
	if dir := folder(s); dir != "" && isIndex(s[len(dir)+1:]) > 0 {
		t.path, t.slash = dir, true
	}
	p.try(t)
}

// shortcode plans for Hugo's {{< ref "page#anchor" >}} and relref. Other shortcodes
// make addresses that cannot be known here.
func (p *plan) shortcode(src, call string) {
	p.state = External
	body := strings.Trim(call, "{}<>% \t\r\n")
	name, args, _ := strings.Cut(body, " ")
	if name != "ref" && name != "relref" {
		return
	}
	args = strings.TrimPrefix(strings.TrimSpace(args), "path=")
	if args == "" {
		return
	}
	if q := args[0]; q == '"' || q == '`' || q == '\'' {
		args, _, _ = strings.Cut(args[1:], string(q))
	} else {
		args, _, _ = strings.Cut(args, " ")
	}
	target, anchor, _ := strings.Cut(args, "#")
	p.state, p.anchor = Missing, anchor
	switch {
	case target == "":
		p.self = true
	case target[0] == '/':
		p.site(target)
	default:
		full, ok := join(folder(src), target)
		if !ok {
			p.state = Outside
			return
		}
		p.path = full
		p.exact(full, false, false)
		if !strings.HasPrefix(target, ".") {
			p.named(target, false)
		}
	}
}
