//go:build !unix

package crawl

import "time"

// processorTime is not known everywhere; the metric is then 0.
func processorTime() time.Duration { return 0 }
