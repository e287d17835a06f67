package eval

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// docs makes a documentation set of files whose lines are given by their number
// and their length, newline included.
func docs(files map[string]string, queries ...Query) *Set {
	var all []File
	for path, text := range files {
		all = append(all, File{Path: path, Text: text})
	}
	return NewSet("docs", all, queries)
}

// lines returns n lines of size characters each.
func lines(n, size int) string { return strings.Repeat(strings.Repeat("x", size-1)+"\n", n) }

func section(file string, start, end int) Judgement {
	return Judgement{ID: fmt.Sprint(file, "#", start), Score: 1, File: file, Start: start, End: end}
}

func graded(file string, score float64) Judgement {
	return Judgement{ID: file, Score: score, File: file, Start: 1, End: 5}
}

// Every expected figure below was worked out by hand. 1/log2(3) is .63093,
// 1/log2(4) is .5, 1/log2(5) is .43068.
func TestScore(t *testing.T) {
	small := map[string]string{}
	for _, f := range []string{"a", "b", "c", "d", "e"} {
		small[f] = lines(100, 40) // 10 tokens a line
	}
	small["wide"] = lines(100, 400) // 100 tokens a line: 8 are seen
	small["é"] = strings.Repeat(strings.Repeat("é", 399)+"\n", 100)

	none := func(n int) []Hit { return slices.Repeat([]Hit{{"e", 1, 1}}, n) }
	tests := []struct {
		name   string
		typ    string
		judged []Judgement
		hits   []Hit
		want   map[int]float64 // the rest must be 0
	}{
		{
			"no hit is an empty answer", Section,
			[]Judgement{section("a", 1, 5)},
			nil,
			map[int]float64{Empty: 1},
		},
		{
			"a miss is not an empty answer", Section,
			[]Judgement{section("a", 1, 5)},
			[]Hit{{"b", 1, 5}},
			nil,
		},
		{
			"the right section at the third rank", Section,
			[]Judgement{section("a", 11, 20)},
			[]Hit{{"b", 11, 20}, {"a", 21, 30}, {"a", 11, 20}},
			map[int]float64{
				NDCG10: .5, MRR10: 1. / 3, Recall5: 1, Recall10: 1, Recall20: 1, Recall100: 1,
				Success1000: 1, Success2000: 1,
			},
		},
		{
			"one shared line is an overlap", Section,
			[]Judgement{section("a", 11, 20)},
			[]Hit{{"a", 1, 10}, {"a", 20, 29}},
			map[int]float64{
				NDCG10: .63093, MRR10: .5, Recall5: 1, Recall10: 1, Recall20: 1, Recall100: 1,
				Success1000: 1, Success2000: 1,
			},
		},
		{
			"two judged sections, one found", Section,
			[]Judgement{section("a", 11, 20), section("b", 1, 10)},
			[]Hit{{"a", 11, 20}},
			map[int]float64{
				NDCG10: 1 / 1.63093, MRR10: 1, Recall5: .5, Recall10: .5, Recall20: .5, Recall100: .5,
				Success1000: 1, Success2000: 1,
			},
		},
		{
			"a section found twice gains once, and the second hit takes up a rank", Section,
			[]Judgement{section("a", 11, 30), section("b", 1, 10)},
			[]Hit{{"a", 11, 20}, {"a", 21, 30}, {"b", 1, 10}},
			map[int]float64{
				NDCG10: 1.5 / 1.63093, MRR10: 1, Recall5: 1, Recall10: 1, Recall20: 1, Recall100: 1,
				Success1000: 1, Success2000: 1,
			},
		},
		{
			"one hit that finds two sections is no better than perfect", Section,
			[]Judgement{section("a", 11, 20), section("a", 21, 30)},
			[]Hit{{"a", 11, 30}},
			map[int]float64{
				NDCG10: 1, MRR10: 1, Recall5: 1, Recall10: 1, Recall20: 1, Recall100: 1,
				Success1000: 1, Success2000: 1,
			},
		},
		{
			"gains are linear in the grade", Page,
			[]Judgement{graded("a", 3), graded("b", 1), graded("c", 2)},
			[]Hit{{"b", 1, 1}, {"d", 1, 1}, {"a", 1, 1}},
			map[int]float64{
				NDCG10: (1 + 3*.5) / (3 + 2*.63093 + .5), MRR10: 1,
				Recall5: 2. / 3, Recall10: 2. / 3, Recall20: 2. / 3, Recall100: 2. / 3,
				Success1000: 1, Success2000: 1,
			},
		},
		{
			"pages collapse before ranks are counted", Page,
			[]Judgement{graded("b", 1)},
			[]Hit{{"a", 1, 5}, {"a", 6, 9}, {"a", 20, 30}, {"b", 50, 51}},
			map[int]float64{
				NDCG10: .63093, MRR10: .5, Recall5: 1, Recall10: 1, Recall20: 1, Recall100: 1,
				Success1000: 1, Success2000: 1,
			},
		},
		{
			"sections do not collapse", Section,
			[]Judgement{section("b", 50, 51)},
			[]Hit{{"a", 1, 5}, {"a", 6, 9}, {"a", 20, 30}, {"b", 50, 51}},
			map[int]float64{
				NDCG10: .43068, MRR10: .25, Recall5: 1, Recall10: 1, Recall20: 1, Recall100: 1,
				Success1000: 1, Success2000: 1,
			},
		},
		{
			"what is printed does not collapse: 9 x 200 tokens, then 10", Page,
			[]Judgement{graded("b", 1)},
			append(slices.Repeat([]Hit{{"a", 1, 20}}, 9), Hit{"b", 1, 1}),
			map[int]float64{
				NDCG10: .63093, MRR10: .5, Recall5: 1, Recall10: 1, Recall20: 1, Recall100: 1,
				Success2000: 1,
			},
		},
		{
			"rank 10 is the last that nDCG and MRR see", Section,
			[]Judgement{section("a", 1, 5)},
			append(none(9), Hit{"a", 1, 1}),
			map[int]float64{
				NDCG10: 1 / math.Log2(11), MRR10: .1, Recall10: 1, Recall20: 1, Recall100: 1,
				Success1000: 1, Success2000: 1,
			},
		},
		{
			"rank 11 counts for recall", Section,
			[]Judgement{section("a", 1, 5)},
			append(none(10), Hit{"a", 1, 1}),
			map[int]float64{Recall20: 1, Recall100: 1, Success1000: 1, Success2000: 1},
		},
		{
			"rank 100 is the last of all", Section,
			[]Judgement{section("a", 1, 5)},
			append(none(99), Hit{"a", 1, 1}),
			map[int]float64{Recall100: 1, Success1000: 1, Success2000: 1},
		},
		{
			"rank 101 does not count", Section,
			[]Judgement{section("a", 1, 5)},
			append(none(100), Hit{"a", 1, 3}),
			map[int]float64{Success2000: 1},
		},
		{
			"a hit that ends with the 1,000th token is in time", Section,
			[]Judgement{section("a", 81, 100)},
			[]Hit{{"b", 1, 80}, {"a", 81, 100}},
			map[int]float64{
				NDCG10: .63093, MRR10: .5, Recall5: 1, Recall10: 1, Recall20: 1, Recall100: 1,
				Success1000: 1, Success2000: 1,
			},
		},
		{
			"a hit that ends after it is late", Section,
			[]Judgement{section("a", 80, 100)},
			[]Hit{{"b", 1, 80}, {"a", 80, 100}},
			map[int]float64{
				NDCG10: .63093, MRR10: .5, Recall5: 1, Recall10: 1, Recall20: 1, Recall100: 1,
				Success2000: 1,
			},
		},
		{
			"a long hit is printed as 800 tokens: twice 800, then 400", Section,
			[]Judgement{section("a", 1, 40)},
			[]Hit{{"wide", 1, 100}, {"wide", 1, 100}, {"a", 1, 40}},
			map[int]float64{
				NDCG10: .5, MRR10: 1. / 3, Recall5: 1, Recall10: 1, Recall20: 1, Recall100: 1,
				Success2000: 1,
			},
		},
		{
			"the eighth line of a hundred tokens is seen", Section,
			[]Judgement{section("wide", 18, 18)},
			[]Hit{{"wide", 11, 100}},
			map[int]float64{
				NDCG10: 1, MRR10: 1, Recall5: 1, Recall10: 1, Recall20: 1, Recall100: 1,
				Success1000: 1, Success2000: 1,
			},
		},
		{
			"the ninth is not", Section,
			[]Judgement{section("wide", 19, 30)},
			[]Hit{{"wide", 11, 100}},
			nil,
		},
		{
			"characters are counted, not bytes", Section,
			[]Judgement{section("é", 8, 8)},
			[]Hit{{"é", 1, 100}},
			map[int]float64{
				NDCG10: 1, MRR10: 1, Recall5: 1, Recall10: 1, Recall20: 1, Recall100: 1,
				Success1000: 1, Success2000: 1,
			},
		},
		{
			"a page is found whatever part of it is printed", Page,
			[]Judgement{{ID: "wide", Score: 1, File: "wide", Start: 1, End: 3}},
			[]Hit{{"wide", 11, 100}},
			map[int]float64{
				NDCG10: 1, MRR10: 1, Recall5: 1, Recall10: 1, Recall20: 1, Recall100: 1,
				Success1000: 1, Success2000: 1,
			},
		},
		{
			"a hit without lines is the whole file", Section,
			[]Judgement{section("a", 70, 70)},
			[]Hit{{File: "a"}},
			map[int]float64{
				NDCG10: 1, MRR10: 1, Recall5: 1, Recall10: 1, Recall20: 1, Recall100: 1,
				Success1000: 1, Success2000: 1,
			},
		},
		{
			"lines beyond the end of the file find nothing", Section,
			[]Judgement{section("a", 90, 200)},
			[]Hit{{"a", 101, 150}, {"a", math.MaxInt, math.MaxInt}, {"a", 7, -3}},
			nil,
		},
		{
			"an answer the set lacks is never found", Section,
			[]Judgement{section("a", 1, 1), {ID: "gone", Score: 1, Start: 1, End: 9}},
			[]Hit{{"a", 1, 1}},
			map[int]float64{
				NDCG10: 1 / 1.63093, MRR10: 1, Recall5: .5, Recall10: .5, Recall20: .5, Recall100: .5,
				Success1000: 1, Success2000: 1,
			},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := docs(small, Query{ID: "q", Text: "?", Type: tt.typ, Judged: tt.judged})
			run, err := Score(s, func(string) ([]Hit, error) { return tt.hits, nil })
			if err != nil {
				t.Fatal(err)
			}
			got := run[0].Mean()
			for m, name := range Metrics {
				if math.Abs(got[m]-tt.want[m]) > 1e-5 {
					t.Errorf("%s = %.5f, want %.5f", name, got[m], tt.want[m])
				}
			}
		})
	}
}

