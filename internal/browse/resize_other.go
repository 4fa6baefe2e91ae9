//go:build !unix

package browse

import "os"

// resizes tells nothing: the size is asked for with every key.
func resizes() (<-chan os.Signal, func()) { return nil, func() {} }
