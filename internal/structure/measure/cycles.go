package measure

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/docent-md/docent/internal/structure/code"
)

// largestCycle finds the package with most files that all need each other: the
// largest strongly connected component of "file uses what another declares".
// Functions, types, variables, methods and fields count.
func largestCycle(m *code.Module) Row {
	type cycle struct {
		dir   string
		files []string
	}
	uses := fileUses(m)
	var cycles []cycle
	for _, p := range m.Packages {
		var files []string
		for _, f := range p.Files {
			files = append(files, f.Path)
		}
		if c := largest(components(files, uses)); len(c) > 1 {
			cycles = append(cycles, cycle{p.Dir, c})
		}
	}
	slices.SortFunc(cycles, func(x, y cycle) int {
		return cmp.Or(cmp.Compare(len(y.files), len(x.files)), cmp.Compare(x.dir, y.dir))
	})
	r := Row{Name: "files in the largest cycle inside a package", Most: 8}
	for _, c := range cycles {
		r.Value = max(r.Value, len(c.files))
		r.Offenders = append(r.Offenders, fmt.Sprintf("%s %d: %s", c.dir, len(c.files), baseNames(c.files)))
	}
	return r
}

// fileUses maps each file to the files of its package that it needs.
func fileUses(m *code.Module) map[string][]string {
	sets := map[string]map[string]bool{}
	for id, object := range m.Info.Uses {
		if !object.Pos().IsValid() {
			continue
		}
		from, to := m.Fset.Position(id.Pos()).Filename, m.Fset.Position(object.Pos()).Filename
		if from == to || path.Dir(from) != path.Dir(to) {
			continue
		}
		if sets[from] == nil {
			sets[from] = map[string]bool{}
		}
		sets[from][to] = true
	}
	uses := map[string][]string{}
	for from, set := range sets {
		for to := range set {
			uses[from] = append(uses[from], to)
		}
		slices.Sort(uses[from])
	}
	return uses
}

// components are the strongly connected components of a graph (Tarjan 1972).
func components(nodes []string, edges map[string][]string) [][]string {
	var (
		out   [][]string
		stack []string
		order = map[string]int{} // when a node was met, from 1
		low   = map[string]int{} // the earliest node that it leads back to
		open  = map[string]bool{}
		visit func(string)
	)
	visit = func(n string) {
		order[n] = len(order) + 1
		low[n] = order[n]
		stack, open[n] = append(stack, n), true
		for _, to := range edges[n] {
			if order[to] == 0 {
				visit(to)
				low[n] = min(low[n], low[to])
			} else if open[to] {
				low[n] = min(low[n], order[to])
			}
		}
		if low[n] != order[n] {
			return
		}
		at := slices.Index(stack, n)
		for _, member := range stack[at:] {
			open[member] = false
		}
		out = append(out, slices.Clone(stack[at:]))
		stack = stack[:at]
	}
	for _, n := range nodes {
		if order[n] == 0 {
			visit(n)
		}
	}
	return out
}

func largest(components [][]string) []string {
	var best []string
	for _, c := range components {
		if len(c) > len(best) {
			best = c
		}
	}
	slices.Sort(best)
	return best
}

func baseNames(files []string) string {
	var names []string
	for _, f := range files {
		names = append(names, strings.TrimSuffix(path.Base(f), ".go"))
	}
	return strings.Join(names, " ")
}
