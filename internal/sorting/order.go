// Package sorting sorts values that are not sorted often. A sort of the standard library is compiled
// once more for each type of value, 16 kB each time; here all types share the one of pointers.
package sorting

import "slices"

// By sorts values and keeps the order of equal ones. It copies them once: what is sorted in every
// answer calls the package slices itself.
func By[E any](all []E, compare func(a, b E) int) {
	own := slices.Clone(all)
	at := make([]*E, len(own))
	for i := range own {
		at[i] = &own[i]
	}
	slices.SortStableFunc(at, func(a, b *E) int { return compare(*a, *b) })
	for i, p := range at {
		all[i] = *p
	}
}
