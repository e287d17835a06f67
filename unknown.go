package docent

// An UnknownKey is a key of a config that docent does not know. It is kept, and has
// no effect.
type UnknownKey struct {
	Key   string   // with the place it stands in: "boostFields.tilte"
	Name  string   // without
	Known []string // the keys that have a meaning there
}

// UnknownKeys lists those of a project's config.
func UnknownKeys(root string) []UnknownKey {
	c, err := findCorpus(root)
	if err != nil {
		return nil // whoever opens the project is told
	}
	return c.unknownKeys()
}

// UnknownKeys lists those of the config that the library was opened with.
func (l *Library) UnknownKeys() []UnknownKey { return l.corpus.unknownKeys() }

func (c *corpus) unknownKeys() []UnknownKey {
	if c.file == "" {
		return nil
	}
	var out []UnknownKey
	for _, u := range c.config.Unknown() {
		out = append(out, UnknownKey{u.String(), u.Key, u.Known})
	}
	return out
}
