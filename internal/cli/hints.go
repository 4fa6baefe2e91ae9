package cli

import (
	"strings"

	"github.com/stemma-memory/stemma/internal/ops"
	"github.com/stemma-memory/stemma/internal/plain"
)

// hintVerbs are the verbs of the operations that hints name and that have another name
// here: any other is the operation's name with spaces, as key rotate is key_rotate.
var hintVerbs = map[string]string{
	"accept_suggestion":  "suggestions accept",
	"add":                "belief add",
	"answer_witness":     "witness answer",
	"ask_witness":        "witness request",
	"check_anchors":      "anchor check",
	"check_log":          "log check",
	"checkpoint":         "log checkpoint",
	"confidence_history": "meta history",
	"distrust":           "trust distrust",
	"edit_suggestion":    "suggestions edit",
	"entities":           "entities list",
	"entity":             "entities show",
	"from_raw":           "from-raw",
	"identity":           "identity show",
	"infer_provenance":   "migrate --infer-provenance",
	"init":               "init --user",
	"introduce":          "trust introduce",
	"key_export_public":  "key export-public",
	"keys":               "key list",
	"protect":            "forget protect",
	"prove":              "log prove",
	"raw_sources":        "raw-sources",
	"receipt":            "receipts show",
	"receipts":           "receipts list",
	"recover":            "forget recover",
	"recover_file":       "recover",
	"reject_suggestion":  "suggestions reject",
	"remote_members":     "remote member",
	"reputation":         "trust reputation",
	"remotes":            "remote list",
	"replay":             "receipts replay",
	"revise_beliefs":     "revise-beliefs",
	"run_jobs":           "jobs run",
	"uncertain":          "meta uncertain",
	"unprotect":          "forget unprotect",
}

// hintFlags are the flags of the members of a request that have another name here.
var hintFlags = map[string]string{"files": "file"}

// inVerbs returns a message of the engine with each operation that it names as it is typed
// at a terminal.
func inVerbs(text string) string { return ops.Hints(text, verbsOf) }

// inVerbsAlone is inVerbs without the quotes of a message that is one command.
func inVerbsAlone(text string) string {
	text = plain.Text(inVerbs(text))
	if bare := strings.Trim(text, "'"); !strings.Contains(bare, "'") {
		return bare
	}
	return text
}

func verbsOf(h ops.Hint) string {
	var words []string
	if h.Op != "" {
		words = append(words, "stemma", hintVerb(h.Op))
	}
	for _, arg := range h.Args {
		words = append(words, typedArg(arg)...)
	}
	text := strings.Join(words, " ")
	if h.Op == "" {
		return text
	}
	return "'" + text + "'"
}

func hintVerb(op string) string {
	if verb := hintVerbs[op]; verb != "" {
		return verb
	}
	return strings.ReplaceAll(op, "_", " ")
}

// typedArg returns a value or a member of a request as an argument or a flag.
func typedArg(arg string) []string {
	name, value, ok := ops.Member(arg)
	if !ok {
		return []string{value}
	}
	if name == "attestation" || name == "is" { // one flag for each
		return []string{"--" + strings.ReplaceAll(value, "|", "|--")}
	}
	if flag := hintFlags[name]; flag != "" {
		name = flag
	}
	name = "--" + strings.ReplaceAll(name, "_", "-")
	if value == "true" {
		return []string{name}
	}
	return []string{name, value}
}
