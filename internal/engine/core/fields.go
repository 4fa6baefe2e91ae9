package core

import (
	"reflect"
	"slices"
	"strings"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/memory"
)

// A field is a member of a Draft and where it stands in a body: a *string, a *[]string
// or an *int. Numbers of a draft are decimals where the body has thousandths.
type field struct {
	Name string
	At   any
}

// NewBody returns the body of a kind of which nothing has been said yet; nil for what is
// no kind of memory, and for a raw, which is no draft.
func NewBody(k memory.Kind) memory.Body {
	switch k {
	case memory.KindEpisode:
		return &memory.Episode{}
	case memory.KindNote:
		return &memory.Note{Type: DefaultNote}
	case memory.KindBelief:
		return &memory.Belief{Type: defaultBelief}
	case memory.KindValue:
		return &memory.Value{Priority: defaultPriority}
	case memory.KindGoal:
		return &memory.Goal{Priority: defaultPriority}
	case memory.KindDrive:
		return &memory.Drive{Intensity: defaultIntensity}
	case memory.KindRelationship:
		return &memory.Relationship{}
	case memory.KindPlaybook:
		return &memory.Playbook{}
	}
	return nil
}

// FieldsOf returns the fields of a body, but for those that sayWords takes.
func FieldsOf(body memory.Body) []field {
	switch b := body.(type) {
	case *memory.Episode:
		return []field{
			{"text", &b.Objective}, {"outcome", &b.Outcome}, {"outcome_type", &b.OutcomeType},
			{"lessons", &b.Lessons}, {"repeat", &b.Repeat}, {"avoid", &b.Avoid},
		}
	case *memory.Note:
		return []field{
			{"type", &b.Type}, {"speaker", &b.Speaker}, {"reason", &b.Reason}, {"alternatives", &b.Alternatives},
		}
	case *memory.Belief:
		return []field{{"text", &b.Statement}, {"type", &b.Type}}
	case *memory.Value:
		return []field{{"priority", &b.Priority}}
	case *memory.Goal:
		return []field{
			{"text", &b.Title}, {"description", &b.Description}, {"type", &b.Type}, {"priority", &b.Priority},
		}
	case *memory.Drive:
		return []field{{"text", &b.Type}, {"intensity", &b.Intensity}, {"focus", &b.Focus}}
	case *memory.Relationship:
		return []field{
			{"text", &b.Name}, {"type", &b.Type}, {"description", &b.Description}, {"sentiment", &b.Sentiment},
		}
	case *memory.Playbook:
		return []field{
			{"text", &b.Name}, {"when", &b.When}, {"steps", &b.Steps}, {"failure_modes", &b.FailureModes},
			{"recovery", &b.Recovery},
		}
	}
	return nil
}

// say puts what d says into a body and leaves the rest of it. Its error names the
// member at fault.
func DraftSay(d api.Draft, body memory.Body) error {
	n := Numbers{}
	draftSayWords(&d, body, &n)
	for _, f := range FieldsOf(body) {
		switch in := draftMember(&d, f.Name).(type) {
		case *string:
			if *in != "" {
				*f.At.(*string), *in = *in, ""
			}
		case *[]string:
			if len(*in) > 0 {
				*f.At.(*[]string), *in = *in, nil
			}
		case **int:
			if *in != nil {
				*f.At.(*int), *in = **in, nil
			}
		case **float64:
			if *in != nil {
				*f.At.(*int), *in = n.thousandths(f.Name, **in), nil
			}
		}
	}
	if n.Err != nil {
		return Classify(n.Err)
	}
	if extra := draftFirst(&d); extra != "" {
		return Invalid("%s: a %s has no such member", extra, body.Kind())
	}
	return Classify(memory.Check(body))
}

// sayWords takes out of d what stands in a body in more than one way.
func draftSayWords(d *api.Draft, body memory.Body, n *Numbers) {
	switch b := body.(type) {
	case *memory.Episode:
		draftSayFeeling(d, b, n)
	case *memory.Note:
		draftSayNote(d, b)
	case *memory.Value:
		draftSayValue(d, b)
	}
}

// sayFeeling puts a feeling into an episode. What was not said of it stays.
func draftSayFeeling(d *api.Draft, b *memory.Episode, n *Numbers) {
	if d.Valence == nil && d.Arousal == nil && len(d.Emotions) == 0 {
		return
	}
	felt := memory.Emotion{}
	if b.Emotion != nil {
		felt = *b.Emotion
	}
	if d.Valence != nil {
		felt.Valence = n.thousandths("valence", *d.Valence)
	}
	if d.Arousal != nil {
		felt.Arousal = n.thousandths("arousal", *d.Arousal)
	}
	if len(d.Emotions) > 0 {
		felt.Labels = d.Emotions
	}
	b.Emotion = &felt
	d.Valence, d.Arousal, d.Emotions = nil, nil, nil
}

