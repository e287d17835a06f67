// Empty does nothing: what it costs, every Go program costs.
package main

func main() {}
