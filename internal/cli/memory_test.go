package cli

import (
	"testing"
	"testing/fstest"

	"pgregory.net/rapid"

	_ "agora/internal/test/testseed"
)

func TestMemoryLimit(t *testing.T) {
	const v2, v1 = "sys/fs/cgroup/", "sys/fs/cgroup/memory/"
	tests := []struct {
		name  string
		files map[string]string
		want  int64 // 0 is no limit
	}{
		{"no Linux", nil, 0},
		{"v2", map[string]string{"proc/self/cgroup": "0::/agora\n", v2 + "agora/memory.max": "1000000\n"}, 900_000},
		{"v2 in a container", map[string]string{"proc/self/cgroup": "0::/\n", v2 + "memory.max": "536870912\n"}, 483_183_810},
		{
			"v2 in a container that sees the path outside",
			map[string]string{"proc/self/cgroup": "0::/../../kubepods/pod1\n", v2 + "memory.max": "1000000\n"},
			900_000,
		},
		{"v2, no limit", map[string]string{"proc/self/cgroup": "0::/agora\n", v2 + "agora/memory.max": "max\n"}, 0},
		{
			"v2, the group around has the limit",
			map[string]string{
				"proc/self/cgroup":      "0::/a/b/c\n",
				v2 + "a/b/c/memory.max": "max\n",
				v2 + "a/memory.max":     "2000000\n",
			},
			1_800_000,
		},
		{
			"v2, the least counts, outside",
			map[string]string{
				"proc/self/cgroup":    "0::/a/b\n",
				v2 + "a/b/memory.max": "3000000\n",
				v2 + "a/memory.max":   "2000000\n",
			},
			1_800_000,
		},
		{
			"v2, the least counts, inside",
			map[string]string{
				"proc/self/cgroup":    "0::/a/b\n",
				v2 + "a/b/memory.max": "1000000\n",
				v2 + "a/memory.max":   "2000000\n",
			},
			900_000,
		},
		{"v2, the controller is off", map[string]string{"proc/self/cgroup": "0::/agora\n"}, 0},
		{
			"v2, a colon in the path",
			map[string]string{"proc/self/cgroup": "0::/a:b\n", v2 + "a:b/memory.max": "1000000\n"},
			900_000,
		},
		{
			"v1",
			map[string]string{
				"proc/self/cgroup":             "5:cpu,cpuacct:/x\n4:memory:/x\n",
				v1 + "x/memory.limit_in_bytes": "1000000\n",
			},
			900_000,
		},
		{
			"v1, one of several controllers",
			map[string]string{"proc/self/cgroup": "4:hugetlb,memory:/x\n", v1 + "memory.limit_in_bytes": "1000000\n"},
			900_000,
		},
		{
			"v1, no limit",
			map[string]string{"proc/self/cgroup": "4:memory:/\n", v1 + "memory.limit_in_bytes": "9223372036854771712\n"},
			0,
		},
		{
			"v1 with v2 beside it",
			map[string]string{
				"proc/self/cgroup":                     "4:memory:/x\n0::/x\n",
				v1 + "x/memory.limit_in_bytes":         "1000000\n",
				"sys/fs/cgroup/unified/x/cgroup.procs": "1\n",
			},
			900_000,
		},
		{
			"another group than ours",
			map[string]string{"proc/self/cgroup": "0::/agora\n", v2 + "other/memory.max": "1000000\n"},
			0,
		},
		{"nothing", map[string]string{"proc/self/cgroup": "0::/\n", v2 + "memory.max": ""}, 0},
		{"garbage in the limit", map[string]string{"proc/self/cgroup": "0::/\n", v2 + "memory.max": "12x\n"}, 0},
		{"zero", map[string]string{"proc/self/cgroup": "0::/\n", v2 + "memory.max": "0\n"}, 0},
		{"below zero", map[string]string{"proc/self/cgroup": "4:memory:/\n", v1 + "memory.limit_in_bytes": "-1\n"}, 0},
		{
			"too large a number",
			map[string]string{"proc/self/cgroup": "0::/\n", v2 + "memory.max": "99999999999999999999\n"},
			0,
		},
		{
			"garbage in the list of groups",
			map[string]string{"proc/self/cgroup": "\n::\nmemory\n0:\n0::../..//\x00\n", v2 + "memory.max": "1000000\n"},
			900_000,
		},
	}
	for _, tt := range tests {
		root := fstest.MapFS{}
		for name, text := range tt.files {
			root[name] = &fstest.MapFile{Data: []byte(text)}
		}
		got, ok := memoryLimit(root)
		if got != tt.want || ok != (tt.want > 0) {
			t.Errorf("%s: memoryLimit = %d, %v; want %d", tt.name, got, ok, tt.want)
		}
	}
}

// Whatever lives, the heap may grow by half of it or more before it is collected: the collector's goal is always above
// what lives. It grows to twice that while it is small.
func TestTheGoalIsAboveWhatLives(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		live := rapid.Uint64Max(1<<40).Draw(t, "live")
		growth := live * uint64(gcPercent(live)) / 100
		if most := max(freeGrowth, live/2+1); growth < live/2 || growth > most || live <= freeGrowth && growth != live {
			t.Errorf("%d bytes live, and the heap may grow by %d; want half of that at least, and at most %d", live, growth, most)
		}
	})
}

// After a burst memory is returned once, when the process has been quiet for ten seconds, and not while it works.
func TestMemoryIsReturnedAfterABurst(t *testing.T) {
	var b burst
	look := func(times int, m memory, want int) {
		t.Helper()
		returned := 0
		for range times {
			if b.isOver(m) {
				returned++
				m.collections++
				b.returned(m)
			}
		}
		if returned != want {
			t.Errorf("%+v, %d times: returned %d times; want %d", m, times, returned, want)
		}
	}
	look(60, memory{resident: keptMemory, collections: 3}, 0)
	look(10, memory{resident: keptMemory + 1, collections: 4}, 0)
	look(60, memory{resident: keptMemory + 1, collections: 4}, 1)
	for n := range uint64(60) {
		look(1, memory{resident: 2 * keptMemory, collections: 6 + n}, 0)
	}
	look(60, memory{resident: 2 * keptMemory, collections: 70}, 1)
}
