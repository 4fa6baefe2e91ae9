package anamnesis

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// examples returns the documents that the schema itself shows, by name.
func examples(t testing.TB) map[string][]byte {
	t.Helper()
	names, err := filepath.Glob("testdata/examples/*.json")
	if err != nil || len(names) != 3 {
		t.Fatalf("found the examples %q, %v, want three", names, err)
	}
	out := make(map[string][]byte)
	for _, name := range names {
		raw, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		out[filepath.Base(name)] = raw
	}
	return out
}

// A tree is a document as any reader of JSON has it.
type tree = map[string]any

func treeOf(t testing.TB, raw []byte) tree {
	t.Helper()
	var out tree
	if err := json.Unmarshal(raw, &out); err != nil {
		t.Fatalf("%v: %s", err, raw)
	}
	return out
}

// same reports whether two documents are equal as JSON, trust apart.
func same(t testing.TB, a, b []byte) bool {
	t.Helper()
	x, y := treeOf(t, a), treeOf(t, b)
	delete(x, "trust")
	delete(y, "trust")
	return reflect.DeepEqual(x, y)
}

// A maker makes documents, the same from the same seed.
type maker struct{ *rand.Rand }

func newMaker(seed uint64) maker { return maker{rand.New(rand.NewPCG(seed, 5))} }

func (m maker) often() bool { return m.IntN(3) > 0 }

func (m maker) pick(list ...string) string { return list[m.IntN(len(list))] }

func (m maker) words() string {
	return m.pick("memory", "a  b", "<tag> & \"quote\"", "Grüße", "日本語", "𐀀", "tab\there", "\u2028", "back\\slash") +
		fmt.Sprint(" ", m.IntN(1000))
}

func (m maker) optional() string { return m.pick("", " ", m.words(), m.words(), m.words()) }

func (m maker) time() string {
	return m.pick(
		"2026-02-05T16:00:00Z", "2026-02-05T16:00:00.123Z", "2026-02-05T16:00:00.123456Z",
		"2024-02-29T23:59:59+05:30", "0001-01-01T00:00:01Z",
	)
}

func (m maker) id() string { return fmt.Sprint(m.pick("mem_", "x:", "日本"), m.IntN(1_000_000)) }

// any makes a value of any type, not deeper than deep.
func (m maker) any(deep int) any {
	switch n := m.IntN(9); {
	case n == 0:
		return nil
	case n == 1:
		return m.often()
	case n == 2:
		return m.IntN(1_000_000) - 500_000
	case n == 3:
		return m.Float64() * 1000
	case n == 4 && deep > 0:
		return []any{m.any(deep - 1), m.any(deep - 1)}
	case n == 5 && deep > 0:
		return tree{m.words(): m.any(deep - 1), "id": m.any(deep - 1)}
	case n == 6:
		return []any{}
	case n == 7:
		return tree{}
	}
	return m.words()
}

// level makes an object of those members that are required and some of the
// others, and now and then of some that no one knows.
func (m maker) level(required tree, optional tree) tree {
	out := tree{}
	for name, value := range required {
		out[name] = value
	}
	for name, value := range optional {
		if m.often() {
			out[name] = value
		}
	}
	for range m.IntN(3) {
		out[m.pick("x_", "ID", "Summary", "null", "$comment", "ключ", "a b")+fmt.Sprint(m.IntN(9))] = m.any(3)
	}
	return out
}

func list[T any](m maker, each func() T) []any {
	out := []any{}
	for range m.IntN(4) {
		out = append(out, each())
	}
	return out
}

// document makes a document that Parse takes and a record can hold.
func (m maker) document() tree {
	context := m.level(nil, tree{
		"session_id": m.optional(), "trigger": m.optional(), "confidence": float64(m.IntN(1001)) / 1000,
	})
	author := m.level(tree{"agent_id": m.words()}, tree{"platform": m.optional(), "signature": m.optional()})
	tags := list(m, func() string { return m.pick(" memory ", "trust", "b", "a", "a") })
	trust := m.level(nil, tree{
		"score": m.Float64(), "computed_at": m.time(),
		"factors": m.level(nil, tree{
			"author_reputation": m.Float64(), "witness_count": m.IntN(9), "anchor_count": m.IntN(9),
			"age_days": m.Float64() * 9, "dispute_count": m.IntN(9),
		}),
	})
	return m.level(tree{
		"id": m.id(),
		"content": m.level(tree{"type": m.pick(ContentTypes...), "summary": m.words()},
			tree{"body": m.pick("", m.words(), strings.Repeat(m.words()+"\r\n", m.IntN(20))), "tags": tags}),
		"provenance": m.level(tree{"author": author, "created_at": m.time()}, tree{"context": context}),
	}, tree{
		"$schema": m.pick(SchemaURL, ""), "version": 1 + m.IntN(9), "trust": trust,
		"witnesses": list(m, func() tree {
			return m.level(tree{"agent_id": m.words(), "attestation": m.pick(Attestations...)},
				tree{"witnessed_at": m.time(), "signature": m.optional(), "notes": m.optional()})
		}),
		"anchors": list(m, func() tree {
			return m.level(tree{"type": m.pick(AnchorTypes...), "reference": m.words()},
				tree{"created_at": m.time(), "hash": m.pick("", "sha256:"+strings.Repeat("ab", 32))})
		}),
		"lineage": m.level(nil, tree{
			"supersedes": nil, "superseded_by": m.id(), "chain_depth": m.IntN(99), "derived_from": list(m, m.id),
		}),
	})
}

func encoded(t testing.TB, v any) []byte {
	t.Helper()
	raw, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return raw
}
