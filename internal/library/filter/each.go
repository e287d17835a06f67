package filter

import (
	"errors"
	"slices"

	"github.com/docent-md/docent/internal/engine/fields"
	"github.com/docent-md/docent/internal/library/snapshot"
)

// Each calls fn with what every document has for fields of some names.
func Each(v *snapshot.View, names []string, fn func(file, name, value string)) error {
	wanted := func(name string) bool { return slices.Contains(names, name) }
	var failed error
	err := eachFile(v, wanted, func(s *snapshot.Segment, row int, has []fields.Pair) {
		if len(has) == 0 {
			return
		}
		file, err := s.Table.Path(row)
		failed = errors.Join(failed, err)
		for _, p := range has {
			fn(file, p.Name, p.Value)
		}
	})
	return errors.Join(err, failed)
}
