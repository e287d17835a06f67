package index

// A cursor goes through a list once, from low numbers to high, decoding only the
// blocks it has to.
type cursor struct {
	list
	at      int // the block the cursor is in: all before end before it
	decoded int // the block that is decoded, or -1
	pos     int // in the decoded block: all before are below the last number looked for
	block   block
}

// reset puts the cursor before the first posting of l.
func (c *cursor) reset(l list) { c.list, c.at, c.decoded, c.pos = l, 0, -1, 0 }

// moveTo puts the cursor at the beginning of block at, back or forward.
func (c *cursor) moveTo(at int) { c.at, c.pos = at, 0 }

// advance moves to the block that may hold num or what follows it.
func (c *cursor) advance(num uint32) {
	for n := c.count; c.at < n && c.last(c.at) < num; {
		c.at++
	}
}

// load decodes the block the cursor is in.
func (c *cursor) load() error {
	if c.decoded == c.at {
		return nil
	}
	c.decoded, c.pos = -1, 0
	if err := c.decode(c.at, &c.block); err != nil {
		return err
	}
	for i := c.block.m; i < blockSize; i++ {
		c.block.nums[i] = 1<<32 - 1 // for search
	}
	c.decoded = c.at
	return nil
}

// seek returns the counts of num, 0 if the list does not have it. Numbers must
// not descend from call to call.
func (c *cursor) seek(num uint32) (counts, error) {
	c.advance(num)
	if c.at >= c.count || num < c.base(c.at) {
		return 0, nil
	}
	if err := c.load(); err != nil {
		return 0, err
	}
	b := &c.block
	i, end := c.pos, b.m
	// Mostly the next number is near: double the step, then halve it.
	step := 1
	for i+step < end && b.nums[i+step] < num {
		i += step
		step *= 2
	}
	end = min(i+step+1, end)
	for i < end {
		if mid := int(uint(i+end) / 2); b.nums[mid] < num {
			i = mid + 1
		} else {
			end = mid
		}
	}
	c.pos = i
	if i < b.m && b.nums[i] == num {
		return b.at(i)
	}
	return 0, nil
}

// peek is seek for few numbers that lie far apart.
func (c *cursor) peek(num uint32) (counts, error) {
	c.advance(num)
	if c.at >= c.count || num < c.base(c.at) {
		return 0, nil
	}
	c.decoded = -1
	return c.find(c.at, num, &c.block)
}

// search returns the first place in the block whose number is not below num, or
// the last. It takes the same seven steps for each: a processor cannot guess
// which way they go, so none of them may be a branch.
func (b *block) search(num uint32) int {
	i := 0
	for step := blockSize / 2; step > 0; step /= 2 {
		below := int64(b.nums[(i+step-1)%blockSize]) - int64(num)
		i += step & int(below>>63) // all bits of it set, or none
	}
	return i
}
