package openai

import (
	"errors"
	"net/http"
	"strings"

	"github.com/stemma-memory/stemma/internal/model/remote"
)

// The ways to ask for JSON, from the strictest.
const (
	bySchema = iota // the server holds the model to the schema
	byObject        // the server holds the model to JSON
	byWords         // the model is told
)

// A form is how a server wants to be asked. The zero value is what servers of today take.
type form struct {
	format     int
	completion bool // the limit of tokens is called max_completion_tokens, as models that think want it
	warm       bool // no temperature, nor do those take one
	seedless   bool
}

// without returns a simpler form, where the error says that the server did not take a part of f. LM Studio takes
// json_schema or nothing, so that object may fail as schema did.
func (f form) without(err error) (form, bool) {
	var e *remote.Error
	if !errors.As(err, &e) || e.Code != http.StatusBadRequest && e.Code != http.StatusUnprocessableEntity {
		return f, false
	}
	says := strings.ToLower(e.Says)
	speaks := func(of ...string) bool {
		for _, word := range of {
			if strings.Contains(says, word) {
				return true
			}
		}
		return false
	}
	switch {
	case !f.completion && speaks("max_tokens", "max_completion_tokens"):
		f.completion = true
	case !f.warm && speaks("temperature"):
		f.warm = true
	case !f.seedless && speaks("'seed'", `"seed"`, "seed parameter", "parameter: seed"):
		f.seedless = true
	case f.format < byWords && (says == "" ||
		speaks("response_format", "json_schema", "json_object", "schema", "grammar", "structured", "response format")):
		f.format++
	default:
		return f, false
	}
	return f, true
}

// with returns what has been learned by both.
func (f form) with(g form) form {
	return form{max(f.format, g.format), f.completion || g.completion, f.warm || g.warm, f.seedless || g.seedless}
}
