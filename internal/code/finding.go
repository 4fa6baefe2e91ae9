package code

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/stemma-memory/stemma/memory"
)

// State says how far a ref still holds.
type State string

// The states, from best to worst.
const (
	Verified    State = "verified"     // the span's bytes are what they were
	Unknown     State = "unknown"      // it cannot be told
	NeedsReview State = "needs_review" // the span's bytes changed
	Stale       State = "stale"        // the file or the symbol is gone
)

// order is from best to worst; what is in it is a state.
var order = []State{Verified, Unknown, NeedsReview, Stale}

// Finding says how one ref stands.
type Finding struct {
	State  State
	Reason string // one line in plain words; "" for what is verified where it was
	Commit string // the commit that changed the span, or deleted the file; "" if that was not found
	By     string // who wrote that commit
	Path   string // where the file is now, or was last
	Start  int    // first line of the span now; 0 for a whole file or nothing
	End    int    // last line
	SHA256 string // of the span as it is now, "" if there is none
	// Uncommitted says that the working tree decided, not HEAD.
	Uncommitted bool
}

// Overall is the worst of the findings: stale, then needs review, then unknown,
// then verified. Of none it is unknown.
func Overall(findings []Finding) State {
	if len(findings) == 0 {
		return Unknown
	}
	worst := 0
	for _, f := range findings {
		worst = max(worst, slices.Index(order, f.State))
	}
	return order[worst]
}

// Reasons lists the reasons of all that is not verified, the worst first.
func Reasons(findings []Finding) []string {
	var list []string
	for _, state := range slices.Backward(order[1:]) {
		for _, f := range findings {
			if f.State == state && f.Reason != "" && !slices.Contains(list, f.Reason) {
				list = append(list, f.Reason)
			}
		}
	}
	return list
}

// Follow is the ref at the place where it was found, still pinned to the bytes
// it had: Pin it to say that it holds as it is now.
func (f Finding) Follow(e memory.Evidence) memory.Evidence {
	if f.SHA256 == "" {
		return e
	}
	e.Path = f.Path
	if e.Symbol == "" && e.Start > 0 {
		e.Start, e.End = f.Start, f.End
	}
	return e
}

// Text writes a ref the way Parse reads it.
func Text(e memory.Evidence) string {
	switch {
	case e.Symbol != "":
		return e.Path + "#" + e.Symbol
	case e.Start > 0 && e.Start == e.End:
		return fmt.Sprintf("%s:%d", e.Path, e.Start)
	case e.Start > 0:
		return fmt.Sprintf("%s:%d-%d", e.Path, e.Start, e.End)
	}
	return e.Path
}

// shown makes a text of a stranger's fit to print: one line, nothing that moves
// the cursor or turns the direction, and of no more than so many characters.
func shown(s string, most int) string {
	var b strings.Builder
	n := 0
	for _, r := range s {
		if n++; n > most {
			return strings.TrimRight(b.String(), " ") + "…"
		}
		switch {
		case r == '\n' || r == '\t':
			r = ' '
		case !unicode.IsGraphic(r):
			r = unicode.ReplacementChar
		}
		b.WriteRune(r)
	}
	return b.String()
}
