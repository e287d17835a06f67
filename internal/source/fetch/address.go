package fetch

import (
	"cmp"
	"errors"
	"fmt"
	"net"
	"net/url"
	"strings"
)

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
