package core_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/internal/engine/enginetest"
	"github.com/stemma-memory/stemma/memory"
)

// known returns every memory that a broad search shows, with its tier.
func known(t *testing.T, e *engine.Engine, asOf string) map[string]string {
	t.Helper()
	out := make(map[string]string)
	for _, r := range search(t, e, api.SearchRequest{Query: "harbour", Limit: 1000, AsOf: asOf, Kind: everyKind}).Results {
		out[r.Ref] = r.Tier
	}
	return out
}

// A life writes, revises and marks at random, through both of two people.
type life struct {
	*people
	t *testing.T
	*rand.Rand
	raws, all []string // memories that are no raws
	steps     map[string]int
}

// step does one thing, or nothing where it is refused.
func (l *life) step() {
	ctx, t := l.t.Context(), l.t
	e := l.Agent
	if l.IntN(2) == 0 {
		e = l.Owner
	}
	pick := func(from []string) string { return from[l.IntN(len(from))] }
	text := fmt.Sprintf("the harbour in the year %d", l.At.Load())
	what := []string{
		"capture", "add", "promote", "consolidate", "revise", "revise", "approve", "approve", "reject", "force", "forget",
		"recover", "quarantine", "release", "verify", "marks", "merge",
	}[l.IntN(17)]
	if len(l.raws) < 2 {
		what = "capture"
	} else if len(l.all) < 3 {
		what = []string{"add", "promote"}[l.IntN(2)]
	}
	keep := func(r api.WriteReply, err error) error {
		if err == nil {
			l.all = append(l.all, r.Ref)
		}
		return err
	}
	var err error
	switch what {
	case "capture":
		l.raws = append(l.raws, capture(t, e, text))
	case "add":
		in := api.AddRequest{Draft: api.Draft{Kind: []string{"belief", "note", "goal"}[l.IntN(3)], Text: text}}
		in.Approve = l.IntN(3) == 0
		err = keep(e.Add(ctx, in))
	case "promote":
		err = keep(
			e.Promote(ctx, api.PromoteRequest{From: []string{pick(l.raws)}, Again: true, Draft: api.Draft{Text: text}}),
		)
	case "consolidate":
		err = keep(
			e.Consolidate(ctx, api.ConsolidateRequest{From: []string{pick(l.all), pick(l.raws)}, Draft: api.Draft{Text: text}}),
		)
	case "revise":
		err = keep(e.Revise(ctx, api.ReviseRequest{Ref: pick(l.all), Draft: api.Draft{Text: text}}))
	case "merge":
		err = keep(
			e.Revise(ctx, api.ReviseRequest{Ref: pick(l.all), Merge: []string{pick(l.all)}, Draft: api.Draft{Text: text}}),
		)
	case "approve", "force":
		_, err = e.Approve(ctx, api.DecideRequest{Refs: []string{pick(l.all)}, Force: what == "force"})
	case "reject":
		_, err = e.Reject(ctx, api.DecideRequest{Refs: []string{pick(l.all)}, Reason: text})
	case "verify":
		_, err = e.Verify(ctx, api.VerifyRequest{Ref: pick(l.all)})
	case "marks":
		err = enginetest.SignMark(ctx, e, memory.Forget, "", pick(l.all), pick(l.all), pick(l.raws))
	default:
		err = enginetest.SignMark(ctx, e, map[string]string{
			"forget": memory.Forget, "recover": memory.Recover, "quarantine": memory.Quarantine, "release": memory.Release,
		}[what], "", pick(append(l.all, l.raws...)))
	}
	if err == nil {
		l.steps[what]++
	}
	if l.IntN(10) == 0 {
		l.Ahead(time.Duration(l.IntN(3*24*3600)) * time.Second)
	}
}

func difference(got, want map[string]string) string {
	out := ""
	for _, ref := range slices.Sorted(maps.Keys(want)) {
		if g, is := got[ref]; !is {
			out += fmt.Sprintf("%.14s (%s) is missing; ", ref, want[ref])
		} else if g != want[ref] {
			out += fmt.Sprintf("%.14s is %s, want %s; ", ref, g, want[ref])
		}
	}
	for _, ref := range slices.Sorted(maps.Keys(got)) {
		if _, is := want[ref]; !is {
			out += fmt.Sprintf("%.14s (%s) is too much; ", ref, got[ref])
		}
	}
	return out
}
