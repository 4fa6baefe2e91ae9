package recall_test

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"testing"
)

// digest tells the bytes of a file from others.
func digest(t testing.TB, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}
