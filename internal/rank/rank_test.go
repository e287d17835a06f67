package rank

import (
	"slices"
	"testing"
)

func TestOrder(t *testing.T) {
	for _, tt := range []struct {
		name string
		in   []Candidate
		want []uint32
	}{
		{"by score when nothing else is known", []Candidate{{Num: 1, Score: 1, Page: 1}, {Num: 2, Score: 2, Page: 2}}, []uint32{2, 1}},
		{"a title that answers lifts", []Candidate{{Num: 1, Score: 10, Page: 1}, {Num: 2, Score: 8, Page: 2, Match: 0.6}}, []uint32{2, 1}},
		{"a title that is the question comes first", []Candidate{{Num: 1, Score: 10, Page: 1, Match: 0.9}, {Num: 2, Score: 5, Page: 2, Match: 1}}, []uint32{2, 1}},
		{"so does a file of that name", []Candidate{{Num: 1, Score: 10, Page: 1}, {Num: 2, Score: 5, Page: 2, Named: true}}, []uint32{2, 1}},
		{"a page on which more was found lifts its sections", []Candidate{
			{Num: 1, Score: 10, Page: 1},
			{Num: 2, Score: 5.1, Page: 2},
			{Num: 3, Score: 5, Page: 1},
		}, []uint32{1, 3, 2}},
		{"equals keep their order", []Candidate{{Num: 7, Score: 1, Page: 1}, {Num: 3, Score: 1, Page: 2}}, []uint32{7, 3}},
		{"nothing at all", nil, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			Order(tt.in, DefaultParams())
			var got []uint32
			for _, c := range tt.in {
				got = append(got, c.Num)
			}
			if !slices.Equal(got, tt.want) {
				t.Errorf("order %v, want %v", got, tt.want)
			}
		})
	}
}
