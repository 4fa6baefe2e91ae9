package peer

import "context"

// vanished is a peer that was met behind an address and is not there any more: it has no
// logs, and an exchange with it says which it had.
type vanished struct {
	Remote // which is never asked: without logs there is nothing but Hello
	was    Pin
}

// Vanished returns a peer that is gone, for an exchange that expects it.
func Vanished(was Pin) Remote { return vanished{was: was} }

// Hello shows no logs.
func (v vanished) Hello(context.Context, Hello) (Welcome, error) {
	return Welcome{Version: Version, Name: v.was.Name, Key: v.was.Key}, nil
}
