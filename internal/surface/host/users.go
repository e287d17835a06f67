package host

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/docent-md/docent/internal/text/human"
)

// A token file has a line for each user:
//
//	# user   token                 indexes     rights
//	alice    sha256:9f86d081...    docs
//	bob      a-token-as-it-is      docs,api
//	ops      sha256:60303ae2...    *           metrics
//
// A token is at least minToken characters, or the SHA-256 of one in hexadecimal after
// "sha256:". Tokens are random, so that a plain hash is enough: there is nothing to guess.
// Indexes are names with commas between them; one without a version stands for all of its
// versions, and "*" for every index. The one right there is, "metrics", lets a user read
// /metrics, which tells of all users. Blank lines and those that begin with # are skipped.
const (
	minToken    = 16
	maxFile     = 1 << 20
	hashed      = "sha256:"
	allIndexes  = "*"
	rightToRead = "metrics"
)

// A User is somebody who may ask.
type User struct {
	Name    string
	Indexes []string // sorted; "*" for all
	Metrics bool     // may read what the server counts of all users

	digest [sha256.Size]byte // of the token
	line   int
}

// Sees reports whether the user may see the index of a name.
func (u *User) Sees(index string) bool {
	of, _, _ := strings.Cut(index, "@")
	return slices.ContainsFunc(u.Indexes, func(granted string) bool {
		return granted == allIndexes || granted == index || granted == of
	})
}

// view is what users have in common who see the same.
func (u *User) view() string { return strings.Join(u.Indexes, ",") }

// Users are those who may ask.
type Users []*User

// find returns the user who has a token; nil when nobody has it. It compares digests, and
// with those of all users, so that the time it takes tells nothing of any token.
func (us Users) find(token string) *User {
	got := sha256.Sum256([]byte(token))
	var found *User
	for _, u := range us {
		if subtle.ConstantTimeCompare(got[:], u.digest[:]) == 1 {
			found = u
		}
	}
	return found
}

// OneUser is a user without a name, who has a token and sees everything.
func OneUser(token string) Users {
	return Users{{Indexes: []string{allIndexes}, Metrics: true, digest: sha256.Sum256([]byte(token))}}
}

// ReadUsers reads a token file. Its errors name the line and never a token. Exists says
// whether there is an index of a name.
func ReadUsers(file string, exists func(index string) bool) (Users, error) {
	info, err := os.Stat(file)
	if err != nil {
		return nil, fmt.Errorf("token file %s: %w", file, human.PathCause(err))
	}
	if info.Size() > maxFile {
		return nil, fmt.Errorf("token file %s: over %d bytes: it has a line for each user and nothing else", file, maxFile)
	}
	raw, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("token file %s: %w", file, human.PathCause(err))
	}
	us, err := parseUsers(raw, exists)
	if err != nil {
		return nil, fmt.Errorf("token file %s: %w", file, err)
	}
	return us, nil
}

func parseUsers(raw []byte, exists func(string) bool) (Users, error) {
	var us Users
	lines := bufio.NewScanner(bytes.NewReader(raw))
	lines.Buffer(nil, maxFile)
	for n := 1; lines.Scan(); n++ {
		fields := strings.Fields(lines.Text())
		if len(fields) == 0 || strings.HasPrefix(fields[0], "#") {
			continue
		}
		u, err := parseUser(fields, exists)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
		u.line = n
		for _, other := range us {
			if other.Name == u.Name {
				return nil, fmt.Errorf("line %d: %s has line %d already: a user has one line", n, u.Name, other.line)
			}
			if other.digest == u.digest {
				return nil, fmt.Errorf("line %d: %s has the token of line %d: give each user another", n, u.Name, other.line)
			}
		}
		us = append(us, u)
	}
	if err := lines.Err(); err != nil {
		return nil, err
	}
	if len(us) == 0 {
		return nil, errors.New("it names no user: write a line such as \"alice TOKEN docs\"")
	}
	return us, nil
}

func parseUser(fields []string, exists func(string) bool) (*User, error) {
	if len(fields) < 3 || len(fields) > 4 {
		return nil, fmt.Errorf("%d fields: a line has a user, a token, the indexes with commas, and perhaps %q", len(fields), rightToRead)
	}
	u := &User{Name: fields[0]}
	if strings.ContainsFunc(u.Name, func(r rune) bool { return r < '!' || r > '~' || r == '"' || r == '\\' }) || len(u.Name) > 64 {
		return nil, errors.New("the user's name: at most 64 letters, digits and signs, without quotes")
	}
	if err := u.setToken(fields[1]); err != nil {
		return nil, fmt.Errorf("the token of %s: %w", u.Name, err)
	}
	for name := range strings.SplitSeq(fields[2], ",") {
		if name == "" {
			return nil, fmt.Errorf("the indexes of %s: names with commas between them and no spaces", u.Name)
		}
		if name != allIndexes && !exists(name) {
			return nil, fmt.Errorf("%s may see %q, and no index has that name", u.Name, name)
		}
		u.Indexes = append(u.Indexes, name)
	}
	slices.Sort(u.Indexes)
	u.Indexes = slices.Compact(u.Indexes)
	if slices.Contains(u.Indexes, allIndexes) {
		u.Indexes = []string{allIndexes}
	}
	if len(fields) == 4 {
		if fields[3] != rightToRead {
			return nil, fmt.Errorf("%q is no right: there is %q", fields[3], rightToRead)
		}
		u.Metrics = true
	}
	return u, nil
}

// setToken takes a token or its hash. What is wrong with it is said without it.
func (u *User) setToken(s string) error {
	digits, isHash := strings.CutPrefix(s, hashed)
	if !isHash {
		if len(s) < minToken {
			return fmt.Errorf("%d characters: %d at least, and random (openssl rand -hex 24)", len(s), minToken)
		}
		u.digest = sha256.Sum256([]byte(s))
		return nil
	}
	raw, err := hex.DecodeString(digits)
	if err != nil || len(raw) != sha256.Size {
		return fmt.Errorf("no hash: %s is followed by 64 hexadecimal digits (printf %%s TOKEN | sha256sum)", hashed)
	}
	copy(u.digest[:], raw)
	return nil
}
