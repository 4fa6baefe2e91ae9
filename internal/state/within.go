package state

// Within returns the voices as a reader of some spaces hears them: a link that lies in one of these and puts a memory
// of another space in the place of one counts for this reader. Without it such a link counts for nobody, so that a
// memory of no project stays current in all projects but the one that replaced it.
func Within(who Voices, reads func(space string) bool) Voices { return reader{who, reads} }

type reader struct {
	Voices
	reads func(string) bool
}

// within reports whether what a link of a space replaces in other spaces is replaced for these voices.
func within(who Voices, space string) bool {
	r, ok := who.(reader)
	return ok && r.reads(space)
}
