package decisions

import (
	"slices"
	"strings"
	"testing"
)

// What a decision is worth, from its parts: a pair 100, a revert 20 more, the reason of the second 40, that of the
// first 15, a first that is worded as a choice 15, a shared file 10; alone 40, or 25 where it is worded weakly; 30 less
// for what is no code.
func TestWhatADecisionIsWorth(t *testing.T) {
	const (
		plain  = "List the orders of each day"
		use    = "Use a JSON file for orders"
		choice = "Drop support for Python 3.7"
		weakly = "Drop the failing tests of orders"
	)
	revert := func(of string) string { return `Revert "` + of + `"` }
	why, also := "\n\nTwo writers lose orders, because each writes it.", "\n\nIt is easier to back up than a database."
	other := "\n\nTwo writers lose some of the orders." // a sentence, and no reason
	rev0 := func(h *history) Found { return h.reverted(0) }
	rev1 := func(h *history) Found { return h.reverted(1) }
	rep0 := func(h *history) Found { return h.replaced(0) }
	fix0 := func(h *history) Found { return h.fixed(0) }
	lone0 := func(h *history) Found { return h.alone(0) }
	lone1 := func(h *history) Found { return h.alone(1) }
	for what, tt := range map[string]struct {
		commits []Commit
		from    func(h *history) Found
		want    int
	}{
		"a revert":                       {commits(revert(plain), plain), rev0, 130},
		"a revert that says why":         {commits(revert(plain)+why, plain), rev0, 170},
		"a revert that says something":   {commits(revert(plain)+other, plain), rev0, 170},
		"a revert of what said why":      {commits(revert(plain), plain+why), rev0, 145},
		"a revert of a choice":           {commits(revert(choice), choice), rev0, 145},
		"a revert of all that":           {commits(revert(choice)+why, choice+also+why), rev0, 200},
		"a revert in another file":       {commits("@b.go "+revert(plain), plain), rev0, 120},
		"a revert of documentation":      {commits("@README.md "+revert(plain), "@README.md "+plain), rev0, 100},
		"no revert":                      {commits(plain, plain), rev0, 0},
		"a revert of what is not there":  {commits(revert("Some other change"), plain), rev0, 0},
		"a revert of itself":             {commits(plain, revert(plain)), rev1, 0},
		"a replacement":                  {commits("Replace the JSON file with SQLite", use), rep0, 125},
		"a fix":                          {commits("Keep them apart\n\nFixes: bbbbbbb (\"x\")", plain), fix0, 110},
		"a fix in another file":          {commits("@b.go Keep them apart\n\nFixes: bbbbbbb (\"x\")", plain), fix0, 0},
		"a fix of what is not there":     {commits("Keep them apart\n\nFixes: ddddddd (\"x\")", plain), fix0, 0},
		"a choice alone":                 {commits(choice), lone0, 40},
		"a choice alone that says why":   {commits(choice + why), lone0, 80},
		"a choice with a neighbour":      {commits("Add a page of orders", choice), lone1, 50},
		"a choice in documentation":      {commits("@README.md " + choice), lone0, 10},
		"a choice in tests":              {commits("@store_test.go " + choice), lone0, 10},
		"a choice in no file":            {[]Commit{{Hash: "a", Message: choice}}, lone0, 10},
		"a weak choice":                  {commits(weakly), lone0, 0},
		"a weak choice that says why":    {commits(weakly + why), lone0, 65},
		"a choice whose subject says it": {commits(weakly + ", because they are slow"), lone0, 65},
		"no choice":                      {commits(plain), lone0, 0},
	} {
		if got := tt.from(newHistory(tt.commits)).score; got != tt.want {
			t.Errorf("%s is worth %d, want %d", what, got, tt.want)
		}
	}
}

