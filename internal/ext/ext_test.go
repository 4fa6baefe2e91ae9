package ext_test

import (
	"encoding/json"
	"testing"

	"github.com/stemma-memory/stemma/internal/ext"
	"github.com/stemma-memory/stemma/memory"
)

func TestWith(t *testing.T) {
	for _, tt := range []struct{ raw, value, want string }{
		{``, "", ``},
		{``, "x", `{"said_at":"x"}`},
		{`{"a":1}`, "", `{"a":1}`},
		{`{"z":1}`, "x", `{"said_at":"x","z":1}`},
		{`{"said_at":"y","z":1}`, "", `{"z":1}`},
		{`{"said_at":"y"}`, "", ``},
		{`{"said_at":"y"}`, "x", `{"said_at":"x"}`},
	} {
		if got := string(ext.With(json.RawMessage(tt.raw), ext.SaidAt, tt.value)); got != tt.want {
			t.Errorf("%s with %q: %s, want %s", tt.raw, tt.value, got, tt.want)
		}
	}
}

// What a file claims of an exposure says nothing.
func TestOnlyWhatAnAgentWroteHasAnExposure(t *testing.T) {
	r := &memory.Record{Header: memory.Header{Ext: json.RawMessage(`{"after_outside":"read"}`)}}
	for origin, want := range map[memory.Origin]ext.Exposure{
		memory.OriginAgent: ext.HadRead, memory.OriginImport: "", memory.OriginTool: "", memory.OriginOwner: "",
	} {
		if r.Header.Origin = origin; ext.ExposureOf(r) != want {
			t.Errorf("%s: %q, want %q", origin, ext.ExposureOf(r), want)
		}
	}
	r.Header.Origin, r.Header.Ext = memory.OriginAgent, json.RawMessage(`{"after_outside":"trusted"}`)
	if got := ext.ExposureOf(r); got != "" {
		t.Errorf("an unknown word: %q", got)
	}
}
