package rank

import (
	"slices"
	"testing"
)

func TestOrder(t *testing.T) {
	for _, tt := range []struct {
		name string
		in   []Candidate
		want []int
	}{
		{"by score when nothing else is known", []Candidate{{At: 1, Score: 1, Page: 1}, {At: 2, Score: 2, Page: 2}}, []int{2, 1}},
		{"a title that answers lifts", []Candidate{{At: 1, Score: 10, Page: 1}, {At: 2, Score: 8, Page: 2, Match: 0.6}}, []int{2, 1}},
		{"a title that is the question comes first", []Candidate{{At: 1, Score: 10, Page: 1, Match: 0.9}, {At: 2, Score: 5, Page: 2, Match: 1}}, []int{2, 1}},
		{"so does a file of that name", []Candidate{{At: 1, Score: 10, Page: 1}, {At: 2, Score: 5, Page: 2, Named: true}}, []int{2, 1}},
		{"a page on which more was found lifts its sections", []Candidate{
			{At: 1, Score: 10, Page: 1},
			{At: 2, Score: 5.1, Page: 2},
			{At: 3, Score: 5, Page: 1},
		}, []int{1, 3, 2}},
		{"equals keep their order", []Candidate{{At: 7, Score: 1, Page: 1}, {At: 3, Score: 1, Page: 2}}, []int{7, 3}},
		{"nothing at all", nil, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			Order(tt.in, DefaultParams())
			var got []int
			for _, c := range tt.in {
				got = append(got, c.At)
			}
			if !slices.Equal(got, tt.want) {
				t.Errorf("order %v, want %v", got, tt.want)
			}
		})
	}
}
