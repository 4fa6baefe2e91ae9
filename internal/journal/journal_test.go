package journal

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// receipt is a line's content of a length to choose.
type receipt struct {
	Query string `json:"query"`
}

func add(t *testing.T, f *File, id string, v any) {
	t.Helper()
	if err := f.Append(id, v); err != nil {
		t.Fatal(err)
	}
}

// ids returns what All gives, newest first, and how many lines it passed over.
func ids(t *testing.T, f *File) ([]string, int) {
	t.Helper()
	var all []string
	for line, err := range f.All() {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, line.ID)
	}
	return all, f.Passed()
}

func size(t *testing.T, path string) int64 {
	t.Helper()
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return 0
	}
	if err != nil {
		t.Fatal(err)
	}
	return info.Size()
}

func TestALineIsTheIdAndTheMembers(t *testing.T) {
	tests := []struct {
		v    any
		want string
	}{
		{receipt{"<a>\n\u2028"}, `{"id":"r1","query":"\u003ca\u003e\n\u2028"}`},
		{map[string]int{"b": 2, "a": 1}, `{"id":"r1","a":1,"b":2}`},
		{struct{}{}, `{"id":"r1"}`},
	}
	for _, tt := range tests {
		f := Open(filepath.Join(t.TempDir(), "r"), 1000)
		add(t, f, "r1", tt.v)
		lines, err := f.Find("")
		if err != nil || len(lines) != 1 || lines[0].ID != "r1" || string(lines[0].JSON) != tt.want {
			t.Errorf("%v gives %s, %v, want %s", tt.v, lines, err, tt.want)
		}
	}
}

func TestWhatIsNoLineIsRefused(t *testing.T) {
	path := filepath.Join(t.TempDir(), "r")
	f := Open(path, 400)
	tests := []struct {
		id   string
		v    any
		want string
	}{
		{"", receipt{}, "without an id"},
		{"r1", nil, "no object"},
		{"r1", "text", "no object"},
		{"r1", []int{1}, "no object"},
		{"r1", map[string]string{"id": "r2"}, "an id of its own"},
		{"r1", map[string]string{"ID": "r2"}, "an id of its own"},
		{"r1", json.RawMessage(`{"\u0069d":"r2"}`), "an id of its own"},
		{"r1", func() {}, "unsupported type"},
		{"r1", receipt{strings.Repeat("x", 100)}, "more than a quarter"},
	}
	for _, tt := range tests {
		if err := f.Append(tt.id, tt.v); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("Append(%q, %T) = %v, want an error that says %q", tt.id, tt.v, err, tt.want)
		}
	}
	if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a refused line made the file: %v", err)
	}
}

func TestOpenTouchesNothingAndTheFileIsItsOwnersAlone(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "b")
	f := Open(filepath.Join(dir, "r"), 1000)
	if got, passed := ids(t, f); len(got) != 0 || passed != 0 {
		t.Errorf("a journal that is not there holds %q, %d passed over", got, passed)
	}
	if _, err := os.Lstat(filepath.Dir(dir)); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("Open made the directory: %v", err)
	}
	add(t, f, "r1", receipt{})
	if err := os.Chmod(filepath.Join(dir, "r"), 0o644); err != nil {
		t.Fatal(err)
	}
	add(t, f, "r2", receipt{})
	for name, want := range map[string]fs.FileMode{".": fs.ModeDir | 0o700, "r": 0o600} {
		info, err := os.Lstat(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		if got := info.Mode(); plainFlags != 0 && got != want {
			t.Errorf("%s is %s, want %s", name, got, want)
		}
	}
}

func TestNothingIsKeptWhereNothingIsToBe(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a", "r")
	if err := Open(path, 0).Append("r1", receipt{}); err != nil {
		t.Errorf("Append = %v, want it to do nothing", err)
	}
	if _, err := os.Lstat(filepath.Dir(path)); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the directory was made: %v", err)
	}
}

func TestTheNewestAreKeptUpToTheBound(t *testing.T) {
	const most = 1000
	path := filepath.Join(t.TempDir(), "r")
	f := Open(path, most)
	var want []string
	for i := range 200 {
		id := fmt.Sprintf("r%03d", i)
		add(t, f, id, receipt{strings.Repeat("x", i*7%200)})
		want = slices.Insert(want, 0, id)
		for _, half := range []string{path, path + olderSuffix} {
			if got := size(t, half); got > most/2 {
				t.Fatalf("after line %d %s has %d bytes, want at most %d", i, half, got, most/2)
			}
		}
		got, passed := ids(t, f)
		if passed != 0 || len(got) < min(i+1, 2) || !slices.Equal(got, want[:len(got)]) {
			t.Fatalf("after line %d: %q, %d passed over, want the newest", i, got, passed)
		}
	}
	if size(t, path+olderSuffix) == 0 {
		t.Error("the bound was never reached")
	}
}

func TestFindIsByTheBeginningOfAnId(t *testing.T) {
	f := Open(filepath.Join(t.TempDir(), "r"), 400)
	for _, id := range []string{"ab1", "b1", "ab2", "xab", "ab3"} {
		add(t, f, id, receipt{strings.Repeat("x", 60)})
	}
	for prefix, want := range map[string][]string{"ab": {"ab3", "ab2"}, "xab": {"xab"}, "none": nil} {
		lines, err := f.Find(prefix)
		var got []string
		for _, line := range lines {
			got = append(got, line.ID)
		}
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("Find(%q) = %q, %v, want %q", prefix, got, err, want)
		}
	}
}

func TestTornAndForeignLinesArePassedOverAndCounted(t *testing.T) {
	path := filepath.Join(t.TempDir(), "r")
	f := Open(path, 10_000)
	for i, foreign := range []string{
		`{"id":"torn","query":"a`, "{}", "words\n", `{"id":7}` + "\n", `{"id":""}` + "\n", `[1]`,
		`{"id":"a"} {"id":"b"}`, "\xff\x00", "\n\n",
	} {
		add(t, f, fmt.Sprint("r", i), receipt{})
		file, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := file.WriteString(foreign); err != nil {
			t.Fatal(err)
		}
		file.Close()
	}
	add(t, f, "r9", receipt{})
	got, passed := ids(t, f)
	if want := []string{"r9", "r8", "r7", "r6", "r5", "r4", "r3", "r2", "r1", "r0"}; !slices.Equal(got, want) {
		t.Errorf("read %q, want %q", got, want)
	}
	if want := 8; passed != want { // empty lines are nothing
		t.Errorf("%d lines passed over, want %d", passed, want)
	}
	if err := os.Truncate(path, size(t, path)-1); err != nil {
		t.Fatal(err)
	}
	if got, passed := ids(t, f); len(got) != 9 || passed != 9 {
		t.Errorf("with the last line torn: %q, %d passed over, want 9 and 9", got, passed)
	}
}
