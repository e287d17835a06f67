package index

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
)

// answers returns the numbers of the best texts.
func answers(t testing.TB, s *Searcher, query string, o Options) string {
	t.Helper()
	res, err := s.Top(Parse(query), 10, o)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, m := range res.Matches {
		out = append(out, fmt.Sprint(m.Num))
	}
	return strings.Join(out, " ")
}

func TestAnswers(t *testing.T) {
	texts := []Text{
		0: {Title: "Rotate keys", Headings: "Security", Body: "Replace the old keys with new ones."},
		1: {Title: "Logs", Headings: "Operations", Body: "Where logs go, and how they are rotated. Keys are not logged."},
		2: {Title: "kube-proxy", Headings: "Components", Body: "The network proxy on each node."},
		3: {Title: "Proxies", Headings: "Components", Body: "A proxy for Kube users: kube and proxy apart."},
		4: {Title: "Events", Headings: "DOM", Body: "Call addEventListener to listen."},
		5: {Title: "Listeners", Headings: "DOM", Body: "An event has listeners; add one."},
		6: {Title: "Café", Headings: "", Body: "Where to drink."},
		7: {Title: "服务", Headings: "", Body: "使用服务的方法"},
		8: {Title: "If let", Headings: "Patterns", Body: "A pattern in a condition."},
		9: {Title: "Let", Headings: "Statements", Body: "Binds a pattern."},
	}
	s, err := NewSearcher([]Input{{Reader: mustBuild(t, texts, 1)}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ name, query, want string }{
		{"titles weigh more", "rotate keys", "0 1"},
		{"any form of a word", "rotating key", "0 1"},
		{"questions", "how do I rotate my keys?", "0 1"},
		{"the name itself comes first", "kube-proxy", "2 3"},
		{"a name spelled differently", "kubeProxy", "2 3"},
		{"an identifier comes before its parts", "addEventListener", "4 5"},
		{"parts find identifiers", "event listener", "4 5"},
		{"accents do not matter", "cafe", "6"},
		{"Chinese", "使用服务", "7"},
		{"question words decide between equals", "if let", "8 9"},
		{"question words alone", "where the", "6 2 0 1"},
		{"question words with nothing known", "where xyzzyx", "6 1"},
		{"a phrase needs all its words", `"rotate logs"`, "1"},
		{"a phrase among other words does not", `keys "rotate logs"`, "1 0"},
		{"without a word", "keys -logs", "0"},
		{"without a name", "proxy -kube-proxy", "3"},
		{"in the title", "title:logs keys", "1"},
		{"in the title, with a slip", "title:lgos rotate", "1"},
		{"nothing known", "xyzzyx", ""},
		{"nothing", "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := answers(t, s, c.query, Options{}); got != c.want {
				t.Errorf("%q: got %s, want %s", c.query, got, c.want)
			}
		})
	}
	even := Options{Accept: func(n uint32) bool { return n%2 == 0 }}
	if got := answers(t, s, "rotate keys", even); got != "0" {
		t.Errorf("only even numbers: got %s", got)
	}
}

// listed is an order that was written down, text after text.
func listed(order []uint32) func(uint32) uint32 { return func(num uint32) uint32 { return order[num] } }

func TestEqualScoresHaveAFixedOrder(t *testing.T) {
	r := mustBuild(t, slices.Repeat([]Text{{Body: "same words"}}, 6), 1)
	s, err := NewSearcher([]Input{{r, NewSet(1)}, {Reader: r}}, listed([]uint32{5, 0, 3, 1, 4, 2, 11, 10, 9, 8, 7, 6}))
	if err != nil {
		t.Fatal(err)
	}
	for k, want := range map[int]string{3: "3 5 2", 6: "3 5 2 4 0 11", 100: "3 5 2 4 0 11 10 9 8 7 6"} {
		res, err := s.Top(Parse("words"), k, Options{})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, m := range res.Matches {
			got = append(got, fmt.Sprint(m.Num))
		}
		if strings.Join(got, " ") != want {
			t.Errorf("best %d: got %v, want %s", k, got, want)
		}
	}
}

