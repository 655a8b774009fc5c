package graph

import (
	"cmp"
	"context"
	"errors"
	"strings"

	"agora/graph/model"
	"agora/internal/app"
	"agora/internal/auth"
	"agora/internal/forum"
	"agora/internal/globalid"
	"agora/internal/opt"
	"agora/internal/signin"
	"agora/internal/store/accounts"
	"agora/internal/store/engine"
	"agora/internal/store/sessions"
	"agora/internal/text"
)

// Register resolves Mutation.register.
func (r mutation) Register(ctx context.Context, in model.RegisterInput) (*model.RegisterPayload, error) {
	cookie, err := cookieWanted(ctx, in.Cookie)
	if err != nil {
		return nil, err
	}
	id, err := r.register(ctx, in)
	if err != nil {
		return nil, err
	}
	p, err := r.signIn(ctx, sessions.NewSession{User: id, ProvedAt: r.Store.Engine.Now()}, cookie)
	return (*model.RegisterPayload)(p), err
}

// register checks all fields of the input and creates the account.
func (r mutation) register(ctx context.Context, in model.RegisterInput) (forum.UserID, error) {
	if err := r.passwords(); err != nil {
		return 0, err
	}
	if err := r.Store.Engine.Spend(ctx, r.fromAddress(ctx)...); err != nil {
		return 0, err
	}
	rules := r.Store.Rules.Current(ctx) // as they are now, whatever changes meanwhile
	invitation, err := r.mayRegister(ctx, rules, in)
	if err != nil {
		return 0, err
	}
	login, loginFold, loginErr := signin.Login(ctx, r.Store, 0, forum.Path("login"), in.Login)
	email, emailFold, emailErr := text.Email(forum.Path("email"), in.Email)
	name, nameErr := login, error(nil)
	if in.Name != nil {
		name, nameErr = signin.Name(ctx, r.Store, 0, forum.Path("name"), *in.Name)
	}
	passwordErr := auth.CheckPassword(forum.Path("password"), in.Password, loginFold, emailFold, r.SiteName)
	application, textErr := text.Body(forum.Path("application"), opt.Value(in.Application), 0, forum.MaxApplication)
	if err := errors.Join(loginErr, nameErr, emailErr, passwordErr, textErr,
		app.CheckKey(in.IdempotencyKey)); err != nil {
		return 0, err
	}
	shown := &app.Text{} // whoever registers is no moderator yet
	shown.Add(forum.PostedLogin, login)
	if in.Name != nil {
		shown.Add(forum.PostedName, name)
	}
	if err := r.app().NotBlocked(ctx, shown); err != nil {
		return 0, err
	}
	hash, err := r.Hasher.Hash(ctx, in.Password)
	if err != nil {
		return 0, err
	}
	return r.Store.Accounts.Register(ctx, accounts.NewUser{
		Applies:         rules.Registration == forum.RegistrationApproval && invitation == nil,
		ApplicationText: application,
		Login:           login, LoginFold: loginFold, Name: name, Email: email, EmailFold: emailFold,
		PasswordHash: hash, Key: opt.Value(in.IdempotencyKey), Invitation: invitation,
		SamePassword: func(hash string) (bool, error) { return r.samePassword(ctx, loginFold, hash, in.Password) },
	})
}

// samePassword checks the password of a repeated registration. It counts as a sign-in with the login, so that
// repeating is no faster way to guess passwords.
func (r mutation) samePassword(ctx context.Context, loginFold, hash, password string) (bool, error) {
	a, err := r.Store.Sessions.BeginAttempt(ctx, loginFold, auth.CallerFrom(ctx).Address, r.SignInLimit)
	if err != nil {
		r.secureFailure(ctx, err, eventSignInFailed, eventSignInLimited, r.named(loginFold))
		return false, err
	}
	ok, err := r.verify(ctx, a, hash, password)
	if err == nil && !ok {
		r.secure(ctx, eventSignInFailed, r.named(loginFold))
	}
	if ok {
		err = r.Store.Sessions.EndAttempt(ctx, a, true)
	}
	return ok, err
}

// verify checks a password. It takes the attempt back if the check failed because no processor was available. An
// attempt that the caller cancels has failed.
func (r mutation) verify(ctx context.Context, a sessions.Attempt, hash, password string) (bool, error) {
	ok, err := r.Hasher.Verify(ctx, hash, password)
	if forum.CodeOf(err) == forum.CodeUnavailable {
		err = errors.Join(err, r.Store.Sessions.EndAttempt(ctx, a, false))
	}
	return ok, err
}

// fromAddress returns the limits of calls that take a password, for the caller's address and the networks around it.
func (r mutation) fromAddress(ctx context.Context) []engine.Rate {
	caller, limit := auth.CallerFrom(ctx), r.SignInLimit
	rates := []engine.Rate{{What: "sign-in-address", Who: caller.Address, Limit: limit, Per: forum.SignInWindow}}
	for i, what := range []string{"sign-in-56", "sign-in-48"} {
		if limit *= forum.NetworkShare; i < len(caller.Networks) {
			rates = append(rates, engine.Rate{What: what, Who: caller.Networks[i], Limit: limit, Per: forum.SignInWindow})
		}
	}
	return rates
}

