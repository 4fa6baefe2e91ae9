// Package arch holds the rules of the project's structure as tests: which
// package may import which, and what may stand only in one place.
package arch
