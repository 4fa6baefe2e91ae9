package canon

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func read(t testing.TB, path ...string) []byte {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join(append([]string{"testdata"}, path...)...))
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

func names(t testing.TB, pattern string) []string {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join("testdata", pattern))
	if err != nil {
		t.Fatal(err)
	}
	for i, path := range paths {
		paths[i] = filepath.Base(path)
	}
	return paths
}

func TestPublishedPairs(t *testing.T) {
	inputs := names(t, "rfc8785/input/*.json")
	if got, want := len(inputs), 6; got != want {
		t.Fatalf("%d files, want %d", got, want)
	}
	for _, name := range inputs {
		input, want := read(t, "rfc8785/input", name), read(t, "rfc8785/output", name)
		got, err := Transform(input)
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("Transform(%s) = %s, %v, want %s", name, got, err, want)
		}
		if err := Check(want); err != nil {
			t.Errorf("Check(output of %s) = %v, want nil", name, err)
		}
		if err := Check(input); !errors.Is(err, ErrNotCanonical) {
			t.Errorf("Check(input of %s) = %v, want %v", name, err, ErrNotCanonical)
		}
	}
}

func TestMarshal(t *testing.T) {
	var record any
	if err := json.Unmarshal(read(t, "record.json"), &record); err != nil {
		t.Fatal(err)
	}
	got, err := Marshal(record)
	want, _ := Transform(read(t, "record.json"))
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("Marshal(record) = %s, %v, want %s", got, err, want)
	}

	got, err = Marshal(struct {
		B string `json:"b"`
		A int    `json:"a,omitempty"`
		C any    `json:"c"`
	}{B: "<a & b>\u2028", A: 7, C: map[string]any{"\uE000": nil, "\U00010000": false}})
	if want := "{\"a\":7,\"b\":\"<a & b>\u2028\",\"c\":{\"\U00010000\":false,\"\uE000\":null}}"; err != nil ||
		string(got) != want {
		t.Errorf("Marshal(struct) = %s, %v, want %s", got, err, want)
	}
	if got, err := Marshal(int64(math.MaxInt64)); !errors.Is(err, ErrNumber) {
		t.Errorf("Marshal(MaxInt64) = %s, %v, want %v", got, err, ErrNumber)
	}
	if got, err := Marshal(func() {}); err == nil {
		t.Errorf("Marshal(func) = %s, want an error", got)
	}
}

// What is returned may be kept and changed, whatever happens to what was read.
func TestTransformReturnsItsOwnMemory(t *testing.T) {
	raw := []byte(`{"a":"b"}`)
	got, err := Transform(raw)
	if err != nil {
		t.Fatal(err)
	}
	copy(raw, strings.Repeat("x", len(raw)))
	if want := `{"a":"b"}`; string(got) != want {
		t.Errorf("after the input was overwritten: %s, want %s", got, want)
	}
}

func TestCheckDoesNotAllocate(t *testing.T) {
	record, err := Transform(read(t, "record.json"))
	if err != nil {
		t.Fatal(err)
	}
	allocs := testing.AllocsPerRun(100, func() {
		if err := Check(record); err != nil {
			t.Fatal(err)
		}
	})
	if allocs != 0 {
		t.Errorf("Check allocates %v times, want 0", allocs)
	}
}