func TestScoreAveragesByKind(t *testing.T) {
	one := []Judgement{section("a", 1, 1)}
	s := docs(
		map[string]string{"a": "x\n"},
		Query{ID: "1", Text: "yes", Kind: "link", Judged: one},
		Query{ID: "2", Text: "no", Kind: "link", Judged: one},
		Query{ID: "3", Text: "yes", Kind: "faq", Judged: one},
		Query{ID: "4", Text: "never asked", Kind: "link"},
	)
	run, err := Score(s, func(q string) ([]Hit, error) {
		switch q {
		case "yes":
			return []Hit{{"a", 1, 1}}, nil
		case "no":
			return nil, nil
		}
		return nil, errors.New("a question without an answer was asked")
	})
	if err != nil {
		t.Fatal(err)
	}
	got := fmt.Sprint(run.Records())
	want := "[{docs faq 1 1 1 1 1 1 1 1 1 0} {docs link 2 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5}]"
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestScoreFails(t *testing.T) {
	s := docs(map[string]string{"a": "x"}, Query{ID: "q7", Text: "?", Judged: []Judgement{section("a", 1, 1)}})
	broken := errors.New("broken")
	if _, err := Score(s, func(string) ([]Hit, error) { return nil, broken }); !errors.Is(err, broken) || !strings.Contains(err.Error(), "q7") {
		t.Errorf("the ranker's error is lost: %v", err)
	}
	_, err := Score(s, func(string) ([]Hit, error) { return []Hit{{"./a", 1, 1}}, nil })
	if err == nil || err.Error() != `set docs, query q7: hit in "./a", which is no file of the set` {
		t.Errorf("a path of another tree goes unnoticed: %v", err)
	}
}

// The lines a reader sees of a hit, against printing it and counting.
func TestSeeEqualsPrinting(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		texts := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) string {
			return strings.Repeat(rapid.SampledFrom([]string{"x", "é", "\xff", "本"}).Draw(t, "c"), rapid.IntRange(0, 1500).Draw(t, "n"))
		}), 0, 12).Draw(t, "lines")
		text := strings.Join(texts, "\n")
		all := strings.SplitAfter(text, "\n")
		if all[len(all)-1] == "" {
			all = all[:len(all)-1]
		}
		h := Hit{"a", rapid.IntRange(-2, 15).Draw(t, "start"), rapid.IntRange(-2, 15).Draw(t, "end")}
		got := newLayout(text).see(h)

		var visible []int
		chars := 0
		for n := 1; n <= len(all); n++ {
			inside := n >= h.Start && n <= h.End || h.Start == 0 && h.End == 0
			if !inside {
				continue
			}
			if chars < 3200 {
				visible = append(visible, n)
			}
			chars += len([]rune(all[n-1]))
		}
		if chars = min(chars, 3200); got.chars != chars {
			t.Fatalf("%d characters, want %d", got.chars, chars)
		}
		var saw []int
		for n := got.start; n <= got.end; n++ {
			saw = append(saw, n)
		}
		if !slices.Equal(saw, visible) {
			t.Fatalf("lines %v, want %v", saw, visible)
		}
	})
}

