package mcp

import (
	"context"
	"regexp"
	"strings"
	"sync"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/docent-md/docent"
	"github.com/docent-md/docent/answer"
	"github.com/docent-md/docent/internal/text/token"
	"github.com/docent-md/docent/internal/text/visible"
)

// What the documents are about is told before anything is asked: many clients show the
// model nothing else until it wants a tool. The words are the user's (Options.Title,
// Options.About) or, without those, the documents' own. Those come from whoever wrote
// them, and stand where a model takes what it reads for instructions. So they are short,
// one line of plain letters, quoted, and left out altogether where they sound like an
// order: see plainWords.
const (
	maxName   = 60                     // characters of a name
	maxAbout  = 140                    // characters of a description, of the user's twice as many
	nameCost  = 16                     // tokens of a name, which is told twice
	aboutCost = 58                     // and of a description: a word of some languages costs many
	maxNames  = 12                     // named indexes that a client is told of by name
	findOut   = 100 * time.Millisecond // to ask the documents
)

// An about is what a client is told of the documents.
type about struct{ name, description string }

// searchDoc says in which documents search looks: of tools that are loaded late, a model
// sees the description alone.
func (a about) searchDoc(doc string) string {
	in := a.name
	if a.description != "" {
		in += " (" + a.description + ")"
	}
	return "Documentation of " + in + ". " + doc
}

// toldAbout is what the list of tools said of the documents.
type toldAbout struct {
	mu sync.Mutex
	about
}

// aboutDocs knows what the documents are about, or finds it out.
type aboutDocs struct {
	lib       *docent.Library
	user      about        // what the user says; "" where the documents shall say it
	described string       // Options.Described
	guess     answer.About // until the documents can be asked
	folder    string       // the name of the corpus, cleaned

	several *about // what several indexes are about, which is known

	mu    sync.Mutex
	found *about // what the documents said last
	isOld bool   // they have changed since
}

// ask has about ask the documents again: they have changed.
func (d *aboutDocs) ask() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.isOld = true
}

// about returns what the documents are about. It asks the library for it, unless its
// index is not there yet, and then until it is.
func (d *aboutDocs) about() about {
	d.mu.Lock()
	defer d.mu.Unlock()
	switch {
	case d.several != nil:
		return *d.several
	case d.found != nil && !d.isOld:
		return *d.found
	}
	a := about{userWords(d.user.name, maxName), userWords(d.user.description, 2*maxAbout)}
	if a.description == "" {
		a.description = plainWords(d.described, maxAbout)
	}
	known := a.name != "" && a.description != ""
	if !known {
		own := d.guess
		if _, ready := d.lib.FileCount(); ready {
			ctx, cancel := context.WithTimeout(context.Background(), findOut)
			defer cancel()
			if said, err := d.lib.About(ctx); err == nil {
				own, known = *said, true
			}
		}
		a.complete(own, d.folder)
	}
	if a.name == "" {
		a.name = d.folder
	}
	a = about{cutTokens(a.name, nameCost), cutTokens(a.description, aboutCost)}
	if known {
		d.found, d.isOld = &a, false
	} else if d.found != nil { // they cannot be asked now
		return *d.found
	}
	return a
}

// complete fills in what the user did not say with what the documents say.
func (a *about) complete(own answer.About, folder string) {
	title := plainWords(own.Title, maxName)
	if a.name == "" {
		a.name = plainWords(own.Name, maxName)
	}
	if a.name == "" && (isPlaceholder(folder) || containsName(title, folder)) {
		a.name = title
	}
	if a.description == "" {
		a.description = plainWords(own.Description, maxAbout)
		if !saysNothing(title) && !containsName(a.name+" "+a.description, title) && own.Name == "" {
			a.description = cutWords(strings.TrimSuffix(title+": "+a.description, ": "), maxAbout)
		}
	}
}

// saysNothing reports whether the title of a front page is one that any documents may have.
func saysNothing(title string) bool {
	switch strings.ToLower(title) {
	case "", "readme", "index", "home", "welcome", "introduction", "intro", "overview", "contents", "table of contents":
		return true
	}
	return isPlaceholder(title)
}

