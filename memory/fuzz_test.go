package memory

import (
	"bytes"
	"encoding/json"
	"errors"
	"reflect"
	"testing"
)

// FuzzDecode: whatever decodes is made again to the same bytes, and nothing
// that is done with it panics.
func FuzzDecode(f *testing.F) {
	for _, b := range samples() {
		f.Add(must(New(fullHeader(b), b)).Bytes)
	}
	for i := range refusals {
		f.Add(refusals[i].spoil(f))
	}
	for _, raw := range opaques(f) {
		f.Add(raw)
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		_, _ = Load(raw) // must not panic either
		r, err := Decode(raw)
		if err != nil {
			_ = err.Error()
			return
		}
		if !bytes.Equal(r.Bytes, raw) {
			t.Fatalf("bytes became %q", r.Bytes)
		}
		_, unknown := r.Body.(*Opaque)
		again, err := New(r.Header, r.Body)
		if unknown != (err != nil) || err == nil && !bytes.Equal(again.Bytes, raw) {
			t.Fatalf("New∘Decode(%q): %v", raw, err)
		}
		if unknown && !errors.Is(err, ErrInvalid) {
			t.Fatalf("New of an opaque: %v", err)
		}
		if got, err := Load(raw); err != nil || !reflect.DeepEqual(got, r) {
			t.Fatalf("Load = %+v, %v, want %+v", got, err, r)
		}
		exact(t, r)
		_, _, _ = r.Headline(), r.Words(), r.Cites()
	})
}

// exact asks that what was read stands under its exact name in the bytes.
func exact(t *testing.T, r *Record) {
	t.Helper()
	var m map[string]json.RawMessage
	if err := json.Unmarshal(r.Bytes, &m); err != nil {
		t.Fatal(err)
	}
	for name, got := range map[string]any{
		"author": r.Header.Author, "space": r.Header.Space, "kind": r.Header.Kind, "v": r.Header.V,
	} {
		want := must(json.Marshal(got))
		if !bytes.Equal(m[name], want) {
			t.Fatalf("%s is %s in the bytes, read as %s", name, m[name], want)
		}
	}
}
