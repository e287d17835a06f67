//go:build !race && unix

package markdown

const slowdown = 1
