package cli

import (
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/memory"
)

func (a *app) exportCmd() *cobra.Command {
	c := cmd("export [FILE] | [REF… | --about NAME] [-o FILE] | --format markdown DIR",
		"Write records to a file, or to a folder of Markdown", `Examples:
  stemma export backup.jsonl                        use --force to replace the file
  stemma export | gzip > backup.jsonl.gz
  stemma export --space work work.jsonl
  stemma export belief:a04e --proofs -o part.jsonl
  stemma export --format anamnesis belief:a04e      one document for other systems
  stemma export --format anamnesis -o memory.jsonl  all notes and beliefs, one per line
  stemma export --format markdown notes/            one Markdown file per memory
  stemma export --about "Ada Quill" --speaker "Ada Quill" -o ada.jsonl

With REF, the file has these records, their sources, the claims about them, and the
keys that signed them. Anybody can check it with 'stemma audit FILE'.

With --about or --speaker, the file has what 'stemma purge' would list, and nothing of
others' sources. FILE.md beside it has the same to read`)
	var in api.ExportRequest
	f := c.Flags()
	f.BoolVar(&in.Proofs, "proofs", false, "also write checkpoints and proofs that the log contains the records")
	a.personFlags(f, &in.Person)
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
		if in.Asked() && *format != formatRecords {
			return fmt.Errorf("--about: applies to records, not to other formats")
		}
		if in.Asked() && out != "" {
			return a.exportPerson(cmd.Context(), in, out, *force)
		}
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

// isRef distinguishes a ref from a file name.
func isRef(arg string) bool {
	kind, id, ok := strings.Cut(arg, ":")
	return ok && id != "" && memory.Kind(kind).Known()
}
