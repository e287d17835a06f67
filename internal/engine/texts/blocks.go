package texts

import (
	"encoding/binary"
	"fmt"
	"math"
	"sync"
	"sync/atomic"

	"github.com/klauspost/compress/zstd"

	"github.com/docent-md/docent/internal/blob"
)

// Tables of which a few rows are read now and then are squeezed in blocks, each by
// itself:
//
//	u64        length of the table
//	u32        length of a block, unpacked
//	u32 each   where the block ends, counted from the first
//	           the blocks
//
// A block that was read stays unpacked: rows of a table must stay valid, and their
// neighbours are often asked for next.

// rowsBlock is the length of a block: of 512 rows of 32 bytes.
const rowsBlock = 16 << 10

// rowsDecoder is the one decoder of all tables; DecodeAll may be called at once by
// many. No block unpacks to more than 1 MiB.
var rowsDecoder = sync.OnceValues(func() (*zstd.Decoder, error) {
	return zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(1<<20), zstd.WithDecoderLowmem(true))
})

// SqueezeRows compresses a table that is read in pieces.
func SqueezeRows(data []byte) ([]byte, error) {
	enc, err := squeezer()
	if err != nil {
		return nil, err
	}
	n := (len(data) + rowsBlock - 1) / rowsBlock
	out := binary.LittleEndian.AppendUint64(nil, uint64(len(data)))
	out = binary.LittleEndian.AppendUint32(out, rowsBlock)
	ends := len(out)
	out = append(out, make([]byte, 4*n)...)
	first := len(out)
	for i := range n {
		out = enc.EncodeAll(data[i*rowsBlock:min((i+1)*rowsBlock, len(data))], out)
		if uint64(len(out)-first) > math.MaxUint32 {
			return nil, fmt.Errorf("squeeze: a table of %d bytes is too large", len(data))
		}
		binary.LittleEndian.PutUint32(out[ends+4*i:], uint32(len(out)-first))
	}
	return out, nil
}

// Rows is a table squeezed in blocks. It may be used by many goroutines.
type Rows struct {
	b     blob.Blob
	n     int
	block int
	ends  []byte
	first int // where the blocks begin
	done  []atomic.Pointer[[]byte]
}

// rowsHead is the length of what comes before the ends.
const rowsHead = 12

// UnsqueezeRows returns a Blob of what SqueezeRows compressed. It unpacks nothing
// yet.
func UnsqueezeRows(b blob.Blob) (*Rows, error) {
	if b.Len() < rowsHead {
		return nil, fmt.Errorf("%w: %d bytes", ErrDamaged, b.Len())
	}
	head, err := b.Bytes(0, rowsHead)
	if err != nil {
		return nil, err
	}
	n, block := binary.LittleEndian.Uint64(head), int64(binary.LittleEndian.Uint32(head[8:]))
	if n > maxSqueezed || block == 0 || block > 1<<20 {
		return nil, fmt.Errorf("%w: %d bytes in blocks of %d", ErrDamaged, n, block)
	}
	blocks := int((int64(n) + block - 1) / block)
	if blocks > (b.Len()-rowsHead)/4 {
		return nil, fmt.Errorf("%w: %d blocks in %d bytes", ErrDamaged, blocks, b.Len())
	}
	r := &Rows{b: b, n: int(n), block: int(block), first: rowsHead + 4*blocks, done: make([]atomic.Pointer[[]byte], blocks)}
	r.ends, err = b.Bytes(rowsHead, 4*blocks)
	return r, err
}

// Len returns the length of the table.
func (r *Rows) Len() int { return r.n }

// Bytes returns n bytes of the table, which must not be changed.
func (r *Rows) Bytes(off, n int) ([]byte, error) {
	if off < 0 || n < 0 || off > r.n || n > r.n-off {
		return nil, fmt.Errorf("%w: %d bytes at %d of %d", ErrDamaged, n, off, r.n)
	}
	if n == 0 {
		return nil, nil
	}
	from, to := off/r.block, (off+n-1)/r.block
	if from == to {
		b, err := r.unpacked(from)
		if err != nil {
			return nil, err
		}
		return b[off-from*r.block:][:n:n], nil
	}
	out := make([]byte, 0, min(n, 1<<20)) // a hostile table may only say that it is long
	for i := from; i <= to; i++ {
		b, err := r.unpacked(i)
		if err != nil {
			return nil, err
		}
		start := max(off-i*r.block, 0)
		out = append(out, b[start:min(len(b), off+n-i*r.block)]...)
	}
	return out, nil
}

// unpacked returns block i. Two goroutines may unpack the same: that does no harm.
func (r *Rows) unpacked(i int) ([]byte, error) {
	if b := r.done[i].Load(); b != nil {
		return *b, nil
	}
	from, to := uint32(0), binary.LittleEndian.Uint32(r.ends[4*i:])
	if i > 0 {
		from = binary.LittleEndian.Uint32(r.ends[4*i-4:])
	}
	if from > to || uint64(to) > uint64(r.b.Len()-r.first) {
		return nil, fmt.Errorf("%w: block %d", ErrDamaged, i)
	}
	packed, err := r.b.Bytes(r.first+int(from), int(to-from))
	if err != nil {
		return nil, err
	}
	want := min(r.block, r.n-i*r.block)
	dec, err := rowsDecoder()
	if err != nil {
		return nil, err
	}
	out, err := dec.DecodeAll(packed, make([]byte, 0, want))
	if err != nil || len(out) != want {
		return nil, fmt.Errorf("%w: block %d unpacks to %d of %d bytes: %v", ErrDamaged, i, len(out), want, err)
	}
	r.done[i].Store(&out)
	return out, nil
}

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
