package fetch

import (
	"cmp"
	"errors"
	"fmt"
	"net"
	"net/url"
	"path"
	"regexp"
	"strings"
	"sync"

	"github.com/docent-md/docent/internal/source/git"
)

var (
	ownerForm  = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$`) })
	repoForm   = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z0-9._-]{1,100}$`) })
	commitForm = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^([0-9a-f]{40}|[0-9a-f]{64})$`) })
)

// repository makes the source of a whole repository.
func repository(owner, repo, rev string) (Source, error) {
	repo = strings.TrimSuffix(repo, ".git")
	if !ownerForm().MatchString(owner) {
		return Source{}, fmt.Errorf("%q cannot be an owner on GitHub", owner)
	}
	if !repoForm().MatchString(repo) || repo == "." || repo == ".." {
		return Source{}, fmt.Errorf("%q cannot be a repository on GitHub", repo)
	}
	if rev != "" {
		if err := git.CheckRev(rev); err != nil {
			return Source{}, err
		}
	}
	return Source{
		Kind: GitHub, URL: "https://github.com/" + owner + "/" + repo, Rev: rev,
		owner: owner, repo: repo,
	}, nil
}

// parseGitHub reads the address of a repository or of a place in one. What
// follows "?" or "#" is for browsers.
func parseGitHub(u *url.URL, host string) (Source, error) {
	parts := strings.FieldsFunc(u.Path, func(r rune) bool { return r == '/' })
	if len(parts) < 2 {
		return Source{}, errors.New("names no repository: must be like https://github.com/owner/repo")
	}
	owner, repo, rest := parts[0], parts[1], parts[2:]
	rev := ""
	if len(rest) == 0 {
		repo, rev, _ = strings.Cut(repo, "@")
	} else if i := strings.Index(repo, "@"); i >= 0 {
		return Source{}, errors.New("holds a revision in the middle: use /tree/branch/folder")
	}
	s, err := repository(owner, repo, rev)
	if err != nil || len(rest) == 0 {
		return s, err
	}
	if host == "raw.githubusercontent.com" {
		rest = append([]string{"raw"}, rest...)
	}
	tail := rest[1:]
	switch rest[0] {
	case "tree", "blob", "raw", "edit", "blame", "commits":
		if len(tail) > 2 && tail[0] == "refs" && (tail[1] == "heads" || tail[1] == "tags") {
			tail = tail[2:]
		}
	case "commit":
		tail = tail[:min(len(tail), 1)]
	case "releases":
		if len(tail) < 2 || tail[0] != "tag" {
			return s, nil // the list of releases, or the latest: the default branch has its docs
		}
		return s.At(strings.Join(tail[1:], "/"))
	case "archive":
		return archiveOf(s, tail)
	case "wiki":
		return Source{}, errors.New("wikis cannot be fetched: clone the wiki with git and add the folder")
	default:
		return Source{}, fmt.Errorf("%q is no folder of a repository: use https://github.com/%s/%s/tree/branch/folder", rest[0], owner, repo)
	}
	if len(tail) == 0 {
		return s, nil
	}
	return withTail(s, strings.Join(tail, "/"))
}

// archiveOf reads what follows /archive/: refs/tags/v1.tar.gz, main.zip.
func archiveOf(s Source, tail []string) (Source, error) {
	name := strings.Join(tail, "/")
	for _, ext := range archiveEndings {
		name = strings.TrimSuffix(name, ext)
	}
	name = strings.TrimPrefix(strings.TrimPrefix(name, "refs/tags/"), "refs/heads/")
	if name == "" {
		return s, nil
	}
	return s.At(name)
}

// withTail adds what follows /tree/. Where it is one name, that is the branch.
func withTail(s Source, tail string) (Source, error) {
	rev, sub, more := strings.Cut(tail, "/")
	if err := git.CheckRev(rev); err != nil {
		return Source{}, err
	}
	if more && (path.Clean(sub) != sub || strings.HasPrefix(sub, "../") || sub == ".." || !printable(sub)) {
		return Source{}, fmt.Errorf("%q is no folder of a repository", sub)
	}
	if !more || commitForm().MatchString(rev) {
		s.Rev, s.Sub = rev, sub
		if sub != "" {
			s.URL += "/tree/" + escape(rev+"/"+sub)
		}
		return s, nil
	}
	s.tail = tail
	s.URL += "/tree/" + escape(tail)
	return s, nil
}

// splits lists the ways to read the source as a revision and a folder, the most
// likely first. Few branches have slashes, and fewer have several.
func (s Source) splits() [][2]string {
	if s.tail == "" {
		return [][2]string{{s.Rev, s.Sub}}
	}
	var out [][2]string
	for i := 0; i <= len(s.tail) && len(out) < 5; i++ {
		if i == len(s.tail) || s.tail[i] == '/' {
			out = append(out, [2]string{s.tail[:i], strings.TrimPrefix(s.tail[i:], "/")})
		}
	}
	return out
}

// escape makes a path fit for an address, its slashes kept.
func escape(p string) string {
	parts := strings.Split(p, "/")
	for i := range parts {
		parts[i] = url.PathEscape(parts[i])
	}
	return strings.Join(parts, "/")
}

// apiOf returns where the API of a GitHub server is.
func apiOf(githubURL string) (*url.URL, error) {
	u, err := url.Parse(strings.TrimRight(cmp.Or(githubURL, "https://github.com"), "/"))
	switch {
	case err != nil || u.Host == "" || u.User != nil:
		return nil, errors.New("the GitHub server's address is not one: must be like https://github.example.com")
	case u.Scheme == "http" && loopback(u.Hostname()):
	case u.Scheme != "https":
		return nil, fmt.Errorf("the GitHub server %s must be reached by https", u.Host)
	}
	host := strings.ToLower(u.Host)
	switch {
	case host == "github.com" || host == "www.github.com":
		return &url.URL{Scheme: "https", Host: "api.github.com"}, nil
	case strings.HasSuffix(host, ".ghe.com"):
		return &url.URL{Scheme: "https", Host: "api." + strings.TrimPrefix(host, "api.")}, nil
	case host == "api.github.com" || strings.HasSuffix(u.Path, "/api/v3"):
		return u, nil
	}
	return u.JoinPath("api", "v3"), nil
}

// origin is what must be the same for two addresses to be one server's.
func origin(u *url.URL) string {
	port := cmp.Or(u.Port(), map[string]string{"https": "443", "http": "80"}[u.Scheme])
	return u.Scheme + "://" + strings.ToLower(u.Hostname()) + ":" + port
}

func loopback(host string) bool {
	ip := net.ParseIP(host)
	return strings.EqualFold(host, "localhost") || ip != nil && ip.IsLoopback()
}

// shown is an address as errors show it.
func shown(u *url.URL) string { return u.Scheme + "://" + u.Host + u.EscapedPath() }
