// Package ops is the table of operations: each a name, what it is for, and the
// engine's method that does it. Machines are served from the table; a test
// holds the faces for people against it.
package ops

import (
	"context"
	"reflect"
	"slices"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/internal/tracing"
)

// An Op is one operation of the engine.
type Op struct {
	Name    string
	Aliases []string // the names that other systems' tools know it by
	Doc     string
	Writes  bool
	In, Out reflect.Type
	// Do decodes a request strictly, does it and gives the reply.
	Do func(ctx context.Context, e *engine.Engine, request []byte) (any, error)

	fn       reflect.Value // the method that does it
	usedName string        // the name by which it was found
}

// All is every operation, in the order in which they are documented. Export and
// import are streams and stand beside the table.
var All = []Op{
	def("init", true, "Make the keys and introduce them to the store.", (*engine.Engine).Init),
	def("capture", true, "Keep words now; think about them later.", (*engine.Engine).Capture, "memory_capture"),
	def("remember", true, "Keep words, and have memories made of them.", (*engine.Engine).Remember),
	def("process", true, "Make memories of captured events.", (*engine.Engine).Process),
	def("jobs", false, "List what was left for later.", (*engine.Engine).Jobs),
	def("run_jobs", true, "Do what was left for later.", (*engine.Engine).RunJobs),
	def("compare", true, "Compare a memory with older ones.", (*engine.Engine).Compare, "detect_evolution"),
	def("judge", true, "Answer how a new memory relates to those that were shown.", (*engine.Engine).Judge),
	def("conflicts", false, "List what does not go together.", (*engine.Engine).Conflicts),
	def("resolve", true, "Decide what holds of two memories.", (*engine.Engine).Resolve),
	def("suggestions", false, "List what was proposed and waits for a person.", (*engine.Engine).Suggestions),
	def("accept_suggestion", true, "Approve a draft, or let a proposed update supersede.",
		(*engine.Engine).AcceptSuggestion, "promote_suggestion"),
	def("edit_suggestion", true, "Say a draft in better words, approved.", (*engine.Engine).EditSuggestion),
	def("reject_suggestion", true, "Say that a draft is wrong, or a link is none.", (*engine.Engine).RejectSuggestion),
	def("promote", true, "Make a memory of raw words.", (*engine.Engine).Promote, "process_raw"),
	def("add", true, "Write a memory down directly.", (*engine.Engine).Add, "create_memory"),
	def("consolidate", true, "Draw a conclusion from memories.", (*engine.Engine).Consolidate),
	def("synthesize", true, "Propose what memories show together: beliefs of episodes, or an identity of beliefs.",
		(*engine.Engine).Synthesize, "synthesize_identity"),
	def("revise_beliefs", true, "Let an episode reinforce, weaken or challenge beliefs.", (*engine.Engine).ReviseBeliefs,
		"revise_beliefs_from_episode"),
	def("entities", false, "List whom and what memories speak of.", (*engine.Engine).Entities),
	def("entity", false, "Show everything about a name.", (*engine.Engine).Entity),
	def("infer_provenance", true, "Propose where memories without sources come from; a person applies.",
		(*engine.Engine).InferProvenance),
	def("revise", true, "Say a memory anew; the old one stays readable.", (*engine.Engine).Revise, "revise_belief"),
	def("show", false, "Show one record whole.", (*engine.Engine).Show),
	def("list", false, "List memories.", (*engine.Engine).List),
	def("search", false, "Find memories by their words.", (*engine.Engine).Search, "memory_search", "query_memories"),
	def("trace", false, "Show where a record came from and what came of it.", (*engine.Engine).Trace, "memory_trace",
		"get_memory_provenance"),
	def("evidence", false, "Show what a belief rests on.", (*engine.Engine).Evidence, "get_evidence",
		"get_belief_evidence"),
	def("provenance", false, "Tell how a record came to be.", (*engine.Engine).Provenance, "get_provenance", "lineage",
		"meta_lineage"),
	def("derived", false, "List what was derived from a record directly.", (*engine.Engine).Derived,
		"get_derived_memories"),
	def("sources", false, "List what a record was derived from directly.", (*engine.Engine).Sources,
		"get_source_memories"),
	def("from_raw", false, "List every memory that traces back to a raw.", (*engine.Engine).FromRaw,
		"get_memories_from_raw"),
	def("raw_sources", false, "List the raws a memory ultimately rests on.", (*engine.Engine).RawSources,
		"get_raw_sources"),
	def("review", false, "List what waits for a person's decision.", (*engine.Engine).Review),
	def("approve", true, "Say that memories are right.", (*engine.Engine).Approve),
	def("reject", true, "Say that memories are wrong: nothing shows them again.", (*engine.Engine).Reject),
	def("verify", true, "Say that a memory still holds.", (*engine.Engine).Verify, "meta_verify"),
	def("check", false, "Compare what memories say of code with the code.", (*engine.Engine).Check),
	def("context", false, "Give what bears on a question, within a budget of tokens.", (*engine.Engine).Context,
		"context_pack"),
	def("load", false, "Give what an agent should know when its work begins.", (*engine.Engine).Load, "memory_load"),
	def("recent", false, "List what was recorded lately.", (*engine.Engine).Recent),
	def("receipts", false, "List what searches and packs gave to agents.", (*engine.Engine).Receipts),
	def("receipt", false, "Show one receipt whole.", (*engine.Engine).Receipt),
	def("replay", false, "Ask a question again and say what is different.", (*engine.Engine).Replay),
	def("embed", true, "Make the vectors that are missing.", (*engine.Engine).Embed),
	def("history", false, "List the revisions of a memory.", (*engine.Engine).History),
	def("uncertain", false, "List memories of low confidence.", (*engine.Engine).Uncertain, "meta_uncertain"),
	def("confidence_history", false, "Tell who moved a confidence, when, from what to what and why.",
		(*engine.Engine).ConfidenceHistory, "meta_history"),
	def("reinforce", true, "Move a confidence because of what happened.", (*engine.Engine).Reinforce),
	def("goal_status", true, "Say what became of a goal.", (*engine.Engine).GoalStatus),
	def("goal_progress", true, "Say how far a goal is.", (*engine.Engine).GoalProgress),
	def("drive_satisfy", true, "Say that a drive was met: it is weaker for it.", (*engine.Engine).DriveSatisfy),
	def("drive_intensity", true, "Say how strong a drive is.", (*engine.Engine).DriveIntensity),
	def("playbook_find", false, "Find how something is done, with how often it helped.", (*engine.Engine).PlaybookFind,
		"find_playbook"),
	def("playbook_outcome", true, "Say that a playbook was used, and whether it helped.",
		(*engine.Engine).PlaybookOutcome, "playbook_used"),
	def("relationship_history", false, "Tell what there was with somebody.", (*engine.Engine).RelationshipHistory),
	def("emotion_summary", false, "Tell how episodes felt.", (*engine.Engine).EmotionSummary),
	def("emotion_search", false, "List episodes by how they felt.", (*engine.Engine).EmotionSearch),
	def("identity", false, "Show values, active goals, drives and the strongest beliefs.", (*engine.Engine).Identity,
		"identity_show"),
	def("status", false, "Count what is there and what waits, on one page.", (*engine.Engine).Status),
	def("taint", false, "List what rests on something that may be false.", (*engine.Engine).Taint),
	def("trust", false, "Show who stands behind a memory, and what that is worth.", (*engine.Engine).Trust,
		"compute_trust_score", "get_trust"),
	def("explain", false, "Show what a memory rests on, who stands behind it and how sure its author is.",
		(*engine.Engine).Explain),
	def("witness", true, "Say of somebody else's memory that it is right, wrong, or both in parts.",
		(*engine.Engine).Witness),
	def("introduce", true, "Say whose a key is: what they say as a witness counts.", (*engine.Engine).Introduce),
	def("distrust", true, "Take back that a key is believed.", (*engine.Engine).Distrust),
	def("quarantine", true, "Hide what may be false, with all that rests on it alone.", (*engine.Engine).Quarantine),
	def("release", true, "Bring back what a quarantine hid.", (*engine.Engine).Release),
	def("purge", true, "Remove words for good.", (*engine.Engine).Purge, "forget_purge"),
	def("forget", true, "Leave memories out of lists, searches and packs; they can be brought back.",
		(*engine.Engine).Forget),
	def("forget_candidates", false, "Show what a run of forgetting would take, with the terms of each salience.",
		(*engine.Engine).ForgetCandidates),
	def("forget_run", true, "Forget what was used too little to matter.", (*engine.Engine).ForgetRun),
	def("forget_list", false, "List what is forgotten.", (*engine.Engine).ForgetList),
	def("recover", true, "Bring back what was forgotten.", (*engine.Engine).Recover, "forget_recover"),
	def("protect", true, "Keep memories from being forgotten.", (*engine.Engine).Protect, "forget_protect"),
	def("unprotect", true, "Take a protection back.", (*engine.Engine).Unprotect, "forget_unprotect"),
	def("used", true, "Say that one relied on memories, which keeps them from being forgotten.", (*engine.Engine).Used),
	def("undo", true, "Take back the last act.", (*engine.Engine).Undo),
	def("ask_witness", true, "Ask somebody for a word about a memory.", (*engine.Engine).AskWitness, "request_witness"),
	def("answer_witness", true, "Answer somebody's request for a word.", (*engine.Engine).AnswerWitness),
	def("witness_requests", false, "List the requests for a word that wait at a remote.",
		(*engine.Engine).WitnessRequests),
	def("anchor", true, "Tie a memory to something outside.", (*engine.Engine).Anchor, "create_anchor"),
	def("anchor_line", false, "Give what something outside needs to name a memory.", (*engine.Engine).AnchorStamp),
	def("check_anchors", true, "Compare anchors with the outside as it is now.", (*engine.Engine).AnchorCheck,
		"verify_anchor"),
	def("audit", false, "Check signatures, keys and logs as a stranger would.", (*engine.Engine).Audit),
	def("checkpoint", true, "Sign what a log is now.", (*engine.Engine).Checkpoint),
	def("prove", false, "Show that a record stands in a log, or that the log only grew.", (*engine.Engine).Prove),
	def("check_log", true, "Compare a log with what somebody else holds of it.", (*engine.Engine).CheckLog),
	def("keys", false, "List every key that is known.", (*engine.Engine).KeyList),
	def("key_show", false, "Show one's own keys.", (*engine.Engine).KeyShow),
	def("key_add", true, "Give a key a name.", (*engine.Engine).KeyAdd),
	def("key_export_public", false, "Give the public key, for others to introduce.", (*engine.Engine).KeyExportPublic),
	def("key_delegate", true, "Let another key act for the owner.", (*engine.Engine).KeyDelegate),
	def("key_rotate", true, "Put a new key in the place of an old one.", (*engine.Engine).KeyRotate),
	def("key_revoke", true, "Say that a key speaks no more.", (*engine.Engine).KeyRevoke),
	def("key_recovery", true, "Make a recovery key.", (*engine.Engine).KeyRecovery),
	def("remotes", false, "List the places with which the store exchanges records.", (*engine.Engine).Remotes),
	def("remote_add", true, "Name a place to exchange records with.", (*engine.Engine).RemoteAdd),
	def("remote_remove", true, "Forget a place to exchange records with.", (*engine.Engine).RemoteRemove),
	def("remote_accept", true, "Go on with a remote whose history is not what it was.", (*engine.Engine).RemoteAccept),
	def("remote_view", false, "Give what the store holds of a remote's logs, for another store to compare.",
		(*engine.Engine).RemoteView),
	def("remote_compare", false, "Compare what two stores hold of a remote's logs: did it tell both the same?",
		(*engine.Engine).RemoteCompare),
	def("remote_invite", true, "Invite somebody to a space that one keeps at a hub.", (*engine.Engine).RemoteInvite),
	def("remote_uninvite", true, "Take back an invitation that nobody has used yet.", (*engine.Engine).RemoteUninvite),
	def("remote_members", false, "List who may do what in a space that one keeps at a hub.",
		(*engine.Engine).RemoteMembers),
	def("remote_member_set", true, "Give a member of a space at a hub another role.", (*engine.Engine).RemoteMemberSet),
	def("remote_member_remove", true, "Put a member out of a space at a hub.", (*engine.Engine).RemoteMemberRemove),
	def("sync", true, "Exchange records with a remote.", (*engine.Engine).Sync),
	def("stats", false, "Count what is in the store.", (*engine.Engine).Stats),
	def("doctor", false, "Look for what is wrong with a store.", (*engine.Engine).Doctor),
}

