//go:build !race

package engine_test

import (
	"bytes"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/internal/engine/enginetest"
	"github.com/stemma-memory/stemma/memory"
)

// TestNoSecretIsStored: forty secrets through every door; no file of the store
// holds one, nor a piece of one, and every reply says that something was taken out.
func TestNoSecretIsStored(t *testing.T) {
	for _, policy := range []string{"", engine.SecretsBlock, engine.SecretsAllow} {
		t.Run("policy "+policy, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			e, err := engine.Open(t.Context(), filepath.Join(dir, "memory.db"), engine.Config{
				Databases: enginetest.Databases,
				Origin:    memory.OriginOwner, Secrets: policy, Receipts: filepath.Join(dir, "receipts.jsonl"),
			})
			if err != nil {
				t.Fatal(err)
			}
			var all []canary
			seed := uint64(0)
			for door, write := range doors(t, e) {
				seed++
				for _, c := range canaries(seed) {
					all = append(all, c)
					found, err := write(c.text)
					switch {
					case policy == engine.SecretsBlock:
						if !errors.Is(err, api.ErrInvalid) || !strings.Contains(err.Error(), "looks like a secret") ||
							strings.Contains(err.Error(), c.secret) {
							t.Errorf("%s: %s: err = %v, want it blocked", door, c.kind, err)
						}
					case err != nil:
						t.Fatalf("%s: %s: %v", door, c.kind, err)
					case (len(found) == 0) != (policy == engine.SecretsAllow) && door != "reason":
						t.Errorf("%s: %s: the reply says of redactions %v", door, c.kind, found)
					}
				}
			}
			var bundle bytes.Buffer
			exported, err := e.Export(t.Context(), &bundle, api.ExportRequest{})
			if err != nil {
				t.Fatal(err)
			}
			doctor, err := e.Doctor(t.Context(), api.DoctorRequest{})
			if closeErr := e.Close(); err != nil || closeErr != nil {
				t.Fatal(err, closeErr)
			}
			if kept := policy == engine.SecretsAllow; kept != (len(exported.Secrets) > 0) || kept != (len(doctor.Secrets) > 0) {
				t.Errorf("the export counts %v, the doctor lists %d", exported.Secrets, len(doctor.Secrets))
			}
			everywhere := everythingIn(t, dir) + strings.ToLower(bundle.String())
			n := 0
			for _, c := range all {
				if slices.ContainsFunc(c.pieces(), func(p string) bool { return strings.Contains(everywhere, p) }) {
					if n++; policy != engine.SecretsAllow {
						t.Errorf("%s: it is in the store: %s", c.kind, c.text)
					}
				}
			}
			if policy == engine.SecretsAllow && n < len(all)*9/10 { // else nothing is shown by the others
				t.Errorf("%d of %d are in the store", n, len(all))
			}
		})
	}
}
