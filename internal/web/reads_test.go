package web

import (
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/access"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/internal/project"
)

// A person chooses among the projects that have memories, each once and each by a name of its own; what two projects
// are bound to is one.
func TestChoices(t *testing.T) {
	e, err := engine.Open(t.Context(), "mem",
		engine.Config{KeyDir: filepath.Join(t.TempDir(), "keys"), Origin: "owner", Space: "me", Place: &engine.Place{}})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	write := func(space string) string {
		t.Helper()
		one, err := e.As(engine.Caller{Origin: "owner", Space: space})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := one.Capture(t.Context(), api.CaptureRequest{Text: "words in " + space}); err != nil {
			t.Fatal(err)
		}
		init, err := one.Init(t.Context(), api.Nothing{})
		if err != nil {
			t.Fatal(err)
		}
		return init.Owner
	}
	known := []project.Project{
		{Space: "engine-11111111", Name: "engine"}, {Space: "engine-22222222", Name: "engine"},
		{Space: "kiosk-33333333", Name: "kiosk"}, {Space: "empty-44444444", Name: "empty"},
	}
	for _, space := range []string{"engine-11111111", "engine-22222222", "kiosk-33333333", "a-55555555", "b-66666666"} {
		write(space)
	}
	me := write("strange-77777777")
	known = append(known, project.Project{Space: "a-55555555", Name: "a", Bound: me + "/team"},
		project.Project{Space: "b-66666666", Name: "b", Bound: me + "/team"})
	p := &pages{Config{Known: func() []project.Project { return known }}}
	check := func(want ...choice) {
		t.Helper()
		got, err := p.choices(t.Context(), e)
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("choices: %v\n%+v\nwant\n%+v", err, got, want)
		}
	}
	one, two, kiosk := choice{"project:engine-11111111", "project engine-11111111"},
		choice{"project:engine-22222222", "project engine-22222222"}, choice{"project:kiosk-33333333", "project kiosk"}
	strange, team := choice{"project:strange-77777777", "project strange-77777777"},
		choice{"project:" + me + "/team", "project team"}
	mine, all := choice{"me", "yours"}, choice{"all", "all projects"}
	check(mine, one, two, kiosk, strange, team, all)

	write("team") // with memories of its own it is still the same
	write("main")
	none := choice{"space:" + me + "/main", "of no project"}
	check(mine, one, two, kiosk, strange, team, none, all)

	p.config.Here = "engine-22222222"
	check(
		choice{"here", "this project: engine"}, mine, choice{one.Value, "project engine"}, kiosk, strange, team, none, all,
	)
	p.config.Here = me + "/team"
	check(choice{"here", "this project: team"}, mine, one, two, kiosk, strange, none, all)

	// what a browser keeps is taken where there is such a choice
	list, err := p.choices(t.Context(), e)
	if err != nil {
		t.Fatal(err)
	}
	for kept, want := range map[string]string{
		"": "here", "all": "all", "me": "me", kiosk.Value: kiosk.Value, none.Value: none.Value, "project:gone-1": "here",
		"space:../x": "here", "%zz": "here", "allx": "here",
	} {
		r := httptest.NewRequest("GET", "http://localhost:7463/", nil)
		r.Header.Set("Cookie", "stemma-reads_7463="+url.PathEscape(kept))
		if got := p.choose(r, list); got != want {
			t.Errorf("kept %q: %q, want %q", kept, got, want)
		}
	}
}

// A choice is what a request without a word of its own reads, and only a person's.
func TestReading(t *testing.T) {
	for _, tt := range []struct {
		who            access.Caller
		value          string
		space, project string
	}{
		{access.Caller{Origin: "owner"}, "all", "*", "-"},
		{access.Caller{Origin: "owner"}, "me", "me", ""},
		{access.Caller{Origin: "owner"}, "here", "", ""},
		{access.Caller{Origin: "owner"}, "project:did:key:z/team", "", "did:key:z/team"},
		{access.Caller{Origin: "owner"}, "space:did:key:z/main", "did:key:z/main", ""},
		{access.Caller{Origin: "owner", Space: "x"}, "all", "x", ""},
		{access.Caller{Origin: "owner", Project: "x"}, "me", "", "x"},
		{access.Caller{Origin: "agent"}, "all", "", ""},
	} {
		r := access.As(httptest.NewRequest("GET", "/", nil), tt.who)
		c, _ := access.CallerOf(reading(r, tt.value).Context())
		if c.Space != tt.space || c.Project != tt.project || c.Origin != tt.who.Origin {
			t.Errorf("%+v reads %q as %+v", tt.who, tt.value, c)
		}
	}
}
