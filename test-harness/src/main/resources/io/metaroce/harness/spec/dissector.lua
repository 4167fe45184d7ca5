-- SPDX-License-Identifier: Apache-2.0
--
-- Wireshark dissector of the MetaRoCE Open Profile 1 (MOP/1). Our own profile; not Meta's unpublished format.
--
-- Made by `metaroce spec dissector` from the tables that the implementation is checked against: do not edit, make it anew.
-- Runs under Lua 5.1 to 5.4.
--
--   wireshark -X lua_script:deploy/wireshark/metaroce.lua capture.pcapng
--   or copy it into a directory that "About Wireshark, Folders, Personal Lua Plugins" names
--
-- UDP ports 4795-4858 are MOP; others by "Decode As ...", or by themselves when version, type and CRC32C are right.

local mop = Proto("metaroce", "MetaRoCE Open Profile")
local f = {}

@TABLES@
-- What no packet says by itself.
f.crc_status = ProtoField.string("metaroce.crc.status", "CRC32C")
f.ack_delay_ns = ProtoField.uint32("metaroce.ack_delay_ns", "ACK delay in ns", base.DEC)
f.sack_ranges = ProtoField.string("metaroce.sack_ranges", "received beyond")
f.holes = ProtoField.uint32("metaroce.holes", "holes", base.DEC)
f.gap = ProtoField.uint32("metaroce.gap", "path sequences missing before this one", base.DEC)
f.payload = ProtoField.bytes("metaroce.payload", "payload")
f.padding = ProtoField.bytes("metaroce.padding", "padding")
f.retransmission_of = ProtoField.framenum("metaroce.retransmission_of", "retransmission of", base.NONE)
f.duplicate_of = ProtoField.framenum("metaroce.duplicate_of", "copy of", base.NONE, frametype.DUP_ACK)
f.moved_from = ProtoField.framenum("metaroce.moved_from", "content moved from another path, first in", base.NONE)
f.acknowledged_in = ProtoField.framenum("metaroce.acknowledged_in", "echoed in", base.NONE, frametype.ACK)
f.echo_of = ProtoField.framenum("metaroce.echo_of", "echoes", base.NONE, frametype.ACK)
f.echo_time = ProtoField.double("metaroce.echo_time", "seconds since that packet")
f.request_in = ProtoField.framenum("metaroce.request_in", "answers", base.NONE, frametype.REQUEST)
f.response_in = ProtoField.framenum("metaroce.response_in", "answered in", base.NONE, frametype.RESPONSE)

local e = {
  crc = ProtoExpert.new("metaroce.expert.crc", "CRC32C is wrong", expert.group.CHECKSUM, expert.severity.ERROR),
  cut = ProtoExpert.new("metaroce.expert.cut", "The capture kept less than the packet", expert.group.UNDECODED,
    expert.severity.NOTE),
  malformed = ProtoExpert.new("metaroce.expert.malformed", "Headers and length contradict each other",
    expert.group.MALFORMED, expert.severity.ERROR),
  unknown = ProtoExpert.new("metaroce.expert.unknown", "Version, type or operation is not defined",
    expert.group.PROTOCOL, expert.severity.WARN),
  retransmission = ProtoExpert.new("metaroce.expert.retransmission", "Retransmission", expert.group.SEQUENCE,
    expert.severity.NOTE),
  duplicate = ProtoExpert.new("metaroce.expert.duplicate", "Copy of a packet seen before", expert.group.SEQUENCE,
    expert.severity.WARN),
  moved = ProtoExpert.new("metaroce.expert.moved", "Content moved from another path", expert.group.SEQUENCE,
    expert.severity.NOTE),
  gap = ProtoExpert.new("metaroce.expert.gap", "Path sequences are missing before this packet", expert.group.SEQUENCE,
    expert.severity.WARN),
  late = ProtoExpert.new("metaroce.expert.late", "Arrived behind later packets of its path", expert.group.SEQUENCE,
    expert.severity.NOTE),
  holes = ProtoExpert.new("metaroce.expert.holes", "The receiver is missing packets", expert.group.SEQUENCE,
    expert.severity.NOTE),
  ce = ProtoExpert.new("metaroce.expert.ce", "Congestion experienced (CE)", expert.group.SEQUENCE,
    expert.severity.NOTE),
  error = ProtoExpert.new("metaroce.expert.error", "A message was refused", expert.group.RESPONSE_CODE,
    expert.severity.WARN),
}

