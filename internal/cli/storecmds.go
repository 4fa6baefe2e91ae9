package cli

import (
	"context"
	"embed"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/durable"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/internal/hosts"
	"github.com/stemma-memory/stemma/memory"
)

func (a *app) initCmd() *cobra.Command {
	c := cmd("init [HOST]", "Create a project store, or connect an agent's host", `Examples:
  stemma init                 create ./.stemma, a store for this directory
  stemma init --user          create only your own store and keys
  stemma init claude-code     add MCP server, instructions and hooks to your settings
  stemma init codex --project --dry-run    show what would be written to this project
  stemma init cursor --remove              undo it

HOST is claude-code, codex, cursor, gemini, opencode or vscode. stemma adds to your
files, does not overwrite them, and keeps a backup next to each.

Your first write creates your keys and your own store. Only init creates a
project's store`)
	c.Args = cobra.MaximumNArgs(1)
	c.ValidArgs = hosts.Names()
	var host hostFlags
	c.Flags().BoolVar(&host.dryRun, "dry-run", false, "with HOST: show what would change, and write nothing")
	c.Flags().BoolVar(&host.remove, "remove", false, "with HOST: remove what init added")
	c.RunE = func(cmd *cobra.Command, args []string) error {
		if len(args) == 1 {
			return a.initHost(cmd, args[0], host)
		}
		if host.dryRun || host.remove {
			return fmt.Errorf("init: --dry-run and --remove need a host: %s", strings.Join(hosts.Names(), ", "))
		}
		if err := a.projectStore(); err != nil {
			return ran{err}
		}
		return verb(a, (*engine.Engine).Init, func([]string) (api.InitRequest, error) {
			return api.InitRequest{}, nil
		}, a.showInit)(cmd, args)
	}
	return c
}

// projectStore makes ./.stemma with a .gitignore of its own, unless another
// store was named.
func (a *app) projectStore() error {
	if a.flags.user || a.flags.store != "" {
		return nil
	}
	dir := filepath.Join(a.env.Dir, projectDir)
	if w := a.whose(filepath.Join(dir, storeFile)); w.standing == strange {
		return notYours{w.saysWhose("there is already a store here:") + "; nothing changed; " + w.adopting()}
	} else if _, err := os.Stat(filepath.Join(dir, configFile)); err == nil && w.standing == unmade {
		a.hint("warning: %s is older than the store and takes effect now; check its settings",
			clean(filepath.Join(dir, configFile)))
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("create the project's store: %w", err)
	}
	ignore := filepath.Join(dir, ".gitignore")
	if _, err := os.Stat(ignore); err != nil {
		if err := os.WriteFile(ignore, []byte("*\n"), 0o600); err != nil {
			return fmt.Errorf("create the project's store: %w", err)
		}
	}
	a.flags.store = filepath.Join(dir, storeFile)
	return nil
}

func (a *app) showInit(r api.InitReply) error {
	spec, err := a.storeSpec()
	if err != nil {
		return err
	}
	w := a.env.Stdout
	fmt.Fprintf(w, "store  %s\nspace  %s\nowner  %s\n       %s\nagent  %s\n", spec, r.Space, r.Owner, r.Fingerprint,
		r.Agent)
	return nil
}

func (a *app) exportCmd() *cobra.Command {
	c := cmd("export [FILE] | [REF…] [-o FILE] | --format markdown DIR",
		"Write records to a file, or to a folder of Markdown", `Examples:
  stemma export backup.jsonl                        use --force to replace the file
  stemma export | gzip > backup.jsonl.gz
  stemma export --space work work.jsonl
  stemma export belief:a04e --proofs -o part.jsonl
  stemma export --format anamnesis belief:a04e      one document for other systems
  stemma export --format anamnesis -o memory.jsonl  all notes and beliefs, one per line
  stemma export --format markdown notes/            one Markdown file per memory

With REF, the file has these records, their sources, the claims about them, and the
keys that signed them. Anybody can check it with 'stemma audit FILE'`)
	var in api.ExportRequest
	f := c.Flags()
	f.BoolVar(&in.Proofs, "proofs", false, "also write checkpoints and proofs that the log contains the records")
	format := f.String("format", formatRecords,
		"records, anamnesis (Memory Provenance Schema documents) or markdown (a folder)")
	to := f.StringP("out", "o", "", "file to write (default: standard output)")
	force := f.Bool("force", false, "replace the file if it exists")
	c.RunE = func(cmd *cobra.Command, args []string) error {
		out := *to
		if *format == formatMarkdown {
			return a.exportFolder(cmd.Context(), in.Proofs, out, args)
		}
		if out == "" && len(args) == 1 && *format != formatAnamnesis && !isRef(args[0]) {
			out, args = args[0], nil
		}
		if out == "-" {
			out = ""
		}
		if _, err := os.Lstat(out); out != "" && err == nil && !*force {
			return ran{api.Invalid("export: the file %s exists; to replace it: --force", out)}
		}
		in.Refs = args
		switch *format {
		case formatRecords:
		case formatAnamnesis:
			if in.Proofs {
				return fmt.Errorf("--proofs: applies to records, not to documents")
			}
			return a.exportDocuments(cmd.Context(), api.DocumentsRequest{Refs: args}, out)
		default:
			return fmt.Errorf("--format: must be %s, %s or %s, got %q", formatRecords, formatAnamnesis, formatMarkdown, *format)
		}
		return a.exportPart(cmd.Context(), in, out)
	}
	return c
}

