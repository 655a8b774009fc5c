package cli

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"agora/internal/auth"
	"agora/internal/forum"
	"agora/internal/store"
	"agora/internal/store/accounts"
	"agora/internal/text"
)

// newUser is an account that `user create` creates.
type newUser struct {
	Login, Name, Email string
	Role               forum.Role
	// Generate generates a password and prints it.
	Generate bool
}

func userCommand(a actions, getenv func(string) string) *cobra.Command {
	return holds(
		&cobra.Command{Use: "user COMMAND", Short: "accounts", GroupID: siteGroup},
		createUserCommand(a, getenv),
		setPasswordCommand(a, getenv),
		setRoleCommand(a, getenv),
	)
}

// passwordSource says where the commands that set a password read it from.
const passwordSource = "The password is the first line of standard input; on a terminal, you are prompted for it."

func generateFlag(cmd *cobra.Command, generate *bool) {
	cmd.Flags().BoolVar(generate, "generate", false, "generate a password and print it, instead of reading one")
}

func createUserCommand(a actions, getenv func(string) string) *cobra.Command {
	var u newUser
	var role string
	var data storeFlags
	cmd := &cobra.Command{
		Use: "create [flags] LOGIN", Short: "create an account", Long: passwordSource,
		RunE: func(cmd *cobra.Command, args []string) error {
			u.Role = forum.Role(role)
			if len(args) != 1 || !u.Role.IsValid() {
				return errors.New("pass a login and a valid role: user create --role USER|MODERATOR|ADMIN LOGIN")
			}
			u.Login = args[0]
			c, err := data.readKept("user create")
			if err != nil {
				return err
			}
			return a.createUser(cmd.Context(), c, u)
		},
	}
	f := cmd.Flags()
	f.StringVar(&u.Email, "email", "", "e-mail address to sign in with, in addition to the login")
	f.StringVar(&u.Name, "name", "", "display name; the login by default")
	f.StringVar(&role, "role", string(forum.RoleUser), "USER, MODERATOR or ADMIN")
	generateFlag(cmd, &u.Generate)
	data.add(cmd, getenv)
	return cmd
}

func setPasswordCommand(a actions, getenv func(string) string) *cobra.Command {
	var generate bool
	var data storeFlags
	cmd := &cobra.Command{
		Use: "set-password [flags] LOGIN", Short: "set a user's password, end the user's sessions and API tokens",
		Long: passwordSource,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return errors.New("pass a login: user set-password LOGIN")
			}
			c, err := data.readKept("user set-password")
			if err != nil {
				return err
			}
			return a.setPassword(cmd.Context(), c, args[0], generate)
		},
	}
	generateFlag(cmd, &generate)
	data.add(cmd, getenv)
	return cmd
}

func setRoleCommand(a actions, getenv func(string) string) *cobra.Command {
	var data storeFlags
	cmd := &cobra.Command{
		Use: "set-role [flags] LOGIN ROLE", Short: "set a user's role: USER, MODERATOR or ADMIN",
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) != 2 || !forum.Role(args[1]).IsValid() {
				return errors.New("pass a login and a role: user set-role LOGIN USER|MODERATOR|ADMIN")
			}
			c, err := data.readKept("user set-role")
			if err != nil {
				return err
			}
			return a.setRole(cmd.Context(), c, args[0], forum.Role(args[1]))
		},
	}
	data.add(cmd, getenv)
	return cmd
}

// createUser creates an account, such as the first ADMIN.
func (p program) createUser(ctx context.Context, c config, u newUser) error {
	login, loginFold, err := text.Login([]string{"login"}, u.Login)
	if err != nil {
		return plain(err)
	}
	in := accounts.NewUser{Login: login, LoginFold: loginFold, Name: login}
	if u.Email != "" {
		if in.Email, in.EmailFold, err = text.Email([]string{"email"}, u.Email); err != nil {
			return plain(err)
		}
	}
	if u.Name != "" {
		if in.Name, err = text.Line([]string{"name"}, u.Name, 1, forum.MaxName); err != nil {
			return plain(err)
		}
	}
	made := ""
	if in.PasswordHash, made, err = p.newPassword(ctx, u.Generate, loginFold, in.EmailFold); err != nil {
		return err
	}
	return p.withStore(ctx, c, func(s *store.Store) error {
		id, err := s.Accounts.Register(ctx, in)
		if err != nil {
			return plain(err)
		}
		if u.Role != forum.RoleUser {
			if err := s.Accounts.SetRole(ctx, id, u.Role); err != nil {
				return err
			}
			p.secure("role-changed", id, slog.String("role", string(u.Role)))
		}
		fmt.Fprintf(p.stdout, "%s can now sign in, as %s%s.\n", login, u.Role, made)
		return nil
	})
}

