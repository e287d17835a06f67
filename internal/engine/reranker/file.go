package reranker

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"regexp"
	"strings"
)

const magic = "docent reranker 1\n"

// A Model never changes once it is open and may be used by many goroutines.
type Model struct {
	d, heads, wide                       int
	length, question, path, body, blocks int   // limits of a pair, in pieces
	common                               int32 // pieces below it say nothing
	longest                              int   // characters of a word that is not unknown
	limit                                int32 // numbers from here on have the power 0

	first, inner map[string]int32 // pieces that begin a word, and the others
	pieceBytes   int              // of the longest piece
	fold         map[rune]string
	markup       []replacement

	powers []int16 // 2^(-n/256), with two zeros after the last
	scales []float32
	tokens string
	places []int32
	kinds  []int32
	layers []layer
	final  float32
	h1     linear
	h2m    float32
	h2b    int32
	h2w    string
}

type layer struct {
	in1, in2, power      float32
	q, k, v, o, up, down linear
}

// A linear is one map of the net. Its inputs are bytes, stored too high by high so
// that none is negative. Its weights are in groups of 16 outputs: of each group the
// first four inputs of all 16, then the next four.
type linear struct {
	in, out int
	high    int32
	m       []float32
	b       []int32
	w       []byte
	lower   []int32 // b for kernels that take inputs as they are stored
}

const group = 16

// Open opens a model file. It is used in place, except for the weights of the
// layers.
func Open(file string) (*Model, error) {
	r := &reader{rest: file}
	if r.bytes(len(magic)) != magic {
		return nil, errors.New("reranker: not a model file of this version: train it again")
	}
	var head [13]int
	for i := range head {
		head[i] = int(r.uint32())
	}
	vocabulary, layers, exp := head[0], head[2], head[12]
	m := &Model{
		d: head[1], heads: head[3], wide: head[4],
		length: head[5], question: head[6], path: head[7], body: head[8], blocks: head[9],
		common: int32(head[10]), longest: head[11], limit: int32(exp),
	}
	room := m.length - 3 - m.question - m.path
	if m.heads != m.d/headSize || m.d%headSize != 0 || m.wide%headSize != 0 || max(m.d, m.wide, m.length, exp, vocabulary) > 1<<16 || room < 1 {
		return nil, fmt.Errorf("reranker: the model file has a shape %d that is not supported", head)
	}
	m.vocabulary(r.bytes(int(r.uint32())), vocabulary)
	m.fold = map[rune]string{}
	for n := r.uint32(); n > 0 && !r.short; n-- {
		c := rune(r.uint32())
		m.fold[c] = r.bytes(int(r.bytes(1)[0]))
	}
	m.powers = make([]int16, exp+2)
	for i := range exp {
		m.powers[i] = int16(number(r.bytes(2) + "\x00\x00"))
	}
	m.scales, m.tokens = r.floats(vocabulary), r.bytes(vocabulary*m.d)
	m.places, m.kinds = r.ints(m.length*m.d), r.ints(kinds*m.d)
	for range min(layers, 64) {
		var l layer
		l.in1, l.in2, l.power = r.float(), r.float(), r.float()
		l.q, l.k, l.v, l.o = r.linear(m.d, m.d, 128), r.linear(m.d, m.d, 128), r.linear(m.d, m.d, 128), r.linear(m.d, m.d, 128)
		l.up, l.down = r.linear(m.d, m.wide, 128), r.linear(m.wide, m.d, 0)
		m.layers = append(m.layers, l)
	}
	m.final, m.h1 = r.float(), r.linear(m.d, m.d, 128)
	m.h2m, m.h2b, m.h2w = r.float(), int32(r.uint32()), r.bytes(m.d)
	if r.short || len(r.rest) > 0 {
		return nil, errors.New("reranker: the model file is damaged: its size is not what its head says")
	}
	m.markup = replacements()
	return m, nil
}

func (m *Model) vocabulary(pieces string, n int) {
	m.first, m.inner = make(map[string]int32, n), make(map[string]int32, n/4)
	id := int32(0)
	for p := range strings.SplitSeq(pieces, "\n") {
		if rest, ok := strings.CutPrefix(p, "##"); ok && rest != "" {
			m.inner[rest] = id
		} else {
			m.first[p] = id
		}
		m.pieceBytes = max(m.pieceBytes, len(p))
		id++
	}
}

// A reader takes numbers off a file. After the end it gives zeros and is short.
type reader struct {
	rest  string
	short bool
}

func (r *reader) bytes(n int) string {
	if n < 0 || n > len(r.rest) {
		r.short, r.rest = true, ""
		return strings.Repeat("\x00", max(0, min(n, 4)))
	}
	b := r.rest[:n]
	r.rest = r.rest[n:]
	return b
}

func number(s string) uint32 {
	return uint32(s[0]) | uint32(s[1])<<8 | uint32(s[2])<<16 | uint32(s[3])<<24
}

func (r *reader) uint32() uint32 { return number(r.bytes(4)) }
func (r *reader) float() float32 { return math.Float32frombits(r.uint32()) }

func (r *reader) floats(n int) []float32 {
	out := make([]float32, n)
	for i := range out {
		out[i] = r.float()
	}
	return out
}

func (r *reader) ints(n int) []int32 {
	out := make([]int32, n)
	for i := range out {
		out[i] = int32(r.uint32())
	}
	return out
}

// linear reads a map whose inputs will be stored too high by some number.
func (r *reader) linear(in, out int, high int32) linear {
	l := linear{in: in, out: out, high: high, m: r.floats(out), b: r.ints(out), w: make([]byte, in*out)}
	rows := r.bytes(in * out)
	if r.short {
		return l
	}
	for o := range out {
		row, to := rows[o*in:][:in], l.w[o/group*group*in+o%group*4:]
		for i := 0; i < in; i += 4 {
			binary.LittleEndian.PutUint32(to[i*group:], number(row[i:]))
		}
	}
	prepare(&l)
	return l
}

type replacement struct {
	sign string // a text without it stays as it is
	re   *regexp.Regexp
	by   string
}
