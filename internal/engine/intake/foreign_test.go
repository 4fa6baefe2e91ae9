package intake_test

import (
	"encoding/json"
	"reflect"
	"testing"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/memory"
)

// A record from elsewhere travels as a line and is what it was; what is none is
// refused.
func TestForeignTravels(t *testing.T) {
	confidence := 0.5
	for _, f := range []api.Foreign{
		{Alias: []string{"a:1", "b:1"}, Body: &memory.Raw{Text: "words <b>&", Speaker: "Ada"}, Via: memory.ViaPromote},
		{Alias: []string{"a:2"}, Body: &memory.Belief{
			Statement: "it holds", Type: "fact",
		}, From: []string{"a:1"}, Ext: []byte(`{"n":1.50}`),
			Meta: api.Meta{Confidence: &confidence, Tags: []string{"x"}, Session: "s"}},
	} {
		text, err := json.Marshal(f)
		if err != nil {
			t.Fatal(err)
		}
		var got api.Foreign
		if err := json.Unmarshal(text, &got); err != nil || !reflect.DeepEqual(got, f) {
			t.Errorf("%s is read as %+v, %v; want %+v", text, got, err, f)
		}
	}
	for _, bad := range []string{
		`{"kind":"key","body":{}}`, `{"kind":"raw"}`, `{"kind":"raw","body":{"words":"x"}}`,
		`{"kind":"raw","body":{},"more":1}`, `[]`,
	} {
		if err := json.Unmarshal([]byte(bad), new(api.Foreign)); err == nil {
			t.Errorf("%s is read", bad)
		}
	}
}

func FuzzForeign(f *testing.F) {
	f.Add([]byte(`{"alias":["a:1"],"kind":"raw","body":{"text":"x"},"meta":{}}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		var one api.Foreign
		if json.Unmarshal(text, &one) != nil {
			return
		}
		again, err := json.Marshal(one)
		if err != nil {
			t.Fatalf("%q is read and cannot be written: %v", text, err)
		}
		if err := json.Unmarshal(again, new(api.Foreign)); err != nil {
			t.Fatalf("%q is written as %q, which cannot be read: %v", text, again, err)
		}
	})
}
