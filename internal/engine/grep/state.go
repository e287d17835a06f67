package grep

import (
	"math/bits"
	"slices"
)

// How the states of a dfa are made.
//
// A state holds the instructions that wait for a letter. Splits are followed when
// it is made. What a \b demands of the next character is not known then, so the
// looks that need to know it wait as well, with what is known of the character
// before; they are settled when the next letter is.
//
// The expression may begin to match at any character, so every state holds the
// beginning of the program too.

// maker is the part of a dfa that makes states.
type maker struct {
	sets     []string // by state: its key in states
	states   map[string]uint32
	bytes    int  // of memory in use
	anchored bool // a match can begin at the start of a line only

	set   []uint16 // the instructions collected
	spare []uint16
	seen  []uint32 // by instruction: the round it was last seen in
	round uint32
	stack []uint16
	bits  []uint64 // by instruction, all 0 but while a key is made
	key   []byte
}

// What is known of the character before, the first byte of a key.
const (
	atStart    = 1 << iota // there is none
	behindWord             // it is a word character
)

// Rows of the table that stand for no set of instructions.
const (
	rowUnknown = iota
	rowMatched
	rowDead
	rows
)

func newDFA(p *program) *dfa {
	d := &dfa{
		prog:    p,
		credit:  maxCredit,
		matched: uint32(rowMatched * p.letters),
		dead:    uint32(rowDead * p.letters),
	}
	d.maker.seen = make([]uint32, len(p.code))
	d.maker.bits = make([]uint64, (len(p.code)+63)/64)
	d.maker.states = map[string]uint32{}
	d.maker.anchored = !d.begins(0) && !d.begins(behindWord)
	d.reset()
	return d
}

// begins reports whether a match can begin behind such a character.
func (d *dfa) begins(before byte) bool {
	d.collect()
	return d.add(uint16(d.prog.start), before) || len(d.maker.set) > 0
}

func (d *dfa) reset() {
	m := &d.maker
	d.next = append(d.next[:0], make([]uint32, rows*d.prog.letters)...)
	m.sets = append(m.sets[:0], make([]string, rows)...)
	clear(m.states)
	m.bytes = 0
	d.collect()
	if d.add(uint16(d.prog.start), atStart) {
		d.start = d.matched
	} else {
		d.start = d.state(atStart)
	}
}

// step works out the state that follows s for letter l.
func (d *dfa) step(s uint32, l letter) uint32 {
	p, m := d.prog, &d.maker
	key := m.sets[int(s)/p.letters]
	before := key[0]

	// Settle the looks. After that m.set holds all that wait for a letter.
	d.collect()
	for at := 1; at < len(key); at += 2 {
		pc := uint16(key[at]) | uint16(key[at+1])<<8
		if p.code[pc].op == instRune && m.seen[pc] != m.round {
			m.seen[pc] = m.round
			m.set = append(m.set, pc)
		} else if d.addKnowing(pc, before, l) {
			d.next[s+uint32(l)] = d.matched
			return d.matched
		}
	}
	if l == endOfLine {
		d.next[s+uint32(l)] = d.start
		return d.start
	}

	now := byte(0)
	if p.word[l] {
		now = behindWord
	}
	waiting := m.set
	m.set, m.spare = m.spare, waiting
	d.collect()
	matched := d.add(uint16(p.start), now)
	for _, at := range waiting {
		if in := &p.code[at]; in.op == instRune && p.takes[in.arg][l] {
			matched = matched || d.add(in.x, now)
		}
	}
	if matched {
		d.next[s+uint32(l)] = d.matched
		return d.matched
	}
	if m.bytes > maxStateBytes {
		keep := slices.Clone(m.set)
		d.reset()
		m.set = append(m.set[:0], keep...)
		return d.state(now) // not linked: s is gone
	}
	to := d.state(now)
	d.next[s+uint32(l)] = to
	return to
}

// collect begins a new set of instructions.
func (d *dfa) collect() {
	m := &d.maker
	m.set = m.set[:0]
	m.round++
	if m.round == 0 { // wrapped around
		clear(m.seen)
		m.round = 1
	}
}

// add collects the instructions that wait for a letter from pc on, the character
// before being known. It reports whether the program comes to its end.
func (d *dfa) add(pc uint16, before byte) bool {
	return d.walk(pc, func(l look) (passes, waits bool) {
		start, word := before&atStart != 0, before&behindWord != 0
		switch back := l &^ forwardLooks; {
		case back != 0 && !back.holds(start, word, false, false):
			return false, false
		case l&wordStart != 0 && word, l&wordEnd != 0 && !word:
			return false, false
		}
		waits = l&forwardLooks != 0
		return !waits, waits
	})
}

// addKnowing is add where the next letter is known as well.
func (d *dfa) addKnowing(pc uint16, before byte, l letter) bool {
	return d.walk(pc, func(k look) (passes, waits bool) {
		return k.holds(before&atStart != 0, before&behindWord != 0, l == endOfLine, d.prog.word[l]), false
	})
}

// walk follows the program from pc to the instructions that wait. Looks are
// decided by judge: to pass, to wait, or not to go on.
func (d *dfa) walk(pc uint16, judge func(look) (passes, waits bool)) (matched bool) {
	m := &d.maker
	m.stack = append(m.stack[:0], pc)
	for len(m.stack) > 0 {
		pc := m.stack[len(m.stack)-1]
		m.stack = m.stack[:len(m.stack)-1]
		if m.seen[pc] == m.round {
			continue
		}
		m.seen[pc] = m.round
		switch in := d.prog.code[pc]; in.op {
		case instMatch:
			return true
		case instRune:
			m.set = append(m.set, pc)
		case instSplit:
			m.stack = append(m.stack, in.y, in.x)
		case instLook:
			passes, waits := judge(look(in.arg))
			if waits {
				m.set = append(m.set, pc)
			}
			if passes {
				m.stack = append(m.stack, in.x)
			}
		}
	}
	return false
}

func (d *dfa) state(before byte) uint32 {
	m := &d.maker
	if len(m.set) == 0 && m.anchored {
		return d.dead
	}
	m.key = append(m.key[:0], 0)
	for _, pc := range m.set {
		m.bits[pc/64] |= 1 << (pc % 64)
		if d.prog.code[pc].op == instLook {
			m.key[0] = before // else nothing will ask
		}
	}
	for i, word := range m.bits {
		for ; word != 0; word &= word - 1 {
			pc := i*64 + bits.TrailingZeros64(word)
			m.key = append(m.key, byte(pc), byte(pc>>8))
		}
		m.bits[i] = 0
	}
	if s, ok := m.states[string(m.key)]; ok {
		return s
	}
	s := uint32(len(d.next))
	key := string(m.key)
	m.states[key] = s
	m.sets = append(m.sets, key)
	d.next = append(d.next, make([]uint32, d.prog.letters)...)
	m.bytes += 4*d.prog.letters + len(key) + 64
	return s
}
