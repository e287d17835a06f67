package eval

import (
	"fmt"
	"io"
)

// A Way is a run and what it is called.
type Way struct {
	Name string
	Run  Run
}

// WriteBeside writes nDCG@10 of several runs side by side: of the first as it
// is, of the others with the difference to it and its interval. A star marks
// intervals that leave out zero.
func WriteBeside(w io.Writer, ways []Way) error {
	if len(ways) == 0 {
		return nil
	}
	if _, err := fmt.Fprintf(w, "%-15s %-17s %4s %8s", "ndcg@10", "kind", "n", ways[0].Name); err != nil {
		return err
	}
	others := make([][]Delta, len(ways)-1)
	for i, way := range ways[1:] {
		fmt.Fprintf(w, "  %-36s", way.Name)
		for _, d := range Compare(ways[0].Run, way.Run) {
			if d.Metric == "ndcg@10" {
				others[i] = append(others[i], d)
			}
		}
	}
	fmt.Fprintln(w)
	for k := range others[0] {
		first := others[0][k]
		fmt.Fprintf(w, "%-15s %-17s %4d %8.4f", first.Set, orDash(first.Kind), first.N, first.Before)
		for _, deltas := range others {
			if k >= len(deltas) {
				continue
			}
			d := deltas[k]
			star := " "
			if d.Sure() {
				star = "*"
			}
			fmt.Fprintf(w, "  %.4f %+.4f [%+.4f, %+.4f] %s", d.After, d.Diff, d.Low, d.High, star)
		}
		if _, err := fmt.Fprintln(w); err != nil {
			return err
		}
	}
	return nil
}
