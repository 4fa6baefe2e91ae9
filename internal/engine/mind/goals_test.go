package mind_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/memory"
)

// A goal is active until somebody says otherwise; the last word counts, even in one
// moment.
func TestGoalStatusAndProgress(t *testing.T) {
	p := newPeople(t)
	goal := add(t, p.Agent, "goal", "ship the importer")
	if m := show(t, p.Agent, goal); m.Status != "active" || m.Progress != "" {
		t.Errorf("at first %q, %q, want it active", m.Status, m.Progress)
	}
	p.Stop()
	for range 4 {
		for _, status := range []string{"paused", "achieved", "abandoned", "active"} {
			r, err := p.Agent.GoalStatus(t.Context(), api.GoalStatusRequest{Ref: goal, Status: status})
			if err != nil || r.Memory.Status != status || r.Claim == "" {
				t.Fatalf("%s: %+v, %v", status, r, err)
			}
		}
	}
	if r, err := p.Agent.GoalStatus(t.Context(), api.GoalStatusRequest{Ref: goal, Status: "active"}); err != nil ||
		r.Claim != "" {
		t.Errorf("active again: %q, %v, want no new claim", r.Claim, err)
	}
	for _, in := range []string{"40%", "the importer reads git", "100 %"} {
		if r, err := p.Agent.GoalProgress(t.Context(), api.GoalProgressRequest{Ref: goal, Progress: in}); err != nil ||
			r.Memory.Progress != in {
			t.Errorf("progress %q: %+v, %v", in, r.Memory.Progress, err)
		}
	}
	list, err := p.Agent.List(t.Context(), api.ListRequest{Kind: "goal"})
	if err != nil || list.Memories[0].Status != "active" || list.Memories[0].Progress != "100 %" {
		t.Errorf("listed %+v, %v", list.Memories, err)
	}
}

// Who may not decide about a goal is told so, and nothing is stored.
func TestGoalRefusals(t *testing.T) {
	p := newPeople(t)
	goal, owners, drive := add(t, p.Agent, "goal", "one"), add(t, p.Owner, "goal", "two"), add(
		t, p.Agent, "drive", "curiosity",
	)
	for _, tt := range []struct {
		e           *engine.Engine
		ref, status string
		want        error
	}{
		{p.Agent, owners, "achieved", api.ErrForbidden},
		{p.Agent, goal, "done", api.ErrInvalid},
		{p.Agent, goal, "", api.ErrInvalid},
		{p.Agent, drive, "paused", api.ErrInvalid},
		{p.Owner, goal, "achieved", nil},
	} {
		_, err := tt.e.GoalStatus(t.Context(), api.GoalStatusRequest{Ref: tt.ref, Status: tt.status})
		if !errors.Is(err, tt.want) || tt.want == api.ErrForbidden &&
			!strings.Contains(err.Error(), "only a person can say what became of it") {
			t.Errorf("%s %q: %v, want %v", tt.ref[:8], tt.status, err, tt.want)
		}
	}
	for _, progress := range []string{"", " ", "140%", "-1%", "NaN%"} {
		if _, err := p.Agent.GoalProgress(
			t.Context(), api.GoalProgressRequest{Ref: goal, Progress: progress},
		); !isInvalid(err) {
			t.Errorf("progress %q: %v, want it invalid", progress, err)
		}
	}
	if m := show(t, p.Owner, owners); len(m.Claims) != 0 || m.Status != "active" {
		t.Errorf("of the owner's goal is said %+v", m.Claims)
	}
}

// A drive is weaker for being met, not below nothing, and what was written stays.
func TestDrives(t *testing.T) {
	onEach(t, func(t *testing.T, e *engine.Engine) {
		drive := write(t, e, api.AddRequest{Draft: api.Draft{Kind: "drive", Text: "curiosity", Intensity: number(0.7)}})
		at := func(want float64, r api.MarkReply, err error) {
			t.Helper()
			if err != nil || *r.Memory.Intensity != want || r.Memory.Content["intensity"] != 0.7 {
				t.Errorf("%v (written %v), %v, want %v", r.Memory.Intensity, r.Memory.Content["intensity"], err, want)
			}
		}
		satisfy := func(amount *float64) (api.MarkReply, error) {
			return e.DriveSatisfy(t.Context(), api.DriveSatisfyRequest{Ref: drive, Amount: amount})
		}
		r, err := satisfy(nil)
		at(0.5, r, err)
		r, err = satisfy(number(0.125))
		at(0.375, r, err)
		r, err = satisfy(number(0.9))
		at(0, r, err)
		if r, err = satisfy(nil); err != nil || r.Claim != "" {
			t.Errorf("met at 0: %q, %v, want no new claim", r.Claim, err)
		}
		r, err = e.DriveIntensity(t.Context(), api.DriveIntensityRequest{Ref: drive, Intensity: number(0.9)})
		at(0.9, r, err)
		for _, bad := range []*float64{nil, number(1.1), number(-0.1), number(0.0005)} {
			if _, err := e.DriveIntensity(t.Context(), api.DriveIntensityRequest{Ref: drive, Intensity: bad}); !isInvalid(err) {
				t.Errorf("intensity %v: %v, want it invalid", bad, err)
			}
		}
		if _, err := satisfy(number(0)); !isInvalid(err) {
			t.Errorf("met by 0: %v, want it invalid", err)
		}
	})
	p := newPeople(t)
	owners := add(t, p.Owner, "drive", "order")
	if _, err := p.Agent.DriveSatisfy(
		t.Context(), api.DriveSatisfyRequest{Ref: owners},
	); !errors.Is(err, api.ErrForbidden) {
		t.Errorf("an agent of the owner's drive: %v, want it forbidden", err)
	}
}

// What a newer version said of an intensity says nothing here.
func TestAnIntensityThatIsNoNumber(t *testing.T) {
	p := newPeople(t)
	drive := add(t, p.Agent, "drive", "curiosity")
	mark(t, p.Owner, memory.Intensity, "", drive) // without a value
	if m := show(t, p.Agent, drive); *m.Intensity != 0.5 {
		t.Errorf("intensity %v, want what was written", *m.Intensity)
	}
}
