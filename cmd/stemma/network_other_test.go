//go:build !linux

package main

// alone is for systems with network namespaces.
func alone() {}
