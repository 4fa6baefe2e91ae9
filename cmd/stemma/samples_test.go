package main

import (
	"fmt"
	"strings"

	"github.com/stemma-memory/stemma/api"
)

// refused does what must be refused here, because it is done at a hub: nothing of it is
// written in this store.
func refused(op string, request object) func(*hand) {
	return func(h *hand) {
		request["remote"] = h.folder()
		err := func() (err error) {
			defer func() {
				if s, ok := recover().(slip); ok {
					err = s.error
				}
			}()
			h.did(h.owner, op, request)
			return nil
		}()
		if err == nil {
			panic(slip{fmt.Errorf("%s of a folder is not refused", op)})
		}
	}
}

// of does an operation to a new memory.
func of(op string, make func(*hand) string, more object) func(*hand) {
	return func(h *hand) {
		request := object{"ref": make(h)}
		for k, v := range more {
			request[k] = v
		}
		h.did(h.owner, op, request)
	}
}

// ofEach does operations, one after the other, to new memories.
func ofEach(all ...string) func(*hand) {
	return func(h *hand) {
		refs := []string{h.belief(), h.add(h.owner, "note")}
		for _, op := range all {
			h.did(h.owner, op, object{"refs": refs})
		}
	}
}

func kind(k string) func(*hand) string { return func(h *hand) string { return h.add(h.owner, k) } }

