package evolve_test

import (
	"os"
	"strconv"
	"strings"
	"testing"

	. "github.com/stemma-memory/stemma/internal/evolve"
	"github.com/stemma-memory/stemma/memory"
)

// What is taken back in plain words is told, and what can both be true is not told to clash: of the statements that a
// user writes at most so many are judged wrongly.
func TestWhatUsersWrite(t *testing.T) {
	data, err := os.ReadFile("testdata/users.txt")
	if err != nil {
		t.Fatal(err)
	}
	want, most, wrong, all := "", 0, 0, 0
	end := func() {
		if wrong > most {
			t.Errorf("%s: %d of %d are judged wrongly, at most %d", want, wrong, all, most)
		}
		wrong, all = 0, 0
	}
	for line := range strings.Lines(string(data)) {
		line = strings.TrimSpace(line)
		if head, is := strings.CutPrefix(line, "= "); is {
			end()
			at := strings.LastIndexByte(head, ' ')
			if want = head[:at]; want == "" {
				t.Fatal(line)
			}
			most, _ = strconv.Atoi(head[at+1:])
			continue
		}
		if strings.HasPrefix(line, "#") {
			continue
		}
		old, rest, _ := strings.Cut(line, " | ")
		var about []string
		if name, _, _ := strings.Cut(old, " "); name == "Ada" || name == "Bob" || name == "Emma" {
			about = []string{name}
		}
		for new := range strings.SplitSeq(rest, " | ") {
			all++
			r := Rules(Memory{Text: new, About: about}, []Memory{{Text: old, About: about}})
			told := r != nil && r.Type != memory.Extend
			if told != (want == "related" || want == "not both") {
				wrong++
				t.Logf("%s: %q, %q: %+v", want, old, new, r)
			}
		}
	}
	if end(); all != 0 || want != "unrelated" {
		t.Errorf("the file ends with %q", want)
	}
}
