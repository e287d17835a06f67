package graph

import "strings"

// wiki plans for [[target#heading]]. As in Obsidian, a name may be given with
// some of its folders or none, and the nearest file of that name is meant; other
// wikis go by titles, and notes have aliases.
func (p *plan) wiki(src, target string) {
	target, anchor, _ := strings.Cut(target, "#")
	target = strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(target), `\`))
	p.anchor, p.words = strings.TrimSpace(anchor), true
	if target == "" {
		p.self = true
		return
	}
	dir := ""
	relative := strings.HasPrefix(target, "./") || strings.HasPrefix(target, "../")
	if relative {
		dir = folder(src)
	}
	full, ok := join(dir, target)
	if !ok {
		p.state = Outside
		return
	}
	p.path = full
	p.state = missingState(full, false)
	if isAsset(full) {
		p.state = Asset
	}
	if full == "" {
		return
	}
	if relative {
		p.exact(full, false, false)
		return
	}
	p.named(full, false)
	p.tries = append(p.tries, try{kind: titled, key: foldText(target)})
}
