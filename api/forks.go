package api

// ForkView is a memory of which several revisions stand beside each other: they were
// made by people, or on machines, that did not know of one another.
type ForkView struct {
	Shown    LinkEnd   `json:"shown"` // the one that readers see
	Siblings []LinkEnd `json:"siblings"`
}
