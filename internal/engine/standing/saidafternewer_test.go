package standing_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/memory"
)

// sayings are ways to say who or what something is, with the values that go there. A form may say a later value in
// other words.
var sayings = []struct {
	first, later string
	values       []string
}{
	{"The owner of the %[2]s service is %[1]s", "", []string{"Lena", "Jonas", "Priya", "Mara"}},
	{"%[1]s owns the %[2]s service", "%[1]s took over the %[2]s service", []string{"Lena", "Jonas", "Ada", "Oskar"}},
	{"The %[2]s service listens on port %[1]s", "", []string{"8080", "9090", "7443"}},
	{"The %[2]s retro is on %[1]s", "The %[2]s retro was moved to %[1]s", []string{"Monday", "Thursday", "Friday"}},
	{"The timeout of %[2]s is %[1]s", "", []string{"30 seconds", "2 minutes", "500 ms"}},
	{"%[2]s is deployed with %[1]s", "%[2]s was moved from Helm to %[1]s", []string{"Helm", "Kustomize", "Nomad"}},
	{"The budget for %[2]s is %[1]s", "", []string{"4,000 euros", "5,500 euros", "900 dollars"}},
	{"The %[2]s database runs in %[1]s", "The %[2]s database now lives in %[1]s", []string{"Frankfurt", "Dublin"}},
	{"%[2]s uses %[1]s for its queue", "", []string{"RabbitMQ", "Kafka", "NATS"}},
	{"The logo of %[2]s is %[1]s", "", []string{"green", "dark blue", "orange"}},
	{"The release of %[2]s is planned for %[1]s", "", []string{"3 May", "17 June", "1 September"}},
	{"The default branch of %[2]s is %[1]s", "", []string{"main", "trunk", "develop"}},
	{"Feature flags of %[2]s are %[1]s", "", []string{"on", "off"}},
	{"Der Chef von %[2]s ist %[1]s", "", []string{"Frau Meier", "Herr Vogt"}},
	{"The contract with %[2]s ends in %[1]s", "", []string{"2027", "2028", "2031"}},
	{"The on-call rota of %[2]s starts at %[1]s", "", []string{"9:00", "8:30", "noon"}},
	{"The licence of %[2]s is %[1]s", "", []string{"MIT", "Apache-2.0", "GPL-3.0"}},
	{"Invoices of %[2]s are kept for %[1]s", "", []string{"ten years", "twelve years"}},
	{"The %[2]s team meets in room %[1]s", "", []string{"4.17", "2.03", "0.11"}},
	{"The API of %[2]s is at version %[1]s", "", []string{"v3", "v4"}},
}

var spokenOf = []string{"billing", "harbour", "atlas", "heron", "kestrel"}

// Whatever way a sentence is written, said again after something newer it is the newest of the pair.
func TestSaidAgainOnEachPath(t *testing.T) {
	t.Parallel()
	for name, say := range map[string]func(t *testing.T, p *people, text string, n int) string{
		"remember": func(t *testing.T, p *people, text string, _ int) string {
			return only(t, remember(t, p.Agent, text))
		},
		"remember, a person": func(t *testing.T, p *people, text string, _ int) string {
			return only(t, remember(t, p.Owner, text))
		},
		"add a belief": func(t *testing.T, p *people, text string, _ int) string { return add(t, p.Agent, "belief", text) },
		"add a note":   func(t *testing.T, p *people, text string, _ int) string { return add(t, p.Agent, "note", text) },
		"correct": func(t *testing.T, p *people, text string, n int) string {
			if n == 0 {
				return only(t, remember(t, p.Agent, text))
			}
			old := search(t, p.Agent, api.SearchRequest{Query: text}).Results[0].Ref
			r, err := p.Agent.Correct(t.Context(), api.CorrectRequest{Ref: old, Text: text})
			if err != nil || r.Done != "replaced" {
				t.Fatalf("%v, %+v", err, r)
			}
			return r.Ref
		},
		"promote": func(t *testing.T, p *people, text string, _ int) string {
			raw, err := p.Agent.Capture(t.Context(), api.CaptureRequest{Text: text})
			if err != nil {
				t.Fatal(err)
			}
			r, err := p.Agent.Promote(t.Context(), api.PromoteRequest{From: []string{raw.Ref}, Draft: api.Draft{Kind: "belief"}})
			if err != nil {
				t.Fatal(err)
			}
			return r.Ref
		},
		"process": func(t *testing.T, p *people, text string, n int) string {
			p.Ahead(24 * time.Hour)
			e := p.As(memory.OriginOwner, func(c *engine.Config) { c.Session = fmt.Sprintf("s%d", n) })
			if _, err := e.Capture(t.Context(), api.CaptureRequest{
				Text: "We decided that " + strings.ToLower(text[:1]) + text[1:] + ".", Event: "turn", Speaker: "user",
			}); err != nil {
				t.Fatal(err)
			}
			r, err := p.Owner.Process(t.Context(), api.ProcessRequest{})
			if err != nil || r.Memories != 1 {
				t.Fatalf("%q: %v, %+v", text, err, r)
			}
			made, err := p.Agent.List(t.Context(), api.ListRequest{Kind: "note", Limit: 1})
			if err != nil || len(made.Memories) != 1 {
				t.Fatalf("%v: %q was drafted and is not listed", err, text)
			}
			return made.Memories[0].Ref
		},
		"import": func(t *testing.T, p *people, text string, n int) string {
			alias := fmt.Sprintf("told %d", n)
			_, err := p.Owner.Ingest(t.Context(), func(yield func(api.Foreign, error) bool) {
				yield(api.Foreign{
					Alias: []string{alias}, Body: &memory.Belief{Statement: text, Type: "fact"},
				}, nil)
			}, nil)
			if err != nil {
				t.Fatal(err)
			}
			held, err := p.Owner.Held(t.Context(), alias)
			if err != nil {
				t.Fatal(err)
			}
			return held[alias].String()
		},
	} {
		t.Run(name, func(t *testing.T) {
			p := newPeople(t)
			lena, jonas := "The owner of the billing service is Lena", "The owner of the billing service is Jonas"
			first := say(t, p, lena, 0)
			say(t, p, jonas, 1)
			third := say(t, p, lena, 2)
			got := search(t, p.Agent, api.SearchRequest{Query: "owner of the billing service"})
			if third == first || len(got.Results) == 0 || got.Results[0].Ref != third {
				t.Errorf("said first %s, again %s, found %v", first, third, order(got))
			}
		})
	}
}

// only returns the one memory that was made.
func only(t *testing.T, r api.RememberReply) string {
	t.Helper()
	if len(r.Memories) != 1 {
		t.Fatalf("%d memories were made, %d said again", len(r.Memories), len(r.SaidAgain))
	}
	return r.Memories[0].Ref
}
