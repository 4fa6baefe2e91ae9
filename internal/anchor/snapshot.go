package anchor

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// maxPage is the size of the largest page that is kept, in bytes.
const maxPage = 2 << 20

// keepSnapshot puts the bytes of a page into a directory under their digest. What
// is there already is let be.
func keepSnapshot(dir string, body []byte) error {
	if dir == "" {
		return nil
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("anchor: keep a snapshot: %w", err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return fmt.Errorf("anchor: keep a snapshot: %w", err)
	}
	defer root.Close()
	name := digest(body)
	if _, err := root.Lstat(name); err == nil {
		return nil
	}
	part := name + ".part"
	f, err := root.OpenFile(part, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) { // left behind, or another is writing the same bytes
		if err = root.Remove(part); err == nil {
			f, err = root.OpenFile(part, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		}
	}
	if err != nil {
		return fmt.Errorf("anchor: keep a snapshot: %w", err)
	}
	_, err = f.Write(body)
	if err = errors.Join(err, f.Sync(), f.Close()); err == nil {
		err = root.Rename(part, name)
	}
	if err != nil {
		return fmt.Errorf("anchor: keep a snapshot: %w", err)
	}
	return nil
}

// Snapshot returns the bytes that were kept under a digest, if they still have it.
func Snapshot(dir, sha256 string) ([]byte, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fmt.Errorf("anchor: snapshot: %w", err)
	}
	defer root.Close()
	if !commitID.Get().MatchString(sha256) {
		return nil, invalid("%q is no digest", sha256)
	}
	f, err := openRegular(root, sha256)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	body, err := io.ReadAll(io.LimitReader(f, maxPage+1))
	if err != nil {
		return nil, fmt.Errorf("anchor: snapshot: %w", err)
	}
	if digest(body) != sha256 {
		return nil, fmt.Errorf("anchor: the snapshot %s has other bytes", plain(sha256))
	}
	return body, nil
}
