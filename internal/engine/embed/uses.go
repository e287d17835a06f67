package embed

// uses tells which texts of a batch have a row, in the order of the texts.
type uses struct {
	rows []int32 // the rows in use, in the order they first came
	ends []int32 // where the uses of each end
	list []part  // texts, and the row's weight in each
	slot []int32 // of every row, its place in rows plus 1
	next []int32
}

// collect finds the uses of all rows by counting.
func (u *uses) collect(words []part, texts []bag) {
	for _, r := range u.rows {
		u.slot[r] = 0
	}
	u.rows, u.ends = u.rows[:0], u.ends[:0]
	total := 0
	for _, b := range texts {
		for _, w := range words[b.from:b.to] {
			slot := u.slot[w.row]
			if slot == 0 {
				u.rows = append(u.rows, w.row)
				u.ends = append(u.ends, 0)
				slot = int32(len(u.rows))
				u.slot[w.row] = slot
			}
			u.ends[slot-1]++
		}
		total += int(b.to - b.from)
	}
	u.next = append(u.next[:0], u.ends...)
	sum := int32(0)
	for k, n := range u.ends {
		u.next[k] = sum
		sum += n
		u.ends[k] = sum
	}
	if cap(u.list) < total {
		u.list = make([]part, total)
	}
	u.list = u.list[:total]
	for i, b := range texts {
		for _, w := range words[b.from:b.to] {
			slot := u.slot[w.row] - 1
			u.list[u.next[slot]] = part{int32(i), w.weight}
			u.next[slot]++
		}
	}
}

// of returns the uses of the k-th row in use.
func (u *uses) of(k int) []part {
	from := int32(0)
	if k > 0 {
		from = u.ends[k-1]
	}
	return u.list[from:u.ends[k]]
}
