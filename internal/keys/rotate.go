package keys

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strconv"
	"strings"
)

const (
	nextSuffix = ".next"
	oldSuffix  = ".old-"

	maxOld = 1000 // old keys kept beside one
)

// Rotation is one key about to be followed by another. The new one is on disk, and
// the ring is still the old one until Commit: in between, the two sign the record
// that says so, and it is stored. A rotation that was left half way is taken up by
// Pending, with the same new key.
type Rotation struct {
	Old, New *Key
	Identity []byte // the identity file when it was begun, or taken up
	dir      string
	name     string
}

// Rotate begins the rotation of a ring's key, owner or agent: it generates the new
// one from rand and writes it beside the old one, locked if there is a passphrase.
// One that follows a locked key must have one. A rotation already begun is not begun
// again, but returned as Pending does.
func Rotate(dir, name string, rand io.Reader, passphrase []byte, o Options) (*Rotation, error) {
	var r *Rotation
	err := changeKey(dir, name, func(d *keyDir) (err error) {
		if r, err = d.pending(name, o); r != nil || err != nil {
			return err
		}
		r, err = d.begin(name, rand, passphrase, o)
		return err
	})
	return r, err
}

// Pending returns the rotation of a ring's key that was begun and not finished, or
// nil. Only who knows the record of the rotation can say what is to become of it: if
// it is stored, Commit; if it is nowhere, sign it now, or Cancel.
func Pending(dir, name string, o Options) (*Rotation, error) {
	var r *Rotation
	err := changeKey(dir, name, func(d *keyDir) (err error) {
		r, err = d.pending(name, o)
		return err
	})
	return r, err
}

// changeKey is change for one of the two keys that rotate.
func changeKey(dir, name string, f func(d *keyDir) error) error {
	if name != ownerFile && name != agentFile {
		return fmt.Errorf("rotate: no key is called %s", shorten(name))
	}
	return change(dir, func(d *keyDir) error {
		if err := f(d); err != nil {
			return fmt.Errorf("rotate %s: %w", name, err)
		}
		return nil
	})
}

func (d *keyDir) begin(name string, rand io.Reader, passphrase []byte, o Options) (*Rotation, error) {
	ring, err := d.load(o)
	if err != nil {
		return nil, err
	}
	old := ring.Owner
	if name == agentFile {
		old = ring.Agent
	}
	if b, err := d.read(name, maxKeyFile); err == nil && len(passphrase) == 0 {
		if _, err := parseKey(b, nil); errors.Is(err, ErrLocked) {
			return nil, fmt.Errorf("%s is %w: give the new key one too", d.path(name), err)
		}
	}
	next, err := Generate(rand)
	if err != nil {
		return nil, err
	}
	if next.did == ring.Owner.did || next.did == ring.Agent.did {
		return nil, errors.New("the source of randomness gave the same key twice")
	}
	b, err := encodeKey(next, commentOf(name), passphrase)
	if err != nil {
		return nil, err
	}
	if err := d.replace(name+nextSuffix, b); err != nil {
		return nil, err
	}
	return &Rotation{Old: old, New: next, dir: d.name, name: name, Identity: ring.Identity}, nil
}

func (d *keyDir) pending(name string, o Options) (*Rotation, error) {
	if err := d.settle(name, o); err != nil {
		return nil, err
	}
	next, err := d.readKey(name+nextSuffix, o)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	old, err := d.readKey(name, o)
	if err != nil {
		return nil, err
	}
	if old.did == next.did {
		return nil, fmt.Errorf(
			"%s and %s hold the same key: rm %s", d.path(name), d.path(name+nextSuffix),
			quote(d.path(name+nextSuffix)),
		)
	}
	identity, err := d.read(identityFile, maxIdentityFile)
	if err != nil {
		return nil, err
	}
	return &Rotation{Old: old, New: next, dir: d.name, name: name, Identity: identity}, nil
}

// settle does the last step of a Commit that was cut off before it: the new key is in
// place, and its public file is not. That file alone says nothing else.
func (d *keyDir) settle(name string, o Options) error {
	next := name + nextSuffix
	if d.has(next) || !d.has(next+pubSuffix) {
		return nil
	}
	public, err := d.readPublic(next + pubSuffix)
	if err != nil {
		return err
	}
	key, err := d.readKey(name, o)
	if err != nil {
		return err
	}
	if key.did != public {
		return fmt.Errorf("%s is of no key that is here: rm %s", d.path(next+pubSuffix), quote(d.path(next+pubSuffix)))
	}
	return d.rename(next+pubSuffix, name+pubSuffix)
}

// Commit puts the new key in place, in one step: the record of the rotation must be
// stored before. The old key's file stays beside it under the name of the key and
// .old-1 (or the next number), unless it is to be destroyed; its public file always
// does. Cut off anywhere it can be called again, also of what Pending returns. The error is
// ErrFollowed where somebody else did all that, and rotated the key again.
func (r *Rotation) Commit(destroy bool) error {
	return changeKey(r.dir, r.name, func(d *keyDir) error {
		for _, step := range r.steps(d, destroy) {
			if err := step(); errors.Is(err, ErrFollowed) && destroy {
				return errors.Join(err, r.destroyOld(d))
			} else if err != nil {
				return err
			}
		}
		return nil
	})
}

