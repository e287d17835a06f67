package cli

// manual holds the long help of the operations in the tool table.
var manual = map[string]struct{ long, example string }{
	"search": {
		`Find the sections that best answer a question, and print them with citations. Any
text is a question. An index is made on first use and kept up to date.

Operators, for those who want them:
  "two words"    must stand next to each other
  -word          must not be there
  title:word     must stand in the title
  path:guide/**  only files that match`,
		`  docent search how do I rotate keys
  docent search "abort controller" -n 5 --file 'web/**'
  docent search deploy --budget 1500
  docent search -- --feature-gates`,
	},
	"section": {
		`Print one section whole, with all that stands under it, and the Refs and prices of its
parent, children and siblings. Sections can be named by anchor, heading text or number.`,
		`  docent section guide/auth.md#jwt-tokens
  docent section 'guide/auth.md::JWT Tokens' --json`,
	},
	"read": {
		`Print the lines a Ref leads to, with their numbers: a file, a section with all that
stands under it, a range of lines, or a code block. Headings can be named by their
text too.`,
		`  docent read guide/auth.md
  docent read guide/auth.md#jwt-tokens --budget 800
  docent read guide/auth.md:15-48 --plain
  docent read 'guide/auth.md#jwt-tokens:code-1'
  docent read 'guide/auth.md::JWT Tokens'`,
	},
	"grep": {
		`Find lines by text or regular expression, and show the section each stands in. Case
does not matter unless -s is given. Which lines match is what ripgrep would say; the
index spares reading files that cannot match.`,
		`  docent grep 'price|cost|billing'
  docent grep -F 'addEventListener("' -C 2
  docent grep -w key --glob 'guide/**' -l`,
	},
	"list": {
		"List the indexed files with their titles, chunks and prices in tokens.",
		"  docent list\n  docent list guide/",
	},
	"info": {
		"Show how one file was cut into chunks: the Ref, breadcrumb and price of each.",
		"  docent info guide/auth.md",
	},
	"ls": {
		"Print the paths of the documents, one a line.",
		"  docent ls\n  docent ls guide/",
	},
	"stats": {
		"Count what is indexed: documents, lines, words, sections, code blocks, links.",
		"  docent stats\n  docent stats --root docs.docent",
	},
	"status": {
		`Say what is indexed, where the index lies, how fresh it is, and which files were
skipped and why.`,
		"  docent status\n  docent status --json",
	},
	"verify": {
		`Say whether the text of a citation still stands where it was cited (same), stands
elsewhere (moved, and where to), has changed, or is gone. Exit code 1 for the last two.`,
		"  docent verify 'guide/auth.md#jwt-tokens:15-48@3f2a91bc'",
	},
}
