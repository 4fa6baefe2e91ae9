package lifecycle

import (
	"encoding/json"
	"reflect"
	"slices"
	"testing"

	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/memory"
)

// fill sets every field of a struct to something that is not empty.
func fill(v reflect.Value) {
	for i := range v.NumField() {
		f := v.Field(i)
		switch f.Interface().(type) {
		case []byte, json.RawMessage:
			f.SetBytes([]byte(`{"x":1}`))
			continue
		case []string:
			f.Set(reflect.ValueOf([]string{"some", "words"}))
			continue
		case memory.Time:
			f.Set(reflect.ValueOf(memory.At(memory.Time{}.Time().Add(1 << 60))))
			continue
		}
		switch f.Kind() {
		case reflect.String:
			f.SetString("words")
		case reflect.Int:
			f.SetInt(70)
		case reflect.Pointer:
			f.Set(reflect.New(f.Type().Elem()))
			fill(f.Elem())
		}
	}
}

// Every field of every body can be said in a draft, and a draft of a body makes it again.
func TestDraftsSayEveryField(t *testing.T) {
	for _, kind := range memory.Memories() {
		body := kind.Blank()
		if body == nil {
			if kind != memory.KindRaw {
				t.Errorf("%s has no draft", kind)
			}
			continue
		}
		fill(reflect.ValueOf(body).Elem())
		switch b := body.(type) { // of these not every word is one
		case *memory.Episode:
			b.OutcomeType = "partial"
		case *memory.Note:
			b.Type, b.Body = "decision", "words\nand more of them"
		case *memory.Relationship:
			b.Type = "agent"
		}
		again, err := core.DraftBody(core.DraftOf(body))
		if err != nil {
			t.Errorf("%s: %v", kind, err)
			continue
		}
		if !reflect.DeepEqual(again, body) {
			t.Errorf("%s: %+v comes back as %+v", kind, body, again)
		}
	}
}

// A revision has of its header what stands here. A field that comes later is inherited, or
// is put here.
func TestRevisionsInheritTheirHeader(t *testing.T) {
	own := []string{
		"V", "Kind", "Space", "Author", "Delegation", "Agent", "Platform", "Origin", "At", "Confidence", "Provenance",
		"Alias", "Session", "Recalled", "Nonce",
	}
	old, h := memory.Header{}, memory.Header{}
	fill(reflect.ValueOf(&old).Elem())
	inherit(&h, &old)
	for i, f := range reflect.VisibleFields(reflect.TypeFor[memory.Header]()) {
		got, want := reflect.ValueOf(h).Field(i), reflect.ValueOf(old).Field(i)
		if slices.Contains(own, f.Name) {
			want = reflect.Zero(f.Type)
		} else if want.IsZero() {
			t.Errorf("%s is empty: this test sees nothing of it", f.Name)
		}
		if !reflect.DeepEqual(got.Interface(), want.Interface()) {
			t.Errorf("%s is %v, want %v", f.Name, got, want)
		}
	}
}
