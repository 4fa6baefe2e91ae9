package keys

import (
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	sshType = "ssh-ed25519"

	maxPublic  = 4 << 10 // bytes of a public key as text, with its comment
	maxComment = 1 << 10
)

// sshHead is what stands before the 32 bytes of a key in an OpenSSH blob (RFC 8709).
var sshHead = func() string {
	b := binary.BigEndian.AppendUint32(nil, uint32(len(sshType)))
	return string(binary.BigEndian.AppendUint32(append(b, sshType...), uint32(len(publicKey{}))))
}()

// PublicOf reads a public key that somebody sent: one line of OpenSSH, "ssh-ed25519
// AAAA… comment", or a did:key. It refuses what ParseDID refuses, and a comment that
// a terminal would not show as it is. For a key it does not take, the error is
// ErrBadKey.
func PublicOf(text []byte) (did, comment string, err error) {
	did, comment, err = publicOf(text)
	if err != nil && !errors.Is(err, ErrBadKey) {
		err = fmt.Errorf("%w: %w", ErrBadKey, err)
	}
	return did, comment, err
}

func publicOf(text []byte) (did, comment string, err error) {
	if len(text) > maxPublic {
		return "", "", fmt.Errorf("public key of %d bytes exceeds %d", len(text), maxPublic)
	}
	line := strings.Trim(string(text), " \t\r\n")
	if strings.HasPrefix(line, didPrefix) {
		_, err := parseDID(line)
		if err != nil {
			return "", "", err
		}
		return line, "", nil
	}
	kind, rest, _ := strings.Cut(line, " ")
	if kind != sshType {
		return "", "", fmt.Errorf("%s begins neither %s nor %s", shorten(line), sshType, didPrefix)
	}
	digits, comment, _ := strings.Cut(strings.TrimLeft(rest, " "), " ")
	blob, err := base64.StdEncoding.DecodeString(digits)
	if err != nil || strings.ContainsAny(digits, "\r\n") { // which the decoder skips
		return "", "", errors.New("the base64 is damaged")
	}
	public, ok := strings.CutPrefix(string(blob), sshHead)
	if !ok || len(public) != len(publicKey{}) {
		return "", "", errors.New("the bytes are not an OpenSSH Ed25519 key")
	}
	did = encodeDID(publicKey([]byte(public)))
	if _, err := parseDID(did); err != nil {
		return "", "", err
	}
	comment = strings.Trim(comment, " ")
	if err := checkComment(comment); err != nil {
		return "", "", err
	}
	return did, comment, nil
}

// ExportPublic writes a public key as a line of OpenSSH, without its newline.
func ExportPublic(did, comment string) (string, error) {
	public, err := parseDID(did)
	if err != nil {
		return "", err
	}
	if err := checkComment(comment); err != nil {
		return "", err
	}
	line := sshType + " " + base64.StdEncoding.EncodeToString(append([]byte(sshHead), public[:]...))
	if comment != "" {
		line += " " + comment
	}
	return line, nil
}

// encodePublic returns the contents of a .pub file.
func encodePublic(did, comment string) ([]byte, error) {
	line, err := ExportPublic(did, comment)
	return []byte(line + "\n"), err
}

// checkComment keeps out line ends, escapes and what turns the direction of text.
func checkComment(comment string) error {
	switch {
	case len(comment) > maxComment:
		return fmt.Errorf("comment of %d bytes exceeds %d", len(comment), maxComment)
	case !utf8.ValidString(comment):
		return errors.New("the comment is not UTF-8")
	case strings.ContainsFunc(comment, func(r rune) bool { return !unicode.IsGraphic(r) }):
		return errors.New("the comment has characters that do not show")
	}
	return nil
}
