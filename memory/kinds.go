package memory

import "slices"

// forms are the forms of all kinds, the memories first: from the words up, the order in
// which they are shown. A kind that is not here decodes to Opaque.
var forms = []*Form{
	&rawForm,
	&episodeForm,
	&noteForm,
	&beliefForm,
	&valueForm,
	&goalForm,
	&driveForm,
	&relationshipForm,
	&playbookForm,
	&linkForm,
	&witnessForm,
	&anchorForm,
	&verifyForm,
	&assessForm,
	&markForm,
	&keyForm,
}

var kinds = byKind(forms)

func byKind(forms []*Form) map[Kind]*Form {
	kinds := make(map[Kind]*Form, len(forms))
	for _, f := range forms {
		kinds[f.Kind] = f
	}
	return kinds
}

// Form returns the form of k, an empty one for a kind that is not known. It must not be
// changed.
func (k Kind) Form() *Form {
	if f := kinds[k]; f != nil {
		return f
	}
	return &Form{Kind: k}
}

// Memories lists the kinds of memory, raw first.
func Memories() []Kind { return kindsWhere(Kind.IsMemory) }

// Claims lists the kinds that speak of other records, and key.
func Claims() []Kind { return kindsWhere(func(k Kind) bool { return !k.IsMemory() }) }

func kindsWhere(is func(Kind) bool) []Kind {
	var out []Kind
	for _, f := range forms {
		if is(f.Kind) {
			out = append(out, f.Kind)
		}
	}
	return slices.Clip(out)
}

// Known reports whether this binary knows k.
func (k Kind) Known() bool { return kinds[k] != nil }

// New returns an empty body of kind k, nil for a kind that is not known.
func (k Kind) New() Body {
	if f := kinds[k]; f != nil {
		return f.New()
	}
	return nil
}

// Blank returns the body of a draft of kind k that says nothing yet, nil for a kind that is
// not drafted.
func (k Kind) Blank() Body {
	switch f := k.Form(); {
	case len(f.Fields) == 0:
		return nil
	case f.Blank != nil:
		return f.Blank()
	default:
		return f.New()
	}
}

// IsMemory reports whether records of kind k are memories, not claims or keys.
func (k Kind) IsMemory() bool { return k.Form().Layer != layerNone }

// MayComeFrom reports whether a record of kind k may be derived from one of
// kind source.
func (k Kind) MayComeFrom(source Kind) bool {
	if f := k.Form(); f.From != nil {
		return f.From(source)
	}
	return k.IsMemory() && source.IsMemory()
}
