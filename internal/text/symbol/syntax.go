package symbol

import "sync"

// cStyle is what the languages with braces share.
const cStyle = slashComments | charLiterals

// syntaxes are the languages with declarations of their own. They are made when
// first asked for: a process that only answers questions needs none.
var syntaxes = sync.OnceValue(func() map[string]*syntax {
	m := map[string]*syntax{}
	for _, syn := range []syntax{
		{lang: "go", habits: cStyle | rawBackticks, keywords: reserve(goKeywords), declare: (*scanner).goStatement, boundary: (*scanner).goBoundary},
		{lang: "javascript", habits: ecma | elements | sessions, keywords: reserve(ecmaKeywords), declare: (*scanner).ecmaStatement, boundary: (*scanner).ecmaBoundary},
		{lang: "jsx", habits: ecma | elements, keywords: reserve(ecmaKeywords), declare: (*scanner).ecmaStatement, boundary: (*scanner).ecmaBoundary},
		{lang: "typescript", habits: ecma, keywords: reserve(typeKeywords), declare: (*scanner).ecmaStatement, boundary: (*scanner).ecmaBoundary},
		{lang: "tsx", habits: ecma | elements, keywords: reserve(typeKeywords), declare: (*scanner).ecmaStatement, boundary: (*scanner).ecmaBoundary},
		{lang: "python", habits: hashComments | tripleQuotes | prefixes | sessions, keywords: reserve(pythonKeywords), declare: (*scanner).pythonLine, boundary: (*scanner).pythonBoundary},
		{lang: "rust", habits: cStyle | nestedComments | prefixes | hiddenLines, keywords: reserve(rustKeywords), declare: (*scanner).rustItem, boundary: (*scanner).rustBoundary},
		{lang: "java", habits: cStyle | tripleQuotes, keywords: reserve(javaKeywords), declare: (*scanner).javaMember, boundary: (*scanner).javaBoundary},
		{lang: "csharp", habits: cStyle | tripleQuotes | directives, keywords: reserve(csharpKeywords), declare: (*scanner).javaMember, boundary: (*scanner).javaBoundary},
		{lang: "kotlin", habits: cStyle | nestedComments | tripleQuotes | dollarBraces | wordBackticks, keywords: reserve(kotlinKeywords), declare: (*scanner).kotlinStatement, boundary: (*scanner).kotlinBoundary},
		{lang: "swift", habits: slashComments | nestedComments | tripleQuotes | slashParens | wordBackticks | directives, keywords: reserve(swiftKeywords), declare: (*scanner).swiftStatement, boundary: (*scanner).swiftBoundary},
		{lang: "c", habits: cStyle | directives | prefixes, keywords: reserve(cKeywords), declare: (*scanner).cDeclaration, boundary: (*scanner).cBoundary},
		{lang: "cpp", habits: cStyle | directives | prefixes, keywords: reserve(cppKeywords), declare: (*scanner).cDeclaration, boundary: (*scanner).cBoundary},
		{lang: "ruby", habits: hashComments | hashBraces | regexes | hereDocs | sessions | querySuffix, keywords: reserve(rubyKeywords), declare: (*scanner).rubyLine},
		{lang: "php", habits: slashComments | hashComments | hereDocs | phpTags, keywords: reserve(phpKeywords), declare: (*scanner).phpStatement, boundary: (*scanner).phpBoundary},
		{lang: "sql", habits: slashComments | dashComments | sqlQuotes | prefixes, keywords: sqlKeywords(), declare: (*scanner).sqlStatement},
	} {
		m[syn.lang] = &syn
	}
	return m
})

// ecma is what JavaScript and its descendants share.
const ecma = slashComments | templates | dollarWords | regexes

// syntaxOf returns the syntax of a language, or nil.
func syntaxOf(lang string) *syntax { return syntaxes()[lang] }
