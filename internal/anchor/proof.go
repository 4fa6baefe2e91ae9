package anchor

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"mime"
	"strings"

	"github.com/stemma-memory/stemma/memory"
)

// The types of anchor that this package knows something about.
const (
	typePost = "moltbook_post"
	typeGit  = "git_commit"
	typeURL  = "url"
	typeFile = "file"
	typeTime = "rfc3161"
)

// maxProof is how much of what was anchored an anchor holds, in bytes.
const maxProof = 48 << 10

// sound holds an anchor to the rules of its body.
func sound(a *memory.Anchor) (*memory.Anchor, error) {
	if a == nil {
		return nil, invalid("there is none")
	}
	if err := memory.Check(a); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrInvalid, err)
	}
	return a, nil
}

// proof returns the bytes kept in an anchor, and whether they are the ones its
// digest and size speak of. An anchor without proof gives none.
func proof(a *memory.Anchor) ([]byte, bool) {
	b, err := base64.StdEncoding.Strict().DecodeString(a.Proof)
	if err != nil {
		return nil, false
	}
	return b, len(b) == 0 || same(a, b)
}

// same reports whether bytes are those an anchor was made of, as far as it says.
func same(a *memory.Anchor, b []byte) bool {
	return (a.SHA256 == "" || a.SHA256 == digest(b)) && (a.Size == 0 || a.Size == int64(len(b)))
}

func digest(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

// mediaType returns the type alone, or "" where the server says nothing useful.
func mediaType(header string) string {
	media, _, err := mime.ParseMediaType(header)
	if err != nil || len(media) > memory.MaxNameBytes || !strings.Contains(media, "/") {
		return ""
	}
	return media
}