// setPassword sets a user's password and ends the user's sessions and API tokens.
func (p program) setPassword(ctx context.Context, c config, login string, generate bool) error {
	return p.withUser(ctx, c, login, func(s *store.Store, id forum.UserID) error {
		secrets, err := s.Accounts.Secrets(ctx, id)
		if err != nil {
			return err
		}
		hash, made, err := p.newPassword(ctx, generate, secrets.LoginFold, secrets.EmailFold)
		if err != nil {
			return err
		}
		if err := s.Accounts.SetPassword(ctx, id, hash); err != nil {
			return err
		}
		p.secure("password-changed", id)
		fmt.Fprintf(p.stdout, "%s has to sign in again%s.\n", login, made)
		return nil
	})
}

func (p program) setRole(ctx context.Context, c config, login string, role forum.Role) error {
	return p.withUser(ctx, c, login, func(s *store.Store, id forum.UserID) error {
		if err := s.Accounts.SetRole(ctx, id, role); err != nil {
			return err
		}
		p.secure("role-changed", id, slog.String("role", string(role)))
		fmt.Fprintf(p.stdout, "%s is %s now.\n", login, role)
		return nil
	})
}

// secure writes a line of the security log.
func (p program) secure(event string, user forum.UserID, attrs ...slog.Attr) {
	line := []slog.Attr{
		slog.String("log", "security"),
		slog.String("event", event),
		slog.String("by", "command line"),
		slog.Int64("user", int64(user)),
	}
	p.log.LogAttrs(context.Background(), slog.LevelInfo, "security", append(line, attrs...)...)
}

// withUser calls a function with the id of the user with a login.
func (p program) withUser(
	ctx context.Context,
	c config,
	login string,
	do func(*store.Store, forum.UserID) error,
) error {
	fold, ok := text.FoldLogin(login)
	if !ok {
		return fmt.Errorf("%q is not a valid login", login)
	}
	return p.withStore(ctx, c, func(s *store.Store) error {
		found, err := s.Sessions.Credentials(ctx, fold, false)
		if err != nil {
			return err
		}
		if found.User == 0 {
			return fmt.Errorf("there is no user %q", login)
		}
		read := s.Read(ctx)
		applications := read.Accounts.Applications([]forum.UserID{found.User})
		if err := read.Exec(); err != nil {
			return err
		}
		if applied, err := applications(); err != nil || applied[0] != nil {
			return cmp.Or(err, fmt.Errorf("moderators have not approved %q", login))
		}
		return do(s, found.User)
	})
}

// newPassword reads or generates a password and hashes it. made is a text with the generated one.
func (p program) newPassword(
	ctx context.Context,
	generate bool,
	loginFold, emailFold string,
) (hash, made string, err error) {
	var password string
	if generate {
		password = auth.RandomPassword()
		made = ", with the password " + password
	} else if password, err = p.readPassword(); err != nil {
		return "", "", err
	}
	if err := auth.CheckPassword([]string{"password"}, password, loginFold, emailFold, ""); err != nil {
		return "", "", plain(err)
	}
	hash, err = auth.NewHasher(1).Hash(ctx, password)
	return hash, made, err
}

// readPassword reads a password: the first line of standard input, or from a terminal, twice, without echo.
func (p program) readPassword() (string, error) {
	terminal, ok := p.stdin.(*os.File)
	if !ok || !term.IsTerminal(int(terminal.Fd())) {
		line, err := bufio.NewReader(p.stdin).ReadString('\n')
		if err != nil && !errors.Is(err, io.EOF) {
			return "", fmt.Errorf("read the password: %w", err)
		}
		if line = strings.TrimRight(line, "\r\n"); line == "" {
			return "", errors.New("pass the password as the first line of standard input, or use --generate")
		}
		return line, nil
	}
	var typed [2]string
	for i, prompt := range []string{"Password: ", "Again: "} {
		fmt.Fprint(p.stderr, prompt)
		line, err := term.ReadPassword(int(terminal.Fd()))
		fmt.Fprintln(p.stderr)
		if err != nil {
			return "", fmt.Errorf("read the password: %w", err)
		}
		typed[i] = string(line)
	}
	if typed[0] != typed[1] {
		return "", errors.New("the two passwords differ")
	}
	return typed[0], nil
}

// plain returns an error in a form that is readable on a command line.
func plain(err error) error {
	var e *forum.Error
	if !errors.As(err, &e) {
		return err
	}
	if len(e.Path) == 0 {
		return errors.New(e.Message)
	}
	return fmt.Errorf("%s: %s", e.Path[len(e.Path)-1], e.Message)
}
