package prov

import (
	"encoding/base64"
	"fmt"

	"github.com/stemma-memory/stemma/memory"
)

// The types in a statement of in-toto.
const (
	StatementType = "https://in-toto.io/Statement/v1"
	PredicateType = "https://stemma-memory.github.io/predicates/trace/v1"
)

// statement is an in-toto Statement, version 1.
type statement struct {
	Type          string       `json:"_type"`
	Subject       []descriptor `json:"subject"`
	PredicateType string       `json:"predicateType"`
	Predicate     predicate    `json:"predicate"`
}

// descriptor is an in-toto ResourceDescriptor of a record.
type descriptor struct {
	Name        string            `json:"name"`
	Digest      map[string]string `json:"digest"`
	MediaType   string            `json:"mediaType,omitempty"`
	Annotations *making           `json:"annotations,omitempty"`
}

// predicate is what we say of the memory: how it was made and out of what.
type predicate struct {
	making
	Sources []descriptor `json:"sources"`           // all that is behind it, direct or not
	Claims  []descriptor `json:"claims,omitempty"`  // what others say of any of them
	Derived []descriptor `json:"derived,omitempty"` // the rest of the trace
}

// making is how one record came about.
type making struct {
	Author     string       `json:"author,omitempty"`
	Agent      string       `json:"agent,omitempty"`
	OnBehalfOf string       `json:"onBehalfOf,omitempty"`
	Origin     string       `json:"origin,omitempty"`
	Via        string       `json:"via,omitempty"`
	Run        string       `json:"run,omitempty"`
	At         string       `json:"at,omitempty"`
	Headline   string       `json:"headline,omitempty"`
	From       []memory.Ref `json:"from,omitempty"`
	Supersedes []memory.Ref `json:"supersedes,omitempty"`
	About      []memory.Ref `json:"about,omitempty"`
	Says       string       `json:"says,omitempty"`
	Signature  string       `json:"signature,omitempty"`
	Missing    bool         `json:"missing,omitempty"`
}

// InToto returns a trace as an in-toto Statement about its root: the subject is the
// memory by its ref and digest, the predicate says who made it, how, and from which
// sources, by their digests. The statement is not signed. The same graph gives the
// same bytes.
func InToto(g Graph) ([]byte, error) {
	records, err := g.sorted()
	if err != nil {
		return nil, err
	}
	byRef := make(map[memory.Ref]*Record, len(records))
	for i := range records {
		byRef[records[i].Ref] = &records[i]
	}
	behind := ancestors(byRef, g.Root)
	p := predicate{making: g.making(byRef[g.Root]), Sources: []descriptor{}}
	for i := range records {
		r := &records[i]
		d := describe(r)
		m := g.making(r)
		d.Annotations = &m
		switch {
		case r.Ref == g.Root:
		case behind[r.Ref]:
			p.Sources = append(p.Sources, d)
		case len(r.About) > 0:
			p.Claims = append(p.Claims, d)
		default:
			p.Derived = append(p.Derived, d)
		}
	}
	return encode(statement{StatementType, []descriptor{describe(byRef[g.Root])}, PredicateType, p})
}

// ancestors returns everything that root was made from or replaces, direct or not.
func ancestors(byRef map[memory.Ref]*Record, root memory.Ref) map[memory.Ref]bool {
	seen := map[memory.Ref]bool{root: true}
	for next := []memory.Ref{root}; len(next) > 0; {
		ref := next[len(next)-1]
		next = next[:len(next)-1]
		for cited := range byRef[ref].cited() {
			if !seen[cited] {
				seen[cited] = true
				next = append(next, cited)
			}
		}
	}
	return seen
}

// describe returns a record by its ref and digest, which is its id. The version of
// one that is not held is not known, and so not its type either.
func describe(r *Record) descriptor {
	d := descriptor{Name: r.Ref.String(), Digest: map[string]string{"sha256": r.Ref.ID.String()}}
	if r.V > 0 {
		d.MediaType = fmt.Sprintf("application/vnd.stemma.%s.v%d+json", r.Ref.Kind, r.V)
	}
	return d
}

func (g *Graph) making(r *Record) making {
	m := making{
		Author: r.Author, Agent: r.Agent, Origin: string(r.Origin), Via: string(r.Via), At: r.At.String(),
		From: refs(r.From), Supersedes: refs(r.Supersedes), About: refs(r.About), Says: r.Says,
		Signature: base64.StdEncoding.EncodeToString(r.Signature), Missing: r.Missing,
	}
	if r.delegated() {
		m.OnBehalfOf = r.Owner
	}
	if g.Words {
		m.Headline, m.Run = r.label(), r.Run
	}
	return m
}

// refs leaves out refs to nothing, which cannot be written.
func refs(list []memory.Ref) []memory.Ref {
	var out []memory.Ref
	for _, r := range list {
		if !r.IsZero() {
			out = append(out, r)
		}
	}
	return out
}
