package cli

import (
	"fmt"
	"strings"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/owned"
)

// standing says whose a store is.
type standing int

const (
	strange standing = iota // not this person's, as far as is known
	ours                    // this person's
	unmade                  // there is none yet: the program that makes it makes it this person's
)

// whose is what is known of the store at one place.
type whose struct {
	standing
	owned.Place
	entry owned.Entry // of a store that is ours
	why   string      // of a strange one, more than that it is on no list; "" is no more
	waits bool        // it is older than the list, and the person may want it
	err   error       // why a strange one could not be looked into
}

// saysWhose says of a strange store that it is one, and how that can be changed.
func (w whose) saysWhose(what string) string {
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
func (w whose) adopting() string {
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
