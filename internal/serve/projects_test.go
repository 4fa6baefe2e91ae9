package serve

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/internal/project"
)

// With all spaces each memory of another project than the caller's says of which it is: than the server's, or than the
// one that the request names. In no project all say it.
func TestAllProjectsAreNamed(t *testing.T) {
	r := start(t, func(o *Options) {
		o.Engine.C.Space, o.Engine.C.Place = "engine-1", &engine.Place{Here: "engine-1", Own: "engine-1"}
	})
	ask := func(op, body string, headers ...string) string {
		t.Helper()
		headers = append(headers, "Authorization: Bearer "+r.tokens.Owner)
		got, text := r.do(t, http.DefaultClient, "POST", "/v1/"+op, body, headers...)
		if got.StatusCode != http.StatusOK {
			t.Fatalf("%s: %s %s", op, got.Status, text)
		}
		return text
	}
	for _, space := range []string{"engine-1", "kiosk-2", "me", "main"} {
		ask("add", `{"kind":"belief","text":"words in `+space+`"}`, "Stemma-Space: "+space)
	}
	for _, tt := range []struct {
		headers []string
		want    map[string]string // the mark of each memory that is given
	}{
		{nil, map[string]string{"engine-1": "", "me": "", "main": "of no project"}},
		{[]string{"Stemma-Space: *"}, map[string]string{
			"engine-1": "", "me": "", "main": "of no project", "kiosk-2": "of project kiosk-2",
		}},
		{[]string{"Stemma-Space: *", "Stemma-Project: kiosk-2"}, map[string]string{
			"engine-1": "of project engine-1", "me": "", "main": "of no project", "kiosk-2": "",
		}},
		{[]string{"Stemma-Space: *", "Stemma-Project: -"}, map[string]string{
			"engine-1": "of project engine-1", "me": "", "main": "of no project", "kiosk-2": "of project kiosk-2",
		}},
		{[]string{"Stemma-Project: kiosk-2"}, map[string]string{"kiosk-2": "", "me": "", "main": "of no project"}},
		{[]string{"Stemma-Project: -"}, map[string]string{"me": "", "main": "of no project"}},
		{[]string{"Stemma-Space: me"}, map[string]string{"me": ""}},
	} {
		var list struct {
			Memories []struct {
				Headline string
				Marks    []string
			}
		}
		if err := json.Unmarshal([]byte(ask("list", "{}", tt.headers...)), &list); err != nil {
			t.Fatal(err)
		}
		given := make(map[string]string)
		for _, m := range list.Memories {
			name := strings.TrimPrefix(m.Headline, "words in ")
			given[name] = ""
			for _, mark := range m.Marks {
				if strings.HasPrefix(mark, "of ") {
					given[name] = mark
				}
			}
		}
		for name, mark := range tt.want {
			if got, ok := given[name]; !ok || got != mark {
				t.Errorf("%q: %s is given: %v, marked %q, want %q", tt.headers, name, ok, got, mark)
			}
		}
		if len(given) != len(tt.want) {
			t.Errorf("%q: %v, want %v", tt.headers, given, tt.want)
		}
	}
	got, text := r.do(t, http.DefaultClient, "POST", "/v1/list", "{}", "Stemma-Space: *",
		"Authorization: Bearer "+r.tokens.Agent)
	if got.StatusCode != http.StatusForbidden {
		t.Errorf("an agent reads all: %s %s", got.Status, text)
	}
}

// Where a request names a project, spaces that are bound to another are not its own.
func TestAProjectOfARequest(t *testing.T) {
	s := &server{o: Options{Known: func() []project.Project {
		return []project.Project{{Space: "a-1"}, {Space: "b-2", Bound: "did:key:z/team"}, {Space: "c-3"}}
	}}}
	for _, tt := range []struct {
		name, here, own string
		elsewhere       []string
	}{
		{"a-1", "a-1", "a-1", []string{"b-2", "did:key:z/team", "c-3"}},
		{"did:key:z/team", "did:key:z/team", "b-2", []string{"a-1", "c-3"}},
		{"-", "", "", []string{"a-1", "b-2", "did:key:z/team", "c-3"}},
		{"new", "new", "", []string{"a-1", "b-2", "did:key:z/team", "c-3"}},
	} {
		p := s.placeOf(tt.name)
		if p.Here != tt.here || p.Own != tt.own || !slices.Equal(p.Elsewhere, tt.elsewhere) {
			t.Errorf("%s: %+v, want %+v", tt.name, p, tt)
		}
	}
}
