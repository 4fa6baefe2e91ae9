package cli

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/stemma-memory/stemma/internal/lazy"
	"github.com/stemma-memory/stemma/internal/ops"
)

const (
	bundleFile  = "decision.jsonl"
	changedFile = "changed.jsonl"
)

// prove hands the belief to a stranger, and then changes one byte of it on the way. Of each audit it shows the one line
// that matters.
func (t *tour) prove(ref, words string) error {
	t.say("6. Prove: a stranger needs one file, and neither the store nor a key.")
	var bundle bytes.Buffer
	t.typed(shell("stemma", "export", shortRef(ref), "--proofs") + " > " + shell(t.file(bundleFile)))
	if code := t.run(&bundle, "export", ref, "--proofs"); code != ops.ExitOK {
		return fmt.Errorf("tour: export ended with %d", code)
	}
	last := func(lines []string) string { return lines[len(lines)-1] }
	if err := t.audit(bundleFile, bundle.Bytes(), ops.ExitOK, "tail -n 1", last); err != nil {
		return err
	}
	from, to, err := oneByte(bundle.Bytes(), words)
	if err != nil {
		return err
	}
	t.typed(shell("sed", "s,"+from+","+to+",", t.file(bundleFile)) + " > " + shell(t.file(changedFile)))
	first := func(lines []string) string { return lines[0][:min(len(lines[0]), 60)] }
	changed := bytes.Replace(bundle.Bytes(), []byte(from), []byte(to), 1)
	return t.audit(changedFile, changed, ops.ExitFailed, "head -n 1 | cut -c-60", first)
}

// audit shows one line of the audit of a bundle, as a shell would cut it.
func (t *tour) audit(name string, bundle []byte, want int, filter string, of func(lines []string) string) error {
	if err := os.WriteFile(filepath.Join(t.dir, name), bundle, 0o600); err != nil {
		return fmt.Errorf("tour: %w", err)
	}
	t.typed(shell("stemma", "audit", t.file(name), "--lines", "0") + " | " + filter)
	t.stranger = true
	defer func() { t.stranger = false }()
	var out bytes.Buffer
	if code := t.run(&out, "audit", filepath.Join(t.dir, name), "--lines", "0"); code != want {
		return fmt.Errorf("tour: audit ended with %d, not %d", code, want)
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	fmt.Fprintln(&t.out, of(lines))
	return nil
}

var payload = lazy.Regexp(`"payload":"([^"]+)"`)

// oneByte returns what to replace in a bundle, and by what, so that one byte changes: a
// letter of the belief that says words.
func oneByte(bundle []byte, words string) (from, to string, err error) {
	for _, found := range payload.Get().FindAllSubmatchIndex(bundle, -1) {
		text := string(bundle[found[2]:found[3]])
		record, err := base64.StdEncoding.DecodeString(text)
		var is struct{ Body struct{ Statement string } }
		if err != nil || json.Unmarshal(record, &is) != nil || is.Body.Statement != words {
			continue
		}
		_, after, _ := bytes.Cut(record, []byte(`"statement":"`))
		for at := len(record) - len(after); at < len(record); at++ {
			if record[at] < 'b' || record[at] > 'y' { // its neighbour is a letter too
				continue
			}
			changed := slices.Clone(record)
			changed[at] ^= 1
			i := at / 3 * 4 // four digits are three bytes
			from = text[i : i+4]
			if bytes.Count(bundle, []byte(from)) == 1 {
				return from, base64.StdEncoding.EncodeToString(changed)[i : i+4], nil
			}
		}
	}
	return "", "", errors.New("tour: the belief is not in the bundle")
}
