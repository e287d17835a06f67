package retrieve

import "testing"

func TestAsksForChanges(t *testing.T) {
	for question, want := range map[string]Changes{
		"parse objects":                  NoChanges,
		"is there a newer way":           NoChanges,
		"What replaced parse_obj in v2?": NoChanges,

		"what changed in the parser":               AboutChanges,
		"parser in 1.29":                           AboutChanges,
		"how do I upgrade":                         AboutChanges,
		"how do I install the latest version":      AboutChanges,
		"create a new key":                         AboutChanges,
		"what changed files does the hook get":     AboutChanges,
		"most recent backup":                       AboutChanges,
		"how to get notified when a file changes?": AboutChanges,

		"what's new in routing":       WhatIsNew,
		"What\u2019s new in 1.29":     WhatIsNew,
		"what is new about keys":      WhatIsNew,
		"what has changed in the API": WhatIsNew,
		"what has been updated":       WhatIsNew,
		"recently added commands":     WhatIsNew,
		"pages updated lately":        WhatIsNew,
		"latest changes to auth":      WhatIsNew,
	} {
		if got := AsksForChanges(question); got != want {
			t.Errorf("%q: %v", question, got)
		}
	}
}
