package core

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/graph"
	lines "github.com/stemma-memory/stemma/internal/plain"
	"github.com/stemma-memory/stemma/internal/shorten"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// candidates is how many records an ambiguous ref lists.
const candidates = 10

// leastDigits is how many digits of an ID name a record at least: fewer are a place in a list, or a slip,
// and in a small store they would fit one record by chance.
const leastDigits = 4

// Lookup finds the one record that s names: "belief:3f9a21c4", or a unique prefix of at least
// four of the digits, with or without the kind.
func (e *Core) Lookup(ctx context.Context, s string) (*store.Item, error) {
	kind, digits, ok := strings.Cut(strings.TrimSpace(s), ":")
	if !ok {
		kind, digits = "", kind
	}
	digits = strings.ToLower(digits)
	if digits == "" || strings.Trim(digits, "0123456789abcdef") != "" {
		return nil, notAnID(s)
	}
	if len(digits) < leastDigits {
		return nil, e.tooShort(s, digits)
	}
	found, err := e.Store.Resolve(ctx, memory.Kind(kind), digits, candidates+1)
	if err != nil {
		return nil, Classify(err)
	}
	switch {
	case len(found) == 0:
		return nil, e.nothingFor(ctx, s, kind, digits)
	case len(found) > 1:
		return nil, e.ambiguous(ctx, s, found)
	}
	items, err := e.Read(ctx).Get(found[0].ID)
	if err != nil {
		return nil, Classify(err)
	}
	if items[0] == nil {
		return nil, NotFound("no record %s", s)
	}
	return items[0], nil
}

// notAnID says how a ref is written, and how to find one for a word.
func notAnID(s string) error {
	find := ""
	if word := strings.TrimSpace(s); len(word) <= 40 && word != "" && strings.IndexFunc(word, notLetter) < 0 {
		find = " To find one: `search " + word + "`"
	} else if strings.ContainsFunc(word, unicode.IsSpace) {
		find = " To find one: `search`"
	}
	return Invalid("%q is not an ID (example: belief:a04e).%s", shorten.To(s, 80), find)
}

func notLetter(r rune) bool { return !unicode.IsLetter(r) }

// tooShort says of digits that are too few what they probably are. It finds no record by them.
func (e *Core) tooShort(s, digits string) error {
	n, err := strconv.Atoi(digits)
	if err != nil || n == 0 {
		return Invalid("%q is too short for an ID; give at least %d hex digits (example: belief:a04e)", s, leastDigits)
	}
	if e.Placed != nil {
		if ref, query := e.Placed(n); ref != "" {
			return Invalid("%d is a place in a list; its ID is %s (of the search %q)", n, ref, shorten.To(query, 80))
		}
	}
	return Invalid("%q is a place in a list, not an ID; take the ID from the line (example: belief:a04e)", s)
}

// nothingFor says that nothing was found, and whether another kind has the id.
func (e *Core) nothingFor(ctx context.Context, s, kind, digits string) error {
	if kind != "" && !memory.Kind(kind).Known() {
		var all []string
		for _, k := range append(memory.Memories(), memory.Claims()...) {
			all = append(all, string(k))
		}
		return NotFound("%q is no kind of record; the kinds are %s", shorten.To(kind, 40), strings.Join(all, ", "))
	}
	if kind != "" {
		if other, err := e.Store.Resolve(ctx, "", digits, 1); err == nil && len(other) == 1 {
			return NotFound("no %s %s; there is %s", kind, digits, other[0].Short())
		}
	}
	return NotFound("no record %s in this store", s)
}

func (e *Core) ambiguous(ctx context.Context, s string, found []memory.Ref) error {
	more := ""
	if len(found) > candidates {
		found, more = found[:candidates], ", …"
	}
	ids := make([]memory.ID, len(found))
	for i, r := range found {
		ids[i] = r.ID
	}
	items, err := e.Read(ctx).Get(ids...)
	if err != nil {
		return Classify(err)
	}
	names := make([]string, len(found))
	for i, r := range found {
		names[i] = string(r.Kind) + ":" + r.ID.String()[:2*len(r.ID)/4] // 16 digits are unique
		if items[i] != nil && items[i].Record != nil {
			names[i] += " (" + lines.Line(items[i].Record.Headline(), 40) + ")"
		}
	}
	return &Failure{Kind: api.ErrAmbiguous, Text: s + " is ambiguous: " + strings.Join(names, ", ") + more}
}

