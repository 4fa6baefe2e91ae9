package atrest

import (
	"bytes"
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
)

// ErrSealed says that something is sealed with a key that is not held here, or was changed.
var ErrSealed = errors.New("it is encrypted with a key that is not known here, or was changed")

// FileMagic begins a small file that is sealed: with the key's name and a line's end.
const FileMagic = "stemma-sealed 1 "

// Seal encrypts a small file. About says what it is, and is not in it. A nil key leaves it as it is.
func (k *Key) Seal(about string, text []byte) ([]byte, error) {
	if k == nil {
		return text, nil
	}
	out := []byte(FileMagic + k.name + "\n")
	return k.seal(out, about, text)
}

func (k *Key) seal(out []byte, about string, text []byte) ([]byte, error) {
	nonce := make([]byte, k.lines.NonceSize())
	if _, err := rand.Read(nonce); err != nil {
		return nil, err
	}
	return k.lines.Seal(append(out, nonce...), nonce, text, []byte(about)), nil
}

func (k *Key) unseal(about string, b []byte) ([]byte, error) {
	n := k.lines.NonceSize()
	if len(b) < n {
		return nil, ErrSealed
	}
	text, err := k.lines.Open(nil, b[:n], b[n:], []byte(about))
	if err != nil {
		return nil, ErrSealed
	}
	return text, nil
}

// IsSealed reports whether a small file is sealed.
func IsSealed(b []byte) bool { return bytes.HasPrefix(b, []byte(FileMagic)) }

// Unseal returns what a small file holds, with a key that is held here. One that is not sealed is
// returned as it is.
func Unseal(about string, b []byte) ([]byte, error) {
	rest, is := bytes.CutPrefix(b, []byte(FileMagic))
	if !is {
		return b, nil
	}
	name, rest, _ := bytes.Cut(rest, []byte("\n"))
	k := Held(string(name))
	if k == nil {
		return nil, ErrSealed
	}
	return k.unseal(about, rest)
}

// UnsealAny is Unseal of what is sealed for the spool, the one kind of small file that there is.
func UnsealAny(b []byte) ([]byte, error) { return Unseal(Spool, b) }

// Spool is what a sealed event of a hook is bound to.
const Spool = "spool"

// sealedLine is a line of JSON whose other members are sealed.
type sealedLine struct {
	ID     string `json:"id"`
	Key    string `json:"key"`
	Sealed string `json:"sealed"`
}

// lineMark is in every sealed line, and in no other: a value has its quotation marks escaped.
const lineMark = `","sealed":"`

// SealLine seals a line of JSON, without its end. Its id stays readable.
func (k *Key) SealLine(id string, line []byte) ([]byte, error) {
	if k == nil {
		return line, nil
	}
	b, err := k.seal(nil, "line "+id, line)
	if err != nil {
		return nil, fmt.Errorf("seal a line: %w", err)
	}
	return json.Marshal(sealedLine{id, k.name, base64.StdEncoding.EncodeToString(b)})
}

// UnsealLine returns a line as it was, with a key that is held here. One that is not sealed is
// returned as it is.
func UnsealLine(line []byte) ([]byte, error) {
	if !bytes.Contains(line, []byte(lineMark)) {
		return line, nil
	}
	var in sealedLine
	if json.Unmarshal(line, &in) != nil || in.Sealed == "" || in.Key == "" {
		return line, nil
	}
	k := Held(in.Key)
	if k == nil {
		return nil, ErrSealed
	}
	b, err := base64.StdEncoding.DecodeString(in.Sealed)
	if err != nil {
		return nil, ErrSealed
	}
	return k.unseal("line "+in.ID, b)
}
