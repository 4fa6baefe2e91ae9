// Package graph makes a graph of records: arrows from each record to those that it names.
package graph

import "github.com/stemma-memory/stemma/memory"

// A Relation says what an arrow of the graph means.
type Relation uint8

// The relations. Their numbers are stored; new ones go at the end.
const (
	DerivedFrom Relation = 1 + iota // a memory and what it came from
	Supersedes                      // a record and what it replaces
	Speaks                          // a claim and what it speaks of
	LinkSource                      // a link and its older end
	LinkTarget                      // a link and its newer end
	Because                         // an assessment and what moved it
	Recalled                        // a memory and what its author had been shown
)

var relationNames = [...]string{
	DerivedFrom: "derived_from", Supersedes: "supersedes", Speaks: "speaks_of", LinkSource: "link_source",
	LinkTarget: "link_target", Because: "because", Recalled: "recalled",
}

// String returns the relation's name.
func (r Relation) String() string {
	if int(r) < len(relationNames) && r > 0 {
		return relationNames[r]
	}
	return "unknown"
}

// A Direction says which way the graph is walked.
type Direction bool

// Back goes to what a record came from, Forward to what came of it.
const (
	Back    Direction = false
	Forward Direction = true
)

// An Edge is one arrow of the graph. It points from the newer record to the
// older one that the newer names.
type Edge struct {
	From memory.ID
	Rel  Relation
	To   memory.ID
}

// Edges returns every arrow r draws, in its header and in its body. It is the
// only place where records become a graph. The delegation of an ordinary
// record draws none: every record of an agent would point at one.
func Edges(r *memory.Record) []Edge {
	h := &r.Header
	var out []Edge
	add := func(rel Relation, refs ...memory.Ref) {
		for _, ref := range refs {
			if ref.ID != r.ID {
				out = append(out, Edge{r.ID, rel, ref.ID})
			}
		}
	}
	add(DerivedFrom, h.Provenance.From...)
	add(Supersedes, h.Provenance.Supersedes...)
	for _, id := range h.Recalled {
		out = append(out, Edge{r.ID, Recalled, id})
	}
	switch b := r.Body.(type) {
	case *memory.Link:
		add(LinkSource, b.Source)
		add(LinkTarget, b.Target)
	case *memory.Assess:
		add(Speaks, b.Of)
		add(Because, b.Because...)
	default:
		add(Speaks, memory.Subjects(b)...)
	} // memories say where they come from in the header alone
	return out
}
