package graph_test

import "testing"

// The same heading has another anchor on every site; all lead to it.
func TestAnchorsOfOtherGenerators(t *testing.T) {
	const page = `# Page

## What's new in C++ & Go_lang?

## 3.1 Über-größe

## Notes

## Notes

## Notes

## Own id {#chosen}

<a id="html-id"></a> text <input name="field"> <a name='old.name'></a>

> ## In a quote

## Set up {{< glossary_tooltip >}} now <a name="step&#x5F;2"></a>

<h3 name="raw">Raw</h3>

[](){#mark}

## 中文 标题
`
	for _, tt := range []struct{ anchor, want string }{
		{"whats-new-in-c--go_lang", "whats-new-in-c--go_lang"},      // GitHub, Docusaurus, Hugo
		{"what-s-new-in-c-go-lang", "whats-new-in-c--go_lang"},      // VitePress, Sphinx
		{"whats-new-in-c-go_lang", "whats-new-in-c--go_lang"},       // GitLab, MkDocs, mdBook
		{"whats_new_in_c_go_lang", "whats-new-in-c--go_lang"},       // MDN
		{"What's_new_in_C++_&_Go_lang?", "whats-new-in-c--go_lang"}, // text
		{"WHATS-NEW-IN-C--GO_LANG", "whats-new-in-c--go_lang"},      // case
		{"user-content-whats-new-in-c--go_lang", "whats-new-in-c--go_lang"},
		{"markdown-header-whats-new-in-c-go_lang", "whats-new-in-c--go_lang"},
		{"whats%2Dnew-in-c--go_lang", "whats-new-in-c--go_lang"}, // percent codes
		{"31-über-größe", "31-über-größe"},
		{"_3-1-uber-große", "31-über-größe"}, // VitePress
		{"31-uber-groe", ""},                 // MkDocs drops letters: cannot be told
		{"über-größe", "31-über-größe"},      // kramdown, Pandoc
		{"%C3%BCber-gr%C3%B6%C3%9Fe", "31-über-größe"},
		{"notes", "notes"},
		{"notes-1", "notes-1"}, // GitHub
		{"notes_1", "notes-1"}, // MkDocs
		{"notes_2", "notes-1"}, // MDN counts from 2
		{"Notes-2", "notes-2"},
		{"notes-3", ""},
		{"chosen", "chosen"},
		{"own-id", "chosen"},
		{"html-id", "chosen"},
		{"old.name", "chosen"},
		{"in-a-quote", "chosen"},
		{"set-up-now", "set-up-now"},
		{"step_2", "set-up-now"},
		{"raw", "set-up-now"},
		{"field", ""},
		{"mark", "set-up-now"},
		{"中文-标题", "中文-标题"},
		{"L3", "whats-new-in-c--go_lang"},
		{"L4-L9", "whats-new-in-c--go_lang"},
		{":~:text=hello", "page"},
		{"nope", ""},
		{"-", ""},
	} {
		want := "x.md#" + tt.want
		if tt.want == "" {
			want = "x.md: no " + tt.anchor
		}
		got := lead(t, map[string]string{"x.md": page}, "s.md", "[x](x.md#"+tt.anchor+")")
		if len(got) != 1 || got[0] != want {
			t.Errorf("#%s leads to %q, want %q", tt.anchor, got, want)
		}
	}
}
