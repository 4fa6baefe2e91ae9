package importers

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/memory"
)

// kernleTables are the tables of Kernle's memories and what they hold. A dump has
// lists of the same names, but for the values.
var kernleTables = []struct {
	name string
	kind memory.Kind
}{
	{"raw_entries", memory.KindRaw}, {
		"episodes", memory.KindEpisode,
	}, {"notes", memory.KindNote}, {"beliefs", memory.KindBelief},
	{
		"agent_values", memory.KindValue,
	}, {"values", memory.KindValue}, {"goals", memory.KindGoal}, {"drives", memory.KindDrive},
	{"relationships", memory.KindRelationship}, {"playbooks", memory.KindPlaybook},
	{"summaries", memory.KindNote}, {"self_narratives", memory.KindNote},
}

// A kernle is one reading of a Kernle memory.
type kernle struct {
	*heap
	stack string              // whose memory, where a row does not say it
	byID  map[string]string   // aliases by bare id
	into  map[string][]string // by alias: raws that say that they became it
	next  map[string]string   // by alias: what it took the place of, as that says
}

func newKernle() *kernle {
	return &kernle{
		heap: newHeap(), byID: make(map[string]string), into: make(map[string][]string),
		next: make(map[string]string),
	}
}

// readKernle reads databases of Kernle's, and the JSON that it writes of all its memories.
func readKernle(r *reading, files []*file) error {
	return r.eachFile(files, func(f *file) error {
		s, err := f.look(r.ctx)
		if err != nil {
			return err
		}
		k := newKernle()
		if s.tables != nil {
			err = k.database(r, f, s)
		} else {
			err = k.dump(r, f)
		}
		if err != nil {
			return err
		}
		k.finish()
		return r.part(k.heap)
	})
}

