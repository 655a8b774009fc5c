package cli

import (
	"errors"
	"fmt"
	"io"
	"os"

	"agora/internal/schemalint"
)

// lintSchema checks how a schema reads: the one in a file, or our own.
func (p program) lintSchema(w io.Writer, file string) error {
	sdl := p.schema
	if file != "" {
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		sdl = string(text)
	}
	report, err := schemalint.Lint(sdl)
	if err != nil {
		return err
	}
	for _, f := range report.Findings {
		fmt.Fprintln(w, f)
	}
	if len(report.Findings) > 0 {
		return errors.New("the schema has faults")
	}
	fmt.Fprintf(w, "%d descriptions are there and say more than the names do\n", report.Checked)
	return nil
}
