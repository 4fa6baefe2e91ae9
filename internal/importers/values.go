package importers

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/shorten"
	"github.com/stemma-memory/stemma/memory"
)

// noteOf makes the body of a note of a type, or of an observation where there is no
// such type.
func noteOf(kind, text string) (memory.Body, error) {
	if !slices.Contains(memory.NoteTypes, kind) {
		kind = "observation"
	}
	return engine.DraftBody(api.Draft{Kind: string(memory.KindNote), Type: kind, Text: text})
}

// tags returns tags as a record can hold them.
func tags(list ...string) []string { return fitting(list, memory.MaxTags, memory.MaxTagBytes) }

// about returns names as a record can hold them.
func about(list ...string) []string { return fitting(list, memory.MaxAbout, memory.MaxNameBytes) }

func fitting(list []string, most, bytes int) []string {
	var out []string
	for _, s := range list {
		s = strings.ToValidUTF8(strings.ReplaceAll(s, "\x00", ""), "\ufffd")
		s = strings.TrimSpace(shorten.To(strings.TrimSpace(s), bytes))
		if s != "" && !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	slices.Sort(out)
	return out[:min(len(out), most)]
}

// sure returns a confidence as its number or its word says it; nil if it says nothing.
func sure(v any) (*float64, error) {
	words := map[string]float64{"certain": 1, "high": .9, "medium": .6, "low": .3}
	var f float64
	switch v := v.(type) {
	case nil:
		return nil, nil
	case float64:
		f = v
	case int64:
		f = float64(v)
	case string:
		n, ok := words[strings.ToLower(strings.TrimSpace(v))]
		if !ok {
			return nil, fmt.Errorf(
				"confidence: must be a number from 0 to 1, or certain, high, medium or low, got %q", shorten.To(v, 40),
			)
		}
		f = n
	default:
		return nil, errors.New("confidence: must be a number from 0 to 1")
	}
	if math.IsNaN(f) || f < 0 || f > 1 {
		return nil, fmt.Errorf("confidence: must be from 0 to 1, got %v", f)
	}
	f = math.Round(f*1000) / 1000
	return &f, nil
}

// stamp reads a time in the formats of other programs, and returns the zero time for anything
// else.
func stamp(s string) (memory.Time, bool) {
	t, ok := core.ReadTime(s)
	return memory.At(t), ok
}

// since returns a time in the form of Meta, "" for none.
func since(s string) string {
	if t, ok := stamp(s); ok {
		return t.String()
	}
	return ""
}
