package training

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/docent-md/docent/internal/engine/embed"
)

// A model was evaluated on the triplets it was trained on: recall@10 seemed to rise from
// .80 to .90, and on others it did not rise at all.
func TestUnseenIsWhatWasNotTrainedOn(t *testing.T) {
	var all []embed.Triplet
	for i := range 200 {
		all = append(all, embed.Triplet{Query: fmt.Sprint("question ", i), Positive: fmt.Sprint("answer ", i/2)})
	}
	train, held := holdOut(all)
	if len(train)+len(held) != len(all) || len(held) < 20 || len(held) > 70 {
		t.Fatalf("%d to train on, %d held out", len(train), len(held))
	}
	dir := t.TempDir()
	without, err := Unseen(dir, all)
	if err != nil || len(without) != len(held) {
		t.Errorf("of a model that says nothing: %d, %v", len(without), err)
	}
	if err := os.WriteFile(filepath.Join(dir, TrainedFile), trainedOn(train), 0o644); err != nil {
		t.Fatal(err)
	}
	unseen, err := Unseen(dir, all)
	if err != nil || len(unseen) != len(held) {
		t.Errorf("%d unseen, %d held out, %v", len(unseen), len(held), err)
	}
	other := []embed.Triplet{{Query: "another", Positive: "text"}}
	if unseen, err := Unseen(dir, other); err != nil || len(unseen) != 1 {
		t.Errorf("of other triplets: %d, %v", len(unseen), err)
	}
	if few, none := holdOut(all[:10]); len(few) != 10 || len(none) != 0 {
		t.Errorf("of ten: %d, %d", len(few), len(none))
	}
}
