package journal

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stemma-memory/stemma/internal/atrest"
)

func TestSealedLinesAreReadDroppedAndMadeReadable(t *testing.T) {
	key, err := atrest.NewKey()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "j")
	plain := Open(path, 1<<20)
	sealed := Open(path, 1<<20)
	sealed.Key = key
	for i := range 4 {
		f := []*File{plain, sealed}[i%2]
		if err := f.Append(fmt.Sprint(i), map[string]string{"said": fmt.Sprint("zanzibar ", i)}); err != nil {
			t.Fatal(err)
		}
	}
	read := func() (ids string) {
		for line, err := range plain.All() {
			if err != nil {
				t.Fatal(err)
			}
			ids += line.ID
		}
		return ids
	}
	in := func(words string) int {
		raw, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return bytes.Count(raw, []byte(words))
	}
	if got := read(); got != "20" || plain.Passed() != 0 { // without the key, another store's are not there
		t.Errorf("without the key the lines are %q, and %d are passed over", got, plain.Passed())
	}
	atrest.Hold(key)
	if got := read(); got != "3210" || in("zanzibar") != 2 {
		t.Errorf("the lines are %q, and the file has words %d times", got, in("zanzibar"))
	}
	if err := sealed.Reseal(func([]byte) bool { return true }); err != nil || read() != "3210" || in("zanzibar") != 0 {
		t.Errorf("sealed: %v, %q, words %d times", err, read(), in("zanzibar"))
	}
	gone := func(line []byte) bool { return bytes.Contains(line, []byte("zanzibar 1")) }
	if err := plain.Drop(gone); err != nil || read() != "320" {
		t.Errorf("dropped: %v, %q", err, read())
	}
	mine := func(line []byte) bool { return bytes.Contains(line, []byte("zanzibar 2")) }
	if err := plain.Reseal(mine); err != nil || read() != "320" || in("zanzibar") != 1 {
		t.Errorf("readable: %v, %q, words %d times", err, read(), in("zanzibar"))
	}
}
