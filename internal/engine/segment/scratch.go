package segment

import "os"

// scratchName is the file that Scratch makes.
const scratchName = "scratch" + tempSuffix

// Scratch makes a file for what a build cannot keep in memory, on the disk that will
// hold the index. It is gone when it is closed or the process ends, at the latest when
// the folder is next written to.
func (w *Writer) Scratch() (*os.File, error) {
	_ = w.folder.root.Remove(scratchName)
	h, err := w.folder.root.OpenFile(scratchName, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err == nil {
		_ = w.folder.root.Remove(scratchName) // which Windows refuses while it is open
	}
	return h, err
}
