package trust

import "fmt"

// A Term is one line of the sum, also where it is worth 0.
type Term struct {
	Name   string
	Points int
	Why    string // for a person to read
}

// terms lists the whole sum. Behind a wrong signature nothing is worth anything.
func (r *Result) terms(f Facts, p Policy, retracted bool) []Term {
	signed := f.Signature == Valid
	rep := clamp(f.Reputation)
	list := []Term{
		{"signature", when(signed, p.Signature), whySignature(f.Signature)},
		{"witness", when(r.ConfirmVoices >= 1, p.Witness), r.whyWitness()},
		{"witnesses", when(r.ConfirmVoices >= p.ManyVoices, p.Witnesses),
			fmt.Sprintf(
				"%d of the %s needed confirm", min(r.ConfirmVoices, p.ManyVoices),
				count(p.ManyVoices, "independent voice"),
			)},
		{"anchor", when(r.Anchors >= 1, p.Anchor), r.whyAnchor()},
		{"anchors", when(r.Anchors >= p.ManyAnchors, p.Anchors),
			fmt.Sprintf("%d of the %s needed hold", min(r.Anchors, p.ManyAnchors), count(p.ManyAnchors, "independent anchor"))},
		{"reputation", when(signed, p.Reputation*rep/One), whyReputation(signed, rep)},
		{"disputes", -p.Dispute * r.DisputeVoices, r.whyDisputes(retracted)},
	}
	if r.Partials > 0 {
		list = append(
			list,
			Term{"partials", 0, count(r.Partials, "witness") + " in part: shown, and worth nothing either way"},
		)
	}
	if f.Limit != nil {
		list = append(list, Term{"limit", 0, whyLimit(f.Limit, r.Limited)})
	}
	if f.Signature == Invalid {
		for i := range list {
			list[i].Points = 0
		}
	}
	return list
}

func when(holds bool, points int) int {
	if holds {
		return points
	}
	return 0
}

func whySignature(s Signature) string {
	switch s {
	case Valid:
		return "the author's signature is valid"
	case Invalid:
		return "the author's signature is wrong: nothing else counts"
	case UnknownKey:
		return "signed with a key that was not introduced here"
	case Revoked:
		return "signed with a key that was revoked"
	}
	return "not signed: who wrote it is only said"
}

func (r *Result) whyWitness() string {
	if r.Confirms == 0 {
		return "no witness confirms it"
	}
	return said(r.Confirms, r.ConfirmVoices, "confirm")
}

// said says how many witnesses did something, and how many of them count.
func said(witnesses, voices int, verb string) string {
	why := fmt.Sprintf("%s %s it", count(witnesses, "witness"), verb+one(witnesses, "s", ""))
	switch {
	case witnesses == 1:
		return why
	case witnesses == voices:
		return why + ", each with a voice of their own"
	}
	return fmt.Sprintf("%s, but with %s: they share who introduced them", why, count(voices, "voice"))
}

func (r *Result) whyAnchor() string {
	if r.Anchors == 0 {
		return "nothing outside holds it"
	}
	return count(r.Anchors, "independent anchor") + one(r.Anchors, " holds it", " hold it")
}

func whyReputation(signed bool, rep int) string {
	if !signed {
		return "no reputation without a valid signature"
	}
	return "the author's reputation is " + Decimal(rep)
}

func (r *Result) whyDisputes(retracted bool) string {
	switch {
	case r.Disputes == 0:
		return "no disputes"
	case retracted && r.Disputes == 1:
		return "its own author disputes it"
	}
	why := said(r.Disputes, r.DisputeVoices, "dispute")
	if retracted {
		why += ", one of them its author"
	}
	return why
}

func whyLimit(l *Limit, inForce bool) string {
	source := "what it rests on"
	if !l.Ref.IsZero() {
		source = l.Ref.Short()
	}
	if inForce && l.Missing {
		return fmt.Sprintf(
			"worth at most %s: %s, which is not held here, may be outside words; exchange captures to know",
			Decimal(clamp(l.Score)), source,
		)
	}
	if inForce {
		return fmt.Sprintf(
			"worth at most %s, as %s is, until somebody independent confirms it", Decimal(clamp(l.Score)),
			source,
		)
	}
	return fmt.Sprintf("somebody independent of %s confirms it: no limit", source)
}

// count writes a number of things: "1 witness", "2 witnesses".
func count(n int, thing string) string {
	plural := "s"
	if thing == "witness" {
		plural = "es"
	}
	return fmt.Sprintf("%d %s", n, thing+one(n, "", plural))
}

func one(n int, single, several string) string {
	if n == 1 {
		return single
	}
	return several
}

func clamp(n int) int { return min(max(n, 0), One) }