// Whatever is judged and answered, figures lie between 0 and 1, recall grows with
// the rank, and a further hit at the end never harms.
func TestScoreBounds(t *testing.T) {
	files := map[string]string{"a": lines(30, 300), "b": lines(30, 30), "c": ""}
	name := rapid.SampledFrom([]string{"a", "b", "c"})
	rapid.Check(t, func(t *rapid.T) {
		judged := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) Judgement {
			start := rapid.IntRange(1, 30).Draw(t, "start")
			return Judgement{
				Score: rapid.Float64Range(1e-300, maxScore).Draw(t, "score"), File: name.Draw(t, "file"),
				Start: start, End: start + rapid.IntRange(0, 9).Draw(t, "more"),
			}
		}), 1, 15).Draw(t, "judged")
		hits := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) Hit {
			start := rapid.IntRange(1, 30).Draw(t, "start")
			return Hit{name.Draw(t, "file"), start, start + rapid.IntRange(0, 9).Draw(t, "more")}
		}), 1, 120).Draw(t, "hits")
		s := docs(files)
		s.Passages = rapid.Bool().Draw(t, "passages")
		q := Query{Judged: judged, Type: rapid.SampledFrom([]string{"", Section, Page}).Draw(t, "type")}
		v, err := s.score(q, hits)
		if err != nil {
			t.Fatal(err)
		}
		for m, x := range v {
			if !(x >= 0 && x <= 1) {
				t.Fatalf("%s = %v", Metrics[m], x)
			}
		}
		if !slices.IsSorted(v[Recall5:Recall100+1]) || v[Success1000] > v[Success2000] {
			t.Fatalf("a longer list is worse than a short one: %v", v)
		}
		less, err := s.score(q, hits[:len(hits)-1])
		if err != nil {
			t.Fatal(err)
		}
		for m := range v {
			if m != Empty && v[m] < less[m]-1e-12 {
				t.Fatalf("%s falls from %v to %v with one more hit", Metrics[m], less[m], v[m])
			}
		}
	})
}
