package config

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"time"

	"github.com/docent-md/docent/internal/wholefile"
	"github.com/gofrs/flock"
)

// parseObject reads a JSON object and keeps the order of its keys.
func parseObject(data []byte) ([]member, error) {
	if !json.Valid(data) {
		return nil, syntaxError(data)
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	if t, err := dec.Token(); err != nil || t != json.Delim('{') {
		return nil, errors.New("not a JSON object")
	}
	var members []member
	seen := map[string]bool{}
	for dec.More() {
		key, err := dec.Token()
		if err != nil {
			return nil, err
		}
		m := member{key: key.(string)}
		if seen[m.key] {
			return nil, fmt.Errorf("%q stands twice", m.key)
		}
		seen[m.key] = true
		if err := dec.Decode(&m.value); err != nil {
			return nil, err
		}
		members = append(members, m)
	}
	return members, nil
}

// syntaxError says where the JSON breaks off, by line and column.
func syntaxError(data []byte) error {
	var v any
	err := json.Unmarshal(data, &v)
	var s *json.SyntaxError
	if !errors.As(err, &s) {
		return errors.New("not valid JSON")
	}
	before := data[:min(int(s.Offset), len(data))]
	line := bytes.Count(before, []byte("\n")) + 1
	column := len(before) - bytes.LastIndexByte(before, '\n') - 1
	return fmt.Errorf("line %d, column %d: %w", line, column, s)
}

func wrongType(err error) error {
	var t *json.UnmarshalTypeError
	if errors.As(err, &t) {
		return fmt.Errorf("is a %s: must be %s", t.Value, describe(t.Type))
	}
	return err
}

func describe(t reflect.Type) string {
	switch t.Kind() {
	case reflect.String:
		return "a string"
	case reflect.Int:
		return "a whole number"
	case reflect.Float64:
		return "a number"
	case reflect.Slice:
		switch t.Elem().Kind() {
		case reflect.String:
			return "a list of strings"
		case reflect.Slice:
			return "a list of lists of strings"
		}
		return "a list of objects"
	}
	return "an object"
}

// Encode gives the text of the file: what was read, with the values that
// changed since put in their places, and new keys at the end. A key that was
// absent stays absent while it has its default.
func (c *Config) Encode() ([]byte, error) {
	before := Default()
	if err := before.set(c.members); err != nil {
		return nil, err
	}
	members := append([]member(nil), c.members...)
	known, old := c.fields(), before.fields()
	for _, key := range keys {
		value := reflect.ValueOf(known[key]).Elem().Interface()
		at := -1
		for i, m := range members {
			if m.key == key {
				at = i
			}
		}
		if reflect.DeepEqual(value, reflect.ValueOf(old[key]).Elem().Interface()) && (at >= 0 || c.members != nil) {
			continue
		}
		raw, err := json.Marshal(value)
		if err != nil {
			return nil, err
		}
		if at >= 0 {
			members[at].value = raw
		} else if c.members != nil || !reflect.ValueOf(value).IsZero() {
			members = append(members, member{key, raw})
		}
	}
	return encodeObject(members)
}

// keys lists the known keys in the order in which a new file has them.
var keys = []string{
	"paths", "index", "chunkMaxTokens", "chunkMinTokens", "chunkDepth",
	"boostFields", "ignore", "tokens", "description", "synonyms", "folders", "sources",
}

func encodeObject(members []member) ([]byte, error) {
	var raw bytes.Buffer
	raw.WriteByte('{')
	for i, m := range members {
		if i > 0 {
			raw.WriteByte(',')
		}
		key, err := json.Marshal(m.key)
		if err != nil {
			return nil, err
		}
		raw.Write(key)
		raw.WriteByte(':')
		raw.Write(m.value)
	}
	raw.WriteByte('}')
	var out bytes.Buffer
	if err := json.Indent(&out, raw.Bytes(), "", "  "); err != nil {
		return nil, err
	}
	out.WriteByte('\n')
	return out.Bytes(), nil
}

// Edit changes the config at path, which need not exist, under a lock: two
// programs that add at once do not lose each other's entries. Nothing is
// written when fn fails or changes nothing.
func Edit(ctx context.Context, path string, fn func(*Config) error) error {
	lock, err := lockFor(path)
	if err != nil {
		return fmt.Errorf("config %s: lock: %w", path, cause(err))
	}
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	if ok, err := lock.TryLockContext(ctx, 10*time.Millisecond); err != nil || !ok {
		if err == nil || errors.Is(err, context.DeadlineExceeded) {
			err = errors.New("another program holds it")
		}
		return fmt.Errorf("config %s: lock: %w", path, err)
	}
	defer func() { _ = lock.Unlock() }()
	c, err := Load(path)
	if errors.Is(err, os.ErrNotExist) {
		c, err = Default(), nil
	}
	if err != nil {
		return err
	}
	if err := fn(c); err != nil {
		return err
	}
	if err := c.check(); err != nil {
		return fmt.Errorf("config %s: %w", path, err)
	}
	data, err := c.Encode()
	if err != nil {
		return err
	}
	if old, err := os.ReadFile(path); err == nil && bytes.Equal(old, data) {
		return nil
	}
	if err := wholefile.WriteBytes(path, 0o644, data); err != nil {
		return fmt.Errorf("config %s: %w", path, cause(err))
	}
	return nil
}

// lockFor returns the lock of a config. It is in the user's cache folder, so
// that no project is littered with it, and is never removed: a lock that is
// removed while others wait for it holds nobody back.
func lockFor(path string) (*flock.Flock, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	dir, err := os.UserCacheDir()
	if err != nil { // a folder of this user's, where others have theirs
		dir = filepath.Join(os.TempDir(), fmt.Sprintf("docent-%d", os.Getuid()))
	}
	dir = filepath.Join(dir, "docent", "locks")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	sum := sha256.Sum256([]byte(abs))
	return flock.New(filepath.Join(dir, fmt.Sprintf("%x", sum[:12]))), nil
}