mop.fields = f
mop.experts = e
mop.prefs.check_crc = Pref.bool("Check CRC32C", true, "Compute the checksum of every packet that is whole")

local ipv4_ecn = Field.new("ip.dsfield.ecn")
local ipv6_ecn = Field.new("ipv6.tclass.ecn")

local WORD = 4294967296
local HALF = 2147483648

-- Numbers -------------------------------------------------------------------------------------------------------------

-- Exclusive or of two 32-bit numbers, by whatever this Lua has.
local function find_bxor()
  local library = rawget(_G, "bit32") or rawget(_G, "bit")
  if library and library.bxor then
    local bxor = library.bxor
    return function(a, b) return bxor(a, b) % WORD end
  end
  local chunk = (loadstring or load)("return function(a, b) return a ~ b end")
  if chunk then
    return chunk()
  end
  return function(a, b)
    local result, place = 0, 1
    while a > 0 or b > 0 do
      local x, y = a % 2, b % 2
      if x ~= y then result = result + place end
      a, b, place = (a - x) / 2, (b - y) / 2, place * 2
    end
    return result
  end
end

local bxor = find_bxor()
local floor = math.floor
local CRC_TABLE = {}
for i = 0, 255 do
  local value = i
  for _ = 1, 8 do
    if value % 2 == 1 then
      value = bxor(floor(value / 2), 0x82f63b78)
    else
      value = floor(value / 2)
    end
  end
  CRC_TABLE[i] = value
end

local function crc32c(bytes, length)
  local crc = 0xffffffff
  for i = 1, length do
    crc = bxor(CRC_TABLE[bxor(crc % 256, string.byte(bytes, i))], floor(crc / 256))
  end
  return bxor(crc, 0xffffffff)
end

-- How far a is after b; 0 to 2^32 - 1.
local function distance(a, b)
  return (a - b) % WORD
end

-- What is known of the capture so far ---------------------------------------------------------------------------------

local frames       -- what was found out about each frame
local connections  -- by the id that packets carry, which is the receiver's
local echoes       -- frame of a DATA or PROBE by addresses, path, epoch and timestamp
local peers        -- the id of the other direction
local waiting      -- CREDIT_REQUESTs without an answer, by id and stream

function mop.init()
  frames, connections, echoes, peers, waiting = {}, {}, {}, {}, {}
end

local function connection(id)
  local found = connections[id]
  if not found then
    found = { paths = {}, contents = {}, messages = {} }
    connections[id] = found
  end
  return found
end

local function key(...)
  return table.concat({ ... }, " ")
end

local function remember_echo(pinfo, id, path, epoch, timestamp)
  local entry = { frame = pinfo.number, id = id, time = tonumber(tostring(pinfo.rel_ts)) }
  echoes[key(tostring(pinfo.src), tostring(pinfo.dst), path, epoch, timestamp)] = entry
  echoes[key(id, path, epoch, timestamp)] = entry
end

local function analyse_data(pinfo, info, h)
  local state = connection(h.id)
  local path_key = key(h.path, h.epoch)
  local path = state.paths[path_key]
  if not path then
    path = { seen = {}, counts = {} }
    state.paths[path_key] = path
  end
  local first = path.seen[h.sequence]
  if first then
    if path.counts[h.sequence] == h.count and h.count < 255 then
      info.duplicate_of = first
    else
      info.retransmission_of = first
    end
  else
    path.seen[h.sequence] = pinfo.number
    local content = state.contents[h.csn]
    if content then info.moved_from = content end
    if path.next then
      local ahead = distance(h.sequence, path.next)
      if ahead >= HALF then
        info.late = true
      else
        if ahead > 0 then info.gap = ahead end
        path.next = (h.sequence + 1) % WORD
      end
    else
      path.next = (h.sequence + 1) % WORD
    end
  end
  path.counts[h.sequence] = h.count
  state.contents[h.csn] = state.contents[h.csn] or pinfo.number
  local message = key(h.stream, h.msn)
  if RESPONSES[h.opcode] then
    local peer = peers[h.id]
    local request = peer and connection(peer).messages[message]
    if request then
      info.request_in = request
      frames[request].response_in = frames[request].response_in or pinfo.number
    end
  elseif not state.messages[message] then
    state.messages[message] = pinfo.number
  end
  remember_echo(pinfo, h.id, h.path, h.epoch, h.timestamp)
