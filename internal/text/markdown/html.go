package markdown

import "bytes"

// tagName returns the length of the tag name b begins with.
func tagName(b []byte) int {
	if len(b) == 0 || !isLetter(b[0]) {
		return 0
	}
	i := 1
	for i < len(b) && (isLetter(b[i]) || isDigit(b[i]) || b[i] == '-') {
		i++
	}
	return i
}

// tagEnd returns the offset after the HTML tag that begins at i in s. When there
// is none it returns a negative number: minus the bytes it read to find out.
func tagEnd(s []byte, i int) int {
	start := i
	i++
	closing := i < len(s) && s[i] == '/'
	if closing {
		i++
	}
	n := tagName(s[min(i, len(s)):])
	if n == 0 {
		return -1
	}
	for i += n; ; {
		j := skipSpace(s, i)
		if j >= len(s) {
			return start - j
		}
		switch c := s[j]; {
		case c == '>':
			return j + 1
		case closing:
			return start - j
		case c == '/':
			if j+1 < len(s) && s[j+1] == '>' {
				return j + 2
			}
			return start - j
		case j == i || !isLetter(c) && c != '_' && c != ':':
			return start - j
		}
		if _, _, i = attribute(s, j); i < 0 {
			return start - len(s)
		}
	}
}

// attribute reads the attribute whose name begins at i. It returns the end of
// its name, the offset of its value's first byte (0 when it has none), and the
// offset after it, or -1.
func attribute(s []byte, i int) (name, value, after int) {
	for i < len(s) && (isWord(s[i]) || s[i] == ':' || s[i] == '.') {
		i++
	}
	name = i
	j := skipSpace(s, i)
	if j >= len(s) || s[j] != '=' {
		return name, 0, i
	}
	j = skipSpace(s, j+1)
	if j >= len(s) {
		return name, 0, -1
	}
	if q := s[j]; q == '"' || q == '\'' {
		n := bytes.IndexByte(s[j+1:], q)
		if n < 0 {
			return name, 0, -1
		}
		return name, j + 1, j + n + 2
	}
	k := j
	for k < len(s) && !isSpace(s[k]) && bytes.IndexByte([]byte("\"'=<>`"), s[k]) < 0 {
		k++
	}
	if k == j {
		return name, 0, -1
	}
	return name, j, k
}

// markupEnd returns the offset after the tag, comment, instruction or the like
// that begins at i in s. When "<" is just a character it returns a negative
// number: minus the bytes it read to find out.
func markupEnd(s []byte, i int) int {
	find := func(from int, end string) int {
		if n := bytes.Index(s[from:], []byte(end)); n >= 0 {
			return from + n + len(end)
		}
		return i - len(s)
	}
	rest := s[i:]
	if len(rest) < 2 {
		return -1
	}
	switch c := rest[1]; {
	case c == '/' || isLetter(c):
		return tagEnd(s, i)
	case c == '?':
		return find(i+2, "?>")
	case c != '!':
	case bytes.HasPrefix(rest, []byte("<!-->")):
		return i + 5
	case bytes.HasPrefix(rest, []byte("<!--->")):
		return i + 6
	case bytes.HasPrefix(rest, []byte("<!--")):
		return find(i+4, "-->")
	case bytes.HasPrefix(rest, []byte("<![CDATA[")):
		return find(i+9, "]]>")
	case len(rest) > 2 && isLetter(rest[2]):
		return find(i+2, ">")
	}
	return -1
}

// rawElement returns the offset after the script or style element whose tag is
// s[i:e], or -1 when it is none.
func rawElement(s []byte, i, e int) int {
	name := lower(s[i+1 : i+1+tagName(s[i+1:e])])
	if name != "script" && name != "style" {
		return -1
	}
	for rest := e; ; {
		n := bytes.Index(s[rest:], []byte("</"))
		if n < 0 {
			return len(s)
		}
		rest += n + 2
		if lower(s[rest:rest+tagName(s[rest:])]) == name {
			if n := bytes.IndexByte(s[rest:], '>'); n >= 0 {
				return rest + n + 1
			}
			return len(s)
		}
	}
}

// tagValue returns the value of the attribute called name in the tag that s
// ends with, whose attributes begin at i.
func tagValue(s []byte, i int, name string) span {
	for {
		i = skipSpace(s, i)
		if i >= len(s) || !isLetter(s[i]) && s[i] != '_' && s[i] != ':' {
			return span{}
		}
		end, value, after := attribute(s, i)
		if after < 0 {
			return span{}
		}
		if value > 0 && lower(s[i:end]) == name {
			if q := s[value-1]; q == '"' || q == '\'' {
				return span{int32(value), int32(after - 1)}
			}
			return span{int32(value), int32(after)}
		}
		i = after
	}
}
