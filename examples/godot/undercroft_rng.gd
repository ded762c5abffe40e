# The random numbers of Undercroft: PCG32, with a stream for each name. The same seed and names give the same numbers as in Python.
extends RefCounted

const Blake2b := preload("blake2b.gd")
const MULTIPLIER := 6364136223846793005
const ONE := 1 << 32  # a probability of 1, as a threshold for 32 bits
const MASK32 := ONE - 1

var key: PackedByteArray
var _state: int
var _increment: int


func _init(from_key: PackedByteArray) -> void:
	key = from_key
	_increment = (from_key.decode_s64(8) & 0x7fffffffffffffff) * 2 + 1
	_state = (_increment + from_key.decode_s64(0)) * MULTIPLIER + _increment


# The stream that all streams of a seed are derived from. Seeds from 2^63 on are negative numbers here.
static func root(seed_number: int, attempt := 0) -> RefCounted:
	var message := "undercroft/1".to_utf8_buffer()
	var start := message.size()
	message.resize(start + 16)
	message.encode_s64(start, seed_number)
	message.encode_s64(start + 8, attempt)
	return new(Blake2b.digest(message, 16))


# The number behind a seed that is a text: the number itself if it is one from 0 to 2^64-1, else a hash.
# Accented letters must be single characters, as keyboards give them.
static func seed_of(text: String) -> int:
	text = text.strip_edges()
	var number := 0
	var digits := text.length() > 0 and text.length() <= 20
	for sign in text:
		if sign < "0" or sign > "9":
			digits = false
		number = number * 10 + sign.unicode_at(0) - 48
	if digits and (text.length() < 20 or text <= "18446744073709551615"):
		return number
	return Blake2b.digest(text.to_utf8_buffer(), 8).decode_s64(0)


# The stream of that name below this one; nothing that is drawn here moves it.
func stream(name: String) -> RefCounted:
	return new(Blake2b.digest(name.to_utf8_buffer(), 16, key))


# The next 32 bits.
func next() -> int:
	var old := _state
	_state = old * MULTIPLIER + _increment
	var mixed := _shifted(_shifted(old, 18) ^ old, 27) & MASK32
	var turn := _shifted(old, 59)
	return (mixed >> turn | mixed << (-turn & 31)) & MASK32


# A number from 0 to bound - 1, each equally likely. The bound is at most 2^31.
func below(bound: int) -> int:
	var product := next() * bound
	if product & MASK32 < bound:
		var least := (ONE - bound) % bound
		while product & MASK32 < least:
			product = next() * bound
	return product >> 32


# A probability as a whole number of 2^32 parts.
static func threshold(probability: float) -> int:
	return int(probability * ONE)


# The bits of a word moved to the right, with zeros coming in.
static func _shifted(word: int, places: int) -> int:
	var right := (word & 0x7fffffffffffffff) >> places
	return right | (1 << (63 - places)) if word < 0 else right
