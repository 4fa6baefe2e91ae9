package receipts

import (
	"encoding/json"

	"github.com/stemma-memory/stemma/api"
)

// GivenTo is what one session was given until a time.
type GivenTo struct {
	Answers  int
	Given    []GivenThen    // each memory once, with the first time
	Withheld []api.Withheld // each memory once; of others the sum for each reason
	Unknown  int            // answers that do not say what they withheld
}

// A GivenThen is a memory that a session was given, as it stood then.
type GivenThen struct {
	api.Receipted
	At, Receipt string
}

// GivenTo returns what answers gave to sessions until a time, and what they withheld.
func (e *Journal) GivenTo(until map[string]string) map[string]*GivenTo {
	out := make(map[string]*GivenTo)
	if e.C.Receipts == "" || len(until) == 0 {
		return out
	}
	e.Given.Ready()
	var names []string
	for s := range until {
		names = append(names, s)
	}
	quoted := inJSON(names)
	for line, err := range e.Given.all() {
		if err != nil {
			return out // as in Recalled
		}
		var r api.Receipt
		if !mayName(line.JSON, quoted) || json.Unmarshal(line.JSON, &r) != nil || r.Op == opHook ||
			!e.Given.mine(&r, line.old) {
			continue
		}
		last, asked := until[r.Session]
		if !asked || last != "" && r.At > last {
			continue
		}
		if out[r.Session] == nil {
			out[r.Session] = &GivenTo{}
		}
		out[r.Session].add(&r, line.ID)
	}
	return out
}

// add takes one answer, which is older than those before it.
func (g *GivenTo) add(r *api.Receipt, id string) {
	g.Answers++
	for _, one := range r.Results {
		then := GivenThen{Receipted: one, At: r.At, Receipt: id}
		had := false
		for i := range g.Given {
			if had = g.Given[i].Ref == one.Ref; had {
				g.Given[i] = then
				break
			}
		}
		if !had {
			g.Given = append(g.Given, then)
		}
	}
	if r.Withheld == nil {
		g.Unknown++
	}
	for _, one := range r.Withheld {
		had := false
		for i := range g.Withheld {
			if w := &g.Withheld[i]; w.Ref == one.Ref && w.Reason == one.Reason {
				had, w.Count = true, w.Count+one.Count
				break
			}
		}
		if !had {
			g.Withheld = append(g.Withheld, one)
		}
	}
}
