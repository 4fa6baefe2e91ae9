package stemma

// receipt keeps what was answered, and gives its name.
func (e *Engine) receipt(op string, request any, reply *SearchReply, found []*found) string {
	return ""
}
