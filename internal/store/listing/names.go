package listing

import (
	"fmt"

	"agora/internal/forum"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/paging"
	"agora/internal/store/internal/record"
	"agora/internal/store/script"
)

// Users is the list of active users by folded login, of those that begin with prefix.
func Users(prefix string) List {
	k := key.UserNames.Order(key.OrderName)
	return List{Name: k + " " + prefix, Key: k, named: true, prefix: prefix}
}

// Applicants is the list of accounts that moderators have not approved, of those in that state, the oldest application
// first.
func Applicants(state forum.ApplicationState) List {
	k, prefix := key.Applicants.Order(key.OrderName), record.ApplicantPrefix(state)
	return List{Name: k + " " + prefix, Key: k, named: true, prefix: prefix}
}

// TagList is the list of the tags that topics have, in an order of key.TagNames, of those whose folded names begin with
// prefix.
func TagList(order forum.TagOrder, prefix string) List {
	k := key.TagNames.Order(record.TagOrders[order])
	l := List{Name: k + " " + prefix, Key: k, named: true, prefix: prefix}
	if order != forum.TagsByName {
		l.names = key.TagNames.Order(key.OrderName)
	}
	return l
}

// prefixPage reads a page of the names with a prefix.
func (r Read) prefixPage(l List, w forum.Window) func() (forum.Page, error) {
	afterScore, afterMember := paging.Bound(w.After)
	beforeScore, beforeMember := paging.Bound(w.Before)
	call := script.NamesPage{
		Names: l.Key, Prefix: l.prefix, Considered: forum.RankedNames, AfterScore: afterScore, AfterMember: afterMember,
		BeforeScore: beforeScore, BeforeMember: beforeMember, Most: int64(w.Count),
		Backward: w.Backward, WithPreceding: w.Preceding,
	}
	if l.names != "" {
		call.Names, call.Order = l.names, l.Key
	}
	cmd := r.read.Batch.Run(r.read.Ctx, call)
	return func() (forum.Page, error) {
		if r.read.Err != nil {
			return forum.Page{}, r.read.Err
		}
		page, err := call.Result(cmd.Result())
		if err != nil {
			return forum.Page{}, fmt.Errorf("page of %s: %w", l.Key, err)
		}
		return l.page(page.Rows, page.First, page.Preceding, page.Total, w)
	}
}

// page returns the page that a script has read.
func (l List) page(found []script.Scored, first, preceding, total int64, w forum.Window) (forum.Page, error) {
	var rows []forum.Row
	for _, of := range found {
		row, err := l.row(of.Member, of.Score)
		if err != nil {
			return forum.Page{}, err
		}
		rows = append(rows, row)
	}
	return paging.Cut(rows, int(first-preceding), int(first), int(total), w.Preceding), nil
}
