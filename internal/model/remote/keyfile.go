package remote

import (
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
)

const maxKey = 4 << 10 // bytes of a key's file

// KeyFile reads a key from a file that no one but its owner may read. The error does not repeat what is in it.
func KeyFile(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", fmt.Errorf("the model's key: %w", err)
	}
	defer f.Close()
	about, err := f.Stat()
	switch {
	case err != nil:
		return "", fmt.Errorf("the model's key: %w", err)
	case !about.Mode().IsRegular():
		return "", fmt.Errorf("the model's key: %s is not a file", path)
	case runtime.GOOS != "windows" && about.Mode().Perm()&0o077 != 0:
		return "", fmt.Errorf("the model's key: others may read %s: run \"chmod 600 %s\"", path, path)
	}
	text, err := io.ReadAll(io.LimitReader(f, maxKey+1))
	if err != nil {
		return "", fmt.Errorf("the model's key: %w", err)
	}
	key := strings.TrimSpace(string(text))
	if key == "" || len(text) > maxKey {
		return "", errors.New("the model's key: the file is empty or too long for a key")
	}
	if err := CheckKey(key); err != nil {
		return "", err
	}
	return key, nil
}
