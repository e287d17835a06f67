package texts

import (
	"encoding/binary"
	"fmt"
	"sync"

	"github.com/docent-md/docent/internal/blob"
	"github.com/klauspost/compress/zstd"
)

// maxSqueezed is the most that a squeezed part may unpack to, so that a damaged
// or hostile length cannot take all memory.
const maxSqueezed = 1 << 30

// squeezer is the one encoder of all calls: making one costs more than a page does.
var squeezer = sync.OnceValues(func() (*zstd.Encoder, error) {
	return zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithEncoderLevel(zstd.SpeedBetterCompression),
		zstd.WithEncoderCRC(false))
})

// Squeeze compresses a part that is read whole or not at all. What comes out
// begins with the length of what went in, as 8 bytes.
func Squeeze(data []byte) ([]byte, error) {
	enc, err := squeezer()
	if err != nil {
		return nil, err
	}
	out := binary.LittleEndian.AppendUint64(nil, uint64(len(data)))
	return enc.EncodeAll(data, out), nil
}

// maxWhole is the most that Unpack gives back.
const maxWhole = 256 << 20

// unpacker is the one decoder of all calls to Unpack, for the same reason.
var unpacker = sync.OnceValues(func() (*zstd.Decoder, error) {
	return zstd.NewReader(nil, zstd.WithDecoderConcurrency(0), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxMemory(maxWhole))
})

// Unpack returns what was squeezed, at once: many small parts are read faster that way.
func Unpack(data []byte) ([]byte, error) {
	if len(data) < 8 {
		return nil, fmt.Errorf("%w: %d bytes", ErrDamaged, len(data))
	}
	n := binary.LittleEndian.Uint64(data)
	if n > maxWhole {
		return nil, fmt.Errorf("%w: would unpack to %d bytes", ErrDamaged, n)
	}
	dec, err := unpacker()
	if err != nil {
		return nil, err
	}
	packed := data[8:]
	out, err := dec.DecodeAll(packed, make([]byte, 0, min(int(n), 1000*len(packed)+1024)))
	if err != nil || uint64(len(out)) != n {
		return nil, fmt.Errorf("%w: unpacks to %d of %d bytes: %v", ErrDamaged, len(out), n, err)
	}
	return out, nil
}

// A Squeezed is a compressed part that is unpacked when it is first read. It may
// be used by many goroutines.
type Squeezed struct {
	n    int
	data func() ([]byte, error)
}

// Unsqueeze returns a Blob of what was squeezed.
func Unsqueeze(b blob.Blob) (*Squeezed, error) {
	if b.Len() < 8 {
		return nil, fmt.Errorf("%w: %d bytes", ErrDamaged, b.Len())
	}
	head, err := b.Bytes(0, 8)
	if err != nil {
		return nil, err
	}
	n := binary.LittleEndian.Uint64(head)
	if n > maxSqueezed {
		return nil, fmt.Errorf("%w: would unpack to %d bytes", ErrDamaged, n)
	}
	s := &Squeezed{n: int(n)}
	s.data = sync.OnceValues(func() ([]byte, error) { return unpack(b, s.n) })
	return s, nil
}

func unpack(b blob.Blob, n int) ([]byte, error) {
	if n == 0 {
		return nil, nil
	}
	packed, err := b.Bytes(8, b.Len()-8)
	if err != nil {
		return nil, err
	}
	dec, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(max(uint64(n), 1<<20)))
	if err != nil {
		return nil, err
	}
	defer dec.Close()
	// The capacity is no more than what such a part can pack, whatever its length says.
	out, err := dec.DecodeAll(packed, make([]byte, 0, min(n, 1000*len(packed)+1024)))
	if err != nil || len(out) != n {
		return nil, fmt.Errorf("%w: unpacks to %d of %d bytes: %v", ErrDamaged, len(out), n, err)
	}
	return out, nil
}

// Len returns the length of the part.
func (s *Squeezed) Len() int { return s.n }

// Bytes returns n bytes of the part, which must not be changed.
func (s *Squeezed) Bytes(off, n int) ([]byte, error) {
	data, err := s.data()
	if err != nil {
		return nil, err
	}
	if off < 0 || n < 0 || off > len(data) || n > len(data)-off {
		return nil, fmt.Errorf("%w: %d bytes at %d of %d", ErrDamaged, n, off, len(data))
	}
	return data[off : off+n], nil
}
