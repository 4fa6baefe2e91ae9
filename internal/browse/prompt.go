package browse

import (
	"context"
	"strings"
	"unicode/utf8"
)

// A prompt is a line that is being typed, and what is done with it.
type prompt struct {
	label, text string
	then        func(ctx context.Context, text string)
}

// maxTyped is how many bytes a line may have.
const maxTyped = 1000

func (m *Model) typing(ctx context.Context, k Key) {
	p := m.line
	switch k {
	case Escape:
		m.line = nil
		m.say("left as it was")
	case Enter:
		m.line = nil
		p.then(ctx, strings.TrimSpace(p.text))
	case Erase:
		_, n := utf8.DecodeLastRuneInString(p.text)
		p.text = p.text[:len(p.text)-n]
	default:
		if s, ok := k.typed(); ok && len(p.text) < maxTyped {
			p.text += s
		}
	}
}
