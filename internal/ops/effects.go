package ops

// An Effect is what an operation can do to memories. Operations of one effect ask the same check in the engine,
// whatever they are called: what an agent may not do by one of them it may not do by another.
type Effect string

// The effects.
const (
	TakesOut Effect = "takes a memory out of what is current"
	Replaces Effect = "puts words in the place of a memory"
	Says     Effect = "makes a memory of words"
	Lifts    Effect = "approves, confirms or brings back"
	Settles  Effect = "decides or proposes how two memories go together"
	Weighs   Effect = "says how sure, how far or how useful"
	Guards   Effect = "keeps from being forgotten, or no longer"
	None     Effect = "nothing of a memory"
)

// effects are those of the operations that write, by name. Every one of them is here.
var effects = map[string][]Effect{
	"init": {None}, "capture": {None}, "embed": {None}, "ask_witness": {None}, "sync": {None},
	"anchor": {None}, "check_anchors": {None}, "checkpoint": {None}, "check_log": {None},
	"key_add": {None}, "key_delegate": {None}, "key_rotate": {None}, "key_recovery": {None},
	"space_assign": {None}, "remote_add": {None}, "remote_remove": {None}, "remote_accept": {None},
	"remote_invite":   {None},
	"remote_uninvite": {None}, "remote_member_set": {None}, "remote_member_remove": {None},
	"remote_service_add": {None}, "remote_service_revoke": {None},

	"forget": {TakesOut}, "reject": {TakesOut}, "forget_run": {TakesOut}, "quarantine": {TakesOut},
	"purge": {TakesOut}, "distrust": {TakesOut}, "key_revoke": {TakesOut},
	"goal_status": {TakesOut, Lifts}, "correct": {TakesOut, Replaces, Says}, "undo": {TakesOut, Replaces, Lifts},
	"reject_suggestion": {TakesOut, Settles}, "resolve": {TakesOut, Replaces, Settles},

	"revise": {TakesOut, Replaces, Says}, "edit_suggestion": {Replaces, Lifts}, "accept_suggestion": {Lifts, Settles},

	"remember": {Says, Replaces}, "process": {Says}, "run_jobs": {Says}, "promote": {Says}, "add": {Says},
	"consolidate": {Says}, "synthesize": {Says},

	"approve": {Lifts}, "verify": {Lifts, Weighs}, "witness": {Lifts, Weighs}, "answer_witness": {Lifts, Weighs},
	"introduce": {Lifts}, "release": {Lifts}, "recover": {Lifts},

	"compare": {Settles}, "judge": {Settles}, "infer_provenance": {Settles}, "revise_beliefs": {Weighs, Settles},

	"reinforce": {Weighs}, "goal_progress": {Weighs}, "drive_satisfy": {Weighs}, "drive_intensity": {Weighs},
	"playbook_outcome": {Weighs},

	"protect": {Guards}, "unprotect": {Guards}, "used": {Guards},
}

// Effects returns what an operation can do to memories; nothing at all where nobody said so yet.
func (o Op) Effects() []Effect {
	if !o.Writes {
		return []Effect{None}
	}
	return effects[o.Name]
}
