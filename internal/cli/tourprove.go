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

	"github.com/stemma-memory/stemma/internal/lazy"
	"github.com/stemma-memory/stemma/internal/ops"
)

const (
	bundleFile  = "decision.jsonl"
	changedFile = "changed.jsonl"
)

// prove hands the belief to a stranger, and then changes one byte of it on the way.
func (t *tour) prove(p *plot) error {
	t.section("6. Check: a stranger needs one file, and neither the store nor a key.")
	ref := or(p.other, p.belief)
	var bundle bytes.Buffer
	t.typed(shell("stemma", "export", shortRef(ref), "--proofs") + " > " + shell(t.file(bundleFile)))
	if code := t.run(&bundle, "export", ref, "--proofs"); code != ops.ExitOK {
		return fmt.Errorf("tour: export ended with %d", code)
	}
	if err := t.audit(bundleFile, bundle.Bytes(), ops.ExitOK); err != nil {
		return err
	}
	from, to, err := oneByte(bundle.Bytes(), p.words)
	if err != nil {
		return err
	}
	t.say("Change one byte of the belief, and the audit names it.")
	t.typed(shell("sed", "s,"+from+","+to+",", t.file(bundleFile)) + " > " + shell(t.file(changedFile)))
	return t.audit(changedFile, bytes.Replace(bundle.Bytes(), []byte(from), []byte(to), 1), ops.ExitFailed)
}

// audit writes a bundle and shows its audit, without the store and the keys.
func (t *tour) audit(name string, bundle []byte, want int) error {
	if err := os.WriteFile(filepath.Join(t.dir, name), bundle, 0o600); err != nil {
		return fmt.Errorf("tour: %w", err)
	}
	t.typed(shell("stemma", "audit", t.file(name), "--lines", "0"))
	t.stranger = true
	defer func() { t.stranger = false }()
	if code := t.run(&t.out, "audit", filepath.Join(t.dir, name), "--lines", "0"); code != want {
		return fmt.Errorf("tour: audit ended with %d, not %d", code, want)
	}
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
