package canon

import (
	"bytes"
	"encoding/json"
	"errors"
	"reflect"
	"testing"
)

func FuzzTransform(f *testing.F) {
	for _, name := range names(f, "rfc8785/input/*.json") {
		f.Add(read(f, "rfc8785/input", name))
		f.Add(read(f, "rfc8785/output", name))
	}
	f.Add(read(f, "record.json"))
	f.Add([]byte(`{"b":[1e20,-0,1E-7],"\ud83d\ude02":{"a":1,"\u0061":2}}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		before := bytes.Clone(raw)
		out, err := Transform(raw)
		if !bytes.Equal(raw, before) {
			t.Fatalf("Transform changed its input %q to %q", before, raw)
		}
		checked := Check(raw)
		if (checked == nil) != (err == nil && bytes.Equal(out, raw)) {
			t.Fatalf("Check(%q) = %v, but Transform: %q, %v", raw, checked, out, err)
		}
		if err != nil {
			if errors.Is(err, ErrSyntax) && json.Valid(raw) {
				t.Fatalf("Transform(%q): %v, but it is json", raw, err)
			}
			return
		}
		stable(t, "fuzz", out)
		var got, want any
		if err := json.Unmarshal(raw, &want); err != nil {
			t.Fatalf("Transform(%q) = %q, but it is not json: %v", raw, out, err)
		}
		if err := json.Unmarshal(out, &got); err != nil || !reflect.DeepEqual(got, want) {
			t.Fatalf("Transform(%q) = %q, which says something else: %v", raw, out, err)
		}
	})
}