// isRef tells a ref from the name of a file.
func isRef(arg string) bool {
	kind, id, ok := strings.Cut(arg, ":")
	return ok && id != "" && memory.Kind(kind).Known()
}

func asRan(err error) error {
	if err == nil {
		return nil
	}
	return ran{err}
}

// writeFile writes a file whole or not at all, readable by its owner only.
func writeFile(path string, write func(io.Writer) error) error {
	f, err := os.CreateTemp(filepath.Dir(path), ".stemma-export-*")
	if err != nil {
		return fmt.Errorf("export: %w", err)
	}
	defer os.Remove(f.Name()) // gone already when all went well
	err = write(f)
	if err == nil {
		err = f.Sync()
	}
	if closeErr := f.Close(); err == nil {
		err = closeErr
	}
	if err != nil {
		return fmt.Errorf("export to %s: %w", path, err)
	}
	if err := durable.Rename(f.Name(), path); err != nil {
		return fmt.Errorf("export: %w", err)
	}
	return nil
}

func (a *app) statsCmd() *cobra.Command {
	c := cmd("stats", "Count the records in the store", "Examples:\n  stemma stats\n  stemma stats --json")
	c.Args = cobra.NoArgs
	c.RunE = a.statsRun()
	return c
}

func (a *app) statsRun() func(*cobra.Command, []string) error {
	return verb(a, (*engine.Engine).Stats, func([]string) (api.StatsRequest, error) {
		return api.StatsRequest{}, nil
	}, a.showStats)
}

func (a *app) showStats(s api.StatsReply) error {
	rows := [][]string{}
	for _, k := range append(s.Memories, s.Claims...) {
		rows = append(rows, []string{k.Kind, fmt.Sprint(k.Total), fmt.Sprint(k.Live)})
	}
	w := a.env.Stdout
	if len(rows) > 0 {
		a.table(w, []column{{title: "Kind"}, {title: "Total", right: true}, {title: "Live", right: true}}, rows)
		fmt.Fprintln(w)
	}
	fmt.Fprintf(w, "%s, %s", count(s.Records, "record", "records"), count(s.Edges, "source link", "source links"))
	if s.Bytes > 0 {
		fmt.Fprintf(w, ", %.1f MB on disk", float64(s.Bytes)/1e6)
	}
	fmt.Fprintf(w, "\ncaptures: %d processed, %d unprocessed\n", s.Raws.Processed, s.Raws.Unprocessed)
	if s.Missing+s.Purged > 0 {
		fmt.Fprintf(w, "missing sources: %d, purged: %d\n", s.Missing, s.Purged)
	}
	if len(s.Links) > 0 {
		fmt.Fprintf(w, "links: %s\n", countsByName(s.Links))
	}
	if s.Jobs != (api.JobCount{}) {
		fmt.Fprintf(w, "jobs: %d done, %d open, %d given up\n", s.Jobs.Done, s.Jobs.Open, s.Jobs.GaveUp)
	}
	if len(s.Model) > 0 {
		fmt.Fprintf(w, "model calls in 7 days: %s\n", countsByName(s.Model))
	}
	for _, sp := range s.Spaces {
		fmt.Fprintf(w, "space %s: %s\n", clean(sp.Space), count(int(sp.Records), "record", "records"))
	}
	return nil
}

