package lifecycle

import (
	"context"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/extract"
	"github.com/stemma-memory/stemma/internal/shorten"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// singular are the names that members go by where they are said one by one.
var singular = map[string]string{
	"alternative": "alternatives", "body": "description", "emotion": "emotions", "failure_mode": "failure_modes",
	"file": "files", "lesson": "lessons", "step": "steps", "tag": "tags", "url": "urls",
}

// Required are the members without which a memory would say nothing.
var Required = []string{"text", "name"}

// ofHeader are the members of a Meta that a revision can clear.
var ofHeader = []string{"confidence", "tags", "about", "valid_from", "valid_until", "trigger", "files", "urls"}

// besides are members that change nothing of a memory.
var besides = []string{"kind", "approve", "session"}

// clears returns the members that a revision clears, by their names in a Draft or a Meta.
func reviseRequestClears(in *api.ReviseRequest) ([]string, error) {
	named := append(core.MembersSaid(in.Draft), core.MembersSaid(in.Meta)...)
	var out []string
	for _, name := range in.Clear {
		full := strings.ReplaceAll(strings.ToLower(strings.TrimSpace(name)), "-", "_")
		full = core.Or(singular[full], full)
		switch {
		case slices.Contains(Required, full):
			return nil, core.Invalid("clear: a memory cannot be without its %s", full)
		case slices.Contains(named, full):
			return nil, core.Invalid("clear: %s is given and cleared at once", full)
		case !slices.Contains(out, full):
			out = append(out, full)
		}
	}
	if slices.Contains(out, "valence") != slices.Contains(out, "arousal") {
		return nil, core.Invalid("clear: a record has both valence and arousal or neither; clear both")
	}
	return out, nil
}

// saysSomething refuses a revision that names nothing to change.
func reviseRequestSaysSomething(in *api.ReviseRequest) error {
	named := slices.Concat(core.MembersSaid(in.Draft), core.MembersSaid(in.Meta), in.Clear, in.From, in.Merge)
	if slices.ContainsFunc(named, func(name string) bool { return !slices.Contains(besides, name) }) {
		return nil
	}
	return core.Invalid("text: say what changes: other words, another member, or one to clear")
}

// revision makes the record that says old again, and what others it replaces too. It has
// every field of old that in does not name. Of the others it takes what old does not
// have: fields that are empty there, and further entries of lists.
func (e *Lifecycle) revision(
	ctx context.Context, space string, in api.ReviseRequest, old *store.Item, others []*store.Item, p memory.Provenance,
) (*derived, error) {
	body := clone(old.Record.Body)
	if b, ok := body.(*memory.Episode); !ok || b.Emotion == nil {
		if err := core.DraftWholeFeeling(in.Draft); err != nil {
			return nil, err
		}
	}
	clears, err := reviseRequestClears(&in)
	if err != nil {
		return nil, err
	}
	d, redacted, err := e.CleanDraft(in.Draft)
	if err != nil {
		return nil, err
	}
	h, err := core.MetaHeader(in.Meta, old.State.Confidence)
	if err != nil {
		return nil, err
	}
	inherit(&h, &old.Record.Header)
	named := p.Evidence
	p.Evidence = old.Record.Header.Provenance.Evidence
	for _, it := range others {
		join(body, it.Record.Body)
		other := &it.Record.Header
		h.Tags, h.About = union(h.Tags, other.Tags), union(h.About, other.About)
		p.Evidence = union(p.Evidence, other.Provenance.Evidence)
	}
	if len(in.Tags) > 0 {
		h.Tags = in.Tags
	}
	if len(in.About) > 0 {
		h.About = in.About
	}
	if len(named) > 0 { // the code that the new words name takes the place of what was named before
		p.Evidence = append(slices.Clone(named), withoutType(p.Evidence, "code")...)
	}
	h.Space, h.Provenance = space, p
	for _, name := range clearHeader(&h, clears) {
		if !ClearField(body, name) {
			return nil, core.Invalid("clear: a %s has no member %s; %s", old.Ref.Kind, shorten.To(name, 40), clearable(body))
		}
	}
	if err := core.DraftSay(d, body); err != nil {
		return nil, err
	}
	if len(in.About) == 0 {
		h.About = stillNamed(h.About, memory.Whole(old.Record.Body), memory.Whole(body), e.C.Now())
	}
	if err := e.evidence(ctx, &h, in.Meta); err != nil {
		return nil, err
	}
	if err := e.expose(ctx, &h, memory.Whole(body), p.Sources()); err != nil {
		return nil, err
	}
	r, more, err := e.SignClean(h, body)
	return &derived{r, append(redacted, more...)}, err
}

// stillNamed returns subjects of old words without those in whose place the new ones name another. Words that name none
// leave it unsaid.
func stillNamed(about []string, before, now string, at time.Time) []string {
	other := false
	for _, d := range extract.Kept("", now, at) {
		other = other || slices.ContainsFunc(d.About, func(name string) bool { return !slices.Contains(about, name) })
	}
	if !other {
		return about
	}
	before, now = strings.ToLower(before), strings.ToLower(now)
	return slices.DeleteFunc(slices.Clone(about), func(name string) bool {
		name = strings.ToLower(name)
		return strings.Contains(before, name) && !strings.Contains(now, name)
	})
}

// inherit copies the header fields that were not given for a revision: subjects, valid times
// and trigger. Its session is its own.
func inherit(h, old *memory.Header) {
	if h.ValidFrom.IsZero() {
		h.ValidFrom = old.ValidFrom
	}
	if h.ValidUntil.IsZero() {
		h.ValidUntil = old.ValidUntil
	}
	h.Tags, h.About, h.Ext = old.Tags, old.About, core.WithSaidAt(old.Ext, time.Time{}) // it is said now
	h.Trigger = core.Or(h.Trigger, old.Trigger)
}

// evidence adds what a Meta names of code and pages in the place of what was named
// before.
func (e *Lifecycle) evidence(ctx context.Context, h *memory.Header, m api.Meta) error {
	list := &h.Provenance.Evidence
	if len(m.Files) > 0 {
		pins, err := e.trust.Pins(e.trust.Reading(ctx), m.Files)
		if err != nil {
			return err
		}
		*list = append(pins, withoutType(*list, "code")...)
	}
	if len(m.URLs) > 0 {
		*list = withoutType(*list, "url")
	}
	for _, u := range m.URLs {
		*list = append(*list, memory.Evidence{Type: "url", Reference: u})
	}
	return nil
}

func withoutType(list []memory.Evidence, t string) []memory.Evidence {
	return slices.DeleteFunc(slices.Clone(list), func(e memory.Evidence) bool { return e.Type == t })
}

// clone returns a copy of a body, of which every field can be set again.
func clone(body memory.Body) memory.Body {
	c := reflect.New(reflect.TypeOf(body).Elem())
	c.Elem().Set(reflect.ValueOf(body).Elem())
	return c.Interface().(memory.Body)
}

// join puts into a body what another of its kind has and it does not.
func join(body, other memory.Body) {
	from := core.FieldsOf(other)
	for i, f := range core.FieldsOf(body) {
		switch at := f.At.(type) {
		case *string:
			*at = core.Or(*at, *from[i].At.(*string))
		case *[]string:
			*at = union(*at, *from[i].At.(*[]string))
		}
	}
	switch b := body.(type) {
	case *memory.Episode:
		felt := other.(*memory.Episode).Emotion
		switch {
		case b.Emotion == nil:
			b.Emotion = felt
		case felt != nil:
			b.Emotion = &memory.Emotion{
				Valence: b.Emotion.Valence, Arousal: b.Emotion.Arousal, Labels: union(b.Emotion.Labels, felt.Labels),
			}
		}
	case *memory.Note:
		b.Body = core.Or(b.Body, other.(*memory.Note).Body)
	case *memory.Value:
		b.Statement = core.Or(b.Statement, other.(*memory.Value).Statement)
	}
}

// union returns a with what else b has.
func union[T comparable](a, b []T) []T {
	out := slices.Clone(a)
	for _, t := range b {
		if !slices.Contains(out, t) {
			out = append(out, t)
		}
	}
	return out
}

// clearHeader clears fields of a header, and returns the other names.
func clearHeader(h *memory.Header, names []string) (rest []string) {
	for _, name := range names {
		switch name {
		case "confidence":
			h.Confidence = core.DefaultConfidence
		case "tags":
			h.Tags = nil
		case "about":
			h.About = nil
		case "valid_from":
			h.ValidFrom = memory.Time{}
		case "valid_until":
			h.ValidUntil = memory.Time{}
		case "trigger":
			h.Trigger = ""
		case "files":
			h.Provenance.Evidence = withoutType(h.Provenance.Evidence, "code")
		case "urls":
			h.Provenance.Evidence = withoutType(h.Provenance.Evidence, "url")
		default:
			rest = append(rest, name)
		}
	}
	return rest
}

// ClearField makes a field of a body what it is where no one says it, and reports whether
// there is such a field.
func ClearField(body memory.Body, name string) bool {
	fresh := core.FieldsOf(memory.KindOf(body).Blank())
	for i, f := range core.FieldsOf(body) {
		if f.Name == name {
			reflect.ValueOf(f.At).Elem().Set(reflect.ValueOf(fresh[i].At).Elem())
			return true
		}
	}
	switch b := body.(type) {
	case *memory.Episode:
		return clearFeeling(b, name)
	case *memory.Note:
		if name == "description" {
			b.Body = ""
			return true
		}
	case *memory.Value:
		if name == "description" {
			b.Statement = ""
			return true
		}
	}
	return false
}

// clearFeeling takes a part of a feeling away, and with the last part the feeling.
func clearFeeling(b *memory.Episode, name string) bool {
	felt := memory.Emotion{}
	if b.Emotion != nil {
		felt = *b.Emotion
	}
	switch name {
	case "valence":
		felt.Valence = 0
	case "arousal":
		felt.Arousal = 0
	case "emotions":
		felt.Labels = nil
	default:
		return false
	}
	if b.Emotion = &felt; felt.Valence == 0 && felt.Arousal == 0 && len(felt.Labels) == 0 {
		b.Emotion = nil
	}
	return true
}

// clearable lists what can be cleared of a memory, in words.
func clearable(body memory.Body) string {
	var names []string
	all := core.Members
	for _, f := range memory.KindOf(body).Form().Fields {
		if !slices.Contains(all, f.Name) {
			all = append(slices.Clip(all), f.Name)
		}
	}
	for _, name := range all {
		if !slices.Contains(Required, name) && ClearField(clone(body), name) {
			names = append(names, name)
		}
	}
	return "what can be cleared: " + strings.Join(append(names, ofHeader...), ", ")
}

// markedAlike repeats for a revision the marks of the memory that it replaces which its words
// do not say: the progress of a goal, the current intensity of a drive, a protection.
func (e *Lifecycle) markedAlike(old *store.Item, r *memory.Record, in *api.ReviseRequest) ([]*memory.Record, error) {
	s := &old.State
	var all []core.Marking
	say := func(verb, value string, is bool) {
		if is {
			all = append(all, core.Marking{Verb: verb, Value: value})
		}
	}
	goal, drive := old.Ref.Kind == memory.KindGoal, old.Ref.Kind == memory.KindDrive
	say(memory.Status, s.Status, goal && s.Status != "")
	say(memory.Progress, s.Progress, goal && s.Progress != "")
	say(memory.Intensity, s.Intensity, drive && s.Intensity != "" && in.Intensity == nil)
	say(memory.Done, "true", s.Done)
	say(memory.Assign, s.Project, s.Project != "" && e.C.Origin == memory.OriginOwner)
	say(memory.Protect, "", s.Protected && !old.Ref.Kind.Form().Protected)
	var out []*memory.Record
	for _, m := range all {
		m.At, m.Context, m.Reason = e.C.Now(), "revise", "as "+old.Ref.Short()+", which it replaces"
		marks, err := e.MarksIn(r.Header.Space, m, []memory.Ref{r.Ref()})
		if err != nil {
			return nil, err
		}
		out = append(out, marks...)
	}
	return out, nil
}
