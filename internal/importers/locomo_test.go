package importers

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/datasets"
	"github.com/stemma-memory/stemma/memory"
)

// locomo reads a file, and gives its records in order and by alias.
func locomo(t testing.TB, path string) ([]api.Foreign, map[string]api.Foreign) {
	t.Helper()
	seq, total, err := LoCoMo(path)
	if err != nil {
		t.Fatal(err)
	}
	all := collect(t, seq)
	if len(all) != total {
		t.Errorf("%s: %d records, promised %d", path, len(all), total)
	}
	byAlias := make(map[string]api.Foreign)
	for _, f := range all {
		if _, twice := byAlias[f.Alias[0]]; twice {
			t.Errorf("%s appears twice", f.Alias[0])
		}
		for _, a := range f.From {
			if _, ok := byAlias[a]; !ok {
				t.Errorf("%s comes before its source %s", f.Alias[0], a)
			}
		}
		byAlias[f.Alias[0]] = f
	}
	return all, byAlias
}

func TestLoCoMoTurns(t *testing.T) {
	all, byAlias := locomo(t, "testdata/garden.json")
	if len(all) != 6+7+1 {
		t.Errorf("%d records, want 6 turns, 7 observations and a summary", len(all))
	}
	for _, tt := range []struct {
		id, session string
		want        memory.Raw
		ext         string
	}{
		{"D1:1", "session_1", memory.Raw{Text: "Hi Ben! The pear tree is in the ground. ", Speaker: "Ada"}, ""},
		{
			"D1:3", "session_1", memory.Raw{Text: "Look:", Speaker: "Ada", Caption: "a young tree in a garden"},
			`{"img_url":["https://example.org/pear.jpg"],"query":"pear tree","re-download":true}`,
		},
		{"D1:4", "session_1", memory.Raw{Text: "(a picture)", Speaker: "Ben", Caption: "a watering can"}, ""},
		{"D2:2", "session_2", memory.Raw{Text: "And to you.", Speaker: "Ada"}, ""},
	} {
		f := byAlias["locomo:garden:"+tt.id]
		tt.want.Source, tt.want.Event = "import", "turn"
		got := *raw(t, f)
		got.OccurredAt = memory.Time{}
		if got != tt.want || string(f.Ext) != tt.ext || f.Meta.Session != "locomo:garden:"+tt.session {
			t.Errorf(
				"%s = %+v ext %s in %s, want %+v ext %s in %s", tt.id, got, f.Ext, f.Meta.Session, tt.want,
				tt.ext, tt.session,
			)
		}
	}
	for id, want := range map[string]string{
		"D1:1": "2023-12-31T23:59:00.000Z", "D1:4": "2023-12-31T23:59:03.000Z", "D2:1": "2024-01-01T01:05:00.000Z",
	} {
		if got := raw(t, byAlias["locomo:garden:"+id]).OccurredAt.String(); got != want {
			t.Errorf("%s occurred at %s, want %s", id, got, want)
		}
	}
}

// sessionTimed adds the time of the first session to an ext.
func sessionTimed(ext string) string {
	const made = `"created_at":"2023-12-31T23:59:00.000Z"}`
	if ext == "" {
		return "{" + made
	}
	return strings.TrimSuffix(ext, "}") + "," + made
}

// TestLoCoMoCites: however a citation is written, the turns that exist become
// sources and those that do not are named.
func TestLoCoMoCites(t *testing.T) {
	_, byAlias := locomo(t, "testdata/garden.json")
	for _, tt := range []struct{ note, summary, from, via, ext string }{
		{"observation:Ben:1", "Ben waters by hand.", "D1:4", "inference", ""},
		{"observation:Ada:1", "Ada planted a pear tree.", "D1:1 D1:3", "inference", ""},
		{"observation:Ada:2", "Ada likes to show pictures.", "D1:3 D2:1 D1:2", "inference", ""},
		{"observation:Ada:3", "Ada has a dog.", "", "import", `{"cites":["D9:9"]}`},
		{"observation:Ada:4", "Ada is happy.", "", "import", ""},
		{"observation:Ada:5", "Ada answers.", "D2:2", "inference", `{"cites":["D7:1","the second talk"]}`},
		{"observation:Ada:6", "Ada gardens.", "", "import", ""},
		{"summary", "Ada planted a tree.", "D1:1 D1:2 D1:3 D1:4", "inference", ""},
	} {
		f, ok := byAlias["locomo:garden:session_1:"+tt.note]
		if !ok {
			t.Errorf("there is no %s", tt.note)
			continue
		}
		b := note(t, f)
		from := strings.ReplaceAll(strings.Join(f.From, " "), "locomo:garden:", "")
		if b.Summary != tt.summary || b.Type != "observation" || from != tt.from || string(f.Via) != tt.via ||
			string(f.Ext) != sessionTimed(tt.ext) {
			t.Errorf("%s = %q from %q via %s ext %s, want %q from %q via %s ext %s",
				tt.note, b.Summary, from, f.Via, f.Ext, tt.summary, tt.from, tt.via, tt.ext)
		}
		what, who, _ := strings.Cut(tt.note, ":")
		who, _, _ = strings.Cut(who, ":")
		if !slices.Equal(f.Meta.Tags, []string{what}) || b.Speaker != who || strings.Join(f.Meta.About, " ") != who {
			t.Errorf("%s: tags %v, speaker %q, about %v", tt.note, f.Meta.Tags, b.Speaker, f.Meta.About)
		}
	}
	if got, want := note(
		t, byAlias["locomo:garden:session_1:summary"],
	).Body, "Ada planted a tree.\nBen asked to see it."; got != want {
		t.Errorf("the body of the summary = %q, want %q", got, want)
	}
}