// samples does each operation that writes, with arguments that are right.
var samples = map[string]func(*hand){
	"init":     func(h *hand) { h.did(h.owner, "init", object{}) },
	"capture":  func(h *hand) { h.raw() },
	"remember": func(h *hand) { h.did(h.agent, "remember", object{"text": h.words("remember that")}) },
	"process": func(h *hand) {
		session := h.words("session")
		h.did(
			h.agent, "capture",
			object{"text": "Decision: " + h.words("we use engine"), "event": "user_prompt", "session": session},
		)
		h.did(h.agent, "process", object{"session": session})
	},
	"run_jobs": func(h *hand) {
		h.did(h.agent, "remember", object{"text": h.person() + " works at Acme"})
		h.did(h.agent, "run_jobs", object{"limit": 4})
	},
	"compare": of("compare", (*hand).belief, object{"wait": true}),
	"judge": func(h *hand) {
		who := h.person()
		h.drafted(who + " works at Acme")
		r := h.did(h.agent, "remember", object{"text": who + " left Acme and joined Startup", "judge": true, "wait": true})
		h.did(h.agent, "judge", object{"ref": first(r, "judge", "ref"), "relation": "update", "candidate": 1})
	},
	"resolve": func(h *hand) { h.did(h.owner, "resolve", object{"ref": h.rivals(), "keep": "new"}) },
	"accept_suggestion": func(h *hand) {
		h.did(h.owner, "accept_suggestion", object{"ref": h.drafted(h.person() + " lives in Kiel")})
	},
	"edit_suggestion": func(h *hand) {
		h.did(
			h.owner, "edit_suggestion",
			object{"ref": h.drafted(h.person() + " lives in Kiel"), "text": h.words("in better words")},
		)
	},
	"reject_suggestion": func(h *hand) {
		h.did(h.owner, "reject_suggestion", object{"ref": h.drafted(h.person() + " lives in Kiel")})
	},
	"promote": func(h *hand) {
		h.did(
			h.agent, "promote",
			object{"from": []string{h.raw(), h.raw()}, "text": h.words("an episode of"), "lessons": []string{"one"}},
		)
	},
	"add": func(h *hand) {
		for _, k := range []string{"episode", "note", "belief", "value", "goal", "drive", "relationship", "playbook"} {
			h.add(h.owner, k)
		}
	},
	"consolidate": func(h *hand) {
		h.did(h.agent, "consolidate", object{"from": []string{h.add(h.agent, "episode")}, "text": h.words("a conclusion of")})
	},
	"synthesize": func(h *hand) { h.did(h.agent, "synthesize", object{"what": "identity", "limit": 20}) },
	"revise_beliefs": func(h *hand) {
		h.did(h.agent, "revise_beliefs", object{"episode": h.add(h.agent, "episode")})
	},
	"infer_provenance": func(h *hand) { h.did(h.owner, "infer_provenance", object{"all": true}) },
	"revise": func(h *hand) {
		h.did(
			h.agent, "revise", object{"ref": h.belief(), "text": h.words("said anew,")},
		)
	},
	"correct": func(h *hand) {
		h.did(h.agent, "correct", object{"ref": h.belief(), "text": h.words("corrected,")})
	},
	"approve": ofEach("approve"),
	"reject":  ofEach("reject"),
	"verify":  of("verify", (*hand).belief, object{"notes": "looked"}),
	"embed":   func(h *hand) { h.raw(); h.did(h.agent, "embed", object{}) },
	"reinforce": func(h *hand) {
		h.did(h.agent, "reinforce", object{"ref": h.belief(), "because": []string{h.add(h.agent, "episode")}})
	},
	"goal_status":      of("goal_status", kind("goal"), object{"status": "achieved"}),
	"goal_progress":    of("goal_progress", kind("goal"), object{"progress": "half way"}),
	"drive_satisfy":    of("drive_satisfy", kind("drive"), nil),
	"drive_intensity":  of("drive_intensity", kind("drive"), object{"intensity": 0.7}),
	"playbook_outcome": of("playbook_outcome", kind("playbook"), object{"outcome": "success"}),
	"witness": func(h *hand) {
		other := h.stranger()
		defer other.Close()
		theirs := aside(h, other.Add, api.AddRequest{Draft: api.Draft{Kind: "belief", Text: h.words("somebody else's")}}).Ref
		var b strings.Builder
		if _, err := other.Export(h, &b, api.ExportRequest{}); err != nil {
			panic(slip{err})
		}
		if _, err := h.owner.Import(h, strings.NewReader(b.String()), nil); err != nil {
			panic(slip{err})
		}
		h.did(h.owner, "witness", object{"ref": theirs, "attestation": "confirm"})
	},
	"introduce": func(h *hand) {
		other := h.stranger()
		defer other.Close()
		h.did(h.owner, "introduce", object{"key": h.key(other), "name": h.person()})
	},
	"distrust": func(h *hand) {
		other := h.stranger()
		defer other.Close()
		h.did(h.owner, "introduce", object{"key": h.key(other), "name": h.person()})
		h.did(h.owner, "distrust", object{"key": h.key(other)})
	},
	"quarantine": func(h *hand) { h.did(h.owner, "quarantine", object{"target": h.belief()}) },
	"release": func(h *hand) {
		b := h.belief()
		h.did(h.owner, "quarantine", object{"target": b})
		h.did(h.owner, "release", object{"target": b})
	},
	"purge":  ofEach("purge"),
	"forget": ofEach("forget"),
	"forget_run": func(h *hand) {
		h.belief()
		h.did(h.owner, "forget_run", object{"min_age": "0h", "threshold": 1, "limit": 2})
	},
	"recover":   ofEach("forget", "recover"),
	"protect":   ofEach("protect"),
	"unprotect": ofEach("protect", "unprotect"),
	"used":      ofEach("used"),
	"space_assign": func(h *hand) {
		h.did(h.owner, "space_assign", object{"refs": []string{h.belief()}, "space": "orders"})
	},
	"undo": func(h *hand) {
		h.did(h.owner, "forget", object{"refs": []string{h.belief()}})
		h.did(h.owner, "undo", object{})
	},
	"ask_witness": func(h *hand) {
		other := h.stranger()
		defer other.Close()
		h.did(h.owner, "ask_witness", object{"ref": h.add(h.owner, "note"), "to": h.key(other)})
	},
	"answer_witness": func(h *hand) {
		other := h.stranger()
		defer other.Close()
		theirs := aside(h, other.Add, api.AddRequest{Draft: api.Draft{Kind: "belief", Text: h.words("is it so that")}}).Ref
		asked := aside(h, other.AskWitness, api.AskRequest{Ref: theirs, To: h.key(h.owner)})
		h.did(h.owner, "answer_witness", object{"bundle": asked.Bundle, "attestation": "confirm"})
	},
	"anchor": func(h *hand) {
		h.did(h.owner, "anchor", object{"ref": h.belief(), "type": "file", "reference": h.file()})
	},
	"check_anchors": func(h *hand) {
		h.did(h.owner, "anchor", object{"ref": h.belief(), "type": "file", "reference": h.file()})
		h.did(h.owner, "check_anchors", object{"all": true})
	},
	"checkpoint": func(h *hand) { h.raw(); h.did(h.owner, "checkpoint", object{}) },
	"check_log": func(h *hand) {
		h.did(h.owner, "check_log", object{"held": first(h.did(h.owner, "checkpoint", object{}), "note"), "by": "me"})
	},
	"key_add": func(h *hand) {
		other := h.stranger()
		defer other.Close()
		h.did(h.owner, "key_add", object{"key": h.key(other), "name": h.person()})
	},
	"key_delegate": func(h *hand) { h.did(h.owner, "key_delegate", object{"name": strings.ToLower(h.person())}) },
	"key_rotate":   func(h *hand) { h.did(h.owner, "key_rotate", object{"agent": h.n%2 == 0}) },
	"key_revoke": func(h *hand) {
		name := strings.ToLower(h.person())
		h.did(h.owner, "key_delegate", object{"name": name})
		h.did(h.owner, "key_revoke", object{"key": name, "reason": "lost"})
	},
	"key_recovery":  func(h *hand) { h.did(h.owner, "key_rotate", object{}); h.did(h.owner, "key_recovery", object{}) },
	"remote_add":    func(h *hand) { h.folder() },
	"remote_remove": func(h *hand) { h.did(h.owner, "remote_remove", object{"name": h.folder()}) },
	"remote_accept": func(h *hand) { h.raw(); h.did(h.owner, "remote_accept", object{"remote": h.folder()}) },
	"sync": func(h *hand) {
		h.raw()
		name := h.folder()
		h.did(h.owner, "sync", object{"remote": name})
		h.did(h.owner, "remote_remove", object{"name": name})
	},
	"remote_invite":         refused("remote_invite", object{}),
	"remote_uninvite":       refused("remote_uninvite", object{"id": "3f9a81c05d11"}),
	"remote_member_set":     refused("remote_member_set", object{"account": "did:key:z6Mkx", "role": "reader"}),
	"remote_member_remove":  refused("remote_member_remove", object{"account": "did:key:z6Mkx"}),
	"remote_service_add":    refused("remote_service_add", object{"service": "ci"}),
	"remote_service_revoke": refused("remote_service_revoke", object{"account": "ci"}),
}
