package importers

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/canon"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/shorten"
	"github.com/stemma-memory/stemma/memory"
)

// make makes the record to import, and tries it once as the store would.
func (it *item) make() error {
	f := &it.made
	f.Body, f.Meta, f.From, f.Via, f.Supersedes = it.body, it.meta, it.from, it.via, it.supersedes
	if memory.KindOf(it.body) == memory.KindRaw {
		f.From, f.Via = nil, memory.ViaImport
	}
	if len(it.sources()) == 0 && (f.Via == memory.ViaInference || f.Via == memory.ViaConsolidate ||
		f.Via == memory.ViaPromote || f.Via == memory.ViaRevision) {
		f.Via = memory.ViaImport // it was made of something, and nobody knows of what
	}
	var err error
	if len(it.ext) > 0 {
		if f.Ext, err = canon.Marshal(it.ext); err != nil {
			return fmt.Errorf("what has no place in a record: %w", err)
		}
		if len(f.Ext) > memory.MaxText {
			// rather the record without its trimmings than not at all; its times are small
			short := map[string]any{"too_long": true}
			for name, v := range it.ext {
				if said, ok := v.(string); ok && isTime(name) && len(said) < mostTime {
					short[name] = v
				} else if n, ok := v.(float64); ok && isTime(name) {
					short[name] = n
				}
			}
			if f.Ext, err = canon.Marshal(short); err != nil {
				return err
			}
		}
	}
	head, err := header(*f)
	if err != nil {
		return err
	}
	_, err = memory.New(head, f.Body)
	return err
}

// mostTime bounds a time as it is written, in bytes.
const mostTime = 64

// isTime reports whether a field says when the original was made, changed or looked at.
func isTime(name string) bool {
	name = strings.ToLower(name)
	return strings.HasSuffix(name, "_at") || strings.HasSuffix(name, "edat") ||
		slices.Contains([]string{"created", "updated", "modified", "date", "timestamp"}, name)
}

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
