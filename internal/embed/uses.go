package embed

// uses tells which texts of a batch have a row, in the order of the texts.
type uses struct {
	rows []int32 // the rows in use, in the order they first came
	ends []int32 // where the uses of each end
	list []use
	slot []int32 // of every row, its place in rows plus 1
	next []int32
}

type use struct {
	text   int32
	weight float32
}

// collect finds the uses of all rows by counting.
func (u *uses) collect(c *corpus, texts []bag) {
	for _, r := range u.rows {
		u.slot[r] = 0
	}
	u.rows, u.ends = u.rows[:0], u.ends[:0]
	total := 0
	for _, b := range texts {
		for _, id := range c.ids[b.from:b.to] {
			if u.slot[id] == 0 {
				u.rows = append(u.rows, int32(id))
				u.ends = append(u.ends, 0)
				u.slot[id] = int32(len(u.rows))
			}
			u.ends[u.slot[id]-1]++
			total++
		}
	}
	u.next = append(u.next[:0], u.ends...)
	sum := int32(0)
	for k, n := range u.ends {
		u.next[k] = sum
		sum += n
		u.ends[k] = sum
	}
	if cap(u.list) < total {
		u.list = make([]use, total)
	}
	u.list = u.list[:total]
	weights := weights()
	for i, b := range texts {
		for k := b.from; k < b.to; k++ {
			slot := u.slot[c.ids[k]] - 1
			u.list[u.next[slot]] = use{int32(i), float32(weights[c.tf[k]]) / 256}
			u.next[slot]++
		}
	}
}

// of returns the uses of the k-th row in use.
func (u *uses) of(k int) []use {
	from := int32(0)
	if k > 0 {
		from = u.ends[k-1]
	}
	return u.list[from:u.ends[k]]
}