end

local function analyse_ack(pinfo, info, h)
  local entry = echoes[key(tostring(pinfo.dst), tostring(pinfo.src), h.path, h.epoch, h.echo)]
  if entry then
    peers[h.id], peers[entry.id] = entry.id, h.id
  elseif peers[h.id] then
    entry = echoes[key(peers[h.id], h.path, h.epoch, h.echo)]
  end
  if entry then
    info.echo_of = entry.frame
    info.echo_time = tonumber(tostring(pinfo.rel_ts)) - entry.time
    frames[entry.frame].acknowledged_in = frames[entry.frame].acknowledged_in or pinfo.number
  end
end

-- The tree ------------------------------------------------------------------------------------------------------------

-- Adds the fields of a header; returns whether all of it was captured.
local function add_header(tree, tvb, offset, layout)
  for _, field in ipairs(layout.fields) do
    local at = offset + field.at
    if at + field.bytes > tvb:len() then return false end
    local range = tvb(at, field.bytes)
    local item = tree:add(field.field, range)
    if field.flags and #layout.flags > 0 then
      for _, flag in ipairs(layout.flags) do item:add(flag, range) end
    end
  end
  return true
end

local function number(tvb, offset, layout, name)
  local place = layout.places[name]
  return tvb(offset + place.at, place.bytes):uint()
end

