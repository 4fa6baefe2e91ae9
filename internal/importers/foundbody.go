package importers

import (
	"fmt"
	"slices"
	"strings"

	"github.com/stemma-memory/stemma/internal/canon"
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
