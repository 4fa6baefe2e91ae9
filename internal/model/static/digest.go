package static

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// The digest of a model of 30 MB takes some 20 ms, of one of 120 MB some 80: too long for a process that answers
// one question in 60 ms. And the question needs it, as it may be compared only with vectors of the same model. So
// it is kept, under all that the system says of the file: size, times of changes to its content and to its
// entry, device and inode. A program may set back the time of the content but not that of the entry, so a changed
// file does not get the old digest. A file that changed moments ago could change again within one tick of the
// file system's clock: its digest is not kept.

const settled = 2 * time.Second // longer than the tick of any file system

// digestOf returns the SHA-256 of the open file in hex, from the cache if it has it. A cache that cannot be read or
// written costs time and nothing else.
func digestOf(file *os.File, path string, at fs.FileInfo, cache string, now time.Time) (string, error) {
	mark, known := fingerprint(at)
	absolute, err := filepath.Abs(path)
	if cache == "" || !known || err != nil {
		return digest(file, at.Size())
	}
	kept := filepath.Join(cache, shortDigest(absolute)+".digest")
	if content, err := os.ReadFile(kept); err == nil {
		if of, sum, _ := strings.Cut(strings.TrimSpace(string(content)), " = "); of == mark && isDigest(sum) {
			return sum, nil
		}
	}
	sum, err := digest(file, at.Size())
	if err != nil || now.Sub(lastChange(at)) < settled {
		return sum, err
	}
	keep(kept, mark+" = "+sum+"\n")
	return sum, nil
}

func isDigest(text string) bool {
	b, err := hex.DecodeString(text)
	return err == nil && len(b) == sha256.Size
}

// digest reads the whole file.
func digest(file io.ReaderAt, size int64) (string, error) {
	h := sha256.New()
	buffer := make([]byte, 1<<20)
	if _, err := io.CopyBuffer(h, io.NewSectionReader(file, 0, size), buffer); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// shortDigest is enough to tell a person's few models apart.
func shortDigest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:8])
}

// keep writes a file as a whole or not at all.
func keep(path, content string) {
	if os.MkdirAll(filepath.Dir(path), 0o700) != nil {
		return
	}
	temporary, err := os.CreateTemp(filepath.Dir(path), ".digest-*")
	if err != nil {
		return
	}
	_, err = temporary.WriteString(content)
	if closed := temporary.Close(); err == nil {
		err = closed
	}
	if err == nil {
		err = os.Rename(temporary.Name(), path)
	}
	if err != nil {
		_ = os.Remove(temporary.Name())
	}
}