// dump reads the JSON of all memories.
func (k *kernle) dump(r *reading, f *file) error {
	all, err := r.object(f)
	if err != nil {
		return err
	}
	if k.stack, err = all.text("stack_id", "agent_id"); err != nil {
		return err
	}
	for _, table := range kernleTables {
		list, ok := all.take(table.name).([]any)
		if !ok {
			continue
		}
		for i, one := range list {
			row := fmt.Sprintf("%s, entry %d", table.name, i+1)
			m, ok := one.(map[string]any)
			if !ok {
				k.lost.bad("%s: must be an object", row)
				continue
			}
			k.take(row, k.one(row, table.name, table.kind, m))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if list, ok := all[name].([]any); ok && len(list) > 0 {
			k.lost.LeftOut = plus(k.lost.LeftOut, name, len(list))
		}
	}
	return nil
}

// isKernle reports whether a file is Kernle's.
func isKernle(s *sight) bool {
	return s.database("beliefs", "id", "statement") && s.database("raw_entries", "id") &&
		s.database("episodes", "id", "objective") ||
		!s.listed && (s.list("beliefs") && s.list("episodes") || s.list("raw_entries"))
}

// database reads Kernle's tables.
func (k *kernle) database(r *reading, f *file, s *sight) error {
	for _, table := range kernleTables {
		if !s.database(table.name, "id") {
			continue
		}
		if err := r.rows(f, table.name, &k.lost, func(row string, m members) error {
			return k.one(row, table.name, table.kind, m)
		}); err != nil {
			return err
		}
	}
	return nil
}

// finish finds out what the refs between rows name.
func (k *kernle) finish() {
	for _, it := range k.items {
		it.from = append(it.from, k.into[it.alias]...)
		if it.supersedes == "" {
			it.supersedes = k.next[it.alias]
		}
		kept := it.from[:0:0]
		for _, a := range it.from {
			if id, bare := strings.CutPrefix(a, "?"); bare { // an id without its kind
				if a = k.byID[id]; a == "" {
					a = "kernle:?:" + id
				}
			}
			if !slices.Contains(kept, a) && a != it.alias {
				kept = append(kept, a)
			}
		}
		it.from = kept
	}
}

// one puts a row on the heap.
func (k *kernle) one(row, table string, kind memory.Kind, m members) error {
	id, err := m.need("id")
	if err != nil {
		return err
	}
	stack, err := m.text("stack_id", "agent_id")
	if err != nil {
		return err
	}
	if stack == "" {
		stack = k.stack
	}
	strength, err := m.number(-1e9, 1e9, "strength")
	if err != nil {
		return err
	}
	switch {
	case m.is("deleted"):
		k.lost.leaveOut("deleted")
		return nil
	}
	gone := ""
	if m.is("is_forgotten") || strength != nil && *strength <= 0 {
		gone = forgottenThere
		if at := since(m.peek("forgotten_at")); at != "" {
			gone += ", " + at
		}
		if why := m.peek("forgotten_reason"); why != "" {
			gone += ": " + why
		}
	}
	if changed := m.take("local_updated_at"); changed != nil && m["updated_at"] == nil {
		m["updated_at"] = changed
	}
	for _, sync := range []string{"cloud_synced_at", "version"} {
		delete(m, sync)
	}
	it := &item{row: row, alias: k.alias(stack, kind, id), gone: gone}
	if kind == memory.KindRaw {
		err = k.raw(it, stack, m)
	} else {
		err = k.memory(it, table, kind, stack, m)
	}
	if err != nil {
		return err
	}
	if it.body == nil { // too long
		return nil
	}
	k.byID[id] = it.alias
	it.ext = m.rest()
	return k.add(it)
}

func (k *kernle) alias(stack string, kind memory.Kind, id string) string {
	return "kernle:" + stack + ":" + string(kind) + ":" + id
}

// refs returns aliases of what derived_from names. What is no memory, such as a
// fingerprint, stays where it is.
func (k *kernle) refs(stack string, list []string) (aliases, others []string) {
	for _, ref := range list {
		kind, id, typed := strings.Cut(strings.TrimSpace(ref), ":")
		kind = strings.TrimSuffix(strings.TrimSuffix(kind, "_entry"), "_entries")
		switch {
		case !typed:
			aliases = append(aliases, "?"+kind)
		case memory.Kind(kind).IsMemory():
			aliases = append(aliases, k.alias(stack, memory.Kind(kind), id))
		default:
			others = append(others, ref)
		}
	}
	return aliases, others
}

func (k *kernle) raw(it *item, stack string, m members) error {
	text, err := m.need("blob", "content")
	if err != nil {
		return err
	}
	if len(text) > memory.MaxRawText {
		k.tooLong(it)
		return nil
	}
	body := &memory.Raw{Text: text, Source: imported}
	when, err := m.text("captured_at", "timestamp")
	if err != nil {
		return err
	}
	body.OccurredAt, _ = stamp(when)
	m.unread("captured_at", when)
	labels, err := m.texts("tags")
	if err != nil {
		return err
	}
	became, err := m.texts("processed_into")
	if err != nil {
		return err
	}
	aliases, _ := k.refs(stack, became)
	for _, a := range aliases {
		k.into[a] = append(k.into[a], it.alias)
	}
	delete(m, "confidence") // of raw words there is none
	it.body, it.meta.Tags = body, tags(labels...)
	return nil
}

func (k *kernle) tooLong(it *item) {
	k.lost.leaveOut("too long")
	k.lost.say("%s: its words are too long for a record", it.row)
}

// kernleVia says how a source type of Kernle's is called here.
var kernleVia = map[string]memory.Via{
	"direct_experience": memory.ViaDirect, "direct": memory.ViaDirect, "inference": memory.ViaInference,
	"inferred":      memory.ViaInference,
	"told_by_agent": memory.ViaTold, "external": memory.ViaTold, "told": memory.ViaTold,
	"consolidation": memory.ViaConsolidate,
	"promote":       memory.ViaPromote, "processing": memory.ViaPromote, "revision": memory.ViaRevision,
}

// memory reads what all memories but raws have in common, and then their body.
func (k *kernle) memory(it *item, table string, kind memory.Kind, stack string, m members) error {
	from, err := m.texts("derived_from")
	if err != nil {
		return err
	}
	aliases, others := k.refs(stack, from)
	episodes, err := m.texts("source_episodes")
	if err != nil {
		return err
	}
	for _, e := range episodes {
		e = strings.TrimPrefix(e, "episode:")
		aliases = append(aliases, k.alias(stack, memory.KindEpisode, e))
	}
	it.from = aliases
	if len(others) > 0 {
		m["derived_from"] = anyList(others)
	}
	if via, ok := m["source_type"].(string); ok {
		it.via = kernleVia[via]
	}
	if old, ok := m["supersedes"].(string); ok && old != "" && kind == memory.KindBelief {
		it.supersedes = k.alias(stack, kind, strings.TrimPrefix(old, "belief:"))
	}
	if next, ok := m["superseded_by"].(string); ok && next != "" && kind == memory.KindBelief {
		k.next[k.alias(stack, kind, strings.TrimPrefix(next, "belief:"))] = it.alias
	}
	it.meta.ValidFrom = since(m.peek("created_at"))
	if it.meta.Confidence, err = m.sure("confidence"); err != nil {
		return err
	}
	var labels []string
	for _, name := range []string{"tags", "context_tags", "key_themes"} {
		more, err := m.texts(name)
		if err != nil {
			return err
		}
		labels = append(labels, more...)
	}
	subjects, err := m.texts("subject_ids")
	if err != nil {
		return err
	}
	d, more, err := kernleDraft(table, kind, m)
	if err != nil {
		return err
	}
	if len(d.Text) > memory.MaxText-1 || len(d.Description) > memory.MaxText-1 || len(d.Outcome) > memory.MaxText {
		k.tooLong(it)
		return nil
	}
	it.meta.Tags, it.meta.About = tags(append(labels, more...)...), about(subjects...)
	it.body, err = engine.DraftBody(d)
	return err
}

func anyList(list []string) []any {
	out := make([]any, len(list))
	for i, s := range list {
		out[i] = s
	}
	return out
}