// Of two that are worth the same the newer is found; twenty commits are worth one point.
func TestTheNewerOfTwoIsFound(t *testing.T) {
	message := func(what string) string { return "Drop support for " + what + " because it is slow" }
	for apart, want := range map[int]string{1: "one", 20: "one", 600: "one"} {
		all := []Commit{{Hash: "a", Message: message("one"), Files: []string{"a.go"}}}
		for range apart - 1 {
			all = append(all, Commit{Hash: "b", Message: "work", Files: []string{"b.go"}})
		}
		all = append(all, Commit{Hash: "c", Message: message("two"), Files: []string{"c.go"}})
		if f, ok := Find(all); !ok || !strings.Contains(f.Decision.Subject, want) {
			t.Errorf("%d apart: %v", apart, f.Decision.Subject)
		}
	}
	// one that shares a file with another is worth 10 more, and 200 commits take that away
	for apart, want := range map[int]string{190: "two", 240: "one"} {
		all := []Commit{{Hash: "a", Message: message("one"), Files: []string{"a.go"}}}
		for range apart {
			all = append(all, Commit{Hash: "b", Message: "work", Files: []string{"b.go"}})
		}
		all = append(all, Commit{Hash: "c", Message: message("two"), Files: []string{"c.go"}},
			Commit{Hash: "d", Message: "Add a page of orders", Files: []string{"c.go"}})
		if f, _ := Find(all); !strings.Contains(f.Decision.Subject, want) {
			t.Errorf("%d apart, of which the older is worth more: %v", apart, f.Decision.Subject)
		}
	}
}

func TestWhichCommitIsOlder(t *testing.T) {
	h := newHistory(commits("one", "two", "one", "three", "one"))
	for _, tt := range []struct {
		j             int
		hash, subject string
		want          int
	}{
		{0, "bbbb", "", 1}, {1, "bbbb", "", -1}, {0, "eeee", "one", 4}, {0, "ffff", "one", 2}, {2, "", "one", 4},
		{4, "", "one", -1}, {0, "", "", -1}, {-1, "", "one", 0}, {0, "", "four", -1},
	} {
		if got := h.older(tt.j, tt.hash, tt.subject); got != tt.want {
			t.Errorf("older than %d, %q %q: %d, want %d", tt.j, tt.hash, tt.subject, got, tt.want)
		}
	}
}

func TestTheNeighbourIsTheNearestLater(t *testing.T) {
	h := newHistory(commits("Add a page of days", "Add a page of weeks", "Drop the orders file", "Add a page of years",
		"@b.go Add b"))
	for _, tt := range []struct {
		i     int
		files []string
		most  int
		want  int
		file  string
	}{
		{2, []string{"store.go"}, 99, 1, "store.go"}, {2, []string{"b.go", "store.go"}, 99, 1, "store.go"},
		{0, []string{"store.go"}, 99, 1, "store.go"}, {3, []string{"store.go"}, 99, 2, "store.go"},
		{2, []string{"store.go"}, 19, 1, "store.go"}, {2, []string{"store.go"}, 18, 0, "store.go"},
		{2, []string{"store.go"}, 17, 0, ""}, {4, []string{"b.go"}, 99, 0, ""}, {2, nil, 99, 0, ""},
	} {
		if k, file := h.neighbour(tt.i, tt.files, tt.most); k != tt.want || file != tt.file {
			t.Errorf("beside %d in %v, at most %d: %d %q, want %d %q", tt.i, tt.files, tt.most, k, file, tt.want, tt.file)
		}
	}
	h = newHistory(commits("Add a page", "Add a page", "Add a page of years"))
	if k, _ := h.neighbour(1, []string{"store.go"}, 99); k != 2 {
		t.Errorf("a neighbour with the same subject is %d", k)
	}
}

// A sentence that can be quoted has 20 to 140 columns and four words, and begins as one does.
func TestWhichSentenceIsQuoted(t *testing.T) {
	fill := func(n int) string { return "It is so, " + strings.Repeat("x", n-10) }
	for s, want := range map[string]bool{
		fill(20): true, fill(19): false, fill(140): true, fill(141): false, "It is " + fill(20)[6:]: true,
		"Three words_are_not_enough": false, "Three of_words are_not_enough": false, "Four of words are enough here": true,
		"it begins in small letters": false, "7 of them are lost each day": true, "- of them are lost each day": false,
		"Wörter_haben_Umlaute_und_mehr": true, "It is at https://a.test now": false, "Revert that it is all so bad": false,
		"It is as it follows there:": false, "It has a \x1b mark in the text": false,
		"同時書き込みで注文が": true, "同時書き込みで注文": false,
	} {
		if got := quotable(s); got != want {
			t.Errorf("%q (%d columns): %v", s, columns(s), got)
		}
	}
	for s, want := range map[string]int{"": 0, "ab": 2, "é": 1, "\u10ff": 1, "\u1100": 2, "同a": 3} {
		if got := columns(s); got != want {
			t.Errorf("%q has %d columns, want %d", s, got, want)
		}
	}
	const two = "Drop it\n\nTwo writers lose some orders. It is as slow as it was."
	if got := firstSentence(two); got != "Two writers lose some orders." {
		t.Errorf("the first sentence is %q", got)
	}
	if got := firstSentence("Drop it\n\nTwo writers lose some orders."); got != "Two writers lose some orders." {
		t.Errorf("the only sentence is not the first one: %q", got)
	}
	if got := firstSentence("Drop it"); got != "" {
		t.Errorf("of no body the first sentence is %q", got)
	}
	got := sentences("\n\nDrop it\nTwo writers lose some orders.\n\tThis is code with a tab.\n> This is quoted.\n" +
		"# This is a heading of it.\n```\nThis is in a fence.\n```\nThis is behind the fence.\n- This is one of a list.\n")
	if want := []string{"Two writers lose some orders.", "This is behind the fence.",
		"This is one of a list."}; !slices.Equal(got, want) {
		t.Errorf("sentences are %q, want %q", got, want)
	}
}

