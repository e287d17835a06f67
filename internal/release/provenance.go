package main

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"runtime"
	"slices"
	"strings"
)

// provenance writes what the files were made from, as an in-toto statement with SLSA's
// predicate. It is not signed here: the release workflow has the service that builds it
// attest the same files.
func (r *release) provenance() error {
	var subjects []any
	for _, name := range r.published() {
		sum, err := r.sum(name)
		if err != nil {
			return err
		}
		subjects = append(subjects, map[string]any{"name": name, "digest": map[string]string{"sha256": sum}})
	}
	source := map[string]any{
		"uri": "git+" + homepage + "@refs/tags/" + r.version, "digest": map[string]string{"gitCommit": r.commit},
	}
	return r.writeJSON(fmt.Sprintf("docent_%s.provenance.json", r.number()), map[string]any{
		"_type": "https://in-toto.io/Statement/v1", "subject": subjects, "predicateType": "https://slsa.dev/provenance/v1",
		"predicate": map[string]any{
			"buildDefinition": map[string]any{
				"buildType":            homepage + "/blob/main/internal/release/main.go",
				"externalParameters":   map[string]any{"version": r.version},
				"internalParameters":   map[string]any{"go": runtime.Version(), "command": "make release VERSION=" + r.version},
				"resolvedDependencies": []any{source},
			},
			"runDetails": map[string]any{"builder": map[string]string{"id": homepage + "/blob/main/internal/release"}},
		},
	})
}

// published returns the published files, in the order of their names.
func (r *release) published() []string {
	out := slices.Clone(r.written)
	slices.Sort(out)
	return out
}

func (r *release) sum(name string) (string, error) {
	raw, err := r.read(name)
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(raw)
	return hex.EncodeToString(sum[:]), nil
}

// checksums writes SHA256SUMS, which sha256sum -c reads.
func (r *release) checksums() error {
	b := &strings.Builder{}
	for _, name := range r.published() {
		sum, err := r.sum(name)
		if err != nil {
			return err
		}
		fmt.Fprintf(b, "%s  %s\n", sum, name)
	}
	if err := r.write("SHA256SUMS", []byte(b.String())); err != nil {
		return err
	}
	r.written = r.written[:len(r.written)-1]
	return nil
}
