package index

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/docent-md/docent/internal/blob"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// distance is the obvious version: the whole table.
func distance(a, b []rune) int {
	d := make([][]int, len(a)+1)
	for i := range d {
		d[i] = make([]int, len(b)+1)
		for j := range d[i] {
			switch {
			case i == 0 || j == 0:
				d[i][j] = i + j
				continue
			case a[i-1] == b[j-1]:
				d[i][j] = d[i-1][j-1]
			default:
				d[i][j] = d[i-1][j-1] + 1
			}
			d[i][j] = min(d[i][j], d[i-1][j]+1, d[i][j-1]+1)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				d[i][j] = min(d[i][j], d[i-2][j-2]+1)
			}
		}
	}
	return d[len(a)][len(b)]
}

func dictionaryOf(keys ...string) *dictionary {
	var w dictWriter
	slices.Sort(keys)
	for _, k := range slices.Compact(keys) {
		w.add([]byte(k), entry{n: 1, alias: -1})
	}
	return &dictionary{text: blob.Memory(w.text), x: blob.Memory(append(w.records, w.entries...)), count: w.count}
}

// Passing over keys that begin alike must lose none.
func TestFuzzyFindsAllNearKeys(t *testing.T) {
	word := rapid.StringOfN(rapid.SampledFrom([]rune("aabcé文")), 1, 10, -1)
	rapid.Check(t, func(t *rapid.T) {
		keys := rapid.SliceOfN(word, 1, 200).Draw(t, "keys")
		w := word.Draw(t, "word")
		most := rapid.IntRange(1, 2).Draw(t, "most")
		want := map[string]int{}
		for _, k := range keys {
			if d := distance([]rune(k), []rune(w)); d <= most {
				want[k] = d
			}
		}
		d := dictionaryOf(keys...)
		got := map[string]int{}
		if err := newFuzzy(w, most).scan(d, 0, d.groups(), func(key []byte, n int) { got[string(key)] = n }); err != nil {
			t.Fatal(err)
		}
		if !maps.Equal(want, got) {
			t.Fatal(cmp.Diff(want, got))
		}
	})
}

func searcherOf(t testing.TB, bodies ...string) *Searcher {
	t.Helper()
	texts := make([]Text, len(bodies))
	for i, b := range bodies {
		texts[i].Body = b
	}
	s, err := NewSearcher([]Input{{Reader: mustBuild(t, texts, 1)}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestUnknownWordsAreReplaced(t *testing.T) {
	s := searcherOf(t,
		"controller controller configuration addEventListener port host",
		"controller container configuration kubernetes", "controllers kubernetes",
		"controllable 使用 使命 cafés")
	for _, c := range []struct{ name, query, want string }{
		{"a letter left out", "contoller x", "contoller>controller"},
		{"a letter too many", "contrroller x", "contrroller>controller"},
		{"a wrong letter", "contriller x", "contriller>controller"},
		{"neighbours swapped", "contrloler x", "contrloler>controller"},
		{"two slips in a long word", "cnfiguratoin x", "cnfiguratoin>configuration"},
		{"two slips in a short word are too many", "cntinr x", ""},
		{"a wrong first letter", "xontroller x", "xontroller>controller"},
		{"the first two letters swapped", "ocntroller x", "ocntroller>controller"},
		{"identifiers", "addEventListner x", "addeventlistner>addeventlistener"},
		{"short words are left alone", "pot hst", ""},
		{"so are numbers", "port8080 x", ""},
		{"so are words that some form of is known", "kubernete configurations", ""},
		{"and words with accents or without", "cafe café", ""},
		{"an unfinished word is completed", "kubern", "kubern>kubernetes"},
		{"so is an unfinished identifier", "addEventLis", "addeventlis>addeventlistener"},
		{"unless it is finished", "kubern ", ""},
		{"with the most frequent words", "con", "con>configuration con>controller con>container"},
		{"a lone character stands for the pairs it begins", "使 x", "使>使命 使>使用"},
		{"nothing is near", "zzzzzzzz x", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			res, err := s.Top(Parse(c.query), 3, Options{})
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, f := range res.Corrections {
				got = append(got, f.From+">"+f.To)
			}
			if g := strings.Join(got, " "); g != c.want {
				t.Errorf("%q: got %q, want %q", c.query, g, c.want)
			}
		})
	}
}

func TestNearest(t *testing.T) {
	s := searcherOf(t, "controller controllers control", "controller kube-proxy", "getElementById")
	near, err := s.Nearest("Controler", 2)
	if err != nil || !slices.Equal(near, []string{"controller", "control"}) {
		t.Errorf("nearest: %v %v", near, err)
	}
}

// People write compounds in one word or in two, whatever the documents do.
func TestCompounds(t *testing.T) {
	s := searcherOf(t, "change the nameservers of a zone", "a name", "set a time out for requests", "nothing here")
	for query, want := range map[string]uint32{"name servers": 0, "timeout": 2} {
		r, err := s.Top(Parse(query+" "), 4, Options{})
		if err != nil || !slices.ContainsFunc(r.Matches, func(m Match) bool { return m.Num == want }) {
			t.Errorf("%q: %+v, %v", query, r.Matches, err)
		}
	}
}

// "decorated" and "decorator" are one slip from "decorater", and one word by their stem.
func TestCommonFormIsMeant(t *testing.T) {
	s := searcherOf(t, "a decorator", "another decorator", "the decorator", "it is decorated")
	r, err := s.Top(Parse("decorater "), 4, Options{})
	if err != nil || len(r.Corrections) != 1 || r.Corrections[0].To != "decorator" {
		t.Errorf("%+v, %v", r.Corrections, err)
	}
}