local function sack(tvb, next_expected)
  local bits, last = {}, -1
  local bytes = tvb:raw(LAYOUTS.ACK.length, LAYOUTS.SACK.length)
  for i = 0, LAYOUTS.SACK.length * 8 - 1 do
    local byte = string.byte(bytes, floor(i / 8) + 1)
    bits[i] = floor(byte / 2 ^ (7 - i % 8)) % 2 == 1
    if bits[i] then last = i end
  end
  local ranges, holes, i = {}, 1, 0
  while i <= last do
    local start = i
    while bits[i] do i = i + 1 end
    if i > start then
      local from, to = (next_expected + 1 + start) % WORD, (next_expected + i) % WORD
      ranges[#ranges + 1] = from == to and string.format("%d", from) or string.format("%d-%d", from, to)
    else
      holes = holes + 1
      i = i + 1
    end
  end
  return table.concat(ranges, ","), last < 0 and 0 or holes
end

local function is_sealed(tvb, length)
  local bytes = tvb:raw(0, length)
  return crc32c(bytes, length - 4) == tvb(length - 4, 4):uint()
end

local function add_links(tree, info)
  for _, name in ipairs({ "retransmission_of", "duplicate_of", "moved_from", "acknowledged_in", "echo_of", "echo_time",
    "request_in", "response_in", "gap", "holes" }) do
    if info[name] then
      tree:add(f[name], info[name]):set_generated()
    end
  end
  if info.retransmission_of then tree:add_proto_expert_info(e.retransmission) end
  if info.duplicate_of then tree:add_proto_expert_info(e.duplicate) end
  if info.moved_from then tree:add_proto_expert_info(e.moved) end
  if info.gap then tree:add_proto_expert_info(e.gap) end
  if info.late then tree:add_proto_expert_info(e.late) end
  if info.holes and info.holes > 0 then tree:add_proto_expert_info(e.holes) end
end

local dissect = {}

function dissect.DATA(tvb, pinfo, tree, info)
  local layout = LAYOUTS.DATA
  if not add_header(tree, tvb, 0, layout) then return nil end
  local opcode = number(tvb, 0, layout, "opcode")
  local h = {
    id = number(tvb, 0, layout, "destination connection id"),
    path = number(tvb, 0, layout, "path id"),
    epoch = number(tvb, 0, layout, "epoch"),
    sequence = number(tvb, 0, layout, "path sequence"),
    csn = number(tvb, 0, layout, "connection sequence"),
    timestamp = number(tvb, 0, layout, "transmit timestamp"),
    stream = number(tvb, 0, layout, "stream id"),
    msn = number(tvb, 0, layout, "message sequence"),
    count = number(tvb, 0, layout, "transmit count"),
    opcode = opcode,
  }
  local payload = number(tvb, 0, layout, "payload length")
  if not pinfo.visited then analyse_data(pinfo, info, h) end
  local name = OPCODES[opcode]
  pinfo.cols.info = string.format("%s path=%d/%d seq=%d csn=%d stream=%d msn=%d payload=%d", name or "operation?",
    h.path, h.epoch, h.sequence, h.csn, h.stream, h.msn, payload)
  if not name then
    tree:add_proto_expert_info(e.unknown)
    return nil
  end
  local operation = LAYOUTS[name]
  local header = tree:add(mop, tvb(layout.length, math.min(operation.length, tvb:len() - layout.length)), name)
  if not add_header(header, tvb, layout.length, operation) then return nil end
  local start = layout.length + operation.length
  local there = math.min(payload, tvb:len() - start)
  if there > 0 then tree:add(f.payload, tvb(start, there)) end
  if name == "ERROR" then tree:add_proto_expert_info(e.error) end
  return start + payload
end

function dissect.ACK(tvb, pinfo, tree, info)
  local layout = LAYOUTS.ACK
  if not add_header(tree, tvb, 0, layout) then return nil end
  local h = {
    id = number(tvb, 0, layout, "destination connection id"),
    path = number(tvb, 0, layout, "path id"),
    epoch = number(tvb, 0, layout, "epoch"),
    echo = number(tvb, 0, layout, "echoed timestamp"),
  }
  local next_expected = number(tvb, 0, layout, "next expected path sequence")
  if not pinfo.visited then analyse_ack(pinfo, info, h) end
  tree:add(f.ack_delay_ns, number(tvb, 0, layout, "ACK delay") * 256):set_generated()
  pinfo.cols.info = string.format("ACK path=%d/%d next=%d csn=%d", h.path, h.epoch, next_expected,
    number(tvb, 0, layout, "next expected connection sequence"))
  if number(tvb, 0, layout, "flags") % 2 == 0 then return layout.length end
  local whole = layout.length + LAYOUTS.SACK.length
  if not add_header(tree, tvb, layout.length, LAYOUTS.SACK) then return nil end
  local ranges, holes = sack(tvb, next_expected)
  tree:add(f.sack_ranges, ranges):set_generated()
  info.holes = holes
  pinfo.cols.info:append(" sack=" .. ranges)
  return whole
end

function dissect.PROBE(tvb, pinfo, tree, info)
  local layout = LAYOUTS.PROBE
  if not add_header(tree, tvb, 0, layout) then return nil end
  local id, path = number(tvb, 0, layout, "destination connection id"), number(tvb, 0, layout, "path id")
  local epoch = number(tvb, 0, layout, "epoch")
  local padding = number(tvb, 0, layout, "padding length")
  if not pinfo.visited then
    remember_echo(pinfo, id, path, epoch, number(tvb, 0, layout, "transmit timestamp"))
  end
  local there = math.min(padding, tvb:len() - layout.length)
  if there > 0 then tree:add(f.padding, tvb(layout.length, there)) end
  pinfo.cols.info = string.format("PROBE path=%d/%d padding=%d", path, epoch, padding)
  return layout.length + padding
end

function dissect.CREDIT(tvb, pinfo, tree, info)
  local layout, entry = LAYOUTS.CREDIT, LAYOUTS.CREDIT_ENTRY
  if not add_header(tree, tvb, 0, layout) then return nil end
  local entries = number(tvb, 0, layout, "entries")
  local peer = peers[number(tvb, 0, layout, "destination connection id")]
  pinfo.cols.info = string.format("CREDIT entries=%d", entries)
  for i = 0, entries - 1 do
    local offset = layout.length + i * entry.length
    if offset + entry.length > tvb:len() then return nil end
    local stream = number(tvb, offset, entry, "stream id")
    local limit = number(tvb, offset, entry, "posted-receive limit")
    local item = tree:add(mop, tvb(offset, entry.length), string.format("stream %d: %d", stream, limit))
    add_header(item, tvb, offset, entry)
    local request = peer and waiting[key(peer, stream)]
    if request and not pinfo.visited then
      info.request_in = request
      frames[request].response_in = frames[request].response_in or pinfo.number
      waiting[key(peer, stream)] = nil
    end
  end
  return layout.length + entries * entry.length
end

function dissect.CREDIT_REQUEST(tvb, pinfo, tree, info)
  local layout = LAYOUTS.CREDIT_REQUEST
  if not add_header(tree, tvb, 0, layout) then return nil end
  local stream = number(tvb, 0, layout, "stream id")
  if not pinfo.visited then
    waiting[key(number(tvb, 0, layout, "destination connection id"), stream)] = pinfo.number
  end
  pinfo.cols.info = string.format("CREDIT_REQUEST stream=%d known=%d", stream, number(tvb, 0, layout, "known limit"))
  return layout.length
end

function dissect.PLANE_STATUS(tvb, pinfo, tree, info)
  local layout = LAYOUTS.PLANE_STATUS
  if not add_header(tree, tvb, 0, layout) then return nil end
  pinfo.cols.info = string.format("PLANE_STATUS sequence=%d planes=0x%x", number(tvb, 0, layout, "sequence"),
    number(tvb, 0, layout, "usable planes"))
  return layout.length
end

local function mark_ecn(tree)
  local ecn = ipv4_ecn() or ipv6_ecn()
  if ecn and ecn.value == 3 then tree:add_proto_expert_info(e.ce) end
end

local function seal(tvb, tree, length)
  if length > tvb:len() then
    tree:add(f.crc_status, "not checked: the capture cut the packet"):set_generated()
    tree:add_proto_expert_info(e.cut)
    return
  end
  local place = tree:add(f.crc, tvb(length - 4, 4))
  if not mop.prefs.check_crc then return end
  local right = is_sealed(tvb, length)
  place:add(f.crc_status, right and "right" or "wrong"):set_generated()
  if not right then place:add_proto_expert_info(e.crc) end
end

function mop.dissector(tvb, pinfo, tree)
  local length = tvb:reported_len()
  if length < 12 or tvb:len() < 2 then return 0 end
  local first = tvb(0, 1):uint()
  local type = TYPES[first % 16]
  pinfo.cols.protocol = "MOP"
  local top = tree:add(mop, tvb())
  if floor(first / 16) ~= VERSION or not type then
    pinfo.cols.info = "version or type is not defined"
    top:add_proto_expert_info(e.unknown)
    return tvb:len()
  end
  local info = frames[pinfo.number]
  if not info then
    info = {}
    frames[pinfo.number] = info
  end
  top:append_text(", " .. type)
  local content = dissect[type](tvb, pinfo, top, info)
  add_links(top, info)
  mark_ecn(top)
  seal(tvb, top, length)
  if content and content + 4 ~= length then top:add_proto_expert_info(e.malformed) end
  return tvb:len()
end

-- Any port, if the packet proves by its checksum that it is one of ours.
local function heuristic(tvb, pinfo, tree)
  local length = tvb:reported_len()
  if length < 12 or length > 8260 or length > tvb:len() then return false end
  local first = tvb(0, 1):uint()
  if floor(first / 16) ~= VERSION or not TYPES[first % 16] or not is_sealed(tvb, length) then return false end
  mop.dissector(tvb, pinfo, tree)
  return true
end

DissectorTable.get("udp.port"):add("4795-4858", mop)
mop:register_heuristic("udp", heuristic)
