package cli

import (
	"github.com/spf13/cobra"

	"github.com/stemma-memory/stemma/memory"
)

// A maker makes one verb with all that hangs under it.
type maker struct {
	name    string
	make    func() *cobra.Command
	refs    bool   // it reads refs
	subject string // under which the help lists it
	same    string // the command that does the same, of a verb that the help leaves out
}

// Subjects of the help.
const (
	subjectStart   = "start"
	subjectWrite   = "write"
	subjectKinds   = "kinds"
	subjectRead    = "read"
	subjectLineage = "lineage"
	subjectDecide  = "decide"
	subjectRemove  = "remove"
	subjectProof   = "proof"
	subjectShare   = "share"
	subjectUpkeep  = "upkeep"
	subjectAgents  = "agents"
)

// subjectTitles are the subjects in the order of the help.
var subjectTitles = []struct{ name, title string }{
	{subjectStart, "Get started"},
	{subjectWrite, "Write memories"},
	{subjectKinds, "Kinds of memory"},
	{subjectRead, "Find and read"},
	{subjectLineage, "Sources and reasons"},
	{subjectDecide, "Review and decide"},
	{subjectRemove, "Forget and remove"},
	{subjectProof, "Keys, trust and proof"},
	{subjectShare, "Share and move"},
	{subjectUpkeep, "Maintain the store"},
	{subjectAgents, "Connect agents and programs"},
}

// frontVerbs are the verbs of the first screen of the help, in its order.
var frontVerbs = []string{
	"init", "capture", "remember", "recall", "correct", "why", "search", "trace",
	"list", "show", "forget", "review", "import", "export", "sync", "ui",
}

// verbs are all verbs in the order of the help.
func (a *app) verbs() []maker {
	on := func(subject string, list ...maker) []maker {
		for i := range list {
			list[i].subject = subject
		}
		return list
	}
	plain := func(name string, make func() *cobra.Command) maker { return maker{name: name, make: make} }
	refs := func(name string, make func() *cobra.Command) maker { return maker{name: name, make: make, refs: true} }
	list := on(subjectStart,
		plain("init", a.initCmd), plain("tour", a.tourCmd), plain("status", a.statusCmd), plain("ui", a.uiCmd),
		plain("config", a.configCmd), plain("man", a.manCmd), plain("uninstall", a.uninstallCmd))
	list = append(list, on(subjectWrite,
		plain("capture", func() *cobra.Command { return a.captureCmd("capture") }),
		plain("remember", a.rememberCmd), refs("promote", a.promoteCmd), refs("consolidate", a.consolidateCmd),
		plain("synthesize", a.synthesizeCmd), refs("correct", a.correctCmd), refs("revise", a.reviseCmd),
		refs("revise-beliefs", a.reviseBeliefsCmd),
		refs("reinforce", a.reinforceCmd), plain("jobs", a.jobsCmd), plain("undo", a.undoCmd))...)
	list = append(list, on(subjectKinds, a.kindFamilies()...)...)
	list = append(list, on(subjectRead,
		plain("recall", a.recallCmd), plain("search", a.searchCmd), plain("context", a.contextCmd),
		plain("recent", a.recentCmd),
		plain("list", a.listCmd), refs("show", a.showCmd),
		plain("identity", a.identityCmd), plain("entities", a.entitiesCmd), plain("meta", a.metaCmd))...)
	list = append(list, on(subjectLineage,
		refs("trace", a.traceCmd), refs("why", a.whyCmd), refs("history", a.historyCmd),
		refs("taint", a.taintCmd), plain("blame", a.blameCmd), plain("attest", a.attestCmd),
		plain("receipts", a.receiptsCmd))...)
	list = append(list, on(subjectDecide,
		plain("review", a.reviewCmd), plain("decisions", a.decisionsCmd), refs("approve", a.approveCmd),
		refs("reject", a.rejectCmd),
		refs("resolve", a.resolveCmd), refs("compare", a.compareCmd), refs("judge", a.judgeCmd),
		refs("check", a.checkCmd), refs("verify", a.verifyCmd), refs("migrate", a.migrateCmd))...)
	list = append(list, on(subjectRemove,
		refs("forget", a.forgetCmd), refs("used", a.usedCmd), refs("quarantine", a.quarantineCmd),
		refs("release", a.releaseCmd), refs("purge", a.purgeCmd))...)
	list = append(list, on(subjectProof,
		refs("trust", a.trustCmd), refs("witness", a.witnessCmd), plain("key", a.keyCmd), refs("audit", a.auditCmd),
		refs("anchor", a.anchorCmd), plain("log", a.logCmd))...)
	list = append(list, on(subjectShare,
		plain("space", a.spaceCmd), plain("sync", a.syncCmd), plain("remote", a.remoteCmd), plain("hub", a.hubCmd),
		plain("import", a.importCmd), plain("export", a.exportCmd))...)
	list = append(list, on(subjectUpkeep,
		plain("doctor", a.doctorCmd), plain("backup", a.backupCmd), plain("restore", a.restoreCmd),
		plain("recover", a.recoverFileCmd), plain("store", a.storeCmd), plain("embed", a.embedCmd))...)
	list = append(list, on(subjectAgents,
		plain("mcp", a.mcpCmd), plain("hook", a.hookCmd), plain("serve", a.serveCmd))...)
	return append(list, a.otherNames()...)
}

// kindFamilies are the families of verbs of each kind of memory.
func (a *app) kindFamilies() []maker {
	list := []maker{{name: "raw", make: func() *cobra.Command { return a.captureCmd("raw") }}}
	for _, k := range memory.Memories() {
		if k != memory.KindRaw {
			list = append(list, maker{name: string(k), make: func() *cobra.Command { return a.kindCmd(k) }})
		}
	}
	return append(list, maker{name: "emotion", make: a.emotionCmd})
}

// otherNames are verbs that another one does too. They go on answering the same, and the
// help names the other one.
func (a *app) otherNames() []maker {
	related := func(name, same, doc string) maker {
		return maker{name, func() *cobra.Command { return a.relatedCmd(name, doc) }, true, subjectLineage, same}
	}
	return []maker{
		related("sources", "trace --sources", relatedShort["sources"]),
		related("derived", "trace --direct", relatedShort["derived"]),
		related("raw-sources", "trace --leaves", relatedShort["raw-sources"]),
		related("from-raw", "trace --forward", relatedShort["from-raw"]),
		{"provenance", a.provenanceCmd, true, subjectLineage, "trace --record"},
		{"evidence", a.evidenceCmd, true, subjectLineage, "why --evidence"},
		{"explain", a.explainCmd, true, subjectLineage, "why"},
		{"load", a.loadCmd, false, subjectRead, "context"},
		{"suggestions", a.suggestionsCmd, true, subjectDecide, "review --suggestions"},
		{"conflicts", a.conflictsCmd, false, subjectDecide, "review --conflicts"},
		{"process", a.processCmd, false, subjectWrite, "jobs process"},
		{"stats", a.statsCmd, false, subjectUpkeep, "status --counts"},
	}
}
