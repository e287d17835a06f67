package symbol

import (
	"sync"

	"github.com/docent-md/docent/internal/text/symbol/lex"
)

// syntaxes are the languages with declarations of their own, by their canonical name.
// They are made when first asked for: a process that only answers questions
// needs none.
var syntaxes = sync.OnceValue(func() map[string]*language {
	return map[string]*language{
		"go":         goLanguage(),
		"javascript": ecmaLanguage(ecmaKeywords, lex.Element, lex.NodeSession()),
		"jsx":        ecmaLanguage(ecmaKeywords, lex.Element),
		"typescript": ecmaLanguage(typeKeywords, nil),
		"tsx":        ecmaLanguage(typeKeywords, lex.TypedElement),
		"python":     pythonLanguage(),
		"rust":       rustLanguage(),
		"java":       javaLanguage(),
		"csharp":     csharpLanguage(),
		"kotlin":     kotlinLanguage(),
		"swift":      swiftLanguage(),
		"c":          cLanguage(cKeywords),
		"cpp":        cLanguage(cppKeywords),
		"ruby":       rubyLanguage(),
		"php":        phpLanguage(),
		"sql":        sqlLanguage(),
	}
})