// countsByName is counts in one line, by name.
func countsByName[N int | int64](counts map[string]N) string {
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(counts)) {
		parts = append(parts, fmt.Sprintf("%s %d", line(name, 60), counts[name]))
	}
	return strings.Join(parts, ", ")
}

func (a *app) doctorCmd() *cobra.Command {
	c := cmd("doctor", "Verify the store and repair it", `Examples:
  stemma doctor
  stemma doctor --repair
  stemma doctor --json

doctor reads every record, verifies every signature and compares every table with
its records. It changes nothing unless you pass --repair.

--repair rebuilds what is derived from records: source links, states, the search
index, counters, and columns copied from signed bytes. It does not change signed
bytes or signatures. Others can read during a repair; writers wait. stemma cannot
rebuild read counts, vectors and arrival times: it drops and names damaged ones.
If signed records are damaged: stemma recover FILE --to NEW`)
	c.Args = cobra.NoArgs
	var in api.DoctorRequest
	c.Flags().BoolVar(&in.Repair, "repair", false, "first rebuild everything that is derived from records")
	c.RunE = func(cmd *cobra.Command, args []string) error {
		problems := 0
		examine := func(ctx context.Context, in api.DoctorRequest) (doctorReply, error) {
			bar := a.progress(-1, "records")
			r, err := callAt(ctx, a, (*engine.Engine).Doctor, (*engine.Engine).DoctorProgress, in, bar.at)
			bar.end()
			problems = len(r.Problems)
			return doctorReply{r, a.hooksReport()}, err
		}
		err := verbAs(a, examine, func([]string) (api.DoctorRequest, error) {
			return in, nil
		}, a.showDoctor)(cmd, args)
		if err == nil && problems > 0 {
			return errFailed
		}
		return err
	}
	return c
}

// doctorReply is what is wrong with the store, and with what hosts run on this machine.
type doctorReply struct {
	api.DoctorReply
	Hooks *hookReport `json:"hooks,omitempty"`
}

func (a *app) showDoctor(d doctorReply) error {
	w := a.env.Stdout
	if d.Hooks != nil {
		a.showHooks(d.Hooks)
	}
	if r := d.Repaired; r != nil {
		fmt.Fprintf(w, "rebuilt from %s: %s, %s, the search index; %s corrected\n", count(r.Records, "record", "records"),
			count(r.Edges, "source link", "source links"), count(r.States, "state", "states"),
			count(r.Columns, "log row", "log rows"))
		for _, l := range r.Left {
			fmt.Fprintf(w, "left: %s\n", clean(inVerbs(l)))
		}
	}
	for _, p := range d.Problems {
		fmt.Fprintf(w, "%s %s\n", a.paint(red, "problem:"), clean(inVerbs(p.What)))
		if p.Fix != "" {
			fmt.Fprintf(w, "         %s\n", inVerbsAlone(p.Fix))
		}
	}
	for _, s := range d.Secrets {
		fmt.Fprintf(w, "secret: %s may contain one: %s\n", shortRef(s.Ref), foundWords(s.Found))
		if s.Fix != "" {
			fmt.Fprintf(w, "        %s\n", inVerbsAlone(s.Fix))
		}
	}
	for _, x := range d.Waiting {
		says := "not accepted from %s, requested again at each sync: %s: %s\n"
		if x.There {
			says = "refused by %s: %s: %s\n"
		}
		fmt.Fprintf(w, says, x.Remote, x.ID[:8], line(x.Why, 200))
	}
	for _, n := range d.Notes {
		fmt.Fprintf(w, "note: %s\n", clean(inVerbs(n)))
	}
	fmt.Fprintf(w, "%d records, %d signatures verified, %d problems\n", d.Records, d.Signatures, len(d.Problems))
	return nil
}

// manPages are the manual pages, made from the commands' own help: made at
// every start they would cost each run of stemma a millisecond.
//
//go:embed man/*.1
var manPages embed.FS

// manCmd writes the manual pages, for packagers.
func (a *app) manCmd() *cobra.Command {
	c := cmd("man DIR", "Write the manual pages to a directory", "Examples:\n  stemma man /usr/local/share/man/man1")
	c.Args = cobra.ExactArgs(1)
	c.RunE = func(_ *cobra.Command, args []string) error {
		pages, err := fs.Sub(manPages, "man")
		if err == nil {
			err = os.CopyFS(args[0], pages)
		}
		if err != nil {
			return ran{fmt.Errorf("man: %w", err)}
		}
		return nil
	}
	return c
}
