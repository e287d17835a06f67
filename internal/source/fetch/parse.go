package fetch

import (
	"errors"
	"fmt"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/docent-md/docent/doc"
	"github.com/docent-md/docent/internal/source/git"
)

// Kind says what a source is.
type Kind string

// The kinds.
const (
	GitHub  Kind = "github"  // a repository on GitHub
	LLMs    Kind = "llms"    // an llms.txt and the Markdown it links to
	Archive Kind = "archive" // a .tar.gz, .tgz or .zip, at an address or of this machine
	Git     Kind = "git"     // a local git repository at a revision
	Folder  Kind = "folder"  // a local folder, read in place
)

// A Source is where Markdown comes from.
type Source struct {
	Kind Kind
	URL  string // the address in its one form; parsing it gives the source back, less Rev
	Rev  string // branch, tag or commit; empty means the default branch
	Sub  string // the folder or file in the repository; empty means all of it

	owner, repo string // on GitHub

	// tail is what follows /tree/ in an address: "feature/x/docs" may be the
	// branch "feature" or "feature/x". Only the repository knows.
	tail string
}

// String gives the source as a person names it.
func (s Source) String() string {
	text := strings.TrimPrefix(s.URL, "https://")
	if s.Rev != "" && !strings.Contains(s.URL, "/tree/") {
		text += "@" + s.Rev
	}
	return text
}

// Name is the folder a source goes to unless the user says otherwise: the name
// of the repository, with "@18" where a revision was asked for, so that
// versions lie side by side.
func (s Source) Name() string {
	var name string
	switch s.Kind {
	case GitHub:
		name = s.repo
	case LLMs:
		u, _ := url.Parse(s.URL)
		name = strings.TrimPrefix(u.Hostname(), "www.")
	case Archive:
		if name = filepath.Base(s.URL); !s.Local() {
			u, _ := url.Parse(s.URL)
			name = path.Base(u.Path)
		}
		for _, ext := range archiveEndings {
			if n := len(name) - len(ext); n > 0 && strings.EqualFold(name[n:], ext) {
				name = name[:n]
			}
		}
	default:
		name = filepath.Base(s.URL)
	}
	if s.Rev != "" && s.Rev != "main" && s.Rev != "master" && !doc.IsMarkdown(s.Sub) {
		name += "@" + strings.ReplaceAll(s.Rev, "/", "-")
	}
	name = strings.TrimLeft(safeName(name), ".")
	if name == "" {
		return "docs"
	}
	return name
}

// Foreign reports whether a source leads to a place that a project's config may
// not send docent to on its own: any server but GitHub, and any path outside
// the project. The user approves those.
func (s Source) Foreign() bool {
	if s.Local() {
		return !filepath.IsLocal(s.URL)
	}
	return s.Kind != GitHub
}

// Local reports whether a source is a path of this machine.
func (s Source) Local() bool {
	return s.Kind == Git || s.Kind == Folder || s.Kind == Archive && !strings.Contains(s.URL, "://")
}

// At returns the source at a branch, tag or commit. For a local folder that
// makes it a git repository.
func (s Source) At(rev string) (Source, error) {
	if rev == "" {
		return s, nil
	}
	if err := git.CheckRev(rev); err != nil {
		return Source{}, err
	}
	switch s.Kind {
	case GitHub:
		if s.tail != "" {
			if rest, ok := strings.CutPrefix(s.tail+"/", rev+"/"); ok {
				s.Sub = strings.TrimSuffix(rest, "/")
			} else {
				_, s.Sub, _ = strings.Cut(s.tail, "/")
			}
			s.tail = ""
		}
	case Folder, Git:
		s.Kind = Git
	default:
		return Source{}, fmt.Errorf("%s has no branches or tags", s)
	}
	s.Rev = rev
	return s, nil
}

var archiveEndings = []string{".tar.gz", ".tgz", ".zip"}

// Parse reads a source as people write it:
//
//	owner/repo, owner/repo@v1.2, owner/repo#v1.2
//	https://github.com/owner/repo, also with .git, /tree/branch/folder, /blob/branch/file.md, /commit/..., /releases/tag/...
//	git@github.com:owner/repo.git, ssh://git@github.com/owner/repo
//	https://example.com/llms.txt
//	https://example.com/docs.tar.gz, .tgz, .zip
//	a path of this machine; a .tar.gz, .tgz or .zip is unpacked
//
// What exists as a path is a path. githubURL is [Options.GitHubURL]: addresses
// there are then taken for repositories too.
func Parse(text, githubURL string) (Source, error) {
	text = strings.TrimSpace(text)
	s, err := parse(text, githubURL)
	if err != nil {
		return Source{}, fmt.Errorf("source %.200q: %w", text, err)
	}
	return s, nil
}

