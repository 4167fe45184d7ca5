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

local VERSION = 1
local TYPES = {
  [0] = "DATA",
  [1] = "ACK",
  [2] = "PROBE",
  [3] = "CREDIT",
  [4] = "CREDIT_REQUEST",
  [5] = "PLANE_STATUS",
}
local OPCODES = {
  [1] = "WRITE",
  [2] = "WRITE_IMM",
  [3] = "SEND",
  [4] = "SEND_IMM",
  [5] = "SEND_INV",
  [6] = "READ_REQUEST",
  [7] = "READ_RESPONSE",
  [8] = "COMPARE_SWAP",
  [9] = "FETCH_ADD",
  [10] = "ATOMIC_RESPONSE",
  [11] = "ERROR",
}
local SYNDROMES = {
  [1] = "INVALID_REQUEST",
  [2] = "ACCESS",
  [3] = "RANGE",
  [4] = "OPERATIONAL",
  [5] = "LENGTH",
  [6] = "NOT_SUPPORTED",
}
local RESPONSES = { [7] = true, [10] = true, [11] = true }

f.ack_delay = ProtoField.uint16("metaroce.ack_delay", "ACK delay", base.DEC)
f.ce_marked_packets = ProtoField.uint16("metaroce.ce_marked_packets", "CE-marked packets", base.DEC)
f.sack_vector = ProtoField.bytes("metaroce.sack_vector", "SACK vector")
f.backlog = ProtoField.uint8("metaroce.backlog", "backlog", base.DEC)
f.compare = ProtoField.uint64("metaroce.compare", "compare", base.DEC)
f.connection_sequence = ProtoField.uint32("metaroce.connection_sequence", "connection sequence", base.DEC)
f.credit_stream_id = ProtoField.uint16("metaroce.credit_stream_id", "credit stream id", base.DEC)
f.destination_connection_id = ProtoField.uint32("metaroce.destination_connection_id", "destination connection id", base.HEX)
f.echoed_count = ProtoField.uint8("metaroce.echoed_count", "echoed count", base.DEC)
f.echoed_timestamp = ProtoField.uint32("metaroce.echoed_timestamp", "echoed timestamp", base.DEC)
f.entries = ProtoField.uint16("metaroce.entries", "entries", base.DEC)
f.epoch = ProtoField.uint8("metaroce.epoch", "epoch", base.DEC)
f.errors_issued = ProtoField.uint8("metaroce.errors_issued", "errors issued", base.DEC)
f.flags = ProtoField.uint8("metaroce.flags", "flags", base.HEX)
f.hint = ProtoField.uint32("metaroce.hint", "hint", base.DEC)
f.hint_epoch = ProtoField.uint8("metaroce.hint_epoch", "hint epoch", base.DEC)
f.immediate = ProtoField.uint32("metaroce.immediate", "immediate", base.HEX)
f.known_limit = ProtoField.uint32("metaroce.known_limit", "known limit", base.DEC)
f.length = ProtoField.uint32("metaroce.length", "length", base.DEC)
f.message_length = ProtoField.uint32("metaroce.message_length", "message length", base.DEC)
f.message_offset = ProtoField.uint32("metaroce.message_offset", "message offset", base.DEC)
f.message_sequence = ProtoField.uint32("metaroce.message_sequence", "message sequence", base.DEC)
f.next_expected_connection_sequence = ProtoField.uint32("metaroce.next_expected_connection_sequence", "next expected connection sequence", base.DEC)
f.next_expected_path_sequence = ProtoField.uint32("metaroce.next_expected_path_sequence", "next expected path sequence", base.DEC)
f.opcode = ProtoField.uint8("metaroce.opcode", "opcode", base.DEC, OPCODES)
f.operand = ProtoField.uint64("metaroce.operand", "operand", base.DEC)
f.original_value = ProtoField.uint64("metaroce.original_value", "original value", base.DEC)
f.padding_length = ProtoField.uint16("metaroce.padding_length", "padding length", base.DEC)
f.path_id = ProtoField.uint8("metaroce.path_id", "path id", base.DEC)
f.path_sequence = ProtoField.uint32("metaroce.path_sequence", "path sequence", base.DEC)
f.path_sequence_duplicates = ProtoField.uint16("metaroce.path_sequence_duplicates", "path-sequence duplicates", base.DEC)
f.payload_length = ProtoField.uint16("metaroce.payload_length", "payload length", base.DEC)
f.posted_receive_limit = ProtoField.uint32("metaroce.posted_receive_limit", "posted-receive limit", base.DEC)
f.receive_level = ProtoField.uint8("metaroce.receive_level", "receive level", base.DEC)
f.receive_number = ProtoField.uint32("metaroce.receive_number", "receive number", base.DEC)
f.received_packets = ProtoField.uint32("metaroce.received_packets", "received packets", base.DEC)
f.remote_address = ProtoField.uint64("metaroce.remote_address", "remote address", base.HEX)
f.rkey = ProtoField.uint32("metaroce.rkey", "rkey", base.HEX)
f.sequence = ProtoField.uint32("metaroce.sequence", "sequence", base.DEC)
f.stream_id = ProtoField.uint16("metaroce.stream_id", "stream id", base.DEC)
f.syndrome = ProtoField.uint8("metaroce.syndrome", "syndrome", base.DEC, SYNDROMES)
f.transmit_count = ProtoField.uint8("metaroce.transmit_count", "transmit count", base.DEC)
f.transmit_timestamp = ProtoField.uint32("metaroce.transmit_timestamp", "transmit timestamp", base.DEC)
f.type = ProtoField.uint8("metaroce.type", "type", base.DEC, TYPES, 0xf)
f.usable_planes = ProtoField.uint32("metaroce.usable_planes", "usable planes", base.HEX)
f.version = ProtoField.uint8("metaroce.version", "version", base.DEC, nil, 0xf0)
f.crc = ProtoField.uint32("metaroce.crc", "checksum", base.HEX)

