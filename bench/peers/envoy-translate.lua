-- Translates restAction and restQuery for the Lua filter of Envoy: the envelope {"params":{...},"body":...} becomes the
-- request to the upstream, and the reply to an action becomes [{"result":"STATUS"}]. Envoy has no JSON library for Lua.
local byte, find, match, sub = string.byte, string.find, string.match, string.sub

local NAMESPACE = "translation"
local MAX_DEPTH = 64
local ESCAPES = { b = "\b", f = "\f", n = "\n", r = "\r", t = "\t", ["/"] = "/", ["\\"] = "\\", ['"'] = '"' }

local function fail(at)
  error("no JSON at " .. tostring(at), 0)
end

local function skip_space(text, at)
  return find(text, "[^ \t\r\n]", at) or fail(at)
end

-- Returns the position behind the string that begins at this quote, and whether it has escapes.
local function skip_string(text, at)
  local escaped = false
  at = at + 1
  while true do
    at = find(text, '["\\%c]', at) or fail(at)
    local code = byte(text, at)
    if code == 34 then return at + 1, escaped end
    if code ~= 92 or not find(text, '^[bfnrtu/\\"]', at + 1) then fail(at) end
    escaped = true
    at = at + 2
  end
end

local function skip_scalar(text, at)
  local _, last = find(text, "^-?%d+%.?%d*[eE]?[+-]?%d*", at)
  if not last then
    local word = match(text, "^%a+", at)
    if word ~= "true" and word ~= "false" and word ~= "null" then fail(at) end
    last = at + #word - 1
  end
  return last + 1
end

local skip_value

-- Calls on_member(key, from, to) with the place of each value of the object; returns the position behind the object.
local function read_object(text, at, depth, on_member)
  at = skip_space(text, at + 1)
  if byte(text, at) == 125 then return at + 1 end
  while true do
    if byte(text, at) ~= 34 then fail(at) end
    local after = skip_string(text, at)
    local key = sub(text, at + 1, after - 2)
    at = skip_space(text, after)
    if byte(text, at) ~= 58 then fail(at) end
    local from = skip_space(text, at + 1)
    at = skip_value(text, from, depth)
    if on_member then on_member(key, from, at - 1) end
    at = skip_space(text, at)
    local code = byte(text, at)
    if code == 125 then return at + 1 end
    if code ~= 44 then fail(at) end
    at = skip_space(text, at + 1)
  end
end

local function skip_list(text, at, depth)
  at = skip_space(text, at + 1)
  if byte(text, at) == 93 then return at + 1 end
  while true do
    at = skip_space(text, skip_value(text, at, depth))
    local code = byte(text, at)
    if code == 93 then return at + 1 end
    if code ~= 44 then fail(at) end
    at = skip_space(text, at + 1)
  end
end

function skip_value(text, at, depth)
  if depth > MAX_DEPTH then fail(at) end
  local code = byte(text, at)
  if code == 34 then return (skip_string(text, at)) end
  if code == 123 then return read_object(text, at, depth + 1) end
  if code == 91 then return skip_list(text, at, depth + 1) end
  return skip_scalar(text, at)
end

-- Returns the string at this place. Headers and paths are ASCII, so that \u escapes are refused.
local function string_at(text, from, to)
  if byte(text, from) ~= 34 then fail(from) end
  local value = sub(text, from + 1, to - 1)
  if not find(value, "\\", 1, true) then return value end
  return (value:gsub("\\(.)", function(letter) return ESCAPES[letter] or fail(from) end))
end

local function read_envelope(text)
  local params, body = {}, nil
  local start = skip_space(text, 1)
  if byte(text, start) ~= 123 then fail(start) end
  local after = read_object(text, start, 1, function(key, from, to)
    if key == "params" then
      if byte(text, from) ~= 123 then fail(from) end
      read_object(text, from, 2, function(name, first, last) params[name] = string_at(text, first, last) end)
    elseif key == "body" then
      body = sub(text, from, to)
    end
  end)
  if find(text, "[^ \t\r\n]", after) then fail(after) end
  if not find(params.path or "", "^/[%w%-._~/?&=%%:,;]*$") then fail(start) end
  return params, body
end

local function refuse(handle, status, message)
  handle:respond({ [":status"] = status, ["content-type"] = "application/json" }, '{"error":"' .. message .. '"}')
end

-- A handle's headers are valid until the script waits, as for a body.
function envoy_on_request(handle)
  local target = handle:headers():get(":path")
  local operation = match(target, "^/orchestrator_manager/rest(%a+)/bench$")
  if operation ~= "Action" and operation ~= "Query" then return refuse(handle, "404", "not found") end
  local content = handle:body()
  if not content then return refuse(handle, "400", "no body") end
  local ok, params, body = pcall(read_envelope, content:getBytes(0, content:length()))
  if not ok then return refuse(handle, "400", "invalid envelope") end
  handle:streamInfo():dynamicMetadata():set(NAMESPACE, "operation", operation)
  local headers = handle:headers()
  headers:replace("x-envoy-original-path", target)
  headers:replace(":path", params.path)
  headers:replace(":method", params.method or (body and "POST" or "GET"))
  headers:replace("accept", params.accept or "application/json")
  if body then headers:replace("content-type", params.contentType or "application/json")
  else headers:remove("content-type") end
  content:setBytes(body or "")
end

-- Requests that were refused before they were translated have no metadata here: their replies stay as they are.
function envoy_on_response(handle)
  local call = handle:streamInfo():dynamicMetadata():get(NAMESPACE)
  if not call or call.operation ~= "Action" then return end
  local content = handle:body(true)
  local headers = handle:headers()
  content:setBytes('[{"result":"' .. headers:get(":status") .. '"}]')
  headers:replace(":status", "200")
  headers:replace("content-type", "application/json")
end