// Find returns the operation of a name or an alias. What it is asked may be said in the
// words of those whose name that is.
func Find(name string) (Op, bool) {
	for _, op := range All {
		if op.Name == name || slices.Contains(op.Aliases, name) {
			return op.as(name), true
		}
	}
	return Op{}, false
}

// idle are the writing operations that find nothing to write where there is no store.
var idle = []string{"check_anchors", "check_log"}

// MakesStore reports whether a store is made for a request where there is none: not to
// read, to compare, or to say what would be done. The request is decoded, or as it came.
func (o Op) MakesStore(request any) bool {
	if !o.Writes || slices.Contains(idle, o.Name) {
		return false
	}
	v := reflect.ValueOf(request)
	if raw, is := request.([]byte); is {
		v = reflect.New(o.In)
		if decode(raw, v.Interface()) != nil {
			return false // it is refused
		}
		v = v.Elem()
	}
	if v.Kind() != reflect.Struct {
		return true
	}
	dry := v.FieldByName("DryRun")
	return !dry.IsValid() || dry.Kind() != reflect.Bool || !dry.Bool()
}

// def is one line of the table. The compiler checks the shape of the method; all that
// an operation does is in define, of which a program has one copy and not one for
// each pair of a request and a reply.
func def[In, Out any](name string, writes bool, doc string,
	do func(*engine.Engine, context.Context, In) (Out, error), aliases ...string) Op {
	return define(Op{Name: name, Aliases: aliases, Doc: doc, Writes: writes}, do)
}

func define(op Op, do any) Op {
	op.fn = reflect.ValueOf(do)
	op.In, op.Out = op.fn.Type().In(2), op.fn.Type().Out(0)
	refs := refMembers(op.In)
	op.Do = func(ctx context.Context, e *engine.Engine, request []byte) (any, error) {
		ctx, span := tracing.Start(ctx, tracing.Inside, "operation "+op.Name)
		defer span.End()
		in := reflect.New(op.In)
		err := decode(request, in.Interface())
		if err == nil && len(refs) > 0 {
			err = emptyRef(request, refs)
		}
		if err != nil {
			err = api.Invalid("%s: %v%s", op.Name, err, meant(err, op.In))
		}
		var out any
		if err == nil {
			out, err = Invoke(do, e, ctx, in.Elem().Interface())
		}
		if err != nil {
			span.Fail(StatusOf(err).Name)
			return nil, err
		}
		e.NoteReply(ctx, op.Name, out)
		return out, nil
	}
	return op
}
