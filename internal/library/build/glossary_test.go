package build

import (
	"fmt"
	"testing"

	"github.com/docent-md/docent/internal/text/markdown"
)

func TestGlossary(t *testing.T) {
	for _, c := range []struct{ name, path, text, want string }{
		{"a table", "docs/glossary.md", "| a | b |\n|---|---|\n| k8s | Kubernetes |\n", "[{k8s Kubernetes}]"},
		{"a definition list", "Glossary.md", "2FA\n: two-factor authentication, MFA\n", "[{2FA two-factor authentication} {2FA MFA}]"},
		{"markup and links", "acronyms.md", "| a | b |\n|---|---|\n| **SSO** | [single sign-on](sso.md) |\n", "[{SSO single sign-on}]"},
		{"by its title", "words.md", "# Glossary\n\nVM / instance\n: virtual machine\n", "[{VM virtual machine} {instance virtual machine}]"},
		{"a sentence explains", "glossary.md", "| a | b |\n|---|---|\n| hybrid | By both, the default. |\n", "[]"},
		{"so do many words", "glossary.md", "| a | b |\n|---|---|\n| answer | what is returned, and printed as text or JSON |\n", "[]"},
		{"other pages are none", "keys.md", "| a | b |\n|---|---|\n| k8s | Kubernetes |\n", "[]"},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := markdown.Parse(c.path, []byte(c.text))
			if got := fmt.Sprint(glossaryOf(&d)); got != c.want {
				t.Errorf("%s, want %s", got, c.want)
			}
		})
	}
}
