package core_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/memory"
)

// What readings cover where no space is named: one's own and the team's, one's own alone, or what
// a person lists. Every reading follows it, and says who wrote what another wrote.
func TestWhatIsReadWhereNoSpaceIsNamed(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	team := newTeam(t, 2)
	ada, bob := team.All[0], team.All[1]
	theirs := add(t, team.In(0, memory.OriginOwner), "belief", "the heron of the team fishes at dawn")
	diary := ada.As(memory.OriginOwner, func(c *engine.Config) { c.Space = "diary" })
	add(t, diary, "belief", "the heron of the diary is shy")
	own := add(t, bob.Owner, "belief", "the heron of my own sleeps at noon")
	plans := bob.As(memory.OriginOwner, func(c *engine.Config) { c.Space = "plans" })
	private := add(t, plans, "belief", "the heron plans")
	team.Settle(t)

	for _, tt := range []struct {
		read, space string
		want        []string
	}{
		{"", "", []string{own, theirs}},
		{"team", "", []string{own, theirs}},
		{"mine", "", []string{own}},
		{"plans", "", []string{private}},
		{"team", "plans", []string{private}},
		{"mine", team.Space, []string{theirs}},
		{"main, " + team.Space, "", []string{own, theirs}},
		{"team", "main", []string{own}},
		{"*", "", []string{own, private, theirs}},
	} {
		e := bob.As(memory.OriginAgent, func(c *engine.Config) { c.Space, c.ReadSpaces = tt.space, tt.read })
		wantRefs(t, "search, "+tt.read+" "+tt.space, search(t, e, api.SearchRequest{Query: "heron"}), tt.want...)
		listed := currentIn(t, e)
		if len(listed) != len(tt.want) {
			t.Errorf("list, %q: %d memories, want %d", tt.read, len(listed), len(tt.want))
		}
		pack, err := e.Context(ctx, api.ContextRequest{Query: "heron"})
		if err != nil {
			t.Fatal(err)
		}
		loaded, err := e.Load(ctx, api.LoadRequest{})
		if err != nil {
			t.Fatal(err)
		}
		for i, reply := range []api.ContextReply{pack, loaded} {
			raw, err := reply.Render("text", false)
			if err != nil {
				t.Fatal(err)
			}
			text := string(raw)
			says := "of the team"
			if i > 0 {
				says = "left out: 1 unverified" // what a session begins with counts it, and does not give it
			}
			if has := strings.Contains(text, says); has != slices.Contains(tt.want, theirs) {
				t.Errorf("pack, %q: has the team's %v: %s", tt.read, has, text)
			}
			if strings.Contains(text, "of the team") && !strings.Contains(text, " in team") {
				t.Errorf("pack, %q: it does not say who wrote it: %s", tt.read, text)
			}
		}
	}
	for _, ref := range []string{own, theirs} {
		if by := show(t, bob.Owner, ref).By; strings.HasSuffix(by, " in team") != (ref == theirs) {
			t.Errorf("%s is by %q", ref, by)
		}
	}
	if _, err := engine.Open(ctx, "mem", engine.Config{ReadSpaces: "a b"}); !errors.Is(err, api.ErrInvalid) {
		t.Errorf("names with a space in them: %v, want it invalid", err)
	}

	// what acts reaches no further than it did: an agent drafts nothing of what others captured
	capture(t, team.In(0, memory.OriginOwner), "Remember: the team uses Postgres 17 for everything.")
	if r, err := bob.Agent.Process(ctx, api.ProcessRequest{Later: true}); err != nil || r.Raws > 0 {
		t.Errorf("process: %d raws of others, %v", r.Raws, err)
	}
}

// What is mine follows who owns a space now, and not its name alone. Who handed one over goes on reading
// it, as they go on writing in it.
func TestWhatIsMineFollowsAHandover(t *testing.T) {
	t.Parallel()
	team := newTeam(t, 3)
	theirs := add(t, team.In(0, memory.OriginOwner), "belief", "the heron of the team fishes at dawn")
	add(t, team.In(1, memory.OriginOwner), "belief", "the mill opens at 6") // the heir is known there
	var own []string
	for i, p := range team.All {
		own = append(own, add(t, p.Owner, "belief", "the heron sleeps at "+[]string{"noon", "dusk", "dawn"}[i]))
	}
	team.Settle(t)
	reads := func(when string, i int, read string, want ...string) {
		t.Helper()
		e := team.All[i].As(memory.OriginAgent, func(c *engine.Config) { c.ReadSpaces = read })
		wantRefs(t, when+", "+read, search(t, e, api.SearchRequest{Query: "heron"}), want...)
	}
	reads("before", 0, "mine", own[0])
	reads("before", 1, "team", own[1], theirs)
	for i := range 3 {
		want := []string{theirs}
		if i > 0 {
			want = nil
		}
		reads("before", i, "team,plans", want...)
	}
	if err := team.HandOver(t, 0, 1, memory.OriginOwner); err != nil {
		t.Fatal(err)
	}
	team.Settle(t)
	for i := range 3 {
		reads("after", i, "mine", own[i])
		want := []string{theirs} // of the name, who began it and who owns it now
		if i == 2 {
			want = nil
		}
		reads("after", i, "team,plans", want...)
	}
}
