package training

import (
	"errors"
	"fmt"
	"hash/fnv"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/docent-md/docent/internal/engine/embed"
)

// What a model has learnt says nothing about what it can do. So one triplet in holdOutEvery
// is not trained on, by a hash of the text that answers, which keeps all questions about a
// text on one side. A trained model has a file that lists the triplets it was trained on,
// by hashes; an evaluation leaves those out.
const (
	holdOutEvery = 5
	fewTriplets  = 20 // of fewer all are trained on

	// TrainedFile lists, in the folder of a model, what it was trained on.
	TrainedFile = "trained.txt"
)

// holdOut divides triplets into those to train on and those to evaluate on.
func holdOut(all []embed.Triplet) (train, held []embed.Triplet) {
	if len(all) < fewTriplets {
		return all, nil
	}
	for _, t := range all {
		if hash(t.Positive)%holdOutEvery == 0 {
			held = append(held, t)
		} else {
			train = append(train, t)
		}
	}
	return train, held
}

func hash(text string) uint64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(text))
	return h.Sum64()
}

// trainedOn is the content of TrainedFile.
func trainedOn(all []embed.Triplet) []byte {
	b := &strings.Builder{}
	for _, t := range all {
		fmt.Fprintf(b, "%016x\n", hash(t.Positive))
	}
	return []byte(b.String())
}

// Unseen returns the triplets that the model in a folder was not trained on. Of a model
// that does not say what it was trained on, those that training holds out.
func Unseen(dir string, all []embed.Triplet) ([]embed.Triplet, error) {
	raw, err := os.ReadFile(filepath.Join(dir, TrainedFile))
	if errors.Is(err, fs.ErrNotExist) {
		_, held := holdOut(all)
		return held, nil
	}
	if err != nil {
		return nil, err
	}
	seen := map[string]bool{}
	for line := range strings.Lines(string(raw)) {
		seen[strings.TrimSpace(line)] = true
	}
	var out []embed.Triplet
	for _, t := range all {
		if !seen[fmt.Sprintf("%016x", hash(t.Positive))] {
			out = append(out, t)
		}
	}
	return out, nil
}
