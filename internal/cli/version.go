package cli

import (
	"fmt"
	"io"
	"io/fs"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"agora/internal/store"
	"agora/internal/store/archive"
	"agora/internal/version"
)

func versionCommand(a actions) *cobra.Command {
	return &cobra.Command{
		Use: "version", Short: "print the version of the program and of the data that it opens", GroupID: otherGroup,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.version(cmd.OutOrStdout()) },
	}
}

// printVersion prints what a report of a fault should say of the program.
func (p program) printVersion(w io.Writer) error {
	v, err := p.version()
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "agora %s\n  commit  %s\n  go      %s %s/%s\n  data    layout %d, export format %d\n",
		v, commit(), runtime.Version(), runtime.GOOS, runtime.GOARCH,
		store.LayoutVersion, archive.Version)
	return err
}

// version returns the version of the program; "unknown" without documentation, as in tests.
func (p program) version() (string, error) {
	if p.docs == nil {
		return "unknown", nil
	}
	changelog, err := fs.ReadFile(p.docs, "CHANGELOG.md")
	return version.Read(string(changelog)).Current(), err
}

// commit describes the source that the program was built from.
func commit() string {
	set := map[string]string{}
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			set[s.Key] = s.Value
		}
	}
	switch {
	case set["vcs.revision"] == "":
		return "unknown"
	case set["vcs.modified"] == "true":
		return set["vcs.revision"] + ", changed"
	}
	return set["vcs.revision"]
}
