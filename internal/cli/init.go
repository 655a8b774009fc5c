package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"agora/internal/forum"
	"agora/internal/store"
	"agora/internal/text"
)

// initOptions are the options of `init`.
type initOptions struct {
	// ReserveIDs is the highest id that is never assigned; 0 reserves none.
	ReserveIDs int64
	// Categories are names of categories to create, unless they exist.
	Categories []string
	// Access is who may use the site, and Registration who may register; "" leaves it as it is.
	Access       forum.SiteAccess
	Registration forum.RegistrationMode
}

func initCommand(a actions, getenv func(string) string) *cobra.Command {
	var o initOptions
	var data storeFlags
	var access, registration string
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
			o.Access = forum.SiteAccess(strings.ToUpper(access))
			if access != "" && !o.Access.IsValid() {
				return errors.New("--access must be EVERYBODY or MEMBERS")
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
	f.StringVar(&access, "access", "",
		"who may use the site: `ACCESS` is EVERYBODY, as at first, or MEMBERS, which needs another registration than OPEN")
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
	if err := p.initRules(ctx, s, i); err != nil {
		return err
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

// initRules sets the rules of the site.
func (p program) initRules(ctx context.Context, s *store.Store, i initOptions) error {
	rules := map[string]int{}
	if i.Access != "" {
		rules["access"] = i.Access.RuleValue()
	}
	if i.Registration != "" {
		rules["registration"] = i.Registration.RuleValue()
	}
	if len(rules) == 0 {
		return nil
	}
	err := s.Rules.Update(ctx, nil, rules, false)
	if forum.CodeOf(err) == forum.CodeInvalid {
		return errors.New("--access MEMBERS closes nothing while registration is OPEN: add --registration INVITE, APPROVAL or CLOSED")
	}
	if err != nil {
		return err
	}
	if i.Access != "" {
		fmt.Fprintf(p.stdout, "The site is for %s.\n", i.Access)
	}
	if i.Registration != "" {
		fmt.Fprintf(p.stdout, "Registration is %s.\n", i.Registration)
	}
	return nil
}
