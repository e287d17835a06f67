package config

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxSources and maxText bound what "sources" may hold: no real list and no
// real address comes near them.
const (
	maxSources = 1000
	maxText    = 2048
)

// A Source says where one of the paths comes from. A local folder that is read
// where it lies has none. Keys docent does not know are kept, and the order of
// all.
type Source struct {
	Path   string // the folder it is kept in, relative to the project
	URL    string // the address, as "docent add" takes it
	Branch string // the branch that is followed; empty where Rev holds it still
	Rev    string // the tag or commit that was asked for
	Commit string // what is in the folder
	ETag   string // by which the server knows it

	members []member
}

// fields lists the keys in the order in which a new entry has them.
func (s *Source) fields() []struct {
	key  string
	text *string
} {
	return []struct {
		key  string
		text *string
	}{
		{"path", &s.Path},
		{"url", &s.URL},
		{"branch", &s.Branch},
		{"rev", &s.Rev},
		{"commit", &s.Commit},
		{"etag", &s.ETag},
	}
}

// UnmarshalJSON reads one entry of "sources".
func (s *Source) UnmarshalJSON(data []byte) error {
	if !bytes.HasPrefix(data, []byte("{")) {
		return errors.New("has an entry that is no object")
	}
	members, err := parseObject(data)
	if err != nil {
		return err
	}
	*s = Source{members: members}
	for _, f := range s.fields() {
		for _, m := range members {
			if m.key != f.key {
				continue
			}
			if err := json.Unmarshal(m.value, f.text); err != nil {
				return fmt.Errorf("%q %w", m.key, wrongType(err))
			}
		}
	}
	return nil
}

// MarshalJSON writes the entry as it was read, with what changed since in its
// place, new keys at the end, and without the keys that became empty.
func (s Source) MarshalJSON() ([]byte, error) {
	members := append([]member(nil), s.members...)
	for _, f := range s.fields() {
		raw, err := json.Marshal(*f.text)
		if err != nil {
			return nil, err
		}
		members = put(members, f.key, raw, *f.text != "")
	}
	return encodeObject(members)
}

// put gives a key its value, or takes it off.
func put(members []member, key string, value json.RawMessage, keep bool) []member {
	for i, m := range members {
		switch {
		case m.key != key:
		case keep:
			members[i].value = value
			return members
		default:
			return append(members[:i], members[i+1:]...)
		}
	}
	if keep {
		members = append(members, member{key, value})
	}
	return members
}

// check holds an entry to what no honest one goes beyond. It does not judge
// where an address leads: that is for those who go there.
func (s *Source) check() error {
	for _, f := range s.fields() {
		if err := checkText(*f.text); err != nil {
			return fmt.Errorf("%q %w", f.key, err)
		}
	}
	path, err := Local(s.Path)
	if err != nil {
		return fmt.Errorf("\"path\": %w", err)
	}
	if path == "." {
		return errors.New("\"path\": must name a folder of its own")
	}
	s.Path = path
	return checkURL(s.URL)
}

// checkURL refuses addresses that carry a password, and those that git would
// take for a command.
func checkURL(url string) error {
	scheme, rest, hasScheme := strings.Cut(url, "://")
	switch {
	case url == "":
		return errors.New("\"url\" is missing")
	case strings.HasPrefix(url, "-"):
		return fmt.Errorf("\"url\" is %q: begins like an option", url)
	case strings.Contains(url, "::"):
		return fmt.Errorf("\"url\" is %q: names a command, not an address", url)
	case !hasScheme:
		return nil
	}
	switch strings.ToLower(scheme) {
	case "https", "http", "ssh", "git", "git+https", "git+ssh":
	default:
		return fmt.Errorf("\"url\" is %q: must be an https address", url)
	}
	host, _, _ := strings.Cut(rest, "/")
	if user, _, ok := strings.Cut(host, "@"); ok && user != "git" {
		return errors.New("\"url\" holds a user name or password: leave it out, and set GITHUB_TOKEN")
	}
	return nil
}

func checkText(s string) error {
	if len(s) > maxText {
		return fmt.Errorf("is longer than %d bytes", maxText)
	}
	if !utf8.ValidString(s) || strings.ContainsFunc(s, unicode.IsControl) {
		return errors.New("holds a control character")
	}
	return nil
}

// checkSources holds the whole list: two sources in one folder, or in a folder
// of the other, would replace each other's files.
func checkSources(list []Source) error {
	if len(list) > maxSources {
		return fmt.Errorf("names more than %d", maxSources)
	}
	at := map[string]bool{}
	for i := range list {
		if err := list[i].check(); err != nil {
			return fmt.Errorf("entry %d: %w", i+1, err)
		}
		if at[strings.ToLower(list[i].Path)] {
			return fmt.Errorf("entry %d: %q holds another source already", i+1, list[i].Path)
		}
		at[strings.ToLower(list[i].Path)] = true
	}
	for i := range list {
		for p := strings.ToLower(list[i].Path); ; {
			cut := strings.LastIndexByte(p, '/')
			if cut < 0 {
				break
			}
			if p = p[:cut]; at[p] {
				return fmt.Errorf("entry %d: %q lies in the folder of another source", i+1, list[i].Path)
			}
		}
	}
	return nil
}

// CheckSource says why a source cannot be recorded along with the others, before
// anything is fetched for it.
func (c *Config) CheckSource(s Source) error {
	with := Config{Sources: append([]Source(nil), c.Sources...)}
	with.SetSource(s)
	if err := checkSources(with.Sources); err != nil {
		return fmt.Errorf("%q: %w", s.Path, err)
	}
	return nil
}

// SetSource records where a path comes from, in place of what was recorded for
// it before. Keys of that entry that docent does not know stay.
func (c *Config) SetSource(s Source) {
	for i := range c.Sources {
		if c.Sources[i].Path == s.Path {
			s.members = c.Sources[i].members
			c.Sources[i] = s
			return
		}
	}
	c.Sources = append(c.Sources, s)
}

// RemoveSource takes off what is recorded for a path and reports whether there
// was anything.
func (c *Config) RemoveSource(path string) bool {
	for i := range c.Sources {
		if c.Sources[i].Path == path {
			c.Sources = append(c.Sources[:i:i], c.Sources[i+1:]...)
			return true
		}
	}
	return false
}

// Source returns what is recorded for a path.
func (c *Config) Source(path string) (Source, bool) {
	for _, s := range c.Sources {
		if s.Path == path {
			return s, true
		}
	}
	return Source{}, false
}
