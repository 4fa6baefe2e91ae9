package trust

// A Result is a score with all that it was made of.
type Result struct {
	Score        int // 0 to One, after the limit
	Own          int // before the limit
	Raw          int // the sum of Terms, which may be below 0 or above One
	Level        Level
	LevelByRange Level    // what the score alone would say
	Flags        []string // in the order in which they are declared
	Terms        []Term

	Confirms, Partials, Disputes                int // controllers who said so; the author's retraction is a dispute
	ConfirmVoices, PartialVoices, DisputeVoices int // of them, those who speak for themselves
	Anchors                                     int // independent anchors that hold

	Refused        []Refusal
	RefusedAnchors []RefusedAnchor
	Opinion        Opinion // of voices
	Limited        bool    // the limit is in force, whether or not it lowers the score
	Policy         string
}

// Score weighs the facts by a policy that passes its Check. Neither the order of the facts nor
// repetition changes the Result. One more confirming witness never lowers the score, one more
// disputing witness never raises it, and a witness whom nobody introduced changes nothing.
func Score(f Facts, p Policy) Result {
	if p == (Policy{}) {
		p = Seed()
	}
	h, m := hear(f), moor(f.Anchors)
	r := Result{
		Confirms: len(h.confirms), Partials: len(h.partials), Disputes: len(h.disputes),
		ConfirmVoices: h.reach.voices(h.confirms),
		PartialVoices: h.reach.voices(h.partials),
		DisputeVoices: h.reach.voices(h.disputes),
		Anchors:       m.classes,
		Refused:       h.refused, RefusedAnchors: m.refused,
		Policy: p.String(),
	}
	if h.retracted {
		r.Disputes++
		r.DisputeVoices++
	}
	r.Opinion = opinion(r.ConfirmVoices, r.DisputeVoices)
	r.Limited = f.Limit != nil && !h.liftedBy(f)
	r.Terms = r.terms(f, p, h.retracted)
	for _, t := range r.Terms {
		r.Raw += t.Points
	}
	r.Own = clamp(r.Raw)
	r.Score = r.Own
	if r.Limited {
		r.Score = min(r.Own, clamp(f.Limit.Score))
	}
	r.LevelByRange = p.byRange(r.Score)
	r.Level = r.level(f, p)
	r.Flags = r.flags(f.Signature, h.retracted, m.flags)
	return r
}

func (r *Result) level(f Facts, p Policy) Level {
	if f.Signature == Invalid {
		return Rejected
	}
	l := p.level(r.Score, r.ConfirmVoices, r.DisputeVoices, r.Anchors)
	if r.Limited {
		l = l.atMost(f.Limit.Level)
	}
	return l
}

func (r *Result) flags(s Signature, retracted bool, anchors map[string]bool) []string {
	var flags []string
	for _, f := range []struct {
		name string
		up   bool
	}{
		{FlagUnsigned, s != Valid && s != Invalid && s != UnknownKey && s != Revoked},
		{FlagBadSignature, s == Invalid},
		{FlagUnknownKey, s == UnknownKey},
		{FlagKeyRevoked, s == Revoked},
		{FlagContested, r.Disputes > 0 && r.Confirms > 0},
		{FlagDisputed, r.Disputes > 0 && r.Confirms == 0},
		{FlagRetracted, retracted},
		{FlagPartial, r.Partials > 0},
		{FlagAnchorStale, anchors[FlagAnchorStale]},
		{FlagAnchorChanged, anchors[FlagAnchorChanged]},
		{FlagAnchorUnverifiable, anchors[FlagAnchorUnverifiable]},
		{FlagAnchorNotBound, anchors[FlagAnchorNotBound]},
		{FlagTainted, r.Limited},
	} {
		if f.up {
			flags = append(flags, f.name)
		}
	}
	return flags
}
