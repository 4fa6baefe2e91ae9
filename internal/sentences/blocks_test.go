package sentences

import (
	"slices"
	"strings"
	"testing"
)

func TestEndsOfLines(t *testing.T) {
	tests := []struct {
		name, text string
		want       []string
	}{
		{"a blank line ends a sentence", "One thing\n\nAnother thing", []string{"One thing", "Another thing"}},
		{"a wrapped paragraph goes on",
			"The store opens its files once and keeps them open, because the Linux\nKernel counts each of them. It " +
				"closes them when the program ends, and\nNothing is lost.",
			[]string{"The store opens its files once and keeps them open, because the Linux\nKernel counts each of them.",
				"It closes them when the program ends, and\nNothing is lost."}},
		{"a small letter goes on", "We use one\nqueue. It is\nfast", []string{"We use one\nqueue.", "It is\nfast"}},
		{"a short line ends", "Owner: Bob\nPort: 8080\nHost: db1", []string{"Owner: Bob", "Port: 8080", "Host: db1"}},
		{"items", "We need:\n- one thing\n  that is long\n* another. And more\n1. First\n2. Second",
			[]string{"We need:", "- one thing\n  that is long", "* another.", "And more", "1. First", "2. Second"}},
		{"an ordinal at the start of a line is no item", "Das Treffen ist am\n5. März um zehn. Ja.",
			[]string{"Das Treffen ist am\n5. März um zehn.", "Ja."}},
		{"dates at the start of lines", "1. Mai: frei\n5. März: Treffen", []string{"1. Mai: frei", "5. März: Treffen"}},
		{"headings", "# Dr. No. A film\nIt is old.\n\nTitle\n=====\nText",
			[]string{"# Dr. No. A film", "It is old.", "Title", "=====", "Text"}},
		{"tables", "| a. B | c |\n|---|---|\n| D. E | f |", []string{"| a. B | c |", "|---|---|", "| D. E | f |"}},
		{"code", "Run:\n```sh\ngo test. Then\n\nx\n```\nDone. Yes",
			[]string{"Run:", "```sh", "go test. Then", "x", "```", "Done.", "Yes"}},
		{"indented code", "Run:\n\n    a. B\n    c\n\nDone.", []string{"Run:", "a. B", "c", "Done."}},
		{"what is said", "> One. Two\n> and more\nThree", []string{"> One.", "Two\n> and more", "Three"}},
		{"other ends of lines", "One.\r\n\r\nTwo\r\n- three\r\n", []string{"One.", "Two", "- three"}},
		{"nothing", " \n\t\n", nil},
	}
	for _, tt := range tests {
		if got := Split(tt.text); !slices.Equal(got, tt.want) {
			t.Errorf("%s: Split(%q) =\n%q, want\n%q", tt.name, tt.text, got, tt.want)
		}
	}
}

func TestMarker(t *testing.T) {
	for line, want := range map[string]int{
		"- one": 2, "1. one": 3, "12) one": 4, "## One": 3, "5. März": 0, "5. May": 3, "3.14 is pi": 0, "-one": 0, "#12": 0,
		"one": 0, "": 0, "1.": 0, "–": 0, "2024. Ja": 0,
	} {
		if got := Marker(line); got != want {
			t.Errorf("Marker(%q) = %d, want %d", line, got, want)
		}
	}
}

// holds checks what is true of every text.
func holds(t *testing.T, text string) {
	t.Helper()
	bounds := Bounds(text)
	if !slices.IsSorted(bounds) || len(bounds) > 0 && (bounds[0] < 0 || bounds[len(bounds)-1] > len(text)) {
		t.Fatalf("Bounds(%q) = %v", text, bounds)
	}
	end := 0
	for from, to := range Spans(text) {
		if from < end || to <= from || strings.TrimSpace(text[end:from]) != "" {
			t.Fatalf("Spans(%q): %d to %d behind %d", text, from, to, end)
		}
		end = to
	}
	if strings.TrimSpace(text[end:]) != "" {
		t.Fatalf("Spans(%q) leaves %q", text, text[end:])
	}
	whole := strings.Join(strings.Fields(text), "")
	if got := strings.Join(strings.Fields(strings.Join(Split(text), " ")), ""); got != whole {
		t.Fatalf("Split(%q) has the words %q", text, got)
	}
	if !strings.ContainsFunc(text, func(r rune) bool { return r >= 0x0589 }) {
		words := strings.Fields(text)
		if got := strings.Fields(strings.Join(Split(text), " ")); !slices.Equal(got, words) {
			t.Fatalf("Split(%q) parts a word: %q", text, got)
		}
	}
}

func FuzzEveryWordIsInASentence(f *testing.F) {
	for _, p := range parted {
		f.Add(strings.ReplaceAll(p, "|", ""))
		f.Add(p)
	}
	for _, s := range []string{"", "\n", "```\n", "> \n>", "\xff. A\xff", "1. \n2. A", ". . . A", "# ", "|", "\t\t.",
		"a\u00a0. B", "- 1. März", "\u2028A. B\u0085C", "...!?\"')) A", "z. B. k. u. k. A"} {
		f.Add(s)
	}
	f.Fuzz(holds)
}

// long texts of every sort, among them some made to take long.
func long() map[string]string {
	repeat := func(s string) string { return strings.Repeat(s, (1<<20)/len(s)) }
	return map[string]string{
		"prose": repeat("Dr. Smith met us on 5. May in St. Gallen. We talked about e.g. queues, etc. " +
			"The rest can wait. "),
		"wrapped": repeat("The store opens its files once and keeps them open, because the\n" +
			"kernel counts them. It works.\n"),
		"lines":       repeat("key: value\n"),
		"stops":       repeat("."),
		"letters":     repeat("a. "),
		"initials":    repeat("A. "),
		"numbers":     repeat("5. 6 "),
		"one word":    repeat("abcdefgh."),
		"no blanks":   repeat("今日は晴れです。"),
		"quotes":      repeat("\"'"),
		"blanks":      repeat(". \u00a0") + repeat(" "),
		"open quotes": repeat(". \""),
	}
}

func BenchmarkBounds(b *testing.B) {
	for name, text := range long() {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				Bounds(text)
			}
		})
	}
}
