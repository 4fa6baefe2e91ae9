package symbol

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the golden files")

// nasty are the files of testdata, each full of what a finder gets wrong.
var nasty = []string{"nasty.go", "nasty.py", "nasty.tsx", "nasty.rs", "Nasty.java", "nasty.c", "nasty.cpp"}

// load reads one of them. Go's has another name for its tools not to see it.
func load(t testing.TB, name string) []byte {
	t.Helper()
	if filepath.Ext(name) == ".go" {
		name += ".txt"
	}
	src, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return src
}

func TestNames(t *testing.T) {
	for _, name := range nasty {
		var got strings.Builder
		symbols, ok := Names(name, load(t, name))
		if !ok {
			t.Errorf("%s does not read: %s", name, Parse(name, load(t, name)).why)
		}
		for _, s := range symbols {
			fmt.Fprintf(&got, "%d-%d %s\n", s.Start, s.End, s.Name)
		}
		golden := filepath.Join("testdata", name+".golden")
		if *update {
			if err := os.WriteFile(golden, []byte(got.String()), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(golden)
		if err != nil {
			t.Fatal(err)
		}
		if got.String() != string(want) {
			t.Errorf("names of %s:\n%s\nwant:\n%s", name, got.String(), want)
		}
	}
}