func TestMatchesSayWhereWordsStand(t *testing.T) {
	s, err := NewSearcher([]Input{{Reader: mustBuild(t, []Text{
		{Title: "Rotate", Headings: "Keys of the cluster", Body: "rotating the keys"},
		{Title: "Cluster", Body: "nothing", Rest: "rotate"},
	}, 1)}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	res, err := s.Top(Parse("rotate the keys cluster"), 2, Options{})
	if err != nil {
		t.Fatal(err)
	}
	want := []Match{
		{Num: 0, Words: 0b1111, Title: 0b0001, Headings: 0b1110},
		{Num: 1, Words: 0b1000, Title: 0b1000},
	}
	for i, m := range res.Matches {
		m.Score = 0
		if m != want[i] {
			t.Errorf("match %d is %b, want %b", i, m, want[i])
		}
	}
	if w := res.Words[1]; !w.Stop || w.DocFreq != 1 || w.Weight <= 0 {
		t.Errorf("the second word became %+v", w)
	}
}

func TestLongQueriesAreMarkedToo(t *testing.T) {
	var words []string
	for c := 'a'; c <= 'z'; c++ {
		words = append(words, strings.Repeat(string(c), 5), strings.Repeat(string(c), 6))
	}
	s := searcherOf(t, strings.Join(words, " "), words[0]+" "+words[51], words[40])
	res, err := s.Top(Parse(strings.Join(words, " ")+" "), 3, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []uint64{1<<52 - 1, 1 | 1<<51, 1 << 40} {
		if m := res.Matches[i]; m.Num != uint32(i) || m.Words != want {
			t.Errorf("match %d is text %d with words %b, want %b", i, m.Num, m.Words, want)
		}
	}
}

// What Explain adds up is the score.
func TestExplainAddsUp(t *testing.T) {
	texts := []Text{
		{Title: "Rotate keys", Headings: "Security", Body: "Replace the old keys with new keys."},
		{Title: "Logs", Body: "How logs are rotated. addEventListener"},
	}
	r := mustBuild(t, texts, 1)
	s, err := NewSearcher([]Input{{r, NewSet(0)}, {Reader: r}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, query := range []string{"how to rotate keys", "rotate rotating log", "addEventListener", "title:logs the", "rotat the keyz"} {
		res, err := s.Top(Parse(query), 5, Options{})
		if err != nil || len(res.Matches) == 0 {
			t.Fatal(query, err)
		}
		for _, m := range res.Matches {
			e, err := s.Explain(Parse(query), m.Num, Options{})
			if err != nil || e.Score != m.Score {
				t.Errorf("%s: text %d has %d, explained as %d (%v)\n%v", query, m.Num, m.Score, e.Score, err, e)
			}
		}
	}
}

func ExampleExplanation() {
	texts := []Text{{Title: "Rotate keys", Body: "Replace old keys."}, {Title: "Logs", Body: "Rotating logs."}}
	parts, _ := Build(len(texts), func(i int) Text { return texts[i] }, 1)
	r, _ := inMemory(parts)
	s, _ := NewSearcher([]Input{{Reader: r}}, nil)
	e, _ := s.Explain(Parse("rotate"), 0, Options{})
	fmt.Print(e)
	// Output:
	//   0.2490  word "rotat" for "rotate": weight 1 * idf 0.182 (in 2 of 2) * 2.8 * t/(1.8 + t), t = 1.714; title 1 of 2 words (average 1.5): 1.714
	//   0.2840  term "rotate" for "rotate": weight 0.3 * idf 0.693 (in 1 of 2) * 2.8 * t/(1.8 + t), t = 1.714; title 1 of 2 words (average 1.5): 1.714
	//   0.5330  sum
}

// "accidentally" has the stem "accident", and "accident" another: the term must
// not be taken for the word of the same spelling.
func TestAStemIsNotTheTermSpelledLikeIt(t *testing.T) {
	s := searcherOf(t, "an accident", "accidents happen", "by chance")
	if got := answers(t, s, "accidentally ", Options{}); got != "" {
		t.Errorf("got %s", got)
	}
	s = searcherOf(t, "an accident", "accidentally")
	if got := answers(t, s, "accidentally ", Options{}); got != "1" {
		t.Errorf("got %s", got)
	}
}

// Writers may take texts in any way; only the keys decide.
func TestBuilderOrdersByKey(t *testing.T) {
	texts := []Text{{Body: "one a"}, {Body: "two a b"}, {Title: "three"}, {Body: "four b"}}
	want := partsOf(t, texts, 1)
	var b Builder
	x, y := b.Writer(), b.Writer()
	for _, a := range []struct {
		w   *Writer
		key uint64
		num int
	}{{y, 7, 1}, {x, 5, 0}, {y, 1 << 40, 2}, {x, 1<<40 + 1, 3}} {
		if err := a.w.Add(a.key, texts[a.num]); err != nil {
			t.Fatal(err)
		}
	}
	if err := x.Add(6, Text{}); err == nil {
		t.Error("a key that does not ascend was taken")
	}
	got, err := b.Finish(2)
	if err != nil {
		t.Fatal(err)
	}
	sameParts(t, want, got)

	var twice Builder
	for range 2 {
		if err := twice.Writer().Add(1, Text{}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := twice.Finish(1); err == nil {
		t.Error("a key was taken twice")
	}
}

func TestEmptyIndexAnswers(t *testing.T) {
	for _, in := range [][]Input{nil, {{Reader: mustBuild(t, nil, 1)}}, {{mustBuild(t, []Text{{Body: "a"}}, 1), NewSet(0)}}} {
		s, err := NewSearcher(in, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := answers(t, s, "a word", Options{}); got != "" {
			t.Errorf("got %s", got)
		}
		if e, err := s.Explain(Parse("a"), 0, Options{}); err != nil || e.Score != 0 && s.Len() == 0 && len(in) == 0 {
			t.Errorf("explained %v %v", e, err)
		}
	}
}

func TestManyGoroutinesMayAsk(t *testing.T) {
	s := searcherOf(t, slices.Repeat([]string{"rotate the keys", "keys of a kube-proxy", "contrller"}, 1000)...)
	want := answers(t, s, "rotate keyz", Options{})
	var wait sync.WaitGroup
	for range 8 {
		wait.Go(func() {
			for range 20 {
				if got := answers(t, s, "rotate keyz", Options{}); got != want {
					t.Errorf("got %s, want %s", got, want)
				}
			}
		})
	}
	wait.Wait()
}
