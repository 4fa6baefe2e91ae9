package extract

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/stemma-memory/stemma/internal/model"
	"github.com/stemma-memory/stemma/internal/shorten"
	"github.com/stemma-memory/stemma/llm"
	"github.com/stemma-memory/stemma/memory"
)

// maxAnswerText bounds one text of an answer, in bytes.
const maxAnswerText = 2000

// answered is an entry of any answer: a question's shape says which members it has.
type answered struct {
	Kind        *string   `json:"kind"`
	Type        *string   `json:"type"`
	Name        *string   `json:"name"`
	Text        *string   `json:"text"`
	About       *[]string `json:"about"`
	Outcome     *string   `json:"outcome"`
	OutcomeType *string   `json:"outcome_type"`
	Lessons     *[]string `json:"lessons"`
	Valence     *float64  `json:"valence"`
	Arousal     *float64  `json:"arousal"`
	Labels      *[]string `json:"labels"`
	Priority    *int      `json:"priority"`
	Intensity   *float64  `json:"intensity"`
	From        *[]int    `json:"from"`
	ValidFrom   *string   `json:"valid_from"`
	Confidence  *float64  `json:"confidence"`
}

// strict reads the one object of an answer into v. A member that v lacks is nonsense.
func strict(answer string, v any) error {
	object, err := model.One(answer)
	if err != nil {
		return err
	}
	d := json.NewDecoder(bytes.NewReader(object))
	d.DisallowUnknownFields()
	if err := d.Decode(v); err != nil {
		return nonsense("%v", err)
	}
	return nil
}

func nonsense(format string, args ...any) error {
	return fmt.Errorf("%w: %s", llm.ErrNonsense, shorten.To(fmt.Sprintf(format, args...), maxSummary))
}

// has refuses an entry that lacks one of the members of its shape, or has another's. Members that may be null
// are named with a question mark.
func (a answered) has(members ...string) error {
	given := map[string]bool{
		"kind": a.Kind != nil, "type": a.Type != nil, "name": a.Name != nil, "text": a.Text != nil,
		"about": a.About != nil, "outcome": a.Outcome != nil,
		"outcome_type": a.OutcomeType != nil, "lessons": a.Lessons != nil, "valence": a.Valence != nil,
		"arousal": a.Arousal != nil,
		"labels":  a.Labels != nil, "priority": a.Priority != nil, "intensity": a.Intensity != nil, "from": a.From != nil,
		"valid_from": a.ValidFrom != nil, "confidence": a.Confidence != nil,
	}
	for _, m := range members {
		plain, nullable := strings.CutSuffix(m, "?")
		if !nullable && !given[plain] {
			return nonsense("%s is missing", plain)
		}
		delete(given, plain)
	}
	for m, set := range given {
		if set {
			return nonsense("%s does not belong there", m)
		}
	}
	return nil
}

// draft makes a draft of what every entry has. It reports false where the entry says nothing.
func (a answered) draft(kinds []memory.Kind, version string, n int) (d Draft, said bool, err error) {
	d.Rule = version
	if a.Kind != nil {
		d.Kind = memory.Kind(*a.Kind)
	} else {
		d.Kind = memory.KindBelief
	}
	if !slices.Contains(kinds, d.Kind) {
		return d, false, nonsense("kind %q is none of those asked for", shorten.To(string(d.Kind), 32))
	}
	if d.Confidence, err = share("confidence", *a.Confidence); err != nil {
		return d, false, err
	}
	if a.From != nil {
		if d.From, err = places(*a.From, n); err != nil {
			return d, false, err
		}
	} else {
		d.From = []int{0}
	}
	d.Text, d.Type = shown(*a.Text), strings.TrimSpace(*a.Type)
	if d.Kind == memory.KindNote && !slices.Contains(memory.NoteTypes, d.Type) || d.Kind == memory.KindRelationship &&
		d.Type != "" && !slices.Contains(memory.RelationshipTypes, d.Type) {
		return d, false, nonsense("type %q is none of a %s", shorten.To(d.Type, 32), d.Kind)
	}
	if d.Kind == memory.KindEpisode || d.Kind == memory.KindValue {
		d.Type = ""
	}
	if a.About != nil {
		for _, s := range *a.About {
			d.About = append(d.About, shown(s))
		}
	}
	if a.ValidFrom != nil {
		t, err := time.Parse(time.DateOnly, *a.ValidFrom)
		if err != nil {
			if t, err = time.Parse(time.RFC3339, *a.ValidFrom); err != nil {
				return d, false, nonsense("valid_from is no date")
			}
		}
		d.ValidFrom = memory.At(t)
	}
	if len(d.Text) > maxAnswerText {
		return d, false, nonsense("a text of %d bytes", len(d.Text))
	}
	return d, d.Text != "" && len(d.From) > 0, nil
}

