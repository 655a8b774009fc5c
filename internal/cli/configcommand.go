package cli

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"agora/internal/issuer"
)

// configCommand is a group of commands about configuration files.
func configCommand(getenv func(string) string) *cobra.Command {
	return holds(&cobra.Command{Use: "config", Short: "check a configuration file", GroupID: siteGroup},
		configCheckCommand(getenv))
}

func configCheckCommand(getenv func(string) string) *cobra.Command {
	return &cobra.Command{
		Use:   "check FILE",
		Short: "check a configuration file of serve, and print what is wrong with its lines, or what it sets",
		Long: "The file is YAML: the flags of serve by their names, and issuers, a list of issuers of tokens. Issuers are " +
			"not asked for their keys. Instead of a value there may be {env: NAME} or {file: PATH}.",
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			var flags serveFlags
			of := &cobra.Command{Use: "serve"}
			flags.add(of, getenv)
			flags.configPath = args[0]
			c, err := flags.configured(of, getenv)
			if err != nil {
				return err
			}
			fmt.Fprintf(cmd.OutOrStdout(), "%s: ok, %d issuers of tokens\n", args[0], len(c.Issuers))
			return printConfig(cmd.OutOrStdout(), of.Flags(), c)
		},
	}
}

// configured reads the configuration file, then the flags.
func (s *serveFlags) configured(cmd *cobra.Command, getenv func(string) string) (config, error) {
	file, err := s.load(cmd, getenv)
	if err != nil {
		return config{}, err
	}
	c, err := s.read()
	return c, file.named(err)
}

// masked stands for a secret.
const masked = "xxxxx"

// printConfig prints a configuration as a file that serve reads, with secrets masked.
func printConfig(w io.Writer, flags *pflag.FlagSet, c config) error {
	var all yaml.MapSlice
	flags.VisitAll(func(f *pflag.Flag) {
		shown := f.Value.String()
		if strings.Contains(shown, "://") {
			shown = withoutPassword(shown)
		}
		switch list, repeated := f.Value.(pflag.SliceValue); {
		case repeated && len(list.GetSlice()) > 0:
			all = append(all, yaml.MapItem{Key: f.Name, Value: values(list.GetSlice())})
		case f.Value.Type() == "bool" && !slices.Contains(notInFile, f.Name):
			all = append(all, yaml.MapItem{Key: f.Name, Value: shown == "true"})
		case !repeated && shown != "" && !slices.Contains(notInFile, f.Name):
			all = append(all, yaml.MapItem{Key: f.Name, Value: shown})
		}
	})
	var issuers []yaml.MapSlice
	for _, i := range c.Issuers {
		issuers = append(issuers, printedIssuer(i))
	}
	if len(issuers) > 0 {
		all = append(all, yaml.MapItem{Key: "issuers", Value: issuers})
	}
	return yaml.NewEncoder(w, yaml.IndentSequence(true)).Encode(all)
}

func printedIssuer(i issuer.Config) yaml.MapSlice {
	of := yaml.MapSlice{{Key: "issuer", Value: i.Issuer}, {Key: "audience", Value: i.Audience}}
	if i.JWKS != "" {
		of = append(of, yaml.MapItem{Key: "jwks", Value: i.JWKS})
	}
	if len(i.Secret) > 0 {
		of = append(of, yaml.MapItem{Key: "secret", Value: masked})
	}
	claims := yaml.MapSlice{}
	for _, c := range [][2]string{{"login", i.Claims.Login}, {"name", i.Claims.Name}, {"avatar", i.Claims.Avatar},
		{"role", i.Claims.Role}} {
		item := yaml.MapItem{Key: c[0], Value: c[1]}
		if c[1] == "" { // not the default
			item.Value = nil
		}
		claims = append(claims, item)
	}
	of = append(of, yaml.MapItem{Key: "claims", Value: claims})
	if len(i.Roles) > 0 {
		of = append(of, yaml.MapItem{Key: "roles", Value: i.Roles})
	}
	if i.BackchannelLogout {
		of = append(of, yaml.MapItem{Key: "backchannel-logout", Value: "on"})
	}
	if i.RoleLife != 0 {
		of = append(of, yaml.MapItem{Key: "role-life", Value: i.RoleLife.String()})
	}
	return of
}
