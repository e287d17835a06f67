package index

// A pool keeps very many byte streams of very different length in little
// memory: chunks that double in size from 8 to 1024 bytes, cut from pages, each
// ending in the address of the next. It is where postings wait while an index
// is being built.
type pool struct {
	pages [][]byte
	used  int // bytes of the last page
}

const (
	pageBits  = 16
	pageSize  = 1 << pageBits
	linkSize  = 4
	firstSize = 8
	lastLevel = 7
)

// A stream is one sequence of bytes in a pool.
type stream struct {
	head, at, end uint32 // addresses: first chunk, next byte, last chunk's link
	level         uint8
}

func (p *pool) chunk(size int) uint32 {
	if len(p.pages) == 0 || p.used+size > pageSize {
		p.pages = append(p.pages, make([]byte, pageSize))
		p.used = 0
	}
	at := (len(p.pages)-1)<<pageBits | p.used
	p.used += size
	return uint32(at)
}

// start gives s its first chunk.
func (p *pool) start(s *stream) {
	s.head = p.chunk(firstSize)
	s.at, s.end = s.head, s.head+firstSize-linkSize
}

func (p *pool) writeByte(s *stream, b byte) {
	if s.at == s.end {
		if s.level < lastLevel {
			s.level++
		}
		size := firstSize << s.level
		next := p.chunk(size)
		putAddress(p.pages[s.end>>pageBits][s.end&(pageSize-1):], next)
		s.at, s.end = next, next+uint32(size)-linkSize
	}
	p.pages[s.at>>pageBits][s.at&(pageSize-1)] = b
	s.at++
}

func (p *pool) writeVarint(s *stream, v uint64) {
	for ; v >= 0x80; v >>= 7 {
		p.writeByte(s, byte(v)|0x80)
	}
	p.writeByte(s, byte(v))
}

// appendTo appends the stream's bytes to dst.
func (p *pool) appendTo(dst []byte, s *stream) []byte {
	at := s.head
	for level := 0; ; level = min(level+1, lastLevel) {
		end := at + uint32(firstSize<<level) - linkSize
		page := p.pages[at>>pageBits]
		if s.end == end {
			return append(dst, page[at&(pageSize-1):s.at-at+at&(pageSize-1)]...)
		}
		dst = append(dst, page[at&(pageSize-1):end&(pageSize-1)]...)
		at = address(page[end&(pageSize-1):])
	}
}

func putAddress(b []byte, v uint32) {
	b[0], b[1], b[2], b[3] = byte(v), byte(v>>8), byte(v>>16), byte(v>>24)
}

func address(b []byte) uint32 {
	return uint32(b[0]) | uint32(b[1])<<8 | uint32(b[2])<<16 | uint32(b[3])<<24
}
