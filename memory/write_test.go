package memory

import (
	"bytes"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// sameAnswer holds the quick comparison of a record with its bytes to the one that
// decides: it never says yes where that says no.
func sameAnswer(t interface {
	Helper()
	Errorf(string, ...any)
}, raw []byte, h *Header, b Body) (quick bool) {
	t.Helper()
	quick = writes(raw, h, b)
	if err := rewrites(raw, h, b); quick && err != nil {
		t.Errorf("written quickly as %q, and not otherwise: %v", raw, err)
	}
	return quick
}

// Every record that is made is written quickly too, byte for byte.
func TestWrites(t *testing.T) {
	all := append(Memories(), Claims()...)
	rapid.Check(t, func(t *rapid.T) {
		b := anyBody(t, rapid.SampledFrom(all).Draw(t, "kind"))
		r, err := New(anyHeader(t, b), b)
		if err != nil {
			t.Fatal(err)
		}
		if !sameAnswer(t, r.Bytes, &r.Header, r.Body) {
			t.Fatalf("not written quickly: %s", r.Bytes)
		}
	})
	for _, v := range readVectors[vector](t, "records.json") {
		r := must(Decode([]byte(v.Payload)))
		if !sameAnswer(t, r.Bytes, &r.Header, r.Body) {
			t.Errorf("not written quickly: %s", r.Bytes)
		}
	}
}

// What is refused is not written quickly either, and a record that lacks any one of
// the members is not taken for the one that has it.
func TestWritesNothingElse(t *testing.T) {
	for _, f := range readVectors[mustFail](t, "must-fail.json") {
		if r, err := Load([]byte(f.Payload)); err == nil && check(&r.Header, r.Body) == nil {
			sameAnswer(t, r.Bytes, &r.Header, r.Body)
		}
	}
	for _, b := range samples() {
		r := must(New(fullHeader(b), b))
		var whole map[string]json.RawMessage
		var body map[string]json.RawMessage
		must(0, json.Unmarshal(r.Bytes, &whole))
		must(0, json.Unmarshal(whole["body"], &body))
		for name := range whole {
			less := without(whole, name)
			if got, err := Load(must(json.Marshal(less))); err == nil {
				sameAnswer(t, r.Bytes, &got.Header, got.Body)
			}
		}
		for name := range body {
			whole["body"] = must(json.Marshal(without(body, name)))
			if got, err := Load(must(json.Marshal(whole))); err == nil {
				sameAnswer(t, r.Bytes, &got.Header, got.Body)
			}
		}
	}
}

func without(m map[string]json.RawMessage, name string) map[string]json.RawMessage {
	less := make(map[string]json.RawMessage, len(m))
	for n, v := range m {
		if n != name {
			less[n] = v
		}
	}
	return less
}

// What cannot be written is given up, and not written somehow.
func TestWritesGivesUp(t *testing.T) {
	good := func() (Header, Body) {
		b := &Link{Source: refTo(KindBelief, 1), Target: refTo(KindBelief, 2), Relation: "update", Seed: 1}
		return must(New(fullHeader(b), b)).Header, b
	}
	for name, spoil := range map[string]func(h *Header, b *Link){
		"no time":         func(h *Header, _ *Link) { h.At = Time{} },
		"year 10000":      func(h *Header, _ *Link) { h.At = Time{time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC)} },
		"zero id":         func(h *Header, _ *Link) { h.Recalled = []ID{{}} },
		"ref to nothing":  func(_ *Header, b *Link) { b.Source.ID = ID{} },
		"kind of a ref":   func(_ *Header, b *Link) { b.Source.Kind = `a"b` },
		"integer":         func(_ *Header, b *Link) { b.Seed = math.MaxInt64 },
		"least integer":   func(_ *Header, b *Link) { b.Seed = math.MinInt64 },
		"ext is no json":  func(h *Header, _ *Link) { h.Ext = json.RawMessage(`{"a":}`) },
		"ext as it comes": func(h *Header, _ *Link) { h.Ext = json.RawMessage(`{"b":1,"a":2}`) },
	} {
		h, b := good()
		spoil(&h, b.(*Link))
		var w writer
		if w.record(&h, b); !w.no {
			t.Errorf("%s: written as %s", name, w.b)
		}
	}
	h, b := good()
	var w writer
	if w.record(&h, b); w.no || !bytes.Equal(w.b, must(New(h, b)).Bytes) {
		t.Errorf("given up: %s", w.b)
	}
}

// FuzzWrites: whatever bytes are read, quickly or not, the quick comparison never
// takes what the other refuses; and the quick reading of a body is the other's.
func FuzzWrites(f *testing.F) {
	for _, v := range readAny(f) {
		f.Add([]byte(v))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		r, err := Load(raw)
		if err != nil {
			return
		}
		if _, opaque := r.Body.(*Opaque); opaque {
			return
		}
		sameAnswer(t, raw, &r.Header, r.Body)
		var e envelope[json.RawMessage]
		if err := json.Unmarshal(raw, &e); err != nil {
			return // only Decode is asked to refuse it
		}
		b := kinds[r.Header.Kind].New()
		if err := json.Unmarshal(e.Body, b); err != nil {
			if _, err := Decode(raw); err == nil {
				t.Fatalf("%q was taken, and encoding/json does not read it", raw)
			}
			return
		}
		_, err = Decode(raw)
		// taken exactly where encoding/json alone would have taken it
		slow := check(&e.Header, b)
		if slow == nil {
			slow = rewrites(raw, &e.Header, b)
		}
		if (err == nil) != (slow == nil) && len(raw) <= MaxRecord {
			t.Fatalf("%q: %v, and by encoding/json alone %v", raw, err, slow)
		}
	})
}

func readAny(f *testing.F) (out []string) {
	var list []struct{ Payload string }
	for _, name := range []string{"records.json", "must-fail.json"} {
		must(0, json.Unmarshal(must(os.ReadFile(filepath.Join("testdata", "vectors", name))), &list))
		for _, v := range list {
			out = append(out, v.Payload)
		}
	}
	return out
}
