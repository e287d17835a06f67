package embed

// A row is one word's vector, in 144 bytes: 8 groups of 32 dimensions, each with
// a scale and 32 numbers of four bits.
//
//	16 bytes   8 scales, uint16, in units of 1/16384
//	128 bytes  8 groups of 16 bytes: byte j holds dimension j of the group in its
//	           low half and dimension j+16 in its high half, each plus 8
//
// A number is from -7 to 7. Four bits with a scale for every 32 dimensions rank
// as well as floats do (MODEL_CARD.md has the measurement), at a seventh of the
// bytes; pooling many words evens out what rounding took.

import (
	"encoding/binary"
	"math"
)

const (
	group     = 32
	groups    = Dim / group
	headBytes = 2 * groups
	rowBytes  = headBytes + Dim/2
	unit      = 1.0 / 16384 // of a scale
	maxNumber = 7
)

// addRowPlain adds weight times a row to a sum, in units of unit/256. Neither can
// overflow: a product has 16+3+12 bits, and there are fewer than 2^30 words.
func addRowPlain(sum *[Dim]int64, row []byte, weight int64) {
	_ = row[rowBytes-1]
	for g := range groups {
		w := int64(binary.LittleEndian.Uint16(row[2*g:])) * weight
		if w == 0 {
			continue
		}
		numbers := row[headBytes+g*group/2:][:group/2]
		low, high := sum[g*group:][:group/2], sum[g*group+group/2:][:group/2]
		for j, b := range numbers {
			low[j] += w * (int64(b&15) - 8)
			high[j] += w * (int64(b>>4) - 8)
		}
	}
}

func readRow(v *row, row []byte) {
	for g := range groups {
		scale := float32(binary.LittleEndian.Uint16(row[2*g:])) * unit
		for j, b := range row[headBytes+g*group/2:][:group/2] {
			v[g*group+j] = scale * float32(int(b&15)-8)
			v[g*group+j+group/2] = scale * float32(int(b>>4)-8)
		}
	}
}

// tries are the scales looked at for a group, in 1/16 of the largest number's
// share: cutting off a lone peak often costs less than coarser steps for all.
var tries = [...]float32{16, 15, 14, 13, 12}

// writeRow stores v in row, with the scales that lose least.
func writeRow(row []byte, v *row) {
	var x lanes
	var peaks, least [groups]float32
	var best [groups]uint16
	for g := range groups {
		for j, n := range v[g*group:][:group] {
			x[j][g] = n
			peaks[g] = max(peaks[g], abs(n))
		}
		least[g] = float32(math.Inf(1))
	}
	for _, t := range tries {
		var sizes [groups]uint16
		var scales, lost [groups]float32
		for g, peak := range peaks {
			s := float32(float32(float32(peak*t)/(16*maxNumber)) / unit)
			sizes[g] = uint16(min(max(s+0.5, 1), math.MaxUint16))
			scales[g] = scaleOf(sizes[g])
		}
		losses(&lost, &x, &scales)
		for g := range groups {
			if lost[g] < least[g] {
				best[g], least[g] = sizes[g], lost[g]
			}
		}
	}
	var scales [groups]float32
	var numbers laneSteps
	for g, n := range best {
		binary.LittleEndian.PutUint16(row[2*g:], n)
		scales[g] = scaleOf(n)
	}
	steps(&numbers, &x, &scales)
	for j := range group / 2 {
		low, high := &numbers[j], &numbers[j+group/2]
		for g := range groups {
			row[headBytes+g*group/2+j] = byte(low[g]+8) | byte(high[g]+8)<<4
		}
	}
}

func scaleOf(steps uint16) float32 { return float32(float32(steps) * unit) }

// number is x in steps of a scale.
func number(x, scale float32) int {
	q := x / scale
	if q < 0 {
		return -min(int(0.5-q), maxNumber)
	}
	return min(int(q+0.5), maxNumber)
}

func abs(x float32) float32 { return math.Float32frombits(math.Float32bits(x) &^ (1 << 31)) }