// share takes a finite number from 0 to 1 as thousandths.
func share(field string, f float64) (memory.Confidence, error) {
	if math.IsNaN(f) || f < 0 || f > 1 {
		return 0, nonsense("%s must be from 0 to 1", field)
	}
	return memory.Confidence(math.Round(f * float64(memory.Certain))), nil
}

// places turns the numbers of parts, from 1 to n, into places from 0.
func places(from []int, n int) ([]int, error) {
	var out []int
	for _, k := range from {
		if k < 1 || k > n {
			return nil, nonsense("from names %d, there are %d", k, n)
		}
		if !slices.Contains(out, k-1) {
			out = append(out, k-1)
		}
	}
	return out, nil
}

// shown is a text of an answer on one line, without what steers a terminal or hides.
func shown(s string) string {
	return line(strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t' || r == '\r':
			return ' '
		case r < ' ' || r >= 0x7f && r < 0xa0 || r == utf8.RuneError || r >= 0x200b && r <= 0x200f || r >= 0x202a &&
			r <= 0x202e ||
			r >= 0x2060 && r <= 0x206f || r == 0xfeff || r >= 0xe0000 && r <= 0xe007f:
			return -1
		}
		return r
	}, s))
}

// ReadExtract reads the answer to AskExtract. Every draft rests on event 0, the text.
func ReadExtract(answer string) ([]Entity, []Draft, error) {
	var a struct {
		Entities *[]Entity   `json:"entities"`
		Memories *[]answered `json:"memories"`
	}
	if err := strict(answer, &a); err != nil {
		return nil, nil, err
	}
	if a.Entities == nil || a.Memories == nil {
		return nil, nil, nonsense("entities or memories are missing")
	}
	var entities []Entity
	for _, e := range *a.Entities {
		if !slices.Contains(entityKinds, e.Kind) {
			return nil, nil, nonsense("an entity of kind %q", shorten.To(e.Kind, 32))
		}
		if len(e.Name) > memory.MaxNameBytes {
			return nil, nil, nonsense("a name of %d bytes", len(e.Name))
		}
		if e.Name = name(shown(e.Name)); e.Name != "" && len(entities) < maxAbout && !slices.Contains(entities, e) {
			entities = append(entities, e)
		}
	}
	drafts, err := each(*a.Memories, func(m answered) (Draft, bool, error) {
		if err := m.has("kind", "type", "text", "about", "confidence", "valid_from?"); err != nil {
			return Draft{}, false, err
		}
		d, said, err := m.draft(extractKinds, ExtractVersion, 1)
		switch d.Kind {
		case memory.KindRelationship:
			if said = said && len(d.About) > 0; said {
				d.Who = name(d.About[0])
			}
		case memory.KindEpisode:
			d.OutcomeType = "unknown"
		}
		return d, said, err
	})
	return entities, drafts, err
}

// ReadProcess reads the answer to AskProcess about n events.
func ReadProcess(answer string, n int) ([]Draft, error) {
	var a struct {
		Memories *[]answered `json:"memories"`
	}
	if err := strict(answer, &a); err != nil {
		return nil, err
	}
	if a.Memories == nil {
		return nil, nonsense("memories are missing")
	}
	return each(*a.Memories, func(m answered) (Draft, bool, error) {
		if err := m.has(
			"kind", "type", "text", "outcome?", "outcome_type", "lessons", "valence?", "arousal?", "from",
			"confidence",
		); err != nil {
			return Draft{}, false, err
		}
		d, said, err := m.draft(processKinds, ProcessVersion, n)
		if err != nil {
			return d, false, err
		}
		if !slices.Contains(memory.OutcomeTypes, *m.OutcomeType) {
			return d, false, nonsense("outcome_type %q", shorten.To(*m.OutcomeType, 32))
		}
		emotion, err := m.emotion()
		if err != nil || d.Kind != memory.KindEpisode {
			return d, said, err
		}
		d.OutcomeType, d.Emotion = *m.OutcomeType, emotion
		if m.Outcome != nil {
			d.Outcome = shorten.To(shown(*m.Outcome), maxAnswerText)
		}
		for _, l := range *m.Lessons {
			if l = shown(l); len(l) <= maxAnswerText && len(d.Lessons) < maxDrafts {
				d.Lessons = append(d.Lessons, l)
			}
		}
		return d, said, nil
	})
}

