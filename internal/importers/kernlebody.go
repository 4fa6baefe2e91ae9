package importers

import (
	"slices"
	"strconv"
	"strings"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/lazy"
	"github.com/stemma-memory/stemma/memory"
)

// kernleDraft makes the draft of a row, and the words for which a record has no
// better place than a tag.
func kernleDraft(table string, kind memory.Kind, m members) (d api.Draft, labels []string, err error) {
	t := &taker{m: m}
	d.Kind = string(kind)
	label := func(s string) {
		if s != "" {
			labels = append(labels, s)
		}
	}
	switch kind {
	case memory.KindEpisode:
		t.episode(&d, label)
	case memory.KindNote:
		d.Text = t.need("content")
		d.Type, d.Speaker, d.Reason = t.text("note_type", "type"), speaker(t.text("speaker")), t.text("reason")
		if table != "notes" { // a summary, or what an agent tells of itself
			label(strings.TrimSuffix(strings.TrimSuffix(table, "ies"), "s"))
			d.Type = "insight"
		}
		if !slices.Contains(memory.NoteTypes, d.Type) {
			if d.Type != "note" {
				label(d.Type)
			}
			d.Type = ""
		}
	case memory.KindBelief:
		d.Text, d.Type = t.need("statement"), t.text("belief_type", "type")
		if _, says := m["is_active"]; says && !m.is("is_active") {
			label("archived")
		}
	case memory.KindValue:
		d.Name, d.Text = t.need("name"), t.text("statement", "description")
		d.Priority = t.priority()
	case memory.KindGoal:
		d.Text, d.Description = t.need("title", "description"), t.text("description")
		d.Type, d.Priority = t.text("goal_type", "type"), t.priority()
		if status := t.text("status"); status != "active" {
			label(status)
		}
		if d.Description == d.Text {
			d.Description = ""
		}
	case memory.KindDrive:
		d.Text, d.Intensity, d.Focus = t.need("drive_type", "type"), t.number(0, 1, "intensity"), t.texts("focus_areas")
	case memory.KindRelationship:
		d.Text, d.Description = speaker(t.need("entity_name", "name")), t.text("notes")
		d.Sentiment = t.number(-1, 1, "sentiment")
		label(t.text("relationship_type"))
		what := strings.ToLower(t.text("entity_type"))
		if other := map[string]string{
			"human": "person", "user": "person", "ai": "agent", "si": "agent", "organization": "organisation",
			"company": "organisation",
		}[what]; other != "" {
			what = other
		}
		if d.Type = what; !slices.Contains(memory.RelationshipTypes, what) {
			d.Type = ""
			label(what)
		}
	case memory.KindPlaybook:
		d.Text = t.need("name")
		d.When = strings.Join(t.texts("trigger_conditions"), "; ")
		if d.When == "" {
			d.When = t.text("description")
		}
		d.Steps, d.FailureModes, d.Recovery = t.texts("steps"), t.texts("failure_modes"), t.texts("recovery_steps")
		label(t.text("mastery_level"))
	}
	if (kind == memory.KindBelief || kind == memory.KindGoal) && !typeWord.Get().MatchString(d.Type) {
		label(d.Type)
		d.Type = ""
	}
	return d, labels, t.err
}

// typeWord is how a type is written that a belief or a goal can have.
var typeWord = lazy.Regexp(`^[a-z][a-z0-9_]{0,31}$`)

func (t *taker) episode(d *api.Draft, label func(string)) {
	d.Text, d.Outcome = t.need("objective"), t.text("outcome", "outcome_description")
	d.OutcomeType = t.text("outcome_type")
	d.Lessons, d.Repeat, d.Avoid = t.texts("lessons"), t.texts("repeat"), t.texts("avoid")
	d.Valence, d.Arousal, d.Emotions = t.number(
		-1, 1, "emotional_valence",
	), t.number(0, 1, "emotional_arousal"), t.texts("emotional_tags")
	if len(d.Emotions) == 0 && (d.Valence == nil || *d.Valence == 0) && (d.Arousal == nil || *d.Arousal == 0) {
		d.Valence, d.Arousal = nil, nil // nothing was felt, or nothing said of it
	}
	if !slices.Contains(memory.OutcomeTypes, d.OutcomeType) {
		label(d.OutcomeType)
		d.OutcomeType = ""
	}
}

// priority reads a number or one of the words for it.
func (t *taker) priority() *int {
	s := strings.ToLower(t.text("priority"))
	n, ok := map[string]int{"critical": 100, "high": 75, "medium": 50, "low": 25}[s]
	if !ok {
		f, err := strconv.ParseFloat(s, 64)
		if err != nil {
			return nil
		}
		n = int(min(max(f, 0), 100))
	}
	return &n
}
