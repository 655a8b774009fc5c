package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"agora/internal/forum"
	"agora/internal/text"
)

// initOptions are the options of `init`.
type initOptions struct {
	// ReserveIDs is the highest id that is never assigned; 0 reserves none.
	ReserveIDs int64
	// Categories are names of categories to create, unless they exist.
	Categories []string
	// Registration is who may register; "" leaves it as it is.
	Registration forum.RegistrationMode
}

func initCommand(a actions, getenv func(string) string) *cobra.Command {
	var o initOptions
	var data storeFlags
	var registration string
	cmd := &cobra.Command{
		Use:     "init",
		Short:   "create a new site",
		GroupID: siteGroup,
		RunE: func(cmd *cobra.Command, _ []string) error {
			c, err := data.readKept("init")
			if err != nil {
				return err
			}
			if cmd.Flags().Changed("reserve-ids") && o.ReserveIDs < 1 {
				return errors.New("--reserve-ids must be at least 1")
			}
			o.Registration = forum.RegistrationMode(strings.ToUpper(registration))
			if registration != "" && !o.Registration.IsValid() {
				return errors.New("--registration must be OPEN, INVITE, APPROVAL or CLOSED")
			}
			o.Categories = values(o.Categories)
			return a.init(cmd.Context(), c, o)
		},
	}
	f := cmd.Flags()
	f.Int64Var(&o.ReserveIDs, "reserve-ids", 0, "never assign ids up to `N`; refused once ids exist")
	f.StringArrayVar(&o.Categories, "category", nil,
		"create a category `NAME` for topics, unless it exists; may be repeated")
	f.StringVar(&registration, "registration", "",
		"who may register: `MODE` is OPEN, as at first, INVITE, APPROVAL or CLOSED")
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
	fmt.Fprintf(p.stdout, "The site is in %s; its time zone is %s.\n", conn.Where, s.Layout().TimeZone)
	if i.ReserveIDs > 0 {
		if err := s.ReserveIDs(ctx, i.ReserveIDs); err != nil {
			return err
		}
		fmt.Fprintf(p.stdout, "Ids up to %d will never be assigned.\n", i.ReserveIDs)
	}
	if i.Registration != "" {
		mode := map[string]int{"registration": i.Registration.RuleValue()}
		if err := s.Moderation.UpdateRules(ctx, nil, mode); err != nil {
			return err
		}
		fmt.Fprintf(p.stdout, "Registration is %s.\n", i.Registration)
	}
	for _, name := range names {
		switch _, err := s.Categories.CreateCategory(ctx, name, text.Fold(name), ""); {
		case forum.CodeOf(err) == forum.CodeTaken: // init is idempotent
			fmt.Fprintf(p.stdout, "The category %s already exists.\n", name)
		case err != nil:
			return err
		default:
			fmt.Fprintf(p.stdout, "Created the category %s.\n", name)
		}
	}
	return nil
}
