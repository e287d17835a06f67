//go:build race && unix

package markdown

// The race detector makes everything several times slower and larger.
const slowdown = 10
