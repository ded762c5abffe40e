# BLAKE2b (RFC 7693) for keys and messages of any length. It gives the same bytes as hashlib.blake2b of Python.
# Words have 64 bits, as Godot's whole numbers; sums wrap. Shifts take no negative numbers, so rotations put the sign bit in by hand.
extends RefCounted

const START: Array[int] = [
	0x6a09e667f3bcc908, -0x4498517a7b3558c5, 0x3c6ef372fe94f82b, -0x5ab00ac5a0e2c90f,
	0x510e527fade682d1, -0x64fa9773d4c193e1, 0x1f83d9abfb41bd6b, 0x5be0cd19137e2179,
]
const ORDER: Array[Array] = [
	[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
	[14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3],
	[11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4],
	[7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8],
	[9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13],
	[2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9],
	[12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11],
	[13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10],
	[6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5],
	[10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0],
]
const BLOCK := 128


# The first `size` bytes (1 to 64) of the hash of a message, with a key of up to 64 bytes or none.
static func digest(message: PackedByteArray, size: int, key := PackedByteArray()) -> PackedByteArray:
	var state := START.duplicate()
	state[0] ^= 0x01010000 ^ (key.size() << 8) ^ size
	var data := key + _zeros(BLOCK - key.size()) if key else PackedByteArray()
	data.append_array(message)
	var length := data.size()
	var blocks := maxi(1, ceili(length / float(BLOCK)))
	data.append_array(_zeros(blocks * BLOCK - length))
	for block in blocks:
		_mix_in(state, data, block * BLOCK, mini(length, (block + 1) * BLOCK), block == blocks - 1)
	var found := PackedByteArray()
	found.resize(64)
	for word in 8:
		found.encode_s64(8 * word, state[word])
	return found.slice(0, size)


static func _zeros(count: int) -> PackedByteArray:
	var zeros := PackedByteArray()
	zeros.resize(count)
	zeros.fill(0)
	return zeros


static func _mix_in(state: Array[int], data: PackedByteArray, at: int, count: int, last: bool) -> void:
	var v := state + START
	v[12] ^= count
	if last:
		v[14] = ~v[14]
	var m: Array[int] = []
	for word in 16:
		m.append(data.decode_s64(at + 8 * word))
	for turn in 12:
		var s: Array = ORDER[turn % 10]
		_quarter(v, 0, 4, 8, 12, m[s[0]], m[s[1]])
		_quarter(v, 1, 5, 9, 13, m[s[2]], m[s[3]])
		_quarter(v, 2, 6, 10, 14, m[s[4]], m[s[5]])
		_quarter(v, 3, 7, 11, 15, m[s[6]], m[s[7]])
		_quarter(v, 0, 5, 10, 15, m[s[8]], m[s[9]])
		_quarter(v, 1, 6, 11, 12, m[s[10]], m[s[11]])
		_quarter(v, 2, 7, 8, 13, m[s[12]], m[s[13]])
		_quarter(v, 3, 4, 9, 14, m[s[14]], m[s[15]])
	for word in 8:
		state[word] ^= v[word] ^ v[word + 8]


static func _quarter(v: Array[int], a: int, b: int, c: int, d: int, x: int, y: int) -> void:
	v[a] += v[b] + x
	v[d] = _turned(v[d] ^ v[a], 32)
	v[c] += v[d]
	v[b] = _turned(v[b] ^ v[c], 24)
	v[a] += v[b] + y
	v[d] = _turned(v[d] ^ v[a], 16)
	v[c] += v[d]
	v[b] = _turned(v[b] ^ v[c], 63)


# A word whose bits are moved to the right by 1 to 63 places; those that fall out come in again on the left.
static func _turned(word: int, places: int) -> int:
	var right := (word & 0x7fffffffffffffff) >> places
	if word < 0:
		right |= 1 << (63 - places)
	return right | ((word & ((1 << places) - 1)) << (64 - places))
