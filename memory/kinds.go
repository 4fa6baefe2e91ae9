package memory

// A Kind says what a record is: one of the nine memories, one of the six
// claims, or key.
type Kind string

// The nine memories.
const (
	KindRaw          Kind = "raw"
	KindEpisode      Kind = "episode"
	KindNote         Kind = "note"
	KindBelief       Kind = "belief"
	KindValue        Kind = "value"
	KindGoal         Kind = "goal"
	KindDrive        Kind = "drive"
	KindRelationship Kind = "relationship"
	KindPlaybook     Kind = "playbook"
)

// The six claims, and the key records that say who may speak.
const (
	KindLink    Kind = "link"
	KindWitness Kind = "witness"
	KindAnchor  Kind = "anchor"
	KindVerify  Kind = "verify"
	KindAssess  Kind = "assess"
	KindMark    Kind = "mark"
	KindKey     Kind = "key"
)

// A Layer is how far a memory is from what was said and done.
type Layer int

// The layers of the memory model. Claims and keys are on none.
const (
	LayerNone     Layer = iota
	LayerCaptured       // 0: raw words
	LayerEpisodic       // 1: what happened
	LayerSemantic       // 2: what it means
	LayerIdentity       // 3: who we are
	LayerSupport        // beside the layers: people and procedures
)

// A kind is one line of the table of kinds.
type kind struct {
	layer     Layer
	protected bool // never decays unless asked
	new       func() Body
}

// kinds is the whole registry: a table, not init functions. A kind or version
// not here decodes to Opaque.
var kinds = map[Kind]kind{
	KindRaw:          {LayerCaptured, false, func() Body { return new(Raw) }},
	KindEpisode:      {LayerEpisodic, false, func() Body { return new(Episode) }},
	KindNote:         {LayerSemantic, false, func() Body { return new(Note) }},
	KindBelief:       {LayerSemantic, false, func() Body { return new(Belief) }},
	KindValue:        {LayerIdentity, true, func() Body { return new(Value) }},
	KindGoal:         {LayerIdentity, false, func() Body { return new(Goal) }},
	KindDrive:        {LayerIdentity, true, func() Body { return new(Drive) }},
	KindRelationship: {LayerSupport, false, func() Body { return new(Relationship) }},
	KindPlaybook:     {LayerSupport, false, func() Body { return new(Playbook) }},
	KindLink:         {LayerNone, true, func() Body { return new(Link) }},
	KindWitness:      {LayerNone, true, func() Body { return new(Witness) }},
	KindAnchor:       {LayerNone, true, func() Body { return new(Anchor) }},
	KindVerify:       {LayerNone, true, func() Body { return new(Verify) }},
	KindAssess:       {LayerNone, true, func() Body { return new(Assess) }},
	KindMark:         {LayerNone, true, func() Body { return new(Mark) }},
	KindKey:          {LayerNone, true, func() Body { return new(Key) }},
}

// memories lists the memory kinds from the words up, the order in which they
// are shown.
var memories = []Kind{
	KindRaw, KindEpisode, KindNote, KindBelief, KindValue, KindGoal, KindDrive, KindRelationship, KindPlaybook,
}

// claims lists the kinds that speak of other records, and key.
var claims = []Kind{KindLink, KindWitness, KindAnchor, KindVerify, KindAssess, KindMark, KindKey}

// Memories lists the nine memory kinds, raw first.
func Memories() []Kind { return append([]Kind(nil), memories...) }

// Claims lists the six claim kinds and key.
func Claims() []Kind { return append([]Kind(nil), claims...) }

// Known reports whether this binary knows k.
func (k Kind) Known() bool { _, ok := kinds[k]; return ok }

// New returns an empty body of kind k, nil for a kind that is not known.
func (k Kind) New() Body {
	if make := kinds[k].new; make != nil {
		return make()
	}
	return nil
}

// IsMemory reports whether records of kind k are memories, not claims or keys.
func (k Kind) IsMemory() bool { return kinds[k].layer != LayerNone }

// Layer says how far k is from what was said and done.
func (k Kind) Layer() Layer { return kinds[k].layer }

// Protected reports whether records of kind k never decay unless asked.
func (k Kind) Protected() bool { return kinds[k].protected }

// MayComeFrom reports whether a record of kind k may be derived from one of
// kind source.
func (k Kind) MayComeFrom(source Kind) bool {
	switch k {
	case KindRaw:
		return false
	case KindEpisode:
		return source == KindRaw || source == KindNote || source == KindEpisode
	default:
		return k.IsMemory() && source.IsMemory()
	}
}

// maxKindLen bounds the name of a kind, known or not.
const maxKindLen = 32

// wellFormedKind reports whether s could name a kind of this or a later
// version: lower-case letters, digits and underscores, a letter first.
func wellFormedKind(s string) bool {
	if s == "" || len(s) > maxKindLen || s[0] < 'a' || s[0] > 'z' {
		return false
	}
	for i := range len(s) {
		if c := s[i]; (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '_' {
			return false
		}
	}
	return true
}
