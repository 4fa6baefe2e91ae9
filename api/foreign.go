package api

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"

	"github.com/stemma-memory/stemma/internal/shorten"
	"github.com/stemma-memory/stemma/internal/strict"
	"github.com/stemma-memory/stemma/memory"
)

// foreignLine is a Foreign as it travels: one line of JSON.
type foreignLine struct {
	Alias []string        `json:"alias"`
	Kind  memory.Kind     `json:"kind"`
	Body  json.RawMessage `json:"body"`
	Meta  Meta            `json:"meta"`
	From  []string        `json:"from,omitempty"`
	Via   memory.Via      `json:"via,omitempty"`
	Ext   json.RawMessage `json:"ext,omitempty"`

	Supersedes string   `json:"supersedes,omitempty"`
	Was        []string `json:"was,omitempty"`
	Gone       string   `json:"gone,omitempty"`
	Mine       bool     `json:"mine,omitempty"`
}

// MarshalJSON returns a record from elsewhere as one object, for a store that is on
// a server. One that was read from a document has no such form.
func (f Foreign) MarshalJSON() ([]byte, error) {
	if f.Document != nil || f.Body == nil {
		return nil, badForm("a record of a document travels as the document")
	}
	body, err := json.Marshal(f.Body)
	if err != nil {
		return nil, err
	}
	return json.Marshal(foreignLine{
		f.Alias, memory.KindOf(f.Body), body, f.Meta, f.From, f.Via, f.Ext, f.Supersedes, f.Was, f.Gone, f.Mine,
	})
}

// UnmarshalJSON reads what MarshalJSON wrote, strictly. Whether it can be stored
// is for Ingest to say.
func (f *Foreign) UnmarshalJSON(text []byte) error {
	var l foreignLine
	if err := strictly(text, &l); err != nil {
		return err
	}
	if !l.Kind.IsMemory() {
		return Invalid("kind: %q is not a kind of memory", shorten.To(string(l.Kind), 40))
	}
	body := l.Kind.New()
	if err := strictly(l.Body, body); err != nil {
		return err
	}
	*f = Foreign{
		Alias: l.Alias, Body: body, Meta: l.Meta, From: l.From, Via: l.Via, Ext: l.Ext, Supersedes: l.Supersedes,
		Was: l.Was, Gone: l.Gone, Mine: l.Mine,
	}
	return nil
}

// Invalid returns an error that matches ErrInvalid and says only what the caller says.
func Invalid(format string, args ...any) error { return badForm(fmt.Sprintf(format, args...)) }

// A badForm is an ErrInvalid of which the text is all that is said.
type badForm string

func (b badForm) Error() string { return string(b) }

func (b badForm) Is(target error) bool { return target == ErrInvalid }

func strictly(text []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		return badForm(err.Error())
	}
	if err := strict.Valid(text, reflect.TypeOf(into)); err != nil {
		return badForm(err.Error())
	}
	return nil
}
