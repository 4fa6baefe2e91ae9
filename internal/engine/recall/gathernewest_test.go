package recall_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stemma-memory/stemma/api"
)

// A question for everything of a type gives what took the place of one of it, or may, whatever type that is: before
// what it replaces, and not as weak.
func TestGatheringGivesTheNewest(t *testing.T) {
	p := newPeople(t)
	e := p.Agent
	old := func(kind, typ, text string, about ...string) string {
		return write(t, e, api.AddRequest{
			Draft: api.Draft{Kind: kind, Type: typ, Text: text}, Meta: api.Meta{About: about},
		})
	}
	say := func(text string) api.RememberReply {
		r, err := e.Remember(t.Context(), api.RememberRequest{Text: text})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	old("note", "decision", "We deploy on Tuesdays")
	old("note", "decision", "We cache pages in Redis")
	old("belief", "preference", "Ada likes chess", "Ada")
	say("We no longer deploy on Tuesdays")
	gone := say("Redis is out for pages")
	say("Ada stopped playing chess")
	ask := func(query string) (texts []string, marks []string) {
		r, err := e.Recall(t.Context(), api.RecallRequest{Query: query})
		if err != nil || r.Gathered == nil {
			t.Fatal(query, err, r.Gathered)
		}
		for _, one := range r.Results {
			if one.Weak {
				t.Errorf("%q: %q is weak", query, one.Text)
			}
			said, _, _ := strings.Cut(one.Text, ".\n") // and who it is about
			texts = append(texts, said)
			if len(one.Undecided) > 0 {
				marks = append(marks, said)
			}
		}
		return texts, marks
	}
	for query, pair := range map[string][2]string{
		"What are our decisions about deploying?": {"We no longer deploy on Tuesdays", "We deploy on Tuesdays"},
		"all decisions about pages":               {"Redis is out for pages", "We cache pages in Redis"},
		"What are Ada's preferences?":             {"Ada stopped playing chess", "Ada likes chess"},
	} {
		if texts, marks := ask(query); len(texts) != 2 || !slices.Contains(texts, pair[0]) ||
			!slices.Contains(texts, pair[1]) || len(marks) != 2 {
			t.Errorf("%q: %q, marked %q", query, texts, marks)
		}
	}
	if len(gone.Links) != 1 {
		t.Fatalf("links %+v", gone.Links)
	}
	if _, err := p.Owner.Resolve(t.Context(), api.ResolveRequest{Ref: gone.Links[0].Ref, Keep: "new"}); err != nil {
		t.Fatal(err)
	}
	say("We decided against deploying at all")
	if texts, marks := ask("all decisions about deploying"); len(marks) != len(texts) {
		t.Errorf("a chain: %q, of which %q are marked", texts, marks)
	}
	if texts, _ := ask("all decisions about pages"); !slices.Equal(texts, []string{"Redis is out for pages"}) {
		t.Errorf("after the decision: %q", texts)
	}
	old("note", "decision", "Ines draws the pages")
	if texts, _ := ask("all decisions about pages"); len(texts) != 2 || !slices.Contains(texts, "Redis is out for pages") {
		t.Errorf("beside another decision: %q", texts)
	}
}
