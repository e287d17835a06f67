package tool

import (
	"context"
	"fmt"
	"io"

	"github.com/docent-md/docent"
)

// table lists the operations, those an agent needs first before the others.
func table() []row {
	return []row{
		define("search", "find the sections that best answer a question", search),
		define("section", "get one section whole, with its parent, siblings and children", section),
		define("read", "read the lines a Ref leads to", read),
		define("grep", "find lines by text or regular expression, with the section each stands in", grep),
		define("examples", "find code blocks by a symbol they declare or use, with the text that explains them", examples),
		define("toc", "list the headings of a file, or the files of a folder, with prices", toc),
		define("links", "list what a section links to, what links to it, and what leads nowhere", links),
		define("node", "get a file, section or code block as a node of the docs graph", node),
		define("related", "find the sections that have to do with one: by links, code and words", related),
		define("files", "find files by words of their paths and titles", files),
		define("snippets", "find code blocks by words, or list them", snippets),
		define("explain", "show the code blocks of a symbol with all that is said around them", explain),
		define("check", "find broken links and anchors, orphans, duplicate names, missing images", check),
		define("changes", "say which sections were added, changed, moved or removed since a commit or date", changes),
		define("list", "list the indexed files with their chunks and prices", list),
		define("info", "show the chunks of one file", info),
		define("ls", "list the paths of the documents", ls),
		define("stats", "count what is indexed: documents, lines, words, sections, code blocks, links", stats),
		define("status", "say what is indexed, where, how fresh it is and what was skipped", status),
		define("verify", "say whether a citation still holds: same, moved, changed or gone", verify),
		define("index_markdown_docs", "index a folder of Markdown under a name", indexDocs).onDemand(),
		define("markdown_search", "search named indexes; gives JSON of index, score, snippet, source", markdownSearch).onDemand(),
	}
}

type searchInput struct {
	Query   string `json:"query" arg:"query..." doc:"words or a question"`
	Limit   int    `json:"limit,omitempty" flag:"results,n" doc:"most results, 1 to 50 (default 3)"`
	Path    string `json:"path,omitempty" flag:"file,f" doc:"only files that match this glob"`
	Budget  int    `json:"budget,omitempty" flag:"budget" doc:"most tokens of the whole answer"`
	Explain bool   `json:"explain,omitempty" flag:"explain" doc:"show the arithmetic behind each score"`
	Leads   bool   `json:"leads,omitempty" flag:"leads" doc:"a line a result, without its text (default 20 results)"`
	Refs    bool   `json:"references,omitempty" flag:"references" doc:"show what each result refers to"`
	Expand  int    `json:"expand,omitempty" flag:"expand" doc:"add the sections that so many links lead to, 1 to 3"`
	Mode    string `json:"mode,omitempty" flag:"mode" enum:"hybrid,lexical,semantic" doc:"by words and meaning, by words, or by meaning alone (default hybrid, where the index has vectors)"`
	Fusion  string `json:"fusion,omitempty" flag:"fusion" enum:"weighted,rrf" doc:"how words and meaning are joined"`
	Rerank  bool   `json:"rerank,omitempty" flag:"rerank" doc:"let a language model put the best in order (needs ANTHROPIC_API_KEY)"`
}

// query is what the input asks for.
func (in searchInput) query() (docent.Query, error) {
	if in.Limit < 0 || in.Limit > docent.MaxLimit {
		return docent.Query{}, fmt.Errorf("%d results: must lie between 1 and %d", in.Limit, docent.MaxLimit)
	}
	if in.Leads && in.Limit == 0 {
		in.Limit = 20
	}
	return docent.Query{
		Text: in.Query, Limit: in.Limit, File: in.Path, Budget: in.Budget, Explain: in.Explain, Leads: in.Leads,
		References: in.Refs, Expand: in.Expand, Rerank: in.Rerank, Mode: in.Mode, Fusion: in.Fusion,
	}, nil
}

