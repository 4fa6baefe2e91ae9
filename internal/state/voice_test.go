package state

import (
	"strings"
	"testing"
	"time"

	"github.com/stemma-memory/stemma/memory"
)

// TestWhoMayDoWhat goes through who may do what to whose record.
func TestWhoMayDoWhat(t *testing.T) {
	owner := someone(1)
	s := newScene(t, owner)
	agent := s.delegate(owner, 2, memory.Time{}, memory.OriginAgent)
	other := s.delegate(owner, 3, memory.Time{}, memory.OriginAgent, memory.OriginTool)
	guest := someone(4) // another owner, whose own records are on this space too
	guestAgent := s.delegate(guest, 5, memory.Time{}, memory.OriginAgent)
	stranger := someone(6)
	stranger.grant, stranger.origin = memory.ID{9}, memory.OriginAgent // a delegation nobody holds
	all := map[string]actor{
		"owner": owner, "agent": agent, "other agent": other, "guest": guest, "guest's agent": guestAgent,
		"stranger": stranger,
	}
	may := map[string][]string{ // author: who may decide about what it wrote
		"owner":         {"owner"},
		"agent":         {"owner", "agent", "other agent"},
		"guest":         {"owner", "guest"}, // the space is the owner's
		"guest's agent": {"owner", "guest", "guest's agent"},
		"stranger":      {"owner"},
	}
	prior := map[string]string{
		memory.Recover:   memory.Forget,
		memory.Release:   memory.Quarantine,
		memory.Unprotect: memory.Protect,
	}
	verbs := []string{
		memory.Approve, memory.Reject, memory.Protect, memory.Unprotect, memory.Forget, memory.Recover, memory.Dismiss,
		memory.Status, memory.Progress, memory.Done, memory.Intensity, memory.Outcome,
		memory.Quarantine, memory.Release, memory.Purge, "verify", "assess", "supersede",
	}
	for author, allowed := range may {
		for claimer, by := range all {
			want := false
			for _, a := range allowed {
				want = want || a == claimer
			}
			r := s.write(all[author], noon, &memory.Belief{Statement: "the sky is blue"})
			if got := May(s.ring.Voice(s.write(by, noon, &memory.Belief{Statement: "x"})), r, s.ring); got != want {
				t.Errorf("May(%s, by %s) = %v, want %v", claimer, author, got, want)
			}
			for _, verb := range verbs {
				var about []*memory.Record
				if p := prior[verb]; p != "" {
					about = append(about, s.write(setter(all, author), noon.Add(time.Minute), &memory.Mark{Of: ref(r), Verb: p}))
				}
				before := s.fold(r, about...)
				at := noon.Add(2 * time.Minute)
				switch verb {
				case "verify":
					about = append(about, s.write(by, at, &memory.Verify{Of: r.Ref()}))
				case "assess":
					about = append(about, s.write(by, at, &memory.Assess{Of: r.Ref(), Step: 5}))
				case "supersede":
					about = append(about, s.revise(by, at, "grey", r))
				default:
					m := &memory.Mark{Of: ref(r), Verb: verb, Value: "success"}
					if verb == memory.Release { // of all it is quarantined for
						m.Value = ""
					}
					about = append(about, s.write(by, at, m))
				}
				after, wanted := s.fold(r, about...), want
				person := s.ring.Voice(about[len(about)-1]).Owner
				switch {
				case verb == "verify" && !want:
					wanted = author == "owner" && strings.HasSuffix(claimer, "agent") && claimer != "guest's agent" ||
						author == "guest" && claimer == "guest's agent" // of what their owner wrote
					if wanted && after.Confidence != before.Confidence {
						t.Errorf("verified by %s of %s's: the confidence moved", claimer, author)
					}
				case verb == memory.Dismiss, verb == memory.Purge && !person:
					wanted = false
				case verb == memory.Approve && want && !person:
					before.AgentApproved = true // and nothing else
					wanted = false
				}
				if got := after != before; got != wanted {
					t.Errorf("%s by %s of %s's: changed %v, want %v: %+v", verb, claimer, author, got, wanted, after)
				}
			}
		}
	}
}

func TestVerbs(t *testing.T) {
	owner := someone(1)
	s := newScene(t, owner)
	agent := s.delegate(owner, 2, memory.Time{}, memory.OriginAgent)
	r := s.write(agent, noon, &memory.Goal{Title: "release"})
	at := noon
	var about []*memory.Record
	mark := func(by actor, verb, value string) State {
		at = at.Add(time.Minute)
		about = append(
			about,
			s.write(by, at, &memory.Mark{Of: ref(r), Verb: verb, Value: value, Reason: "because of " + verb}),
		)
		return s.fold(r, about...)
	}
	for _, tt := range []struct {
		verb, value string
		check       func(State) bool
	}{
		{memory.Approve, "", func(s State) bool {
			return s.Review == ReviewApproved && s.ReviewedBy == owner.did && s.ReviewedAt == memory.At(at)
		}},
		{
			memory.Reject, "",
			func(s State) bool { return s.Review == ReviewRejected && !s.Live() && s.Reason == "because of reject" },
		},
		{memory.Approve, "", func(s State) bool { return s.Review == ReviewApproved && s.Live() }},
		{memory.Protect, "", func(s State) bool { return s.Protected }},
		{memory.Unprotect, "", func(s State) bool { return !s.Protected }},
		{memory.Forget, "", func(s State) bool {
			return s.Forgotten && !s.Live() && s.Active() &&
				s.Reason == "because of forget"
		}},
		{memory.Recover, "", func(s State) bool { return !s.Forgotten && s.Live() }},
		{memory.Quarantine, "", func(s State) bool { return s.Quarantined && !s.Live() }},
		{memory.Release, "", func(s State) bool { return !s.Quarantined && s.Live() }},
		{memory.Status, "open", func(s State) bool { return s.Status == "open" }},
		{memory.Progress, "half", func(s State) bool { return s.Progress == "half" }},
		{memory.Intensity, "0.4", func(s State) bool { return s.Intensity == "0.4" }},
		{memory.Done, "", func(s State) bool { return s.Done }},
		{memory.Done, "false", func(s State) bool { return !s.Done }},
		{memory.Outcome, "success", func(s State) bool { return s.Uses == 1 && s.Successes == 1 }},
		{memory.Outcome, "failure", func(s State) bool { return s.Uses == 2 && s.Successes == 1 }},
		{"sing", "", func(s State) bool { return s.Live() }},
		{memory.Purge, "", func(s State) bool { return s.Purged && !s.Live() }},
		{memory.Recover, "", func(s State) bool { return s.Purged }},
	} {
		if got := mark(owner, tt.verb, tt.value); !tt.check(got) {
			t.Errorf("after %s %s: %+v", tt.verb, tt.value, got)
		}
	}
}

