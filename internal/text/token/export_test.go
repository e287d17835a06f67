package token

// String returns the name under which Lookup finds the profile.
func (p Profile) String() string {
	switch p.prices {
	case &o200k:
		return "o200k"
	case &claude:
		return "claude"
	}
	return "chars4"
}
