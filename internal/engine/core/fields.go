package core

import (
	"maps"
	"math"
	"reflect"
	"slices"
	"strings"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/shorten"
	"github.com/stemma-memory/stemma/memory"
)

// A field is a member of a Draft and where a body has it: a *string, a *[]string or an *int.
// Numbers of a draft are decimals where the body has thousandths.
type field struct {
	memory.Field
	At any
}

// FieldsOf returns the fields of a body, but for those that draftSayWords takes.
func FieldsOf(body memory.Body) []field {
	var out []field
	if _, unknown := body.(*memory.Opaque); unknown {
		return nil
	}
	for _, f := range memory.KindOf(body).Form().Fields {
		if f.In != nil {
			out = append(out, field{f, f.In(body)})
		}
	}
	return out
}

// DraftSay puts what d says into a body and leaves the rest of it. Its error names the
// member at fault.
func DraftSay(d api.Draft, body memory.Body) error {
	n := Numbers{}
	d.Fields = maps.Clone(d.Fields)
	draftSayWords(&d, body, &n)
	for _, f := range FieldsOf(body) {
		switch in := DraftMember(&d, f.Name).(type) {
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
				*f.At.(*int), *in = n.Within(f.Name, *in, f.Least, f.Most, 0), nil
			}
		case nil:
			f.say(d.Fields, &n)
		}
	}
	if n.Err != nil {
		return Classify(n.Err)
	}
	if extra := draftFirst(&d); extra != "" {
		return Invalid("%s: a %s has no such field", extra, memory.KindOf(body))
	}
	return Classify(memory.Check(body))
}

// say copies a field that only drafts of this kind have.
func (f *field) say(said map[string]any, n *Numbers) {
	v, ok := said[f.Name]
	if !ok {
		return
	}
	delete(said, f.Name)
	switch at := f.At.(type) {
	case *string:
		if *at, ok = v.(string); !ok {
			n.refuse("%s: must be text", f.Name)
		}
	case *[]string:
		if *at, ok = texts(v); !ok {
			n.refuse("%s: must be a list of texts", f.Name)
		}
	case *int:
		number, ok := v.(float64)
		switch {
		case ok && f.Decimal():
			*at = n.Within(f.Name, &number, f.Least, f.Most, 0)
		case ok && number == math.Trunc(number) && math.Abs(number) < 1<<31:
			*at = int(number)
		default:
			n.refuse("%s: must be a whole number", f.Name)
		}
	}
}

// texts returns a list of texts as JSON or Go has it.
func texts(v any) ([]string, bool) {
	if list, ok := v.([]string); ok {
		return list, true
	}
	list, ok := v.([]any)
	out := make([]string, len(list))
	for i := range list {
		text, is := list[i].(string)
		out[i], ok = text, ok && is
	}
	return out, ok
}

// said returns a field as a draft says it.
func (f *field) said() any {
	switch at := f.At.(type) {
	case *string:
		return *at
	case *[]string:
		return *at
	}
	number := float64(*f.At.(*int))
	if f.Decimal() {
		number /= float64(memory.Certain)
	}
	return number
}

// sayWords removes from d the fields that a body has in more than one form.
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
		felt.Valence = n.Within("valence", d.Valence, -1, 1, 0)
	}
	if d.Arousal != nil {
		felt.Arousal = n.Within("arousal", d.Arousal, 0, 1, 0)
	}
	if len(d.Emotions) > 0 {
		felt.Labels = d.Emotions
	}
	b.Emotion = &felt
	d.Valence, d.Arousal, d.Emotions = nil, nil, nil
}

// sayNote puts words into a note. A body that is the whole of a long text is replaced with the
// text. One that was given with its own summary stays until it is given again.
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
	d := api.Draft{Kind: string(memory.KindOf(body))}
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
		switch in := DraftMember(&d, f.Name).(type) {
		case *string:
			*in = *f.At.(*string)
		case *[]string:
			*in = *f.At.(*[]string)
		case **int:
			*in = f.At.(*int)
		case **float64:
			*in = decimal(*f.At.(*int))
		case nil:
			if reflect.ValueOf(f.At).Elem().IsZero() {
				continue
			}
			if d.Fields == nil {
				d.Fields = make(map[string]any)
			}
			d.Fields[f.Name] = f.said()
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

// DraftMember returns where a member of d is: a *string, *[]string, **int or **float64; nil
// if drafts have no such member, and the field is among those of one kind.
func DraftMember(d *api.Draft, name string) any {
	i := slices.Index(Members, name)
	if i < 0 {
		return nil
	}
	return reflect.ValueOf(d).Elem().Field(i).Addr().Interface()
}

// first returns the name of the first field that d sets besides its kind, "" for none.
func draftFirst(d *api.Draft) string {
	for _, name := range MembersSaid(*d) {
		if name != "kind" {
			return name
		}
	}
	return ""
}

// MembersSaid returns the names of the fields that a Draft or a Meta sets. An empty list sets
// nothing: fields to empty are named separately.
func MembersSaid(of any) []string {
	var names []string
	v := reflect.ValueOf(of)
	for i, name := range memberNames(v.Type()) {
		switch f := v.Field(i); {
		case f.Kind() == reflect.Map:
			names = slices.AppendSeq(names, maps.Keys(f.Interface().(map[string]any)))
		case !f.IsZero() && !(f.Kind() == reflect.Slice && f.Len() == 0):
			names = append(names, name)
		}
	}
	return names
}

// DraftField returns the value of a draft's field: a string or a []string; nil if it is not
// set or is a number.
func DraftField(d *api.Draft, name string) any {
	switch in := DraftMember(d, name).(type) {
	case *string:
		if *in != "" {
			return *in
		}
	case *[]string:
		if len(*in) > 0 {
			return *in
		}
	case nil:
		if _, number := d.Fields[name].(float64); !number {
			return d.Fields[name]
		}
	}
	return nil
}

// SetDraftField makes a draft say a text or a list of texts of a field; nil is nothing.
func SetDraftField(d *api.Draft, name string, says any) {
	text, _ := says.(string)
	list, _ := says.([]string)
	switch in := DraftMember(d, name).(type) {
	case *string:
		*in = text
	case *[]string:
		*in = list
	case nil:
		d.Fields = maps.Clone(d.Fields)
		if text == "" && len(list) == 0 {
			delete(d.Fields, name)
			return
		}
		if d.Fields == nil {
			d.Fields = make(map[string]any)
		}
		d.Fields[name] = says
	}
}

// summarise splits a note's text into a summary of one line and, where that is
// not all, the whole text as its body.
func summarise(text string) (summary, body string) {
	text = strings.TrimSpace(text)
	summary = shorten.FirstLine(text)
	if len(summary) > SummaryBytes {
		summary = shorten.Words(summary, SummaryBytes) + "…"
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
