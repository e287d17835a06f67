package watch

import (
	"github.com/fsnotify/fsnotify"
)

// A notifier is how the system tells of changes.
type notifier struct {
	told   <-chan notice
	add    func(path string) error
	remove func(path string)
	close  func()
}

// A notice is an event or an error.
type notice struct {
	event fsnotify.Event
	err   error
}

// maxQueue is how many notices may wait. The system keeps some thousand itself.
const maxQueue = 1 << 17

func openNotifier() (*notifier, error) {
	w, err := fsnotify.NewWatcher()
	if err != nil {
		return nil, err
	}
	out, stop := make(chan notice), make(chan struct{})
	go pump(w, out, stop)
	return &notifier{
		told:   out,
		add:    w.Add,
		remove: func(path string) { _ = w.Remove(path) }, // most are gone already
		close: func() {
			close(stop)
			_ = w.Close()
		},
	}, nil
}

// pump takes notices from the system as fast as they come, so that its queue
// does not overflow while we are at work, and because on Windows a watch cannot
// be added while an event waits to be taken.
func pump(w *fsnotify.Watcher, out chan<- notice, stop <-chan struct{}) {
	defer close(out)
	var queue []notice
	for {
		var send chan<- notice
		var head notice
		if len(queue) > 0 {
			send, head = out, queue[0]
		}
		select {
		case <-stop:
			return
		case send <- head:
			queue = queue[1:]
		case ev, ok := <-w.Events:
			if !ok {
				return
			}
			queue = append(queue, notice{event: ev})
		case err, ok := <-w.Errors:
			if !ok {
				return
			}
			queue = append(queue, notice{err: err})
		}
		if len(queue) > maxQueue {
			queue = []notice{{err: fsnotify.ErrEventOverflow}}
		}
	}
}

// notices is the notifier's channel; nil, on which nothing comes, without one.
func (n *notifier) notices() <-chan notice {
	if n == nil {
		return nil
	}
	return n.told
}
