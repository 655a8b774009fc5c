package signin

import (
	"context"
	"slices"

	"agora/internal/forum"
	"agora/internal/store"
	"agora/internal/text"
)

// Login checks a login for a user, 0 for a new one, and returns it as shown and folded. One of which a part passes for
// the login of another user who is staff is refused, as is all that text.Login refuses: the errors are INVALID, TOO_SHORT
// and TOO_LONG at path. That nobody else has one that looks the same is found when it is claimed.
func Login(ctx context.Context, s *store.Store, id forum.UserID, path []string, login string) (shown, fold string,
	err error) {
	shown, fold, err = text.Login(path, login)
	if err != nil {
		return "", "", err
	}
	whole := text.Looks(shown)
	parts := slices.DeleteFunc(text.PartLooks(shown), func(look string) bool { return slices.Contains(whole, look) })
	if staff, err := s.Accounts.LooksLikeStaff(ctx, id, parts); err != nil || staff {
		return "", "", orStaff(path, "login", err)
	}
	return shown, fold, nil
}

// Name checks a display name for a user, 0 for a new one. One that passes for that of another user who is staff is
// refused: the errors are INVALID, TOO_SHORT and TOO_LONG at path.
func Name(ctx context.Context, s *store.Store, id forum.UserID, path []string, name string) (string, error) {
	name, err := text.Line(path, name, forum.PostedName.Least, forum.PostedName.Most)
	if err != nil {
		return "", err
	}
	staff := text.LooksReserved(name)
	if !staff {
		staff, err = s.Accounts.LooksLikeStaff(ctx, id, text.PartLooks(name))
	}
	if err != nil || staff {
		return "", orStaff(path, "name", err)
	}
	return name, nil
}

// orStaff returns err, or that a name passes for a staff member's.
func orStaff(path []string, what string, err error) error {
	if err != nil {
		return err
	}
	return forum.Invalid(path, "This %s looks like a staff member's. Choose another one.", what)
}
