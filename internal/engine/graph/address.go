package graph

import (
	"html"
	"path"
	"strings"
)

func hasScheme(s string) bool {
	for i := range min(len(s), 32) {
		switch c := s[i]; {
		case 'a' <= c|0x20 && c|0x20 <= 'z':
		case c == ':':
			return i > 0
		case i > 0 && ('0' <= c && c <= '9' || c == '+' || c == '-' || c == '.'):
		default:
			return false
		}
	}
	return false
}

// missingState says what a path names that is no document here.
func missingState(p string, slash bool) State {
	ext := path.Ext(p)
	if slash || len(ext) < 2 || len(ext) > 8 || trimExt(p) != p || '0' <= ext[1] && ext[1] <= '9' {
		return Missing
	}
	return Asset
}

// isAsset reports whether a path names a file that is surely no page.
func isAsset(p string) bool {
	dot := strings.LastIndexByte(p, '.')
	if dot < 0 || len(p)-dot > 6 {
		return false
	}
	switch strings.ToLower(p[dot+1:]) {
	case "png", "jpg", "jpeg", "gif", "svg", "webp", "avif", "ico", "bmp", "mp4", "webm", "mov", "mp3", "wav", "ogg",
		"pdf", "zip", "tar", "gz", "tgz", "xz", "csv", "tsv", "txt", "json", "yaml", "yml", "toml", "xml", "ini",
		"go", "rs", "py", "sh", "bash", "c", "h", "cpp", "java", "kt", "rb", "php", "swift", "cs",
		"css", "scss", "ts", "tsx", "jsx", "mjs", "vue", "ipynb", "sql", "proto", "tf":
		return true
	}
	return false
}

// unescape takes the backslashes and entities of Markdown out of a target.
func unescape(s string) string {
	if strings.IndexByte(s, '\\') >= 0 {
		b := make([]byte, 0, len(s))
		for i := 0; i < len(s); i++ {
			if s[i] == '\\' && i+1 < len(s) && strings.IndexByte("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~", s[i+1]) >= 0 {
				i++
			}
			b = append(b, s[i])
		}
		s = string(b)
	}
	if strings.IndexByte(s, '&') >= 0 {
		s = html.UnescapeString(s)
	}
	return s
}

// percentDecode decodes %20 and its like; what is no such code stays.
func percentDecode(s string) string {
	if strings.IndexByte(s, '%') < 0 {
		return s
	}
	b := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		if s[i] == '%' && i+2 < len(s) {
			hi, lo := unhex(s[i+1]), unhex(s[i+2])
			if hi >= 0 && lo >= 0 {
				b = append(b, byte(hi<<4|lo))
				i += 2
				continue
			}
		}
		b = append(b, s[i])
	}
	return string(b)
}

func unhex(c byte) int {
	switch {
	case '0' <= c && c <= '9':
		return int(c - '0')
	case 'a' <= c|0x20 && c|0x20 <= 'f':
		return int(c|0x20-'a') + 10
	}
	return -1
}

// isBase reports whether a template's variable stands for the site's own address,
// as in "{{ site.baseurl }}/x".
func isBase(name string) bool {
	name = strings.ToLower(strings.TrimSpace(name))
	return strings.Contains(name, "base") || strings.HasSuffix(name, "site.url") || name == "root"
}

// isSitePrefix reports whether a component at the beginning of an address may be
// the site's own and stand for no folder: a word such as "docs", a language, a
// version, or what a template puts there. It is folded.
func isSitePrefix(s string) bool {
	if strings.HasPrefix(s, "{") {
		return true
	}
	switch s {
	case "docs", "doc", "documentation", "content", "src", "book", "wiki", "manual",
		"latest", "stable", "main", "master", "next", "current", "dev":
		return true
	}
	if lang, region, ok := strings.Cut(s, "-"); ok {
		return len(lang) == 2 && len(region) >= 2 && len(region) <= 4
	}
	if len(s) == 2 {
		return 'a' <= s[0] && s[0] <= 'z' && 'a' <= s[1] && s[1] <= 'z'
	}
	s = strings.TrimPrefix(s, "v")
	return s != "" && '0' <= s[0] && s[0] <= '9' && strings.Trim(s, "0123456789.x") == ""
}
