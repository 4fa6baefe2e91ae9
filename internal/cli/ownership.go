package cli

import (
	"fmt"
	"strings"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/owned"
)

// ownerState says whether a store is the person's own.
type ownerState int

const (
	strange ownerState = iota // not this person's, as far as is known
	ours                      // this person's
	unmade                    // there is no store yet; the program that makes it makes it this person's
)

// ownership is what is known about the owner of the store at one place.
type ownership struct {
	ownerState
	owned.Place
	entry owned.Entry // of a store that is ours
	why   string      // of a strange one, more than that it is on no list; "" is no more
	waits bool        // it is older than the list, and the person may want it
	err   error       // why a strange one could not be looked into
}

// describe says that a store is not the person's own, and why.
func (w ownership) describe(what string) string {
	text := fmt.Sprintf("%s %s is not one of your own stores", what, clean(w.Path))
	switch {
	case w.err != nil:
		text += " (" + line(w.err.Error(), 300) + ")"
	case w.why != "":
		text += " (" + clean(w.why) + ")"
	case w.waits:
		text += ", although it is older than the list of stores"
	}
	return text
}

// adopting is the command that adopts a store.
func (w ownership) adopting() string {
	return fmt.Sprintf("to see its owner and adopt it: stemma store adopt %s", shellWord(w.Path))
}

// notYours is an error about a store that is not this person's.
type notYours struct{ text string }

func (e notYours) Error() string        { return e.text }
func (e notYours) Is(target error) bool { return target == api.ErrForbidden }

// shellWord writes a word so that a shell reads it as one.
func shellWord(s string) string {
	s = clean(s)
	if strings.ContainsAny(s, " \t\n\"'$`\\!*?;&|<>()#~[]{}") {
		return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "$", `\$`, "`", "\\`").Replace(s) + `"`
	}
	return s
}
