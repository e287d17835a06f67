package web

import (
	"net/http"

	"github.com/docent-md/docent/internal/surface/web/diagram"
)

// diagramFrame serves the frame that draws.
func diagramFrame(w http.ResponseWriter, r *http.Request, _ *frame) error {
	diagram.Serve(w, r)
	return nil
}
