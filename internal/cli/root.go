package cli

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/stemma-memory/stemma/internal/ops"
	"github.com/stemma-memory/stemma/memory"
)

// Groups of verbs in the help.
const (
	groupWrite = "write"
	groupRead  = "read"
	groupStore = "store"
)

// A maker makes one verb with all that hangs under it.
type maker struct {
	name string
	make func() *cobra.Command
	refs bool // it reads refs
}

// verbs are all verbs in the order of the help.
func (a *app) verbs() []maker {
	list := []maker{
		{"raw", a.rawCmd, false}, {"remember", a.rememberCmd, false}, {"promote", a.promoteCmd, true}, {"consolidate", a.consolidateCmd, true},
		{"synthesize", a.synthesizeCmd, false}, {"revise-beliefs", a.reviseBeliefsCmd, true},
		{"revise", a.reviseCmd, true},
	}
	for _, k := range memory.Memories() {
		if k != memory.KindRaw {
			list = append(list, maker{string(k), func() *cobra.Command { return a.kindCmd(k) }, false})
		}
	}
	related := func(name, doc string) maker {
		return maker{name, func() *cobra.Command { return a.relatedCmd(name, doc) }, true}
	}
	return append(list, []maker{
		{"process", a.processCmd, false}, {"compare", a.compareCmd, true}, {"judge", a.judgeCmd, true}, {"suggestions", a.suggestionsCmd, true}, {"resolve", a.resolveCmd, true},
		{"review", a.reviewCmd, false}, {"approve", a.approveCmd, true}, {"reject", a.rejectCmd, true}, {"verify", a.verifyCmd, true},
		{"reinforce", a.reinforceCmd, true}, {"emotion", a.emotionCmd, false}, {"identity", a.identityCmd, false}, {"status", a.statusCmd, false},
		{"witness", a.witnessCmd, true}, {"quarantine", a.quarantineCmd, true}, {"release", a.releaseCmd, true}, {"purge", a.purgeCmd, true},
		{"forget", a.forgetCmd, true}, {"used", a.usedCmd, true}, {"undo", a.undoCmd, false},
		{"context", a.contextCmd, false}, {"load", a.loadCmd, false}, {"recent", a.recentCmd, false},
		{"search", a.searchCmd, false}, {"list", a.listCmd, false}, {"show", a.showCmd, true}, {"trace", a.traceCmd, true}, {"browse", a.browseCmd, true},
		{"evidence", a.evidenceCmd, true}, {"provenance", a.provenanceCmd, true}, {"history", a.historyCmd, true},
		related("derived", "What was derived from a record directly"),
		related("sources", "What a record was derived from directly"),
		related("from-raw", "Every memory that traces back to a raw"),
		related("raw-sources", "The raws a memory ultimately rests on"),
		{"trust", a.trustCmd, true}, {"explain", a.explainCmd, true}, {"taint", a.taintCmd, true}, {"audit", a.auditCmd, true}, {"anchor", a.anchorCmd, true}, {"meta", a.metaCmd, false},
		{"conflicts", a.conflictsCmd, false}, {"entities", a.entitiesCmd, false}, {"check", a.checkCmd, true}, {"receipts", a.receiptsCmd, false},
		{"init", a.initCmd, false}, {"uninstall", a.uninstallCmd, false}, {"store", a.storeCmd, false}, {"hub", a.hubCmd, false}, {"import", a.importCmd, false}, {"export", a.exportCmd, false}, {"eval", a.evalCmd, false}, {"migrate", a.migrateCmd, true}, {"stats", a.statsCmd, false}, {"jobs", a.jobsCmd, false},
		{"backup", a.backupCmd, false}, {"restore", a.restoreCmd, false}, {"recover", a.recoverFileCmd, false}, {"remote", a.remoteCmd, false}, {"sync", a.syncCmd, false}, {"log", a.logCmd, false}, {"key", a.keyCmd, false}, {"doctor", a.doctorCmd, false}, {"embed", a.embedCmd, false}, {"config", a.configCmd, false}, {"hook", a.hookCmd, false}, {"mcp", a.mcpCmd, false}, {"serve", a.serveCmd, false}, {"ui", a.uiCmd, false},
		{"tour", a.tourCmd, false}, {"man", a.manCmd, false},
	}...)
}

// named gives the verbs that stand among args: the others need not be made, and
// making all takes longer than keeping words does. Nil is all of them, where
// there is no verb among args or one that speaks of the others.
func (a *app) named(args []string) map[string]bool {
	var only map[string]bool
	known := make(map[string]bool)
	for _, v := range a.verbs() {
		known[v.name] = true
	}
	for _, arg := range args {
		if arg == "help" || arg == "completion" || strings.HasPrefix(arg, "__") {
			return nil
		}
		if known[arg] {
			if only == nil {
				only = make(map[string]bool)
			}
			only[arg] = true
		}
	}
	return only
}

