package index

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/docent-md/docent/internal/blob"
)

// use does with a Reader all that can be done, and returns the errors.
func use(r *Reader) error {
	s, err := NewSearcher([]Input{{r, NewSet(0)}}, nil)
	if err != nil {
		return err
	}
	q := Parse(`the controller of kube-proxy "event listener" title:pod -lepton contrller zeb`)
	_, err1 := s.Top(q, 5, Options{})
	_, err2 := s.topExhaustive(q, 5, Options{})
	_, err3 := s.Explain(q, 1, Options{})
	_, _, err4 := s.MayContain(Literal{Text: "ontroll"})
	_, _, err5 := s.MayContain(Literal{Text: "the node", Left: true})
	_, err6 := s.Nearest("controler", 3)
	_, err7 := s.Complete("co", 3)
	err8 := s.Terms(func([]byte, int) bool { return true })
	_, err9 := Merge([]Input{{Reader: r}, {r, NewSet(0)}}, nil, 1)
	return errors.Join(err1, err2, err3, err4, err5, err6, err7, err8, err9)
}

// damagedReader opens parts some bytes of which are changed, or one of which
// was cut.
func damagedReader(parts []Part, rng *rand.Rand) (*Reader, error) {
	parts = append([]Part(nil), parts...)
	for range 1 + rng.IntN(3) {
		p := &parts[rng.IntN(len(parts))]
		p.Data = bytes.Clone(p.Data)
		if len(p.Data) == 0 {
			continue
		}
		switch rng.IntN(6) {
		case 0:
			p.Data = p.Data[:rng.IntN(len(p.Data))]
		case 1:
			from := rng.IntN(len(p.Data))
			clear(p.Data[from:min(from+64, len(p.Data))])
		case 2:
			p.Data[rng.IntN(len(p.Data))] = 0xff
		default:
			p.Data[rng.IntN(len(p.Data))] ^= 1 << rng.IntN(8)
		}
	}
	return inMemory(parts)
}

// Damaged parts give errors or wrong answers, never a crash. (Checksums, which
// are not the business of this package, make errors of all of them.)
func TestDamagedPartsDoNoHarm(t *testing.T) {
	parts := partsOf(t, randomTexts(rand.New(rand.NewPCG(3, 4)), 400), 1)
	rounds := 1500
	if testing.Short() {
		rounds = 300
	}
	failed := 0
	for i := range rounds {
		r, err := damagedReader(parts, rand.New(rand.NewPCG(5, uint64(i))))
		if err == nil {
			err = use(r)
		}
		if err != nil {
			failed++
			if !errors.Is(err, ErrDamaged) {
				t.Fatalf("round %d: %v", i, err)
			}
		}
	}
	if failed < rounds/10 {
		t.Errorf("only %d of %d damages were noticed", failed, rounds)
	}
}

func FuzzDamagedParts(f *testing.F) {
	parts := partsOf(f, randomTexts(rand.New(rand.NewPCG(3, 5)), 300), 1)
	for i := range parts {
		f.Add(uint8(i), uint32(0), []byte{0xff})
		f.Add(uint8(i), uint32(40), []byte{0, 0, 0, 0, 0, 0, 0, 0})
	}
	f.Fuzz(func(t *testing.T, part uint8, at uint32, change []byte) {
		parts := append([]Part(nil), parts...)
		p := &parts[int(part)%len(parts)]
		if len(p.Data) == 0 {
			return
		}
		p.Data = bytes.Clone(p.Data)
		copy(p.Data[int(at)%len(p.Data):], change)
		if r, err := inMemory(parts); err == nil {
			_ = use(r)
		}
	})
}

// brokenBlob fails after some reads.
type brokenBlob struct {
	blob.Memory
	left *int
}

var errBroken = errors.New("broken")

func (b brokenBlob) Bytes(off, n int) ([]byte, error) {
	if *b.left--; *b.left < 0 {
		return nil, errBroken
	}
	return b.Memory.Bytes(off, n)
}

// Whatever cannot be read is an error of the query that needed it.
func TestReadErrorsAreReturned(t *testing.T) {
	parts := partsOf(t, randomTexts(rand.New(rand.NewPCG(3, 6)), 50), 1)
	q := Parse("the controller of contrller zeb")
	for reads := 0; ; reads++ {
		left := reads
		r, err := Open(func(name string) (blob.Blob, error) {
			for _, p := range parts {
				if p.Name == name {
					return brokenBlob{blob.Memory(p.Data), &left}, nil
				}
			}
			return nil, fmt.Errorf("no part %s", name)
		})
		var res Result
		if err == nil {
			var s *Searcher
			if s, err = NewSearcher([]Input{{Reader: r}}, nil); err == nil {
				res, err = s.Top(q, 3, Options{})
			}
		}
		if left >= 0 {
			if err != nil || len(res.Matches) == 0 {
				t.Fatalf("no answer after %d reads: %v", reads, err)
			}
			return
		}
		if !errors.Is(err, errBroken) {
			t.Fatalf("read %d failed, the error is %v", reads, err)
		}
	}
}
