package cli

// A manualPage is the long help of an operation in the tool table.
type manualPage struct{ name, long, example string }

// manual returns the page of that name, or an empty one.
func manual(name string) manualPage {
	for _, p := range manualPages {
		if p.name == name {
			return p
		}
	}
	return manualPage{}
}

var manualPages = []manualPage{
	{
		"search",
		`Find the sections that best answer a question, and print them with citations. Any
text is a question. An index is made on first use and kept up to date.

Operators, for those who want them:
  "two words"    must stand next to each other
  -word          must not be there
  title:word     must stand in the title
  path:guide/**  only files that match`,
		`  docent search how do I rotate keys
  docent search rotate keys --expand 1 --references
  docent search "abort controller" -n 5 --file 'web/**'
  docent search deploy --budget 1500
  docent search -- --feature-gates`,
	},
	{
		"section",
		`Print one section whole, with all that stands under it, the Refs and prices of its
parent, children and siblings, what it links to and what links to it. Sections can be
named by anchor, heading text or number.`,
		`  docent section guide/auth.md#jwt-tokens
  docent section 'JWT Tokens'
  docent section 'guide/auth.md::JWT Tokens' --json`,
	},
	{
		"read",
		`Print the lines a Ref leads to, with their numbers: a file, a section with all that
stands under it, a range of lines, or a code block. Headings can be named by their
text too.`,
		`  docent read guide/auth.md
  docent read guide/auth.md#jwt-tokens --budget 800
  docent read guide/auth.md:15-48 --plain
  docent read 'guide/auth.md#jwt-tokens:code-1'
  docent read 'guide/auth.md::JWT Tokens'`,
	},
	{
		"grep",
		`Find lines by text or regular expression, and show the section each stands in. Case
does not matter unless -s is given. Which lines match is what ripgrep would say; the
index spares reading files that cannot match.`,
		`  docent grep 'price|cost|billing'
  docent grep -F 'addEventListener("' -C 2
  docent grep -w key --glob 'guide/**' -l`,
	},
	{
		"examples",
		`Find code blocks by a name in them: those that declare it first, and those in sections
about it, each with the paragraph that leads up to it. Several names, or a dotted one,
must all stand in a block. Letter case matters unless no block has the name as written.`,
		`  docent examples addEventListener
  docent examples http.Handler --lang go -n 3
  docent examples apiVersion --lang yaml --json`,
	},
	{
		"explain",
		"Show the code blocks that have a name, each with the text of its section around it.",
		"  docent explain AbortController\n  docent explain useState --lang tsx --budget 1500",
	},
	{
		"snippets",
		"Find code blocks by words in them and around them. With no words, list them.",
		"  docent snippets retry with backoff --lang go\n  docent snippets --lang yaml --file 'ops/**' --json",
	},
	{
		"links",
		`List the links of a section or file: where they lead, who links to it, which lead nowhere
and which leave the documents. Those are recorded and never followed. --depth walks on
along the links and lists what it comes to, nearest first.`,
		`  docent links guide/auth.md
  docent links guide/auth.md#jwt-tokens --depth 2 --json`,
	},
	{
		"node",
		`Show a file, section or code block as a node of the graph of documents: its id, text,
level, links, parent, children and the node behind it. Headings deeper than level 4
belong to the node above.`,
		"  docent node guide/auth.md --json\n  docent node 'guide/auth.md::JWT Tokens::code-1' --json",
	},
	{
		"related",
		`Find the sections that have to do with one: by links in either direction, by rare names
that the code in both has, and by words. The reasons are shown.`,
		"  docent related guide/auth.md#jwt-tokens\n  docent related guide/auth.md -n 20 --json",
	},
	{
		"files",
		"Find files by words of their paths and titles, best first. With no words, list all.",
		"  docent files rate limit\n  docent files auth -n 5 --json",
	},
	{
		"check",
		`Find what is wrong with the documents: links to documents and sections that are not
there, images and files that are missing, documents that no link leads to, names that
are there twice. One line a problem, file:line first. The exit status is 1 when there
are errors; warnings alone leave it 0.`,
		`  docent check
  docent check --only broken-link,broken-anchor --file 'guide/**'
  docent check --sarif > docs.sarif`,
	},
	{
		"changes",
		`Say which sections were added, changed, moved or removed: since a commit, branch, tag or
time (2024-05-01, yesterday, 'last week', 3d, '2 hours ago') where there is a git
repository, or since the index was last made as a whole (--since index). Spaces and
line ends do not count.`,
		`  docent changes
  docent changes --since v1.2
  docent changes --since yesterday
  docent changes --since '2 weeks ago' --json`,
	},
	{
		"list",
		"List the indexed files with their titles, chunks and prices in tokens.",
		"  docent list\n  docent list guide/",
	},
	{
		"info",
		"Show how one file was cut into chunks: the Ref, breadcrumb and price of each.",
		"  docent info guide/auth.md",
	},
	{
		"ls",
		"Print the paths of the documents, one a line.",
		"  docent ls\n  docent ls guide/",
	},
	{
		"stats",
		"Count what is indexed: documents, lines, words, sections, code blocks, links.",
		"  docent stats\n  docent stats --root docs.docent",
	},
	{
		"status",
		`Say what is indexed, where the index lies, how fresh it is, and which files were
skipped and why.`,
		"  docent status\n  docent status --json",
	},
	{
		"verify",
		`Say whether the text of a citation still stands where it was cited (same), stands
elsewhere (moved, and where to), has changed, or is gone. Exit code 1 for the last two.`,
		"  docent verify 'guide/auth.md#jwt-tokens:15-48@3f2a91bc'",
	},
}