// A search has at most five words and about forty columns; of both, three words each.
func TestQueriesAreShort(t *testing.T) {
	long := func(n int) string { return strings.Repeat("w", n) }
	for _, tt := range []struct {
		words []string
		want  string
	}{
		{[]string{"a"}, "a"}, {[]string{"a", "b", "c", "d", "e", "f"}, "a b c d e"},
		{[]string{long(20), long(19), "x"}, long(20) + " " + long(19)}, {[]string{long(20), long(20), "x"}, long(20) + " x"},
		{[]string{long(50), "x"}, long(50)},
	} {
		if got := first(tt.words); got != tt.want {
			t.Errorf("%q is searched as %q, want %q", tt.words, got, tt.want)
		}
	}
	s := Said{Subject: "drop a b c d", Reason: "It is so slow now"}
	if got, want := strings.Join(s.Queries(), "|"), "drop a b c d|It is so slow now|drop a b It is so"; got != want {
		t.Errorf("queries are %q, want %q", got, want)
	}
	if got := (Said{Subject: "drop it"}).Queries(); !slices.Equal(got, []string{"drop it"}) {
		t.Errorf("without a reason they are %q", got)
	}
}

// A file whose name the subject speaks of comes first; a name of two letters is none.
func TestFilesThatTheSubjectNamesComeFirst(t *testing.T) {
	for subject, want := range map[string]string{
		"Replace the api": "api.go db.go a.go", "Replace the db": "db.go a.go api.go", "Replace all": "db.go a.go api.go",
	} {
		if got := strings.Join(byUse([]string{"db.go", "a.go", "api.go"}, subject), " "); got != want {
			t.Errorf("%s: %s, want %s", subject, got, want)
		}
	}
	if got := byUse([]string{"go.sum", "api.md"}, "Change the api"); got[0] != "api.md" {
		t.Errorf("what the subject speaks of stands behind a list of sums: %v", got)
	}
	if got := shared([]string{"a", "b", "c"}, []string{"c", "a"}); !slices.Equal(got, []string{"a", "c"}) {
		t.Errorf("both have %v", got)
	}
}

// The subjects of a decision and its neighbour have at most 150 columns together.
func TestAPairOfSubjectsIsShort(t *testing.T) {
	choice := "Drop support for Python 3.7 for all that is " + strings.Repeat("x", 17)
	for n, want := range map[int]bool{mostTogether - len(choice): true, mostTogether - len(choice) + 1: false} {
		h := newHistory(commits("Add "+strings.Repeat("x", n-4), choice))
		if f := h.alone(1); (f.Second != nil) != want {
			t.Errorf("a neighbour of %d columns beside %d: %v", n, len(choice), f.Second != nil)
		}
	}
	if mostTogether != 150 {
		t.Errorf("together they have %d columns", mostTogether)
	}
}

// How little a file says about a decision, from code down.
func TestHowUsefulAFileIs(t *testing.T) {
	for file, want := range map[string]int{
		"a.go": 0, "src/a.c": 0, "a_test.go": 1, "spec/a.rb": 1, "examples/a.go": 1, "README.md": 2, "a.rst": 2, "a.txt": 2,
		"a.html": 2, "docs/a.go": 2, "ci.yml": 2, "ci.yaml": 2, "CHANGELOG": 2, ".github/a.go": 3, "go.mod": 3, "go.sum": 3,
		"Cargo.lock": 3,
	} {
		if got := usefulness(file); got != want {
			t.Errorf("%s: %d, want %d", file, got, want)
		}
	}
}
