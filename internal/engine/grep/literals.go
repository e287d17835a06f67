package grep

// literals are what a search looks for before anything else: every matching line
// contains one of them.
type literals struct {
	list  []finder // empty if looking for them is not worth it
	exact bool     // a line that contains one matches
}

// newLiterals chooses what to look for, given the description of a pattern.
func newLiterals(whole part, need Need) literals {
	if list := exactLiterals(whole.strings); list != nil {
		if c := cost(list) + likelihood(list)*costLine; len(list) == 1 || c < costMatch {
			return literals{list, true}
		}
		return literals{}
	}
	list := cheapest(need)
	if list == nil || cost(list)+verifyCost(list) > costMatch {
		return literals{}
	}
	return literals{list: list}
}

// exactLiterals returns finders for list if they say all there is to know of a
// pattern that stands for these strings, else nil.
func exactLiterals(list []str) []finder {
	var out []finder
	for _, s := range list {
		if s.inexact || s.text == "" {
			return nil
		}
		out = append(out, newFinder(s.text, s.fold, s.pre, s.post))
	}
	return out
}

// cheapest returns the literals to look for that cost least among those of which
// a line must contain one.
func cheapest(n Need) []finder {
	switch n.Op {
	case NeedLiteral:
		return []finder{newFinder(n.Literal.Text, n.Literal.fold, 0, 0)}
	case NeedOne:
		var all []finder
		for _, sub := range n.Sub {
			all = append(all, cheapest(sub)...)
		}
		return all
	case NeedAll:
		var best []finder
		for _, sub := range n.Sub {
			list := cheapest(sub)
			if best == nil || cost(list)+verifyCost(list) < cost(best)+verifyCost(best) {
				best = list
			}
		}
		return best
	}
	return nil
}

// cost guesses what looking for all of list costs, in nanoseconds a byte.
func cost(list []finder) float64 {
	sum := 0.0
	for i := range list {
		sum += list[i].cost
	}
	return sum
}

// likelihood guesses how likely one of list begins at a byte.
func likelihood(list []finder) float64 {
	sum := 0.0
	for i := range list {
		sum += list[i].likelihood()
	}
	return sum
}

// verifyCost guesses what matching the lines that contain one of list costs.
func verifyCost(list []finder) float64 {
	lines := min(1, likelihood(list)*lineBytes)
	return lines * (costMatch + costLine/lineBytes)
}
