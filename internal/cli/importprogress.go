package cli

import (
	"fmt"
	"sync/atomic"
	"time"

	"github.com/schollz/progressbar/v3"

	"agora/internal/importer"
)

// importProgress shows how far an import has come: a bar on a terminal, elsewhere a line
// every few seconds.
type importProgress struct {
	*progress
	began       time.Time
	read, total *atomic.Int64 // bytes of all files; the total is -1 if it is not known
	bytes       *progressbar.ProgressBar
}

func (p program) newImportProgress(read, total *atomic.Int64) *importProgress {
	shown := p.newProgress("import", "records")
	bar := progressbar.NewOptions64(
		total.Load(),
		progressbar.OptionSetWriter(p.stderr),
		progressbar.OptionSetDescription("import"),
		progressbar.OptionSetVisibility(shown.terminal),
		progressbar.OptionShowBytes(true),
		progressbar.OptionSetPredictTime(true),
		progressbar.OptionThrottle(barEvery),
		progressbar.OptionSetElapsedTime(true),
		progressbar.OptionClearOnFinish(),
	)
	return &importProgress{progress: shown, began: shown.now(), read: read, total: total, bytes: bar}
}

// show shows what was done so far.
func (p *importProgress) show(sum importer.Summary) {
	rate := float64(sum.Records) / max(p.now().Sub(p.began).Seconds(), 1e-9)
	text := fmt.Sprintf("import: %d records, %.0f/s", sum.Records, rate)
	read, total := p.read.Load(), p.total.Load()
	if p.terminal {
		p.bytes.Describe(text)
		p.bytes.ChangeMax64(total)
		p.bytes.Set64(min(read, max(total, 0)))
		return
	}
	if !p.due() {
		return
	}
	if total > 0 {
		text += fmt.Sprintf(", %d %% of the files read", 100*min(read, total)/total)
	}
	fmt.Fprintln(p.w, text)
}

// clear takes the bar away, until it is shown again.
func (p *importProgress) clear() { p.bytes.Clear() }
