package graph

import (
	"context"
	"log/slog"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"agora/graph/model"
	"agora/internal/auth"
	"agora/internal/forum"
	"agora/internal/text"
)

// Blocklist resolves Query.blocklist.
func (r query) Blocklist(ctx context.Context, kind forum.BlockKind) ([]string, error) {
	return r.Store.Rules.BlocklistEntries(ctx, kind)
}

// UpdateBlocklist resolves Mutation.updateBlocklist.
func (r mutation) UpdateBlocklist(ctx context.Context,
	in model.UpdateBlocklistInput) (*model.UpdateBlocklistPayload, error) {
	add, err := blockEntries("add", in.Kind, in.Add)
	if err != nil {
		return nil, err
	}
	remove, err := blockEntries("remove", in.Kind, in.Remove)
	if err != nil {
		return nil, err
	}
	if err := r.Store.Rules.UpdateBlocklist(ctx, auth.ViewerFrom(ctx), in.Kind, add, remove); err != nil {
		return nil, err
	}
	r.blocklistChanged(ctx, in.Kind, add, remove)
	entries, err := r.Store.Rules.BlocklistEntries(ctx, in.Kind)
	return &model.UpdateBlocklistPayload{Entries: entries}, err
}

// blocklistChanged writes a line in the security log.
func (r *Resolver) blocklistChanged(ctx context.Context, kind forum.BlockKind, added, removed []string) {
	r.secure(ctx, eventBlocklistChanged, slog.String("kind", string(kind)), slog.Any("added", added),
		slog.Any("removed", removed))
}

// blockEntries returns entries in the form in which they are kept, each once.
func blockEntries(field string, kind forum.BlockKind, given []string) ([]string, error) {
	if len(given) > forum.MaxBlockedAtOnce {
		return nil, forum.TooLong(forum.Path(field), forum.MaxBlockedAtOnce, "entries")
	}
	var entries []string
	for i, entry := range given {
		path := forum.Path(field, strconv.Itoa(i))
		line, err := text.Line(path, entry, 1, forum.MaxBlocked)
		if err != nil {
			return nil, err
		}
		if kind == forum.BlockDomain {
			if line = text.Domain(line); !strings.Contains(line, ".") {
				return nil, forum.Invalid(path, "A domain looks like example.org.")
			}
		} else if line = text.Fold(line); !strings.ContainsFunc(line, func(r rune) bool {
			return unicode.IsLetter(r) || unicode.IsDigit(r)
		}) {
			return nil, forum.Invalid(path, "A word needs a letter or a digit.")
		}
		if !slices.Contains(entries, line) {
			entries = append(entries, line)
		}
	}
	return entries, nil
}
