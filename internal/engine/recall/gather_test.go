package recall_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
)

// A question that wants everything is answered through all memories: by name, words and time, grouped, the newest
// first, and without what was replaced or decided against.
func TestGathering(t *testing.T) {
	onEach(t, func(t *testing.T, e *engine.Engine) {
		add := func(kind, typ, text string, names ...string) string {
			return write(t, e, api.AddRequest{
				Draft: api.Draft{Kind: kind, Type: typ, Text: text}, Meta: api.Meta{About: names},
			})
		}
		for i := range 150 { // far more than a search looks at
			add("belief", "", fmt.Sprintf("The harbour log %d names Mira as a guest of the boat", i), "Jon")
		}
		add("note", "decision", "Mira leads the choir", "Mira")
		old := add("belief", "", "Mira lives in Bern", "Mira")
		wrong := add("belief", "", "Mira plays the tuba", "Mira")
		add("note", "decision", "Mira moves the rehearsal to Monday", "Mira")
		add("belief", "", "Jon rows the boat", "Jon")
		if _, err := e.Correct(t.Context(), api.CorrectRequest{Ref: old, Text: "Mira lives in Lugano"}); err != nil {
			t.Fatal(err)
		}
		if _, err := e.Correct(t.Context(), api.CorrectRequest{Ref: wrong, Is: "wrong"}); err != nil {
			t.Fatal(err)
		}
		r, err := e.Recall(t.Context(), api.RecallRequest{Query: "What are all of Mira's decisions?"})
		if err != nil {
			t.Fatal(err)
		}
		want := []string{"Mira moves the rehearsal to Monday", "Mira leads the choir"}
		if r.Gathered == nil || r.Gathered.Form != "are" || !slices.Equal(textsOf(r.Results), want) {
			t.Errorf("decisions: %+v %q, want %q", r.Gathered, textsOf(r.Results), want)
		}
		for _, query := range []string{"Mira", "Everything about Mira", "tell me about Mira"} {
			r, err = e.Recall(t.Context(), api.RecallRequest{Query: query, Budget: 20_000, Form: api.FormText})
			got := textsOf(r.Results)
			if err != nil || r.Gathered == nil || len(got) != 153 || !slices.Contains(got, "Mira lives in Lugano") ||
				slices.Contains(got, "Mira lives in Bern") || slices.Contains(got, "Mira plays the tuba") {
				t.Errorf("%q: %+v, %d results, %v", query, r.Gathered, len(got), err)
			}
		}
		ask := api.RecallRequest{Query: "Everything about Mira", Budget: 300, Form: api.FormText}
		small, err := e.Recall(t.Context(), ask)
		if n := len(small.Results); err != nil || n == 0 || n > 12 || small.LeftOut+n != 153 {
			t.Errorf("300 tokens: %d results, %d left out, %v", n, small.LeftOut, err)
		}
		one, err := e.Recall(t.Context(), api.RecallRequest{Query: "Where does Mira live?"})
		if err != nil || one.Gathered != nil || len(one.Results) == 0 || one.Results[0].Text != "Mira lives in Lugano" {
			t.Errorf("one answer: %+v %q, %v", one.Gathered, textsOf(one.Results), err)
		}
		pack, err := e.Context(t.Context(), api.ContextRequest{Query: "Which decisions did Mira make?"})
		if err != nil || !strings.Contains(string(pack.Body), `"gathered":"which"`) ||
			!strings.Contains(string(pack.Body), "Mira moves the rehearsal") {
			t.Errorf("pack: %s, %v", pack.Body, err)
		}
		shown, err := e.Entity(t.Context(), api.NameRequest{Name: "mira"})
		if err != nil || shown.Count != 3 {
			t.Errorf("entity: %+v, %v", shown, err)
		}
		line, err := e.Timeline(t.Context(), engine.TimelineRequest{About: "mira"})
		if err != nil {
			t.Fatal(err)
		}
		var names, times []string
		for _, m := range shown.About {
			names = append(names, m.Ref)
		}
		for _, one := range slices.Backward(line.Entries) {
			if one.Hidden == "" {
				times = append(times, one.Ref)
			}
		}
		if !slices.Equal(names, times) || len(line.Entries) <= len(times) {
			t.Errorf("of the name %q, of the time %q of %d", names, times, len(line.Entries))
		}
		past, err := e.Recall(t.Context(), api.RecallRequest{Query: "What happened last year?"})
		if err != nil || past.Gathered != nil {
			t.Errorf("a year without memories: %+v, %v", past.Gathered, err)
		}
		day, err := e.Recall(t.Context(), api.RecallRequest{Query: "What did we decide today?", Budget: 20_000})
		if err != nil || day.Gathered == nil || day.Gathered.Form != "time" || day.Gathered.More {
			t.Errorf("today: %+v, %v", day.Gathered, err)
		}
	})
}

// What is wanted about something has a word of that: a decision about orders is none about trains.
func TestGatheringAboutATopic(t *testing.T) {
	onEach(t, func(t *testing.T, e *engine.Engine) {
		for _, text := range []string{
			"Orders are sent in batches of forty", "The night train takes the heavy parcels",
			"Rails are greased before a train leaves",
		} {
			write(t, e, api.AddRequest{Draft: api.Draft{Kind: "note", Type: "decision", Text: text}})
		}
		trains := []string{"Rails are greased before a train leaves", "The night train takes the heavy parcels"}
		for query, want := range map[string][]string{
			"all decisions about trains":                   trains,
			"List the decisions for trains":                trains,
			"Which decisions that we made concern trains?": trains,
			"What are the decisions about orders?":         {"Orders are sent in batches of forty"},
			"all decisions about ferries":                  nil,
			"which decisions were made about ferries":      nil,
			"give me the decisions on ferries":             nil,
			"all decisions":                                append(slices.Clone(trains), "Orders are sent in batches of forty"),
		} {
			r, err := e.Recall(t.Context(), api.RecallRequest{Query: query})
			if err != nil || !slices.Equal(textsOf(r.Results), want) {
				t.Errorf("%q: %q, want %q, %v", query, textsOf(r.Results), want, err)
			}
		}
	})
}

// What is no question, asks for nobody, or for a name that is a common word, is answered like any other.
func TestGatheringOfAnything(t *testing.T) {
	e := open(t, "mem", engine.Config{})
	about(t, e, "belief", "Will mends the sails", "Will")
	about(t, e, "belief", "王芳住在上海", "王芳")
	for _, query := range []string{
		"🛶", "the of and", "everything about the of and", strings.Repeat("everything about Will ", 2500),
		"everything about 🛶",
		"كل شيء عن ليلى", "Donaudampfschifffahrtsgesellschaftskapitäne", "Everything about Nobody Known", "Nobody",
		"which \x00s are there", "list", "all '''s", "what are 's's",
	} {
		r, err := e.Recall(t.Context(), api.RecallRequest{Query: query})
		if err != nil || r.Gathered != nil && r.Gathered.Found == 0 {
			t.Errorf("%.40q: %+v, %v", query, r.Gathered, err)
		}
		if _, err := json.Marshal(r); err != nil {
			t.Errorf("%.40q: %v", query, err)
		}
	}
	for query, want := range map[string]string{
		"everything about Will": "Will mends the sails", "Will": "Will mends the sails", "王芳": "王芳住在上海",
	} {
		r, err := e.Recall(t.Context(), api.RecallRequest{Query: query})
		if err != nil || r.Gathered == nil || !slices.Equal(textsOf(r.Results), []string{want}) {
			t.Errorf("%q: %+v %q, %v", query, r.Gathered, textsOf(r.Results), err)
		}
	}
}
