package answer

// An About says what documents are about, in words of theirs: those of the project's
// config, else of its front page. Whoever wrote them chose these words, so a surface
// that shows them to a model must take care what they say. All may be empty.
type About struct {
	Name        string `json:"name"`        // of the config
	Title       string `json:"title"`       // of the front page
	Description string `json:"description"` // in a sentence or two
	Called      string `json:"-"`           // after the folder, or the packed file
}