func TestKeyring(t *testing.T) {
	owner := someone(1)
	s := newScene(t, owner)
	agent := s.delegate(owner, 2, memory.At(noon.Add(time.Hour)), memory.OriginAgent, memory.OriginTool)
	tool, wrong, late := agent, agent, agent
	tool.origin = memory.OriginTool
	wrong.origin = memory.OriginImport
	thief := someone(3)
	thief.grant, thief.origin = agent.grant, memory.OriginAgent
	for _, tt := range []struct {
		name string
		by   actor
		at   time.Time
		want Voice
	}{
		{"an owner", owner, noon, Voice{Principal: owner.did, Owner: true}},
		{"an agent", agent, noon, Voice{Principal: owner.did, Owner: false}},
		{"a tool", tool, noon, Voice{Principal: owner.did, Owner: false}},
		{"a channel it may not speak for", wrong, noon, Voice{}},
		{"the last instant", late, noon.Add(time.Hour), Voice{Principal: owner.did, Owner: false}},
		{"a delegation that expired", late, noon.Add(time.Hour + time.Millisecond), Voice{}},
		{"another's delegation", thief, noon, Voice{}},
	} {
		if got := s.ring.Voice(s.write(tt.by, tt.at, &memory.Belief{Statement: "x"})); got != tt.want {
			t.Errorf("%s speaks as %+v, want %+v", tt.name, got, tt.want)
		}
	}
	r := s.write(agent, noon, &memory.Belief{Statement: "x"})
	if got := new(Keyring).Voice(r); got != (Voice{}) {
		t.Errorf("with no delegation held an agent speaks as %+v", got)
	}
	begin := s.write(owner, noon, &memory.Key{Op: memory.OpInception, Key: owner.did})
	h := s.header(agent, noon)
	h.Delegation = begin.ID // held, and no delegation
	if got := NewKeyring(begin, r).Voice(s.make(h, &memory.Belief{Statement: "x"})); got != (Voice{}) {
		t.Errorf("under an inception an agent speaks as %+v", got)
	}
	if May(Voice{}, r, new(Keyring)) {
		t.Error("strangers may decide about one another's records")
	}
}

// setter returns who marked a record first: its author if an agent is, since no
// agent takes back what an owner decided.
func setter(all map[string]actor, author string) actor {
	if strings.HasSuffix(author, "agent") {
		return all[author]
	}
	return all["owner"]
}

// What the owner decided about an agent's memory, the agent does not take back;
// what the agent decided itself, it does.
func TestAgentDoesNotTakeBackWhatOwnerDecided(t *testing.T) {
	owner := someone(1)
	s := newScene(t, owner)
	agent := s.delegate(owner, 2, memory.Time{}, memory.OriginAgent)
	r := s.write(agent, noon, &memory.Belief{Statement: "it is so"})
	mark := func(by actor, minutes int, verb string) *memory.Record {
		return s.write(by, noon.Add(time.Duration(minutes)*time.Minute), &memory.Mark{Of: ref(r), Verb: verb})
	}
	for _, tt := range []struct{ first, undo string }{
		{memory.Reject, memory.Approve}, {memory.Forget, memory.Recover}, {memory.Quarantine, memory.Release},
		{memory.Protect, memory.Unprotect},
	} {
		owned := s.fold(r, mark(owner, 1, tt.first))
		got := s.fold(r, mark(owner, 1, tt.first), mark(agent, 2, tt.undo))
		got.AgentApproved = owned.AgentApproved
		if got != owned {
			t.Errorf("%s by the owner, then %s by an agent: %+v, want %+v", tt.first, tt.undo, got, owned)
		}
		agents := s.fold(r, mark(agent, 1, tt.first))
		if tt.first != memory.Reject && agents == s.fold(r, mark(agent, 1, tt.first), mark(agent, 2, tt.undo)) {
			t.Errorf("%s and %s by an agent: the second does nothing", tt.first, tt.undo)
		}
		if owned == s.fold(r, mark(owner, 1, tt.first), mark(owner, 2, tt.undo)) {
			t.Errorf("%s and %s by the owner: the second does nothing", tt.first, tt.undo)
		}
	}
}