func parse(text, githubURL string) (Source, error) {
	switch {
	case text == "":
		return Source{}, errors.New("empty")
	case len(text) > 2048:
		return Source{}, errors.New("longer than 2,048 bytes")
	case !printable(text):
		return Source{}, errors.New("holds a control character")
	case strings.HasPrefix(text, "-"):
		return Source{}, errors.New("begins like an option")
	}
	if address, ok := asAddress(text, githubURL); ok {
		return parseAddress(address, githubURL)
	}
	if info, err := os.Stat(text); err == nil {
		if info.Mode().IsRegular() && isArchive(strings.ToLower(filepath.Base(text))) {
			return Source{Kind: Archive, URL: filepath.Clean(text)}, nil
		}
		return Source{Kind: Folder, URL: filepath.Clean(text)}, nil
	}
	if looksLocal(text) {
		return Source{}, errors.New("no such file or folder")
	}
	return parseShort(text)
}

// looksLocal reports whether text can only be meant as a path.
func looksLocal(text string) bool {
	return strings.HasPrefix(text, ".") || strings.HasPrefix(text, "~") || filepath.IsAbs(text) ||
		strings.ContainsRune(text, '\\') || filepath.VolumeName(text) != ""
}

// parseShort reads owner/repo with an optional revision.
func parseShort(text string) (Source, error) {
	name, rev := text, ""
	if i := strings.IndexAny(text, "@#"); i >= 0 {
		name, rev = text[:i], text[i+1:]
		if rev == "" {
			return Source{}, fmt.Errorf("names no revision after %q", text[i:i+1])
		}
	}
	owner, repo, ok := strings.Cut(name, "/")
	if !ok || strings.Contains(repo, "/") {
		return Source{}, errors.New("no such file or folder, and not a source: name owner/repo on GitHub, an https address of a repository, llms.txt, .tar.gz or .zip, or a local folder")
	}
	return repository(owner, repo, rev)
}

// asAddress gives text as an address with a scheme, if it is one. Forms that
// ssh and git take for GitHub's repositories become https.
func asAddress(text, githubURL string) (string, bool) {
	text = strings.TrimPrefix(text, "git+")
	scheme, rest, ok := strings.Cut(text, "://")
	if ok {
		switch scheme = strings.ToLower(scheme); scheme {
		case "ssh", "git":
			host, p, _ := strings.Cut(rest, "/")
			_, host, _ = cutLast(host, "@")
			host, _, _ = strings.Cut(host, ":")
			return "https://" + host + "/" + p, true
		}
		return scheme + "://" + rest, true
	}
	// scp's form: git@github.com:owner/repo.git
	if before, p, ok := strings.Cut(text, ":"); ok && !strings.Contains(before, "/") {
		if user, host, ok := cutLast(before, "@"); ok && user != "" && strings.Contains(host, ".") {
			return "https://" + host + "/" + strings.TrimPrefix(p, "/"), true
		}
	}
	host, _, slash := strings.Cut(text, "/")
	if slash && isGitHub(strings.ToLower(host), githubURL) {
		return "https://" + text, true
	}
	return "", false
}

// cutLast cuts around the last sep. Without one, all is after.
func cutLast(s, sep string) (before, after string, found bool) {
	if i := strings.LastIndex(s, sep); i >= 0 {
		return s[:i], s[i+len(sep):], true
	}
	return "", s, false
}

// isGitHub reports whether host has repositories.
func isGitHub(host, githubURL string) bool {
	switch host {
	case "github.com", "www.github.com", "raw.githubusercontent.com":
		return true
	}
	u, err := url.Parse(githubURL)
	return err == nil && host != "" && host == strings.ToLower(u.Host)
}

func parseAddress(address, githubURL string) (Source, error) {
	u, err := url.Parse(address)
	if err != nil {
		return Source{}, errors.New("not a valid address")
	}
	host := strings.ToLower(u.Host)
	switch {
	case u.Host == "":
		return Source{}, errors.New("names no server")
	case isGitHub(host, githubURL):
		return parseGitHub(u, host)
	case u.User != nil:
		return Source{}, errors.New("holds a user name or password: leave it out")
	case u.Scheme == "http" && !loopback(u.Hostname()):
		return Source{}, errors.New("http can be read and changed on its way: use https")
	case u.Scheme != "https" && u.Scheme != "http":
		return Source{}, fmt.Errorf("cannot fetch %s addresses: use https", u.Scheme)
	}
	u.Fragment, u.RawFragment = "", ""
	s := Source{URL: u.String()}
	base := strings.ToLower(path.Base(u.Path))
	switch {
	case strings.HasPrefix(base, "llms") && strings.HasSuffix(base, ".txt"):
		s.Kind = LLMs
	case isArchive(base):
		s.Kind = Archive
	case doc.IsMarkdown(base):
		s.Kind = LLMs
	default:
		return Source{}, errors.New("not a source: addresses outside GitHub must end in llms.txt, .md, .tar.gz, .tgz or .zip")
	}
	return s, nil
}

// isArchive reports whether a name in lower case is that of an archive.
func isArchive(name string) bool {
	return slices.ContainsFunc(archiveEndings, func(e string) bool { return len(name) > len(e) && strings.HasSuffix(name, e) })
}
