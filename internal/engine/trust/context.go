package trust

// unbound says why a constraint does not bind.
func (v *Vouched) Unbound() string {
	switch {
	case v.stranger && v.self:
		return "approved by its author alone"
	case v.stranger:
		return "approved by a stranger"
	case v.Disputed:
		return "disputed"
	case v.Doubt != "":
		return "not verified"
	}
	return "not approved"
}
