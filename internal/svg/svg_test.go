package svg

import (
	"encoding/xml"
	"errors"
	"flag"
	"io"
	"os"
	"regexp"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the golden file anew")

// family is a tree of every kind: two sources, one conclusion, one beside.
func family() ([]Card, []Arrow) {
	cards := []Card{
		{
			Key: "1", Kind: "raw", Name: "1f00c0de",
			Words: "Ada: the orders page took 4 s today, and I measured it twice", When: "2026-03-01 · cli",
		},
		{
			Key: "2", Kind: "raw", Name: "2f00c0de",
			Words: "After the cache went in: 80 ms. 漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字",
			When:  "2026-03-01",
		},
		{Key: "3", Kind: "episode", Name: "3f00c0de", Words: "Profiled the slow page", Tier: "observed", When: "2026-03-02"},
		{Key: "4", Kind: "episode", Name: "4f00c0de", Words: "Put a cache before it", Tier: "grounded", When: "2026-03-02"},
		{
			Key: "5", Kind: "belief", Name: "5f00c0de", Words: "Caching pays off", Tier: "inferred",
			When: "2026-03-03", Flags: []string{"superseded"}, Gone: true,
		},
		{
			Key: "6", Kind: "belief", Name: "6f00c0de", Words: "Caching pays off for pages that are read often",
			Tier: "hypothesis", When: "2026-03-04", Root: true,
		},
		{Key: "7", Kind: "orchard", Name: "7f00c0de", Words: "(missing)", Flags: []string{"missing", "disputed"}, Gone: true},
		{Key: "8", Kind: "relationship", Name: "8f00c0de", Words: "Ada", Tier: "observed"},
	}
	return cards, []Arrow{
		{2, 0, false}, {3, 1, false}, {4, 2, false}, {4, 3, false}, {5, 4, false}, {5, 6, true}, {5, 0, false},
		{7, 0, false},
	}
}

func TestDraw(t *testing.T) {
	cards, arrows := family()
	got := Draw("Caching pays off for pages that are read often", cards, arrows)
	wellFormed(t, got)
	const file = "testdata/family.svg"
	if *update {
		if err := os.WriteFile(file, got, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if want, err := os.ReadFile(file); err != nil || string(got) != string(want) {
		t.Errorf("%v; the picture is another; look at it, then go test ./internal/svg -update", err)
	}
}

// One record alone, and none, are pictures too.
func TestDrawLittle(t *testing.T) {
	wellFormed(t, Draw("", nil, nil))
	wellFormed(t, Draw("alone", []Card{{Key: "1", Kind: "raw", Words: "x"}}, nil))
}

// outside is what would fetch, run or lead away.
var outside = regexp.MustCompile(
	`(?i)<(script|a|image|use|foreignObject|iframe|animate)\b|\bhref\b|\bon\w+=|url\(|@import|<!|<\?`,
)

// What memory says is text in the picture, and nothing else.
func TestDrawHostile(t *testing.T) {
	for _, evil := range []string{
		`<script>alert(1)</script>`, `"><image href="https://evil.example/x"/>`, `' onload='alert(1)`, `]]><script/>`,
		`</text><a href="javascript:x">`, `</title></style><script>`,
		"a\x00b\x1b[31m\u202e\ufffe\uffff\xff", `&lt;script&gt; &#x3c;script`,
		`<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>&e;`, `<?xml-stylesheet href="x"?>`,
		`url(https://evil.example)`,
	} {
		got := Draw(
			evil,
			[]Card{{Key: evil, Kind: evil, Name: evil, Words: evil, Tier: evil, When: evil, Flags: []string{evil}}},
			nil,
		)
		wellFormed(t, got)
		tags := regexp.MustCompile(`>[^<]*<`).ReplaceAllString(string(got), "><") // the text between tags is only text
		if m := outside.FindString(tags); m != "" {
			t.Errorf("%q puts %q into the picture", evil, m)
		}
	}
}

func FuzzDraw(f *testing.F) {
	f.Add("<b>", "raw", "words & \"more\"", uint8(3))
	f.Fuzz(func(t *testing.T, title, kind, words string, n uint8) {
		var cards []Card
		var arrows []Arrow
		for i := range int(n % 12) {
			cards = append(
				cards,
				Card{Key: string(rune('a' + i)), Kind: kind, Name: words, Words: words, Tier: kind, When: title},
			)
			if i > 0 {
				arrows = append(arrows, Arrow{i, int(n) % i, i%2 == 0})
			}
		}
		wellFormed(t, Draw(title, cards, arrows))
	})
}

func wellFormed(t *testing.T, picture []byte) {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader(string(picture)))
	for {
		_, err := d.Token()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			t.Fatalf("%v in\n%s", err, picture)
		}
	}
}
