package grep

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"
)

// realPatterns are what people and agents look for in documentation like that of
// Kubernetes.
var realPatterns = []string{
	"kubectl", "pod", "Pod", "password reset", "price|cost|billing", "AbortController", "the", "a", "e", " ", "",
	`addEventListener\("\w+"`, `\b[A-Z]\w+Controller\b`, `\d{4}-\d{2}-\d{2}`, `\d+\.\d+\.\d+`, `v1(alpha|beta)\d`, `--[a-z-]+=`,
	`kubectl (get|describe|delete) \w+`, `^#+ `, `^## .*Pod`, `^\s*- `, `^\s*\d+\. `, `^$`, `^---$`, `title: `, `weight: \d+$`,
	"`[^`]+`", "```", "^```yaml", `\[[^\]]+\]\([^)]+\)`, `https?://\S+`, `<!--.*-->`, `\{\{<.*>\}\}`, `\{\{% \w+ %\}\}`, `<[a-z]+>`,
	`TODO|FIXME`, `must not`, `should (not )?be`, `(?i)note:`, `(?-i)NOTE`, `"[^"]*"`, `'[^']*'`, `\(\w+\)`, `\w+\(\)`, `[A-Z]{3,}`, `[A-Z][a-z]+[A-Z]`,
	`\bapi\b`, `\bAPI\b`, `api-server|apiserver|API server`, `colou?r`, `behaviou?r`, `organi[sz]e`, `\$\{?\w+\}?`, `\w+@\w+`, `/etc/\S+`, `/\w+/\w+/`,
	`\.spec\.\w+`, `metadata\.name`, `apiVersion: \S+`, `kind: (Pod|Service|Deployment)`, `image: [\w./-]+:\S+`, `\d+Mi\b`, `\d+(\.\d+)?%`,
	`[^\x00-\x7f]`, `\p{Han}`, `\p{Lu}\p{Lu}`, `—`, `’`, `é`, `\s$`, `\t`, `  +\S`, `\S{40,}`, `^.{200,}$`, `^.{1,3}$`, `^\W+$`, `\w+-\w+-\w+`, `\b\w\b`,
	`etcd`, `e2e`, `k8s`, `K8S`, `cgroup v2`, `SIGTERM`, `0\.0\.0\.0`, `127.0.0.1`, `::1`, `x-?kubernetes`, `node[s]?`, `nodes?\b.*taints?`, `taints?.*nodes?`,
	`(?:pod|node|service)s? (?:is|are)`, `(\w+) \w+ and`, `if .* then`, `not\s+\w+\s+to`, `^The `, `\.$`, `[.!?]$`, `[^.]$`, `\)\.`, `, and `, `;`,
}

// derivedPatterns makes patterns from the words of files: the words themselves,
// their parts, their neighbours and choices of them.
func derivedPatterns(files map[string]string, n int) []string {
	var all []string
	for _, path := range slices.Sorted(maps.Keys(files)) {
		all = append(all, strings.FieldsFunc(files[path], func(r rune) bool {
			return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' && r != '-'
		})...)
	}
	var out []string
	for i := range n {
		at := (i*7919 + 13) % (len(all) - 4)
		w, next, other := all[at], all[at+1], all[(at+len(all)/2)%len(all)]
		half := w[:len(w)/2]
		if half == "" || strings.ContainsRune(half, unicode.ReplacementChar) || !isASCII(w) {
			half, w = "x", "xy"
		}
		switch i % 10 {
		case 0:
			out = append(out, w)
		case 1:
			out = append(out, fmt.Sprintf(`\b%s\b`, w))
		case 2:
			out = append(out, fmt.Sprintf(`%s\W+%s`, w, next))
		case 3:
			out = append(out, fmt.Sprintf(`%s|%s|%s`, w, next, other))
		case 4:
			out = append(out, fmt.Sprintf(`%s\w+`, half))
		case 5:
			out = append(out, fmt.Sprintf(`\w+%s`, w[len(w)/2:]))
		case 6:
			out = append(out, fmt.Sprintf(`%s.*%s`, w, other))
		case 7:
			out = append(out, fmt.Sprintf(`^.*\b%s\w*\b.*%s$`, half, "[.)`]"))
		case 8:
			out = append(out, fmt.Sprintf(`(?:%s|%s) (?:%s|\w+)`, w, other, next))
		case 9:
			out = append(out, fmt.Sprintf(`[%s]%s`, w[:1]+"x", escapeAll(w[1:])))
		}
	}
	return out
}

func isASCII(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r > unicode.MaxASCII })
}
