package main

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/docent-md/docent/internal/release/licence"
)

// materials writes the bill of materials, in CycloneDX 1.6: the modules that the
// programs are linked from and what they embed, with their licences.
func (r *release) materials() error {
	var systems []string
	for _, t := range r.targets {
		systems = append(systems, t.String())
	}
	modules, err := licence.Modules(context.Background(), r.source, "./cmd/docent", systems)
	if err != nil {
		return err
	}
	if refused := licence.Refused(modules); len(refused) > 0 {
		return fmt.Errorf("licences: %s", strings.Join(refused, "; "))
	}
	own := component{
		Type: "application", Ref: purl(module, r.version), Name: module, Version: r.version, PURL: purl(module, r.version),
		Licences: licences(spdx),
	}
	var parts []component
	var refs []string
	for _, m := range modules {
		version := m.Version
		if m.Path == "std" {
			version = strings.TrimPrefix(version, "go")
		}
		ref := purl(m.Path, version)
		parts = append(parts, component{
			Type: "library", Ref: ref, Name: m.Path, Version: version, PURL: ref, Licences: licences(m.SPDX),
		})
		refs = append(refs, ref)
	}
	bill := map[string]any{
		"$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json", "bomFormat": "CycloneDX", "specVersion": "1.6", "version": 1,
		"metadata":     map[string]any{"timestamp": r.at.Format(timeFormat), "component": own},
		"components":   parts,
		"dependencies": []any{map[string]any{"ref": own.Ref, "dependsOn": refs}},
	}
	body, err := json.Marshal(bill)
	if err != nil {
		return err
	}
	bill["serialNumber"] = "urn:uuid:" + uuid(body)
	return r.writeJSON(fmt.Sprintf("docent_%s.cdx.json", r.number()), bill)
}

// A component is one of CycloneDX.
type component struct {
	Type     string `json:"type"`
	Ref      string `json:"bom-ref"`
	Name     string `json:"name"`
	Version  string `json:"version"`
	PURL     string `json:"purl"`
	Licences []any  `json:"licenses"`
}

// licences is an SPDX identifier, or an expression of several, as CycloneDX has them.
func licences(spdx string) []any {
	if strings.Contains(spdx, " ") {
		return []any{map[string]string{"expression": spdx}}
	}
	return []any{map[string]any{"license": map[string]string{"id": spdx}}}
}

func purl(path, version string) string {
	if name, ok := strings.CutPrefix(path, "@"); ok {
		return "pkg:npm/%40" + name + "@" + version
	}
	return "pkg:golang/" + path + "@" + version
}

// uuid derives an identifier from content, so that the same bill has the same one.
func uuid(content []byte) string {
	sum := sha256.Sum256(content)
	sum[6] = sum[6]&0x0f | 0x80 // version 8: of one's own making
	sum[8] = sum[8]&0x3f | 0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", sum[0:4], sum[4:6], sum[6:8], sum[8:10], sum[10:16])
}

func (r *release) writeJSON(name string, v any) error {
	raw, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return err
	}
	return r.write(name, append(raw, '\n'))
}
