package code

import "context"

// FindHook returns the hooks of the repository at dir that run what InstallHook added.
// It changes nothing, and a directory outside of git has none.
func FindHook(ctx context.Context, dir string) ([]string, error) {
	if t, err := Open(ctx, dir, ""); err != nil || t.plain != "" {
		return nil, err
	}
	var found []string
	_, err := eachHook(ctx, dir, func(path string, old []byte) ([]byte, error) {
		_, _, is, err := cutHook(path, old)
		if is {
			found = append(found, path)
		}
		return old, err
	})
	return found, err
}
