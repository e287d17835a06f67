package embed

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"testing"
)

// What is learned from documents has the same bits on every processor: an index is built
// on one and read on another.
func TestTrainIsPinned(t *testing.T) {
	table, triplets := tongueTable(t), twoTongues(200)
	for i := range triplets {
		triplets[i].Negatives = []string{triplets[(i+1)%len(triplets)].Positive}
	}
	d, err := Train(context.Background(), table, triplets, TrainOptions{Epochs: 2, Batch: 50, Seed: 5})
	if err != nil {
		t.Fatal(err)
	}
	const want = "059ebc3a91b9b9a0"
	if sum := sha256.Sum256(d.Bytes()); hex.EncodeToString(sum[:8]) != want {
		t.Errorf("the rows have hash %x, want %s", sum[:8], want)
	}
}
