package core

// Parts of replies that stand in one reply alone have no name of their own. These make
// them.

// New lets a member of a reply point to a new part, and returns it.
func New[T any](member **T) *T {
	*member = new(T)
	return *member
}

// Grow puts a part behind the others in a list of a reply, and returns it until the next.
func Grow[T any](list *[]T) *T {
	*list = append(*list, *new(T))
	return &(*list)[len(*list)-1]
}

// Empty makes a list of a reply one without parts, which is written as [] and not as null.
func Empty[T any](list *[]T) { *list = []T{} }
