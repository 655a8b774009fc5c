package cli

import (
	"context"
	"errors"
	"fmt"

	"github.com/urfave/cli/v3"

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

func initCommand(a actions, flags []cli.Flag) *cli.Command {
	return &cli.Command{
		Name: "init", Usage: "lay out the data of a new site",
		Flags: append([]cli.Flag{
			&cli.Int64Flag{Name: "reserve-ids", Usage: "never give out the ids up to `N`; refused once ids exist"},
			&cli.StringSliceFlag{
				Name:  "category",
				Usage: "make a category `NAME` for topics, unless there is one; may be repeated",
			},
		}, flags...),
		Action: func(ctx context.Context, cmd *cli.Command) error {
			c, err := readStore(cmd, "init")
			if err != nil {
				return err
			}
			if cmd.IsSet("reserve-ids") && cmd.Int64("reserve-ids") < 1 {
				return errors.New("--reserve-ids must be at least 1")
			}
			return a.init(ctx, c, initOptions{ReserveIDs: cmd.Int64("reserve-ids"), Categories: cmd.StringSlice("category")})
		},
	}
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
