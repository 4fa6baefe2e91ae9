package keys

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// The files of a ring. The .pub files are for people and for ssh-keygen: a private
// key says what its public half is. Only an owner's that is in an ssh-agent is known
// by its .pub file.
const (
	ownerFile    = "owner"
	agentFile    = "agent"
	identityFile = "identity.jsonl"
	pubSuffix    = ".pub"
)

const (
	dirMode  fs.FileMode = 0o700
	fileMode fs.FileMode = 0o600

	maxKeyFile      = 16 << 10
	maxIdentityFile = 1 << 20
)

// Ring is a person's keys on one machine: the owner's, and the agent's that the
// owner delegated to.
type Ring struct {
	Owner, Agent *Key
	// Identity is the public identity file, as the caller's function made it when
	// the ring was, and what PutIdentity added. Nothing here reads into it.
	Identity []byte
	// Pending names the keys, owner or agent, with a rotation that was begun and not
	// finished: Pending, the function, takes it up.
	Pending []string
}

// Open loads the ring in dir, or makes it on first use: it generates both keys from
// rand, has identity make the identity file of them, and puts everything in place
// in one step. If several processes do so at once, all return the same ring. If
// anything fails, dir is as it was. A rand that gives the same key twice is refused:
// what the agent signed would be the owner's.
//
// A process killed half way leaves a directory .NAME.new-* beside dir, whose keys
// have never signed anything outside it: it may be deleted.
func Open(dir string, rand io.Reader, identity func(owner, agent *Key) ([]byte, error)) (*Ring, error) {
	return OpenWith(dir, rand, identity, Options{})
}

// OpenWith is Open with private halves that are elsewhere. It reaches for none.
func OpenWith(dir string, rand io.Reader, identity func(owner, agent *Key) ([]byte, error), o Options) (*Ring, error) {
	ring, err := LoadWith(dir, o)
	if !errors.Is(err, fs.ErrNotExist) {
		return ring, err
	}
	if err := makeRing(dir, rand, identity); err != nil {
		// Whatever failed, a ring that is there now is the ring: someone was faster.
		if ring, loadErr := LoadWith(dir, o); !errors.Is(loadErr, fs.ErrNotExist) {
			return ring, loadErr
		}
		return nil, fmt.Errorf("make keys in %s: %w", dir, err)
	}
	return LoadWith(dir, o) // what is used is what is on disk
}

// New makes a ring in memory: it goes with the process.
func New(rand io.Reader, identity func(owner, agent *Key) ([]byte, error)) (*Ring, error) {
	owner, err := Generate(rand)
	if err != nil {
		return nil, err
	}
	agent, err := Generate(rand)
	if err != nil {
		return nil, err
	}
	public, err := identity(owner, agent)
	if err != nil {
		return nil, fmt.Errorf("make identity: %w", err)
	}
	ring := &Ring{Owner: owner, Agent: agent, Identity: public}
	return ring, ring.sound()
}

// sound returns why a ring can be no ring.
func (r *Ring) sound() error {
	if r.Owner.did == r.Agent.did {
		return errors.New("the source of randomness gave the same key twice")
	}
	if len(r.Identity) > maxIdentityFile {
		return fmt.Errorf("identity of %d bytes exceeds %d", len(r.Identity), maxIdentityFile)
	}
	return nil
}

func makeRing(dir string, rand io.Reader, identity func(owner, agent *Key) ([]byte, error)) error {
	ring, err := New(rand, identity)
	if err != nil {
		return err
	}
	return placeRing(dir, ring)
}

