package cli

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"agora/internal/forum"
	"agora/internal/text"
)

// initOptions is what `init` does besides laying out the data.
type initOptions struct {
	// ReserveIDs is the highest id that is never given out; 0 reserves none.
	ReserveIDs int64
	// Categories are names of categories to make, unless they exist.
	Categories []string
}

func initCommand(a actions, getenv func(string) string) *cobra.Command {
	var o initOptions
	var data storeFlags
	cmd := &cobra.Command{
		Use:     "init",
		Short:   "lay out the data of a new site",
		GroupID: siteGroup,
		RunE: func(cmd *cobra.Command, _ []string) error {
			c, err := data.readKept("init")
			if err != nil {
				return err
			}
			if cmd.Flags().Changed("reserve-ids") && o.ReserveIDs < 1 {
				return errors.New("--reserve-ids must be at least 1")
			}
			o.Categories = list(o.Categories)
			return a.init(cmd.Context(), c, o)
		},
	}
	f := cmd.Flags()
	f.Int64Var(&o.ReserveIDs, "reserve-ids", 0, "never give out the ids up to `N`; refused once ids exist")
	f.StringArrayVar(&o.Categories, "category", nil,
		"make a category `NAME` for topics, unless there is one; may be repeated")
	data.add(cmd, getenv)
	return cmd
}

func (p program) init(ctx context.Context, c config, i initOptions) error {
	names := make([]string, len(i.Categories))
	for n, name := range i.Categories {
		var err error
		if names[n], err = text.Line([]string{"category"}, name, 1, forum.MaxName); err != nil {
			return plain(err)
		}
	}
	conn, s, err := p.open(ctx, c)
	if err != nil {
		return err
	}
	defer conn.Close()
	defer s.Close()
	fmt.Fprintf(p.stdout, "Laid out in %s; days begin in %s.\n", conn.Where, s.TimeZone())
	if i.ReserveIDs > 0 {
		if err := s.ReserveIDs(ctx, i.ReserveIDs); err != nil {
			return err
		}
		fmt.Fprintf(p.stdout, "Ids up to %d are never given out.\n", i.ReserveIDs)
	}
	for _, name := range names {
		switch _, err := s.CreateCategory(ctx, name, text.Fold(name), ""); {
		case forum.CodeOf(err) == forum.CodeTaken: // init may be repeated
			fmt.Fprintf(p.stdout, "There is a category %s already.\n", name)
		case err != nil:
			return err
		default:
			fmt.Fprintf(p.stdout, "Made the category %s.\n", name)
		}
	}
	return nil
}
