// Package ops is the table of operations: each a name, what it is for, and the
// engine's method that does it. Machines are served from the table; a test
// holds the faces for people against it.
package ops

import (
	"context"
	"reflect"
	"slices"
	"sync"

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
	def("init", true, "Create your keys and add them to the store.", (*engine.Engine).Init),
	def("capture", true, "Store words as they are, to be processed later.", (*engine.Engine).Capture, "memory_capture"),
	def("remember", true, "Store words and draft memories from them.", (*engine.Engine).Remember),
	def("process", true, "Draft memories from captures.", (*engine.Engine).Process),
	def("jobs", false, "List background jobs.", (*engine.Engine).Jobs),
	def("run_jobs", true, "Run background jobs.", (*engine.Engine).RunJobs),
	def("compare", true, "Compare a memory with older ones.", (*engine.Engine).Compare, "detect_evolution",
		"detect"),
	def("judge", true, "Answer how a new memory relates to the ones shown.", (*engine.Engine).Judge),
	def("conflicts", false, "List conflicts between memories.", (*engine.Engine).Conflicts),
	def("resolve", true, "Decide a conflict between two memories.", (*engine.Engine).Resolve),
	def("suggestions", false, "List drafts and links that wait for a person.", (*engine.Engine).Suggestions),
	def("accept_suggestion", true, "Approve a draft or apply a proposed update.",
		(*engine.Engine).AcceptSuggestion, "promote_suggestion"),
	def("edit_suggestion", true, "Rewrite a draft and approve it.", (*engine.Engine).EditSuggestion),
	def("reject_suggestion", true, "Reject a drafted memory or link.", (*engine.Engine).RejectSuggestion),
	def("promote", true, "Make a memory from captures.", (*engine.Engine).Promote, "process_raw"),
	def("add", true, "Write a memory directly.", (*engine.Engine).Add, "create_memory"),
	def("consolidate", true, "Draw a conclusion from memories.", (*engine.Engine).Consolidate),
	def("synthesize", true, "Propose beliefs from several episodes, or an identity from beliefs.",
		(*engine.Engine).Synthesize, "synthesize_identity"),
	def("revise_beliefs", true, "Let an episode reinforce, weaken or challenge beliefs.", (*engine.Engine).ReviseBeliefs,
		"revise_beliefs_from_episode"),
	def("entities", false, "List the people and things that memories mention.", (*engine.Engine).Entities),
	def("entity", false, "Show everything about a name.", (*engine.Engine).Entity),
	def("infer_provenance", true, "Propose where memories without sources come from; a person applies.",
		(*engine.Engine).InferProvenance),
	def("correct", true, "Say that a memory is otherwise, wrong, or over.", (*engine.Engine).Correct),
	def("revise", true, "Replace a memory with a new revision; the old one stays readable.",
		(*engine.Engine).Revise, "revise_belief"),
	def("show", false, "Show one record in full.", (*engine.Engine).Show),
	def("list", false, "List memories.", (*engine.Engine).List),
	def("recall", false, "Return what is known about a question, or what to know when work begins.",
		(*engine.Engine).Recall),
	def("search", false, "Find memories by their words.", (*engine.Engine).Search, "memory_search", "query_memories"),
	def("trace", false, "Show where a record came from and what was derived from it.",
		(*engine.Engine).Trace, "memory_trace",
		"get_memory_provenance"),
	def("evidence", false, "Show what a belief rests on.", (*engine.Engine).Evidence, "get_evidence",
		"get_belief_evidence"),
	def("provenance", false, "Show how a record was made.", (*engine.Engine).Provenance, "get_provenance", "lineage",
		"meta_lineage"),
	def("derived", false, "List the records derived directly from a record.", (*engine.Engine).Derived,
		"get_derived_memories"),
	def("sources", false, "List the direct sources of a record.", (*engine.Engine).Sources,
		"get_source_memories"),
	def("from_raw", false, "List every memory that traces back to a capture.", (*engine.Engine).FromRaw,
		"get_memories_from_raw"),
	def("raw_sources", false, "List the captures that a memory ultimately rests on.", (*engine.Engine).RawSources,
		"get_raw_sources"),
	def("review", false, "List memories that wait for a person's decision.", (*engine.Engine).Review),
	def("approve", true, "Approve memories.", (*engine.Engine).Approve),
	def("reject", true, "Reject memories; they are no longer shown.", (*engine.Engine).Reject),
	def("verify", true, "Confirm that a memory still holds.", (*engine.Engine).Verify, "meta_verify"),
	def("check", false, "Compare code references in memories with the current code.", (*engine.Engine).Check),
	def("context", false, "Return a pack of memories for a question, within a token budget.", (*engine.Engine).Context,
		"context_pack"),
	def("load", false, "Return a pack of memories for the start of work.", (*engine.Engine).Load, "memory_load"),
	def("recent", false, "List recent records.", (*engine.Engine).Recent),
	def("receipts", false, "List what agents asked and what they received.", (*engine.Engine).Receipts),
	def("receipt", false, "Show one receipt in full.", (*engine.Engine).Receipt),
	def("replay", false, "Ask a receipt's question again and show what changed.", (*engine.Engine).Replay),
	def("embed", true, "Compute missing vectors.", (*engine.Engine).Embed),
	def("blame", false, "Show which session wrote lines of code, what it was told and given, and who decided that.",
		(*engine.Engine).Blame),
	def("attest", false, "Say and sign on what the commits of a range rest: sessions, and memories they were given.",
		(*engine.Engine).Attest),
	def("decisions", false, "List who decided what, when and why.", (*engine.Engine).Decisions),
	def("history", false, "List the revisions of a memory.", (*engine.Engine).History),
	def("uncertain", false, "List memories of low confidence.", (*engine.Engine).Uncertain, "meta_uncertain"),
	def("confidence_history", false, "List the changes of a memory's confidence: who, when and why.",
		(*engine.Engine).ConfidenceHistory, "meta_history"),
	def("reinforce", true, "Change a confidence because of an episode.", (*engine.Engine).Reinforce),
	def("goal_status", true, "Set the status of a goal.", (*engine.Engine).GoalStatus),
	def("goal_progress", true, "Set the progress of a goal.", (*engine.Engine).GoalProgress),
	def("drive_satisfy", true, "Mark a drive as satisfied, which lowers its intensity.", (*engine.Engine).DriveSatisfy),
	def("drive_intensity", true, "Set the intensity of a drive.", (*engine.Engine).DriveIntensity),
	def("playbook_find", false, "Find playbooks, with how often each helped.", (*engine.Engine).PlaybookFind,
		"find_playbook"),
	def("playbook_outcome", true, "Record that a playbook was used, and whether it helped.",
		(*engine.Engine).PlaybookOutcome, "playbook_used"),
	def("relationship_history", false, "List the history of a relationship.", (*engine.Engine).RelationshipHistory),
	def("emotion_summary", false, "Summarize the emotions of episodes.", (*engine.Engine).EmotionSummary),
	def("emotion_search", false, "List episodes by emotion.", (*engine.Engine).EmotionSearch),
	def("identity", false, "Show values, active goals, drives and the strongest beliefs.", (*engine.Engine).Identity,
		"identity_show"),
	def("status", false, "Show counts, what waits for a person, and open jobs on one page.", (*engine.Engine).Status),
	def("taint", false, "List memories that rest on tainted or hidden sources.", (*engine.Engine).Taint),
	def("trust", false, "Show the trust score of a memory and each of its terms.", (*engine.Engine).Trust,
		"compute_trust_score", "get_trust"),
	def("reputation", false, "Show what somebody's record so far is worth.", (*engine.Engine).Reputation,
		"get_reputation"),
	def("why", false, "Show what a memory rests on, who vouches for it and how sure its author is.",
		(*engine.Engine).Why, "explain"),
	def("witness", true, "Confirm, dispute or partly confirm somebody else's memory.",
		(*engine.Engine).Witness),
	def("introduce", true, "Name a key's owner; their word as a witness then counts.", (*engine.Engine).Introduce),
	def("distrust", true, "Stop trusting a key.", (*engine.Engine).Distrust),
	def("quarantine", true, "Hide memories and everything that rests on them alone.", (*engine.Engine).Quarantine),
	def("release", true, "End a quarantine.", (*engine.Engine).Release),
	def("purge", true, "Erase a record's words, or all of a person's, for good.", (*engine.Engine).Purge, "forget_purge"),
	def("forget", true, "Leave memories out of lists, searches and packs; they can be brought back.",
		(*engine.Engine).Forget),
	def("forget_candidates", false, "Show what a forgetting run would forget, with the terms of each salience.",
		(*engine.Engine).ForgetCandidates),
	def("forget_run", true, "Forget memories of low salience.", (*engine.Engine).ForgetRun),
	def("forget_list", false, "List forgotten memories.", (*engine.Engine).ForgetList),
	def("recover", true, "Restore forgotten memories.", (*engine.Engine).Recover, "forget_recover"),
	def("space_assign", true, "Say which project memories are of that belong to none.", (*engine.Engine).SpaceAssign),
	def("protect", true, "Protect memories from being forgotten.", (*engine.Engine).Protect, "forget_protect"),
	def("unprotect", true, "End the protection of memories.", (*engine.Engine).Unprotect, "forget_unprotect"),
	def("used", true, "Record that memories were used, which keeps them from being forgotten.", (*engine.Engine).Used),
	def("undo", true, "Undo the last decision.", (*engine.Engine).Undo),
	def("ask_witness", true, "Ask somebody to witness a memory.", (*engine.Engine).AskWitness, "request_witness"),
	def("answer_witness", true, "Answer a request to witness a memory.", (*engine.Engine).AnswerWitness),
	def("witness_requests", false, "List witness requests that wait at a remote.",
		(*engine.Engine).WitnessRequests),
	def("anchor", true, "Anchor a memory to outside proof.", (*engine.Engine).Anchor, "create_anchor"),
	def("anchor_line", false, "Return the line by which a commit or document names a memory.",
		(*engine.Engine).AnchorStamp),
	def("check_anchors", true, "Check anchors against their targets.", (*engine.Engine).AnchorCheck,
		"verify_anchor"),
	def("audit", false, "Check signatures, keys and logs as an outsider.", (*engine.Engine).Audit),
	def("checkpoint", true, "Sign the length and hash of a log.", (*engine.Engine).Checkpoint),
	def("prove", false, "Prove that a record is in a log, or that the log only grew.", (*engine.Engine).Prove),
	def("check_log", true, "Compare a log with a checkpoint that somebody else holds.", (*engine.Engine).CheckLog),
	def("keys", false, "List known keys.", (*engine.Engine).KeyList),
	def("key_show", false, "Show your own keys.", (*engine.Engine).KeyShow),
	def("key_add", true, "Give a key a name.", (*engine.Engine).KeyAdd),
	def("key_export_public", false, "Return your public key, for others to introduce.", (*engine.Engine).KeyExportPublic),
	def("key_delegate", true, "Delegate a key: it may write for its owner.", (*engine.Engine).KeyDelegate),
	def("key_rotate", true, "Replace a key with a new one.", (*engine.Engine).KeyRotate),
	def("key_revoke", true, "Revoke a key.", (*engine.Engine).KeyRevoke),
	def("key_recovery", true, "Create a recovery key.", (*engine.Engine).KeyRecovery),
	def("remotes", false, "List the store's remotes.", (*engine.Engine).Remotes),
	def("remote_add", true, "Add a remote.", (*engine.Engine).RemoteAdd),
	def("remote_remove", true, "Remove a remote.", (*engine.Engine).RemoteRemove),
	def("remote_accept", true, "Accept that a remote's history was rewritten.", (*engine.Engine).RemoteAccept),
	def("remote_view", false, "Return what the store received of a remote's logs, for another store to compare.",
		(*engine.Engine).RemoteView),
	def("remote_compare", false, "Compare what two stores received of a remote's logs.",
		(*engine.Engine).RemoteCompare),
	def("remote_invite", true, "Invite somebody to a space that you keep at a hub.", (*engine.Engine).RemoteInvite),
	def("remote_uninvite", true, "Withdraw an unused invitation.", (*engine.Engine).RemoteUninvite),
	def("remote_members", false, "List the members and roles of a space that you keep at a hub.",
		(*engine.Engine).RemoteMembers),
	def("remote_member_set", true, "Set the role of a member of a space at a hub.", (*engine.Engine).RemoteMemberSet),
	def("remote_member_remove", true, "Remove a member from a space at a hub.", (*engine.Engine).RemoteMemberRemove),
	def("remote_service_add", true, "Make accounts for machines at a hub, each with a key of its own.",
		(*engine.Engine).RemoteServiceAdd),
	def("remote_service_revoke", true, "Revoke the account of a machine at a hub.",
		(*engine.Engine).RemoteServiceRevoke),
	def("sync", true, "Exchange records with a remote.", (*engine.Engine).Sync),
	def("stats", false, "Count the records in the store.", (*engine.Engine).Stats),
	def("doctor", false, "Check a store for problems.", (*engine.Engine).Doctor),
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
	refs := sync.OnceValue(func() []string { return refMembers(op.In) })
	op.Do = func(ctx context.Context, e *engine.Engine, request []byte) (any, error) {
		ctx, span := tracing.Start(ctx, tracing.Inside, "operation "+op.Name)
		defer span.End()
		in := reflect.New(op.In)
		err := decode(request, in.Interface())
		if err == nil && len(refs()) > 0 {
			err = emptyRef(request, refs())
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