// placeRing puts a ring in place in one step.
func placeRing(dir string, ring *Ring) (err error) {
	if dir == "" {
		return errors.New("no directory named")
	}
	dir = filepath.Clean(dir)
	parent := filepath.Dir(dir)
	if err := ring.sound(); err != nil {
		return err
	}
	if err := os.MkdirAll(parent, dirMode); err != nil {
		return err
	}
	// Beside dir, or it could not be renamed to it.
	temp, err := os.MkdirTemp(parent, "."+filepath.Base(dir)+".new-*")
	if err != nil {
		return err
	}
	defer func() {
		if rmErr := os.RemoveAll(temp); err == nil { // after the rename it is not there
			err = rmErr
		}
	}()
	if err := os.Chmod(temp, dirMode); err != nil { // whatever the umask took
		return err
	}
	if err := writeKey(temp, ownerFile, ring.Owner); err != nil {
		return err
	}
	if err := writeKey(temp, agentFile, ring.Agent); err != nil {
		return err
	}
	if err := writeFile(temp, identityFile, ring.Identity); err != nil {
		return err
	}
	if err := syncDir(temp); err != nil {
		return err
	}
	// Renaming replaces no directory that has anything in it: the first one wins.
	if err := renameDir(temp, dir); err != nil {
		return fmt.Errorf("it must be missing or empty: %w", err)
	}
	return syncDir(parent)
}

// Load loads the ring in dir. The error is fs.ErrNotExist if dir is missing, or has
// none of a ring's files; a ring with a file missing or damaged is another error.
// It refuses a directory that is not 0700, a file that is not 0600, and either if it
// is a symbolic link or another user's, with an error that says how to mend it.
func Load(dir string) (*Ring, error) { return LoadWith(dir, Options{}) }

// LoadWith is Load with private halves that are elsewhere. It reaches for none, so it
// asks no one for anything. No one changes the ring meanwhile: the keys and what the
// identity file says of them are of one moment.
func LoadWith(dir string, o Options) (*Ring, error) {
	d, err := openDir(dir)
	if err != nil {
		return nil, fmt.Errorf("load keys: %w", err)
	}
	defer d.root.Close()
	self, err := d.root.Open(".")
	if err != nil {
		return nil, fmt.Errorf("load keys: %w", err)
	}
	defer self.Close()
	_ = share(self) // where nothing can be locked, nothing can be changed either
	ring, err := d.load(o)
	if errors.Is(err, fs.ErrNotExist) && !d.empty() {
		// Not %w: it must not be taken for a place to make a new ring in.
		return nil, fmt.Errorf(
			"load keys: %v: the other files of the ring are in %s: restore this one from a backup", err, dir,
		)
	}
	if err != nil {
		return nil, fmt.Errorf("load keys: %w", err)
	}
	return ring, nil
}

func (d *keyDir) load(o Options) (*Ring, error) {
	owner, err := d.readKey(ownerFile, o)
	if err != nil {
		return nil, err
	}
	agent, err := d.readKey(agentFile, o)
	if err != nil {
		return nil, err
	}
	if owner.did == agent.did {
		return nil, fmt.Errorf(
			"%s and %s hold the same key: restore them from a backup", d.path(ownerFile), d.path(agentFile),
		)
	}
	identity, err := d.read(identityFile, maxIdentityFile)
	if err != nil {
		return nil, err
	}
	ring := &Ring{Owner: owner, Agent: agent, Identity: identity}
	for _, name := range []string{ownerFile, agentFile} {
		if d.has(name+nextSuffix) || d.has(name+nextSuffix+pubSuffix) {
			ring.Pending = append(ring.Pending, name)
		}
	}
	return ring, nil
}

// readKey reads a key from its file, or takes it for the ssh-agent's if it may be
// there and only its public half is here.
func (d *keyDir) readKey(name string, o Options) (*Key, error) {
	b, err := d.read(name, maxKeyFile)
	if errors.Is(err, fs.ErrNotExist) && name == ownerFile && d.has(name+pubSuffix) {
		return d.agentKey(name, o)
	}
	if err != nil {
		return nil, err
	}
	parse := parseKey
	if o.Known {
		parse = parseKnown
	}
	key, err := parse(b, nil)
	if errors.Is(err, ErrLocked) {
		key, err = lockedKey(d.path(name), b, o.Unlock)
	}
	if err != nil {
		return nil, fmt.Errorf("%s is not a usable key file: %w", d.path(name), err)
	}
	return key, nil
}
