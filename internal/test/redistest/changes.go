package redistest

import (
	"agora/internal/store/catalogue"
	"context"
	"slices"
	"sync"

	"github.com/redis/go-redis/v9"
)

// changeHook has each script fail, once it has run, if it changed what others follow and did not say so, or said more
// than it did.
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

// watchedHashes replaces the hashes of scripts by those of their watched forms, as watched does. Those that this
// process has not loaded count as missing, even if another one has loaded them: their texts are not known here.
func watchedHashes(args []any) (undo func()) {
	was := slices.Clone(args)
	for i, hash := range args {
		args[i] = "not loaded"
		if form, known := watchedForms.Load(hash); known {
			args[i] = form
		}
	}
	return func() { copy(args, was) }
}

func watchedForm(text string) string { return quiet + watchBefore + text + watchAfter }

// quiet are the words of changes that readers are not shown.
var quiet = func() string {
	words := "local quiet = {"
	for _, c := range catalogue.Changes {
		if c.Quiet {
			words += c.Word + " = 1, "
		}
	}
	return words + "}\n"
}()

// SentHash returns the hash by which clients of this package call a script, for hooks that were added to them.
func SentHash(text string) string { return redis.NewScript(watchedForm(text)).Hash() }

// watchBefore and watchAfter surround a script. Before the first write to an object they remember its fields. A user
// who is not active is shown to nobody; of a tag, only the name is shown. Where a topic is pinned is in no field that is
// shown, nor is whether a member has come, or what categories a tab has. A script that adds a session or token may drop
// those that are over.
const (
	watchBefore = `local real, before, wanted, said, again = redis, {}, {}, {}
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
local function want(key, word)
  wanted[key .. " " .. word] = true
end
local writes = {HSET = 1, HDEL = 1, HINCRBY = 1, HSETNX = 1, HMSET = 1, DEL = 1, UNLINK = 1}
local function watch(name, key, ...)
  local object, rest = string.match(key, "^({p%x%x}:[tu]:%d+):(.*)$")
  if writes[name] then
    for _, k in ipairs({key, ...}) do
      if is_object(k) and not before[k] then
        before[k] = shown(k)
      end
    end
    local slot, about = string.match(key, "^({p%x%x}:)(%a:%d+):case$")
    local field = ...
    if about and field == "rev" then
      want(slot .. "r:" .. string.gsub(about, ":", ""), "CASE")
    elseif rest == "internal" and field == "noteSeq" then
      want(object, "NOTES")
    elseif rest == "internal" and field == "noteReads" then
      want(object, "READ")
    elseif rest == "internal" and (field == "linking" or field == "unlisted") and name == "HSET" then
      want(object, "mark")
    elseif name == "HSET" and field == "reversedBy" then
      want(key, "REVERSED")
    elseif name == "HSET" and field == "rev" and string.find(key, "^{%w+}:m:%d+$") then
      want(key, "CREATED")
    elseif rest == "sessions" or rest == "tokens" then
      if name == "HSET" then
        wanted[object .. " ACCESS"] = nil
      elseif real.call("EXISTS", key) == 1 then
        want(object, "ACCESS")
      end
    end
  elseif (name == "ZADD" or name == "ZREM") and rest == "comments" and string.find(object, ":t:") then
    want(object, "REPLIES")
  elseif name == "ZADD" and rest == "changes" then
    want(object, "COMMENT")
  elseif name == "SADD" and rest == "rel" and real.call("SISMEMBER", key, ...) == 0 then
    want(object, "mark")
  elseif name == "PUBLISH" and string.find(key, "}:changes$") then
    for object, word in string.gmatch(..., "(%S+) (%u+)") do
      local one = string.match(key, "^{[^}]*}:") .. object .. " " .. word
      again = said[one] and one or again
      said[one] = true
    end
  end
end
local redis = setmetatable({call = function(name, key, ...)
  watch(name, key, ...)
  return real.call(name, key, ...)
end}, {__index = redis})
local reply = (function()
`
	watchAfter = `
end)()
if type(reply) == "table" and reply.err then
  return reply
end
if again then
  return real.error_reply("UNNAMED " .. again .. ", which was said twice")
end
local elsewhere = {PINS = 1, ARRIVED = 1, SECTION = 1}
local of = {}
for one in pairs(said) do
  local key, word = string.match(one, "^(%S+) (%u+)$")
  if not quiet[word] and is_object(key) then
    of[key] = word
    local was = before[key]
    if not elsewhere[word] and was ~= "" and (not was or was == shown(key)) then
      return real.error_reply("UNNAMED " .. one .. ", which did not change")
    end
  end
end
for key, was in pairs(before) do
  if was ~= shown(key) and not of[key] then
    return real.error_reply("UNNAMED " .. key)
  end
end
for one in pairs(wanted) do
  local slot, name, word = string.match(one, "^({[^}]*}:)(%S+) (%a+)$")
  if word == "mark" and not real.call("ZSCORE", slot .. "dirty", name) or word ~= "mark" and not said[one] then
    return real.error_reply("UNNAMED " .. one)
  end
end
return reply`
)
