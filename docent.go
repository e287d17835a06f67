// Package docent turns folders of Markdown into answers: it finds the section
// that answers a question, within a budget of tokens, and says where it stands.
//
//	lib, err := docent.Open("docs")
//	answer, err := lib.Search(ctx, docent.Query{Text: "how do I rotate a key", Budget: 1500})
//	err = answer.WriteText(os.Stdout)
//
// A Library answers from one corpus: a folder, whose index is made on first use
// and brought up to date before each answer, a packed file (FromBlob), or a file
// system (FromFS). Search goes by words and by meaning; Grep, Read, Section and
// Outline by place; Links, Related, Node and Check along the links between
// documents; Examples, Snippets and ExplainSymbol by the names in code; Changes
// by what became of sections since a commit.
//
// Every place has one text form, the Ref, that is returned and taken back:
// "guide/auth.md#jwt-tokens:15-48". A Catalogue holds indexes by name, and a Union
// asks several at once. An Assistant lets a language model help; nothing is sent
// to anybody without one.
//
// Files may change while a program runs. An answer whose files have changed is a
// StaleError; a Keeper takes them in and asks again.
package docent
