package importers

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"

	"github.com/stemma-memory/stemma/internal/lazy"
	"github.com/stemma-memory/stemma/internal/shorten"
	"github.com/stemma-memory/stemma/memory"
)

// A place is the position of a turn: D3:12 is the twelfth of the third session.
type place struct{ session, turn int }

func (p place) String() string { return fmt.Sprintf("D%d:%d", p.session, p.turn) }

// placeForm finds places in what people wrote: "D8:6; D9:17", "D:11:26" and
// "D30:05" all occur.
var placeForm = lazy.Regexp(`D:?(\d{1,6}):(\d{1,6})`)

func places(s string) []place {
	var out []place
	for _, m := range placeForm.Get().FindAllStringSubmatch(s, -1) {
		session, _ := strconv.Atoi(m[1]) // digits, and few
		turn, _ := strconv.Atoi(m[2])
		out = append(out, place{session, turn})
	}
	return out
}

// citations finds the turns of one conversation by what cites them.
type citations struct {
	byName  map[string]string // alias by dia_id, to the letter
	byPlace map[place]string
}

func (c *citations) add(id, alias string) error {
	if _, taken := c.byName[id]; taken {
		return fmt.Errorf("dia_id: %q is another turn's", shorten.To(id, 40))
	}
	c.byName[id] = alias
	if p := places(id); len(p) == 1 {
		c.byPlace[p[0]] = alias
	}
	return nil
}

// find returns the aliases of the turns that exist, each once and in the order in
// which they are cited, and the citations that name none.
func (c *citations) find(cites []string) (found, missing []string) {
	seen := make(map[string]bool)
	add := func(alias string) {
		if !seen[alias] && len(found) < memory.MaxSources {
			found = append(found, alias)
		}
		seen[alias] = true
	}
	for _, cite := range cites {
		if alias, ok := c.byName[cite]; ok {
			add(alias)
			continue
		}
		at := places(cite)
		if len(at) == 0 && cite != "" {
			missing = append(missing, cite)
		}
		for _, p := range at {
			if alias, ok := c.byPlace[p]; ok {
				add(alias)
			} else {
				missing = append(missing, p.String())
			}
		}
	}
	return found, missing
}

// An observation is a sentence about a speaker and what it cites. It is written
// ["sentence", "D1:3"], ["sentence", ["D1:3", "D1:5"]] or just "sentence".
type observation struct {
	text  string
	cites []string
}

var errObservation = errors.New(`an observation is written ["sentence", "D1:3"] or ["sentence", ["D1:3", "D1:5"]]`)

func (o *observation) UnmarshalJSON(raw []byte) error {
	if json.Unmarshal(raw, &o.text) == nil {
		return nil
	}
	var parts []json.RawMessage
	if json.Unmarshal(raw, &parts) != nil || len(parts) == 0 || json.Unmarshal(parts[0], &o.text) != nil {
		return errObservation
	}
	for _, part := range parts[1:] {
		var one string
		var several []string
		switch {
		case json.Unmarshal(part, &one) == nil:
			o.cites = append(o.cites, one)
		case json.Unmarshal(part, &several) == nil:
			o.cites = append(o.cites, several...)
		default:
			return errObservation
		}
	}
	return nil
}