// steps are what Commit does, each safe to be the last one and to be done again.
func (r *Rotation) steps(d *keyDir, destroy bool) []func() error {
	next := r.name + nextSuffix
	var placed bool // by a Commit before this one
	unless := func(f func() error) func() error {
		return func() error {
			if placed {
				return nil
			}
			return f()
		}
	}
	return []func() error{
		func() (err error) {
			placed, err = r.check(d)
			return err
		},
		unless(func() error {
			line, err := encodePublic(r.New.did, commentOf(r.name))
			if err != nil {
				return err
			}
			return d.replace(next+pubSuffix, line)
		}),
		unless(func() error { return r.keepOld(d, !destroy) }),
		unless(func() error { return d.rename(next, r.name) }),
		func() error {
			if err := d.settle(r.name, Options{}); err != nil || !placed || !destroy {
				return err
			}
			return r.destroyOld(d)
		},
	}
}

// check reports whether the new key is in place already, and refuses what is neither
// before nor after this rotation.
func (r *Rotation) check(d *keyDir) (placed bool, err error) {
	now, err := d.readKey(r.name, Options{})
	if err != nil {
		return false, err
	}
	if now.did == r.New.did {
		return true, nil
	}
	if now.did != r.Old.did {
		if d.kept(r.name, r.New) {
			return false, fmt.Errorf("%s: %w", d.path(r.name), ErrFollowed)
		}
		return false, fmt.Errorf("%s has another key than the one to be replaced", d.path(r.name))
	}
	next, err := d.readKey(r.name+nextSuffix, Options{})
	if err != nil {
		return false, err
	}
	if next.did != r.New.did {
		return false, fmt.Errorf("%s has another key than the new one", d.path(r.name+nextSuffix))
	}
	return false, nil
}

// keepOld copies the files of the old key under a number that is free, or that a
// Commit cut off after this step took.
func (r *Rotation) keepOld(d *keyDir, private bool) error {
	public, err := encodePublic(r.Old.did, commentOf(r.name))
	if err != nil {
		return err
	}
	name, err := d.freeOld(r.name, public)
	if err != nil {
		return err
	}
	if err := d.replace(name+pubSuffix, public); err != nil {
		return err
	}
	if !private {
		return d.remove(name) // of a Commit that was to keep it
	}
	b, err := d.read(r.name, maxKeyFile)
	if errors.Is(err, fs.ErrNotExist) {
		return nil // it is in the ssh-agent
	}
	if err != nil {
		return err
	}
	return d.replace(name, b)
}

// kept reports whether a key is one of the old ones beside the present one.
func (d *keyDir) kept(name string, k *Key) bool {
	public, err := encodePublic(k.did, commentOf(name))
	if err != nil {
		return false
	}
	old, err := d.freeOld(name, public)
	return err == nil && d.has(old+pubSuffix)
}

// destroyOld removes the old private key, which somebody kept who finished this
// rotation without knowing that it was to go.
func (r *Rotation) destroyOld(d *keyDir) error {
	public, err := encodePublic(r.Old.did, commentOf(r.name))
	if err != nil {
		return err
	}
	name, err := d.freeOld(r.name, public)
	if err != nil {
		return err
	}
	return d.remove(name)
}

func (d *keyDir) freeOld(name string, public []byte) (string, error) {
	for n := range maxOld {
		old := name + oldSuffix + strconv.Itoa(n+1)
		if !d.has(old+pubSuffix) && !d.has(old) {
			return old, nil
		}
		if b, err := d.read(old+pubSuffix, maxKeyFile); err == nil && bytes.Equal(b, public) {
			return old, nil
		}
	}
	return "", fmt.Errorf("%d old keys are in %s: take some away", maxOld, d.name)
}

// Record puts lines in the place of the identity file, as PutIdentity does, with what
// says that the new key follows. It is refused where somebody else was faster: what
// they said of the new key, or that it is none, holds.
func (r *Rotation) Record(lines []byte) error {
	return changeKey(r.dir, r.name, func(d *keyDir) error {
		if placed, err := r.check(d); err != nil || placed {
			return errors.Join(err, ErrOvertaken)
		}
		return d.putIdentity(lines)
	})
}

// ErrFollowed says that the new key was put in place by somebody else, and that
// another key has followed it since.
var ErrFollowed = errors.New("the new key was in place, and another followed it")

// ErrOvertaken says that somebody else changed the same key at once, and was faster.
var ErrOvertaken = errors.New("another process changed the key meanwhile")

// Cancel takes the new key away for good. The record of the rotation must be nowhere:
// whoever has it holds the lost key for the present one. So where the identity file is
// another than when the rotation was taken up, somebody may have said so, and the key
// stays.
func (r *Rotation) Cancel() error {
	return changeKey(r.dir, r.name, func(d *keyDir) error {
		now, err := d.read(identityFile, maxIdentityFile)
		if err != nil || !bytes.Equal(now, r.Identity) {
			return err
		}
		placed, err := r.check(d)
		if err != nil {
			return err
		}
		if placed {
			return errors.New("the new key is in place: it cannot be cancelled")
		}
		return d.remove(r.name+nextSuffix+pubSuffix, r.name+nextSuffix)
	})
}

// isKeyFile reports that a private key of a ring may be called so.
func isKeyFile(name string) bool {
	name, number, old := strings.Cut(name, oldSuffix)
	if name != ownerFile && name != agentFile {
		return false
	}
	if !old {
		return true
	}
	n, err := strconv.Atoi(number)
	return err == nil && n > 0 && strconv.Itoa(n) == number
}
