package pipeline

import (
	"strconv"

	"github.com/redis/go-redis/v9"
)

// ZMScore returns the command that reads the scores of members. go-redis's own returns 0 for missing
// members.
func ZMScore(key string, members []string) []any {
	args := []any{"zmscore", key}
	for _, m := range members {
		args = append(args, m)
	}
	return args
}

// ScoreAt returns the score of member number i of a ZMScore, and whether it has one.
func ScoreAt(cmd *redis.Cmd, i int) (float64, bool) {
	values, err := cmd.Slice()
	if err != nil || i >= len(values) {
		return 0, false
	}
	switch v := values[i].(type) {
	case float64: // RESP 3
		return v, true
	case string:
		score, err := strconv.ParseFloat(v, 64)
		return score, err == nil
	}
	return 0, false
}