// SearchQuery reads the parameters of a search, for a caller that searches
// something else than one library.
func SearchQuery(params []byte) (docent.Query, error) {
	t, err := Find("search")
	if err != nil {
		return docent.Query{}, err
	}
	var in searchInput
	if err := decode(t, params, &in); err != nil {
		return docent.Query{}, err
	}
	return in.query()
}

func search(ctx context.Context, lib *docent.Library, in searchInput) (Answer, error) {
	q, err := in.query()
	if err != nil {
		return nil, err
	}
	a, err := lib.Search(ctx, q)
	if err != nil {
		return nil, err
	}
	return a, nil
}

type sectionInput struct {
	Ref string `json:"ref" arg:"ref" doc:"a section: guide/auth.md#jwt, guide/auth.md::JWT Tokens"`
}

func section(ctx context.Context, lib *docent.Library, in sectionInput) (Answer, error) {
	return lib.Section(ctx, in.Ref)
}

type readInput struct {
	Ref    string `json:"ref" arg:"ref" doc:"a file, section or lines: guide/auth.md, guide/auth.md#jwt, guide/auth.md:15-48"`
	Offset int    `json:"offset,omitempty" flag:"offset" doc:"first line of the file to return"`
	Limit  int    `json:"limit,omitempty" flag:"limit" doc:"most lines (default 2000)"`
	Budget int    `json:"budget,omitempty" flag:"budget" doc:"most tokens"`
	Plain  bool   `json:"plain,omitempty" flag:"plain" doc:"without line numbers"`
}

func read(ctx context.Context, lib *docent.Library, in readInput) (Answer, error) {
	return lib.ReadPlace(ctx, in.Ref, docent.ReadOptions{Offset: in.Offset, Limit: in.Limit, Budget: in.Budget, Plain: in.Plain})
}

type tocInput struct {
	Ref   string `json:"ref,omitempty" arg:"ref" doc:"a file or folder; empty means all"`
	Depth int    `json:"depth,omitempty" flag:"depth" doc:"deepest heading level shown, 1 to 6"`
}

func toc(ctx context.Context, lib *docent.Library, in tocInput) (Answer, error) {
	if in.Depth < 0 || in.Depth > 6 {
		return nil, fmt.Errorf("depth is %d: must lie between 1 and 6", in.Depth)
	}
	return lib.Outline(ctx, in.Ref, in.Depth)
}

type listInput struct {
	Prefix string `json:"prefix,omitempty" arg:"prefix" doc:"only files whose path begins with this"`
}

func list(_ context.Context, lib *docent.Library, in listInput) (Answer, error) {
	return lib.Files(in.Prefix)
}

type infoInput struct {
	File string `json:"file" arg:"file" doc:"path of an indexed file"`
}

func info(_ context.Context, lib *docent.Library, in infoInput) (Answer, error) {
	return lib.Info(in.File)
}

type statusInput struct{}

func status(_ context.Context, lib *docent.Library, _ statusInput) (Answer, error) {
	return lib.Status(), nil
}

type verifyInput struct {
	Citation string `json:"citation" arg:"citation" doc:"as a result shows it: path#anchor:from-to@hash"`
}

func verify(_ context.Context, lib *docent.Library, in verifyInput) (Answer, error) {
	return lib.Verify(in.Citation)
}

func ls(_ context.Context, lib *docent.Library, in listInput) (Answer, error) {
	paths, err := lib.List(in.Prefix)
	return Paths(paths), err
}

// Paths is a list of documents.
type Paths []string

// Nothing reports whether the list is empty.
func (p Paths) Nothing() bool { return len(p) == 0 }

// WriteText writes a path a line.
func (p Paths) WriteText(w io.Writer) error {
	for _, s := range p {
		if _, err := io.WriteString(w, s+"\n"); err != nil {
			return err
		}
	}
	return nil
}

type statsInput struct{}

func stats(_ context.Context, lib *docent.Library, _ statsInput) (Answer, error) {
	return lib.Stats()
}
