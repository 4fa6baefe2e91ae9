// Package prov writes a trace for other tools: as W3C PROV in JSON and as an
// in-toto statement. It says who made what from what, and how; what the memories
// say stays out unless it is asked for.
package prov

import (
	"bytes"
	"encoding/json"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"

	"github.com/stemma-memory/stemma/internal/shorten"
	"github.com/stemma-memory/stemma/internal/sorting"
	"github.com/stemma-memory/stemma/memory"
)

// maxLabel is where the words of a record are cut, in bytes.
const maxLabel = 280

// A Graph is a trace: a memory, what is behind it and what came of it, and the
// claims about them.
type Graph struct {
	Root    memory.Ref // the memory that was asked about
	Records []Record   // in any order; of two with one ref the first counts
	Words   bool       // say also what the records say, in one line, and the names of runs
}

// A Record is one of a graph, memory or claim.
type Record struct {
	Ref        memory.Ref
	Missing    bool   // purged or not held: nothing but the ref is known
	Beyond     bool   // held, and not part of what was asked for: nothing but the ref is said
	V          int    // version of the record's format
	Headline   string // what it says, in one line
	At         memory.Time
	Author     string // did:key
	Agent      string // display name
	Owner      string // did:key for which the author acts by delegation; "" or the author itself is nobody
	Origin     memory.Origin
	Via        memory.Via
	Run        string
	From       []memory.Ref
	Supersedes []memory.Ref
	About      []memory.Ref // of a claim: what it speaks of
	Says       string       // of a claim: confirm, approve, url, …
	Signature  []byte       // of the author, over the record
}

// Of returns what a graph says of a held record. The owner, whom the record does
// not name, is for the caller to add.
func Of(r *memory.Record) Record {
	h := &r.Header
	out := Record{
		Ref: r.Ref(), V: h.V, Headline: r.Headline(), At: h.At, Author: h.Author, Agent: h.Agent, Origin: h.Origin,
		Via: h.Provenance.Via, Run: h.Provenance.Run, From: h.Provenance.From, Supersedes: h.Provenance.Supersedes,
	}
	for _, s := range r.Sigs {
		if s.Key == h.Author {
			out.Signature = s.Sig
			break
		}
	}
	out.About = memory.Subjects(r.Body)
	switch b := r.Body.(type) {
	case *memory.Witness:
		out.Says = b.Attestation
	case *memory.Anchor:
		out.Says = b.Type
	case *memory.Link:
		out.Says = b.Relation
	case *memory.Mark:
		out.Says = b.Verb
	case *memory.Verify:
		out.Says = b.Result
	}
	return out
}

// sorted returns the records by ref, each once, with a missing one for each that is
// cited and not there, so that every reference resolves.
func (g *Graph) sorted() ([]Record, error) {
	held := make(map[memory.Ref]Record, len(g.Records))
	for _, r := range g.Records {
		if err := r.check(); err != nil {
			return nil, err
		}
		if r.bare() {
			r = Record{Ref: r.Ref, Missing: r.Missing, Beyond: r.Beyond}
		}
		if _, twice := held[r.Ref]; !twice {
			held[r.Ref] = r
		}
	}
	if root, ok := held[g.Root]; !ok || root.bare() {
		return nil, fmt.Errorf("trace of %s: it is not among the records", g.Root.Short())
	}
	for _, r := range slices.Collect(maps.Values(held)) {
		for _, cited := range slices.Concat(r.From, r.Supersedes, r.About) {
			if cited.IsZero() {
				continue // a mark on a whole author speaks of no record
			}
			if _, ok := held[cited]; !ok {
				held[cited] = Record{Ref: cited, Missing: true}
			}
		}
	}
	out := make([]Record, 0, len(held))
	for _, r := range held {
		if _, err := memory.ParseRef(r.Ref.String()); err != nil || r.Ref.ID.IsZero() {
			return nil, fmt.Errorf("trace of %s: %q is not a ref", g.Root.Short(), shorten.To(r.Ref.String(), maxLabel))
		}
		out = append(out, r)
	}
	sorting.By(out, func(a, b Record) int { return strings.Compare(a.Ref.String(), b.Ref.String()) })
	return out, nil
}

// bare reports whether a record is but its ref.
func (r *Record) bare() bool { return r.Missing || r.Beyond }

func (r *Record) check() error {
	if r.bare() {
		return nil
	}
	if !isKey(r.Author) || r.Owner != "" && !isKey(r.Owner) {
		return fmt.Errorf(
			"trace: %s is by %q for %q, which are no did:keys", r.Ref.Short(), shorten.To(r.Author, maxLabel),
			shorten.To(r.Owner, maxLabel),
		)
	}
	return nil
}

// keyPrefix begins the dids of keys; what follows is base58.
const keyPrefix = "did:key:"

func isKey(did string) bool {
	digits, ok := strings.CutPrefix(did, keyPrefix)
	if !ok || digits == "" {
		return false
	}
	return !strings.ContainsFunc(digits, func(c rune) bool {
		return (c < '1' || c > '9') && (c < 'A' || c > 'Z') && (c < 'a' || c > 'z')
	})
}

// delegated reports whether the author acts for somebody else.
func (r *Record) delegated() bool { return r.Owner != "" && r.Owner != r.Author }

// label is a title of a record: a cut one ends in "…".
func (r *Record) label() string {
	line := shorten.FirstLine(r.Headline)
	if len(line) > maxLabel {
		line = shorten.Words(line, maxLabel-len("…")) + "…"
	}
	return line
}

// cited returns what r was made from or replaces, each once, in its own order, and
// whether r replaces it.
func (r *Record) cited() iter.Seq2[memory.Ref, bool] {
	replaced := make(map[memory.Ref]bool, len(r.Supersedes))
	for _, ref := range r.Supersedes {
		replaced[ref] = true
	}
	return func(yield func(memory.Ref, bool) bool) {
		seen := map[memory.Ref]bool{{}: true} // a ref to nothing is none
		for _, ref := range slices.Concat(r.From, r.Supersedes) {
			if seen[ref] {
				continue
			}
			seen[ref] = true
			if !yield(ref, replaced[ref]) {
				return
			}
		}
	}
}

// encode writes v with members by name, indented by two spaces.
func encode(v any) ([]byte, error) {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(v); err != nil {
		return nil, fmt.Errorf("write a trace: %w", err)
	}
	return out.Bytes(), nil
}
