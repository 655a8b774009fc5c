package cli

import (
	"fmt"
	"sync/atomic"

	"agora/internal/importer"
)

// importProgress shows the progress of an import.
type importProgress struct {
	*progress
	read, total *atomic.Int64 // bytes of all files; total is -1 if not known
}

func (p program) newImportProgress(read, total *atomic.Int64) *importProgress {
	return &importProgress{progress: p.newProgress(), read: read, total: total}
}

// show shows the progress.
func (p *importProgress) show(sum importer.Summary) {
	p.progress.show(func() string {
		rate := float64(sum.Records) / max(p.now().Sub(p.began).Seconds(), 1e-9)
		text := fmt.Sprintf("import: %d records, %.0f/s", sum.Records, rate)
		total := p.total.Load()
		if total <= 0 {
			return text
		}
		read := min(p.read.Load(), total)
		text += fmt.Sprintf(", %d %% of the files read", 100*read/total)
		if left := p.left(read, total); left > 0 {
			text += fmt.Sprintf(", about %v left", left)
		}
		return text
	})
}
