// Package docent turns folders of Markdown into answers: it finds the section that
// answers a question, within a budget of tokens, and says where it is.
//
//	lib, err := docent.Open(ctx, "docs", docent.Options{})
//	found, err := lib.Search(ctx, docent.Query{Text: "how do I rotate a key", Budget: 1500})
//	err = found.WriteText(os.Stdout)
//
// A Library answers from one corpus: a folder, whose index is built on first use and
// refreshed when it is opened, a packed file (FromBlob), a file system (FromFS), or a
// database (OpenDB, OpenCluster). Search is lexical and semantic; Grep, Read, Section
// and Outline go by place; Links, Related, Node and Check along the links between
// documents; Examples, Snippets and ExplainSymbol by the names in code; Changes by what
// became of sections since a commit. What they return is in package answer.
//
// Every place has one text form, the Ref, that is returned and accepted:
// "guide/auth.md#jwt-tokens:15-48". An IndexSet holds indexes by name and asks several
// at once. An Assistant lets a language model help; nothing is sent anywhere without
// one.
//
// Files may change while a program runs: an answer whose files have changed is not
// given out; the index is refreshed and asked again. New files are found by Refresh, by
// a library that is opened in the background, and, with Options.Confirm, before anything
// is reported missing.
package docent