// Login resolves Mutation.login.
func (r mutation) Login(ctx context.Context, in model.LoginInput) (*model.LoginPayload, error) {
	if err := r.passwords(); err != nil {
		return nil, err
	}
	cookie, err := cookieWanted(ctx, in.Cookie)
	if err != nil {
		return nil, err
	}
	found, attempt, err := r.authenticate(ctx, in.Identifier, in.Password)
	if err != nil {
		return nil, err
	}
	p, err := r.signIn(ctx, sessions.NewSession{
		User: found.User, PasswordHash: found.PasswordHash, Attempt: attempt, ProvedAt: r.Store.Engine.Now(),
	}, cookie)
	if forum.CodeOf(err) == forum.CodeUnauthenticated { // changed or deleted during the check
		err = forum.WrongCredentials(forum.Path("password"))
	}
	return p, err
}

// authenticate checks an identifier and a password. Unknown users and wrong passwords get the same answer after the
// same work. The attempt that it returns must be ended.
func (r mutation) authenticate(ctx context.Context, identifier, password string) (sessions.Credentials, sessions.Attempt,
	error) {
	var none sessions.Credentials
	fold, isEmail := text.FoldEmail(identifier), strings.Contains(identifier, "@")
	if !isEmail {
		fold, _ = text.FoldLogin(identifier)
	}
	name := cmp.Or(fold, identifier)
	found, attempt, err := r.Store.Sessions.BeginSignIn(ctx, sessions.SignIn{
		Fold: fold, IsEmail: isEmail, Name: name, Address: auth.CallerFrom(ctx).Address,
		Failures: r.SignInLimit, Rates: r.fromAddress(ctx),
	})
	if err != nil {
		r.secureFailure(ctx, err, eventSignInFailed, eventSignInLimited, r.named(name))
		return none, attempt, err
	}
	ok, err := r.verify(ctx, attempt, found.PasswordHash, password)
	if err != nil {
		return none, attempt, err
	}
	if !ok {
		r.secure(ctx, eventSignInFailed, r.named(name), ofUser(found.User))
		return none, attempt, forum.WrongCredentials(forum.Path("password"))
	}
	return found, attempt, nil
}

// StartSession resolves Mutation.startSession.
func (r mutation) StartSession(ctx context.Context, in model.StartSessionInput) (*model.StartSessionPayload, error) {
	cookie, err := cookieWanted(ctx, in.Cookie)
	if err != nil {
		return nil, err
	}
	viewer := auth.ViewerFrom(ctx)
	if viewer.External == "" {
		return nil, forum.Invalid(nil, "Only a token of an issuer can be exchanged for a session.")
	}
	p, err := r.signIn(ctx, sessions.NewSession{User: viewer.ID, Origin: viewer.External, Issued: viewer.Issued,
		ProvedAt: viewer.ProvedAt}, cookie)
	return (*model.StartSessionPayload)(p), err
}

// cookieWanted reports whether the token of a new session goes into a cookie. It returns INVALID at cookie if
// there is no page of this site to keep it.
func cookieWanted(ctx context.Context, cookie *bool) (bool, error) {
	if opt.Value(cookie) && auth.CallerFrom(ctx).SetCookie == nil {
		return false, forum.Invalid(forum.Path("cookie"),
			"A cookie can only be set for a page of this site, by a request over HTTP.")
	}
	return opt.Value(cookie), nil
}

// Logout resolves Mutation.logout.
func (r mutation) Logout(ctx context.Context, in model.LogoutInput) (*model.LogoutPayload, error) {
	viewer := auth.ViewerFrom(ctx)
	current := auth.SessionName(viewer.Session)
	name := current
	if in.SessionID != nil {
		o, err := globalid.Parse(forum.Path("sessionId"), *in.SessionID)
		if err != nil {
			return nil, err
		}
		if o.Type != globalid.Session || !viewer.Is(forum.UserID(o.Number)) {
			return nil, forum.NotFound(forum.Path("sessionId"), "session")
		}
		name = o.Session
	}
	if err := r.Store.Sessions.EndSession(ctx, viewer.ID, name); err != nil {
		return nil, err
	}
	if name == current {
		if caller := auth.CallerFrom(ctx); caller.Cookie && caller.SetCookie != nil {
			caller.SetCookie("", 0)
		}
		auth.SignOut(ctx)
	}
	ended := model.SessionID(viewer.ID, name)
	return &model.LogoutPayload{EndedSessionID: &ended}, nil
}

// signIn begins a session, whose user, password and attempt are set. The token goes into the caller's cookie if that is
// wanted. All mutations that sign in have the same payload.
func (r mutation) signIn(ctx context.Context, in sessions.NewSession, cookie bool) (*model.LoginPayload, error) {
	token, err := auth.NewToken(in.User)
	if err != nil {
		return nil, err
	}
	caller := auth.CallerFrom(ctx)
	in.Digest, in.Ends = token.Digest(), r.Store.Engine.Now()+forum.Time(forum.SessionLife.Milliseconds())
	in.UserAgent, in.Address = caller.UserAgent, caller.Address
	if err := r.Store.Sessions.StartSession(ctx, in); err != nil {
		return nil, err
	}
	p, secret := &model.LoginPayload{Viewer: &model.Viewer{UserID: in.User}, ExpiresAt: &in.Ends}, token.String()
	if cookie {
		caller.SetCookie(secret, in.Ends)
	} else {
		p.Token = &secret
	}
	return p, nil
}
