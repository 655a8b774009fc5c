package config

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/urfave/cli/v3"

	"agora/internal/forum"
)

func userCommand(a Actions, flags []cli.Flag) *cli.Command {
	generate := &cli.BoolFlag{Name: "generate", Usage: "make up a password and print it, instead of reading one"}
	reads := "The password is the first line of standard input; on a terminal it is asked for."
	return &cli.Command{Name: "user", Usage: "accounts", Commands: []*cli.Command{
		{
			Name: "create", Usage: "make an account", ArgsUsage: "LOGIN", Description: reads,
			Flags: append([]cli.Flag{
				&cli.StringFlag{Name: "email", Usage: "e-mail to sign in with, besides the login"},
				&cli.StringFlag{Name: "name", Usage: "name to show; the login if left out"},
				&cli.StringFlag{Name: "role", Usage: "USER, MODERATOR or ADMIN", Value: string(forum.RoleUser)},
				generate,
			}, flags...),
			Action: func(ctx context.Context, cmd *cli.Command) error {
				role := forum.Role(cmd.String("role"))
				if cmd.NArg() != 1 || !role.IsValid() {
					return errors.New("give a login and a known role: user create --role USER|MODERATOR|ADMIN LOGIN")
				}
				c, err := readStore(cmd, "user create")
				if err != nil {
					return err
				}
				return a.CreateUser(ctx, c, NewUser{Login: cmd.Args().First(), Name: cmd.String("name"), Email: cmd.String("email"), Role: role, Generate: cmd.Bool("generate")})
			},
		},
		{
			Name: "set-password", Usage: "set a user's password and end the user's sessions", ArgsUsage: "LOGIN", Description: reads,
			Flags: append([]cli.Flag{generate}, flags...),
			Action: func(ctx context.Context, cmd *cli.Command) error {
				if cmd.NArg() != 1 {
					return errors.New("give a login: user set-password LOGIN")
				}
				c, err := readStore(cmd, "user set-password")
				if err != nil {
					return err
				}
				return a.SetPassword(ctx, c, cmd.Args().First(), cmd.Bool("generate"))
			},
		},
		{
			Name: "set-role", Usage: "give a user a role: USER, MODERATOR or ADMIN", ArgsUsage: "LOGIN ROLE", Flags: flags,
			Action: func(ctx context.Context, cmd *cli.Command) error {
				role := forum.Role(cmd.Args().Get(1))
				if cmd.NArg() != 2 || !role.IsValid() {
					return errors.New("give a login and a role: user set-role LOGIN USER|MODERATOR|ADMIN")
				}
				c, err := readStore(cmd, "user set-role")
				if err != nil {
					return err
				}
				return a.SetRole(ctx, c, cmd.Args().Get(0), role)
			},
		},
	}}
}

// importFormats are the formats that can be imported.
var importFormats = []string{"v2ex", "discourse", "hackernews", "stackexchange", "snap"}

func importCommand(a Actions, flags []cli.Flag) *cli.Command {
	return &cli.Command{
		Name: "import", Usage: "import topics, comments, members and whom they follow", ArgsUsage: "FILE…|DIR",
		Description: "Files hold JSON, one object a line or one array, plain or gzip; - is standard input. Those of a Stack Exchange site are XML, and a directory stands for them; those of SNAP are lines of two numbers, who follows whom. What was imported before is left alone, so that a run may be repeated.",
		Flags: append([]cli.Flag{
			&cli.StringFlag{Name: "format", Usage: strings.Join(importFormats, ", ")},
			&cli.StringFlag{Name: "source", Usage: "`NAME` that tells sites of one format apart; the format's if left out, and the directory's of a Stack Exchange site"},
			&cli.StringFlag{Name: "category", Usage: "category for topics that have none; of a Stack Exchange site the source if left out", Value: "Imported"},
			&cli.BoolFlag{Name: "strict", Usage: "stop at the first bad record"},
		}, flags...),
		Action: func(ctx context.Context, cmd *cli.Command) error {
			if cmd.NArg() == 0 {
				return errors.New("give the files to import, or - for standard input")
			}
			c, err := readStore(cmd, "import")
			if err != nil {
				return err
			}
			i := Import{Format: cmd.String("format"), Source: cmd.String("source"), Category: cmd.String("category"),
				Strict: cmd.Bool("strict"), Files: cmd.Args().Slice()}
			if i.Format == "stackexchange" && !cmd.IsSet("category") {
				i.Category = "" // named after the site
			}
			for _, f := range importFormats {
				if i.Format == f {
					return a.Import(ctx, c, i)
				}
			}
			return fmt.Errorf("--format must be one of %s", strings.Join(importFormats, ", "))
		},
	}
}
