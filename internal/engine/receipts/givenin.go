package receipts

import (
	"encoding/json"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine/core"
)

// A GivenOne is a memory that a session was given.
type GivenOne struct{ Ref, At string }

// GivenIn returns what answers gave to sessions until a time, each memory once with the first time.
func (e *Journal) GivenIn(until map[string]string) map[string][]GivenOne {
	out := make(map[string][]GivenOne)
	if e.C.Receipts == "" || len(until) == 0 {
		return out
	}
	e.Given.Wait()
	var names []string
	for s := range until {
		names = append(names, s)
	}
	quoted := inJSON(names)
	at := make(map[string]map[string]int)
	for line, err := range e.Given.texts() {
		if err != nil {
			return out // as in Recalled
		}
		var r api.Receipt
		if !mayName(line, quoted) || json.Unmarshal(line, &r) != nil || r.Op == opHook ||
			!e.Given.mine(&r, false) {
			continue
		}
		last, asked := until[r.Session]
		if !asked || last != "" && r.At > last {
			continue
		}
		if at[r.Session] == nil {
			at[r.Session] = make(map[string]int)
		}
		for _, one := range r.Results {
			if i, had := at[r.Session][one.Ref]; had {
				out[r.Session][i].At = min(out[r.Session][i].At, r.At)
				continue
			}
			at[r.Session][one.Ref] = len(out[r.Session])
			out[r.Session] = append(out[r.Session], GivenOne{one.Ref, r.At})
		}
	}
	return out
}

// SessionsGiven returns the sessions that were given a memory, each with the first time.
func (e *Journal) SessionsGiven(refs []string) map[string]string {
	out := make(map[string]string)
	if e.C.Receipts == "" || len(refs) == 0 {
		return out
	}
	e.Given.Wait()
	wanted := make(map[string]bool, len(refs))
	for _, ref := range refs {
		wanted[ref] = true
	}
	for line, err := range e.Given.texts() {
		var r api.Receipt
		if err != nil || json.Unmarshal(line, &r) != nil || r.Session == "" || r.Op == opHook || !e.Given.mine(&r, false) {
			continue
		}
		for _, one := range r.Results {
			if wanted[one.Ref] {
				out[r.Session] = min(core.Or(out[r.Session], r.At), r.At)
				break
			}
		}
	}
	return out
}

// opHook is what a hook saw of outside words: the agent got them itself.
const opHook = "hook"