// sayNote puts words into a note. A body that is the whole of a long text goes with
// the text; one that was given beside its summary stays until it is said again.
func draftSayNote(d *api.Draft, b *memory.Note) {
	if d.Text != "" {
		beside := b.Body
		if IsWhole(b) {
			beside = ""
		}
		b.Summary, b.Body = summarise(d.Text)
		if d.Description == "" {
			b.Body = paragraphs(b.Body, beside)
		}
	} else if d.Description != "" {
		b.Body = ""
	}
	b.Body = paragraphs(b.Body, d.Description)
	d.Text, d.Description = "", ""
}

// IsWhole reports whether a note's body is the text of which its summary was made.
func IsWhole(b *memory.Note) bool {
	summary, _ := summarise(b.Body)
	return summary == b.Summary
}

func paragraphs(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + "\n\n" + b
}

// sayValue puts words into a value, which is a name and, often, a statement. Words
// without a name are the statement where there is one, and otherwise the name.
func draftSayValue(d *api.Draft, b *memory.Value) {
	text, description := d.Text, d.Description
	switch {
	case d.Name != "":
		b.Name = d.Name
		if b.Statement = Or(text, Or(description, b.Statement)); text != "" && description != "" {
			d.Name, d.Text = "", "" // which of the two it states is not known: the description is refused
			return
		}
	case text != "" && (description != "" || b.Statement == ""):
		b.Name, b.Statement = text, Or(description, b.Statement)
	default:
		b.Statement = Or(text, Or(description, b.Statement))
	}
	d.Name, d.Text, d.Description = "", "", ""
}

// DraftOf returns the draft of which a memory's body would be made again.
func DraftOf(body memory.Body) api.Draft {
	d := api.Draft{Kind: string(body.Kind())}
	switch b := body.(type) {
	case *memory.Episode:
		if e := b.Emotion; e != nil {
			d.Valence, d.Arousal, d.Emotions = decimal(e.Valence), decimal(e.Arousal), e.Labels
		}
	case *memory.Note:
		d.Text = b.Summary
		switch {
		case b.Body == "":
		case IsWhole(b):
			d.Text = b.Body
		default:
			d.Text = paragraphs(b.Summary, b.Body)
		}
	case *memory.Value:
		d.Name, d.Text = b.Name, b.Statement
	case *memory.Raw:
		d.Text = Or(b.Said(), memory.Headline(b))
	}
	for _, f := range FieldsOf(body) {
		switch in := draftMember(&d, f.Name).(type) {
		case *string:
			*in = *f.At.(*string)
		case *[]string:
			*in = *f.At.(*[]string)
		case **int:
			*in = f.At.(*int)
		case **float64:
			*in = decimal(*f.At.(*int))
		}
	}
	return d
}

func decimal(thousandths int) *float64 {
	f := float64(thousandths) / float64(memory.Certain)
	return &f
}

// Members are the names of a Draft's members, in their order.
var Members = memberNames(reflect.TypeFor[api.Draft]())

func memberNames(t reflect.Type) []string {
	var names []string
	for i := range t.NumField() {
		name, _, _ := strings.Cut(t.Field(i).Tag.Get("json"), ",")
		names = append(names, name)
	}
	return names
}

// member returns where a member of d is: a *string, *[]string, **int or **float64.
func draftMember(d *api.Draft, name string) any {
	return reflect.ValueOf(d).Elem().Field(slices.Index(Members, name)).Addr().Interface()
}

// first names the first member that d says, beside its kind; "" is none.
func draftFirst(d *api.Draft) string {
	for _, name := range MembersSaid(*d) {
		if name != "kind" {
			return name
		}
	}
	return ""
}

// MembersSaid names what a Draft or a Meta says. A list without entries says nothing: what is
// to be emptied is named.
func MembersSaid(of any) []string {
	var names []string
	v := reflect.ValueOf(of)
	for i, name := range memberNames(v.Type()) {
		if f := v.Field(i); !f.IsZero() && !(f.Kind() == reflect.Slice && f.Len() == 0) {
			names = append(names, name)
		}
	}
	return names
}

// summarise splits a note's text into a summary of one line and, where that is
// not all, the whole text as its body.
func summarise(text string) (summary, body string) {
	text = strings.TrimSpace(text)
	summary = memory.FirstLine(text)
	if len(summary) > SummaryBytes {
		summary = memory.Cut(summary, SummaryBytes) + "…"
	}
	if summary != text {
		body = text
	}
	return summary, body
}

func Or(s, fallback string) string {
	if s == "" {
		return fallback
	}
	return s
}
