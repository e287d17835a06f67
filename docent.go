// Package docent turns folders of Markdown into answers: it finds the section
// that answers a question, within a budget of tokens, and says where it stands.
package docent
