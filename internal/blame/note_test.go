package blame

import (
	"strings"
	"testing"

	"github.com/stemma-memory/stemma/internal/git"
)

// A line with a secret or of a private span has no hash, and the others have one that white space does not change.
func TestHashesTellNoSecret(t *testing.T) {
	h := Hunks([]Change{{
		" open()", "+password = \"hunter2hunter2\"", "+<private>", "+my own", "+</private>", "+\tplain( line )", "+}",
	}})[0]
	for i, want := range []string{" ", "+" + secret, "+" + secret, "+" + secret, "+" + secret, "+", "+"} {
		if !strings.HasPrefix(h[i], want) {
			t.Errorf("line %d is kept as %q, want %q", i, h[i], want)
		}
	}
	if h[5] != "+"+hash("plain(line)") || len(h[6]) != 1+weak {
		t.Errorf("kept as %q", h)
	}
}

// What was replaced is found in the file, with what stands around it; of two equal ends the block begins behind a blank
// line.
func TestReplacedIsFoundInTheFile(t *testing.T) {
	text := "one\n\ntwo {\n}\n\nthree {\n}\n"
	got := Changed("one\n\nthree {\n}\n", text)
	if len(got) != 1 || strings.Join(got[0], "|") != "^| one| |+two {|+}|+| three {| }|$" {
		t.Errorf("Changed = %q", got)
	}
	got = Replaced("a\nb\nc x c\nd\n", "y", "x", false)
	if len(got) != 1 || strings.Join(got[0], "|") != "^| a| b|-c y c|+c x c| d|$" {
		t.Errorf("Replaced = %q", got)
	}
	if got = Replaced("x\nx\n", "y", "x", false); len(got) != 1 || strings.Join(got[0], "|") != "-y|+x" {
		t.Errorf("where it stands is not known: %q", got)
	}
}

// Notes are of one repository, are read once whichever hook wrote them twice, and go with a purge.
func TestNotesOfARepository(t *testing.T) {
	n := Notes{t.TempDir()}
	r, other := git.Repository{Common: "/a"}, git.Repository{Common: "/b"}
	for i, id := range []string{"1", "1", "2", "3"} {
		note := Note{Session: "s", Path: "x.go", Call: "call " + id, Hunks: []Hunk{{"+1"}}}
		if i == 3 {
			note.Path = "y.go"
		}
		if err := n.Add(r, id, note); err != nil {
			t.Fatal(err)
		}
	}
	count := func(r git.Repository, paths []string) int {
		all, err := n.Of(r, paths)
		if err != nil {
			t.Fatal(err)
		}
		return len(all)
	}
	if x, all, none := count(r, []string{"x.go"}), count(r, nil), count(other, nil); x != 2 || all != 3 || none != 0 {
		t.Errorf("%d of x.go, %d in all, %d elsewhere", x, all, none)
	}
	if err := n.Forget([]string{"call 2"}); err != nil || count(r, nil) != 2 {
		t.Errorf("Forget = %v, %d left", err, count(r, nil))
	}
}