// root makes the command line with the verbs named in only, or all for nil.
func (a *app) root(only map[string]bool) *cobra.Command {
	root := &cobra.Command{
		Use:   "stemma",
		Short: "Memory for agents that can say where it comes from",
		Long: `Examples:
  stemma raw "the API felt slow today"       keep words now, think later
  stemma promote raw:3f9a -m "Profiled it"   make an episode of them
  stemma consolidate episode:81c0 episode:5d11 -m "Caching pays off"
  stemma trace belief:a04e                   the whole tree, down to the words
  stemma search "slow API"                   find it again
  stemma context "the slow API"              what to know, within a budget of tokens
  stemma tour                                see all of that on this repository

stemma keeps what an agent or a person remembers in records that never change,
each signed and each naming what it came from, so that any belief can be traced
to the words behind it.` + exitCodes(),
		SilenceErrors: true, SilenceUsage: true,

		PersistentPreRunE: func(cmd *cobra.Command, _ []string) error {
			if err := a.servable(cmd); err != nil {
				return err
			}
			return a.prove(cmd)
		},
	}
	a.showsVersion(root)
	root.SetIn(a.env.Stdin)
	root.SetOut(a.env.Stdout)
	root.SetErr(a.env.Stderr)
	root.AddGroup(&cobra.Group{ID: groupWrite, Title: "Remember:"}, &cobra.Group{ID: groupRead, Title: "Look back:"},
		&cobra.Group{ID: groupStore, Title: "The store:"})
	root.SetHelpCommandGroupID(groupStore)
	root.SetCompletionCommandGroupID(groupStore)
	f := root.PersistentFlags()
	f.StringVar(&a.flags.store, "store", "", "file or postgres:// address (default: STEMMA_STORE, the nearest .stemma, your own)")
	f.StringVar(&a.flags.space, "space", "", `shelf to use, by name; "*" reads all (default "main")`)
	f.StringVar(&a.flags.url, "url", a.env.Getenv("STEMMA_URL"), "ask the server there, in place of a store (token: STEMMA_TOKEN; of your own server none is needed)")
	f.StringVar(&a.flags.session, "session", a.env.Getenv("STEMMA_SESSION"), "conversation that writes belong to")
	f.BoolVar(&a.flags.user, "user", false, "use your own store, not the project's")
	f.BoolVar(&a.flags.project, "project", false, "use the project's store, never your own")
	f.BoolVar(&a.flags.json, "json", false, "print the reply as JSON")
	f.StringVar(&a.flags.color, "color", "auto", "auto, always or never")
	for _, v := range a.verbs() {
		if only == nil || only[v.name] {
			c := v.make()
			if v.refs {
				a.refVerb(c, "")
			}
			root.AddCommand(c)
		}
	}
	return root
}

// exitCodes is the page of the help that scripts rely on.
func exitCodes() string {
	var b strings.Builder
	b.WriteString("\n\nExit codes:\n")
	codes := map[int]string{
		ops.ExitOK: "done", ops.ExitFailed: "a check found something, or something unforeseen happened",
		ops.ExitUsage: "the command line was wrong: a verb mistyped, an argument missing or empty",
		130:           "interrupted by Ctrl-C; 143: by SIGTERM",
	}
	for _, s := range ops.Statuses {
		codes[s.Exit] = s.Doc
	}
	for _, code := range slices.Sorted(maps.Keys(codes)) {
		fmt.Fprintf(&b, "  %-3d %s\n", code, codes[code])
	}
	b.WriteString("\nWith --json an error is an object on standard error: {\"error\":{\"kind\",\"message\",\"exit\"}}.")
	return b.String()
}

// cmd makes a verb whose help shows an example first.
func cmd(group, use, short, examples string) *cobra.Command {
	return &cobra.Command{GroupID: group, Use: use, Short: short, Long: examples + "\n\n" + short + "."}
}

// oneRef reads "kind:id", "id" or "kind id".
func oneRef(args []string) (string, error) {
	switch {
	case len(args) == 1:
		return args[0], nil
	case len(args) == 2 && memory.Kind(args[0]).Known():
		return args[0] + ":" + strings.TrimPrefix(args[1], args[0]+":"), nil
	case len(args) == 0:
		return "", fmt.Errorf("name a record: kind:id, or the first digits of its id")
	}
	return "", fmt.Errorf("name one record, not %d", len(args))
}

// kindRef is oneRef for verbs of one kind: a bare id is of that kind.
func kindRef(kind memory.Kind, ref string) string {
	if strings.Contains(ref, ":") {
		return ref
	}
	return string(kind) + ":" + ref
}
