package web

import (
	"net/http"
	"strconv"
)

// A pager divides a list into pages.
type pager struct {
	From, To, Total   int // rows of this page: from From, before To
	Page, LastPage    int // from 1
	Previous, Further string
}

// newPager reads the page that a request asks for. address returns the address of a page;
// that of the first is asked for with "".
func newPager(r *http.Request, total, rows int, address func(page string) string) pager {
	return pagerAt(number(r.URL.Query().Get("page"), 1, total), total, rows, address)
}

// pagerAt is that of a page; one that there is not is the first or the last.
func pagerAt(page, total, rows int, address func(page string) string) pager {
	p := pager{Total: total, LastPage: max((total+rows-1)/rows, 1)}
	p.Page = max(min(page, p.LastPage), 1)
	p.From = (p.Page - 1) * rows
	p.To = min(p.From+rows, total)
	if p.Page == 2 {
		p.Previous = address("")
	} else if p.Page > 2 {
		p.Previous = address(strconv.Itoa(p.Page - 1))
	}
	if p.Page < p.LastPage {
		p.Further = address(strconv.Itoa(p.Page + 1))
	}
	return p
}

// First is the number of the first row, from 1.
func (p pager) First() int { return p.From + 1 }
