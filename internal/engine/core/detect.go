package core

import (
	"strings"

	"github.com/stemma-memory/stemma/memory"
)

// compared gives the words of a memory that are compared.
func Compared(r *memory.Record) string {
	switch b := r.Body.(type) {
	case *memory.Note:
		if b.Body != "" && !strings.HasPrefix(b.Body, strings.TrimSuffix(b.Summary, "…")) {
			return b.Summary + " " + b.Body
		}
		return Or(b.Body, b.Summary)
	case *memory.Relationship:
		return b.Name + ": " + b.Description
	}
	return r.Headline()
}