func TestLoCoMoReadsThePublishedFile(t *testing.T) {
	all, byAlias := locomo(t, "testdata/published.json")
	if len(all) != 4 {
		t.Errorf("%d records, want 4", len(all))
	}
	if got := byAlias["locomo:conv-1:session_1:observation:Ada:1"].From; !slices.Equal(
		got, []string{"locomo:conv-1:D1:1"},
	) {
		t.Errorf("the observation comes from %v", got)
	}
	if got, want := raw(t, byAlias["locomo:conv-2:D1:1"]).Text, "Good evening."; got != want {
		t.Errorf("conv-2 D1:1 = %q, want %q", got, want)
	}
}

func TestLoCoMoRefuses(t *testing.T) {
	const said = `"session_1": [{"dia_id": "D1:1", "text": "x"}]`
	for content, want := range map[string]string{
		``:                             "unexpected end",
		`{"a": `:                       "unexpected end",
		`{}`:                           "has no session_1",
		`[null]`:                       "has no session_1",
		`"x"`:                          "cannot unmarshal",
		`{"session_1": {}}`:            "session_1: ",
		`{"session_1": [{"text": 1}]}`: "session_1, turn 1: text: must be a string",
		`{"session_1": [{"dia_id": "D1:1", "text": "x"}, {"dia_id": "D1:1", "text": "y"}]}`: "turn 2: dia_id: \"D1:1\" " +
			"is another turn's",
		`{` + said + `, "session_1_date_time": "yesterday"}`: "session_1_date_time: ",
		`{` + said + `, "session_1_observation": {"Ada": [[1]]}}`: "session_1_observation: " +
			"an observation is written",
		`{` + said + `, "session_1_observation": {"Ada": [["x", {}]]}}`: "session_1_observation: an observation is written",
		`{"conversation": []}`: "conversation: ",
		`[{"sample_id": 1}]`:   "sample_id must be a string",
		`[{"sample_id": "a", ` + said + `}, {"sample_id": "a", ` + said + `}]`: "two conversations are called a",
	} {
		path := filepath.Join(t.TempDir(), "bad.json")
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		_, _, err := LoCoMo(path)
		refused(t, err, want)
	}
	_, _, err := LoCoMo(filepath.Join(t.TempDir(), "nobody.json"))
	refused(t, err, "no such file")
}

// TestLoCoMoOfFacts counts what a reader of another language counted in five of
// the ten conversations.
func TestLoCoMoOfFacts(t *testing.T) {
	for file, want := range map[string]struct{ turns, captions, observations, summaries, sources int }{
		"26.json": {419, 116, 184, 19, 184},
		"30.json": {369, 72, 169, 19, 170},
		"41.json": {663, 131, 324, 32, 324},
		"42.json": {629, 119, 266, 29, 266},
		"43.json": {680, 164, 267, 29, 270},
	} {
		t.Run(file, func(t *testing.T) {
			all, _ := locomo(t, datasets.File(t, "locomo", file))
			got := want
			got.turns, got.captions, got.observations, got.summaries, got.sources = 0, 0, 0, 0, 0
			for _, f := range all {
				switch {
				case memory.KindOf(f.Body) == memory.KindRaw:
					got.turns++
					if b := raw(t, f); b.Caption != "" {
						got.captions++
					} else if b.OccurredAt.IsZero() {
						t.Errorf("%s has no time", f.Alias[0])
					}
				case slices.Contains(f.Meta.Tags, "observation"):
					got.observations++
					got.sources += len(f.From)
				default:
					got.summaries++
				}
			}
			if got != want {
				t.Errorf("counted %+v, want %+v", got, want)
			}
		})
	}
}