// emotion returns how it felt where both numbers are there.
func (a answered) emotion() (*memory.Emotion, error) {
	if a.Valence != nil && (math.Abs(*a.Valence) > 1 || math.IsNaN(*a.Valence)) {
		return nil, nonsense("valence must be from -1 to 1")
	}
	if a.Arousal != nil {
		if _, err := share("arousal", *a.Arousal); err != nil {
			return nil, err
		}
	}
	if a.Valence == nil || a.Arousal == nil {
		return nil, nil
	}
	e := &memory.Emotion{
		Valence: int(
			math.Round(*a.Valence * float64(memory.Certain)),
		), Arousal: int(math.Round(*a.Arousal * float64(memory.Certain))),
	}
	if a.Labels != nil {
		for _, l := range *a.Labels {
			if l = strings.ToLower(shown(l)); l != "" && len(l) <= memory.MaxTagBytes && len(e.Labels) < maxAbout {
				e.Labels = append(e.Labels, l)
			}
		}
		e.Labels = lines(e.Labels)
	}
	return e, nil
}

// ReadConsolidate reads the answer to AskConsolidate about n episodes. What rests on one alone is no pattern.
func ReadConsolidate(answer string, n int) ([]Draft, error) {
	var a struct {
		Beliefs *[]answered `json:"beliefs"`
	}
	if err := strict(answer, &a); err != nil {
		return nil, err
	}
	if a.Beliefs == nil {
		return nil, nonsense("beliefs are missing")
	}
	return each(*a.Beliefs, func(m answered) (Draft, bool, error) {
		if err := m.has("text", "type", "from", "confidence"); err != nil {
			return Draft{}, false, err
		}
		d, said, err := m.draft([]memory.Kind{memory.KindBelief}, ConsolidateVersion, n)
		return d, said && len(d.From) > 1, err
	})
}

// ReadIdentity reads the answer to AskIdentity about n beliefs. A drive of a name has its sentence as its focus.
func ReadIdentity(answer string, n int) ([]Draft, error) {
	var a struct {
		Suggestions *[]answered `json:"suggestions"`
	}
	if err := strict(answer, &a); err != nil {
		return nil, err
	}
	if a.Suggestions == nil {
		return nil, nonsense("suggestions are missing")
	}
	return each(*a.Suggestions, func(m answered) (Draft, bool, error) {
		if err := m.has("kind", "name", "text", "type", "priority?", "intensity?", "from", "confidence"); err != nil {
			return Draft{}, false, err
		}
		d, said, err := m.draft(identityKinds, IdentityVersion, n)
		if err != nil {
			return d, false, err
		}
		if m.Priority != nil {
			if *m.Priority < 0 || *m.Priority > 100 {
				return d, false, nonsense("priority must be from 0 to 100")
			}
			d.Priority = m.Priority
		}
		if m.Intensity != nil {
			share, err := share("intensity", *m.Intensity)
			if err != nil {
				return d, false, err
			}
			of := int(share)
			d.Intensity = &of
		}
		if called := name(shown(*m.Name)); called != "" {
			d.Body, d.Text = d.Text, called
		}
		return d, said, nil
	})
}

func each(list []answered, read func(answered) (Draft, bool, error)) ([]Draft, error) {
	var drafts []Draft
	for _, a := range list {
		d, said, err := read(a)
		if err != nil {
			return nil, err
		}
		if said && len(drafts) < maxDrafts {
			drafts = append(drafts, d)
		}
	}
	return kept(drafts), nil
}
