package cli

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/memory"
)

// draftFlags are the flags that say what a memory says.
type draftFlags struct {
	draft api.Draft
	meta  api.Meta
	from  []string
}

// metaFlags adds those that every memory has.
func (d *draftFlags) metaFlags(f *pflag.FlagSet) {
	d.number(f, "confidence", "confidence, 0 to 1", &d.meta.Confidence)
	listVar(f, &d.meta.Tags, "tag", "tag; repeatable, or separated by commas")
	listVar(f, &d.meta.About, "about", "name that it is about; repeatable, or separated by commas")
	f.StringVar(&d.meta.ValidFrom, "valid-from", "", "start of validity: 2026-01-31 or RFC 3339")
	f.StringVar(&d.meta.ValidUntil, "valid-until", "", "end of validity")
	f.StringVar(&d.meta.Trigger, "trigger", "", "what prompted it")
	f.StringArrayVar(&d.meta.URLs, "url", nil, "web page it is about, signed as evidence; repeatable")
	f.StringArrayVar(&d.meta.Files, "file", nil, "code it is about: path, path#symbol or path:10-20; repeatable")
}

// approveFlag adds the one of verbs that make a memory.
func (d *draftFlags) approveFlag(f *pflag.FlagSet) {
	f.BoolVar(&d.meta.Approve, "approve", false, "approve it now; only a person may")
}

// againFlag adds the one with which a person says what was rejected.
func againFlag(f *pflag.FlagSet) *bool {
	return f.Bool("again", false, "write it although the same text was rejected; only for a person")
}

// kindFlags adds those of one kind.
func (d *draftFlags) kindFlags(f *pflag.FlagSet, k memory.Kind) {
	for _, field := range k.Form().Fields {
		if field.Usage == "" {
			continue
		}
		name := field.Flag
		if name == "" {
			name = strings.ReplaceAll(field.Name, "_", "-")
		}
		switch in := engine.DraftMember(&d.draft, field.Name).(type) {
		case *string:
			f.StringVar(in, name, "", field.Usage)
		case *[]string:
			if field.Commas {
				listVar(f, in, name, field.Usage)
			} else {
				f.StringArrayVar(in, name, nil, field.Usage)
			}
		case **float64:
			d.number(f, name, field.Usage, in)
		case **int:
			d.whole(f, name, field.Usage, in)
		default:
			f.Var(&ownFlag{d, k, field, nil}, name, field.Usage)
		}
	}
}

// An ownFlag is the flag of a field that only one kind has.
type ownFlag struct {
	d     *draftFlags
	kind  memory.Kind
	field memory.Field
	given []string
}

// Type is the type of the flag for the help.
func (o *ownFlag) Type() string {
	switch o.field.In(o.kind.New()).(type) {
	case *string:
		return "string"
	case *[]string:
		return "stringArray"
	}
	return "number"
}

// String returns what was given.
func (o *ownFlag) String() string { return strings.Join(o.given, ",") }

// Set puts what was given into the draft.
func (o *ownFlag) Set(s string) error {
	if o.d.draft.Fields == nil {
		o.d.draft.Fields = make(map[string]any)
	}
	o.given = append(o.given, s)
	switch o.Type() {
	case "string":
		o.d.draft.Fields[o.field.Name] = s
	case "stringArray":
		o.d.draft.Fields[o.field.Name] = o.given
	default:
		n, err := strconv.ParseFloat(s, 64)
		if err != nil {
			return fmt.Errorf("%q is not a number", s)
		}
		o.d.draft.Fields[o.field.Name] = n
	}
	return nil
}

// allFlags adds those of every kind, for verbs that make any of them.
func (d *draftFlags) allFlags(f *pflag.FlagSet, kinds ...memory.Kind) {
	for _, k := range kinds {
		one := pflag.NewFlagSet(string(k), pflag.ContinueOnError)
		d.kindFlags(one, k)
		one.VisitAll(func(flag *pflag.Flag) {
			if f.Lookup(flag.Name) == nil {
				flag.Usage = string(k) + ": " + flag.Usage
				f.AddFlag(flag)
			}
		})
	}
}

func (d *draftFlags) number(f *pflag.FlagSet, name, usage string, into **float64) {
	f.Func(name, usage, func(s string) error {
		var n float64
		if _, err := fmt.Sscan(s, &n); err != nil {
			return fmt.Errorf("%q is not a number", s)
		}
		*into = &n
		return nil
	})
}

func (d *draftFlags) whole(f *pflag.FlagSet, name, usage string, into **int) {
	f.Func(name, usage, func(s string) error {
		var n int
		if _, err := fmt.Sscan(s, &n); err != nil {
			return fmt.Errorf("%q is not a whole number", s)
		}
		*into = &n
		return nil
	})
}

// wrote shows what a write stored: the full ref alone, for scripts, and what a
// person may want to know beside it.
func (a *app) wrote(r api.WriteReply) error {
	fmt.Fprintln(a.env.Stdout, r.Ref)
	a.redacted(r.Redacted)
	if r.Existing {
		a.hint("nothing stored: %s has the same text and sources", shortRef(r.Ref))
	}
	if r.Hint != "" {
		a.hint("%s", r.Hint)
	}
	a.likeRejected(r.Rejected)
	return nil
}

// likeRejected says that a memory is like one that a person rejected.
func (a *app) likeRejected(r *api.Rejection) {
	if r != nil && r.Alike {
		a.hint("similar to %s %s, which %s rejected on %s", shortRef(r.Ref), cited(r.Headline), a.about(r.RejectedBy, 60),
			day(r.RejectedAt))
	}
}

// examplesOf returns the examples of a kind as its help shows them.
func examplesOf(k memory.Kind) string {
	return "Examples:\n  " + strings.Join(k.Form().Examples, "\n  ")
}
