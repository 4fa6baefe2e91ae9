package memory

import (
	"encoding/json"
	"os"
	"reflect"
	"testing"
)

// The quick reading of a header and encoding/json agree on whatever both read.
func FuzzScan(f *testing.F) {
	raw, err := os.ReadFile("testdata/vectors/records.json")
	if err != nil {
		f.Fatal(err)
	}
	var vectors []struct{ Payload string }
	if err := json.Unmarshal(raw, &vectors); err != nil {
		f.Fatal(err)
	}
	if len(vectors) < 2*len(kinds) || vectors[0].Payload == "" {
		f.Fatalf("%d vectors", len(vectors))
	}
	for _, v := range vectors {
		if _, _, ok := readHeader([]byte(v.Payload)); !ok {
			f.Errorf("the quick reading gives up on %s", v.Payload)
		}
		f.Add([]byte(v.Payload))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		h, body, ok := readHeader(raw)
		if _, err := Decode(raw); !ok || err != nil {
			return
		}
		var e envelope[json.RawMessage]
		if err := json.Unmarshal(raw, &e); err != nil {
			t.Fatalf("%q is read quickly and not by encoding/json: %v", raw, err)
		}
		if !reflect.DeepEqual(h, e.Header) || string(body) != string(e.Body) {
			t.Errorf("%q is read as\n%+v %s\nwant\n%+v %s", raw, h, body, e.Header, e.Body)
		}
	})
}
