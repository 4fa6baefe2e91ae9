package ops

import (
	"slices"
	"strings"

	"github.com/stemma-memory/stemma/internal/lazy"
)

// A Hint is what a message of the engine names in backquotes for its reader to do: an
// operation with what it is asked, as in `verify belief:a04e` and `doctor repair=true`,
// or only a member to add to the request, as in `force=true`. Each face that is not
// called by operations puts its own words in its place.
type Hint struct {
	Op   string   // "" is the operation that the message answers
	Args []string // values, and member=value
}

// Files are the operations that hints name and the table lacks: they read or write
// files beside the store.
var Files = []string{"export", "import", "recover_file", "config_set", "config_confirm", "store_adopt", "hub_migrate"}

var (
	quoted = lazy.Regexp("`[a-z]+(?:_[a-z]+)*(?: [^`\n]*|=[^` \n]+)?`")
	toAdd  = lazy.Regexp(`^[a-z_]+=`)
)

// Hints returns a message with say's words in the place of each hint. Other words in
// backquotes stay.
func Hints(text string, say func(Hint) string) string {
	if !strings.Contains(text, "`") {
		return text
	}
	return quoted.Get().ReplaceAllStringFunc(text, func(found string) string {
		if h, ok := hintOf(strings.Trim(found, "`")); ok {
			return say(h)
		}
		return found
	})
}

// hintOf reads what is between backquotes.
func hintOf(text string) (Hint, bool) {
	words := strings.Fields(text)
	if toAdd.Get().MatchString(words[0]) {
		return Hint{Args: words}, len(words) == 1
	}
	h := Hint{Op: words[0], Args: words[1:]}
	known := slices.Contains(Files, h.Op) || slices.ContainsFunc(All, func(op Op) bool { return op.Name == h.Op })
	return h, known
}

// Member splits member=value; ok is false for a value alone.
func Member(arg string) (name, value string, ok bool) {
	if !toAdd.Get().MatchString(arg) {
		return "", arg, false
	}
	return strings.Cut(arg, "=")
}
