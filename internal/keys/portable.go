package keys

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
)

// Portable is a ring in text, to begin on another machine. Whoever reads it can sign as its owner.
type Portable struct {
	Owner    string // OpenSSH private keys
	Agent    string
	Identity string
}

// ErrOtherRing says that a directory has the keys of somebody else.
var ErrOtherRing = errors.New("there are other keys already")

// MakePortable makes a ring that lies nowhere: its keys from rand, and its identity file as identity makes it. did is
// its owner's key.
func MakePortable(
	rand io.Reader, identity func(owner, agent *Key) ([]byte, error),
) (p Portable, did string, err error) {
	owner, err := Generate(rand)
	if err != nil {
		return p, "", err
	}
	agent, err := Generate(rand)
	if err != nil {
		return p, "", err
	}
	public, err := identity(owner, agent)
	if err != nil {
		return p, "", fmt.Errorf("make identity: %w", err)
	}
	first, err := encodeKey(owner, commentOf(ownerFile), nil)
	if err != nil {
		return p, "", err
	}
	second, err := encodeKey(agent, commentOf(agentFile), nil)
	return Portable{Owner: string(first), Agent: string(second), Identity: string(public)}, owner.did, err
}

// read returns the keys in the text.
func (p Portable) read() (owner, agent *Key, err error) {
	if owner, err = parseKey([]byte(p.Owner), nil); err != nil {
		return nil, nil, fmt.Errorf("its owner's key: %w", err)
	}
	if agent, err = parseKey([]byte(p.Agent), nil); err != nil {
		return nil, nil, fmt.Errorf("its agent's key: %w", err)
	}
	return owner, agent, nil
}

// OwnerKey returns the owner's key.
func (p Portable) OwnerKey() (*Key, error) {
	owner, _, err := p.read()
	return owner, err
}

// Place puts a ring into dir, if there is none. If the ring there is that of the same owner, it stays as it is: it may
// have been rotated since. Another's is ErrOtherRing, and stays.
func (p Portable) Place(dir string) error {
	owner, agent, err := p.read()
	if err != nil {
		return err
	}
	same := func(at *Ring) error {
		if at.Owner.did == owner.did {
			return nil
		}
		return fmt.Errorf("%w in %s, of %s", ErrOtherRing, dir, at.Owner.did)
	}
	there, err := LoadWith(dir, Options{Known: true})
	if err == nil {
		return same(there)
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := placeRing(dir, &Ring{Owner: owner, Agent: agent, Identity: []byte(p.Identity)}); err != nil {
		if there, loadErr := LoadWith(dir, Options{Known: true}); loadErr == nil {
			return same(there) // another process was faster
		}
		return fmt.Errorf("put keys into %s: %w", dir, err)
	}
	return nil
}
