package crawl

import (
	"bytes"
	"fmt"
	"unicode/utf8"
)

// Check makes the checks of [Tree.Read] on bytes that came by another way. It
// returns nil when they are fine.
func Check(path string, data []byte) *Skip {
	if skip := checkSize(Entry{Path: path, Size: int64(len(data))}, MaxSize); skip != nil {
		return skip
	}
	return checkText(path, data)
}

// checkSize returns why a file of that size is not read, or nil.
func checkSize(e Entry, limit int64) *Skip {
	switch {
	case e.Size == 0:
		return &Skip{Path: e.Path, Reason: Empty}
	case e.Size > limit:
		return &Skip{Path: e.Path, Reason: TooLarge, Size: e.Size, Detail: fmt.Sprintf("%d bytes, over the limit of %d", e.Size, limit)}
	}
	return nil
}

// checkText returns why data is no text that we read, or nil. A UTF-8 byte
// order mark is fine.
func checkText(path string, data []byte) *Skip {
	skip := Skip{Path: path, Size: int64(len(data)), Reason: NotUTF8}
	switch {
	case bytes.HasPrefix(data, []byte("\xff\xfe")), bytes.HasPrefix(data, []byte("\xfe\xff")):
		skip.Detail = "UTF-16"
	case bytes.IndexByte(data, 0) >= 0:
		skip.Reason = Binary
	case !utf8.Valid(data):
		i := invalid(data)
		skip.Detail = fmt.Sprintf("byte 0x%02x on line %d", data[i], 1+bytes.Count(data[:i], []byte("\n")))
	default:
		return nil
	}
	return &skip
}

// invalid returns where data stops being UTF-8.
func invalid(data []byte) int {
	i := 0
	for {
		r, n := utf8.DecodeRune(data[i:])
		if r == utf8.RuneError && n <= 1 {
			return i
		}
		i += n
	}
}
