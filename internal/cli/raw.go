package cli

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/memory"
)

// captureShort says what the verb of each name is for.
var captureShort = map[string]string{
	"capture": "Keep exact words (other name: raw)", "raw": "Captured words, as they were said",
}

// captureCmd keeps words, and holds the verbs about kept words. It has two names: what it
// does, and the kind of memory that it makes.
func (a *app) captureCmd(name string) *cobra.Command {
	c := cmd(name+" TEXT | - | add | list | show | promote", captureShort[name], strings.ReplaceAll(`Examples:
  stemma raw "the API felt slow today"
  git diff | stemma raw - --event diff
  stemma raw -- list                        keep the word "list"
  stemma raw list --unprocessed
  stemma raw show 3f9a --trace
  stemma raw promote 3f9a -m "Profiled the API"`, "stemma raw", "stemma "+name))
	c.Annotations = map[string]string{takes: takesProse}
	a.captureFlags(c)
	add := &cobra.Command{Use: "add TEXT", Short: "Keep words; '-' reads standard input",
		Example: "  stemma " + name + ` add "list"`}
	a.captureFlags(add)
	promote := a.promoteCmd()
	c.AddCommand(add, a.kindList(memory.KindRaw), a.refVerb(a.rawShow(), memory.KindRaw),
		a.refVerb(promote, memory.KindRaw))
	return c
}

func (a *app) captureFlags(c *cobra.Command) {
	var in api.CaptureRequest
	d := &draftFlags{}
	d.metaFlags(c.Flags())
	a.secretsFlag(c.Flags())
	c.Flags().StringVar(&in.Event, "event", "", "type of event: turn, user_prompt, tool_output, diff, error, …")
	c.Flags().StringVar(&in.Speaker, "speaker", "", "speaker")
	c.Flags().StringVar(&in.OccurredAt, "occurred-at", "", "when it happened (default: now)")
	c.Args = cobra.ArbitraryArgs
	c.RunE = verb(a, (*engine.Engine).Capture, func(args []string) (api.CaptureRequest, error) {
		a.alone = true
		in.Meta, in.Source = d.meta, "cli"
		name := strings.Fields(c.CommandPath())[1]
		switch {
		case len(args) == 0:
			return in, fmt.Errorf("%s: give the words to keep, or '-' to read standard input", name)
		case strings.Join(args, "") == "":
			return in, fmt.Errorf("%s: the words are empty; give the words to keep, or '-' to read standard input", name)
		case len(args) == 1 && args[0] == "-":
			blob, err := a.readStdin()
			in.Blob = blob
			if len(blob) == 0 {
				in.Text = " " // refused as blank by the engine, with the same words as any other
			}
			return in, err
		}
		var err error
		if in.Text, err = a.textArg(args); !utf8.ValidString(in.Text) {
			in.Text, in.Blob = "", []byte(in.Text)
		}
		return in, err
	}, a.wrote)
}

// rawShow shows the words of a raw; in a pipe byte for byte.
func (a *app) rawShow() *cobra.Command {
	c := &cobra.Command{Use: "show ID", Short: "Show one; --trace shows what was made from it",
		Example: "  stemma raw show 3f9a --trace"}
	trace := c.Flags().Bool("trace", false, "show what was made from it")
	text := c.Flags().Bool("text", false, "print only the words, byte for byte")
	c.RunE = func(cmd *cobra.Command, args []string) error {
		ref, err := oneRef(args)
		if err != nil {
			return err
		}
		ref = kindRef(memory.KindRaw, ref)
		if *trace {
			return verb(a, (*engine.Engine).Trace, func([]string) (api.TraceRequest, error) {
				all := 0
				return api.TraceRequest{Ref: ref, Direction: "forward", Depth: &all}, nil
			}, a.showRawTrace)(cmd, args)
		}
		return verb(a, (*engine.Engine).Show, func([]string) (api.RefRequest, error) {
			return api.RefRequest{Ref: ref}, nil
		}, func(m api.ShowReply) error {
			if *text {
				_, err := io.WriteString(a.bare(), a.words(m))
				return err
			}
			return a.showRaw(m)
		})(cmd, args)
	}
	return c
}

// words returns what was captured: byte for byte in a pipe, as harmless words on a
// terminal.
func (a *app) words(m api.ShowReply) string {
	if blob := rawBody(m).Blob(); !a.onTerminal() && len(blob) > 0 {
		return string(blob)
	}
	return clean(rawText(m))
}

// rawBody is the body of a raw, of a reply that may have come from a server.
func rawBody(m api.ShowReply) *memory.Raw {
	text, _ := m.Content["text"].(string)
	blob, _ := m.Content["base64"].(string)
	return &memory.Raw{Text: text, Base64: blob}
}

// rawText is what a raw says, as words.
func rawText(m api.ShowReply) string { return or(rawBody(m).Said(), m.Headline) }

func (a *app) showRaw(m api.ShowReply) error {
	if m.Hidden == "purged" {
		return a.showGone(m)
	}
	w := a.env.Stdout
	fmt.Fprintf(w, "%s %s\n", a.paint(bold, "Raw Entry:"), m.ID)
	fmt.Fprintf(w, "Captured: %s%s\n", a.at(m.CreatedAt), a.channel(m))
	if m.OccurredAt != "" {
		fmt.Fprintf(w, "Occurred: %s\n", minute(m.OccurredAt))
	}
	a.fields(m, "session", "tags", "about", "alias", "hidden")
	if all := marked(m.Marks, m.Hidden); len(all) > 0 {
		fmt.Fprintf(w, "Marks: %s\n", strings.Join(all, "; "))
	}
	for _, name := range []string{"speaker", "event", "caption"} {
		if v, ok := m.Content[name].(string); ok {
			fmt.Fprintf(w, "%s: %s\n", title(name), whole(v))
		}
	}
	if len(m.ProcessedInto) > 0 {
		fmt.Fprintf(w, "Processed into: %s\n", shortRefs(m.ProcessedInto))
	}
	a.codeAndTier(m)
	a.showTrustLine(m)
	if b := rawBody(m); b.Base64 != "" && b.Said() != "" {
		a.hint("this is not UTF-8 and is shown decoded; for the bytes: stemma raw show --text %s", short(m.ID))
	}
	fmt.Fprintf(w, "Content:\n%s\n", clean(rawText(m)))
	return nil
}

func (a *app) showRawTrace(t api.TraceReply) error {
	w, n := a.env.Stdout, t.Memory
	fmt.Fprintf(w, "%s %s\n", a.paint(bold, "Raw Entry:"), n.ID)
	fmt.Fprintf(w, "Captured: %s\n", a.at(n.CapturedAt))
	if n.OccurredAt != "" {
		fmt.Fprintf(w, "Occurred: %s\n", minute(n.OccurredAt))
	}
	said := ""
	if n.Speaker != "" {
		said = a.speaker(n.Speaker)
	}
	fmt.Fprintf(w, "Content: %s%s\n\n", said, cited(n.Blob))
	if len(t.Forward.Derived) == 0 {
		fmt.Fprintln(w, "📍 Promoted to: nothing yet")
		return nil
	}
	fmt.Fprintln(w, "📍 Promoted to:")
	a.branches(t.Forward.Derived, "  ", plainWords)
	return nil
}