// ResolveAll resolves every ref or none: the error names the first bad one.
func (e *Core) ResolveAll(ctx context.Context, refs []string) ([]*store.Item, error) {
	items := make([]*store.Item, 0, len(refs))
	seen := make(map[memory.ID]bool)
	for _, s := range refs {
		it, err := e.Lookup(ctx, s)
		if err != nil {
			return nil, err
		}
		if !seen[it.Ref.ID] {
			seen[it.Ref.ID] = true
			items = append(items, it)
		}
	}
	return items, nil
}

// ResolveMemory is resolve for what must be a memory of which the words are
// still there.
func (e *Core) ResolveMemory(ctx context.Context, s string) (*store.Item, error) {
	it, err := e.Lookup(ctx, s)
	if err != nil {
		return nil, err
	}
	if !it.Ref.Kind.IsMemory() {
		return nil, Invalid("%s is not a memory but a %s", it.Ref.Short(), it.Ref.Kind)
	}
	return it, nil
}

func RefsOf(items []*store.Item) []memory.Ref {
	refs := make([]memory.Ref, len(items))
	for i, it := range items {
		refs[i] = it.Ref
	}
	return refs
}

func RefStrings(refs []memory.Ref) []string {
	out := make([]string, len(refs))
	for i, r := range refs {
		out[i] = r.String()
	}
	return out
}

// RefBegins reports whether a ref in full is meant by the beginning of one, with
// or without its kind. As in Lookup, few digits mean none.
func RefBegins(full, typed string) bool {
	kind, digits, _ := strings.Cut(full, ":")
	of, prefix, named := strings.Cut(typed, ":")
	if !named {
		of, prefix = kind, typed
	}
	return of == kind && len(prefix) >= leastDigits && strings.HasPrefix(digits, prefix)
}

func IDsOf(refs []memory.Ref) []memory.ID {
	ids := make([]memory.ID, len(refs))
	for i, r := range refs {
		ids[i] = r.ID
	}
	return ids
}

// Present drops records that are not held.
func Present(items []*store.Item) []*store.Item {
	var out []*store.Item
	for _, it := range items {
		if it != nil && it.Record != nil {
			out = append(out, it)
		}
	}
	return out
}

// One returns one record; nil where it is not held or was purged.
func (e *Core) One(ctx context.Context, id memory.ID) (*store.Item, error) {
	items, err := e.Read(ctx).Get(id)
	if err != nil {
		return nil, Classify(err)
	}
	if items[0] == nil || items[0].Record == nil {
		return nil, nil
	}
	return items[0], nil
}

// DerivedFrom returns the memories that name id as a source.
func (e *Core) DerivedFrom(ctx context.Context, id memory.ID) ([]*store.Item, error) {
	edges, err := e.Store.Edges(ctx, graph.Forward, id)
	if err != nil {
		return nil, Classify(err)
	}
	var ids []memory.ID
	for _, edge := range edges {
		if edge.Rel == graph.DerivedFrom {
			ids = append(ids, edge.From)
		}
	}
	items, err := e.Read(ctx).Get(ids...)
	return slices.DeleteFunc(items, func(it *store.Item) bool { return it == nil }), Classify(err)
}

// MaxSearch is the largest number of results of a search.
const MaxSearch = 1000

// AliasSource is the source of a record that was imported: what stands before the record's own id in its alias.
func AliasSource(alias string) string {
	if at := strings.IndexByte(alias, '/'); at > 0 {
		return alias[:at]
	}
	format, rest, _ := strings.Cut(alias, ":")
	if name, _, more := strings.Cut(rest, ":"); more {
		return format + ":" + name
	}
	return format
}
