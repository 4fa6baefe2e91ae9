//go:build !unix

package browse

import "os"

// resizes reports nothing: the size is read with every key.
func resizes() (<-chan os.Signal, func()) { return nil, func() {} }
