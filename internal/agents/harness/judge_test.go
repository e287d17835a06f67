package harness_test

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/docent-md/docent"
	"github.com/docent-md/docent/internal/agents/harness"
)

func TestParseReply(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		want harness.Reply
	}{
		"the form":             {"ANSWER: a day\nSOURCE: k.md:3-5", harness.Reply{Answer: "a day", Sources: []string{"k.md:3-5"}}},
		"bold, with a preface": {"Found it.\n\n**Answer:** a day\n**Source:** `k.md#rotate:3-5@3f2a91`", harness.Reply{Answer: "a day", Sources: []string{"k.md#rotate:3-5@3f2a91"}}},
		"several sources":      {"ANSWER: a\nSOURCES: k.md:3-5, i.md and (j.md:1-2).\nSOURCE: l.md", harness.Reply{Answer: "a", Sources: []string{"k.md:3-5", "i.md", "j.md:1-2", "l.md"}}},
		"no form":              {"a day", harness.Reply{Answer: "a day"}},
		"no answer":            {"I looked everywhere.\n\nNOT IN THE DOCS", harness.Reply{Abstains: true}},
		"no answer, in bold":   {"**Not in the docs.**\nSOURCE: none", harness.Reply{Abstains: true}},
		"an answer after all":  {"ANSWER: That is not in the docs of v1, but of v2\nSOURCE: k.md", harness.Reply{Answer: "That is not in the docs of v1, but of v2", Sources: []string{"k.md"}}},
	} {
		if got := harness.ParseReply(c.text); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %+v, not %+v", name, got, c.want)
		}
	}
}

func TestJudge(t *testing.T) {
	texts := map[string]string{"long.md": "# Long\n" + strings.Repeat("line\n", 400)}
	for name, f := range docs {
		texts[name] = string(f.Data)
	}
	lib, err := docent.FromFS(t.Context(), docs)
	if err != nil {
		t.Fatal(err)
	}
	defer lib.Close()
	c := harness.NewCorpus(texts, lib)
	rotate := harness.Question{Text: "q", Answer: "wait a whole day", Judged: []harness.Place{{File: "guide/keys.md", From: 3, To: 6}}}
	long := harness.Question{Text: "q", Judged: []harness.Place{{File: "long.md", From: 3, To: 6}}}
	page := harness.Question{Text: "q", Judged: long.Judged, Page: true}
	none := harness.Question{Text: "q"}
	for name, k := range map[string]struct {
		q     harness.Question
		reply string
		want  harness.Verdict
	}{
		"lines that overlap":            {rotate, "ANSWER: wait\nSOURCE: guide/keys.md:5-8", harness.Verdict{Outcome: harness.Right, Citations: 1, Expected: 2, Said: 1}},
		"an anchor":                     {rotate, "ANSWER: Wait a WHOLE day\nSOURCE: guide/keys.md#rotate", harness.Verdict{Outcome: harness.Right, Citations: 1, Expected: 2, Said: 2}},
		"a citation with a hash":        {rotate, "ANSWER: x\nSOURCE: guide/keys.md#rotate:3-5@3f2a91ab", harness.Verdict{Outcome: harness.Right, Citations: 1, Expected: 2}},
		"another section":               {rotate, "ANSWER: x\nSOURCE: guide/keys.md#revoke", harness.Verdict{Outcome: harness.Wrong, Citations: 1, Wrong: 1, Expected: 2}},
		"one right, one wrong":          {rotate, "ANSWER: x\nSOURCE: index.md, guide/keys.md:3", harness.Verdict{Outcome: harness.Right, Citations: 2, Wrong: 1, Expected: 2}},
		"an anchor that does not exist": {rotate, "ANSWER: x\nSOURCE: guide/keys.md#rolling", harness.Verdict{Outcome: harness.Wrong, Citations: 1, Wrong: 1, Nowhere: 1, Expected: 2}},
		"a file that does not exist":    {rotate, "ANSWER: x\nSOURCE: keys.md:3-5", harness.Verdict{Outcome: harness.Wrong, Citations: 1, Wrong: 1, Nowhere: 1, Expected: 2}},
		"lines after the end":           {rotate, "ANSWER: x\nSOURCE: guide/keys.md:90-99", harness.Verdict{Outcome: harness.Wrong, Citations: 1, Wrong: 1, Nowhere: 1, Expected: 2}},
		"no source":                     {rotate, "Wait a day.", harness.Verdict{Outcome: harness.Wrong, Expected: 2, Said: 1}},
		"a whole long file":             {long, "ANSWER: x\nSOURCE: long.md", harness.Verdict{Outcome: harness.Wrong, Citations: 1, Wrong: 1}},
		"any place of a page":           {page, "ANSWER: x\nSOURCE: long.md:300", harness.Verdict{Outcome: harness.Right, Citations: 1}},
		"no answer where there is one":  {rotate, "NOT IN THE DOCS", harness.Verdict{Outcome: harness.Abstained}},
		"no answer where there is none": {none, "NOT IN THE DOCS", harness.Verdict{Outcome: harness.Right}},
		"an answer where there is none": {none, "ANSWER: x\nSOURCE: index.md", harness.Verdict{Outcome: harness.Invented, Citations: 1, Wrong: 1}},
		"nothing said":                  {rotate, " \n", harness.Verdict{Outcome: harness.Failed}},
	} {
		if got := c.Judge(t.Context(), k.q, harness.Attempt{Reply: k.reply}); got != k.want {
			t.Errorf("%s: %+v, not %+v", name, got, k.want)
		}
	}
	if got := c.Judge(t.Context(), rotate, harness.Attempt{Reply: "x", Err: errors.New("no")}); got.Outcome != harness.Failed {
		t.Errorf("%+v", got)
	}
}

func TestTally(t *testing.T) {
	answerable := harness.Question{Judged: []harness.Place{{}}}
	a := harness.Tally{Set: "s", Way: "docent"}
	a.Add(answerable, harness.Attempt{Calls: 2, Read: 100}, harness.Verdict{Outcome: harness.Right, Citations: 2, Wrong: 1, Expected: 3, Said: 1})
	a.Add(answerable, harness.Attempt{Calls: 4, Read: 300}, harness.Verdict{Outcome: harness.Abstained})
	a.Add(harness.Question{}, harness.Attempt{Calls: 3, Read: 200}, harness.Verdict{Outcome: harness.Right})
	b := harness.Tally{Set: "s", Way: "files"}
	b.Add(answerable, harness.Attempt{Calls: 9, Read: 6000}, harness.Verdict{Outcome: harness.Failed})
	b.Add(answerable, harness.Attempt{Calls: 9, Read: 6000}, harness.Verdict{Outcome: harness.Right, Citations: 1})
	out := &strings.Builder{}
	if err := harness.WriteTable(out, []harness.Tally{a, b, harness.Sum("docent", []harness.Tally{a, b, a})}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"| s | docent | 1 of 2 | 0 | 1 | 0 | 1 of 1 | 1 of 2 | 0 | 33 % | 3.0 | 200 | 0 |",
		"| s | files | 1 of 2 | 0 | 0 | 1 | - | 0 of 1 | 0 | - | 9.0 | 6000 | 0 |",
		"| all | docent | 2 of 4 |",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	if got := harness.Ratios(a, b); got != "docent : files = right 1.00, rightly refused -, calls 0.50, tokens read 0.05, tokens in -" {
		t.Error(got)
	}
}
