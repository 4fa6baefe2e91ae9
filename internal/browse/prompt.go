package browse

import (
	"context"
	"fmt"

	"github.com/stemma-memory/stemma/internal/plain"
)

// A prompt is a line that is being typed, and the action that follows.
type prompt struct {
	label, text string
	then        func(ctx context.Context, text string)
}

// A decision waits for the person to say yes.
type decision struct {
	ref, words string
	approve    bool
}

func (d *decision) question() string {
	verb := "reject"
	if d.approve {
		verb = "approve"
	}
	return fmt.Sprintf("%s %s? y is yes, any other key no: %s", verb, shortRef(d.ref), plain.Line(d.words, maxMessage))
}
