package record

import (
	"fmt"
	"strconv"
	"strings"

	"agora/internal/forum"
	"agora/internal/store/internal/key"
)

// TagOrders are the orders of the list of tags by their names in the API.
var TagOrders = map[forum.TagOrder]string{
	forum.TagsByCount: key.OrderCount, forum.TagsByName: key.OrderName, forum.TagsByNewest: key.OrderNewest,
}

// NameMember returns the member of a user or tag in a list of names.
func NameMember[ID ~int64](fold string, id ID) string {
	return fold + "\n" + strconv.FormatInt(int64(id), 10)
}

// ParseNameMember parses what NameMember returns.
func ParseNameMember(member string) (fold string, id int64, err error) {
	i := strings.LastIndexByte(member, '\n')
	if id, err = strconv.ParseInt(member[i+1:], 10, 64); err != nil || i < 1 || id < 1 {
		return "", 0, fmt.Errorf("%q is not an entry of a list of names", member)
	}
	return member[:i], id, nil
}
