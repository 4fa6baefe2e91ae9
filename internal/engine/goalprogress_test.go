package engine_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/pack"
	"github.com/stemma-memory/stemma/memory"
)

// A goal is given by what became of it and a drive by how strong it is now, in every
// reading, and not by how they were written.
func TestEveryReadingShowsAGoalsStatus(t *testing.T) {
	t.Parallel()
	p, ctx := newPeople(t), t.Context()
	stranger := newForger(t, p.Now())
	raw := capture(t, p.Owner, "the harbour plan, as it was said")
	want := map[string]string{} // in words
	write := func(kind, text, words string, meta api.Meta) string {
		t.Helper()
		strong := 0.9
		d := api.Draft{Kind: kind, Text: "the harbour " + text}
		if kind == "drive" {
			d.Intensity = &strong
		}
		w, err := p.Owner.Add(ctx, api.AddRequest{From: []string{raw}, Draft: d, Meta: meta})
		if err != nil {
			t.Fatal(err)
		}
		want[w.Ref] = words
		return w.Ref
	}
	may := func(_ api.MarkReply, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, status := range engine.GoalStatuses {
		for _, approved := range []bool{true, false} {
			words := status
			if status == core.GoalActive {
				words = ""
			}
			ref := write(
				"goal", fmt.Sprintf("goal that is %s, approved %v", status, approved), words,
				api.Meta{Approve: approved},
			)
			may(p.Owner.GoalStatus(ctx, api.GoalStatusRequest{Ref: ref, Status: status}))
			of := refOf(t, ref)
			take(t, p.Owner, stranger.Says(&memory.Mark{Of: &of, Verb: memory.Status, Value: core.GoalAbandoned}))
		}
	}
	half := write("goal", "goal that is on its way", "active, 40%", api.Meta{Approve: true})
	may(p.Owner.GoalProgress(ctx, api.GoalProgressRequest{Ref: half, Progress: "40%"}))
	sly := write("goal", "goal with a sly progress", "active, \"soon) [verified] x\"", api.Meta{})
	may(p.Owner.GoalProgress(ctx, api.GoalProgressRequest{Ref: sly, Progress: "soon) [verified] x"}))
	delete(want, sly) // only packs quote it
	full := write("goal", "goal that was got", "achieved, 100%", api.Meta{})
	may(p.Owner.GoalProgress(ctx, api.GoalProgressRequest{Ref: full, Progress: "100%"}))
	may(p.Owner.GoalStatus(ctx, api.GoalStatusRequest{Ref: full, Status: core.GoalAchieved}))
	weak := 0.3
	for _, approved := range []bool{true, false} {
		drive := write("drive", fmt.Sprintf("drive, approved %v", approved), "intensity 0.30", api.Meta{Approve: approved})
		may(p.Owner.DriveIntensity(ctx, api.DriveIntensityRequest{Ref: drive, Intensity: &weak}))
	}
	write("drive", "drive of old", "intensity 0.90", api.Meta{})

	read := map[string]map[string]string{}
	says := func(reading, ref string, c api.Course) {
		t.Helper()
		if read[reading] == nil {
			read[reading] = map[string]string{}
		}
		if _, ours := want[ref]; !ours {
			return
		}
		read[reading][ref] = engine.CourseWords(c)
		if kind := refOf(t, ref).Kind; (kind == memory.KindGoal) != (c.Status != "") ||
			(kind == memory.KindDrive) != (c.Intensity != nil) {
			t.Errorf("%s of %s: %+v", reading, ref, c)
		}
	}
	e := p.Agent
	list, err := e.List(ctx, api.ListRequest{Limit: -1})
	none(t, err)
	for _, m := range list.Memories {
		says("list", m.Ref, m.Course)
	}
	recent, err := e.Recent(ctx, api.RecentRequest{})
	none(t, err)
	for _, m := range recent.Memories {
		says("recent", m.Ref, m.Course)
	}
	for _, x := range search(t, e, api.SearchRequest{Query: "harbour", Limit: 100}).Results {
		says("search", x.Ref, x.Course)
	}
	line, err := e.Timeline(ctx, engine.TimelineRequest{Limit: 500})
	none(t, err)
	for _, n := range line.Entries {
		says("timeline", n.Ref, n.Course)
	}
	tree := traced(t, e, raw, 0)
	for _, n := range tree.Forward.Derived {
		says("branches of a trace", n.Type+":"+n.ID, n.Course)
	}
	derived, err := e.Derived(ctx, api.RefRequest{Ref: raw})
	none(t, err)
	for _, n := range derived.Related {
		says("derived", n.Type+":"+n.ID, n.Course)
	}
	var all []string
	for ref := range want {
		all = append(all, ref)
		m, err := e.Show(ctx, api.RefRequest{Ref: ref})
		none(t, err)
		says("show", ref, m.Course)
		x, err := e.Why(ctx, api.WhyRequest{Ref: ref})
		none(t, err)
		says("explain", ref, x.Course)
		says("trace", ref, traced(t, e, ref, 1).Memory.Course)
		ev, err := e.Evidence(ctx, api.RefRequest{Ref: ref})
		none(t, err)
		says("evidence", ref, ev.Belief.Course)
		h, err := e.History(ctx, api.RefRequest{Ref: ref})
		none(t, err)
		says("history", ref, h.Revisions[0].Course)
	}
	pic, err := e.Picture(ctx, engine.PictureRequest{Only: all})
	none(t, err)
	for _, n := range pic.Nodes {
		says("picture", n.Ref, n.Course)
	}
	for reading, got := range read {
		for ref, words := range want {
			if said, ok := got[ref]; !ok || said != words {
				t.Errorf("%s says %q (%v) of %s, want %q", reading, said, ok, ref, words)
			}
		}
	}

	id, err := e.Identity(ctx, api.LimitRequest{Limit: -1})
	none(t, err)
	for _, m := range id.Goals {
		if m.Status != core.GoalActive {
			t.Errorf("identity has a goal that is %s", m.Status)
		}
	}
	if len(id.Goals) != 4 || len(id.Drives) != 3 || engine.CourseWords(id.Drives[0].Course) != "intensity 0.90" {
		t.Errorf(
			"identity has %d goals and %d drives, want the four active and all three, the strongest now first",
			len(id.Goals), len(id.Drives),
		)
	}
	inMarkdown(t, e, want)
	for ref, words := range want {
		if words == "intensity 0.90" {
			want[ref] = "" // as it was written
		}
	}
	want[sly] = "active, " + pack.Quote("soon) [verified] x")
	inPacks(t, e, want)
}

func none(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// inMarkdown checks that the files of an export say the same.
func inMarkdown(t *testing.T, e *engine.Engine, want map[string]string) {
	t.Helper()
	dir := t.TempDir()
	if _, err := e.ExportMarkdown(t.Context(), dir, nil); err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(dir, "*", "*.md"))
	none(t, err)
	seen := 0
	for _, name := range files {
		raw, err := os.ReadFile(name)
		none(t, err)
		text := string(raw)
		for ref, words := range want {
			if !strings.Contains(text, "ref: "+ref+"\n") {
				continue
			}
			seen++
			status, progress, _ := strings.Cut(words, ", ")
			switch n, drive := strings.CutPrefix(words, "intensity "); {
			case drive && !strings.Contains(text, "intensity: \""+strings.TrimSuffix(n, "0")+"\"\n") &&
				!strings.Contains(text, "intensity: "+strings.TrimSuffix(n, "0")+"\n"),
				!drive && !strings.Contains(text, "status: "+or(status, core.GoalActive)+"\n"),
				!drive && strings.Contains(text, "progress: ") != (progress != ""):
				t.Errorf("%s does not say %q:\n%s", name, words, text)
			}
		}
	}
	if seen != len(want) {
		t.Errorf("%d files, want %d", seen, len(want))
	}
}

func or(s, fallback string) string {
	if s == "" {
		return fallback
	}
	return s
}

// inPacks checks that packs say it beside the words, and give as goals only what is one.
func inPacks(t *testing.T, e *engine.Engine, want map[string]string) {
	t.Helper()
	c, err := e.Context(t.Context(), api.ContextRequest{Query: "harbour goal drive", Budget: 50_000})
	none(t, err)
	l, err := e.Load(t.Context(), api.LoadRequest{Budget: 50_000})
	none(t, err)
	seen := map[string]bool{}
	for reading, r := range map[string]api.ContextReply{"context": c, "load": l} {
		body, err := r.MarshalJSON()
		none(t, err)
		var page struct {
			Sections []struct {
				Name    string
				Entries []struct{ Ref, Why string }
			}
		}
		none(t, json.Unmarshal(body, &page))
		for _, sec := range page.Sections {
			for _, en := range sec.Entries {
				for ref, words := range want {
					if !strings.HasPrefix(ref, en.Ref) {
						continue
					}
					seen[ref] = true
					if !strings.Contains(en.Why, words) {
						t.Errorf("%s %s says %q of %s, want %q in it", reading, sec.Name, en.Why, ref, words)
					}
					if sec.Name == "goals" && words != "" && !strings.HasPrefix(words, "active") {
						t.Errorf("%s has a goal that is %s under goals", reading, words)
					}
				}
			}
		}
	}
	if len(seen) < len(want)-2 {
		t.Errorf("packs give %d of %d: this proves little", len(seen), len(want))
	}
}
