package cli

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"agora/internal/store"
	"agora/internal/store/fsck"
)

// checkOptions are the options of `check`.
type checkOptions struct {
	// Repair repairs what can be repaired.
	Repair bool
	// Prune deletes the remains of lost data, or, without Yes, lists what it would delete.
	Prune, Yes bool
}

func checkCommand(a actions, getenv func(string) string) *cobra.Command {
	var o checkOptions
	var data storeFlags
	cmd := &cobra.Command{
		Use:     "check",
		Short:   "verify every invariant of the data without changing them; exit code 1 if one is broken",
		GroupID: siteGroup,
		RunE: func(cmd *cobra.Command, _ []string) error {
			c, err := data.readKept("check")
			if err != nil {
				return err
			}
			if o.Yes && !o.Prune {
				return errors.New("--yes needs --prune")
			}
			return a.check(cmd.Context(), c, o)
		},
	}
	f := cmd.Flags()
	f.BoolVar(&o.Repair, "repair", false, "repair what can be repaired, and check again")
	f.BoolVar(&o.Prune, "prune", false,
		"list data lost for good and what would be deleted with them; with --yes delete it, and repair the rest")
	f.BoolVar(&o.Yes, "yes", false, "delete what --prune lists")
	data.add(cmd, getenv)
	return cmd
}

// commandTimeout is the default of how long Redis may take to answer a command of check or import: no user waits for
// a single answer, and the machine may be busy.
const commandTimeout = 10 * time.Second

// check verifies every invariant of the data. It writes only with --repair, or with --prune --yes. It fails if an
// invariant remains broken.
func (p program) check(ctx context.Context, c config, o checkOptions) error {
	if c.RedisTimeout == 0 {
		c.RedisTimeout = commandTimeout
	}
	open := p.openReadOnly
	if o.Repair || o.Prune && o.Yes {
		open = p.open
	}
	conn, s, err := open(ctx, c)
	if err != nil {
		return err
	}
	defer conn.Close()
	defer s.Close()
	return p.checkStore(ctx, s, c, o)
}

// checkStore verifies the invariants of data that are open.
func (p program) checkStore(ctx context.Context, s *store.Store, c config, o checkOptions) error {
	shown := p.newProgress()
	report, err := fsck.Check(ctx, s, fsck.Options{
		Repair: o.Repair, Prune: o.Prune && o.Yes, OtherKeys: c.AllowOtherKeys,
		Progress: func(done, total int64) {
			shown.show(func() string { return fmt.Sprintf("check: %d of %d keys", done, total) })
		},
	})
	shown.clear()
	if err != nil {
		return err
	}
	return p.printCheck(report, o.Prune)
}

// openReadOnly opens data without writing anything, not even a script.
func (p program) openReadOnly(ctx context.Context, c config) (*store.Connection, *store.Store, error) {
	conn, err := p.connect(ctx, c, true)
	if err != nil {
		return nil, nil, err
	}
	s, err := store.OpenReadOnly(
		ctx,
		conn,
		store.Layout{TimeZone: c.TimeZone},
		append([]store.Option{store.WithLog(p.log)}, p.hooks.Storing...)...)
	if err != nil {
		return nil, nil, errors.Join(err, conn.Close())
	}
	return conn, s, nil
}

func (p program) printCheck(r *fsck.Report, prune bool) error {
	for _, f := range r.Findings {
		fmt.Fprintln(p.stdout, f)
		if prune && f.Loss != "" && !f.Repaired {
			fmt.Fprintln(p.stdout, "    --prune --yes deletes "+f.Loss)
		}
	}
	if more := r.Found + r.Pending - len(r.Findings); more > 0 {
		fmt.Fprintf(p.stdout, "... and %d more\n", more)
	}
	if n := len(r.Refused); n > 0 {
		fmt.Fprintf(p.stdout, "%d names would be refused today; their users keep them:\n", n)
		for _, name := range r.Refused[:min(n, fsck.MaxFindings)] {
			fmt.Fprintln(p.stdout, "  "+name)
		}
		if n > fsck.MaxFindings {
			fmt.Fprintf(p.stdout, "  ... and %d more\n", n-fsck.MaxFindings)
		}
	}
	result := "no invariant is broken"
	if r.Found > 0 {
		noun := "findings"
		if r.Found == 1 {
			noun = "finding"
		}
		result = fmt.Sprintf("%d %s (%d repaired)", r.Found, noun, r.Repaired)
	}
	fmt.Fprintf(p.stdout, "%d topics, %d comments, %d users, %d keys: %s\n", r.Topics, r.Comments, r.Users, r.Keys, result)
	if r.Pending > 0 {
		fmt.Fprintf(
			p.stdout,
			"%d pending: interrupted mutations, which a server running on these data will finish\n",
			r.Pending,
		)
	}
	if r.Unsettled > 0 {
		fmt.Fprintf(p.stdout, "%d objects were written to during the check and could not be verified\n", r.Unsettled)
	}
	if r.Unswept != nil {
		fmt.Fprintf(p.stdout, "some pending work could not be finished: %v\n", r.Unswept)
	}
	if r.Broken() == 0 {
		return nil
	}
	if r.Lost > 0 && !prune {
		fmt.Fprintf(
			p.stdout,
			"%d of the remaining findings cannot be repaired; check --prune lists what would have to be deleted\n",
			r.Lost,
		)
	}
	return errors.New("invariants are broken")
}
