//go:build !unix

package crawl

// nonblock is not needed where opening a file by name never waits for a peer.
const nonblock = 0
