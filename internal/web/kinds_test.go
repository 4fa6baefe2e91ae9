package web

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stemma-memory/stemma/memory"
)

// Every kind of memory has a letter of its own and two colours, and the page is told them.
func TestThePageKnowsEveryKind(t *testing.T) {
	all, err := files()
	if err != nil {
		t.Fatal(err)
	}
	document := string(all["index.html"].plain)
	sheet := string(all[regexp.MustCompile(`assets/style-[0-9a-f]{8}\.css`).FindString(document)].plain)
	seen := make(map[string]memory.Kind)
	for _, k := range memory.Memories() {
		f := k.Form()
		if f.Letter == "" || seen[f.Letter] != "" || f.Day == "" || f.Night == "" || f.Title == "" || f.About == "" {
			t.Errorf("%s is drawn as %+v, the letter is that of %q too", k, f, seen[f.Letter])
		}
		seen[f.Letter] = k
		if !strings.Contains(document, `{&#34;kind&#34;:&#34;`+string(k)+`&#34;`) {
			t.Errorf("the document does not name %s", k)
		}
		if strings.Count(sheet, ".k-"+string(k)+"{--c:") != 3 {
			t.Errorf("the sheet does not have the colours of %s by day, by night and chosen", k)
		}
	}
}