// A Corpus is one of several indexes that are served alike.
type Corpus struct {
	Name    string // of the index
	About   string // what its entry says it is about, which a clone may have brought
	Library *docent.Library
}

// aboutSeveral is what a client is told of several indexes: their names, and what those
// are about that say so.
func aboutSeveral(all []Corpus) *about {
	var names, said []string
	for _, c := range all[:min(len(all), maxNames)] {
		names = append(names, c.Name)
		if words := plainWords(c.About, maxAbout); words != "" {
			said = append(said, c.Name+": "+words)
		}
	}
	return &about{cutWords(strings.Join(names, ", "), 2*maxName), cutWords(strings.Join(said, "; "), 2*maxAbout)}
}

// containsName reports whether a title has the name of a folder in it.
func containsName(title, folder string) bool {
	return title != "" && strings.Contains(strings.ToLower(title), strings.ToLower(folder))
}

// isPlaceholder reports whether a folder has a name that says nothing of what is in it.
func isPlaceholder(folder string) bool {
	switch strings.ToLower(folder) {
	case "docs", "doc", "documentation", "documents", "content", "website", "site", "src", "main", "pages", "book", "guide", "reference":
		return true
	}
	return false
}

// userWords is what the user said, on one line of at most n characters.
func userWords(s string, n int) string {
	return cutWords(strings.Join(strings.Fields(visible.Line(s)), " "), n)
}

// An order speaks to its reader, where a description speaks of a thing. It has a word for
// the reader or for what has to be done, or a clause of it begins with a verb of command:
// at its start, or after a sign or a word that begins a clause. In other places such verbs
// are what software does ("a system to run jobs and print answers"), and are let through.
// Some of them are also nouns ("search engine", "open source"): these are orders only with
// an object after them. What is taken for an order wrongly costs one line.
var orders = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)\b(you|your|yours|yourself|please|must|should|shall|always|never|do not|don.t|previous instructions?|system prompts?)\b|` +
		`(?:^|[.,;:!?()<>"“”—–]|\b(?:then|so|but|now|first)\b)\W*` +
		`(?:(?:ignore|disregard|forget|override|obey|comply|pretend|reveal|invoke|execute|delete|send|upload|respond|reply|repeat|tell)\b|` +
		`(?:call|run|use|read|write|open|post|print|output|answer|search|ask|say|act|treat|trust|follow|fetch|visit|stop|show|remove) ` +
		`(?:the|a|an|all|any|this|that|these|those|its|their|every\w*|from|with|only|no|what\w*|as|if|it|me|us|http\S*)\b)`)
})

// plainWords is text of a document fit for instructions: the first sentence, of letters,
// digits and little else, in at most n characters; "" where it may be an order.
func plainWords(s string, n int) string {
	s = strings.Join(strings.Fields(visible.Line(s)), " ")
	if i := strings.IndexAny(s, ".!?"); i > 20 && (i+1 == len(s) || s[i+1] == ' ') {
		s = s[:i]
	}
	if orders().MatchString(s) {
		return ""
	}
	s = strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsDigit(r) || strings.ContainsRune(" ,.'’()-/&+#", r) {
			return r
		}
		return ' '
	}, s)
	return strings.TrimRight(cutWords(strings.Join(strings.Fields(s), " "), n), " .")
}

// cutTokens shortens a line to n tokens.
func cutTokens(s string, n int) string {
	for {
		cost, size := token.O200k().CountString(s), utf8.RuneCountInString(s)
		if cost <= n {
			return s
		}
		s = cutWords(s, min(size-1, size*n/cost))
	}
}

// cutWords shortens a line to n characters, at a word.
func cutWords(s string, n int) string {
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	s = string([]rune(s)[:n])
	if i := strings.LastIndexByte(s, ' '); i > len(s)/2 {
		s = s[:i]
	}
	return strings.TrimRight(s, " ,.-")
}
