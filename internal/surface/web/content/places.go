package content

import "github.com/docent-md/docent/doc"

// Places says where the things are that a document names. The zero value knows none.
type Places struct {
	// Link resolves a link as it is written. l is set for a link of a dialect that is
	// not plain Markdown.
	Link func(dest string, l *doc.Link) Link

	// Picture returns the address of a picture of the corpus, "" if there is none. wiki
	// says that dest may be the name of a file in any folder, as in ![[cat.png]].
	Picture func(dest string, wiki bool) string

	// Embed returns what a link embeds, ![[note#section]]; nil if that is to be a link. It
	// sees to it that embedding ends.
	Embed func(l *doc.Link) *Embedded
}

// complete makes places of which none is known.
func (to *Places) complete() {
	if to.Link == nil {
		to.Link = func(string, *doc.Link) Link { return Link{} }
	}
	if to.Picture == nil {
		to.Picture = func(string, bool) string { return "" }
	}
}

// A Link is a resolved link.
type Link struct {
	Href    string // "" if there is no page for it
	Class   string
	Title   string
	Foreign bool // outside the corpus
}

// An Embedded is a part of a document that another one shows, as ![[note#section]] does.
type Embedded struct {
	Doc   *doc.Document
	To    Places
	Title string
	Href  string // of where it stands
}
