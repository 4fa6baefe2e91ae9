package receipts

import (
	"bytes"
	"encoding/json"
	"slices"
	"time"

	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/engine/trust"
	"github.com/stemma-memory/stemma/internal/sorting"
	"github.com/stemma-memory/stemma/memory"
)

// What an agent was shown in a conversation counts as a source of what it writes there, even
// if the agent does not name it: external words must not lose their mark by being repeated.
// mostRecalled bounds how many sources a record names; external ones come first and are not
// bounded.
const mostRecalled = 64

// recently is how long ago something was shown that counts where it is not known
// which conversation this is.
const recently = time.Hour

// A given is one memory that an agent was shown.
type given struct {
	id       memory.ID
	external bool // it was, when it was shown
}

// Recalled returns what the agent was shown in this conversation, without the records
// that it names as sources anyway. The first outside of them came from outside.
func (e *Journal) Recalled(
	rd *trust.Reading, session string, sources []memory.ID,
) (ids []memory.ID, outside int, err error) {
	if e.C.Receipts == "" || e.C.Origin == memory.OriginOwner {
		return nil, 0, nil
	}
	e.Given.Wait()
	list, err := e.receiptsIn(session)
	if err != nil {
		return nil, 0, nil // what cannot be read holds up no write; 'doctor' says so
	}
	list = slices.DeleteFunc(list, func(g given) bool { return slices.Contains(sources, g.id) })
	return e.externalFirst(rd, list)
}

// OutsideIn returns the outside words that were shown in a conversation before a time.
func (e *Journal) OutsideIn(rd *trust.Reading, session string, before time.Time) ([]memory.ID, error) {
	if e.C.Receipts == "" || session == "" {
		return nil, nil
	}
	e.Given.Wait()
	names := inJSON([]string{session})
	var list []given
	for text, err := range e.Given.texts() {
		if err != nil {
			return nil, nil // as in Recalled
		}
		if h, ok := beginningOf(text); mayName(text, names) && ok && h.Session == session {
			if at, err := core.ParseTime("at", h.At); err == nil && !at.Time().After(before) {
				list = h.gave(list)
			}
		}
	}
	ids, outside, err := e.externalFirst(rd, once(list))
	return ids[:outside], err
}

// receiptsIn returns what this conversation was shown, under each of its names. Where the
// host did not name it, or nothing is known under the names it gave, all that the
// agent's key was shown recently counts too: a mistake marks too much, never too
// little.
func (e *Journal) receiptsIn(session string) ([]given, error) {
	named := append([]string{session}, e.C.Sessions...)
	if !e.C.Unnamed {
		named = append(named, e.C.Session)
	}
	named = slices.DeleteFunc(named, func(s string) bool { return s == "" || e.C.Unnamed && s == e.C.Session })
	since := e.C.Now().Add(-recently)
	wanted := append(slices.Clone(named), e.C.KeySession)
	if e.C.Unnamed && e.C.Session != "" {
		wanted = append(wanted, e.C.Session)
	}
	names := inJSON(wanted)
	var all, own, lately, unnamed []given // own is under a name that the host did not assign
	for text, err := range e.Given.texts() {
		if err != nil {
			return nil, err
		}
		if !mayName(text, names) {
			continue
		}
		h, ok := beginningOf(text)
		if !ok {
			continue
		}
		if slices.Contains(named, h.Session) {
			all = h.gave(all)
		}
		if e.C.Unnamed && h.Session != "" && h.Session == e.C.Session {
			own = h.gave(own)
		}
		if at, err := core.ParseTime("at", h.At); h.Key == e.C.KeySession && err == nil && !at.Time().Before(since) {
			if lately = h.gave(lately); h.Session == "" {
				unnamed = h.gave(unnamed)
			}
		}
	}
	if len(all) > 0 && !e.C.Claimed {
		lately = unnamed
	}
	return once(slices.Concat(all, lately, own)), nil
}

// inJSON returns names as they stand in a line; nil where one is empty, so that any line may be meant.
func inJSON(names []string) [][]byte {
	var out [][]byte
	for _, name := range names {
		text, err := json.Marshal(name)
		if err != nil || name == "" {
			return nil
		}
		out = append(out, text)
	}
	return out
}

// mayName says whether a line may be about one of some names: most are of other conversations, and are not read.
func mayName(line []byte, names [][]byte) bool {
	if i := bytes.Index(line, beforeResults); i > 0 {
		line = line[:i]
	}
	return names == nil || slices.ContainsFunc(names, func(name []byte) bool { return bytes.Contains(line, name) })
}

// beforeResults is what parts the beginning of a line from its results.
var beforeResults = []byte(`,"results":[`)

// A headed is a line of receipts of which only the part before the results was read.
type headed struct {
	Session, Key, At string

	line  []byte
	named []given
}

// beginningOf reads the beginning of a line: the results, which are most of it, are for those
// who need them. In a text of JSON quotes are escaped, so none looks like that member.
func beginningOf(line []byte) (h headed, ok bool) {
	h.line = line
	if i := bytes.Index(line, beforeResults); i > 0 &&
		json.Unmarshal(append(slices.Clip(line[:i]), '}'), &h) == nil {
		return h, true
	}
	return h, json.Unmarshal(line, &h) == nil
}

// gave adds what a line names, which is read once.
func (h *headed) gave(list []given) []given {
	if h.line != nil {
		var r struct {
			Results []struct {
				Ref      string
				External bool
			}
		}
		if json.Unmarshal(h.line, &r) == nil {
			for _, one := range r.Results {
				var ref memory.Ref
				if ref.UnmarshalText([]byte(one.Ref)) == nil {
					h.named = append(h.named, given{ref.ID, one.External})
				}
			}
		}
		h.line = nil
	}
	return append(list, h.named...)
}

// once returns each memory once. What was external in one answer is external.
func once(list []given) []given {
	at := make(map[memory.ID]int, len(list))
	out := list[:0]
	for _, g := range list {
		if i, seen := at[g.id]; seen {
			out[i].external = out[i].external || g.external
			continue
		}
		at[g.id] = len(out)
		out = append(out, g)
	}
	return out
}

// externalFirst keeps all external records and only the newest of the others. A record that is
// not held here and was external when it was shown stays: that another store holds it does not
// make it the agent's own.
func (e *Journal) externalFirst(rd *trust.Reading, list []given) (ids []memory.ID, outside int, err error) {
	sorting.By(list, func(a, b given) int { // so that the bound never drops an external record
		switch {
		case a.external == b.external:
			return 0
		case a.external:
			return -1
		}
		return 1
	})
	list = list[:min(len(list), memory.MaxSources)]
	if len(list) == 0 {
		return nil, 0, nil
	}
	asked := make([]memory.ID, len(list))
	for i, g := range list {
		asked[i] = g.id
	}
	items, err := rd.Get(asked...)
	if err != nil {
		return nil, 0, core.Classify(err)
	}
	trusted, err := e.trust.Rate(rd, items, false)
	if err != nil {
		return nil, 0, err
	}
	var external, rest []memory.ID
	for _, g := range list {
		switch v := trusted[g.id]; {
		case v == nil && !g.external: // not held, or purged
		case v == nil, v.Tainted:
			external = append(external, g.id)
		case len(rest) < mostRecalled:
			rest = append(rest, g.id)
		}
	}
	return append(external, rest...), len(external), nil
}
