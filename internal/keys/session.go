package keys

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
)

const (
	sessionsDir      = "sessions"
	delegationSuffix = ".jsonl"

	maxSessionName = 64
)

// Session is a key for one session or one machine, with the record by which the owner
// lets it speak. Its files can go where the ring must not: sessions/NAME and beside it
// NAME.jsonl.
type Session struct {
	Name string
	Key  *Key
	// Delegation is the record, as the caller's function made it. Nothing here reads
	// into it.
	Delegation []byte
}

// AddSession generates the key of a new session from rand, has delegate make the
// record that the owner signs, and keeps both under a name of 1 to 64 of the
// characters a-z, 0-9, _ and -. If anything fails there is no such session. The error
// is fs.ErrExist if the name is taken.
func AddSession(dir, name string, rand io.Reader, delegate func(session *Key) ([]byte, error)) (*Session, error) {
	s, err := addSession(dir, name, rand, delegate)
	if err != nil {
		return nil, fmt.Errorf("add session: %w", err)
	}
	return s, nil
}

func addSession(dir, name string, rand io.Reader, delegate func(session *Key) ([]byte, error)) (*Session, error) {
	if err := checkSession(name); err != nil {
		return nil, err
	}
	ring, err := Load(dir)
	if err != nil {
		return nil, err
	}
	key, err := Generate(rand)
	if err != nil {
		return nil, err
	}
	if key.did == ring.Owner.did || key.did == ring.Agent.did {
		return nil, errors.New("the source of randomness gave the same key twice")
	}
	free := func(d *keyDir) error {
		sub, err := d.sessions()
		if err != nil {
			return err
		}
		defer sub.root.Close()
		if sub.has(name) {
			return fmt.Errorf("%s: %w", sub.path(name), fs.ErrExist)
		}
		return nil
	}
	if err := change(dir, free); err != nil { // before the owner is asked for anything
		return nil, err
	}
	delegation, err := delegate(key)
	if err != nil {
		return nil, err
	}
	if len(delegation) > maxIdentityFile {
		return nil, fmt.Errorf("delegation of %d bytes exceeds %d", len(delegation), maxIdentityFile)
	}
	return &Session{Name: name, Key: key, Delegation: delegation}, change(dir, func(d *keyDir) error {
		if err := free(d); err != nil {
			return err
		}
		return d.putSession(name, key, delegation)
	})
}

// putSession writes the key last: without it there is no session.
func (d *keyDir) putSession(name string, key *Key, delegation []byte) error {
	sub, err := d.sessions()
	if err != nil {
		return err
	}
	defer sub.root.Close()
	private, err := encodeKey(key, commentOf(name), nil)
	if err != nil {
		return err
	}
	public, err := encodePublic(key.did, commentOf(name))
	if err != nil {
		return err
	}
	if err := sub.replace(name+delegationSuffix, delegation); err != nil {
		return err
	}
	if err := sub.replace(name+pubSuffix, public); err != nil {
		return err
	}
	return sub.replace(name, private)
}

// sessions opens the directory of sessions, and makes it if it is not there.
func (d *keyDir) sessions() (*keyDir, error) {
	switch err := d.root.Mkdir(sessionsDir, dirMode); {
	case err == nil:
		if err := d.root.Chmod(sessionsDir, dirMode); err != nil { // whatever the umask took
			return nil, err
		}
	case !errors.Is(err, fs.ErrExist):
		return nil, err
	}
	return d.sub(sessionsDir)
}

// LoadSession loads a session of the ring in dir, by the rules of Load. The rest of the
// ring need not be there. The error is fs.ErrNotExist if there is no such session.
func LoadSession(dir, name string, o Options) (*Session, error) {
	s := &Session{Name: name}
	err := inSessions(dir, name, func(sub *keyDir) (err error) {
		if s.Key, err = sub.readKey(name, o); err != nil {
			return err
		}
		if s.Delegation, err = sub.read(name+delegationSuffix, maxIdentityFile); errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("%v: the key is useless without it: restore it from a backup", err)
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("load session: %w", err)
	}
	return s, nil
}

// RemoveSession takes the files of a session away, if they are there.
func RemoveSession(dir, name string) error {
	err := change(dir, func(*keyDir) error {
		return inSessions(dir, name, func(sub *keyDir) error {
			return sub.remove(name, name+pubSuffix, name+delegationSuffix)
		})
	})
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("remove session: %w", err)
	}
	return nil
}

func inSessions(dir, name string, f func(sub *keyDir) error) error {
	if err := checkSession(name); err != nil {
		return err
	}
	d, err := openDir(dir)
	if err != nil {
		return err
	}
	defer d.root.Close()
	sub, err := d.sub(sessionsDir)
	if err != nil {
		return err
	}
	defer sub.root.Close()
	return f(sub)
}

// Sessions lists the names of the sessions of the ring in dir, sorted.
func Sessions(dir string) ([]string, error) {
	d, err := openDir(dir)
	if err != nil {
		return nil, fmt.Errorf("list sessions: %w", err)
	}
	defer d.root.Close()
	sub, err := d.sub(sessionsDir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("list sessions: %w", err)
	}
	defer sub.root.Close()
	entries, err := fs.ReadDir(sub.root.FS(), ".")
	if err != nil {
		return nil, fmt.Errorf("list sessions: %w", err)
	}
	entries = slices.DeleteFunc(entries, func(e os.DirEntry) bool { return checkSession(e.Name()) != nil })
	var list []string
	for _, e := range entries {
		list = append(list, e.Name())
	}
	return list, nil
}

// checkSession keeps names apart from the files beside them, whose names have a dot.
func checkSession(name string) error {
	const letters = "abcdefghijklmnopqrstuvwxyz0123456789"
	if name == "" || len(name) > maxSessionName || strings.Trim(name, letters+"_-") != "" ||
		strings.IndexByte(letters, name[0]) < 0 {
		return fmt.Errorf("no session can be called %s: use a-z, 0-9, _ and -, a letter or digit first", shorten(name))
	}
	return nil
}
