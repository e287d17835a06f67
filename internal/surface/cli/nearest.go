package cli

import "strings"

// nearest returns the name closest to word, or "" if none is close: at most a third of
// its letters differ, or it begins with word.
func nearest(word string, names []string) string {
	best, bestDistance := "", (len(word)+1)/3
	for _, name := range names {
		d := distance(word, name)
		if strings.HasPrefix(name, word) && len(word) >= 3 {
			d = min(d, 1)
		}
		if d < bestDistance || d == bestDistance && best == "" {
			best, bestDistance = name, d
		}
	}
	return best
}

// distance returns the edit distance, with swapped neighbours as one edit.
func distance(a, b string) int {
	before, prev, cur := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range prev {
		prev[j] = j
	}
	for i := 1; i <= len(a); i++ {
		cur[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			cur[j] = min(prev[j]+1, cur[j-1]+1, prev[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				cur[j] = min(cur[j], before[j-2]+1)
			}
		}
		before, prev, cur = prev, cur, before
	}
	return prev[len(b)]
}