f.data_ack_request = ProtoField.bool("metaroce.data.ack_request", "ACK_REQUEST", 8, nil, 0x1)
f.data_retransmit = ProtoField.bool("metaroce.data.retransmit", "RETRANSMIT", 8, nil, 0x2)
f.data_message_end = ProtoField.bool("metaroce.data.message_end", "MESSAGE_END", 8, nil, 0x4)
f.data_solicited = ProtoField.bool("metaroce.data.solicited", "SOLICITED", 8, nil, 0x8)
f.ack_sack = ProtoField.bool("metaroce.ack.sack", "SACK", 8, nil, 0x1)
f.ack_hint = ProtoField.bool("metaroce.ack.hint", "HINT", 8, nil, 0x2)
f.ack_credit = ProtoField.bool("metaroce.ack.credit", "CREDIT", 8, nil, 0x4)
f.ack_detour = ProtoField.bool("metaroce.ack.detour", "DETOUR", 8, nil, 0x8)
f.probe_any_path = ProtoField.bool("metaroce.probe.any_path", "ANY_PATH", 8, nil, 0x1)

local LAYOUTS = {}
LAYOUTS.DATA = {
  length = 32,
  flags = { f.data_ack_request, f.data_retransmit, f.data_message_end, f.data_solicited, },
  fields = {
    { name = "version", field = f.version, at = 0, bytes = 1 },
    { name = "type", field = f.type, at = 0, bytes = 1 },
    { name = "flags", field = f.flags, at = 1, bytes = 1, flags = true },
    { name = "path id", field = f.path_id, at = 2, bytes = 1 },
    { name = "epoch", field = f.epoch, at = 3, bytes = 1 },
    { name = "destination connection id", field = f.destination_connection_id, at = 4, bytes = 4 },
    { name = "path sequence", field = f.path_sequence, at = 8, bytes = 4 },
    { name = "connection sequence", field = f.connection_sequence, at = 12, bytes = 4 },
    { name = "transmit timestamp", field = f.transmit_timestamp, at = 16, bytes = 4 },
    { name = "stream id", field = f.stream_id, at = 20, bytes = 2 },
    { name = "opcode", field = f.opcode, at = 22, bytes = 1 },
    { name = "backlog", field = f.backlog, at = 23, bytes = 1 },
    { name = "message sequence", field = f.message_sequence, at = 24, bytes = 4 },
    { name = "payload length", field = f.payload_length, at = 28, bytes = 2 },
    { name = "transmit count", field = f.transmit_count, at = 30, bytes = 1 },
  },
}
LAYOUTS.DATA.places = {}
for _, field in ipairs(LAYOUTS.DATA.fields) do LAYOUTS.DATA.places[field.name] = field end
LAYOUTS.ACK = {
  length = 44,
  flags = { f.ack_sack, f.ack_hint, f.ack_credit, f.ack_detour, },
  fields = {
    { name = "version", field = f.version, at = 0, bytes = 1 },
    { name = "type", field = f.type, at = 0, bytes = 1 },
    { name = "flags", field = f.flags, at = 1, bytes = 1, flags = true },
    { name = "path id", field = f.path_id, at = 2, bytes = 1 },
    { name = "epoch", field = f.epoch, at = 3, bytes = 1 },
    { name = "destination connection id", field = f.destination_connection_id, at = 4, bytes = 4 },
    { name = "next expected path sequence", field = f.next_expected_path_sequence, at = 8, bytes = 4 },
    { name = "echoed timestamp", field = f.echoed_timestamp, at = 12, bytes = 4 },
    { name = "ACK delay", field = f.ack_delay, at = 16, bytes = 2 },
    { name = "CE-marked packets", field = f.ce_marked_packets, at = 18, bytes = 2 },
    { name = "received packets", field = f.received_packets, at = 20, bytes = 4 },
    { name = "path-sequence duplicates", field = f.path_sequence_duplicates, at = 24, bytes = 2 },
    { name = "receive level", field = f.receive_level, at = 26, bytes = 1 },
    { name = "hint epoch", field = f.hint_epoch, at = 27, bytes = 1 },
    { name = "hint", field = f.hint, at = 28, bytes = 4 },
    { name = "next expected connection sequence", field = f.next_expected_connection_sequence, at = 32, bytes = 4 },
    { name = "credit stream id", field = f.credit_stream_id, at = 36, bytes = 2 },
    { name = "echoed count", field = f.echoed_count, at = 38, bytes = 1 },
    { name = "errors issued", field = f.errors_issued, at = 39, bytes = 1 },
    { name = "posted-receive limit", field = f.posted_receive_limit, at = 40, bytes = 4 },
  },
}
LAYOUTS.ACK.places = {}
for _, field in ipairs(LAYOUTS.ACK.fields) do LAYOUTS.ACK.places[field.name] = field end
LAYOUTS.SACK = {
  length = 32,
  flags = { },
  fields = {
    { name = "SACK vector", field = f.sack_vector, at = 0, bytes = 32 },
  },
}
LAYOUTS.SACK.places = {}
for _, field in ipairs(LAYOUTS.SACK.fields) do LAYOUTS.SACK.places[field.name] = field end
LAYOUTS.PROBE = {
  length = 16,
  flags = { f.probe_any_path, },
  fields = {
    { name = "version", field = f.version, at = 0, bytes = 1 },
    { name = "type", field = f.type, at = 0, bytes = 1 },
    { name = "flags", field = f.flags, at = 1, bytes = 1, flags = true },
    { name = "path id", field = f.path_id, at = 2, bytes = 1 },
    { name = "epoch", field = f.epoch, at = 3, bytes = 1 },
    { name = "destination connection id", field = f.destination_connection_id, at = 4, bytes = 4 },
    { name = "transmit timestamp", field = f.transmit_timestamp, at = 8, bytes = 4 },
    { name = "padding length", field = f.padding_length, at = 12, bytes = 2 },
  },
}
LAYOUTS.PROBE.places = {}
for _, field in ipairs(LAYOUTS.PROBE.fields) do LAYOUTS.PROBE.places[field.name] = field end
LAYOUTS.CREDIT = {
  length = 8,
  flags = { },
  fields = {
    { name = "version", field = f.version, at = 0, bytes = 1 },
    { name = "type", field = f.type, at = 0, bytes = 1 },
    { name = "flags", field = f.flags, at = 1, bytes = 1, flags = true },
    { name = "entries", field = f.entries, at = 2, bytes = 2 },
    { name = "destination connection id", field = f.destination_connection_id, at = 4, bytes = 4 },
  },
}
LAYOUTS.CREDIT.places = {}
for _, field in ipairs(LAYOUTS.CREDIT.fields) do LAYOUTS.CREDIT.places[field.name] = field end
LAYOUTS.CREDIT_ENTRY = {
  length = 8,
  flags = { },
  fields = {
    { name = "stream id", field = f.stream_id, at = 0, bytes = 2 },
    { name = "posted-receive limit", field = f.posted_receive_limit, at = 4, bytes = 4 },
  },
}
LAYOUTS.CREDIT_ENTRY.places = {}
for _, field in ipairs(LAYOUTS.CREDIT_ENTRY.fields) do LAYOUTS.CREDIT_ENTRY.places[field.name] = field end
LAYOUTS.CREDIT_REQUEST = {
  length = 12,
  flags = { },
  fields = {
    { name = "version", field = f.version, at = 0, bytes = 1 },
    { name = "type", field = f.type, at = 0, bytes = 1 },
    { name = "flags", field = f.flags, at = 1, bytes = 1, flags = true },
    { name = "stream id", field = f.stream_id, at = 2, bytes = 2 },
    { name = "destination connection id", field = f.destination_connection_id, at = 4, bytes = 4 },
    { name = "known limit", field = f.known_limit, at = 8, bytes = 4 },
  },
}
LAYOUTS.CREDIT_REQUEST.places = {}
for _, field in ipairs(LAYOUTS.CREDIT_REQUEST.fields) do LAYOUTS.CREDIT_REQUEST.places[field.name] = field end
LAYOUTS.PLANE_STATUS = {
  length = 16,
  flags = { },
  fields = {
    { name = "version", field = f.version, at = 0, bytes = 1 },
    { name = "type", field = f.type, at = 0, bytes = 1 },
    { name = "flags", field = f.flags, at = 1, bytes = 1, flags = true },
    { name = "destination connection id", field = f.destination_connection_id, at = 4, bytes = 4 },
    { name = "sequence", field = f.sequence, at = 8, bytes = 4 },
    { name = "usable planes", field = f.usable_planes, at = 12, bytes = 4 },
  },
}
LAYOUTS.PLANE_STATUS.places = {}
for _, field in ipairs(LAYOUTS.PLANE_STATUS.fields) do LAYOUTS.PLANE_STATUS.places[field.name] = field end
LAYOUTS.WRITE = {
  length = 16,
  flags = { },
  fields = {
    { name = "remote address", field = f.remote_address, at = 0, bytes = 8 },
    { name = "rkey", field = f.rkey, at = 8, bytes = 4 },
    { name = "message length", field = f.message_length, at = 12, bytes = 4 },
  },
}
LAYOUTS.WRITE.places = {}
for _, field in ipairs(LAYOUTS.WRITE.fields) do LAYOUTS.WRITE.places[field.name] = field end
LAYOUTS.WRITE_IMM = {
  length = 24,
  flags = { },
  fields = {
    { name = "remote address", field = f.remote_address, at = 0, bytes = 8 },
    { name = "rkey", field = f.rkey, at = 8, bytes = 4 },
    { name = "message length", field = f.message_length, at = 12, bytes = 4 },
    { name = "receive number", field = f.receive_number, at = 16, bytes = 4 },
    { name = "immediate", field = f.immediate, at = 20, bytes = 4 },
  },
}
LAYOUTS.WRITE_IMM.places = {}
for _, field in ipairs(LAYOUTS.WRITE_IMM.fields) do LAYOUTS.WRITE_IMM.places[field.name] = field end
LAYOUTS.SEND = {
  length = 12,
  flags = { },
  fields = {
    { name = "receive number", field = f.receive_number, at = 0, bytes = 4 },
    { name = "message offset", field = f.message_offset, at = 4, bytes = 4 },
    { name = "message length", field = f.message_length, at = 8, bytes = 4 },
  },
}
LAYOUTS.SEND.places = {}
for _, field in ipairs(LAYOUTS.SEND.fields) do LAYOUTS.SEND.places[field.name] = field end
LAYOUTS.SEND_IMM = {
  length = 16,
  flags = { },
  fields = {
    { name = "receive number", field = f.receive_number, at = 0, bytes = 4 },
    { name = "message offset", field = f.message_offset, at = 4, bytes = 4 },
    { name = "message length", field = f.message_length, at = 8, bytes = 4 },
    { name = "immediate", field = f.immediate, at = 12, bytes = 4 },
  },
}
LAYOUTS.SEND_IMM.places = {}
for _, field in ipairs(LAYOUTS.SEND_IMM.fields) do LAYOUTS.SEND_IMM.places[field.name] = field end
LAYOUTS.SEND_INV = {
  length = 16,
  flags = { },
  fields = {
    { name = "receive number", field = f.receive_number, at = 0, bytes = 4 },
    { name = "message offset", field = f.message_offset, at = 4, bytes = 4 },
    { name = "message length", field = f.message_length, at = 8, bytes = 4 },
    { name = "rkey", field = f.rkey, at = 12, bytes = 4 },
  },
}
LAYOUTS.SEND_INV.places = {}
for _, field in ipairs(LAYOUTS.SEND_INV.fields) do LAYOUTS.SEND_INV.places[field.name] = field end
LAYOUTS.READ_REQUEST = {
  length = 16,
  flags = { },
  fields = {
    { name = "remote address", field = f.remote_address, at = 0, bytes = 8 },
    { name = "rkey", field = f.rkey, at = 8, bytes = 4 },
    { name = "length", field = f.length, at = 12, bytes = 4 },
  },
}
LAYOUTS.READ_REQUEST.places = {}
for _, field in ipairs(LAYOUTS.READ_REQUEST.fields) do LAYOUTS.READ_REQUEST.places[field.name] = field end
LAYOUTS.READ_RESPONSE = {
  length = 8,
  flags = { },
  fields = {
    { name = "message offset", field = f.message_offset, at = 0, bytes = 4 },
    { name = "message length", field = f.message_length, at = 4, bytes = 4 },
  },
}
LAYOUTS.READ_RESPONSE.places = {}
for _, field in ipairs(LAYOUTS.READ_RESPONSE.fields) do LAYOUTS.READ_RESPONSE.places[field.name] = field end
LAYOUTS.COMPARE_SWAP = {
  length = 32,
  flags = { },
  fields = {
    { name = "remote address", field = f.remote_address, at = 0, bytes = 8 },
    { name = "rkey", field = f.rkey, at = 8, bytes = 4 },
    { name = "operand", field = f.operand, at = 16, bytes = 8 },
    { name = "compare", field = f.compare, at = 24, bytes = 8 },
  },
}
LAYOUTS.COMPARE_SWAP.places = {}
for _, field in ipairs(LAYOUTS.COMPARE_SWAP.fields) do LAYOUTS.COMPARE_SWAP.places[field.name] = field end
LAYOUTS.FETCH_ADD = {
  length = 24,
  flags = { },
  fields = {
    { name = "remote address", field = f.remote_address, at = 0, bytes = 8 },
    { name = "rkey", field = f.rkey, at = 8, bytes = 4 },
    { name = "operand", field = f.operand, at = 16, bytes = 8 },
  },
}
LAYOUTS.FETCH_ADD.places = {}
for _, field in ipairs(LAYOUTS.FETCH_ADD.fields) do LAYOUTS.FETCH_ADD.places[field.name] = field end
LAYOUTS.ATOMIC_RESPONSE = {
  length = 8,
  flags = { },
  fields = {
    { name = "original value", field = f.original_value, at = 0, bytes = 8 },
  },
}
LAYOUTS.ATOMIC_RESPONSE.places = {}
for _, field in ipairs(LAYOUTS.ATOMIC_RESPONSE.fields) do LAYOUTS.ATOMIC_RESPONSE.places[field.name] = field end
LAYOUTS.ERROR = {
  length = 4,
  flags = { },
  fields = {
    { name = "syndrome", field = f.syndrome, at = 0, bytes = 1 },
  },
}
LAYOUTS.ERROR.places = {}
for _, field in ipairs(LAYOUTS.ERROR.fields) do LAYOUTS.ERROR.places[field.name] = field end

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
