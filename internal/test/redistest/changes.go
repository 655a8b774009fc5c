package redistest

import (
	"context"
	"slices"
	"sync"

	"github.com/redis/go-redis/v9"
)

// changeHook has each script fail, once it has run, if it changed an object that processes keep in memory, or a list of
// a topic's comments, and did not say so on the channel "changed".
func changeHook(ctx context.Context, cmds []redis.Cmder, next redis.ProcessPipelineHook) error {
	for _, cmd := range cmds {
		defer watched(cmd)()
	}
	return next(ctx, cmds)
}

// watchedForms has the hashes of the watched forms of the loaded scripts, by their own hashes.
var watchedForms sync.Map

// watched replaces the script of a command by its watched form, and returns the function that undoes that.
func watched(cmd redis.Cmder) (undo func()) {
	args, at := cmd.Args(), 1
	switch cmd.Name() {
	case "script":
		if args[1] == "exists" {
			return watchedHashes(args[2:])
		}
		if at = len(args) - 1; args[1] != "load" {
			return func() {}
		}
	case "eval", "evalsha":
	default:
		return func() {}
	}
	was, ok := args[at].(string)
	if !ok {
		return func() {}
	}
	if form, loaded := watchedForms.Load(was); cmd.Name() == "evalsha" && loaded {
		args[at] = form
	} else if cmd.Name() != "evalsha" {
		form := watchedForm(was)
		watchedForms.Store(redis.NewScript(was).Hash(), redis.NewScript(form).Hash())
		args[at] = form
	}
	return func() { args[at] = was }
}

// watchedHashes replaces the hashes of scripts by those of their watched forms, as watched does.
func watchedHashes(args []any) (undo func()) {
	was := slices.Clone(args)
	for i, hash := range args {
		if form, known := watchedForms.Load(hash); known {
			args[i] = form
		}
	}
	return func() { copy(args, was) }
}

func watchedForm(text string) string { return watchBefore + text + watchAfter }

// SentHash returns the hash by which clients of this package call a script, for hooks that were added to them.
func SentHash(text string) string { return redis.NewScript(watchedForm(text)).Hash() }

// watchBefore and watchAfter surround a script. Before the first write to an object they remember its fields. A user
// who is not active is shown to nobody; of a tag, only the name is shown.
const (
	watchBefore = `local real, before, listed, named = redis, {}, {}, {}
local function shown(key)
  local all, fields = real.call("HGETALL", key), {}
  for i = 1, #all, 2 do
    if not string.find(key, ":tag$") or all[i] == "name" then
      fields[#fields + 1] = all[i] .. "=" .. all[i + 1]
    end
  end
  table.sort(fields)
  local text = table.concat(fields, "\n")
  return (not string.find(key, "}:u:") or string.find(text, "state=ACTIVE")) and text or ""
end
local function is_object(key)
  return string.find(key, "^{p%x%x}:[tcu]:%d+$") or string.find(key, "^{cat}:[ct]:%d+$") or
    string.find(key, "^{ix:g%d+}:tag$")
end
local writes = {HSET = 1, HDEL = 1, HINCRBY = 1, HSETNX = 1, HMSET = 1, DEL = 1, UNLINK = 1}
local redis = setmetatable({call = function(name, key, ...)
  if writes[name] then
    for _, k in ipairs({key, ...}) do
      if is_object(k) and not before[k] then
        before[k] = shown(k)
      end
    end
  elseif name == "ZADD" or name == "ZREM" then
    local topic = string.match(key, "^({p%x%x}:t:%d+):comments$") or string.match(key, "^({p%x%x}:t:%d+):replies$")
    if topic then
      listed[topic] = true
    end
  elseif name == "PUBLISH" and key == "changed" then
    for k in string.gmatch(..., "%S+") do
      named[k] = true
    end
  end
  return real.call(name, key, ...)
end}, {__index = redis})
local reply = (function()
`
	watchAfter = `
end)()
for key, was in pairs(before) do
  if was ~= "" and was ~= shown(key) and not named[key] then
    return real.error_reply("UNNAMED " .. key)
  end
end
for topic in pairs(listed) do
  if not named[topic] then
    return real.error_reply("UNNAMED " .. topic .. ", whose comments changed")
  end
end
return reply`
)
