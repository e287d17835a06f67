package human

import "strings"

const plainLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-+"

// ShellWord quotes a word for a shell of Unix if that is necessary.
func ShellWord(s string) string {
	if s != "" && strings.Trim(s, plainLetters) == "" {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// CommandWord quotes a word for the shells of a system, as runtime.GOOS names it. Both
// shells of Windows take double quotes, in which PowerShell would replace what follows $
// and a backtick: words with these get single quotes, which it alone understands.
func CommandWord(s, system string) string {
	switch {
	case system != "windows":
		return ShellWord(s)
	case s != "" && strings.Trim(s, plainLetters+`\:`) == "":
		return s
	case strings.ContainsAny(s, "$`"):
		return "'" + strings.ReplaceAll(s, "'", "''") + "'"
	}
	body := strings.TrimRight(s, `\`)
	return `"` + strings.ReplaceAll(body, `"`, `\"`) + strings.Repeat(`\`, 2*(len(s)-len(body))) + `"`
}
