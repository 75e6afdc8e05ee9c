#!/usr/bin/env node
// Pharos: fetches and verifies proofs. Runs alone on Node 20 or later: node pharos.mjs --help
// Made from server/client/ and shared/ by server/client/build.ts. MIT licence.
import { basename, dirname, join, relative } from "node:path";
import process$1 from "node:process";
import { parseArgs } from "node:util";
import { createHash, createPublicKey, getHashes, randomBytes, verify } from "node:crypto";
import { mkdir, open, readFile, readdir, realpath, rename, rm, stat, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { constants } from "node:fs";
import { setTimeout } from "node:timers/promises";
// shared/cli/terminal.ts
var Complaint = class extends Error {
	name = "Complaint";
	exitCode;
	advice;
	constructor(message, { advice, exitCode = 2 } = {}) {
		super(message);
		this.advice = advice;
		this.exitCode = exitCode;
	}
};
var wordsOf = (error) => error instanceof Error ? error.message : String(error);
/** The system's code of a failed file or network call, e.g. `ENOENT`. */
var codeOf = (error) => error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : void 0;
var openTerminal = (out, err, env) => ({
	say: (line) => void out.write(`${line}\n`),
	note: (line) => void err.write(`${line}\n`),
	progress: err.isTTY ? (line) => void err.write(`\r\x1b[2K${line}`) : void 0,
	paint: paintFor(out, env)
});
/** NO_COLOR, set to any text, overrides everything else (no-color.org). */
var paintFor = ({ isTTY }, env) => isTTY === true && (env.NO_COLOR ?? "") === "" && env.TERM !== "dumb" ? coloured : plain;
var ansi = (code) => (text) => `\x1b[${code}m${text}\x1b[0m`;
var coloured = {
	green: ansi(32),
	red: ansi(31),
	yellow: ansi(33),
	dim: ansi(2),
	bold: ansi(1)
};
var same = (text) => text;
var plain = {
	green: same,
	red: same,
	yellow: same,
	dim: same,
	bold: same
};
/**
* Makes text of others safe to print as a part of a line. What ends a line or steers the terminal could overwrite the
* verdict; what has no width or changes the writing direction could hide or reorder it.
*/
var printable = (text) => text.replace(UNPRINTABLE, "�");
var UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;
/** Names of files and words of a service may be in it. */
function tellComplaint({ note }, { message, advice }, about = "") {
	note(printable(`pharos: ${about}${message}`));
	if (advice !== void 0) note(printable(advice));
}
/** Such as 1 block, 2 blocks. */
var plural = (number, noun) => `${number} ${noun}${number === 1 ? "" : "s"}`;
/**
* Tells at most one line in `everyMs`, and none before `firstMs`. A line that is not told is not made.
* @param tell undefined where nobody looks
*/
function paced(tell, { everyMs, firstMs = everyMs, now = () => performance.now() }) {
	let next = now() + firstMs;
	return (line) => {
		if (tell === void 0 || now() < next) return;
		next = now() + everyMs;
		tell(line());
	};
}
// shared/cli/command.ts
/** Each command with its usage, and below it what it is for. */
var helpLines = (commands) => Object.entries(commands).map(([name, { usage, meaning }]) => `  ${`${name} ${usage}`.trim()}\n      ${meaning}`);
/**
* What follows the name of a command, with `help` among its options.
* @param called the command as a person calls it
* @throws Complaint for an option that it does not take
*/
function readWords(called, { options }, args) {
	try {
		const { values, positionals } = parseArgs({
			args: [...args],
			options: {
				...options,
				help: {
					type: "boolean",
					short: "h"
				}
			},
			allowPositionals: true
		});
		return {
			values,
			words: positionals
		};
	} catch (error) {
		throw new Complaint(wordsOf(error).replaceAll("\n", " "), { advice: `${called} --help shows the options.` });
	}
}
var textOption = (values, name) => {
	const value = values[name];
	return typeof value === "string" ? value : void 0;
};
var textOptions = (values, name) => {
	const value = values[name];
	return Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];
};
// shared/proof/bytes.ts
function toHex(bytes) {
	if (HEX_TEXT === void 0 || 2 * bytes.length > HEX_TEXT.length) return joinedPairs(bytes);
	let end = 0;
	for (const byte of bytes) {
		HEX_TEXT[end++] = HEX_CODES[byte >> 4] ?? 0;
		HEX_TEXT[end++] = HEX_CODES[byte & 15] ?? 0;
	}
	return HEX_TEXT.toString("latin1", 0, end);
}
function joinedPairs(bytes) {
	let text = "";
	for (const byte of bytes) text += HEX_PAIRS[byte];
	return text;
}
/**
* The bytes of lowercase hex.
* @throws RangeError on any other character or an odd length
*/
function fromHex(text) {
	const bytes = hexOrUndefined(text);
	if (bytes === void 0) throw new RangeError("not lowercase hex of whole bytes");
	return bytes;
}
/** As `fromHex`, but undefined for any other text. */
function hexOrUndefined(text) {
	if (text.length % 2 !== 0) return void 0;
	const bytes = new Uint8Array(text.length / 2);
	for (let i = 0; i < bytes.length; i++) {
		const high = HEX_VALUES[text.charCodeAt(2 * i)] ?? NOT_IN_ALPHABET;
		const low = HEX_VALUES[text.charCodeAt(2 * i + 1)] ?? NOT_IN_ALPHABET;
		if (high === NOT_IN_ALPHABET || low === NOT_IN_ALPHABET) return void 0;
		bytes[i] = high << 4 | low;
	}
	return bytes;
}
/** Whether `text` is lowercase hex of whole bytes, and of exactly `byteLength` bytes when that is given. */
function isHex(text, byteLength) {
	if (byteLength === void 0 ? text.length % 2 !== 0 : text.length !== 2 * byteLength) return false;
	return /^[0-9a-f]*$/.test(text);
}
/** Standard alphabet with `=` padding. Used for keys and signatures. */
function toBase64(bytes) {
	return encode(bytes, STANDARD) + "=".repeat((3 - bytes.length % 3) % 3);
}
/**
* Accepts one spelling only: padded, no white space, unused bits zero.
* @throws RangeError on any other text
*/
function fromBase64(text) {
	const unpadded = text.replace(/={1,2}$/, "");
	if (text.length % 4 !== 0 || text.length - unpadded.length !== (4 - unpadded.length % 4) % 4) throw new RangeError("base64 must be padded to a multiple of 4 characters");
	return decode$1(unpadded, STANDARD_VALUES);
}
/** URL alphabet without padding. Used for Merkle paths. */
function toBase64Url(bytes) {
	return encode(bytes, URL_SAFE);
}
/**
* Accepts one spelling only: no padding, no white space, unused bits zero.
* @throws RangeError on any other text
*/
function fromBase64Url(text) {
	return decode$1(text, URL_SAFE_VALUES);
}
function concatBytes$2(...parts) {
	return joinBytes(parts);
}
/** As `concatBytes`, for a list. The list may be longer than the number of arguments a call can take. */
function joinBytes(parts) {
	let length = 0;
	for (const part of parts) length += part.length;
	const joined = new Uint8Array(length);
	let at = 0;
	for (const part of parts) {
		joined.set(part, at);
		at += part.length;
	}
	return joined;
}
/** @throws RangeError on an unpaired surrogate, because TextEncoder would silently replace it with U+FFFD */
function utf8(text) {
	if (!text.isWellFormed()) throw new RangeError("text with an unpaired surrogate has no UTF-8 form");
	return textEncoder.encode(text);
}
function u8(value) {
	return bigEndian(value, 1);
}
function u16(value) {
	return bigEndian(value, 2);
}
function u32$1(value) {
	return bigEndian(value, 4);
}
function u64(value) {
	if (typeof value === "number") return bigEndian(value, 8);
	if (value < 0n || value >= 1n << 64n) throw new RangeError(`${value} does not fit 8 bytes`);
	return concatBytes$2(u32$1(Number(value >> 32n)), u32$1(Number(value & 4294967295n)));
}
/** `LP(x)`: the length as u32, then the bytes. */
function lengthPrefixed(bytes) {
	return concatBytes$2(u32$1(bytes.length), bytes);
}
/** Takes constant time for equal lengths. The length itself is not secret. */
function bytesEqual(a, b) {
	if (a.length !== b.length) return false;
	let difference = 0;
	for (let i = 0; i < a.length; i++) difference |= (a[i] ?? 0) ^ (b[i] ?? 0);
	return difference === 0;
}
/** What a reader makes of bytes or text. Undefined where they have another form: readers throw a RangeError then. */
function readOrUndefined(read) {
	try {
		return read();
	} catch (error) {
		if (error instanceof RangeError) return void 0;
		throw error;
	}
}
var NOT_IN_ALPHABET = 255;
/**
* Where Node writes the text of a hash, which takes half as long as joining pairs, and leaves no garbage: each pair that is
* joined takes 32 bytes. Browsers have nothing of the kind.
*/
var HEX_TEXT = globalThis.process?.getBuiltinModule?.("node:buffer").Buffer.alloc(256);
var HEX_PAIRS = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));
var ALPHANUMERIC = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
var STANDARD = charCodes(`${ALPHANUMERIC}+/`);
var URL_SAFE = charCodes(`${ALPHANUMERIC}-_`);
var STANDARD_VALUES = valuesByCharCode(STANDARD);
var URL_SAFE_VALUES = valuesByCharCode(URL_SAFE);
var HEX_CODES = charCodes("0123456789abcdef");
var HEX_VALUES = valuesByCharCode(HEX_CODES);
var textEncoder = new TextEncoder();
var textDecoder$1 = new TextDecoder();
/** Uses arithmetic, because bit shifts would cut the value to 32 bits. */
function bigEndian(value, size) {
	if (!Number.isSafeInteger(value) || value < 0 || value >= 256 ** size) throw new RangeError(`${value} is not an unsigned integer of ${size} bytes`);
	const bytes = new Uint8Array(size);
	for (let i = size - 1, rest = value; rest > 0; i--, rest = Math.floor(rest / 256)) bytes[i] = rest % 256;
	return bytes;
}
/** The base64 characters of `bytes` without padding: ceil(8n / 6) of them. */
function encode(bytes, alphabet) {
	const characters = new Uint8Array(Math.ceil(bytes.length * 4 / 3));
	for (let from = 0, to = 0; from < bytes.length; from += 3, to += 4) {
		const group = (bytes[from] ?? 0) << 16 | (bytes[from + 1] ?? 0) << 8 | (bytes[from + 2] ?? 0);
		characters[to] = alphabet[group >>> 18] ?? 0;
		characters[to + 1] = alphabet[group >>> 12 & 63] ?? 0;
		characters[to + 2] = alphabet[group >>> 6 & 63] ?? 0;
		characters[to + 3] = alphabet[group & 63] ?? 0;
	}
	return textDecoder$1.decode(characters);
}
function decode$1(text, values) {
	if (text.length % 4 === 1) throw new RangeError("base64 of no whole number of bytes");
	const bytes = new Uint8Array(Math.floor(text.length * 3 / 4));
	let bits = 0;
	let held = 0;
	let at = 0;
	for (let i = 0; i < text.length; i++) {
		const value = values[text.charCodeAt(i)] ?? NOT_IN_ALPHABET;
		if (value === NOT_IN_ALPHABET) throw new RangeError(`character ${i} is not in the base64 alphabet`);
		bits = (bits & 63) << 6 | value;
		held += 6;
		if (held < 8) continue;
		held -= 8;
		bytes[at++] = bits >>> held;
	}
	if ((bits & (1 << held) - 1) !== 0) throw new RangeError("unused bits of base64 must be zero");
	return bytes;
}
function charCodes(text) {
	return Uint8Array.from(text, (character) => character.charCodeAt(0));
}
function valuesByCharCode(alphabet) {
	const values = (/* @__PURE__ */ new Uint8Array(128)).fill(NOT_IN_ALPHABET);
	alphabet.forEach((code, value) => {
		values[code] = value;
	});
	return values;
}
// node_modules/@noble/hashes/_u64.js
var U32_MASK64 = /* @__PURE__ */ (() => BigInt(2 ** 32 - 1))();
var _32n = /* @__PURE__ */ BigInt(32);
function fromBig(n, le = false) {
	if (le) return {
		h: Number(n & U32_MASK64),
		l: Number(n >> _32n & U32_MASK64)
	};
	return {
		h: Number(n >> _32n & U32_MASK64) | 0,
		l: Number(n & U32_MASK64) | 0
	};
}
function split(lst, le = false) {
	const len = lst.length;
	let Ah = new Uint32Array(len);
	let Al = new Uint32Array(len);
	for (let i = 0; i < len; i++) {
		const { h, l } = fromBig(lst[i], le);
		[Ah[i], Al[i]] = [h, l];
	}
	return [Ah, Al];
}
var fromNumH = (n) => n / 2 ** 32 | 0;
var fromNumL = (n) => n >>> 0;
function setU64FromNum(view, byteOffset, n, isLE) {
	const h = fromNumH(n);
	const l = fromNumL(n);
	view.setUint32(byteOffset, isLE ? l : h, isLE);
	view.setUint32(byteOffset + 4, isLE ? h : l, isLE);
}
var shrSH = (h, _l, s) => h >>> s;
var shrSL = (h, l, s) => h << 32 - s | l >>> s;
var rotrSH = (h, l, s) => h >>> s | l << 32 - s;
var rotrSL = (h, l, s) => h << 32 - s | l >>> s;
var rotrBH = (h, l, s) => h << 64 - s | l >>> s - 32;
var rotrBL = (h, l, s) => h >>> s - 32 | l << 64 - s;
var rotr32H = (_h, l) => l;
var rotr32L = (h, _l) => h;
function add$1(Ah, Al, Bh, Bl) {
	const l = (Al >>> 0) + (Bl >>> 0);
	return {
		h: Ah + Bh + (l / 2 ** 32 | 0) | 0,
		l: l | 0
	};
}
var add3L = (Al, Bl, Cl) => (Al >>> 0) + (Bl >>> 0) + (Cl >>> 0);
var add3H = (low, Ah, Bh, Ch) => Ah + Bh + Ch + (low / 2 ** 32 | 0) | 0;
var add4L = (Al, Bl, Cl, Dl) => (Al >>> 0) + (Bl >>> 0) + (Cl >>> 0) + (Dl >>> 0);
var add4H = (low, Ah, Bh, Ch, Dh) => Ah + Bh + Ch + Dh + (low / 2 ** 32 | 0) | 0;
var add5L = (Al, Bl, Cl, Dl, El) => (Al >>> 0) + (Bl >>> 0) + (Cl >>> 0) + (Dl >>> 0) + (El >>> 0);
var add5H = (low, Ah, Bh, Ch, Dh, Eh) => Ah + Bh + Ch + Dh + Eh + (low / 2 ** 32 | 0) | 0;
// node_modules/@noble/hashes/utils.js
/**
* Checks if something is Uint8Array. Be careful: nodejs Buffer will return true.
* @param a - value to test
* @returns `true` when the value is a Uint8Array-compatible view.
* @example
* Check whether a value is a Uint8Array-compatible view.
* ```ts
* isBytes(new Uint8Array([1, 2, 3]));
* ```
*/
function isBytes$1(a) {
	return a instanceof Uint8Array || ArrayBuffer.isView(a) && a.constructor.name === "Uint8Array" && "BYTES_PER_ELEMENT" in a && a.BYTES_PER_ELEMENT === 1;
}
var atitle$1 = (title) => title ? `"${title}" ` : "";
/**
* Asserts something is a non-negative integer.
* @param n - number to validate
* @param title - label included in thrown errors
* @returns The validated number.
* @throws On wrong argument types. {@link TypeError}
* @throws On wrong argument ranges or values. {@link RangeError}
* @example
* Validate a non-negative integer option.
* ```ts
* anumber(32, 'length');
* ```
*/
function anumber$1(n, title = "") {
	if (typeof n !== "number") throw new TypeError(atitle$1(title) + "expected number, got " + typeof n);
	if (!Number.isSafeInteger(n) || n < 0) throw new RangeError(atitle$1(title) + "expected integer >= 0, got " + n);
	return n;
}
/**
* Asserts something is a boolean.
* @param value - value to validate
* @param title - label included in thrown errors
* @returns The validated boolean.
* @throws On wrong argument types. {@link TypeError}
* @example
* Validate a boolean option.
* ```ts
* abool(true, 'enableXOF');
* ```
*/
function abool$1(value, title = "") {
	if (typeof value !== "boolean") throw new TypeError(atitle$1(title) + "expected boolean, got type=" + typeof value);
	return value;
}
/**
* Asserts something is Uint8Array.
* @param value - value to validate
* @param length - optional exact length constraint
* @param title - label included in thrown errors
* @returns The validated byte array.
* @throws On wrong argument types. {@link TypeError}
* @throws On wrong argument ranges or values. {@link RangeError}
* @example
* Validate that a value is a byte array.
* ```ts
* abytes(new Uint8Array([1, 2, 3]));
* ```
*/
function abytes$1(value, length, title = "") {
	if (isBytes$1(value) && (length === void 0 || value.length === length)) return value;
	if (length !== void 0) anumber$1(length, "length");
	const bytes = isBytes$1(value);
	const ofLen = length !== void 0 ? ` of length ${length}` : "";
	const got = bytes ? `length=${value.length}` : `type=${typeof value}`;
	const message = atitle$1(title) + "expected Uint8Array" + ofLen + ", got " + got;
	if (!bytes) throw new TypeError(message);
	throw new RangeError(message);
}
/**
* Copies bytes into a fresh Uint8Array.
* Buffer-style slices can alias the same backing store, so callers that need ownership should copy.
* @param bytes - source bytes to clone
* @returns Freshly allocated copy of `bytes`.
* @throws On wrong argument types. {@link TypeError}
* @example
* Clone a byte array before mutating it.
* ```ts
* const copy = copyBytes(new Uint8Array([1, 2, 3]));
* ```
*/
function copyBytes$1(bytes) {
	return Uint8Array.from(abytes$1(bytes));
}
/**
* Asserts something is a wrapped hash constructor.
* @param h - hash constructor to validate
* @throws On wrong argument types or invalid hash wrapper shape. {@link TypeError}
* @throws On invalid hash metadata ranges or values. {@link RangeError}
* @throws If the hash metadata allows empty outputs or block sizes. {@link Error}
* @example
* Validate a callable hash wrapper.
* ```ts
* import { ahash } from '@noble/hashes/utils.js';
* import { sha256 } from '@noble/hashes/sha2.js';
* ahash(sha256);
* ```
*/
function ahash(h) {
	if (typeof h !== "function" || typeof h.create !== "function") throw new TypeError("expected hash wrapped by utils.createHasher");
	anumber$1(h.outputLen);
	anumber$1(h.blockLen);
	if (h.outputLen < 1 || h.blockLen < 1) throw new Error("hash blockLen / outputLen must be >= 1");
}
var aobject$2 = (value, label) => {
	if (value === null || typeof value !== "object" || Array.isArray(value)) throw new TypeError((label === "object" ? "" : `"${label}" `) + "expected object, got type=" + typeof value);
};
var aopts = (value, label) => {
	aobject$2(value, label);
	const proto = Object.getPrototypeOf(value);
	if (proto !== Object.prototype && proto !== null) throw new TypeError(`"${label}" expected plain object`);
	if (Object.hasOwn(value, "__proto__")) throw new TypeError(`"${label}.__proto__" is not allowed`);
};
/**
* Asserts a hash instance has not been destroyed or finished.
* @param instance - hash instance to validate
* @param checkFinished - whether to reject finalized instances
* @throws If the hash instance has already been destroyed or finalized. {@link Error}
* @example
* Validate that a hash instance is still usable.
* ```ts
* import { aexists } from '@noble/hashes/utils.js';
* import { sha256 } from '@noble/hashes/sha2.js';
* const hash = sha256.create();
* aexists(hash);
* ```
*/
function aexists(instance, checkFinished = true) {
	if (instance.destroyed) throw new Error("hash was destroyed");
	if (checkFinished && instance.finished) throw new Error("digest() was already called");
}
/**
* Asserts output is a sufficiently-sized byte array.
* @param out - destination buffer
* @param instance - hash instance providing output length
* Oversized buffers are allowed; downstream code only promises to fill the first `outputLen` bytes.
* @throws On wrong argument types. {@link TypeError}
* @throws On wrong argument ranges or values. {@link RangeError}
* @example
* Validate a caller-provided digest buffer.
* ```ts
* import { aoutput } from '@noble/hashes/utils.js';
* import { sha256 } from '@noble/hashes/sha2.js';
* const hash = sha256.create();
* aoutput(new Uint8Array(hash.outputLen), hash);
* ```
*/
function aoutput(out, instance) {
	abytes$1(out, void 0, "output");
	const min = instance.outputLen;
	if (!(out.length >= min)) throw new RangeError("\"output\" expected length >= " + min);
}
/**
* Casts a typed array view to Uint32Array.
* `arr.byteOffset` must already be 4-byte aligned or the platform
* Uint32Array constructor will throw.
* @param arr - source typed array
* @returns Uint32Array view over the same buffer.
* @example
* Reinterpret a byte array as 32-bit words.
* ```ts
* u32(new Uint8Array(8));
* ```
*/
function u32(arr) {
	return new Uint32Array(arr.buffer, arr.byteOffset, Math.floor(arr.byteLength / 4));
}
/**
* Zeroizes typed arrays in place. Warning: JS provides no guarantees.
* @param arrays - arrays to overwrite with zeros
* @example
* Zeroize sensitive buffers in place.
* ```ts
* clean(new Uint8Array([1, 2, 3]));
* ```
*/
function clean(...arrays) {
	for (let i = 0; i < arrays.length; i++) arrays[i].fill(0);
}
/**
* Creates a DataView for byte-level manipulation.
* @param arr - source typed array
* @returns DataView over the same buffer region.
* @example
* Create a DataView over an existing buffer.
* ```ts
* createView(new Uint8Array(4));
* ```
*/
function createView(arr) {
	return new DataView(arr.buffer, arr.byteOffset, arr.byteLength);
}
/**
* Rotate-right operation for uint32 values.
* @param word - source word
* @param shift - shift amount in bits
* @returns Rotated word.
* @example
* Rotate a 32-bit word to the right.
* ```ts
* rotr(0x12345678, 8);
* ```
*/
function rotr(word, shift) {
	return word << 32 - shift | word >>> shift;
}
/**
* Rotate-left operation for uint32 values.
* @param word - source word
* @param shift - shift amount in bits
* @returns Rotated word.
* @example
* Rotate a 32-bit word to the left.
* ```ts
* rotl(0x12345678, 8);
* ```
*/
function rotl(word, shift) {
	return word << shift | word >>> 32 - shift >>> 0;
}
/** Whether the current platform is little-endian. */
var isLE = /* @__PURE__ */ (() => new Uint8Array(new Uint32Array([287454020]).buffer)[0] === 68)();
/**
* Byte-swap operation for uint32 values.
* @param word - source word
* @returns Word with reversed byte order.
* @example
* Reverse the byte order of a 32-bit word.
* ```ts
* byteSwap(0x11223344);
* ```
*/
function byteSwap(word) {
	return word << 24 & 4278190080 | word << 8 & 16711680 | word >>> 8 & 65280 | word >>> 24 & 255;
}
/**
* Conditionally byte-swaps one 32-bit word on big-endian platforms.
* @param n - source word
* @returns Original or byte-swapped word depending on platform endianness.
* @example
* Normalize a 32-bit word for host endianness.
* ```ts
* swap8IfBE(0x11223344);
* ```
*/
var swap8IfBE = isLE ? (n) => n : (n) => byteSwap(n) >>> 0;
/**
* Byte-swaps every word of a Uint32Array in place.
* @param arr - array to mutate
* @returns The same array after mutation; callers pass live state arrays here.
* @example
* Reverse the byte order of every word in place.
* ```ts
* byteSwap32(new Uint32Array([0x11223344]));
* ```
*/
function byteSwap32(arr) {
	for (let i = 0; i < arr.length; i++) arr[i] = byteSwap(arr[i]);
	return arr;
}
/**
* Conditionally byte-swaps a Uint32Array on big-endian platforms.
* @param u - array to normalize for host endianness
* @returns Original or byte-swapped array depending on platform endianness.
*   On big-endian runtimes this mutates `u` in place via `byteSwap32(...)`.
* @example
* Normalize a word array for host endianness.
* ```ts
* swap32IfBE(new Uint32Array([0x11223344]));
* ```
*/
var swap32IfBE = isLE ? (u) => u : byteSwap32;
var hasHexBuiltin = /* @__PURE__ */ (() => typeof Uint8Array.from([]).toHex === "function" && typeof Uint8Array.fromHex === "function")();
var hexes = /* @__PURE__ */ Array.from({ length: 256 }, (_, i) => i.toString(16).padStart(2, "0"));
/**
* Convert byte array to hex string.
* Uses the built-in function when available and assumes it matches the tested
* fallback semantics.
* @param bytes - bytes to encode
* @returns Lowercase hexadecimal string.
* @throws On wrong argument types. {@link TypeError}
* @example
* Convert bytes to lowercase hexadecimal.
* ```ts
* bytesToHex(Uint8Array.from([0xca, 0xfe, 0x01, 0x23])); // 'cafe0123'
* ```
*/
function bytesToHex$1(bytes) {
	abytes$1(bytes);
	if (hasHexBuiltin) return bytes.toHex();
	let hex = "";
	for (let i = 0; i < bytes.length; i++) hex += hexes[bytes[i]];
	return hex;
}
function asciiToBase16(ch) {
	return ch >= 48 && ch <= 57 ? ch - 48 : ch >= 65 && ch <= 70 ? ch - 55 : ch >= 97 && ch <= 102 ? ch - 87 : void 0;
}
/**
* Convert hex string to byte array. Uses built-in function, when available.
* @param hex - hexadecimal string to decode
* @returns Decoded bytes.
* @throws On wrong argument types. {@link TypeError}
* @throws On wrong argument ranges or values. {@link RangeError}
* @example
* Decode lowercase hexadecimal into bytes.
* ```ts
* hexToBytes('cafe0123'); // Uint8Array.from([0xca, 0xfe, 0x01, 0x23])
* ```
*/
function hexToBytes$1(hex) {
	if (typeof hex !== "string") throw new TypeError("hex string expected, got " + typeof hex);
	if (hasHexBuiltin) try {
		return Uint8Array.fromHex(hex);
	} catch (error) {
		if (error instanceof SyntaxError) throw new RangeError(error.message);
		throw error;
	}
	const hl = hex.length;
	const al = hl / 2;
	if (hl % 2) throw new RangeError("hex string expected, got unpadded hex of length " + hl);
	const array = new Uint8Array(al);
	for (let ai = 0, hi = 0; ai < al; ai++, hi += 2) {
		const n1 = asciiToBase16(hex.charCodeAt(hi));
		const n2 = asciiToBase16(hex.charCodeAt(hi + 1));
		if (n1 === void 0 || n2 === void 0) {
			const char = hex[hi] + hex[hi + 1];
			throw new RangeError("hex string expected, got non-hex character \"" + char + "\" at index " + hi);
		}
		array[ai] = n1 * 16 + n2;
	}
	return array;
}
/**
* Copies several Uint8Arrays into one.
* @param arrays - arrays to concatenate
* @returns Concatenated byte array.
* @throws On wrong argument types. {@link TypeError}
* @example
* Concatenate multiple byte arrays.
* ```ts
* concatBytes(new Uint8Array([1]), new Uint8Array([2]));
* ```
*/
function concatBytes$1(...arrays) {
	let sum = 0;
	for (let i = 0; i < arrays.length; i++) {
		const a = arrays[i];
		abytes$1(a);
		sum += a.length;
	}
	const res = new Uint8Array(sum);
	for (let i = 0, pad = 0; i < arrays.length; i++) {
		const a = arrays[i];
		res.set(a, pad);
		pad += a.length;
	}
	return res;
}
/**
* Merges default options and passed options.
* @param defaults - base option object
* @param opts - user overrides
* @param title - label included in thrown override errors
* @returns Fresh merged option object with a null prototype.
* @throws On wrong argument types. {@link TypeError}
* @example
* Merge user overrides onto default options.
* ```ts
* checkOpts({ dkLen: 32 }, { asyncTick: 10 });
* ```
*/
function checkOpts(defaults, opts, title = "opts") {
	aopts(defaults, "defaults");
	if (opts !== void 0) aopts(opts, title);
	return Object.assign(Object.create(null), defaults, opts);
}
/**
* Creates a callable hash function from a stateful class constructor.
* @param hashCons - hash constructor or factory
* @param info - optional metadata such as DER OID
* @returns Frozen callable hash wrapper with `.create()`.
*   Wrapper construction eagerly calls `hashCons(undefined)` once to read
*   `outputLen` / `blockLen`, so constructor side effects happen at module
*   init time.
* @throws On wrong argument types. {@link TypeError}
* @example
* Wrap a stateful hash constructor into a callable helper.
* ```ts
* import { createHasher } from '@noble/hashes/utils.js';
* import { sha256 } from '@noble/hashes/sha2.js';
* const wrapped = createHasher(sha256.create, { oid: sha256.oid });
* wrapped(new Uint8Array([1]));
* ```
*/
function createHasher(hashCons, info = {}) {
	if (typeof hashCons !== "function") throw new TypeError("\"hashCons\" expected function, got type=" + typeof hashCons);
	info = checkOpts({}, info, "info");
	const hashC = (msg, opts) => hashCons(opts).update(msg).digest();
	const tmp = hashCons(void 0);
	hashC.outputLen = tmp.outputLen;
	hashC.blockLen = tmp.blockLen;
	hashC.canXOF = tmp.canXOF;
	hashC.create = (opts) => hashCons(opts);
	Object.assign(hashC, info);
	return Object.freeze(hashC);
}
/**
* Cryptographically secure PRNG backed by `crypto.getRandomValues`.
* @param bytesLength - number of random bytes to generate
* @returns Random bytes.
* The platform `getRandomValues()` implementation still defines any
* single-call length cap, and this helper rejects oversize requests
* with a stable library `RangeError` instead of host-specific errors.
* @throws On wrong argument types. {@link TypeError}
* @throws On wrong argument ranges or values. {@link RangeError}
* @throws If the current runtime does not provide `crypto.getRandomValues`. {@link Error}
* @example
* Generate a fresh random key or nonce.
* ```ts
* const key = randomBytes(16);
* ```
*/
function randomBytes$3(bytesLength = 32) {
	anumber$1(bytesLength, "bytesLength");
	const cr = typeof globalThis === "object" ? globalThis.crypto : null;
	if (typeof cr?.getRandomValues !== "function") throw new Error("crypto.getRandomValues must be defined");
	if (bytesLength > 65536) throw new RangeError(`"bytesLength" expected <= 65536, got ${bytesLength}`);
	return cr.getRandomValues(new Uint8Array(bytesLength));
}
/**
* Creates OID metadata for NIST hashes with prefix `06 09 60 86 48 01 65 03 04 02`.
* @param suffix - final OID byte for the selected hash.
*   The helper accepts any byte even though only the documented NIST hash
*   suffixes are meaningful downstream.
* @returns Object containing the DER-encoded OID.
* @example
* Build OID metadata for a NIST hash.
* ```ts
* oidNist(0x01);
* ```
*/
var oidNist = (suffix) => ({ oid: Uint8Array.from([
	6,
	9,
	96,
	134,
	72,
	1,
	101,
	3,
	4,
	2,
	suffix
]) });
// node_modules/@noble/hashes/_md.js
/**
* Internal Merkle-Damgard hash utils.
* @module
*/
/**
* Shared 32-bit conditional boolean primitive reused by SHA-256, SHA-1, and MD5 `F`.
* Returns bits from `b` when `a` is set, otherwise from `c`.
* The XOR form is equivalent to MD5's `F(X,Y,Z) = XY v not(X)Z` because the masked terms never
* set the same bit.
* @param a - selector word
* @param b - word chosen when selector bit is set
* @param c - word chosen when selector bit is clear
* @returns Mixed 32-bit word.
* @example
* Combine three words with the shared 32-bit choice primitive.
* ```ts
* Chi(0xffffffff, 0x12345678, 0x87654321);
* ```
*/
function Chi(a, b, c) {
	return a & b ^ ~a & c;
}
/**
* Shared 32-bit majority primitive reused by SHA-256 and SHA-1.
* Returns bits shared by at least two inputs.
* @param a - first input word
* @param b - second input word
* @param c - third input word
* @returns Mixed 32-bit word.
* @example
* Combine three words with the shared 32-bit majority primitive.
* ```ts
* Maj(0xffffffff, 0x12345678, 0x87654321);
* ```
*/
function Maj(a, b, c) {
	return a & b ^ a & c ^ b & c;
}
/**
* Merkle-Damgard hash construction base class.
* Could be used to create MD5, RIPEMD, SHA1, SHA2.
* Accepts only byte-aligned `Uint8Array` input, even when the underlying spec describes bit
* strings with partial-byte tails.
* @param blockLen - internal block size in bytes
* @param outputLen - digest size in bytes
* @param padOffset - trailing length field size in bytes
* @param isLE - whether length and state words are encoded in little-endian
* @example
* Use a concrete subclass to get the shared Merkle-Damgard update/digest flow.
* ```ts
* import { _SHA1 } from '@noble/hashes/legacy.js';
* const hash = new _SHA1();
* hash.update(new Uint8Array([97, 98, 99]));
* hash.digest();
* ```
*/
var HashMD = class {
	blockLen;
	outputLen;
	canXOF = false;
	padOffset;
	isLE;
	buffer;
	view;
	finished = false;
	length = 0;
	pos = 0;
	destroyed = false;
	constructor(blockLen, outputLen, padOffset, isLE) {
		this.blockLen = blockLen;
		this.outputLen = outputLen;
		this.padOffset = padOffset;
		this.isLE = isLE;
		this.buffer = new Uint8Array(blockLen);
		this.view = createView(this.buffer);
	}
	update(data) {
		aexists(this);
		abytes$1(data);
		const { view, buffer, blockLen } = this;
		const len = data.length;
		let processed = false;
		for (let pos = 0; pos < len;) {
			const take = Math.min(blockLen - this.pos, len - pos);
			if (take === blockLen) {
				const dataView = createView(data);
				for (; blockLen <= len - pos; pos += blockLen) this.process(dataView, pos);
				processed = true;
				continue;
			}
			buffer.set(pos === 0 && take === len ? data : data.subarray(pos, pos + take), this.pos);
			this.pos += take;
			pos += take;
			if (this.pos === blockLen) {
				this.process(view, 0);
				this.pos = 0;
				processed = true;
			}
		}
		this.length += data.length;
		if (processed) this.roundClean();
		return this;
	}
	digestInto(out) {
		aexists(this);
		aoutput(out, this);
		this.finished = true;
		const { buffer, view, blockLen, isLE } = this;
		let { pos } = this;
		buffer[pos++] = 128;
		buffer.fill(0, pos);
		if (this.padOffset > blockLen - pos) {
			this.process(view, 0);
			buffer.fill(0);
		}
		setU64FromNum(view, blockLen - 8, this.length * 8, isLE);
		this.process(view, 0);
		this.roundClean();
		const oview = out === buffer ? view : createView(out);
		const len = this.outputLen;
		const outLen = len / 4;
		const state = this.get();
		if (len % 4 || outLen > state.length) throw new Error("invalid outputLen");
		for (let i = 0; i < outLen; i++) oview.setUint32(4 * i, state[i], isLE);
	}
	digest() {
		const { buffer, outputLen } = this;
		this.digestInto(buffer);
		const res = buffer.slice(0, outputLen);
		this.destroy();
		return res;
	}
	_cloneIntoMeta(to) {
		const { buffer, length, finished, destroyed, pos } = this;
		to.destroyed = destroyed;
		to.finished = finished;
		to.length = length;
		to.pos = pos;
		if (pos) to.buffer.set(buffer);
		return to;
	}
	clone() {
		return this._cloneInto();
	}
};
/**
* Initial SHA-2 state: fractional parts of square roots of first 16 primes 2..53.
* Check out `test/misc/sha2-gen-iv.js` for recomputation guide.
*/
/** Initial SHA256 state from RFC 6234 §6.1: the first 32 bits of the fractional parts of the
* square roots of the first eight prime numbers. Exported as a shared table; callers must treat
* it as read-only because constructors copy words from it by index. */
var SHA256_IV = /* @__PURE__ */ Uint32Array.from([
	1779033703,
	3144134277,
	1013904242,
	2773480762,
	1359893119,
	2600822924,
	528734635,
	1541459225
]);
/** Initial SHA224 state `H(0)` from RFC 6234 §6.1. Exported as a shared table; callers must
* treat it as read-only because constructors copy words from it by index. */
var SHA224_IV = /* @__PURE__ */ Uint32Array.from([
	3238371032,
	914150663,
	812702999,
	4144912697,
	4290775857,
	1750603025,
	1694076839,
	3204075428
]);
/** Initial SHA384 state from RFC 6234 §6.3: eight RFC 64-bit `H(0)` words stored as sixteen
* big-endian 32-bit halves. Derived from the fractional parts of the square roots of the ninth
* through sixteenth prime numbers. Exported as a shared table; callers must treat it as read-only
* because constructors copy halves from it by index. */
var SHA384_IV = /* @__PURE__ */ Uint32Array.from([
	3418070365,
	3238371032,
	1654270250,
	914150663,
	2438529370,
	812702999,
	355462360,
	4144912697,
	1731405415,
	4290775857,
	2394180231,
	1750603025,
	3675008525,
	1694076839,
	1203062813,
	3204075428
]);
/** Initial SHA512 state from RFC 6234 §6.3: eight RFC 64-bit `H(0)` words stored as sixteen
* big-endian 32-bit halves. Derived from the fractional parts of the square roots of the first
* eight prime numbers. Exported as a shared table; callers must treat it as read-only because
* constructors copy halves from it by index. */
var SHA512_IV = /* @__PURE__ */ Uint32Array.from([
	1779033703,
	4089235720,
	3144134277,
	2227873595,
	1013904242,
	4271175723,
	2773480762,
	1595750129,
	1359893119,
	2917565137,
	2600822924,
	725511199,
	528734635,
	4215389547,
	1541459225,
	327033209
]);
// node_modules/@noble/hashes/sha2.js
/**
* SHA2 hash function. A.k.a. sha256, sha384, sha512, sha512_224, sha512_256.
* SHA256 is the fastest hash implementable in JS, even faster than Blake3.
* Check out {@link https://www.rfc-editor.org/rfc/rfc4634 | RFC 4634} and
* {@link https://nvlpubs.nist.gov/nistpubs/FIPS/NIST.FIPS.180-4.pdf | FIPS 180-4}.
* @module
*/
/**
* SHA-224 / SHA-256 round constants from RFC 6234 §5.1: the first 32 bits
* of the cube roots of the first 64 primes (2..311).
*/
var SHA256_K = /* @__PURE__ */ Uint32Array.from([
	1116352408,
	1899447441,
	3049323471,
	3921009573,
	961987163,
	1508970993,
	2453635748,
	2870763221,
	3624381080,
	310598401,
	607225278,
	1426881987,
	1925078388,
	2162078206,
	2614888103,
	3248222580,
	3835390401,
	4022224774,
	264347078,
	604807628,
	770255983,
	1249150122,
	1555081692,
	1996064986,
	2554220882,
	2821834349,
	2952996808,
	3210313671,
	3336571891,
	3584528711,
	113926993,
	338241895,
	666307205,
	773529912,
	1294757372,
	1396182291,
	1695183700,
	1986661051,
	2177026350,
	2456956037,
	2730485921,
	2820302411,
	3259730800,
	3345764771,
	3516065817,
	3600352804,
	4094571909,
	275423344,
	430227734,
	506948616,
	659060556,
	883997877,
	958139571,
	1322822218,
	1537002063,
	1747873779,
	1955562222,
	2024104815,
	2227730452,
	2361852424,
	2428436474,
	2756734187,
	3204031479,
	3329325298
]);
/** Reusable SHA-224 / SHA-256 message schedule buffer `W_t` from RFC 6234 §6.2 step 1. */
var SHA256_W = /* @__PURE__ */ new Uint32Array(64);
/** Internal SHA-224 / SHA-256 compression engine from RFC 6234 §6.2. */
var SHA2_32B = class extends HashMD {
	A = 0;
	B = 0;
	C = 0;
	D = 0;
	E = 0;
	F = 0;
	G = 0;
	H = 0;
	constructor(outputLen, IV) {
		super(64, outputLen, 8, false);
		this.A = IV[0] | 0;
		this.B = IV[1] | 0;
		this.C = IV[2] | 0;
		this.D = IV[3] | 0;
		this.E = IV[4] | 0;
		this.F = IV[5] | 0;
		this.G = IV[6] | 0;
		this.H = IV[7] | 0;
	}
	get() {
		const { A, B, C, D, E, F, G, H } = this;
		return [
			A,
			B,
			C,
			D,
			E,
			F,
			G,
			H
		];
	}
	set(A, B, C, D, E, F, G, H) {
		this.A = A | 0;
		this.B = B | 0;
		this.C = C | 0;
		this.D = D | 0;
		this.E = E | 0;
		this.F = F | 0;
		this.G = G | 0;
		this.H = H | 0;
	}
	_cloneInto(to) {
		(to ||= new this.constructor()).set(...this.get());
		return this._cloneIntoMeta(to);
	}
	process(view, offset) {
		for (let i = 0; i < 16; i++, offset += 4) SHA256_W[i] = view.getUint32(offset, false);
		for (let i = 16; i < 64; i++) {
			const W15 = SHA256_W[i - 15];
			const W2 = SHA256_W[i - 2];
			const s0 = rotr(W15, 7) ^ rotr(W15, 18) ^ W15 >>> 3;
			const s1 = rotr(W2, 17) ^ rotr(W2, 19) ^ W2 >>> 10;
			SHA256_W[i] = s1 + SHA256_W[i - 7] + s0 + SHA256_W[i - 16] | 0;
		}
		let { A, B, C, D, E, F, G, H } = this;
		for (let i = 0; i < 64; i++) {
			const sigma1 = rotr(E, 6) ^ rotr(E, 11) ^ rotr(E, 25);
			const T1 = H + sigma1 + Chi(E, F, G) + SHA256_K[i] + SHA256_W[i] | 0;
			const T2 = (rotr(A, 2) ^ rotr(A, 13) ^ rotr(A, 22)) + Maj(A, B, C) | 0;
			H = G;
			G = F;
			F = E;
			E = D + T1 | 0;
			D = C;
			C = B;
			B = A;
			A = T1 + T2 | 0;
		}
		A = A + this.A | 0;
		B = B + this.B | 0;
		C = C + this.C | 0;
		D = D + this.D | 0;
		E = E + this.E | 0;
		F = F + this.F | 0;
		G = G + this.G | 0;
		H = H + this.H | 0;
		this.set(A, B, C, D, E, F, G, H);
	}
	roundClean() {
		clean(SHA256_W);
	}
	destroy() {
		this.destroyed = true;
		this.set(0, 0, 0, 0, 0, 0, 0, 0);
		clean(this.buffer);
	}
};
/** Internal SHA-256 hash class grounded in RFC 6234 §6.2. */
var _SHA256 = class extends SHA2_32B {
	constructor() {
		super(32, SHA256_IV);
	}
};
/** Internal SHA-224 hash class grounded in RFC 6234 §6.2 and §8.5. */
var _SHA224 = class extends SHA2_32B {
	constructor() {
		super(28, SHA224_IV);
	}
};
var K512 = /* @__PURE__ */ (() => split([
	"0x428a2f98d728ae22",
	"0x7137449123ef65cd",
	"0xb5c0fbcfec4d3b2f",
	"0xe9b5dba58189dbbc",
	"0x3956c25bf348b538",
	"0x59f111f1b605d019",
	"0x923f82a4af194f9b",
	"0xab1c5ed5da6d8118",
	"0xd807aa98a3030242",
	"0x12835b0145706fbe",
	"0x243185be4ee4b28c",
	"0x550c7dc3d5ffb4e2",
	"0x72be5d74f27b896f",
	"0x80deb1fe3b1696b1",
	"0x9bdc06a725c71235",
	"0xc19bf174cf692694",
	"0xe49b69c19ef14ad2",
	"0xefbe4786384f25e3",
	"0x0fc19dc68b8cd5b5",
	"0x240ca1cc77ac9c65",
	"0x2de92c6f592b0275",
	"0x4a7484aa6ea6e483",
	"0x5cb0a9dcbd41fbd4",
	"0x76f988da831153b5",
	"0x983e5152ee66dfab",
	"0xa831c66d2db43210",
	"0xb00327c898fb213f",
	"0xbf597fc7beef0ee4",
	"0xc6e00bf33da88fc2",
	"0xd5a79147930aa725",
	"0x06ca6351e003826f",
	"0x142929670a0e6e70",
	"0x27b70a8546d22ffc",
	"0x2e1b21385c26c926",
	"0x4d2c6dfc5ac42aed",
	"0x53380d139d95b3df",
	"0x650a73548baf63de",
	"0x766a0abb3c77b2a8",
	"0x81c2c92e47edaee6",
	"0x92722c851482353b",
	"0xa2bfe8a14cf10364",
	"0xa81a664bbc423001",
	"0xc24b8b70d0f89791",
	"0xc76c51a30654be30",
	"0xd192e819d6ef5218",
	"0xd69906245565a910",
	"0xf40e35855771202a",
	"0x106aa07032bbd1b8",
	"0x19a4c116b8d2d0c8",
	"0x1e376c085141ab53",
	"0x2748774cdf8eeb99",
	"0x34b0bcb5e19b48a8",
	"0x391c0cb3c5c95a63",
	"0x4ed8aa4ae3418acb",
	"0x5b9cca4f7763e373",
	"0x682e6ff3d6b2b8a3",
	"0x748f82ee5defb2fc",
	"0x78a5636f43172f60",
	"0x84c87814a1f0ab72",
	"0x8cc702081a6439ec",
	"0x90befffa23631e28",
	"0xa4506cebde82bde9",
	"0xbef9a3f7b2c67915",
	"0xc67178f2e372532b",
	"0xca273eceea26619c",
	"0xd186b8c721c0c207",
	"0xeada7dd6cde0eb1e",
	"0xf57d4f7fee6ed178",
	"0x06f067aa72176fba",
	"0x0a637dc5a2c898a6",
	"0x113f9804bef90dae",
	"0x1b710b35131c471b",
	"0x28db77f523047d84",
	"0x32caab7b40c72493",
	"0x3c9ebe0a15c9bebc",
	"0x431d67c49c100d4c",
	"0x4cc5d4becb3e42b6",
	"0x597f299cfc657e2a",
	"0x5fcb6fab3ad6faec",
	"0x6c44198c4a475817"
].map((n) => BigInt(n))))();
var SHA512_Kh = /* @__PURE__ */ (() => K512[0])();
var SHA512_Kl = /* @__PURE__ */ (() => K512[1])();
var SHA512_W_H = /* @__PURE__ */ new Uint32Array(80);
var SHA512_W_L = /* @__PURE__ */ new Uint32Array(80);
/** Internal SHA-384 / SHA-512 compression engine from RFC 6234 §6.4. */
var SHA2_64B = class extends HashMD {
	Ah = 0;
	Al = 0;
	Bh = 0;
	Bl = 0;
	Ch = 0;
	Cl = 0;
	Dh = 0;
	Dl = 0;
	Eh = 0;
	El = 0;
	Fh = 0;
	Fl = 0;
	Gh = 0;
	Gl = 0;
	Hh = 0;
	Hl = 0;
	constructor(outputLen, IV) {
		super(128, outputLen, 16, false);
		this.Ah = IV[0] | 0;
		this.Al = IV[1] | 0;
		this.Bh = IV[2] | 0;
		this.Bl = IV[3] | 0;
		this.Ch = IV[4] | 0;
		this.Cl = IV[5] | 0;
		this.Dh = IV[6] | 0;
		this.Dl = IV[7] | 0;
		this.Eh = IV[8] | 0;
		this.El = IV[9] | 0;
		this.Fh = IV[10] | 0;
		this.Fl = IV[11] | 0;
		this.Gh = IV[12] | 0;
		this.Gl = IV[13] | 0;
		this.Hh = IV[14] | 0;
		this.Hl = IV[15] | 0;
	}
	get() {
		const { Ah, Al, Bh, Bl, Ch, Cl, Dh, Dl, Eh, El, Fh, Fl, Gh, Gl, Hh, Hl } = this;
		return [
			Ah,
			Al,
			Bh,
			Bl,
			Ch,
			Cl,
			Dh,
			Dl,
			Eh,
			El,
			Fh,
			Fl,
			Gh,
			Gl,
			Hh,
			Hl
		];
	}
	set(Ah, Al, Bh, Bl, Ch, Cl, Dh, Dl, Eh, El, Fh, Fl, Gh, Gl, Hh, Hl) {
		this.Ah = Ah | 0;
		this.Al = Al | 0;
		this.Bh = Bh | 0;
		this.Bl = Bl | 0;
		this.Ch = Ch | 0;
		this.Cl = Cl | 0;
		this.Dh = Dh | 0;
		this.Dl = Dl | 0;
		this.Eh = Eh | 0;
		this.El = El | 0;
		this.Fh = Fh | 0;
		this.Fl = Fl | 0;
		this.Gh = Gh | 0;
		this.Gl = Gl | 0;
		this.Hh = Hh | 0;
		this.Hl = Hl | 0;
	}
	_cloneInto(to) {
		(to ||= new this.constructor()).set(...this.get());
		return this._cloneIntoMeta(to);
	}
	process(view, offset) {
		for (let i = 0; i < 16; i++, offset += 4) {
			SHA512_W_H[i] = view.getUint32(offset);
			SHA512_W_L[i] = view.getUint32(offset += 4);
		}
		for (let i = 16; i < 80; i++) {
			const W15h = SHA512_W_H[i - 15] | 0;
			const W15l = SHA512_W_L[i - 15] | 0;
			const s0h = rotrSH(W15h, W15l, 1) ^ rotrSH(W15h, W15l, 8) ^ shrSH(W15h, W15l, 7);
			const s0l = rotrSL(W15h, W15l, 1) ^ rotrSL(W15h, W15l, 8) ^ shrSL(W15h, W15l, 7);
			const W2h = SHA512_W_H[i - 2] | 0;
			const W2l = SHA512_W_L[i - 2] | 0;
			const s1h = rotrSH(W2h, W2l, 19) ^ rotrBH(W2h, W2l, 61) ^ shrSH(W2h, W2l, 6);
			const SUMl = add4L(s0l, rotrSL(W2h, W2l, 19) ^ rotrBL(W2h, W2l, 61) ^ shrSL(W2h, W2l, 6), SHA512_W_L[i - 7], SHA512_W_L[i - 16]);
			const SUMh = add4H(SUMl, s0h, s1h, SHA512_W_H[i - 7], SHA512_W_H[i - 16]);
			SHA512_W_H[i] = SUMh | 0;
			SHA512_W_L[i] = SUMl | 0;
		}
		let { Ah, Al, Bh, Bl, Ch, Cl, Dh, Dl, Eh, El, Fh, Fl, Gh, Gl, Hh, Hl } = this;
		for (let i = 0; i < 80; i++) {
			const sigma1h = rotrSH(Eh, El, 14) ^ rotrSH(Eh, El, 18) ^ rotrBH(Eh, El, 41);
			const sigma1l = rotrSL(Eh, El, 14) ^ rotrSL(Eh, El, 18) ^ rotrBL(Eh, El, 41);
			const CHIh = Eh & Fh ^ ~Eh & Gh;
			const CHIl = El & Fl ^ ~El & Gl;
			const T1ll = add5L(Hl, sigma1l, CHIl, SHA512_Kl[i], SHA512_W_L[i]);
			const T1h = add5H(T1ll, Hh, sigma1h, CHIh, SHA512_Kh[i], SHA512_W_H[i]);
			const T1l = T1ll | 0;
			const sigma0h = rotrSH(Ah, Al, 28) ^ rotrBH(Ah, Al, 34) ^ rotrBH(Ah, Al, 39);
			const sigma0l = rotrSL(Ah, Al, 28) ^ rotrBL(Ah, Al, 34) ^ rotrBL(Ah, Al, 39);
			const MAJh = Ah & Bh ^ Ah & Ch ^ Bh & Ch;
			const MAJl = Al & Bl ^ Al & Cl ^ Bl & Cl;
			Hh = Gh | 0;
			Hl = Gl | 0;
			Gh = Fh | 0;
			Gl = Fl | 0;
			Fh = Eh | 0;
			Fl = El | 0;
			({h: Eh, l: El} = add$1(Dh | 0, Dl | 0, T1h | 0, T1l | 0));
			Dh = Ch | 0;
			Dl = Cl | 0;
			Ch = Bh | 0;
			Cl = Bl | 0;
			Bh = Ah | 0;
			Bl = Al | 0;
			const All = add3L(T1l, sigma0l, MAJl);
			Ah = add3H(All, T1h, sigma0h, MAJh);
			Al = All | 0;
		}
		({h: Ah, l: Al} = add$1(this.Ah | 0, this.Al | 0, Ah | 0, Al | 0));
		({h: Bh, l: Bl} = add$1(this.Bh | 0, this.Bl | 0, Bh | 0, Bl | 0));
		({h: Ch, l: Cl} = add$1(this.Ch | 0, this.Cl | 0, Ch | 0, Cl | 0));
		({h: Dh, l: Dl} = add$1(this.Dh | 0, this.Dl | 0, Dh | 0, Dl | 0));
		({h: Eh, l: El} = add$1(this.Eh | 0, this.El | 0, Eh | 0, El | 0));
		({h: Fh, l: Fl} = add$1(this.Fh | 0, this.Fl | 0, Fh | 0, Fl | 0));
		({h: Gh, l: Gl} = add$1(this.Gh | 0, this.Gl | 0, Gh | 0, Gl | 0));
		({h: Hh, l: Hl} = add$1(this.Hh | 0, this.Hl | 0, Hh | 0, Hl | 0));
		this.set(Ah, Al, Bh, Bl, Ch, Cl, Dh, Dl, Eh, El, Fh, Fl, Gh, Gl, Hh, Hl);
	}
	roundClean() {
		clean(SHA512_W_H, SHA512_W_L);
	}
	destroy() {
		this.destroyed = true;
		clean(this.buffer);
		this.set(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
	}
};
/** Internal SHA-512 hash class grounded in RFC 6234 §6.3 and §6.4. */
var _SHA512 = class extends SHA2_64B {
	constructor() {
		super(64, SHA512_IV);
	}
};
/** Internal SHA-384 hash class grounded in RFC 6234 §6.3 and §6.4. */
var _SHA384 = class extends SHA2_64B {
	constructor() {
		super(48, SHA384_IV);
	}
};
/**
* SHA2-256 hash function from RFC 4634. In JS it's the fastest: even faster than Blake3. Some info:
*
* - Trying 2^128 hashes would get 50% chance of collision, using birthday attack.
* - BTC network is doing 2^70 hashes/sec (2^95 hashes/year) as per 2025.
* - Each sha256 hash is executing 2^18 bit operations.
* - Good 2024 ASICs can do 200Th/sec with 3500 watts of power, corresponding to 2^36 hashes/joule.
* @param msg - message bytes to hash
* @param opts - Reserved hash options.
* @returns Digest bytes.
* @example
* Hash a message with SHA2-256.
* ```ts
* sha256(new Uint8Array([97, 98, 99]));
* ```
*/
var sha256$1 = /* @__PURE__ */ createHasher(() => new _SHA256(), /* @__PURE__ */ oidNist(1));
/**
* SHA2-224 hash function from RFC 4634.
* @param msg - message bytes to hash
* @param opts - Reserved hash options.
* @returns Digest bytes.
* @example
* Hash a message with SHA2-224.
* ```ts
* sha224(new Uint8Array([97, 98, 99]));
* ```
*/
var sha224 = /* @__PURE__ */ createHasher(() => new _SHA224(), /* @__PURE__ */ oidNist(4));
/**
* SHA2-512 hash function from RFC 4634.
* @param msg - message bytes to hash
* @param opts - Reserved hash options.
* @returns Digest bytes.
* @example
* Hash a message with SHA2-512.
* ```ts
* sha512(new Uint8Array([97, 98, 99]));
* ```
*/
var sha512 = /* @__PURE__ */ createHasher(() => new _SHA512(), /* @__PURE__ */ oidNist(3));
/**
* SHA2-384 hash function from RFC 4634.
* @param msg - message bytes to hash
* @param opts - Reserved hash options.
* @returns Digest bytes.
* @example
* Hash a message with SHA2-384.
* ```ts
* sha384(new Uint8Array([97, 98, 99]));
* ```
*/
var sha384 = /* @__PURE__ */ createHasher(() => new _SHA384(), /* @__PURE__ */ oidNist(2));
// node_modules/@noble/curves/utils.js
/**
* Hex, bytes and number utilities.
* @module
*/
/*! noble-curves - MIT License (c) 2022 Paul Miller (paulmillr.com) */
/**
* Validates that a value is an array, optionally validating each element.
* @param item - Value to validate.
* @param title - Label included in thrown errors.
* @param inner - Optional per-element validator, called with the element and its label.
* @returns The validated array.
* @example
* Validate an array of points before batch processing.
*
* ```ts
* aarray([1n, 2n], 'scalars');
* ```
*/
function aarray$1(item, title, inner = () => {}) {
	if (!Array.isArray(item)) throw new TypeError(`"${title}" expected array, got type=${typeof item}`);
	for (let i = 0; i < item.length; i++) inner(item[i], `${title}[${i}]`);
	return item;
}
/**
* Validates that a value is a byte array.
* @param value - Value to validate.
* @param length - Optional exact byte length.
* @param title - Optional field name.
* @returns Original byte array.
* @example
* Reject non-byte input before passing data into curve code.
*
* ```ts
* abytes(new Uint8Array(1));
* ```
*/
var abytes = (value, length, title) => abytes$1(value, length, title);
/**
* Validates that a value is a non-negative safe integer.
* @param n - Value to validate.
* @param title - Optional field name.
* @returns The validated number.
* @example
* Validate a numeric length before allocating buffers.
*
* ```ts
* anumber(1);
* ```
*/
var anumber = anumber$1;
/**
* Asserts something is a plain object-ish value, not null or array.
* @param value - Value to validate.
* @param title - Label included in thrown errors.
* @returns The validated object.
* @throws On wrong argument types. {@link TypeError}
* @example
* Validate an options object before checking fields.
*
* ```ts
* aobject({ flag: true });
* ```
*/
function aobject$1(value, title = "object") {
	if (value === null || typeof value !== "object" || Array.isArray(value)) throw new TypeError(title === "object" ? "expected valid options object" : `"${title}" expected object, got type=${typeof value}`);
	return value;
}
/**
* Asserts something is a function.
* @param value - Value to validate.
* @param title - Label included in thrown errors.
* @returns The validated function.
* @throws On wrong argument types. {@link TypeError}
* @example
* Validate a required method before calling it.
*
* ```ts
* afunction(() => true, 'predicate');
* ```
*/
function afunction(value, title) {
	if (typeof value !== "function") throw new TypeError(`"${title}" is invalid: expected function, got ${typeof value}`);
	return value;
}
/**
* Encodes bytes as lowercase hex.
* @param bytes - Bytes to encode.
* @returns Lowercase hex string.
* @example
* Serialize bytes as hex for logging or fixtures.
*
* ```ts
* bytesToHex(Uint8Array.of(1, 2, 3));
* ```
*/
var bytesToHex = bytesToHex$1;
/**
* Concatenates byte arrays.
* @param arrays - Byte arrays to join.
* @returns Concatenated bytes.
* @example
* Join domain-separated chunks into one buffer.
*
* ```ts
* concatBytes(Uint8Array.of(1), Uint8Array.of(2));
* ```
*/
var concatBytes = (...arrays) => concatBytes$1(...arrays);
/**
* Decodes lowercase or uppercase hex into bytes.
* @param hex - Hex string to decode.
* @returns Decoded bytes.
* @example
* Parse fixture hex into bytes before hashing.
*
* ```ts
* hexToBytes('0102');
* ```
*/
var hexToBytes = (hex) => hexToBytes$1(hex);
/**
* Checks whether a value is a Uint8Array.
* @param a - Value to inspect.
* @returns `true` when `a` is a Uint8Array.
* @example
* Branch on byte input before decoding it.
*
* ```ts
* isBytes(new Uint8Array(1));
* ```
*/
var isBytes = isBytes$1;
/**
* Reads random bytes from the platform CSPRNG.
* @param bytesLength - Number of random bytes to read.
* @returns Fresh random bytes.
* @example
* Generate a random seed for a keypair.
*
* ```ts
* randomBytes(2);
* ```
*/
var randomBytes$2 = (bytesLength) => randomBytes$3(bytesLength);
var _0n$4 = /* @__PURE__ */ BigInt(0);
var _1n$5 = /* @__PURE__ */ BigInt(1);
var atitle = (title) => title ? `"${title}" ` : "";
/**
* Validates that a flag is boolean.
* @param value - Value to validate.
* @param title - Optional field name.
* @returns Original value.
* @throws On wrong argument types. {@link TypeError}
* @example
* Reject non-boolean option flags early.
*
* ```ts
* abool(true);
* ```
*/
function abool(value, title = "") {
	if (typeof value !== "boolean") throw new TypeError(atitle(title) + "expected boolean, got type=" + typeof value);
	return value;
}
/**
* Validates that a value is a non-negative bigint or safe integer.
* @param n - Value to validate.
* @returns The same validated value.
* @throws On wrong argument ranges or values. {@link RangeError}
* @example
* Validate one integer-like value before serializing it.
*
* ```ts
* abignumber(1n);
* ```
*/
function abignumber(n) {
	if (typeof n === "bigint") {
		if (!isPosBig(n)) throw new RangeError("positive bigint expected, got " + n);
	} else anumber(n);
	return n;
}
/**
* Validates that a value is a safe integer.
* @param value - Integer to validate.
* @param title - Optional field name.
* @throws On wrong argument types. {@link TypeError}
* @throws On wrong argument ranges or values. {@link RangeError}
* @example
* Validate a window size before scalar arithmetic uses it.
*
* ```ts
* asafenumber(1);
* ```
*/
function asafenumber(value, title = "") {
	if (typeof value !== "number") {
		const prefix = title && `"${title}" `;
		throw new TypeError(prefix + "expected number, got type=" + typeof value);
	}
	if (!Number.isSafeInteger(value)) {
		const prefix = title && `"${title}" `;
		throw new RangeError(prefix + "expected safe integer, got " + value);
	}
}
/**
* Parses a big-endian hex string into bigint.
* Accepts odd-length hex through the native `BigInt('0x' + hex)` parser and currently surfaces the
* same native `SyntaxError` for malformed hex instead of wrapping it in a library-specific error.
* @param hex - Hex string without `0x`.
* @returns Parsed bigint value.
* @throws On wrong argument types. {@link TypeError}
* @example
* Parse a scalar from fixture hex.
*
* ```ts
* hexToNumber('ff');
* ```
*/
function hexToNumber(hex) {
	if (typeof hex !== "string") throw new TypeError("hex string expected, got " + typeof hex);
	return hex === "" ? _0n$4 : BigInt("0x" + hex);
}
/**
* Parses big-endian bytes into bigint.
* @param bytes - Bytes in big-endian order.
* @returns Parsed bigint value.
* @throws On wrong argument types. {@link TypeError}
* @example
* Read a scalar encoded in network byte order.
*
* ```ts
* bytesToNumberBE(Uint8Array.of(1, 0));
* ```
*/
function bytesToNumberBE(bytes) {
	return hexToNumber(bytesToHex$1(bytes));
}
/**
* Parses little-endian bytes into bigint.
* @param bytes - Bytes in little-endian order.
* @returns Parsed bigint value.
* @throws On wrong argument types. {@link TypeError}
* @example
* Read a scalar encoded in little-endian form.
*
* ```ts
* bytesToNumberLE(Uint8Array.of(1, 0));
* ```
*/
function bytesToNumberLE(bytes) {
	return hexToNumber(bytesToHex$1(copyBytes(abytes$1(bytes)).reverse()));
}
/**
* Encodes a bigint into fixed-length big-endian bytes.
* @param n - Number to encode.
* @param len - Output length in bytes. Must be greater than zero.
* @returns Big-endian byte array.
* @throws On wrong argument ranges or values. {@link RangeError}
* @throws If a documented runtime validation or state check fails. {@link Error}
* @example
* Serialize a scalar into a 32-byte field element.
*
* ```ts
* numberToBytesBE(255n, 2);
* ```
*/
function numberToBytesBE(n, len) {
	anumber$1(len);
	if (len === 0) throw new Error("zero output length is invalid");
	n = abignumber(n);
	const expectedLen = len * 2;
	const hex = n.toString(16);
	if (hex.length > expectedLen) throw new RangeError("number is too large");
	return hexToBytes$1(hex.padStart(expectedLen, "0"));
}
/**
* Encodes a bigint into fixed-length little-endian bytes.
* @param n - Number to encode.
* @param len - Output length in bytes.
* @returns Little-endian byte array.
* @throws On wrong argument ranges or values. {@link RangeError}
* @throws If a documented runtime validation or state check fails. {@link Error}
* @example
* Serialize a scalar for little-endian protocols.
*
* ```ts
* numberToBytesLE(255n, 2);
* ```
*/
function numberToBytesLE(n, len) {
	return numberToBytesBE(n, len).reverse();
}
/**
* Copies Uint8Array. We can't use u8a.slice(), because u8a can be Buffer,
* and Buffer#slice creates mutable copy. Never use Buffers!
* @param bytes - Bytes to copy.
* @returns Detached copy.
* @example
* Make an isolated copy before mutating serialized bytes.
*
* ```ts
* copyBytes(Uint8Array.of(1, 2, 3));
* ```
*/
function copyBytes(bytes) {
	return Uint8Array.from(abytes(bytes));
}
/**
* Checks whether n is non-negative bigint. Historical name.
* @param n - candidate value
* @returns `true` when the value is bigint and 0 or larger
* @example
* Check a candidate scalar before range validation.
*
* ```ts
* isPosBig(2n);
* ```
*/
function isPosBig(n) {
	return typeof n === "bigint" && _0n$4 <= n;
}
/**
* Checks whether a bigint lies inside a half-open range.
* @param n - Candidate value.
* @param min - Inclusive lower bound.
* @param max - Exclusive upper bound.
* @returns `true` when the value is inside the range.
* @example
* Check whether a candidate scalar fits the field order.
*
* ```ts
* inRange(2n, 1n, 3n);
* ```
*/
function inRange(n, min, max) {
	return isPosBig(n) && isPosBig(min) && isPosBig(max) && min <= n && n < max;
}
/**
* Asserts `min <= n < max`. NOTE: upper bound is exclusive.
* @param title - Value label for error messages.
* @param n - Candidate value.
* @param min - Inclusive lower bound.
* @param max - Exclusive upper bound.
* Wrong-type inputs are not separated from out-of-range values here: they still flow through the
* shared `RangeError` path because this is only a throwing wrapper around `inRange(...)`.
* @throws On wrong argument ranges or values. {@link RangeError}
* @example
* Assert that a bigint stays within one half-open range.
*
* ```ts
* aInRange('x', 2n, 1n, 256n);
* ```
*/
function aInRange(title, n, min, max) {
	if (!inRange(n, min, max)) throw new RangeError("expected valid " + title + ": " + min + " <= n < " + max + ", got " + n);
}
/**
* Calculates amount of bits in a bigint.
* Same as `n.toString(2).length`
* TODO: merge with nLength in modular
* @param n - Value to inspect.
* @returns Bit length.
* @throws If the value is negative. {@link Error}
* @example
* Measure the bit length of a scalar before serialization.
*
* ```ts
* bitLen(8n);
* ```
*/
function bitLen(n) {
	if (n < _0n$4) throw new Error("expected non-negative bigint, got " + n);
	return n === _0n$4 ? 0 : n.toString(2).length;
}
/**
* Calculate mask for N bits. Not using ** operator with bigints because of old engines.
* Same as BigInt(`0b${Array(i).fill('1').join('')}`)
* @param n - Number of bits. Negative widths are currently passed through to raw bigint shift
*   semantics and therefore produce `-1n`.
* @returns Bitmask value.
* @example
* Calculate mask for N bits.
*
* ```ts
* bitMask(4);
* ```
*/
var bitMask = (n) => {
	asafenumber(n, "n");
	return (_1n$5 << BigInt(n)) - _1n$5;
};
/**
* Validates declared required and optional field types on a plain object.
* Extra keys are intentionally ignored because many callers validate only the subset they use from
* richer option bags or runtime objects.
* This walks field schemas and formats detailed errors, so avoid it on hot paths; use direct
* one-line guards such as `aobject()`, `afunction()`, `abool()`, or `asafenumber()` instead.
* @param object - Object to validate.
* @param fields - Required field types.
* @param optFields - Optional field types.
* @param title - Object label included in thrown errors.
* @throws On wrong argument types. {@link TypeError}
* @example
* Check user options before building a curve helper.
*
* ```ts
* validateObject({ flag: true }, { flag: 'boolean' });
* ```
*/
function validateObject(object, fields = {}, optFields = {}, title = "object") {
	aobject$1(object, title);
	aobject$1(fields, "fields");
	aobject$1(optFields, "optFields");
	function checkField(fieldName, expectedType, isOpt) {
		const label = title === "object" ? `param "${String(fieldName)}"` : `"${title}.${String(fieldName)}"`;
		const val = object[fieldName];
		if (!Object.hasOwn(object, fieldName) && (isOpt ? val !== void 0 : expectedType !== "function")) throw new TypeError(`${label} is invalid: expected own property`);
		if (isOpt && val === void 0) return;
		const current = typeof val;
		if (current !== expectedType || val === null) throw new TypeError(`${label} is invalid: expected ${expectedType}, got ${current}`);
	}
	const iter = (f, isOpt) => Object.entries(f).forEach(([k, v]) => checkField(k, v, isOpt));
	iter(fields, false);
	iter(optFields, true);
}
// node_modules/@noble/curves/abstract/modular.js
/**
* Utils for modular division and fields.
* Field over 11 is a finite (Galois) field is integer number operations `mod 11`.
* There is no division: it is replaced by modular multiplicative inverse.
* @module
*/
/*! noble-curves - MIT License (c) 2022 Paul Miller (paulmillr.com) */
var _0n$3 = /* @__PURE__ */ BigInt(0);
var _1n$4 = /* @__PURE__ */ BigInt(1);
var _2n$3 = /* @__PURE__ */ BigInt(2);
var _3n = /* @__PURE__ */ BigInt(3);
var _4n$2 = /* @__PURE__ */ BigInt(4);
var _5n$1 = /* @__PURE__ */ BigInt(5);
var _7n$1 = /* @__PURE__ */ BigInt(7);
var _8n$2 = /* @__PURE__ */ BigInt(8);
var _9n = /* @__PURE__ */ BigInt(9);
var _15n = /* @__PURE__ */ BigInt(15);
var _16n = /* @__PURE__ */ BigInt(16);
var POW_WINDOWED_MIN = /* @__PURE__ */ BigInt("0x10000000000000000");
/**
* @param a - Dividend value.
* @param b - Positive modulus.
* @returns Reduced value in `[0, b)` only when `b` is positive.
* @throws If the modulus is not positive. {@link Error}
* @example
* Normalize a bigint into one field residue.
*
* ```ts
* mod(-1n, 5n);
* ```
*/
function mod(a, b) {
	if (b <= _0n$3) throw new Error("mod: expected positive modulus, got " + b);
	const result = a % b;
	return result >= _0n$3 ? result : b + result;
}
/**
* Efficiently raise num to a power with modular reduction.
* Unsafe in some contexts: uses ladder, so can expose bigint bits.
* Low-level helper: callers that need canonical residues must pass a valid `num` for the chosen
* modulus instead of relying on the `power===0/1` fast paths to normalize it.
* @param num - Base value.
* @param power - Exponent value.
* @param modulo - Reduction modulus.
* @returns Modular exponentiation result.
* @throws If the modulus or exponent is invalid. {@link Error}
* @example
* Raise one bigint to a modular power.
*
* ```ts
* pow(2n, 6n, 11n) // 64n % 11n == 9n
* ```
*/
function pow(num, power, modulo) {
	if (modulo <= _1n$4) throw new Error("pow: expected modulus > 1, got " + modulo);
	if (typeof power !== "bigint") throw new TypeError("invalid exponent: expected bigint, got " + typeof power);
	if (power < _0n$3) throw new Error("invalid exponent, negatives unsupported");
	if (power === _0n$3) return _1n$4;
	if (power === _1n$4) return num;
	let d = num % modulo;
	if (d < _0n$3) d += modulo;
	if (power < POW_WINDOWED_MIN) {
		let p = _1n$4;
		while (power > _0n$3) {
			if (power & _1n$4) p = p * d % modulo;
			d = d * d % modulo;
			power >>= _1n$4;
		}
		return p;
	}
	const digits = [];
	while (power > _0n$3) {
		digits.push(Number(power & _15n));
		power >>= _4n$2;
	}
	const table = new Array(16);
	table[0] = _1n$4;
	table[1] = d;
	for (let i = 2; i < 16; i++) table[i] = table[i - 1] * d % modulo;
	let p = table[digits[digits.length - 1]];
	for (let w = digits.length - 2; w >= 0; w--) {
		p = p * p % modulo;
		p = p * p % modulo;
		p = p * p % modulo;
		p = p * p % modulo;
		const digit = digits[w];
		if (digit !== 0) p = p * table[digit] % modulo;
	}
	return p;
}
/**
* Does `x^(2^power)` mod p. `pow2(30, 4)` == `30^(2^4)`.
* Low-level helper: callers that need canonical residues must pass a valid `x` for the chosen
* modulus; the `power===0` fast path intentionally returns the input unchanged.
* @param x - Base value.
* @param power - Number of squarings.
* @param modulo - Reduction modulus.
* @returns Repeated-squaring result.
* @throws If the exponent is negative. {@link Error}
* @example
* Apply repeated squaring inside one field.
*
* ```ts
* pow2(3n, 2n, 11n);
* ```
*/
function pow2(x, power, modulo) {
	if (modulo <= _1n$4) throw new Error("pow2: expected modulus > 1, got " + modulo);
	if (power < _0n$3) throw new Error("pow2: expected non-negative exponent, got " + power);
	let res = x;
	while (power-- > _0n$3) {
		res *= res;
		res %= modulo;
	}
	return res;
}
/**
* Inverses number over modulo.
* Implemented using the {@link https://brilliant.org/wiki/extended-euclidean-algorithm/ | extended Euclidean algorithm}.
* @param number - Value to invert.
* @param modulo - Modulus greater than 1.
* @returns Multiplicative inverse.
* @throws If the modulus is invalid or the inverse does not exist. {@link Error}
* @example
* Compute one modular inverse with the extended Euclidean algorithm.
*
* ```ts
* invert(3n, 11n);
* ```
*/
function invert(number, modulo) {
	if (number === _0n$3) throw new Error("invert: expected non-zero number");
	if (modulo <= _1n$4) throw new Error("invert: expected modulus > 1, got " + modulo);
	let a = mod(number, modulo);
	let b = modulo;
	let x = _0n$3, u = _1n$4;
	while (a !== _0n$3) {
		const q = b / a;
		const r = b - a * q;
		const m = x - u * q;
		b = a, a = r, x = u, u = m;
	}
	if (b !== _1n$4) throw new Error("invert: does not exist");
	return mod(x, modulo);
}
function assertIsSquare(Fp, root, n) {
	const F = Fp;
	if (!F.eql(F.sqr(root), n)) throw new Error("Cannot find square root");
}
function aoddModulus(order, fnName) {
	if ((order & _1n$4) === _0n$3) throw new Error(fnName + ": expected odd modulus, got " + order);
}
function sqrt3mod4(Fp, n) {
	const F = Fp;
	const p1div4 = (F.ORDER + _1n$4) / _4n$2;
	const root = F.pow(n, p1div4);
	assertIsSquare(F, root, n);
	return root;
}
function sqrt5mod8(Fp, n) {
	const F = Fp;
	const p5div8 = (F.ORDER - _5n$1) / _8n$2;
	const n2 = F.mul(n, _2n$3);
	const v = F.pow(n2, p5div8);
	const nv = F.mul(n, v);
	const i = F.mul(F.mul(nv, _2n$3), v);
	const root = F.mul(nv, F.sub(i, F.ONE));
	assertIsSquare(F, root, n);
	return root;
}
function sqrt9mod16(P) {
	const Fp_ = Field(P);
	const tn = tonelliShanks(P);
	const c1 = tn(Fp_, Fp_.neg(Fp_.ONE));
	const c2 = tn(Fp_, c1);
	const c3 = tn(Fp_, Fp_.neg(c1));
	const c4 = (P + _7n$1) / _16n;
	return ((Fp, n) => {
		const F = Fp;
		let tv1 = F.pow(n, c4);
		let tv2 = F.mul(tv1, c1);
		const tv3 = F.mul(tv1, c2);
		const tv4 = F.mul(tv1, c3);
		const e1 = F.eql(F.sqr(tv2), n);
		const e2 = F.eql(F.sqr(tv3), n);
		tv1 = F.cmov(tv1, tv2, e1);
		tv2 = F.cmov(tv4, tv3, e2);
		const e3 = F.eql(F.sqr(tv2), n);
		const root = F.cmov(tv1, tv2, e3);
		assertIsSquare(F, root, n);
		return root;
	});
}
/**
* Tonelli-Shanks square root search algorithm.
* This implementation is variable-time: it searches data-dependently for the first non-residue `Z`
* and for the smallest `i` in the main loop, unlike RFC 9380 Appendix I.4's constant-time shape.
* 1. {@link https://eprint.iacr.org/2012/685.pdf | eprint 2012/685}, page 12
* 2. Square Roots from 1; 24, 51, 10 to Dan Shanks
* @param P - field order
* @returns function that takes field Fp (created from P) and number n
* @throws If the field is too small, non-prime, or the square root does not exist. {@link Error}
* @example
* Construct a square-root helper for primes that need Tonelli-Shanks.
*
* ```ts
* import { Field, tonelliShanks } from '@noble/curves/abstract/modular.js';
* const Fp = Field(17n);
* const sqrt = tonelliShanks(17n)(Fp, 4n);
* ```
*/
function tonelliShanks(P) {
	if (P < _3n) throw new Error("sqrt is not defined for small field");
	aoddModulus(P, "tonelliShanks");
	let Q = P - _1n$4;
	let S = 0;
	while (Q % _2n$3 === _0n$3) {
		Q /= _2n$3;
		S++;
	}
	let Z = _2n$3;
	const _Fp = Field(P);
	while (FpLegendre(_Fp, Z) === 1) if (Z++ > 1e3) throw new Error("Cannot find square root: probably non-prime P");
	if (S === 1) return sqrt3mod4;
	let cc = _Fp.pow(Z, Q);
	const Q1div2 = (Q + _1n$4) / _2n$3;
	return function tonelliSlow(Fp, n) {
		const F = Fp;
		if (F.is0(n)) return n;
		if (FpLegendre(F, n) !== 1) throw new Error("Cannot find square root");
		let M = S;
		let c = F.mul(F.ONE, cc);
		let t = F.pow(n, Q);
		let R = F.pow(n, Q1div2);
		while (!F.eql(t, F.ONE)) {
			if (F.is0(t)) throw new Error("Cannot find square root: probably non-prime P");
			let i = 1;
			let t_tmp = F.sqr(t);
			while (!F.eql(t_tmp, F.ONE)) {
				i++;
				t_tmp = F.sqr(t_tmp);
				if (i === M) throw new Error("Cannot find square root");
			}
			const exponent = _1n$4 << BigInt(M - i - 1);
			const b = F.pow(c, exponent);
			M = i;
			c = F.sqr(b);
			t = F.mul(t, c);
			R = F.mul(R, b);
		}
		return R;
	};
}
/**
* Square root for a finite field. Will try optimized versions first:
*
* 1. P ≡ 3 (mod 4)
* 2. P ≡ 5 (mod 8)
* 3. P ≡ 9 (mod 16)
* 4. Tonelli-Shanks algorithm
*
* Different algorithms can give different roots, it is up to user to decide which one they want.
* For example there is FpSqrtOdd/FpSqrtEven to choose a root by oddness
* (used for hash-to-curve).
* @param P - Field order.
* @returns Square-root helper. The generic fallback inherits Tonelli-Shanks' variable-time
*   behavior and this selector assumes prime-field-style integer moduli.
* @throws If the field is unsupported or the square root does not exist. {@link Error}
* @example
* Choose the square-root helper appropriate for one field modulus.
*
* ```ts
* import { Field, FpSqrt } from '@noble/curves/abstract/modular.js';
* const Fp = Field(17n);
* const sqrt = FpSqrt(17n)(Fp, 4n);
* ```
*/
function FpSqrt(P) {
	aoddModulus(P, "Fp.sqrt");
	if (P % _4n$2 === _3n) return sqrt3mod4;
	if (P % _8n$2 === _5n$1) return sqrt5mod8;
	if (P % _16n === _9n) return sqrt9mod16(P);
	return tonelliShanks(P);
}
/**
* @param num - Value to inspect.
* @param modulo - Field modulus.
* @returns `true` when the least-significant little-endian bit is set.
* @throws If the modulus is invalid for `mod(...)`. {@link Error}
* @example
* Inspect the low bit used by little-endian sign conventions.
*
* ```ts
* isNegativeLE(3n, 11n);
* ```
*/
var isNegativeLE = (num, modulo) => (mod(num, modulo) & _1n$4) === _1n$4;
var FIELD_FIELDS = [
	"create",
	"isValid",
	"is0",
	"neg",
	"inv",
	"sqrt",
	"sqr",
	"eql",
	"add",
	"sub",
	"mul",
	"pow",
	"div",
	"addN",
	"subN",
	"mulN",
	"sqrN"
];
/**
* @param field - Field implementation.
* @returns Validated field. This only checks the arithmetic subset needed by generic helpers; it
*   does not guarantee full runtime-method coverage for serialization, batching, `cmov`, or
*   field-specific extras beyond positive `BYTES` / `BITS`.
* @throws If the field shape or numeric metadata are invalid. {@link Error}
* @example
* Check that a field implementation exposes the operations curve code expects.
*
* ```ts
* import { Field, validateField } from '@noble/curves/abstract/modular.js';
* const Fp = validateField(Field(17n));
* ```
*/
function validateField(field) {
	aobject$1(field, "field");
	if (typeof field.ORDER !== "bigint") throw new TypeError("param \"ORDER\" is invalid: expected bigint, got " + typeof field.ORDER);
	asafenumber(field.BYTES, "BYTES");
	asafenumber(field.BITS, "BITS");
	for (const name of FIELD_FIELDS) afunction(field[name], "field." + name);
	if (field.BYTES < 1 || field.BITS < 1) throw new Error("invalid field: expected BYTES/BITS > 0");
	if (field.ORDER <= _1n$4) throw new Error("invalid field: expected ORDER > 1, got " + field.ORDER);
	return field;
}
function FpInvertBatch(Fp, nums, passZero = false) {
	validateField(Fp);
	aarray$1(nums, "nums");
	abool(passZero, "passZero");
	const F = Fp;
	const inverted = new Array(nums.length).fill(passZero ? F.ZERO : void 0);
	const multipliedAcc = nums.reduce((acc, num, i) => {
		if (F.is0(num)) return acc;
		inverted[i] = acc;
		return F.mul(acc, num);
	}, F.ONE);
	const invertedAcc = F.inv(multipliedAcc);
	nums.reduceRight((acc, num, i) => {
		if (F.is0(num)) return acc;
		inverted[i] = F.mul(acc, inverted[i]);
		return F.mul(acc, num);
	}, invertedAcc);
	return inverted;
}
/**
* Legendre symbol.
* Legendre constant is used to calculate Legendre symbol (a | p)
* which denotes the value of a^((p-1)/2) (mod p).
*
* * (a | p) ≡ 1    if a is a square (mod p), quadratic residue
* * (a | p) ≡ -1   if a is not a square (mod p), quadratic non residue
* * (a | p) ≡ 0    if a ≡ 0 (mod p)
* @param Fp - Field implementation.
* @param n - Value to inspect.
* @returns Legendre symbol.
* @throws If the powered value does not match a valid Legendre symbol. {@link Error}
* @example
* Compute the Legendre symbol of one field element.
*
* ```ts
* import { Field, FpLegendre } from '@noble/curves/abstract/modular.js';
* const Fp = Field(17n);
* const symbol = FpLegendre(Fp, 4n);
* ```
*/
function FpLegendre(Fp, n) {
	validateField(Fp);
	const F = Fp;
	aoddModulus(F.ORDER, "FpLegendre");
	const p1mod2 = (F.ORDER - _1n$4) / _2n$3;
	const powered = F.pow(n, p1mod2);
	const yes = F.eql(powered, F.ONE);
	const zero = F.eql(powered, F.ZERO);
	const no = F.eql(powered, F.neg(F.ONE));
	if (!yes && !zero && !no) throw new Error("invalid Legendre symbol result");
	return yes ? 1 : zero ? 0 : -1;
}
/**
* @param n - Curve order. Callers are expected to pass a positive order.
* @param nBitLength - Optional cached bit length. Callers are expected to pass a positive cached
*   value when overriding the derived bit length.
* @returns Byte and bit lengths.
* @throws If the order or cached bit length is invalid. {@link Error}
* @example
* Measure the encoding sizes needed for one modulus.
*
* ```ts
* nLength(255n);
* ```
*/
function nLength(n, nBitLength) {
	if (nBitLength !== void 0) anumber(nBitLength);
	if (n <= _0n$3) throw new Error("invalid n length: expected positive n, got " + n);
	if (nBitLength !== void 0 && nBitLength < 1) throw new Error("invalid n length: expected positive bit length, got " + nBitLength);
	const bits = bitLen(n);
	if (nBitLength !== void 0 && nBitLength < bits) throw new Error(`invalid n length: expected nBitLength (${nBitLength}) >= bitLen(n) (${bits})`);
	const _nBitLength = nBitLength !== void 0 ? nBitLength : bits;
	return {
		nBitLength: _nBitLength,
		nByteLength: Math.ceil(_nBitLength / 8)
	};
}
var FIELD_SQRT = /* @__PURE__ */ new WeakMap();
var _Field = class {
	ORDER;
	BITS;
	BYTES;
	isLE;
	ZERO = _0n$3;
	ONE = _1n$4;
	_lengths;
	_mod;
	constructor(ORDER, opts = {}) {
		if (ORDER <= _1n$4) throw new Error("invalid field: expected ORDER > 1, got " + ORDER);
		let _nbitLength = void 0;
		this.isLE = false;
		if (opts != null && typeof opts === "object") {
			if (typeof opts.BITS === "number") _nbitLength = opts.BITS;
			if (typeof opts.sqrt === "function") Object.defineProperty(this, "sqrt", {
				value: opts.sqrt,
				enumerable: true
			});
			if (typeof opts.isLE === "boolean") this.isLE = opts.isLE;
			if (opts.allowedLengths) this._lengths = Object.freeze(opts.allowedLengths.slice());
			if (typeof opts.modFromBytes === "boolean") this._mod = opts.modFromBytes;
		}
		const { nBitLength, nByteLength } = nLength(ORDER, _nbitLength);
		if (nByteLength > 2048) throw new Error("invalid field: expected ORDER of <= 2048 bytes");
		this.ORDER = ORDER;
		this.BITS = nBitLength;
		this.BYTES = nByteLength;
		Object.freeze(this);
	}
	create(num) {
		return mod(num, this.ORDER);
	}
	isValid(num) {
		if (typeof num !== "bigint") throw new TypeError("invalid field element: expected bigint, got " + typeof num);
		return _0n$3 <= num && num < this.ORDER;
	}
	is0(num) {
		return num === _0n$3;
	}
	isValidNot0(num) {
		return !this.is0(num) && this.isValid(num);
	}
	isOdd(num) {
		return (num & _1n$4) === _1n$4;
	}
	neg(num) {
		return mod(-num, this.ORDER);
	}
	eql(lhs, rhs) {
		return lhs === rhs;
	}
	sqr(num) {
		return mod(num * num, this.ORDER);
	}
	add(lhs, rhs) {
		return mod(lhs + rhs, this.ORDER);
	}
	sub(lhs, rhs) {
		return mod(lhs - rhs, this.ORDER);
	}
	mul(lhs, rhs) {
		return mod(lhs * rhs, this.ORDER);
	}
	pow(num, power) {
		return pow(num, power, this.ORDER);
	}
	div(lhs, rhs) {
		return mod(lhs * invert(rhs, this.ORDER), this.ORDER);
	}
	sqrN(num) {
		return num * num;
	}
	addN(lhs, rhs) {
		return lhs + rhs;
	}
	subN(lhs, rhs) {
		return lhs - rhs;
	}
	mulN(lhs, rhs) {
		return lhs * rhs;
	}
	inv(num) {
		return invert(num, this.ORDER);
	}
	sqrt(num) {
		let sqrt = FIELD_SQRT.get(this);
		if (!sqrt) FIELD_SQRT.set(this, sqrt = FpSqrt(this.ORDER));
		return sqrt(this, num);
	}
	toBytes(num) {
		return this.isLE ? numberToBytesLE(num, this.BYTES) : numberToBytesBE(num, this.BYTES);
	}
	fromBytes(bytes, skipValidation = false) {
		abytes(bytes);
		const { _lengths: allowedLengths, BYTES, isLE, ORDER, _mod: modFromBytes } = this;
		if (allowedLengths) {
			if (bytes.length < 1 || !allowedLengths.includes(bytes.length) || bytes.length > BYTES) throw new Error("Field.fromBytes: expected " + allowedLengths + " bytes, got " + bytes.length);
			const padded = new Uint8Array(BYTES);
			padded.set(bytes, isLE ? 0 : padded.length - bytes.length);
			bytes = padded;
		}
		if (bytes.length !== BYTES) throw new Error("Field.fromBytes: expected " + BYTES + " bytes, got " + bytes.length);
		let scalar = isLE ? bytesToNumberLE(bytes) : bytesToNumberBE(bytes);
		if (modFromBytes) scalar = mod(scalar, ORDER);
		if (!skipValidation) {
			if (!this.isValid(scalar)) throw new Error("invalid field element: outside of range 0..ORDER");
		}
		return scalar;
	}
	invertBatch(lst) {
		return FpInvertBatch(this, lst, true);
	}
	cmov(a, b, condition) {
		abool(condition, "condition");
		return condition ? b : a;
	}
};
/**
* Creates a finite field. Major performance optimizations:
* * 1. Denormalized operations like mulN instead of mul.
* * 2. Identical object shape: never add or remove keys.
* * 3. Frozen stable object shape; the lazy sqrt cache lives in a module-level `WeakMap`.
* Fragile: always run a benchmark on a change.
* Security note: operations and low-level serializers like `toBytes` don't check `isValid` for
* all elements for performance and protocol-flexibility reasons; callers are responsible for
* supplying valid elements when they need canonical field behavior.
* This is low-level code, please make sure you know what you're doing.
*
* Note about field properties:
* * CHARACTERISTIC p = prime number, number of elements in main subgroup.
* * ORDER q = similar to cofactor in curves, may be composite `q = p^m`.
*
* @param ORDER - field order, probably prime, or could be composite
* @param opts - Field options such as bit length or endianness. See {@link FieldOpts}.
* @returns Frozen field instance with a stable object shape. This wrapper forwards `opts` straight
*   into `_Field`, so it inherits `_Field`'s assumptions about cached sizes and `allowedLengths`.
* @example
* Construct one prime field with optional overrides.
*
* ```ts
* Field(11n);
* ```
*/
function Field(ORDER, opts = {}) {
	Object.freeze(_Field.prototype);
	return new _Field(ORDER, opts);
}
// node_modules/@noble/curves/abstract/curve.js
/**
* Methods for elliptic curve multiplication by scalars.
* Contains wNAF-based ScalarMultiplier, pippenger.
* @module
*/
/*! noble-curves - MIT License (c) 2022 Paul Miller (paulmillr.com) */
var _0n$2 = /* @__PURE__ */ BigInt(0);
var _1n$3 = /* @__PURE__ */ BigInt(1);
var _4n$1 = /* @__PURE__ */ BigInt(4);
var BLIND_BYTES = 16;
var BLIND_BITS = 128;
var FW_WINDOW = 5;
var TABLE_BYTES_MAX = /* @__PURE__ */ (() => 2 ** 31)();
/**
* Validates the static surface of a point constructor.
* This is only a cheap sanity check for the constructor hooks and fields consumed by generic
* factories; it does not certify `BASE`/`ZERO` semantics or prove the curve implementation itself.
* @param Point - Runtime point constructor.
* @throws On missing constructor hooks or malformed field metadata. {@link TypeError}
* @example
* Check that one point constructor exposes the static hooks generic helpers need.
*
* ```ts
* import { ed25519 } from '@noble/curves/ed25519.js';
* import { validatePointCons } from '@noble/curves/abstract/curve.js';
* validatePointCons(ed25519.Point);
* ```
*/
function validatePointCons(Point) {
	const pc = Point;
	if (typeof pc !== "function") throw new TypeError("\"Point\" expected constructor, got type=" + typeof Point);
	afunction(pc.fromAffine, "Point.fromAffine");
	afunction(pc.fromBytes, "Point.fromBytes");
	afunction(pc.fromHex, "Point.fromHex");
	aobject$1(pc.BASE, "Point.BASE");
	aobject$1(pc.ZERO, "Point.ZERO");
	validateField(pc.Fp);
	validateField(pc.Fn);
}
/**
* Takes a bunch of Projective Points but executes only one
* inversion on all of them. Inversion is very slow operation,
* so this improves performance massively.
* Optimization: converts a list of projective points to a list of identical points with Z=1.
* Input points are left unchanged; the normalized points are returned as fresh instances.
* @param c - Point constructor.
* @param points - Projective points.
* @returns Fresh projective points reconstructed from normalized affine coordinates.
* @example
* Batch-normalize projective points with a single shared inversion.
*
* ```ts
* import { normalizeZ } from '@noble/curves/abstract/curve.js';
* import { p256 } from '@noble/curves/nist.js';
* const points = normalizeZ(p256.Point, [p256.Point.BASE, p256.Point.BASE.double()]);
* ```
*/
function normalizeZ(c, points) {
	validatePointCons(c);
	validateMSMPoints(points, c);
	const invertedZs = FpInvertBatch(c.Fp, points.map((p) => p.Z));
	return points.map((p, i) => c.fromAffine(p.toAffine(invertedZs[i])));
}
function validateW(W, bits, min = 1) {
	if (!Number.isSafeInteger(W) || W < min || W > bits) throw new Error("invalid window size, expected [" + min + ".." + bits + "], got W=" + W);
}
function validateTableBytes(numPoints, fpBytes) {
	const bytes = numPoints * (4 * fpBytes + 128);
	if (bytes > TABLE_BYTES_MAX) throw new Error("invalid window size: table would need ~" + Math.ceil(bytes / 2 ** 20) + " MiB, max " + TABLE_BYTES_MAX / 2 ** 20 + " MiB");
}
/**
* Probes an RNG once, at construction time: returns `undefined` when it is unavailable —
* throws or returns malformed bytes — so callers can downgrade to their unblinded /
* deterministic constant-time fallback. Blinding is defense-in-depth (DPA/template
* hardening), not a correctness or key-secrecy requirement, so availability-based
* downgrade is acceptable.
*
* The downgrade decision is deliberately static. After a successful probe the RNG becomes
* part of the trusted contract: later misbehavior must fail closed in per-call validation
* (throw), never downgrade — a dynamic fallback would let a tampered RNG silently strip
* blinding on demand. A probe can only ever classify broken environments, not adversarial
* RNGs: a stateful RNG can always behave while probed and misbehave later.
* @param randomBytes - RNG to probe, or `undefined` when the environment provides none.
* @param length - Byte length requested from the probe call.
* @returns The RNG when the probe produced `length` valid bytes; `undefined` otherwise.
* @example
* Probe an RNG once before enabling scalar blinding.
*
* ```ts
* import { probeRandomBytes } from '@noble/curves/abstract/curve.js';
* import { randomBytes } from '@noble/hashes/utils.js';
* const rng = probeRandomBytes(randomBytes, 16);
* ```
*/
function probeRandomBytes(randomBytes, length) {
	if (randomBytes === void 0) return void 0;
	afunction(randomBytes, "randomBytes");
	try {
		const probe = randomBytes(length);
		if (!isBytes(probe) || probe.length !== length) return void 0;
	} catch {
		return;
	}
	return randomBytes;
}
function validateMSMPoints(points, c) {
	aarray$1(points, "points");
	points.forEach((p, i) => {
		if (!(p instanceof c)) throw new Error("invalid point at index " + i);
	});
}
function validateMSMScalars(scalars, field, maxScalar) {
	if (!Array.isArray(scalars)) throw new Error("array of scalars expected");
	scalars.forEach((s, i) => {
		if (!(maxScalar === void 0 ? field.isValid(s) : isPosBig(s) && s < maxScalar)) throw new Error("invalid scalar at index " + i);
	});
}
var pointWindowSizes = /* @__PURE__ */ new WeakMap();
function getWindowSize(P) {
	return pointWindowSizes.get(P) || 1;
}
/** Table of odd multiples [1P, 3P, ..., (2⋅size−1)P]; width-W wNAF uses size = 2^(W−2). */
function oddMultiples(p, size) {
	const dbl = p.double();
	const t = [p];
	for (let j = 1; j < size; j++) t.push(t[j - 1].add(dbl));
	return t;
}
/**
* Width-W wNAF signed-digit recoding (W >= 2), LSB-first: digits are 0 or odd with
* |digit| < 2^(W−1); nonzero density ~1/(W+1) (a nonzero digit is followed by W−1 zeros).
*/
function wnafDigits(n, W) {
	const size = 2 ** W;
	const half = size / 2;
	const mask = BigInt(size - 1);
	const d = [];
	while (n > _0n$2) {
		let w = 0;
		if (n & _1n$3) {
			w = Number(n & mask);
			if (w >= half) w -= size;
			n -= BigInt(w);
		}
		d.push(w);
		n >>= _1n$3;
	}
	return d;
}
/**
* Fixed-position signed-window recoding for precomputed wNAF: `n = Σ digits[w]⋅2^(w⋅W)` with
* digits in `[−2^(W−1)+1, 2^(W−1)]`. Digit count is fixed by `windows` (callers reserve one
* extra window for the final carry), so recoding length does not depend on the scalar.
*/
function signedWindowDigits(n, W, windows) {
	const size = 2 ** W;
	const half = size / 2;
	const mask = BigInt(size - 1);
	const shiftBy = BigInt(W);
	const d = [];
	for (let w = 0; w < windows; w++) {
		let v = Number(n & mask);
		n >>= shiftBy;
		if (v > half) {
			v -= size;
			n += _1n$3;
		}
		d.push(v);
	}
	if (n !== _0n$2) throw new Error("invalid wnaf");
	return d;
}
/**
* Shared vartime walk over per-scalar wNAF digit streams: one doubling of a single shared
* accumulator per bit position of the longest recoding, one signed table addition per
* nonzero digit. `tables[i]` must hold the odd multiples of the i-th point.
*/
function wnafWalk(zero, tables, digits) {
	let max = 0;
	for (const d of digits) max = Math.max(max, d.length);
	let acc = zero;
	for (let bit = max - 1; bit >= 0; bit--) {
		if (bit !== max - 1) acc = acc.double();
		for (let i = 0; i < digits.length; i++) {
			const w = digits[i][bit];
			if (w) {
				const item = tables[i][Math.abs(w) - 1 >> 1];
				acc = acc.add(w < 0 ? item.negate() : item);
			}
		}
	}
	return acc;
}
/**
* Elliptic curve multiplication of Point by scalar.
* Routes between cached-table, fixed-window, and one-shot wNAF paths; entry points validate
* their own scalars (`mulCT`/`mulCTBlinded`: `1 <= s < Fn.ORDER`; `mulUnsafe`: up to the
* `Fn.ORDER^4` DoS cap via {@link mulAddUnsafe}).
* Table generation is expensive and happens on first call of `multiply()`
* (or eagerly via `precompute(W, false)`). By default, `BASE` point is precomputed.
*
* Cached algorithm is signed fixed-window wNAF:
* - table stores, for every window w, the multiples `[1..2^(W−1)]⋅2^(w⋅W)⋅P` — all doublings
*   are baked in, so a multiplication is exactly one table addition per window
* - window count is fixed (`ceil(bits/W) + 1`), so the point-operation count is scalar-independent
*   (basis of the constant-time path)
* - for a 256-bit curve and W=6: 44⋅32 = 1408 table points, 44 additions per multiply
* - secret scalars are additionally blinded (see {@link ScalarMultiplier.mulCTBlinded}), which
*   widens tables by 128 bits
* @param Point - Point constructor.
* @param randomBytes - RNG used for scalar blinding; required by the blinded secret path.
* @example
* Elliptic curve multiplication of Point by scalar.
*
* ```ts
* import { ScalarMultiplier } from '@noble/curves/abstract/curve.js';
* import { p256 } from '@noble/curves/nist.js';
* const mul = new ScalarMultiplier(p256.Point);
* ```
*/
var ScalarMultiplier = class {
	Point;
	BASE;
	ZERO;
	randomBytes;
	wnafPrecomputes = /* @__PURE__ */ new WeakMap();
	baseCanBeBlinded;
	bits;
	constructor(Point, randomBytes) {
		validatePointCons(Point);
		this.randomBytes = probeRandomBytes(randomBytes, BLIND_BYTES);
		this.Point = Point;
		this.BASE = Point.BASE;
		this.ZERO = Point.ZERO;
		this.bits = Point.Fn.BITS;
	}
	/**
	* Creates a signed fixed-window wNAF precomputation table: for every window w, the
	* multiples `[1..2^(W−1)]⋅2^(w⋅W)⋅P`, flattened. All doublings are baked into the table,
	* so cached multiplication is additions-only. `windows = ceil(bits/W) + 1`: the extra
	* window absorbs the final carry of signed-digit recoding.
	* For a 256-bit curve and W=6, the table is 44⋅32 = 1408 points.
	* @param point - Point instance
	* @param W - window size
	* @param bits - scalar bitlength the table must cover
	*/
	buildWnafTable(point, W, bits) {
		const windows = Math.ceil(bits / W) + 1;
		const half = 2 ** (W - 1);
		const comp = [];
		let base = point;
		for (let w = 0; w < windows; w++) {
			let acc = base;
			for (let i = 0; i < half; i++) {
				comp.push(acc);
				acc = acc.add(base);
			}
			base = comp[comp.length - 1].double();
		}
		return {
			W,
			bits,
			windows,
			comp
		};
	}
	/**
	* Implements ec multiplication using precomputed signed fixed-window wNAF tables.
	* Constant-time: fixed window count with one table addition per window — zero digits feed
	* the fake accumulator — and no doublings; the lookup scans the whole window slice.
	* Scalar bounds are validated by the public entry points ({@link ScalarMultiplier.mulCT},
	* {@link ScalarMultiplier.mulCTBlinded}, {@link ScalarMultiplier.mulUnsafe});
	* signedWindowDigits throws if `n` exceeds the table.
	* @returns real and fake (for const-time) points
	*/
	wnafCachedCT(precomputes, n) {
		const { W, windows, comp } = precomputes;
		const half = 2 ** (W - 1);
		const digits = signedWindowDigits(n, W, windows);
		let p = this.ZERO;
		let f = this.BASE;
		for (let w = 0; w < windows; w++) {
			const digit = digits[w];
			const start = w * half;
			const idx = Math.abs(digit) - 1;
			let sel = comp[start];
			for (let i = 1; i < half; i++) sel = i === idx ? comp[start + i] : sel;
			const neg = sel.negate();
			if (digit === 0) f = f.add(comp[start]);
			else p = p.add(digit < 0 ? neg : sel);
		}
		return {
			p,
			f
		};
	}
	getWnafPrecomputes(W, point, bits, transform) {
		let entries = this.wnafPrecomputes.get(point);
		let comp = entries?.find((entry) => entry.W === W && entry.bits === bits);
		if (!comp) {
			comp = this.buildWnafTable(point, W, bits);
			if (typeof transform === "function") comp = {
				...comp,
				comp: transform(comp.comp)
			};
			if (!entries) {
				entries = [];
				this.wnafPrecomputes.set(point, entries);
			}
			entries.push(comp);
		}
		return comp;
	}
	assertPoint(point) {
		if (!(point instanceof this.Point)) throw new TypeError("\"point\" expected Point instance, got type=" + typeof point);
	}
	validateMulInput(point, scalar) {
		this.assertPoint(point);
		if (!inRange(scalar, _1n$3, this.Point.Fn.ORDER)) throw new Error("invalid scalar");
	}
	runCT(point, n, bits, transform) {
		const W = getWindowSize(point);
		if (W === 1) return this.fixedWindowCT(point, n, bits);
		return this.wnafCachedCT(this.getWnafPrecomputes(W, point, bits, transform), n);
	}
	mulCT(point, scalar, transform) {
		this.validateMulInput(point, scalar);
		return this.runCT(point, scalar, this.bits, transform);
	}
	mulCTBlinded(point, scalar, transform) {
		this.validateMulInput(point, scalar);
		if (this.randomBytes === void 0) throw new Error("randomBytes is required for scalar blinding");
		const bits = this.Point.Fn.BITS + BLIND_BITS;
		const blind = this.randomBytes(BLIND_BYTES);
		if (!isBytes(blind) || blind.length !== BLIND_BYTES) throw new Error("randomBytes returned invalid byte array");
		blind[0] = blind[0] & 63 | 128;
		const n = scalar + bytesToNumberBE(blind) * this.Point.Fn.ORDER;
		return this.runCT(point, n, bits, transform);
	}
	/**
	* Constant-time multiplication `n*point` for an un-precomputed point, via a small fixed window.
	* A cached wNAF table only pays off when reused; a flat 2^FW_WINDOW table (`size-1` adds) is
	* far cheaper to build for a single use. The point-operation sequence is independent of `n`:
	* build the table, then per window exactly FW_WINDOW doublings, a data-oblivious scan over
	* every table entry, and one addition (adds the identity when the window digit is 0 — never
	* skipped).
	*
	* `n` must be `< 2^bits`. Assumes complete addition (adding the identity costs the same as any
	* add), which holds for the Weierstrass/Edwards point types used here. The table is left in
	* projective form (no normalizeZ): normalizing this small a table costs more than the
	* mixed-add savings it would buy for a single multiply.
	* @returns real point `p`; `f` duplicates it only to match {@link wnafCachedCT}'s return shape
	* (this path needs no fake accumulator — its op-count is already scalar-independent).
	*/
	fixedWindowCT(point, n, bits) {
		const W = FW_WINDOW;
		const size = 32;
		const mask = bitMask(W);
		const table = new Array(size);
		table[0] = this.ZERO;
		for (let i = 1; i < size; i++) table[i] = table[i - 1].add(point);
		const windows = Math.ceil(bits / W);
		let acc = this.ZERO;
		for (let window = windows - 1; window >= 0; window--) {
			if (window !== windows - 1) for (let d = 0; d < W; d++) acc = acc.double();
			const digit = Number(n >> BigInt(window * W) & mask);
			let sel = table[0];
			for (let i = 1; i < size; i++) sel = i === digit ? table[i] : sel;
			acc = acc.add(sel);
		}
		return {
			p: acc,
			f: acc
		};
	}
	shouldBlind(point, cofactor) {
		if (this.randomBytes === void 0) return false;
		if (cofactor === _1n$3) return true;
		if (point !== this.BASE) return false;
		if (this.baseCanBeBlinded === void 0) this.baseCanBeBlinded = this.mulUnsafe(this.BASE, this.Point.Fn.ORDER).is0();
		return this.baseCanBeBlinded;
	}
	mulSecret(point, scalar, cofactor, transform) {
		return this.shouldBlind(point, cofactor) ? this.mulCTBlinded(point, scalar, transform) : this.mulCT(point, scalar, transform);
	}
	mulUnsafe(point, scalar, transform) {
		this.assertPoint(point);
		if (!isPosBig(scalar)) throw new Error("invalid scalar");
		const W = getWindowSize(point);
		if (W === 1 || scalar >= this.Point.Fn.ORDER) return mulAddUnsafe(this.Point, [point], [scalar], true);
		const precomputes = this.getWnafPrecomputes(W, point, this.bits, transform);
		return this.wnafCachedCT(precomputes, scalar).p;
	}
	setWindowSize(point, W) {
		this.assertPoint(point);
		validateW(W, this.bits);
		validateTableBytes((Math.ceil((this.bits + BLIND_BITS) / W) + 1) * 2 ** (W - 1), this.Point.Fp.BYTES);
		pointWindowSizes.set(point, W);
		this.wnafPrecomputes.delete(point);
	}
	hasWindowSize(point) {
		return getWindowSize(point) !== 1;
	}
};
/**
* Combined multi-scalar multiplication `Σ scalars[i]⋅points[i]` via interleaved width-4 wNAF
* (Strauss–Shamir). Every input gets its own table of odd multiples `[1P, 3P, 5P, 7P]` and
* signed-digit recoding, but all walks share one doubling chain, so total cost is
* `~bits` doublings + `L⋅bits/5` additions instead of `L⋅bits` doublings for separate
* multiplications. Intended for the 2-4 point shapes of signature verification
* (`R = u1⋅G + u2⋅P`); use {@link pippenger} for larger batches.
*
* Not constant-time: only for public inputs. Scalars must satisfy `0 <= s < Fn.ORDER`;
* fold negative signs into the points before calling.
* @param c - Point constructor.
* @param points - Array of curve points.
* @param scalars - Array of non-negative scalars, same length as points.
* @param allowOversized - Replace the `s < Fn.ORDER` scalar check with a `Fn.ORDER^4` DoS cap.
*   Off by default. For scalars that must NOT be reduced mod ORDER: torsion checks
*   (`Fn.ORDER⋅P ≟ O`) and cofactor-clearing multiples. Walk length grows with `bitLen(s)`.
* @returns Combined multiplication result; identity for empty input.
* @throws If the point set or scalar set is invalid. {@link Error}
* @example
* Combined multi-scalar multiplication via Strauss–Shamir.
*
* ```ts
* import { mulAddUnsafe } from '@noble/curves/abstract/curve.js';
* import { p256 } from '@noble/curves/nist.js';
* const G = p256.Point.BASE;
* const R = mulAddUnsafe(p256.Point, [G, G.double()], [2n, 3n]); // 2⋅G + 3⋅(2⋅G)
* ```
*/
function mulAddUnsafe(c, points, scalars, allowOversized = false) {
	validatePointCons(c);
	validateMSMPoints(points, c);
	abool(allowOversized, "allowOversized");
	validateMSMScalars(scalars, c.Fn, allowOversized ? c.Fn.ORDER ** _4n$1 : void 0);
	if (points.length !== scalars.length) throw new Error("arrays of points and scalars must have equal length");
	const tables = points.map((p) => oddMultiples(p, 4));
	const digits = scalars.map((n) => wnafDigits(n, 4));
	return wnafWalk(c.ZERO, tables, digits);
}
function createField(order, field, isLE) {
	if (field) {
		if (field.ORDER !== order) throw new Error("Field.ORDER must match order: Fp == p, Fn == n");
		validateField(field);
		return field;
	} else return Field(order, { isLE });
}
/**
* Validates basic CURVE shape and field membership, then creates fields.
* This does not prove that the generator is on-curve, that subgroup/order data are consistent, or
* that the curve equation itself is otherwise sane.
* @param type - Curve family.
* @param CURVE - Curve parameters.
* @param curveOpts - Optional field overrides. See {@link FpFn}:
*   - `Fp` (optional): Optional base-field override.
*   - `Fn` (optional): Optional scalar-field override.
* @param FpFnLE - Whether field encoding is little-endian.
* @returns Frozen curve parameters and fields.
* @throws If the curve parameters or field overrides are invalid. {@link Error}
* @example
* Build curve fields from raw constants before constructing a curve instance.
*
* ```ts
* const curve = createCurveFields('weierstrass', {
*   p: 17n,
*   n: 19n,
*   h: 1n,
*   a: 2n,
*   b: 2n,
*   Gx: 5n,
*   Gy: 1n,
* });
* ```
*/
function createCurveFields(type, CURVE, curveOpts = {}, FpFnLE) {
	if (type !== "weierstrass" && type !== "edwards") throw new Error("expected curve type \"weierstrass\" or \"edwards\"");
	if (FpFnLE === void 0) FpFnLE = type === "edwards";
	if (!CURVE || typeof CURVE !== "object") throw new Error(`expected valid ${type} CURVE object`);
	validateObject(curveOpts);
	for (const p of [
		"p",
		"n",
		"h"
	]) {
		const val = CURVE[p];
		if (!(isPosBig(val) && val !== _0n$2)) throw new Error(`CURVE.${p} must be positive bigint`);
	}
	const Fp = createField(CURVE.p, curveOpts.Fp, FpFnLE);
	const Fn = createField(CURVE.n, curveOpts.Fn, FpFnLE);
	const params = [
		"Gx",
		"Gy",
		"a",
		type === "weierstrass" ? "b" : "d"
	];
	for (const p of params) if (!Fp.isValid(CURVE[p])) throw new Error(`CURVE.${p} must be valid field element of CURVE.Fp`);
	CURVE = Object.freeze(Object.assign({}, CURVE));
	return {
		CURVE,
		Fp,
		Fn
	};
}
/**
* @param randomSecretKey - Secret-key generator.
* @param getPublicKey - Public-key derivation helper.
* @returns Keypair generator.
* @example
* Build a `keygen()` helper from existing secret-key and public-key primitives.
*
* ```ts
* import { createKeygen } from '@noble/curves/abstract/curve.js';
* import { p256 } from '@noble/curves/nist.js';
* const keygen = createKeygen(p256.utils.randomSecretKey, p256.getPublicKey);
* const pair = keygen();
* ```
*/
function createKeygen(randomSecretKey, getPublicKey) {
	return function keygen(seed) {
		const secretKey = randomSecretKey(seed);
		return {
			secretKey,
			publicKey: getPublicKey(secretKey)
		};
	};
}
// node_modules/@noble/curves/abstract/edwards.js
/**
* Twisted Edwards curve. The formula is: ax² + y² = 1 + dx²y².
* For design rationale of types / exports, see weierstrass module documentation.
* Untwisted Edwards curves exist, but they aren't used in real-world protocols.
* @module
*/
/*! noble-curves - MIT License (c) 2022 Paul Miller (paulmillr.com) */
var _0n$1 = /* @__PURE__ */ BigInt(0);
var _1n$2 = /* @__PURE__ */ BigInt(1);
var _2n$2 = /* @__PURE__ */ BigInt(2);
var _4n = /* @__PURE__ */ BigInt(4);
var _8n$1 = /* @__PURE__ */ BigInt(8);
function isEdValidXY(Fp, CURVE, x, y) {
	const x2 = Fp.sqr(x);
	const y2 = Fp.sqr(y);
	const left = Fp.add(Fp.mul(CURVE.a, x2), y2);
	const right = Fp.add(Fp.ONE, Fp.mul(CURVE.d, Fp.mul(x2, y2)));
	return Fp.eql(left, right);
}
/**
* @param params - Curve parameters. See {@link EdwardsOpts}.
* @param extraOpts - Optional helpers and overrides. See {@link EdwardsExtraOpts}.
* @returns Edwards point constructor. Generator validation here only checks
*   that `(Gx, Gy)` satisfies the affine Edwards equation.
*   RFC 8032 base-point constraints like `B != (0,1)` and `[L]B = 0`
*   are left to the caller's chosen parameters, since eager subgroup
*   validation here adds about 10-15ms to heavyweight imports like ed448.
*   The returned constructor also eagerly marks `Point.BASE` for W=6
*   precompute caching. Some code paths still assume
*   `Fp.BYTES === Fn.BYTES`, so mismatched byte lengths are not fully audited here.
* @throws If the curve parameters or Edwards overrides are invalid. {@link Error}
* @example
* ```ts
* import { edwards } from '@noble/curves/abstract/edwards.js';
* import { jubjub } from '@noble/curves/misc.js';
* // Build a point constructor from explicit curve parameters, then use its base point.
* const Point = edwards(jubjub.Point.CURVE());
* Point.BASE.toHex();
* ```
*/
function edwards(params, extraOpts = {}) {
	validateObject(extraOpts, {}, {}, "extraOpts");
	const opts = extraOpts;
	const validated = createCurveFields("edwards", params, opts, opts.FpFnLE);
	const { Fp, Fn } = validated;
	let CURVE = validated.CURVE;
	const { h: cofactor } = CURVE;
	if (FpLegendre(Fp, CURVE.a) !== 1) throw new Error("edwards: CURVE.a must be a square in Fp for complete addition formulas");
	if (FpLegendre(Fp, CURVE.d) !== -1) throw new Error("edwards: CURVE.d must be a non-square in Fp for complete addition formulas");
	validateObject(opts, {}, {
		uvRatio: "function",
		randomBytes: "function"
	});
	const randomBytes = opts.randomBytes === void 0 ? randomBytes$2 : opts.randomBytes;
	const MASK = _2n$2 << BigInt(Fp.BYTES * 8) - _1n$2;
	function isOdd(n) {
		if (!Fp.isOdd) throw new Error("Field does not have .isOdd()");
		return Fp.isOdd(n);
	}
	const uvRatio = opts.uvRatio === void 0 ? (u, v) => {
		try {
			return {
				isValid: true,
				value: Fp.sqrt(Fp.div(u, v))
			};
		} catch (e) {
			return {
				isValid: false,
				value: _0n$1
			};
		}
	} : opts.uvRatio;
	if (!isEdValidXY(Fp, CURVE, CURVE.Gx, CURVE.Gy)) throw new Error("bad curve params: generator point");
	const mulA = Fp.eql(CURVE.a, Fp.neg(Fp.ONE)) ? (x) => Fp.neg(x) : Fp.eql(CURVE.a, Fp.ONE) ? (x) => x : (x) => Fp.mul(CURVE.a, x);
	/**
	* Asserts coordinate is valid: 0 <= n < MASK.
	* Coordinates >= Fp.ORDER are allowed for zip215.
	*/
	function acoord(title, n, banZero = false) {
		const min = banZero ? _1n$2 : _0n$1;
		aInRange("coordinate " + title, n, min, MASK);
		return n;
	}
	function aedpoint(other) {
		if (!(other instanceof Point)) throw new Error("EdwardsPoint expected");
	}
	class Point {
		static BASE = new Point(CURVE.Gx, CURVE.Gy, Fp.ONE, Fp.mul(CURVE.Gx, CURVE.Gy));
		static ZERO = new Point(Fp.ZERO, Fp.ONE, Fp.ONE, Fp.ZERO);
		static Fp = Fp;
		static Fn = Fn;
		X;
		Y;
		Z;
		T;
		constructor(X, Y, Z, T) {
			this.X = acoord("x", X);
			this.Y = acoord("y", Y);
			this.Z = acoord("z", Z, true);
			this.T = acoord("t", T);
			Object.freeze(this);
		}
		static CURVE() {
			return CURVE;
		}
		/**
		* Create one extended Edwards point from affine coordinates.
		* Does NOT validate that the point is on-curve or torsion-free.
		* Use `.assertValidity()` on adversarial inputs.
		*/
		static fromAffine(p) {
			if (p instanceof Point) throw new Error("extended point not allowed");
			const { x, y } = p || {};
			acoord("x", x);
			acoord("y", y);
			return new Point(x, y, Fp.ONE, Fp.mul(x, y));
		}
		static fromBytes(bytes, zip215 = false) {
			const len = Fp.BYTES;
			const { a, d } = CURVE;
			bytes = copyBytes(abytes(bytes, len, "point"));
			abool(zip215, "zip215");
			const normed = copyBytes(bytes);
			const lastByte = bytes[len - 1];
			normed[len - 1] = lastByte & -129;
			const y = bytesToNumberLE(normed);
			aInRange("point.y", y, _0n$1, zip215 ? MASK : Fp.ORDER);
			const y2 = Fp.sqr(y);
			const u = Fp.sub(y2, Fp.ONE);
			const v = Fp.sub(Fp.mulN(d, y2), a);
			let { isValid, value: x } = uvRatio(u, v);
			if (!isValid) throw new Error("bad point: invalid y coordinate");
			const isXOdd = isOdd(x);
			const isLastByteOdd = (lastByte & 128) !== 0;
			if (!zip215 && Fp.is0(x) && isLastByteOdd) throw new Error("bad point: x=0 and x_0=1");
			if (isLastByteOdd !== isXOdd) x = Fp.neg(x);
			return Point.fromAffine({
				x,
				y
			});
		}
		static fromHex(hex, zip215 = false) {
			return Point.fromBytes(hexToBytes(hex), zip215);
		}
		get x() {
			return this.toAffine().x;
		}
		get y() {
			return this.toAffine().y;
		}
		precompute(windowSize = 6, isLazy = true) {
			wnaf.setWindowSize(this, windowSize);
			if (!isLazy) this.multiply(_2n$2);
			return this;
		}
		assertValidity() {
			const p = this;
			const { a, d } = CURVE;
			if (p.is0()) throw new Error("bad point: ZERO");
			const { X, Y, Z, T } = p;
			const X2 = Fp.sqr(X);
			const Y2 = Fp.sqr(Y);
			const Z2 = Fp.sqr(Z);
			const Z4 = Fp.sqr(Z2);
			const aX2 = Fp.mul(X2, a);
			const left = Fp.mul(Fp.add(aX2, Y2), Z2);
			const right = Fp.add(Z4, Fp.mul(d, Fp.mul(X2, Y2)));
			if (!Fp.eql(left, right)) throw new Error("bad point: equation left != right (1)");
			const XY = Fp.mul(X, Y);
			const ZT = Fp.mul(Z, T);
			if (!Fp.eql(XY, ZT)) throw new Error("bad point: equation left != right (2)");
		}
		equals(other) {
			aedpoint(other);
			const { X: X1, Y: Y1, Z: Z1 } = this;
			const { X: X2, Y: Y2, Z: Z2 } = other;
			const X1Z2 = Fp.mul(X1, Z2);
			const X2Z1 = Fp.mul(X2, Z1);
			const Y1Z2 = Fp.mul(Y1, Z2);
			const Y2Z1 = Fp.mul(Y2, Z1);
			return Fp.eql(X1Z2, X2Z1) && Fp.eql(Y1Z2, Y2Z1);
		}
		is0() {
			return this.equals(Point.ZERO);
		}
		negate() {
			return new Point(Fp.neg(this.X), this.Y, this.Z, Fp.neg(this.T));
		}
		double() {
			const { X: X1, Y: Y1, Z: Z1 } = this;
			const A = Fp.sqr(X1);
			const B = Fp.sqr(Y1);
			const C = Fp.mul(Fp.sqr(Z1), _2n$2);
			const D = mulA(A);
			const x1y1 = Fp.addN(X1, Y1);
			const E = Fp.sub(Fp.subN(Fp.sqr(x1y1), A), B);
			const G = Fp.addN(D, B);
			const F = Fp.subN(G, C);
			const H = Fp.subN(D, B);
			const X3 = Fp.mul(E, F);
			const Y3 = Fp.mul(G, H);
			const T3 = Fp.mul(E, H);
			const Z3 = Fp.mul(F, G);
			return new Point(X3, Y3, Z3, T3);
		}
		add(other) {
			aedpoint(other);
			const { d } = CURVE;
			const { X: X1, Y: Y1, Z: Z1, T: T1 } = this;
			const { X: X2, Y: Y2, Z: Z2, T: T2 } = other;
			const A = Fp.mul(X1, X2);
			const B = Fp.mul(Y1, Y2);
			const C = Fp.mul(Fp.mulN(T1, d), T2);
			const D = Fp.mul(Z1, Z2);
			const E = Fp.sub(Fp.subN(Fp.mulN(Fp.addN(X1, Y1), Fp.addN(X2, Y2)), A), B);
			const F = Fp.subN(D, C);
			const G = Fp.addN(D, C);
			const H = Fp.sub(B, mulA(A));
			const X3 = Fp.mul(E, F);
			const Y3 = Fp.mul(G, H);
			const T3 = Fp.mul(E, H);
			const Z3 = Fp.mul(F, G);
			return new Point(X3, Y3, Z3, T3);
		}
		subtract(other) {
			aedpoint(other);
			return this.add(other.negate());
		}
		multiply(scalar) {
			if (!Fn.isValidNot0(scalar)) throw new RangeError("invalid scalar: expected 1 <= sc < curve.n");
			const { p, f } = wnaf.mulSecret(this, scalar, cofactor, normalize);
			return normalize([p, f])[0];
		}
		multiplyUnsafe(scalar) {
			if (!Fn.isValid(scalar)) throw new RangeError("invalid scalar: expected 0 <= sc < curve.n");
			if (scalar === _0n$1) return Point.ZERO;
			if (this.is0() || scalar === _1n$2) return this;
			return wnaf.mulUnsafe(this, scalar, normalize);
		}
		isSmallOrder() {
			return this.clearCofactor().is0();
		}
		isTorsionFree() {
			return wnaf.mulUnsafe(this, CURVE.n).is0();
		}
		toAffine(invertedZ) {
			const p = this;
			let iz = invertedZ;
			if (iz != null && typeof iz !== "bigint") throw new TypeError("\"invertedZ\" expected bigint, got type=" + typeof iz);
			const { X, Y, Z } = p;
			const is0 = p.is0();
			if (iz == null) iz = is0 ? Fp.create(_8n$1) : Fp.inv(Z);
			const x = Fp.mul(X, iz);
			const y = Fp.mul(Y, iz);
			const zz = Fp.mul(Z, iz);
			if (is0) return {
				x: Fp.ZERO,
				y: Fp.ONE
			};
			if (!Fp.eql(zz, Fp.ONE)) throw new Error("invZ was invalid");
			return {
				x,
				y
			};
		}
		clearCofactor() {
			if (cofactor === _1n$2) return this;
			if (cofactor === _2n$2) return this.double();
			if (cofactor === _4n) return this.double().double();
			if (cofactor === _8n$1) return this.double().double().double();
			return this.multiplyUnsafe(cofactor);
		}
		toBytes() {
			const { x, y } = this.toAffine();
			const bytes = Fp.toBytes(y);
			bytes[bytes.length - 1] |= isOdd(x) ? 128 : 0;
			return bytes;
		}
		toHex() {
			return bytesToHex(this.toBytes());
		}
		toString() {
			return `<Point ${this.is0() ? "ZERO" : this.toHex()}>`;
		}
	}
	const normalize = (points) => normalizeZ(Point, points);
	const wnaf = new ScalarMultiplier(Point, randomBytes);
	if (wnaf.bits >= 6) Point.BASE.precompute(6);
	Object.freeze(Point.prototype);
	Object.freeze(Point);
	return Point;
}
/**
* Initializes EdDSA signatures over given Edwards curve.
* @param Point - Edwards point constructor.
* @param cHash - Hash function.
* @param eddsaOpts - Optional signature helpers. See {@link EdDSAOpts}.
* @returns EdDSA helper namespace.
* @throws If the hash function, options, or derived point operations are invalid. {@link Error}
* @example
* Initializes EdDSA signatures over given Edwards curve.
*
* ```ts
* import { eddsa } from '@noble/curves/abstract/edwards.js';
* import { jubjub } from '@noble/curves/misc.js';
* import { sha512 } from '@noble/hashes/sha2.js';
* const sigs = eddsa(jubjub.Point, sha512);
* const { secretKey, publicKey } = sigs.keygen();
* const msg = new TextEncoder().encode('hello noble');
* const sig = sigs.sign(msg, secretKey);
* const isValid = sigs.verify(sig, msg, publicKey);
* ```
*/
function eddsa(Point, cHash, eddsaOpts = {}) {
	validatePointCons(Point);
	if (typeof cHash !== "function") throw new Error("\"hash\" function param is required");
	const hash = cHash;
	const opts = eddsaOpts;
	validateObject(opts, {}, {
		adjustScalarBytes: "function",
		randomBytes: "function",
		domain: "function",
		prehash: "function",
		zip215: "boolean",
		mapToCurve: "function",
		toMontgomery: "function",
		toMontgomerySecret: "function"
	});
	const { prehash } = opts;
	const { BASE, Fp, Fn } = Point;
	const outputLen = hash.outputLen;
	const expectedLen = 2 * Fp.BYTES;
	if (outputLen !== void 0) {
		asafenumber(outputLen, "hash.outputLen");
		if (outputLen !== expectedLen) throw new Error(`hash.outputLen must be ${expectedLen}, got ${outputLen}`);
	}
	const randomBytes = opts.randomBytes === void 0 ? randomBytes$2 : opts.randomBytes;
	const toMontgomery = opts.toMontgomery;
	const toMontgomerySecret = opts.toMontgomerySecret;
	const adjustScalarBytes = opts.adjustScalarBytes === void 0 ? (bytes) => bytes : opts.adjustScalarBytes;
	const domain = opts.domain === void 0 ? (data, ctx, phflag) => {
		abool(phflag, "phflag");
		if (ctx.length || phflag) throw new Error("Contexts/pre-hash are not supported");
		return data;
	} : opts.domain;
	function modN_LE(hash) {
		return Fn.create(bytesToNumberLE(hash));
	}
	function getPrivateScalar(key) {
		const len = lengths.secretKey;
		abytes(key, lengths.secretKey, "secretKey");
		const hashed = abytes(hash(key), 2 * len, "hashedSecretKey");
		const head = adjustScalarBytes(hashed.slice(0, len));
		return {
			head,
			prefix: hashed.slice(len, 2 * len),
			scalar: modN_LE(head)
		};
	}
	/** Convenience method that creates public key from scalar. RFC8032 5.1.5
	* Also exposes the derived scalar/prefix tuple and point form reused by sign().
	*/
	function getExtendedPublicKey(secretKey) {
		const { head, prefix, scalar } = getPrivateScalar(secretKey);
		const point = BASE.multiply(scalar);
		return {
			head,
			prefix,
			scalar,
			point,
			pointBytes: point.toBytes()
		};
	}
	/** Calculates EdDSA pub key. RFC8032 5.1.5. */
	function getPublicKey(secretKey) {
		return getExtendedPublicKey(secretKey).pointBytes;
	}
	function hashDomainToScalar(context = Uint8Array.of(), ...msgs) {
		const msg = concatBytes(...msgs);
		return modN_LE(hash(domain(msg, abytes(context, void 0, "context"), !!prehash)));
	}
	/** Signs message with secret key. RFC8032 5.1.6 */
	function sign(msg, secretKey, options = {}) {
		validateObject(options, {}, {}, "options");
		msg = copyBytes(abytes(msg, void 0, "message"));
		if (prehash) msg = prehash(msg);
		const { prefix, scalar, pointBytes } = getExtendedPublicKey(secretKey);
		const r = hashDomainToScalar(options.context, prefix, msg);
		const R = BASE.multiply(r).toBytes();
		const k = hashDomainToScalar(options.context, R, pointBytes, msg);
		const s = Fn.create(r + k * scalar);
		if (!Fn.isValid(s)) throw new Error("sign failed: invalid s");
		return abytes(concatBytes(R, Fn.toBytes(s)), lengths.signature, "result");
	}
	const verifyOpts = { zip215: opts.zip215 };
	/**
	* Verifies EdDSA signature against message and public key. RFC 8032 §§5.1.7 and 5.2.7.
	* A cofactored verification equation is checked.
	*/
	function verify(sig, msg, publicKey, options = verifyOpts) {
		validateObject(options);
		const { context } = options;
		const zip215 = options.zip215 === void 0 ? !!verifyOpts.zip215 : options.zip215;
		const len = lengths.signature;
		sig = abytes(sig, len, "signature");
		msg = abytes(msg, void 0, "message");
		publicKey = abytes(publicKey, lengths.publicKey, "publicKey");
		if (zip215 !== void 0) abool(zip215, "zip215");
		if (prehash) msg = prehash(msg);
		const mid = len / 2;
		const r = sig.subarray(0, mid);
		const s = bytesToNumberLE(sig.subarray(mid, len));
		let A, R, SB;
		try {
			A = Point.fromBytes(publicKey, zip215);
			R = Point.fromBytes(r, zip215);
			SB = BASE.multiplyUnsafe(s);
		} catch (error) {
			return false;
		}
		if (!zip215 && A.isSmallOrder()) return false;
		const k = hashDomainToScalar(context, r, publicKey, msg);
		return R.add(A.multiplyUnsafe(k)).subtract(SB).clearCofactor().is0();
	}
	const _size = Fp.BYTES;
	const lengths = {
		secretKey: _size,
		publicKey: _size,
		signature: 2 * _size,
		seed: _size
	};
	function randomSecretKey(seed) {
		seed = seed === void 0 ? randomBytes(lengths.seed) : seed;
		return abytes(seed, lengths.seed, "seed");
	}
	function isValidSecretKey(key) {
		return isBytes(key) && key.length === lengths.secretKey;
	}
	function isValidPublicKey(key, zip215) {
		try {
			return !!Point.fromBytes(key, zip215 === void 0 ? verifyOpts.zip215 : zip215);
		} catch (error) {
			return false;
		}
	}
	const utils = {
		getExtendedPublicKey,
		randomSecretKey,
		isValidSecretKey,
		isValidPublicKey,
		/** Converts an Edwards public key to a companion Montgomery public key. */
		toMontgomery(publicKey) {
			if (toMontgomery === void 0) throw new Error("Montgomery conversion is not supported for this curve");
			return toMontgomery(Point.fromBytes(publicKey));
		},
		toMontgomerySecret(secretKey) {
			if (toMontgomerySecret === void 0) throw new Error("Montgomery conversion is not supported for this curve");
			return toMontgomerySecret(secretKey);
		}
	};
	Object.freeze(lengths);
	Object.freeze(utils);
	return Object.freeze({
		keygen: createKeygen(randomSecretKey, getPublicKey),
		getPublicKey,
		sign,
		verify,
		utils,
		Point,
		lengths
	});
}
// node_modules/@noble/curves/abstract/fft.js
/**
* Experimental implementation of NTT / FFT (Fast Fourier Transform) over finite fields.
* API may change at any time. The code has not been audited. Feature requests are welcome.
* @module
*/
function checkU32(n, title = "n") {
	if (typeof n !== "number") throw new TypeError(`wrong u32 integer "${title}": expected number, got type=${typeof n}`);
	if (!Number.isSafeInteger(n) || n < 0 || n > 4294967295) throw new RangeError(`wrong u32 integer "${title}": expected 0..4294967295, got ${n}`);
	return n;
}
/**
* Checks if integer is in form of `1 << X`.
* @param x - Integer to inspect.
* @returns `true` when the value is a power of two.
* @example
* Validate that an FFT size is a power of two.
*
* ```ts
* isPowerOfTwo(8);
* ```
*/
function isPowerOfTwo(x) {
	checkU32(x, "x");
	return (x & x - 1) === 0 && x !== 0;
}
/**
* @param n - Value to reverse.
* @param bits - Number of bits to use.
* @returns Bit-reversed integer.
* @throws If `n` is not a valid unsigned 32-bit integer. {@link Error}
* @example
* Reverse the low `bits` bits of one index.
*
* ```ts
* reverseBits(3, 3);
* ```
*/
function reverseBits(n, bits) {
	checkU32(n);
	if (typeof bits !== "number") throw new TypeError("\"bits\" expected number, got type=" + typeof bits);
	if (!Number.isSafeInteger(bits) || bits < 0 || bits > 32) throw new Error(`expected integer 0 <= bits <= 32, got ${bits}`);
	let reversed = 0;
	for (let i = 0; i < bits; i++, n >>>= 1) reversed = reversed << 1 | n & 1;
	return reversed >>> 0;
}
/**
* Similar to `bitLen(x)-1` but much faster for small integers, like indices.
* @param n - Input value.
* @returns Base-2 logarithm. For `n = 0`, the current implementation returns `-1`.
* @example
* Compute the radix-2 stage count for one transform size.
*
* ```ts
* log2(8);
* ```
*/
function log2(n) {
	checkU32(n);
	return 31 - Math.clz32(n);
}
/**
* Moves lowest bit to highest position, which at first step splits
* array on even and odd indices, then it applied again to each part,
* which is core of fft
* @param values - Mutable coefficient array.
* @returns Mutated input array.
* @throws If the array length is not a positive power of two. {@link Error}
* @example
* Reorder coefficients into bit-reversed order in place.
*
* ```ts
* const values = Uint8Array.from([0, 1, 2, 3]);
* bitReversalInplace(values);
* ```
*/
function bitReversalInplace(values) {
	if (!values || typeof values !== "object" || typeof values.length !== "number") throw new TypeError("\"values\" expected array-like, got type=" + typeof values);
	const n = values.length;
	if (!isPowerOfTwo(n)) throw new Error("expected positive power-of-two length, got " + n);
	const bits = log2(n);
	for (let i = 0; i < n; i++) {
		const j = reverseBits(i, bits);
		if (i < j) {
			const tmp = values[i];
			values[i] = values[j];
			values[j] = tmp;
		}
	}
	return values;
}
/**
* Constructs different flavors of FFT. radix2 implementation of low level mutating API. Flavors:
*
* - DIT (Decimation-in-Time): Bottom-Up (leaves to root), Cooley-Tukey
* - DIF (Decimation-in-Frequency): Top-Down (root to leaves), Gentleman-Sande
*
* DIT takes brp input, returns natural output.
* DIF takes natural input, returns brp output.
*
* The output is actually identical. Time / frequence distinction is not meaningful
* for Polynomial multiplication in fields.
* Which means if protocol supports/needs brp output/inputs, then we can skip this step.
*
* Cyclic NTT: Rq = Zq[x]/(x^n-1). butterfly_DIT+loop_DIT OR butterfly_DIF+loop_DIT, roots are omega
* Negacyclic NTT: Rq = Zq[x]/(x^n+1). butterfly_DIT+loop_DIF, at least for mlkem / mldsa
*
* `invertButterflies` indexes roots by a per-butterfly-group counter (`grp`): forward
* (`dit: false`) reads `roots[grp]` with grp = 1..; inverse (`dit: true`) reads `roots[N - grp]`
* with grp restarting at 1. With `skipStages: 0` one table serves both directions (ωᴺ = 1 makes
* the reversed walk self-inverse). With `skipStages > 0` the inverse walk starts at `N - 1`
* instead of continuing where the skipped stages would have left off, so the caller must supply
* a table shaped for that (ML-KEM: `ζ^BitRev7(i)` over all N=256 indices, whose aliased upper
* half is exactly the FIPS 203 inverse walk).
* @param F - Field operations.
* @param coreOpts - FFT configuration. See {@link FFTCoreOpts}:
*   - `N`: Transform size. Must be a power of two.
*   - `roots`: Stage roots for the selected transform size.
*   - `dit`: Whether to run the DIT variant instead of DIF.
*   - `invertButterflies` (optional): Whether to invert butterfly placement.
*   - `skipStages` (optional): Number of initial stages to skip.
*   - `brp` (optional): Whether to apply bit-reversal permutation at the boundary.
* @returns Low-level FFT loop.
* @throws If the FFT options or cached roots are invalid for the requested size. {@link Error}
* @example
* Constructs different flavors of FFT.
*
* ```ts
* import { FFTCore, rootsOfUnity } from '@noble/curves/abstract/fft.js';
* import { Field } from '@noble/curves/abstract/modular.js';
* const Fp = Field(17n);
* const roots = rootsOfUnity(Fp).roots(2);
* const loop = FFTCore(Fp, { N: 4, roots, dit: true });
* const values = loop([1n, 2n, 3n, 4n]);
* ```
*/
var FFTCore = (F, coreOpts) => {
	validateObject(coreOpts, {
		N: "number",
		roots: "object",
		dit: "boolean"
	}, {
		invertButterflies: "boolean",
		skipStages: "number",
		brp: "boolean"
	}, "coreOpts");
	const { N, roots, dit, invertButterflies = false, skipStages = 0, brp = true } = coreOpts;
	checkU32(N, "coreOpts.N");
	const bits = log2(N);
	if (!isPowerOfTwo(N)) throw new Error("FFT: Polynomial size should be power of two");
	checkU32(skipStages, "coreOpts.skipStages");
	const maxSkipStages = bits === 0 ? 0 : bits - 1;
	if (skipStages > maxSkipStages) throw new Error(`FFT: wrong skipStages: expected 0 <= skipStages <= ${maxSkipStages}`);
	if (roots.length !== N) throw new Error(`FFT: wrong roots length: expected ${N}, got ${roots.length}`);
	const isDit = dit !== invertButterflies;
	return (values) => {
		if (values.length !== N) throw new Error("FFT: wrong Polynomial length");
		if (dit && brp) bitReversalInplace(values);
		for (let i = 0, g = 1; i < bits - skipStages; i++) {
			const s = dit ? i + 1 + skipStages : bits - i;
			const m = 1 << s;
			const m2 = m >> 1;
			const stride = N >> s;
			for (let k = 0; k < N; k += m) for (let j = 0, grp = g++; j < m2; j++) {
				const rootPos = invertButterflies ? dit ? N - grp : grp : j * stride;
				const i0 = k + j;
				const i1 = k + j + m2;
				const omega = roots[rootPos];
				const b = values[i1];
				const a = values[i0];
				if (isDit) {
					const t = F.mul(b, omega);
					values[i0] = F.add(a, t);
					values[i1] = F.sub(a, t);
				} else if (invertButterflies) {
					values[i0] = F.add(b, a);
					values[i1] = F.mul(F.sub(b, a), omega);
				} else {
					values[i0] = F.add(a, b);
					values[i1] = F.mul(F.sub(a, b), omega);
				}
			}
		}
		if (!dit && brp) bitReversalInplace(values);
		return values;
	};
};
// node_modules/@noble/curves/ed25519.js
/**
* ed25519 Twisted Edwards curve with following addons:
* - X25519 ECDH
* - Ristretto cofactor elimination
* - Elligator hash-to-group / point indistinguishability
* @module
*/
/*! noble-curves - MIT License (c) 2022 Paul Miller (paulmillr.com) */
var _1n$1 = /* @__PURE__ */ BigInt(1);
var _2n$1 = /* @__PURE__ */ BigInt(2);
var _5n = /* @__PURE__ */ BigInt(5);
var _8n = /* @__PURE__ */ BigInt(8);
var ed25519_CURVE_p = /* @__PURE__ */ BigInt("0x7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffed");
var ed25519_CURVE = /* @__PURE__ */ (() => ({
	p: ed25519_CURVE_p,
	n: BigInt("0x1000000000000000000000000000000014def9dea2f79cd65812631a5cf5d3ed"),
	h: _8n,
	a: BigInt("0x7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffec"),
	d: BigInt("0x52036cee2b6ffe738cc740797779e89800700a4d4141d8ab75eb4dca135978a3"),
	Gx: BigInt("0x216936d3cd6e53fec0a4e231fdd6dc5c692cc7609525a7b2c9562d608f25d51a"),
	Gy: BigInt("0x6666666666666666666666666666666666666666666666666666666666666658")
}))();
function ed25519_pow_2_252_3(x) {
	const _10n = BigInt(10), _20n = BigInt(20), _40n = BigInt(40), _80n = BigInt(80);
	const P = ed25519_CURVE_p;
	const b2 = x * x % P * x % P;
	const b5 = pow2(pow2(b2, _2n$1, P) * b2 % P, _1n$1, P) * x % P;
	const b10 = pow2(b5, _5n, P) * b5 % P;
	const b20 = pow2(b10, _10n, P) * b10 % P;
	const b40 = pow2(b20, _20n, P) * b20 % P;
	const b80 = pow2(b40, _40n, P) * b40 % P;
	return {
		pow_p_5_8: pow2(pow2(pow2(pow2(b80, _80n, P) * b80 % P, _80n, P) * b80 % P, _10n, P) * b10 % P, _2n$1, P) * x % P,
		b2
	};
}
function adjustScalarBytes(bytes) {
	bytes[0] &= 248;
	bytes[31] &= 127;
	bytes[31] |= 64;
	return bytes;
}
var ED25519_SQRT_M1 = /* @__PURE__ */ BigInt("19681161376707505956807079304988542015446066515923890162744021073123829784752");
function uvRatio(u, v) {
	const P = ed25519_CURVE_p;
	const v3 = mod(v * v * v, P);
	const pow = ed25519_pow_2_252_3(u * mod(v3 * v3 * v, P)).pow_p_5_8;
	let x = mod(u * v3 * pow, P);
	const vx2 = mod(v * x * x, P);
	const root1 = x;
	const root2 = mod(x * ED25519_SQRT_M1, P);
	const useRoot1 = vx2 === u;
	const useRoot2 = vx2 === mod(-u, P);
	const noRoot = vx2 === mod(-u * ED25519_SQRT_M1, P);
	if (useRoot1) x = root1;
	if (useRoot2 || noRoot) x = root2;
	if (isNegativeLE(x, P)) x = mod(-x, P);
	return {
		isValid: useRoot1 || useRoot2,
		value: x
	};
}
var ed25519_Point = /* @__PURE__ */ edwards(ed25519_CURVE, { uvRatio });
var Fp = /* @__PURE__ */ (() => ed25519_Point.Fp)();
function toMontgomery(point) {
	const { y } = point;
	return Fp.toBytes(Fp.div(_1n$1 + y, _1n$1 - y));
}
function toMontgomerySecret(secretKey) {
	const size = ed25519_Point.Fp.BYTES;
	abytes$1(secretKey, size);
	return adjustScalarBytes(sha512(secretKey.subarray(0, size))).subarray(0, size);
}
function ed(opts) {
	return eddsa(ed25519_Point, sha512, Object.assign({
		adjustScalarBytes,
		toMontgomery,
		toMontgomerySecret,
		zip215: true
	}, opts));
}
/**
* ed25519 curve with EdDSA signatures.
* Seeded `keygen(seed)` / `utils.randomSecretKey(seed)` reuse the provided
* 32-byte seed buffer instead of copying it.
* @example
* Generate one Ed25519 keypair, sign a message, and verify it.
*
* ```js
* import { ed25519 } from '@noble/curves/ed25519.js';
* const { secretKey, publicKey } = ed25519.keygen();
* // const publicKey = ed25519.getPublicKey(secretKey);
* const msg = new TextEncoder().encode('hello noble');
* const sig = ed25519.sign(msg, secretKey);
* const isValid = ed25519.verify(sig, msg, publicKey); // ZIP215
* // RFC8032 / FIPS 186-5
* const isValid2 = ed25519.verify(sig, msg, publicKey, { zip215: false });
* ```
*/
var ed25519 = /* @__PURE__ */ ed({});
// shared/proof/ed25519.ts
/**
* `publicKey` is 32 bytes, `digest` is the signed digest, `signature` is 64 bytes. Returns false for other
* sizes. Never throws.
* Verifiers disagree only on keys and signatures that were made for that purpose. This function accepts
* nothing that Node (OpenSSL), Go or noble refuse, so a bundle that passes here passes everywhere. It refuses
* encodings beyond the field, S beyond the group order, and keys of small order (one signature would fit any
* message). It checks the equation without cofactor, which noble's own `verify` does not. The keys of this
* service are never of these kinds.
*/
function verifySignature(publicKey, digest, signature) {
	if (publicKey.length !== 32 || signature.length !== 64) return false;
	const { Point } = ed25519;
	const encodedR = signature.subarray(0, 32);
	const s = bytesToNumberLE(signature.subarray(32));
	if (s >= Point.Fn.ORDER) return false;
	try {
		const key = Point.fromBytes(publicKey);
		if (key.isSmallOrder()) return false;
		const k = Point.Fn.create(bytesToNumberLE(sha512(concatBytes$2(encodedR, publicKey, digest))));
		return bytesEqual(Point.BASE.multiplyUnsafe(s).subtract(key.multiplyUnsafe(k)).toBytes(), encodedR);
	} catch {
		return false;
	}
}
// shared/proof/domain_hash.ts
/**
* A byte never gets a second meaning. 0x41 to 0x45 are used elsewhere. Names are those of the `hash` utility
* where it has one.
*/
var DOMAIN_BYTES = {
	leaf: 0,
	node: 1,
	items_claims: 17,
	items_metadata: 18,
	item: 19,
	entropy: 33,
	entropy_metadata: 34,
	observation: 35,
	block_genesis: 49,
	block: 50,
	block_metadata: 51,
	commitment_data: 52,
	commitment: 53,
	public_key: 81,
	next_public_key: 83,
	proof: 97
};
/** 32 bytes: SHA-256 over the domain's byte followed by the parts. */
function domainHash(domain, ...parts) {
	let length = 1;
	for (const part of parts) length += part.length;
	const message = new Uint8Array(length);
	message[0] = DOMAIN_BYTES[domain];
	let at = 1;
	for (const part of parts) {
		message.set(part, at);
		at += part.length;
	}
	return sha256(message);
}
/**
* Node's own SHA-256. As text of one byte a character it takes a third of the time, because a short typed array of our
* own lies in the heap and Node's buffers do not. Browsers have no function that answers at once.
*/
var nodeHash$1 = globalThis.process?.getBuiltinModule?.("node:crypto").hash;
/** 32 bytes, without a domain byte. Used for the empty tree and for Bitcoin. */
function sha256(bytes) {
	const digest = /* @__PURE__ */ new Uint8Array(32);
	sha256Into(bytes, digest, 0);
	return digest;
}
/** As `sha256`, into `target` from `start` on: large trees have many hashes in one piece of memory. */
function sha256Into(bytes, target, start) {
	if (nodeHash$1 === void 0) {
		target.set(sha256$1(bytes), start);
		return;
	}
	const text = nodeHash$1("sha256", bytes, "binary");
	for (let at = 0; at < 32; at++) target[start + at] = text.charCodeAt(at);
}
// shared/log/verifier_key.ts
/** The types that this reader knows: the log's own signature, and the two kinds of cosignatures. */
var SIGNATURE_TYPES = {
	/** Ed25519 over the text of the note. */
	ed25519: 1,
	/** Ed25519 over a time and the text of a checkpoint. */
	ed25519Cosignature: 4,
	/** ML-DSA-44 over the name, a time and what the checkpoint says. */
	mlDsa44Cosignature: 6
};
/**
* A key with its id.
* @throws RangeError when the name is not a key name, or the public key has the wrong length for its type
*/
function verifierKey(name, type, publicKey) {
	if (!isKeyName(name)) throw new RangeError("not a key name");
	if (publicKey.length !== PUBLIC_KEY_BYTES[type]) throw new RangeError(`a public key of type ${hexByte(type)} has ${PUBLIC_KEY_BYTES[type]} bytes`);
	const hash = sha256(concatBytes$2(utf8(name), NEWLINE, Uint8Array.of(type), publicKey));
	return {
		name,
		id: new DataView(hash.buffer, hash.byteOffset).getUint32(0),
		type,
		publicKey
	};
}
/** @throws RangeError on any other text, on another id than the key's own, and on types that are not known here */
function readVerifierKey(text) {
	if (text.length > MOST_KEY_CHARACTERS) throw new RangeError("a verifier key is too long");
	const match = /^([^+]+)\+([0-9a-f]{8})\+(.+)$/.exec(text);
	if (match === null) throw new RangeError("not a verifier key: name+id+key");
	const [, name = "", id = "", encoded = ""] = match;
	const [type, ...publicKey] = fromBase64(encoded);
	const known = Object.values(SIGNATURE_TYPES).find((one) => one === type);
	if (known === void 0) throw new RangeError(`keys of type ${hexByte(type ?? 0)} are not supported`);
	const key = verifierKey(name, known, Uint8Array.from(publicKey));
	if (keyLabel(key) !== `${name}+${id}`) throw new RangeError("the id of a verifier key is not that of its name and key");
	return key;
}
function writeVerifierKey(key) {
	return `${keyLabel(key)}+${toBase64(concatBytes$2(Uint8Array.of(key.type), key.publicKey))}`;
}
/** `witness.example/w1+c249f154`: a key without its public key. Name and id together stand for one key. */
function keyLabel(key) {
	return `${key.name}+${key.id.toString(16).padStart(8, "0")}`;
}
function isSameKey(a, b) {
	return a.name === b.name && a.id === b.id;
}
/** Not empty, no spaces, no plus sign, no control characters. */
function isKeyName(text) {
	if (text === "" || !text.isWellFormed() || /[\p{White_Space}+]/u.test(text)) return false;
	const bytes = utf8(text);
	return bytes.length <= 255 && bytes.every((byte) => byte >= 32);
}
var NEWLINE = Uint8Array.of(10);
var PUBLIC_KEY_BYTES = {
	1: 32,
	4: 32,
	6: 1312
};
/** A name, an id, and 1,313 bytes in base64, with the plus signs between them. */
var MOST_KEY_CHARACTERS = 2017;
var hexByte = (byte) => `0x${toHex(Uint8Array.of(byte))}`;
// shared/log/signed_note.ts
/** The largest note that is read. A witness's signature by ML-DSA-44 has 3.3 KB, and a policy 64 witnesses. */
var NOTE_CEILINGS = {
	bytes: 262144,
	signatures: 128,
	signatureBytes: 8192
};
/**
* The parts of a note. Nothing is verified.
* @throws RangeError on any other bytes, and above the ceilings
*/
function readNote(bytes) {
	if (bytes.length > NOTE_CEILINGS.bytes) throw new RangeError("a note is too long");
	if (bytes.some((byte) => byte < 32 && byte !== 10)) throw new RangeError("a note has control characters");
	const whole = decode(bytes);
	const split = whole.lastIndexOf("\n\n");
	if (split < 0) throw new RangeError("a note has no empty line before its signatures");
	return {
		text: whole.slice(0, split + 1),
		signatures: readSignatureLines(whole.slice(split + 2))
	};
}
/**
* One or more signature lines, each with its newline.
* @throws RangeError on any other text, and above the ceilings
*/
function readSignatureLines(text) {
	if (!text.endsWith("\n")) throw new RangeError("the last line of a note has no newline");
	const lines = text.slice(0, -1).split("\n", NOTE_CEILINGS.signatures + 1);
	if (lines.length > NOTE_CEILINGS.signatures) throw new RangeError("a note has too many signatures");
	return lines.map(readSignatureLine);
}
/** The first signature with the key's name and id. Undefined when the key has not signed. */
function signatureBy(signatures, key) {
	return signatures.find((one) => isSameKey(one, key))?.signature;
}
/** Whether the first signature with the name and id of this Ed25519 key is a valid one over the text. */
function isSignedBy(note, key) {
	if (key.type !== SIGNATURE_TYPES.ed25519) return false;
	const signature = signatureBy(note.signatures, key);
	return signature !== void 0 && verifySignature(key.publicKey, utf8(note.text), signature);
}
function readSignatureLine(line) {
	const [dash, name, encoded, ...more] = line.split(" ", 4);
	if (dash !== "—" || name === void 0 || encoded === void 0 || more.length > 0 || !isKeyName(name)) throw new RangeError("a signature line of a note is malformed");
	if (encoded.length > MOST_ENCODED) throw new RangeError("a signature of a note is too long");
	const bytes = fromBase64(encoded);
	if (bytes.length < 5) throw new RangeError("a signature of a note is too short");
	return {
		name,
		id: new DataView(bytes.buffer, bytes.byteOffset).getUint32(0),
		signature: bytes.subarray(4)
	};
}
var MOST_ENCODED = Math.ceil((NOTE_CEILINGS.signatureBytes + 4) / 3) * 4;
function decode(bytes) {
	try {
		return strictUtf8.decode(bytes);
	} catch {
		throw new RangeError("a note is not UTF-8");
	}
}
/** Keeps a byte order mark, which is part of the text that is signed. */
var strictUtf8 = new TextDecoder("utf-8", {
	fatal: true,
	ignoreBOM: true
});
/**
* At most 2^53 - 1, so that it stays exact.
* @throws RangeError on any other text
*/
function readDecimal(text) {
	if (!DECIMAL.test(text) || !Number.isSafeInteger(Number(text))) throw new RangeError("not a decimal number without leading zeros below 2^53");
	return Number(text);
}
var DECIMAL = /^(?:0|[1-9]\d{0,15})$/;
/**
* Reads lines without their newlines.
* @throws RangeError when there are too many, or one is not the base64 of 32 bytes
*/
function readHashLines(lines) {
	if (lines.length > 63) throw new RangeError(`a proof has at most 63 hashes`);
	return lines.map(readHash);
}
/** @throws RangeError on any text but the base64 of 32 bytes */
function readHash(line) {
	if (line.length !== HASH_CHARACTERS) throw new RangeError("a line is not a hash in base64");
	const hash = fromBase64(line);
	if (hash.length !== 32) throw new RangeError("a line is not a hash in base64");
	return hash;
}
var HASH_CHARACTERS = 44;
// shared/log/checkpoint.ts
/**
* What a text says. Extension lines are allowed and mean nothing.
* @throws RangeError on any other text
*/
function readCheckpoint(text) {
	const [origin = "", size = "", root = "", ...more] = text.split("\n");
	if (more.pop() !== "" || origin === "" || more.includes("")) throw new RangeError("not the text of a checkpoint");
	if (utf8(origin).length > 255) throw new RangeError("the origin of a checkpoint is too long");
	return {
		origin,
		size: readDecimal(size),
		root: readHash(root)
	};
}
/**
* The parts of a note and what it says. Nothing is verified.
* @throws RangeError on any other bytes
*/
function readSignedCheckpoint(bytes) {
	const note = readNote(bytes);
	return {
		...readCheckpoint(note.text),
		note
	};
}
/**
* The checkpoint of a note that the log has signed. The key's name is the origin.
* @throws RangeError on any other bytes, on another origin, and without a valid signature of the log
*/
function openCheckpoint(bytes, logKey) {
	const checkpoint = readSignedCheckpoint(bytes);
	if (checkpoint.origin !== logKey.name) throw new RangeError("the checkpoint is of another log");
	if (!isSignedBy(checkpoint.note, logKey)) throw new RangeError("the checkpoint has no valid signature of its log");
	return checkpoint;
}
// shared/proof/json_value.ts
function isJsonObject(value) {
	return typeof value === "object" && value !== null && !Array.isArray(value);
}
/** The object's own member, never an inherited one. Undefined when absent. */
function memberOf(object, name) {
	return Object.hasOwn(object, name) ? object[name] : void 0;
}
/** Adds a member of any name. Assigning to `__proto__` would change the prototype instead. */
function setMember(object, name, value) {
	if (name !== "__proto__") object[name] = value;
	else Object.defineProperty(object, name, {
		value,
		writable: true,
		enumerable: true,
		configurable: true
	});
}
/**
* The one text of `value` that is hashed (its UTF-8 bytes). Names are sorted by UTF-16 code units, numbers
* are as in ECMAScript (`-0` is `0`, `1e21` is `1e+21`), escapes are the shortest, no white space. Null
* members are kept. Recurses once per level of nesting; the depth limit of the strict reader keeps this far
* below the stack's limit.
* @throws RangeError for values JSON does not have: NaN, infinities, unpaired surrogates, undefined,
* functions, symbols
*/
function canonicalJson(value) {
	switch (typeof value) {
		case "string": return canonicalString(value);
		case "number":
			if (!Number.isFinite(value)) throw new RangeError(`${value} is not a JSON number`);
			return String(value);
		case "bigint":
		case "boolean": return String(value);
		case "object":
			if (value === null) return "null";
			return Array.isArray(value) ? canonicalArray(value) : canonicalObject(value);
		default: throw new RangeError(`${typeof value} is not a JSON value`);
	}
}
function canonicalArray(values) {
	let text = "";
	for (const value of values) text += `${text === "" ? "" : ","}${canonicalJson(value)}`;
	return `[${text}]`;
}
/** Reads own members only, so a member called `__proto__` is an ordinary name. */
function canonicalObject(object) {
	let text = "";
	for (const name of Object.keys(object).sort()) {
		const value = object[name];
		if (value === void 0) throw new RangeError("undefined is not a JSON value");
		text += `${text === "" ? "" : ","}${canonicalString(name)}:${canonicalJson(value)}`;
	}
	return `{${text}}`;
}
/**
* JSON.stringify escapes exactly what RFC 8785 section 3.2.2.2 requires, provided there are no unpaired
* surrogates.
*/
function canonicalString(text) {
	if (!text.isWellFormed()) throw new RangeError("unpaired surrogate in a JSON string");
	return JSON.stringify(text);
}
// shared/proof/public_chains.ts
/**
* In the order in which a verification reports them. The verifier's part is in `verify/facts.ts`, the writing
* in the server's `chains/`.
*/
var CHAINS = {
	stellar: {
		code: 40,
		title: "Stellar",
		evidence: "ledger",
		networks: ["public", "testnet"]
	},
	bitcoin: {
		code: 41,
		title: "Bitcoin",
		evidence: "block",
		networks: [
			"mainnet",
			"testnet",
			"regtest"
		]
	}
};
var isChainName = (name) => typeof name === "string" && Object.hasOwn(CHAINS, name);
var CHAIN_NAMES = Object.keys(CHAINS).filter(isChainName);
var isLedgerChain = (name) => CHAINS[name].evidence === "ledger";
/** False for a name that is unknown, or that of a network of another chain. */
var isNetworkOf = (chain, network) => CHAINS[chain].networks.some((known) => known === network);
/** The report step of the chain. */
var commitmentStep = (name) => `${CHAINS[name].title} Commitment`;
// shared/proof/strict_json.ts
/**
* Reads one JSON text, as JSON.parse does. Also refuses duplicate member names, unpaired surrogates (plain or
* escaped), invalid UTF-8, a byte order mark, nesting deeper than `maxDepth` (a scalar has depth 0, `[]` has
* 1), objects of more than `maxMembers` (no limit by default; a large object costs more than its bytes) and
* numbers beyond the range of a double.
* An integer literal that a double cannot hold safely becomes a bigint with exactly its digits. `-0` stays
* -0. Every other number literal is a number. Objects are plain objects with own members only; a member
* `__proto__` is defined, not assigned, so it is an ordinary member.
* Takes linear time. Recurses once per level, so keep `maxDepth` under about 1,000.
* @throws StrictJsonError
*/
function readStrictJson(input, { maxDepth = DEFAULT_MAX_DEPTH, maxMembers = Number.POSITIVE_INFINITY } = {}) {
	const text = typeof input === "string" ? input : decodeUtf8$1(input);
	if (text.charCodeAt(0) === BYTE_ORDER_MARK) throw new StrictJsonError("invalid_utf8", 0);
	if (!text.isWellFormed()) throw new StrictJsonError("unpaired_surrogate", firstUnpairedSurrogate(text));
	return new Reader(text, maxDepth, maxMembers).document();
}
var DEFAULT_MAX_DEPTH = 64;
var BYTE_ORDER_MARK = 65279;
var QUOTE = 34;
var COMMA = 44;
var MINUS = 45;
var DOT = 46;
var ZERO = 48;
var NINE = 57;
var COLON = 58;
var OPEN_BRACKET = 91;
var BACKSLASH = 92;
var CLOSE_BRACKET = 93;
var LOWER_E = 101;
var LOWER_F = 102;
var LOWER_N = 110;
var LOWER_T = 116;
var LOWER_U = 117;
var OPEN_BRACE$1 = 123;
var CLOSE_BRACE = 125;
/** A read position in one text. Beyond the end `charCodeAt` returns NaN, and every comparison below then refuses. */
var Reader = class {
	text;
	maxDepth;
	maxMembers;
	at = 0;
	constructor(text, maxDepth, maxMembers) {
		this.text = text;
		this.maxDepth = maxDepth;
		this.maxMembers = maxMembers;
	}
	document() {
		this.skipSpace();
		const value = this.value(0);
		this.skipSpace();
		if (this.at < this.text.length) throw this.syntaxError();
		return value;
	}
	value(depth) {
		switch (this.text.charCodeAt(this.at)) {
			case QUOTE: return this.string();
			case OPEN_BRACE$1: return this.object(depth + 1);
			case OPEN_BRACKET: return this.array(depth + 1);
			case LOWER_T: return this.word("true", true);
			case LOWER_F: return this.word("false", false);
			case LOWER_N: return this.word("null", null);
			default: return this.number();
		}
	}
	object(depth) {
		const members = {};
		if (this.opensEmpty(depth, CLOSE_BRACE)) return members;
		let within;
		try {
			for (let read = 1;; read += 1) {
				const nameAt = this.at;
				if (read > this.maxMembers) throw new StrictJsonError("too_many_members", nameAt);
				if (this.text.charCodeAt(nameAt) !== QUOTE) throw this.syntaxError();
				const name = this.string();
				if (Object.hasOwn(members, name)) throw new StrictJsonError("duplicate_member", nameAt);
				this.skipSpace();
				if (this.text.charCodeAt(this.at) !== COLON) throw this.syntaxError();
				this.at++;
				this.skipSpace();
				within = name;
				setMember(members, name, this.value(depth));
				within = void 0;
				if (this.endsAfterValue(CLOSE_BRACE)) return members;
			}
		} catch (error) {
			throw placed(error, within);
		}
	}
	array(depth) {
		if (this.opensEmpty(depth, CLOSE_BRACKET)) return [];
		let read = 0;
		try {
			const values = [this.value(depth)];
			for (read = 1; !this.endsAfterValue(CLOSE_BRACKET); read = values.length) values.push(this.value(depth));
			return values;
		} catch (error) {
			throw placed(error, String(read));
		}
	}
	opensEmpty(depth, close) {
		if (depth > this.maxDepth) throw new StrictJsonError("too_deep", this.at);
		this.at++;
		this.skipSpace();
		if (this.text.charCodeAt(this.at) !== close) return false;
		this.at++;
		return true;
	}
	endsAfterValue(close) {
		this.skipSpace();
		const code = this.text.charCodeAt(this.at);
		if (code !== close && code !== COMMA) throw this.syntaxError();
		this.at++;
		if (code === close) return true;
		this.skipSpace();
		return false;
	}
	string() {
		const start = this.at + 1;
		const end = this.endOfRun(start);
		if (this.text.charCodeAt(end) === BACKSLASH) return this.escapedString(start, end);
		this.at = end + 1;
		return this.text.slice(start, end);
	}
	/** Continues a string at its first backslash. `start` is the character after the opening quote. */
	escapedString(start, firstBackslash) {
		let at = firstBackslash;
		let value = this.text.slice(start, at);
		while (this.text.charCodeAt(at) === BACKSLASH) {
			const kind = this.text.charCodeAt(at + 1);
			const runStart = at + (kind === LOWER_U ? 6 : 2);
			const character = kind === LOWER_U ? this.unicodeEscape(at) : SHORT_ESCAPES.get(kind);
			if (character === void 0) throw this.syntaxError(at);
			at = this.endOfRun(runStart);
			value += character;
			if (at > runStart) value += this.text.slice(runStart, at);
		}
		if (!value.isWellFormed()) throw new StrictJsonError("unpaired_surrogate", start - 1);
		this.at = at + 1;
		return value;
	}
	/** The offset of the quote or backslash that ends a run of plain characters. */
	endOfRun(start) {
		const text = this.text;
		let at = start;
		for (;;) {
			const code = text.charCodeAt(at);
			if (code === QUOTE || code === BACKSLASH) return at;
			if (!(code >= 32)) throw this.syntaxError(at);
			at++;
		}
	}
	unicodeEscape(backslash) {
		const digits = this.text.slice(backslash + 2, backslash + 6);
		return FOUR_HEX.test(digits) ? String.fromCharCode(Number.parseInt(digits, 16)) : void 0;
	}
	number() {
		const start = this.at;
		let at = start + (this.text.charCodeAt(start) === MINUS ? 1 : 0);
		at = this.text.charCodeAt(at) === ZERO ? at + 1 : this.endOfDigits(at);
		const endOfInteger = at;
		if (this.text.charCodeAt(at) === DOT) at = this.endOfDigits(at + 1);
		if ((this.text.charCodeAt(at) | 32) === LOWER_E) {
			const sign = this.text.charAt(at + 1);
			at = this.endOfDigits(at + (sign === "+" || sign === "-" ? 2 : 1));
		}
		this.at = at;
		const literal = this.text.slice(start, at);
		const value = Number(literal);
		if (!Number.isFinite(value)) throw new StrictJsonError("number_out_of_range", start);
		return at === endOfInteger && !Number.isSafeInteger(value) ? BigInt(literal) : value;
	}
	/** The offset after one or more digits. */
	endOfDigits(start) {
		let at = start;
		for (;;) {
			const code = this.text.charCodeAt(at);
			if (!(code >= ZERO && code <= NINE)) break;
			at++;
		}
		if (at === start) throw this.syntaxError(at);
		return at;
	}
	word(word, value) {
		if (!this.text.startsWith(word, this.at)) throw this.syntaxError();
		this.at += word.length;
		return value;
	}
	skipSpace() {
		for (;;) {
			const code = this.text.charCodeAt(this.at);
			if (code !== 32 && code !== 10 && code !== 13 && code !== 9) return;
			this.at++;
		}
	}
	syntaxError(at = this.at) {
		return new StrictJsonError("syntax", at);
	}
};
/** Adds the member or element that contains the error. Called from the inside outwards. */
function placed(error, within) {
	if (error instanceof StrictJsonError && within !== void 0) error.path.unshift(within);
	return error;
}
var FOUR_HEX = /^[0-9a-fA-F]{4}$/;
var SHORT_ESCAPES = new Map(Object.entries({
	"\"": "\"",
	"\\": "\\",
	"/": "/",
	b: "\b",
	f: "\f",
	n: "\n",
	r: "\r",
	t: "	"
}).map(([letter, character]) => [letter.charCodeAt(0), character]));
var UTF_8$1 = new TextDecoder("utf-8", {
	fatal: true,
	ignoreBOM: true
});
function decodeUtf8$1(bytes) {
	try {
		return UTF_8$1.decode(bytes);
	} catch {
		throw new StrictJsonError("invalid_utf8", firstInvalidByte(bytes));
	}
}
/** The offset of the first byte where the input and the output of the lenient decoder differ. */
function firstInvalidByte(bytes) {
	const lenient = new TextEncoder().encode(new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes));
	let at = 0;
	while (at < bytes.length && bytes[at] === lenient[at]) at++;
	return at;
}
function firstUnpairedSurrogate(text) {
	const repaired = text.toWellFormed();
	let at = 0;
	while (text.charCodeAt(at) === repaired.charCodeAt(at)) at++;
	return at;
}
/** A RangeError, like those of all readers. `offset` counts UTF-16 code units of the text; bytes for `invalid_utf8`. */
var StrictJsonError = class extends RangeError {
	name = "StrictJsonError";
	reason;
	offset;
	/** The members and elements that contain the error, as far as they were read: `['data', 'json']`. */
	path = [];
	constructor(reason, offset) {
		super(`${MEANINGS[reason]} at offset ${offset}`);
		this.reason = reason;
		this.offset = offset;
	}
};
var MEANINGS = {
	syntax: "not JSON",
	duplicate_member: "duplicate member name",
	unpaired_surrogate: "unpaired surrogate",
	invalid_utf8: "not UTF-8 without byte order mark",
	too_deep: "nested too deep",
	too_many_members: "too many members",
	number_out_of_range: "number too large"
};
// shared/log/copy_files.ts
/** A transaction has at most 64 KiB, and its proof less. */
var MAX_EPOCH_FILE_BYTES = 524288;
/**
* Where the epochs of a series are. The first network that a chain was used with has the chain's name, every later one
* its own name behind it.
*/
var seriesFolder = (chain, laterNetwork) => `epochs/${chain}${laterNetwork === void 0 ? "" : `-${laterNetwork}`}`;
/** Every folder in which a copy may have a series. */
var SERIES_FOLDERS = CHAIN_NAMES.toSorted().flatMap((chain) => [seriesFolder(chain), ...CHAINS[chain].networks.map((network) => seriesFolder(chain, network))]);
var epochPath = (folder, sequence) => `${folder}/${sequence}.json`;
/** @throws RangeError unless the bytes are such a file, in its only spelling */
function readEpochFile(bytes) {
	const document = asObject(readStrictJson(bytes));
	const { sha256: sum, ...rest } = document;
	if (sum !== checksum(rest)) throw new RangeError("sha256 is not that of the rest");
	if (new TextDecoder().decode(bytes) !== `${canonicalJson(document)}\n`) throw new RangeError("not canonical JSON");
	const chain = memberOf(document, "chain");
	if (!isChainName(chain)) throw new RangeError("chain is not known");
	return {
		chain,
		network: textIn(document, "network"),
		sequence: countIn(document, "sequence"),
		root: hexIn(document, "root", 32),
		first_height: countIn(document, "first_height"),
		last_height: countIn(document, "last_height"),
		commitment: commitmentOf(memberOf(document, "commitment"))
	};
}
function commitmentOf(value) {
	if (value === null) return null;
	if (!isJsonObject(value)) throw new RangeError("commitment is missing");
	const has = (name) => Object.hasOwn(value, name);
	return {
		id: textIn(value, "id"),
		signing_key_id: hexIn(value, "signing_key_id", 4),
		commitment_hash: hexIn(value, "commitment_hash", 32),
		transaction_hash: hexIn(value, "transaction_hash", 32),
		timestamp: textIn(value, "timestamp"),
		...has("ledger") ? { ledger: countIn(value, "ledger") } : {},
		...has("block_height") ? {
			block_height: countIn(value, "block_height"),
			block_hash: hexIn(value, "block_hash", 32),
			block_merkle_root: hexIn(value, "block_merkle_root", 32),
			raw_transaction: hexIn(value, "raw_transaction"),
			txoutproof: hexIn(value, "txoutproof")
		} : {}
	};
}
var checksum = (document) => toHex(sha256(utf8(canonicalJson(document))));
/** Canonical JSON and a newline: a published keyring, and the height of the block that introduced each key. */
var writeKeyringFile = (keys) => utf8(`${canonicalJson({
	version: "1.0",
	keys: keys.map(({ keyId, publicKey, sequence, introducedAtHeight }, at) => ({
		key_id: toHex(keyId),
		public_key: toBase64(publicKey),
		sequence,
		active: at === keys.length - 1,
		introduced_at_height: introducedAtHeight
	}))
})}\n`);
/** The keys alone: whether a file has the one spelling, `writeKeyringFile` tells. @throws RangeError on other bytes */
function readKeyringFile(bytes) {
	const keys = memberOf(asObject(readStrictJson(bytes)), "keys");
	if (!Array.isArray(keys)) throw new RangeError("keys are missing");
	return keys.map(asObject).map((key) => ({
		keyId: fromHex(hexIn(key, "key_id", 4)),
		publicKey: fromBase64(textIn(key, "public_key")),
		sequence: countIn(key, "sequence"),
		introducedAtHeight: countIn(key, "introduced_at_height")
	}));
}
function asObject(value) {
	if (!isJsonObject(value)) throw new RangeError("not a JSON object");
	return value;
}
function textIn(object, name) {
	const value = memberOf(object, name);
	if (typeof value !== "string") throw new RangeError(`${name} is missing`);
	return value;
}
function countIn(object, name) {
	const value = memberOf(object, name);
	if (typeof value !== "number" || !Number.isSafeInteger(value) || value < 0) throw new RangeError(`${name} is not a count`);
	return value;
}
function hexIn(object, name, bytes) {
	const value = textIn(object, name);
	if (!isHex(value, bytes)) throw new RangeError(`${name} is not hex`);
	return value;
}
// node_modules/@noble/hashes/sha3.js
/**
* SHA3 (keccak) hash function, based on a new "Sponge function" design.
* Different from older hashes, the internal state is bigger than output size.
*
* Check out
* {@link https://nvlpubs.nist.gov/nistpubs/FIPS/NIST.FIPS.202.pdf | FIPS-202},
* {@link https://keccak.team/keccak.html | Website}, and
* {@link https://crypto.stackexchange.com/q/15727 | the differences between
* SHA-3 and Keccak}.
*
* Check out `sha3-addons` module for cSHAKE, k12, and others.
* @module
*/
var _0n = BigInt(0);
var _1n = BigInt(1);
var _2n = BigInt(2);
var _7n = BigInt(7);
var _256n = BigInt(256);
var _0x71n = BigInt(113);
var SHA3_PI = [];
var SHA3_ROTL = [];
var _SHA3_IOTA = [];
for (let round = 0, R = _1n, x = 1, y = 0; round < 24; round++) {
	[x, y] = [y, (2 * x + 3 * y) % 5];
	SHA3_PI.push(2 * (5 * y + x));
	SHA3_ROTL.push((round + 1) * (round + 2) / 2 % 64);
	let t = _0n;
	for (let j = 0; j < 7; j++) {
		R = (R << _1n ^ (R >> _7n) * _0x71n) % _256n;
		if (R & _2n) t ^= _1n << (_1n << BigInt(j)) - _1n;
	}
	_SHA3_IOTA.push(t);
}
var IOTAS = split(_SHA3_IOTA, true);
var SHA3_IOTA_H = IOTAS[0];
var SHA3_IOTA_L = IOTAS[1];
var rotlSH = (h, l, s) => h << s | l >>> 32 - s;
var rotlSL = (h, l, s) => l << s | h >>> 32 - s;
var rotlBH = (h, l, s) => l << s - 32 | h >>> 64 - s;
var rotlBL = (h, l, s) => h << s - 32 | l >>> 64 - s;
var rotlH = (h, l, s) => s > 32 ? rotlBH(h, l, s) : rotlSH(h, l, s);
var rotlL = (h, l, s) => s > 32 ? rotlBL(h, l, s) : rotlSL(h, l, s);
var B = /* @__PURE__ */ new Uint32Array(10);
/**
* `keccakf1600` internal permutation, additionally allows adjusting the round count.
* @param s - 5x5 Keccak state encoded as 25 lanes split into 50 uint32 words
*   in this file's local little-endian lane-word order
* @param rounds - number of rounds to execute
* @throws On wrong argument types. {@link TypeError}
* @throws On wrong argument ranges or values. {@link RangeError}
* @throws If `rounds` is outside the supported `1..24` range. {@link Error}
* @example
* Permute a Keccak state with the default 24 rounds.
* ```ts
* keccakP(new Uint32Array(50));
* ```
*/
function keccakP(s, rounds = 24) {
	if (!(s instanceof Uint32Array)) throw new TypeError("\"s\" expected Uint32Array(50), got type=" + typeof s);
	if (s.length !== 50) throw new RangeError("\"s\" expected Uint32Array(50), got length=" + s.length);
	anumber$1(rounds, "rounds");
	if (rounds < 1 || rounds > 24) throw new Error("\"rounds\" expected integer 1..24");
	for (let round = 24 - rounds; round < 24; round++) {
		for (let x = 0; x < 10; x++) B[x] = s[x] ^ s[x + 10] ^ s[x + 20] ^ s[x + 30] ^ s[x + 40];
		for (let x = 0; x < 10; x += 2) {
			const idx1 = (x + 8) % 10;
			const idx0 = (x + 2) % 10;
			const B0 = B[idx0];
			const B1 = B[idx0 + 1];
			const Th = rotlH(B0, B1, 1) ^ B[idx1];
			const Tl = rotlL(B0, B1, 1) ^ B[idx1 + 1];
			for (let y = 0; y < 50; y += 10) {
				s[x + y] ^= Th;
				s[x + y + 1] ^= Tl;
			}
		}
		let curH = s[2];
		let curL = s[3];
		for (let t = 0; t < 24; t++) {
			const shift = SHA3_ROTL[t];
			const Th = rotlH(curH, curL, shift);
			const Tl = rotlL(curH, curL, shift);
			const PI = SHA3_PI[t];
			curH = s[PI];
			curL = s[PI + 1];
			s[PI] = Th;
			s[PI + 1] = Tl;
		}
		for (let y = 0; y < 50; y += 10) {
			const b0 = s[y], b1 = s[y + 1], b2 = s[y + 2], b3 = s[y + 3];
			s[y] ^= ~s[y + 2] & s[y + 4];
			s[y + 1] ^= ~s[y + 3] & s[y + 5];
			s[y + 2] ^= ~s[y + 4] & s[y + 6];
			s[y + 3] ^= ~s[y + 5] & s[y + 7];
			s[y + 4] ^= ~s[y + 6] & s[y + 8];
			s[y + 5] ^= ~s[y + 7] & s[y + 9];
			s[y + 6] ^= ~s[y + 8] & b0;
			s[y + 7] ^= ~s[y + 9] & b1;
			s[y + 8] ^= ~b0 & b2;
			s[y + 9] ^= ~b1 & b3;
		}
		s[0] ^= SHA3_IOTA_H[round];
		s[1] ^= SHA3_IOTA_L[round];
	}
	clean(B);
}
/**
* Keccak sponge function.
* @param blockLen - absorb/squeeze rate in bytes
* @param suffix - domain separation suffix byte
* @param outputLen - default digest length in bytes. This base sponge only
*   requires a non-negative integer; wrappers that need positive output
*   lengths must enforce that themselves.
* @param enableXOF - whether XOF output is allowed
* @param rounds - number of Keccak-f rounds
* @example
* Build a sponge state, absorb bytes, then finalize a digest.
* ```ts
* const hash = new Keccak(136, 0x06, 32);
* hash.update(new Uint8Array([1, 2, 3]));
* hash.digest();
* ```
*/
var Keccak = class Keccak {
	state;
	pos = 0;
	posOut = 0;
	finished = false;
	state32;
	destroyed = false;
	blockLen;
	suffix;
	outputLen;
	canXOF;
	enableXOF = false;
	rounds;
	constructor(blockLen, suffix, outputLen, enableXOF = false, rounds = 24) {
		anumber$1(blockLen, "blockLen");
		anumber$1(suffix, "suffix");
		anumber$1(rounds, "rounds");
		abool$1(enableXOF, "enableXOF");
		this.blockLen = blockLen;
		this.suffix = suffix;
		this.outputLen = outputLen;
		this.enableXOF = enableXOF;
		this.canXOF = enableXOF;
		this.rounds = rounds;
		anumber$1(outputLen, "outputLen");
		if (!(0 < blockLen && blockLen < 200)) throw new Error("\"blockLen\" must be 1..199");
		this.state = /* @__PURE__ */ new Uint8Array(200);
		this.state32 = u32(this.state);
	}
	clone() {
		return this._cloneInto();
	}
	keccak() {
		swap32IfBE(this.state32);
		keccakP(this.state32, this.rounds);
		swap32IfBE(this.state32);
		this.posOut = 0;
		this.pos = 0;
	}
	update(data) {
		aexists(this);
		abytes$1(data);
		const { blockLen, state, state32 } = this;
		const len = data.length;
		const canUseU32 = blockLen % 4 === 0 && data.byteOffset % 4 === 0;
		const blockLen32 = blockLen / 4;
		const data32 = canUseU32 && len >= blockLen ? u32(data) : void 0;
		for (let pos = 0; pos < len;) {
			if (data32 !== void 0 && this.pos === 0 && pos % 4 === 0 && len - pos >= blockLen) {
				for (let i = 0, o = pos / 4; i < blockLen32; i++) state32[i] ^= data32[o + i];
				pos += blockLen;
				this.pos = blockLen;
				this.keccak();
				continue;
			}
			const take = Math.min(blockLen - this.pos, len - pos);
			for (let i = 0; i < take; i++) state[this.pos++] ^= data[pos++];
			if (this.pos === blockLen) this.keccak();
		}
		return this;
	}
	finish() {
		if (this.finished) return;
		this.finished = true;
		const { state, suffix, pos, blockLen } = this;
		state[pos] ^= suffix;
		if ((suffix & 128) !== 0 && pos === blockLen - 1) this.keccak();
		state[blockLen - 1] ^= 128;
		this.keccak();
	}
	writeInto(out) {
		aexists(this, false);
		abytes$1(out);
		this.finish();
		const bufferOut = this.state;
		const { blockLen } = this;
		for (let pos = 0, len = out.length; pos < len;) {
			if (this.posOut >= blockLen) this.keccak();
			const take = Math.min(blockLen - this.posOut, len - pos);
			out.set(bufferOut.subarray(this.posOut, this.posOut + take), pos);
			this.posOut += take;
			pos += take;
		}
		return out;
	}
	xofInto(out) {
		if (!this.enableXOF) throw new Error("XOF is not enabled");
		return this.writeInto(out);
	}
	xof(bytes) {
		anumber$1(bytes);
		return this.xofInto(new Uint8Array(bytes));
	}
	digestInto(out) {
		aoutput(out, this);
		if (this.finished) throw new Error("digest() was already called");
		this.writeInto(out.length === this.outputLen ? out : out.subarray(0, this.outputLen));
		this.destroy();
	}
	digest() {
		const out = new Uint8Array(this.outputLen);
		this.digestInto(out);
		return out;
	}
	destroy() {
		this.destroyed = true;
		clean(this.state);
	}
	_cloneInto(to) {
		const { blockLen, suffix, outputLen, rounds, enableXOF } = this;
		to ||= new Keccak(blockLen, suffix, outputLen, enableXOF, rounds);
		to.blockLen = blockLen;
		to.state32.set(this.state32);
		to.pos = this.pos;
		to.posOut = this.posOut;
		to.finished = this.finished;
		to.rounds = rounds;
		to.suffix = suffix;
		to.outputLen = outputLen;
		to.enableXOF = enableXOF;
		to.canXOF = this.canXOF;
		to.destroyed = this.destroyed;
		return to;
	}
};
var genKeccak = (suffix, blockLen, outputLen, info = {}) => createHasher(() => new Keccak(blockLen, suffix, outputLen), info);
/**
* SHA3-224 hash function.
* @param msg - message bytes to hash
* @param opts - Reserved hash options.
* @returns Digest bytes.
* @example
* Hash a message with SHA3-224.
* ```ts
* sha3_224(new Uint8Array([97, 98, 99]));
* ```
*/
var sha3_224 = /* @__PURE__ */ genKeccak(6, 144, 28, /* @__PURE__ */ oidNist(7));
/**
* SHA3-256 hash function. Different from keccak-256.
* @param msg - message bytes to hash
* @param opts - Reserved hash options.
* @returns Digest bytes.
* @example
* Hash a message with SHA3-256.
* ```ts
* sha3_256(new Uint8Array([97, 98, 99]));
* ```
*/
var sha3_256 = /* @__PURE__ */ genKeccak(6, 136, 32, /* @__PURE__ */ oidNist(8));
/**
* SHA3-384 hash function.
* @param msg - message bytes to hash
* @param opts - Reserved hash options.
* @returns Digest bytes.
* @example
* Hash a message with SHA3-384.
* ```ts
* sha3_384(new Uint8Array([97, 98, 99]));
* ```
*/
var sha3_384 = /* @__PURE__ */ genKeccak(6, 104, 48, /* @__PURE__ */ oidNist(9));
/**
* SHA3-512 hash function.
* @param msg - message bytes to hash
* @param opts - Reserved hash options.
* @returns Digest bytes.
* @example
* Hash a message with SHA3-512.
* ```ts
* sha3_512(new Uint8Array([97, 98, 99]));
* ```
*/
var sha3_512 = /* @__PURE__ */ genKeccak(6, 72, 64, /* @__PURE__ */ oidNist(10));
/**
* Keccak-256 hash function. Different from SHA3-256.
* @param msg - message bytes to hash
* @param opts - Reserved hash options.
* @returns Digest bytes.
* @example
* Hash a message with Keccak-256.
* ```ts
* keccak_256(new Uint8Array([97, 98, 99]));
* ```
*/
var keccak_256 = /* @__PURE__ */ genKeccak(1, 136, 32);
var genShake = (suffix, blockLen, outputLen, info = {}) => createHasher((opts = {}) => {
	opts = checkOpts({}, opts);
	return new Keccak(blockLen, suffix, opts.dkLen === void 0 ? outputLen : opts.dkLen, true);
}, info);
/**
* SHAKE128 XOF with 128-bit security and a 16-byte default output.
* @param msg - message bytes to hash
* @param opts - Optional output-length override. See {@link ShakeOpts}.
* @returns Digest bytes.
* @example
* Hash a message with SHAKE128.
* ```ts
* shake128(new Uint8Array([97, 98, 99]), { dkLen: 32 });
* ```
*/
var shake128 = /* @__PURE__ */ genShake(31, 168, 16, /* @__PURE__ */ oidNist(11));
/**
* SHAKE256 XOF with 256-bit security and a 32-byte default output.
* @param msg - message bytes to hash
* @param opts - Optional output-length override. See {@link ShakeOpts}.
* @returns Digest bytes.
* @example
* Hash a message with SHAKE256.
* ```ts
* shake256(new Uint8Array([97, 98, 99]), { dkLen: 64 });
* ```
*/
var shake256 = /* @__PURE__ */ genShake(31, 136, 32, /* @__PURE__ */ oidNist(12));
// node_modules/@noble/post-quantum/utils.js
/**
* Utilities for hex, bytearray and number handling.
* @module
*/
/*! noble-post-quantum - MIT License (c) 2024 Paul Miller (paulmillr.com) */
/**
* Asserts that a value is a byte array and optionally checks its length.
* Returns the original reference unchanged on success, and currently also accepts Node `Buffer`
* values through the upstream validator.
* This helper throws on malformed input, so APIs that must return `false` need to guard lengths
* before decoding or before calling it.
* @example
* Validate that a value is a byte array with the expected length.
* ```ts
* abytes(new Uint8Array([1]), 1);
* ```
*/
var abytesDoc = abytes$1;
/**
* Returns cryptographically secure random bytes.
* Requires `globalThis.crypto.getRandomValues` and throws if that API is unavailable.
* `bytesLength` is validated by the upstream helper as a non-negative integer before allocation,
* so negative and fractional values both throw instead of truncating through JS `ToIndex`.
* @param bytesLength - Number of random bytes to generate.
* @returns Fresh random bytes.
* @example
* Generate a fresh random seed.
* ```ts
* const seed = randomBytes(4);
* ```
*/
var randomBytes$1 = randomBytes$3;
function aarray(item, title, inner = () => {}) {
	if (!Array.isArray(item)) throw new TypeError(`"${title}" expected array, got type=${typeof item}`);
	for (let i = 0; i < item.length; i++) inner(item[i], `${title}[${i}]`);
	return item;
}
function aobject(value, title = "object") {
	if (value === null || typeof value !== "object" || Array.isArray(value)) throw new TypeError(title === "object" ? "expected valid options object" : `"${title}" expected object, got type=${typeof value}`);
	return value;
}
/**
* Compares two byte arrays in a length-constant way for equal lengths.
* Inputs are validated as byte arrays; unequal lengths return `false` immediately.
* @param a - First byte array.
* @param b - Second byte array.
* @returns Whether both arrays contain the same bytes.
* @example
* Compare two byte arrays for equality.
* ```ts
* equalBytes(new Uint8Array([1]), new Uint8Array([1]));
* ```
*/
function equalBytes(a, b) {
	a = abytes$1(a);
	b = abytes$1(b);
	if (a.length !== b.length) return false;
	let diff = 0;
	for (let i = 0; i < a.length; i++) diff |= a[i] ^ b[i];
	return diff === 0;
}
/**
* Validates that an options bag is a plain object.
* @param opts - Options object to validate.
* @throws On wrong argument types. {@link TypeError}
* @example
* Validate that an options bag is a plain object.
* ```ts
* validateOpts({});
* ```
*/
function validateOpts(opts) {
	if (isBytes$1(opts)) throw new TypeError("\"opts\" expected object, got Uint8Array");
	aobject(opts, "opts");
	const proto = Object.getPrototypeOf(opts);
	if (proto !== null && proto !== Object.prototype) throw new TypeError("\"opts\" expected a plain object");
}
/** Keys accepted by `verify`. */
var VER_OPT_KEYS = /* @__PURE__ */ Object.freeze(["context"]);
/** Keys accepted by `sign`. */
var SIG_OPT_KEYS = /* @__PURE__ */ Object.freeze(["context", "extraEntropy"]);
/**
* Rejects option keys the caller did not mean to set.
*
* Validating the types of known keys while ignoring unknown ones makes a typo
* indistinguishable from an omission, and for these options an omission is a
* security downgrade rather than a no-op: `{ ctx }` instead of `{ context }` signs
* with no domain separation, succeeds, and verifies for anyone who also supplies
* none. Nothing at any layer reports it. TypeScript catches this through excess
* property checks, so the exposure is JavaScript callers specifically.
*
* @param opts - Options object to check.
* @param allowed - The keys this call site accepts.
* Returns a frozen null-prototype snapshot so later reads cannot fall through to a polluted
* prototype. Like `checkOpts()` in noble-hashes, only enumerable own properties are copied.
* @throws If any other copied key is present or the bag has a custom prototype. {@link TypeError}
* @returns Sanitized snapshot of the enumerable own options.
* @example
* Accept a known option key. A key the list does not name, such as `ctx`, throws instead.
* ```ts
* import { checkOptKeys } from '@noble/post-quantum/utils.js';
* checkOptKeys({ context: new Uint8Array() }, ['context']);
* ```
*/
function checkOptKeys(opts, allowed) {
	validateOpts(opts);
	const normalized = Object.assign(Object.create(null), opts);
	for (const [k, v] of Object.entries(normalized)) {
		if (v === void 0) continue;
		if (!allowed.includes(k)) throw new TypeError("unexpected option \"" + String(k) + "\"; expected one of: " + allowed.join(", "));
	}
	return Object.freeze(normalized);
}
/**
* Validates common verification options.
* `context` itself is validated with `abytes(...)`, and individual algorithms may narrow support
* further after this shared plain-object gate.
* @param opts - Verification options. See {@link VerOpts}.
* @param allowed - Keys this call site accepts. Defaults to {@link VER_OPT_KEYS}; surfaces that
* take extra keys, or take fewer, pass their own list.
* @throws On wrong argument types. {@link TypeError}
* @returns Frozen null-prototype snapshot of the validated options.
* @example
* Validate common verification options.
* ```ts
* validateVerOpts({ context: new Uint8Array([1]) });
* ```
*/
function validateVerOpts(opts, allowed = VER_OPT_KEYS) {
	const normalized = checkOptKeys(opts, allowed);
	if (normalized.context !== void 0) abytes$1(normalized.context, void 0, "opts.context");
	return normalized;
}
/**
* Validates common signing options.
* `extraEntropy` is validated with `abytes(...)`; exact lengths and extra algorithm-specific
* restrictions are enforced later by callers.
* @param opts - Signing options. See {@link SigOpts}.
* @param allowed - Keys this call site accepts. Defaults to {@link SIG_OPT_KEYS}; surfaces that
* take extra keys, or take fewer, pass their own list.
* @throws On wrong argument types. {@link TypeError}
* @returns Frozen null-prototype snapshot of the validated options.
* @example
* Validate common signing options.
* ```ts
* validateSigOpts({ extraEntropy: new Uint8Array([1]) });
* ```
*/
function validateSigOpts(opts, allowed = SIG_OPT_KEYS) {
	const normalized = checkOptKeys(opts, allowed);
	if (normalized.context !== void 0) abytes$1(normalized.context, void 0, "opts.context");
	if (normalized.extraEntropy !== false && normalized.extraEntropy !== void 0) abytes$1(normalized.extraEntropy, void 0, "opts.extraEntropy");
	return normalized;
}
/**
* Builds a fixed-layout coder from byte lengths and nested coders.
* Raw-length fields decode as zero-copy `subarray(...)` views, and nested coders may preserve that
* aliasing too. Nested coder `encode(...)` results are treated as owned scratch: `splitCoder`
* copies them into the output and then zeroizes them with `fill(0)`. If a nested encoder forwards
* caller-owned bytes, it must do so only after detaching them into a disposable copy.
* @param label - Label used in validation errors.
* @param lengths - Field lengths or nested coders.
* @returns Composite fixed-length coder.
* @example
* Build a fixed-layout coder from byte lengths and nested coders.
* ```ts
* splitCoder('demo', 1, 2).encode([new Uint8Array([1]), new Uint8Array([2, 3])]);
* ```
*/
function splitCoder(label, ...lengths) {
	const getLength = (c) => typeof c === "number" ? c : c.bytesLen;
	const bytesLen = lengths.reduce((sum, a) => sum + getLength(a), 0);
	return {
		bytesLen,
		encode: (bufs) => {
			const res = new Uint8Array(bytesLen);
			for (let i = 0, pos = 0; i < lengths.length; i++) {
				const c = lengths[i];
				const l = getLength(c);
				const b = typeof c === "number" ? bufs[i] : c.encode(bufs[i]);
				abytes$1(b, l, label);
				res.set(b, pos);
				if (typeof c !== "number") b.fill(0);
				pos += l;
			}
			return res;
		},
		decode: (buf) => {
			abytes$1(buf, bytesLen, label);
			const res = [];
			for (const c of lengths) {
				const l = getLength(c);
				const b = buf.subarray(0, l);
				res.push(typeof c === "number" ? b : c.decode(b));
				buf = buf.subarray(l);
			}
			return res;
		}
	};
}
/**
* Builds a fixed-length vector coder from another fixed-length coder.
* Element decoding receives `subarray(...)` views, so aliasing depends on the element coder.
* Element coder `encode(...)` results are treated as owned scratch: `vecCoder` copies them into
* the output and then zeroizes them with `fill(0)`. If an element encoder forwards caller-owned
* bytes, it must do so only after detaching them into a disposable copy. `vecCoder` also trusts
* the `BytesCoderLen` contract: each encoded element must already be exactly `c.bytesLen` bytes.
* @param c - Element coder.
* @param vecLen - Number of elements in the vector.
* @returns Fixed-length vector coder.
* @example
* Build a fixed-length vector coder from another fixed-length coder.
* ```ts
* vecCoder(
*   { bytesLen: 1, encode: (n: number) => Uint8Array.of(n), decode: (b: Uint8Array) => b[0] || 0 },
*   2
* ).encode([1, 2]);
* ```
*/
function vecCoder(c, vecLen) {
	const coder = c;
	const bytesLen = vecLen * coder.bytesLen;
	return {
		bytesLen,
		encode: (u) => {
			const uArr = aarray(u, "u");
			if (uArr.length !== vecLen) throw new RangeError(`vecCoder.encode: wrong length=${uArr.length}. Expected: ${vecLen}`);
			const res = new Uint8Array(bytesLen);
			for (let i = 0, pos = 0; i < uArr.length; i++) {
				const b = coder.encode(uArr[i]);
				res.set(b, pos);
				b.fill(0);
				pos += b.length;
			}
			return res;
		},
		decode: (a) => {
			abytes$1(a, bytesLen);
			const r = [];
			for (let i = 0; i < a.length; i += coder.bytesLen) r.push(coder.decode(a.subarray(i, i + coder.bytesLen)));
			return r;
		}
	};
}
/**
* Overwrites supported typed-array inputs with zeroes in place.
* Accepts direct typed arrays and one-level arrays of them.
* @param list - Typed arrays or one-level lists of typed arrays to clear.
* @example
* Overwrite typed arrays with zeroes.
* ```ts
* const buf = Uint8Array.of(1, 2, 3);
* cleanBytes(buf);
* ```
*/
function cleanBytes(...list) {
	for (const t of list) if (Array.isArray(t)) for (const b of t) b.fill(0);
	else t.fill(0);
}
/**
* Creates a 32-bit mask with the lowest `bits` bits set.
* @param bits - Number of low bits to keep.
* @returns Bit mask with `bits` ones.
* @throws On wrong argument types. {@link TypeError}
* @throws On wrong argument ranges or values. {@link RangeError}
* @example
* Create a low-bit mask for packed-field operations.
* ```ts
* const mask = getMask(4);
* ```
*/
function getMask(bits) {
	anumber$1(bits, "bits");
	if (bits > 32) throw new RangeError("\"bits\" expected <= 32, got " + bits);
	return bits === 32 ? 4294967295 : ~(-1 << bits) >>> 0;
}
/** Shared empty byte array used as the default context. */
var EMPTY = /* @__PURE__ */ Uint8Array.of();
/**
* Builds the domain-separated message payload for the pure sign/verify paths.
* Context length `255` is valid; only `ctx.length > 255` is rejected.
* @param msg - Message bytes.
* @param ctx - Optional context bytes.
* @returns Domain-separated message payload.
* @throws On wrong argument ranges or values. {@link RangeError}
* @example
* Build the domain-separated payload before direct signing.
* ```ts
* const payload = getMessage(new Uint8Array([1, 2]));
* ```
*/
function getMessage(msg, ctx = EMPTY) {
	abytes$1(msg, void 0, "msg");
	abytes$1(ctx, void 0, "ctx");
	if (ctx.length > 255) throw new RangeError("context should be 255 bytes or less");
	return concatBytes$1(new Uint8Array([0, ctx.length]), ctx, msg);
}
var oidNistP = /* @__PURE__ */ Uint8Array.from([
	6,
	9,
	96,
	134,
	72,
	1,
	101,
	3,
	4,
	2
]);
/**
* Output length, in bytes, that each XOF OID under this arc denotes.
*
* Unlike a fixed hash, an XOF's OID is a promise about the digest length: RFC 8702
* defines id-shake128 as SHAKE128 with 256-bit output and id-shake256 as SHAKE256 with
* 512-bit output, and FIPS 204 / FIPS 205 use exactly those pairings for pre-hash. Both
* bare noble-hashes defaults are half these values, so neither can be signed under its
* own OID.
*/
var XOF_OID_OUTPUT_LEN = /* @__PURE__ */ (() => ({
	"060960864801650304020b": 32,
	"060960864801650304020c": 64
}))();
/**
* Validates that a hash exposes a NIST hash OID and enough collision resistance.
* Current accepted surface is broader than the FIPS algorithm tables: any hash/XOF under the NIST
* `2.16.840.1.101.3.4.2.*` subtree is accepted if its effective `outputLen` is strong enough.
* XOF callers must pass a callable whose `outputLen` matches the digest length they actually intend
* to sign; bare `shake128` / `shake256` defaults are too short for the stronger prehash modes.
* @param hash - Hash function to validate.
* @param requiredStrength - Minimum required collision-resistance strength in bits.
* @throws If the hash metadata or collision resistance is insufficient. {@link Error}
* @example
* Validate that a hash exposes a NIST hash OID and enough collision resistance.
* ```ts
* import { sha256 } from '@noble/hashes/sha2.js';
* import { checkHash } from '@noble/post-quantum/utils.js';
* checkHash(sha256, 128);
* ```
*/
function checkHash(hash, requiredStrength = 0) {
	if (typeof hash !== "function" || typeof hash.create !== "function") throw new TypeError("\"hash\" expected hash function, got type=" + typeof hash);
	ahash(hash);
	anumber$1(requiredStrength, "requiredStrength");
	const oid = hash.oid;
	abytes$1(oid, void 0, "hash.oid");
	if (!equalBytes(oid.subarray(0, 10), oidNistP)) throw new Error("\"hash.oid\" is invalid: expected NIST hash");
	const xofLen = XOF_OID_OUTPUT_LEN[bytesToHex$1(oid)];
	if (xofLen !== void 0 && hash.outputLen !== xofLen) throw new Error("Pre-hash XOF output length must be " + xofLen + " bytes for this OID, got: " + hash.outputLen);
	const collisionResistance = hash.outputLen * 8 / 2;
	if (requiredStrength > collisionResistance) throw new Error("Pre-hash security strength too low: " + collisionResistance + ", required: " + requiredStrength);
}
/**
* Builds the domain-separated prehash payload for the prehash sign/verify paths.
* Callers are expected to vet `hash.oid` first, e.g. via `checkHash(...)`; calling this helper
* directly with a hash object that lacks `oid` currently throws later inside `concatBytes(...)`.
* Context length `255` is valid; only `ctx.length > 255` is rejected.
* @param hash - Prehash function.
* @param msg - Message bytes.
* @param ctx - Optional context bytes.
* @returns Domain-separated prehash payload.
* @throws On wrong argument ranges or values. {@link RangeError}
* @example
* Build the domain-separated prehash payload for external hashing.
* ```ts
* import { sha256 } from '@noble/hashes/sha2.js';
* import { getMessagePrehash } from '@noble/post-quantum/utils.js';
* getMessagePrehash(sha256, new Uint8Array([1, 2]));
* ```
*/
function getMessagePrehash(hash, msg, ctx = EMPTY) {
	checkHash(hash);
	abytes$1(msg, void 0, "msg");
	abytes$1(ctx, void 0, "ctx");
	if (ctx.length > 255) throw new RangeError("context should be 255 bytes or less");
	const hashed = hash(msg);
	return concatBytes$1(new Uint8Array([1, ctx.length]), ctx, hash.oid, hashed);
}
// node_modules/@noble/post-quantum/_crystals.js
/**
* Internal methods for lattice-based ML-KEM and ML-DSA.
* @module
*/
/*! noble-post-quantum - MIT License (c) 2024 Paul Miller (paulmillr.com) */
/**
* Creates shared modular arithmetic, NTT, and packing helpers for CRYSTALS schemes.
* @param opts - Polynomial and transform parameters. See {@link CrystalOpts}.
* @returns CRYSTALS arithmetic and encoding helpers.
* @example
* Create shared modular arithmetic and NTT helpers for a CRYSTALS parameter set.
* ```ts
* const crystals = genCrystals({
*   newPoly: (n) => new Uint16Array(n),
*   N: 256,
*   Q: 3329,
*   F: 3303,
*   ROOT_OF_UNITY: 17,
*   brvBits: 7,
*   isKyber: true,
* });
* const reduced = crystals.mod(-1);
* ```
*/
var genCrystals = (opts) => {
	const { newPoly, N, Q, F, ROOT_OF_UNITY, brvBits, isKyber } = opts;
	const mod = (a, modulo = Q) => {
		const result = a % modulo | 0;
		return (result >= 0 ? result | 0 : modulo + result | 0) | 0;
	};
	const smod = (a, modulo = Q) => {
		const r = mod(a, modulo) | 0;
		return (r > modulo >> 1 ? r - modulo | 0 : r) | 0;
	};
	function getZettas() {
		const out = newPoly(N);
		for (let i = 0; i < N; i++) {
			const b = reverseBits(i, brvBits);
			const p = BigInt(ROOT_OF_UNITY) ** BigInt(b) % BigInt(Q);
			out[i] = Number(p) | 0;
		}
		return out;
	}
	const nttZetas = getZettas();
	const inv = (_a) => {
		throw new Error("not implemented");
	};
	const field = isKyber ? {
		add: (a, b) => {
			const r = a + b | 0;
			return r >= Q ? r - Q | 0 : r;
		},
		sub: (a, b) => {
			const r = a - b | 0;
			return r < 0 ? r + Q | 0 : r;
		},
		mul: (a, b) => mod((a | 0) * (b | 0)) | 0,
		inv
	} : {
		add: (a, b) => mod((a | 0) + (b | 0)) | 0,
		sub: (a, b) => mod((a | 0) - (b | 0)) | 0,
		mul: (a, b) => mod((a | 0) * (b | 0)) | 0,
		inv
	};
	const nttOpts = {
		N,
		roots: nttZetas,
		invertButterflies: true,
		skipStages: isKyber ? 1 : 0,
		brp: false
	};
	const dif = FFTCore(field, {
		dit: false,
		...nttOpts
	});
	const dit = FFTCore(field, {
		dit: true,
		...nttOpts
	});
	const NTT = {
		encode: (r) => {
			return dif(r);
		},
		decode: (r) => {
			dit(r);
			for (let i = 0; i < r.length; i++) r[i] = mod(F * r[i]);
			return r;
		}
	};
	const bitsCoder = (d, c) => {
		for (let i = 0, bufLen = 0; i < N; i++) {
			bufLen += d;
			if (bufLen > 32) getMask(bufLen);
			bufLen %= 8;
		}
		const mask = getMask(d);
		const bytesLen = d * (N / 8);
		return {
			bytesLen,
			encode: (poly_) => {
				const poly = poly_;
				const r = new Uint8Array(bytesLen);
				for (let i = 0, buf = 0, bufLen = 0, pos = 0; i < poly.length; i++) {
					buf |= (c.encode(poly[i]) & mask) << bufLen;
					bufLen += d;
					for (; bufLen >= 8; bufLen -= 8, buf >>= 8) r[pos++] = buf & 255;
				}
				return r;
			},
			decode: (bytes) => {
				const r = newPoly(N);
				for (let i = 0, buf = 0, bufLen = 0, pos = 0; i < bytes.length; i++) {
					buf |= bytes[i] << bufLen;
					bufLen += 8;
					for (; bufLen >= d; bufLen -= d, buf >>= d) r[pos++] = c.decode(buf & mask);
				}
				return r;
			}
		};
	};
	return {
		mod,
		smod,
		nttZetas,
		NTT: {
			encode: (r) => NTT.encode(r),
			decode: (r) => NTT.decode(r)
		},
		bitsCoder
	};
};
var createXofShake = (shake) => (seed, blockLen) => {
	if (!blockLen) blockLen = shake.blockLen;
	const _seed = new Uint8Array(seed.length + 2);
	_seed.set(seed);
	const seedLen = seed.length;
	const buf = new Uint8Array(blockLen);
	let h = shake.create({});
	let calls = 0;
	let xofs = 0;
	return {
		stats: () => ({
			calls,
			xofs
		}),
		get: (x, y) => {
			_seed[seedLen + 0] = x;
			_seed[seedLen + 1] = y;
			h.destroy();
			h = shake.create({}).update(_seed);
			calls++;
			return () => {
				xofs++;
				return h.xofInto(buf);
			};
		},
		clean: () => {
			h.destroy();
			cleanBytes(buf, _seed);
		}
	};
};
/**
* SHAKE128-based extendable-output reader factory used by ML-KEM.
* `get(x, y)` selects one coordinate pair at a time; calling it again invalidates previously
* returned readers, and each squeeze reuses one mutable internal output buffer.
* @param seed - Seed bytes for the reader.
* @param blockLen - Optional output block length.
* @returns Stateful XOF reader.
* @example
* Build the ML-KEM SHAKE128 matrix expander and read one block.
* ```ts
* import { randomBytes } from '@noble/post-quantum/utils.js';
* import { XOF128 } from '@noble/post-quantum/_crystals.js';
* const reader = XOF128(randomBytes(32));
* const block = reader.get(0, 0)();
* ```
*/
var XOF128 = /* @__PURE__ */ createXofShake(shake128);
/**
* SHAKE256-based extendable-output reader factory used by ML-DSA.
* `get(x, y)` appends raw one-byte coordinates to the seed, invalidates previously returned
* readers, and reuses one mutable internal output buffer for each squeeze.
* @param seed - Seed bytes for the reader.
* @param blockLen - Optional output block length.
* @returns Stateful XOF reader.
* @example
* Build the ML-DSA SHAKE256 coefficient expander and read one block.
* ```ts
* import { randomBytes } from '@noble/post-quantum/utils.js';
* import { XOF256 } from '@noble/post-quantum/_crystals.js';
* const reader = XOF256(randomBytes(32));
* const block = reader.get(0, 0)();
* ```
*/
var XOF256 = /* @__PURE__ */ createXofShake(shake256);
// node_modules/@noble/post-quantum/ml-dsa.js
/**
* ML-DSA: Module Lattice-based Digital Signature Algorithm from
* [FIPS-204](https://csrc.nist.gov/pubs/fips/204/ipd). A.k.a. CRYSTALS-Dilithium.
*
* Has similar internals to ML-KEM, but their keys and params are different.
* Check out [official site](https://www.pq-crystals.org/dilithium/index.shtml),
* [repo](https://github.com/pq-crystals/dilithium).
* @module
*/
/*! noble-post-quantum - MIT License (c) 2024 Paul Miller (paulmillr.com) */
/**
* Keys each internal surface accepts.
*
* `context` is deliberately absent from both. The internal functions never read it: the
* public wrappers consume it when they format `M'` and must not pass it down, because a
* key that is accepted and then not acted on is the same silent downgrade this validation
* exists to prevent. `externalMu` is the mirror case, existing here and rejected above.
* `extraEntropy` is signing-only, so verification does not take it either.
*/
var INTERNAL_SIG_OPT_KEYS = /* @__PURE__ */ Object.freeze(["extraEntropy", "externalMu"]);
var INTERNAL_VER_OPT_KEYS = /* @__PURE__ */ Object.freeze(["externalMu"]);
function validateInternalOpts(opts, allowed) {
	const normalized = checkOptKeys(opts, allowed);
	if (normalized.externalMu !== void 0) abool(normalized.externalMu, "opts.externalMu");
	return normalized;
}
var N = 256;
var Q = 8380417;
var ROOT_OF_UNITY = 1753;
var F = 8347681;
var D = 13;
var GAMMA2_1 = Math.floor(95232) | 0;
var GAMMA2_2 = Math.floor(261888) | 0;
/** Internal params for different versions of ML-DSA  */
/** Built-in ML-DSA parameter presets keyed by security categories `2/3/5`
* for `ml_dsa44` / `ml_dsa65` / `ml_dsa87`.
* This is only the Table 1 subset used directly here: `BETA = TAU * ETA` is derived later,
* while `C_TILDE_BYTES`, `TR_BYTES`, `CRH_BYTES`, and `securityLevel` live in the preset wrappers.
*/
var PARAMS = /* @__PURE__ */ (() => Object.freeze({
	2: Object.freeze({
		K: 4,
		L: 4,
		D,
		GAMMA1: 2 ** 17,
		GAMMA2: GAMMA2_1,
		TAU: 39,
		ETA: 2,
		OMEGA: 80
	}),
	3: Object.freeze({
		K: 6,
		L: 5,
		D,
		GAMMA1: 2 ** 19,
		GAMMA2: GAMMA2_2,
		TAU: 49,
		ETA: 4,
		OMEGA: 55
	}),
	5: Object.freeze({
		K: 8,
		L: 7,
		D,
		GAMMA1: 2 ** 19,
		GAMMA2: GAMMA2_2,
		TAU: 60,
		ETA: 2,
		OMEGA: 75
	})
}))();
var newPoly = (n) => new Int32Array(n);
var crystals = /* @__PURE__ */ genCrystals({
	N,
	Q,
	F,
	ROOT_OF_UNITY,
	newPoly,
	isKyber: false,
	brvBits: 8
});
var id = (n) => n;
var polyCoder = (d, compress = id, verify = id) => crystals.bitsCoder(d, {
	encode: (i) => compress(verify(i)),
	decode: (i) => verify(compress(i))
});
var polyAdd = (a_, b_) => {
	const a = a_;
	const b = b_;
	for (let i = 0; i < a.length; i++) a[i] = crystals.mod(a[i] + b[i]);
	return a;
};
var polySub = (a_, b_) => {
	const a = a_;
	const b = b_;
	for (let i = 0; i < a.length; i++) a[i] = crystals.mod(a[i] - b[i]);
	return a;
};
var polyShiftl = (p_) => {
	const p = p_;
	for (let i = 0; i < N; i++) p[i] <<= D;
	return p;
};
var polyChknorm = (p_, B) => {
	const p = p_;
	for (let i = 0; i < N; i++) if (Math.abs(crystals.smod(p[i])) >= B) return true;
	return false;
};
var MultiplyNTTs = (a_, b_) => {
	const a = a_;
	const b = b_;
	const c = newPoly(N);
	for (let i = 0; i < a.length; i++) c[i] = crystals.mod(a[i] * b[i]);
	return c;
};
function RejNTTPoly(xof_) {
	const xof = xof_;
	const r = newPoly(N);
	for (let j = 0; j < N;) {
		const b = xof();
		if (b.length % 3) throw new Error("RejNTTPoly: unaligned block");
		for (let i = 0; j < N && i <= b.length - 3; i += 3) {
			const t = (b[i + 0] | b[i + 1] << 8 | b[i + 2] << 16) & 8388607;
			if (t < Q) r[j++] = t;
		}
	}
	return r;
}
function getDilithium(opts_) {
	const opts = opts_;
	const { K, L, GAMMA1, GAMMA2, TAU, ETA, OMEGA } = opts;
	const { CRH_BYTES, TR_BYTES, C_TILDE_BYTES, XOF128, XOF256, securityLevel } = opts;
	if (![2, 4].includes(ETA)) throw new Error("Wrong ETA");
	if (![1 << 17, 1 << 19].includes(GAMMA1)) throw new Error("Wrong GAMMA1");
	if (![GAMMA2_1, GAMMA2_2].includes(GAMMA2)) throw new Error("Wrong GAMMA2");
	const BETA = TAU * ETA;
	const decompose = (r) => {
		const rPlus = crystals.mod(r);
		const r0 = crystals.smod(rPlus, 2 * GAMMA2) | 0;
		if (rPlus - r0 === 8380416) return {
			r1: 0,
			r0: r0 - 1 | 0
		};
		return {
			r1: Math.floor((rPlus - r0) / (2 * GAMMA2)) | 0,
			r0
		};
	};
	const HighBits = (r) => decompose(r).r1;
	const LowBits = (r) => decompose(r).r0;
	const MakeHint = (z, r) => {
		return z <= GAMMA2 || z > Q - GAMMA2 || z === Q - GAMMA2 && r === 0 ? 0 : 1;
	};
	const HINT_M = Math.floor(8380416 / (2 * GAMMA2));
	const UseHint = (h, r) => {
		const { r1, r0 } = decompose(r);
		if (h === 1) return r0 > 0 ? crystals.mod(r1 + 1, HINT_M) | 0 : crystals.mod(r1 - 1, HINT_M) | 0;
		return r1 | 0;
	};
	const Power2Round = (r) => {
		const rPlus = crystals.mod(r);
		const r0 = crystals.smod(rPlus, 2 ** D) | 0;
		return {
			r1: Math.floor((rPlus - r0) / 2 ** D) | 0,
			r0
		};
	};
	const hintCoder = {
		bytesLen: OMEGA + K,
		encode: (h_) => {
			const h = h_;
			if (h === false) throw new Error("hint.encode: hint is false");
			const res = new Uint8Array(OMEGA + K);
			for (let i = 0, k = 0; i < K; i++) {
				for (let j = 0; j < N; j++) if (h[i][j] !== 0) res[k++] = j;
				res[OMEGA + i] = k;
			}
			return res;
		},
		decode: (buf) => {
			const h = [];
			let k = 0;
			for (let i = 0; i < K; i++) {
				const hi = newPoly(N);
				if (buf[OMEGA + i] < k || buf[OMEGA + i] > OMEGA) return false;
				for (let j = k; j < buf[OMEGA + i]; j++) {
					if (j > k && buf[j] <= buf[j - 1]) return false;
					hi[buf[j]] = 1;
				}
				k = buf[OMEGA + i];
				h.push(hi);
			}
			for (let j = k; j < OMEGA; j++) if (buf[j] !== 0) return false;
			return h;
		}
	};
	const ETACoder = polyCoder(ETA === 2 ? 3 : 4, (i) => ETA - i, (i) => {
		if (!(-ETA <= i && i <= ETA)) throw new Error(`malformed key s1/s3 ${i} outside of ETA range [${-ETA}, ${ETA}]`);
		return i;
	});
	const T0Coder = polyCoder(13, (i) => 4096 - i);
	const T1Coder = polyCoder(10);
	const ZCoder = polyCoder(GAMMA1 === 1 << 17 ? 18 : 20, (i) => crystals.smod(GAMMA1 - i));
	const W1Vec = vecCoder(polyCoder(GAMMA2 === GAMMA2_1 ? 6 : 4), K);
	const publicCoder = splitCoder("publicKey", 32, vecCoder(T1Coder, K));
	const secretCoder = splitCoder("secretKey", 32, 32, TR_BYTES, vecCoder(ETACoder, L), vecCoder(ETACoder, K), vecCoder(T0Coder, K));
	const sigCoder = splitCoder("signature", C_TILDE_BYTES, vecCoder(ZCoder, L), hintCoder);
	const CoefFromHalfByte = ETA === 2 ? (n) => n < 15 ? 2 - n % 5 : false : (n) => n < 9 ? 4 - n : false;
	function RejBoundedPoly(xof_) {
		const xof = xof_;
		const r = newPoly(N);
		for (let j = 0; j < N;) {
			const b = xof();
			for (let i = 0; j < N && i < b.length; i += 1) {
				const d1 = CoefFromHalfByte(b[i] & 15);
				const d2 = CoefFromHalfByte(b[i] >> 4 & 15);
				if (d1 !== false) r[j++] = d1;
				if (j < N && d2 !== false) r[j++] = d2;
			}
		}
		return r;
	}
	const SampleInBall = (seed) => {
		const pre = newPoly(N);
		const s = shake256.create({}).update(seed);
		const buf = new Uint8Array(shake256.blockLen);
		s.xofInto(buf);
		const masks = buf.slice(0, 8);
		for (let i = N - TAU, pos = 8, maskPos = 0, maskBit = 0; i < N; i++) {
			let b = i + 1;
			for (; b > i;) {
				b = buf[pos++];
				if (pos < shake256.blockLen) continue;
				s.xofInto(buf);
				pos = 0;
			}
			pre[i] = pre[b];
			pre[b] = 1 - ((masks[maskPos] >> maskBit++ & 1) << 1);
			if (maskBit >= 8) {
				maskPos++;
				maskBit = 0;
			}
		}
		return pre;
	};
	const polyPowerRound = (p_) => {
		const p = p_;
		const res0 = newPoly(N);
		const res1 = newPoly(N);
		for (let i = 0; i < p.length; i++) {
			const { r0, r1 } = Power2Round(p[i]);
			res0[i] = r0;
			res1[i] = r1;
		}
		return {
			r0: res0,
			r1: res1
		};
	};
	const polyUseHint = (u_, h_) => {
		const u = u_;
		const h = h_;
		for (let i = 0; i < N; i++) u[i] = UseHint(h[i], u[i]);
		return u;
	};
	const polyMakeHint = (a_, b_) => {
		const a = a_;
		const b = b_;
		const v = newPoly(N);
		let cnt = 0;
		for (let i = 0; i < N; i++) {
			const h = MakeHint(a[i], b[i]);
			v[i] = h;
			cnt += h;
		}
		return {
			v,
			cnt
		};
	};
	const signRandBytes = 32;
	const seedCoder = splitCoder("seed", 32, 64, 32);
	const internal = Object.freeze({
		info: Object.freeze({ type: "internal-ml-dsa" }),
		lengths: Object.freeze({
			secretKey: secretCoder.bytesLen,
			publicKey: publicCoder.bytesLen,
			seed: 32,
			signature: sigCoder.bytesLen,
			signRand: signRandBytes
		}),
		keygen: (seed) => {
			const seedDst = /* @__PURE__ */ new Uint8Array(34);
			const randSeed = seed === void 0;
			if (randSeed) seed = randomBytes$1(32);
			abytesDoc(seed, 32, "seed");
			seedDst.set(seed);
			if (randSeed) cleanBytes(seed);
			seedDst[32] = K;
			seedDst[33] = L;
			const [rho, rhoPrime, K_] = seedCoder.decode(shake256(seedDst, { dkLen: seedCoder.bytesLen }));
			const xofPrime = XOF256(rhoPrime);
			const s1 = [];
			for (let i = 0; i < L; i++) s1.push(RejBoundedPoly(xofPrime.get(i & 255, i >> 8 & 255)));
			const s2 = [];
			for (let i = L; i < L + K; i++) s2.push(RejBoundedPoly(xofPrime.get(i & 255, i >> 8 & 255)));
			const s1Hat = s1.map((i) => crystals.NTT.encode(i.slice()));
			const t0 = [];
			const t1 = [];
			const xof = XOF128(rho);
			const t = newPoly(N);
			for (let i = 0; i < K; i++) {
				cleanBytes(t);
				for (let j = 0; j < L; j++) polyAdd(t, MultiplyNTTs(RejNTTPoly(xof.get(j, i)), s1Hat[j]));
				crystals.NTT.decode(t);
				const { r0, r1 } = polyPowerRound(polyAdd(t, s2[i]));
				t0.push(r0);
				t1.push(r1);
			}
			const publicKey = publicCoder.encode([rho, t1]);
			const tr = shake256(publicKey, { dkLen: TR_BYTES });
			const secretKey = secretCoder.encode([
				rho,
				K_,
				tr,
				s1,
				s2,
				t0
			]);
			xof.clean();
			xofPrime.clean();
			cleanBytes(rho, rhoPrime, K_, s1, s2, s1Hat, t, t0, t1, tr, seedDst);
			return {
				publicKey,
				secretKey
			};
		},
		getPublicKey: (secretKey) => {
			const [rho, _K, _tr, s1, s2, _t0] = secretCoder.decode(secretKey);
			const xof = XOF128(rho);
			const s1Hat = s1.map((p) => crystals.NTT.encode(p.slice()));
			const t1 = [];
			const tmp = newPoly(N);
			for (let i = 0; i < K; i++) {
				tmp.fill(0);
				for (let j = 0; j < L; j++) polyAdd(tmp, MultiplyNTTs(RejNTTPoly(xof.get(j, i)), s1Hat[j]));
				crystals.NTT.decode(tmp);
				polyAdd(tmp, s2[i]);
				const { r1 } = polyPowerRound(tmp);
				t1.push(r1);
			}
			xof.clean();
			cleanBytes(tmp, s1Hat, _t0, s1, s2);
			return publicCoder.encode([rho, t1]);
		},
		sign: (msg, secretKey, opts = {}) => {
			opts = validateSigOpts(opts, INTERNAL_SIG_OPT_KEYS);
			opts = validateInternalOpts(opts, INTERNAL_SIG_OPT_KEYS);
			const { extraEntropy: random, externalMu = false } = opts;
			if (externalMu) abytesDoc(msg, CRH_BYTES, "mu");
			const ownRnd = random === false || random === void 0;
			const rnd = random === false ? /* @__PURE__ */ new Uint8Array(32) : random === void 0 ? randomBytes$1(signRandBytes) : random;
			abytesDoc(rnd, 32, "extraEntropy");
			const [rho, _K, tr, s1, s2, t0] = (() => {
				try {
					return secretCoder.decode(secretKey);
				} catch (error) {
					if (ownRnd) cleanBytes(rnd);
					throw error;
				}
			})();
			const A = [];
			const xof = XOF128(rho);
			for (let i = 0; i < K; i++) {
				const pv = [];
				for (let j = 0; j < L; j++) pv.push(RejNTTPoly(xof.get(j, i)));
				A.push(pv);
			}
			xof.clean();
			for (let i = 0; i < L; i++) crystals.NTT.encode(s1[i]);
			for (let i = 0; i < K; i++) {
				crystals.NTT.encode(s2[i]);
				crystals.NTT.encode(t0[i]);
			}
			const mu = externalMu ? msg : shake256.create({ dkLen: CRH_BYTES }).update(tr).update(msg).digest();
			const rhoprime = shake256.create({ dkLen: CRH_BYTES }).update(_K).update(rnd).update(mu).digest();
			if (ownRnd) cleanBytes(rnd);
			abytesDoc(rhoprime, CRH_BYTES);
			const x256 = XOF256(rhoprime, ZCoder.bytesLen);
			main_loop: for (let kappa = 0;;) {
				const y = [];
				for (let i = 0; i < L; i++, kappa++) y.push(ZCoder.decode(x256.get(kappa & 255, kappa >> 8)()));
				const z = y.map((i) => crystals.NTT.encode(i.slice()));
				const w = [];
				for (let i = 0; i < K; i++) {
					const wi = newPoly(N);
					for (let j = 0; j < L; j++) polyAdd(wi, MultiplyNTTs(A[i][j], z[j]));
					crystals.NTT.decode(wi);
					w.push(wi);
				}
				const w1 = w.map((j) => j.map(HighBits));
				const cTilde = shake256.create({ dkLen: C_TILDE_BYTES }).update(mu).update(W1Vec.encode(w1)).digest();
				const cHat = crystals.NTT.encode(SampleInBall(cTilde));
				const cs1 = s1.map((i) => MultiplyNTTs(i, cHat));
				for (let i = 0; i < L; i++) {
					polyAdd(crystals.NTT.decode(cs1[i]), y[i]);
					if (polyChknorm(cs1[i], GAMMA1 - BETA)) {
						cleanBytes(cTilde, cs1, cHat, w1, w, z, y);
						continue main_loop;
					}
				}
				let cnt = 0;
				const h = [];
				for (let i = 0; i < K; i++) {
					const cs2 = crystals.NTT.decode(MultiplyNTTs(s2[i], cHat));
					const r0 = polySub(w[i], cs2).map(LowBits);
					if (polyChknorm(r0, GAMMA2 - BETA)) {
						cleanBytes(cTilde, cs1, cHat, w1, w, z, y, h, cs2, r0);
						continue main_loop;
					}
					const ct0 = crystals.NTT.decode(MultiplyNTTs(t0[i], cHat));
					if (polyChknorm(ct0, GAMMA2)) {
						cleanBytes(cTilde, cs1, cHat, w1, w, z, y, h, cs2, r0, ct0);
						continue main_loop;
					}
					polyAdd(r0, ct0);
					const hint = polyMakeHint(r0, w1[i]);
					h.push(hint.v);
					cnt += hint.cnt;
				}
				if (cnt > OMEGA) {
					cleanBytes(cTilde, cs1, cHat, w1, w, z, y, h);
					continue;
				}
				x256.clean();
				const res = sigCoder.encode([
					cTilde,
					cs1,
					h
				]);
				cleanBytes(cTilde, cs1, h, cHat, w1, w, z, y, rhoprime, s1, s2, t0, ...A);
				if (!externalMu) cleanBytes(mu);
				return res;
			}
			throw new Error("Unreachable code path reached, report this error");
		},
		verify: (sig, msg, publicKey, opts = {}) => {
			opts = validateInternalOpts(opts, INTERNAL_VER_OPT_KEYS);
			const { externalMu = false } = opts;
			if (externalMu) abytesDoc(msg, CRH_BYTES, "mu");
			const [rho, t1] = publicCoder.decode(publicKey);
			const tr = shake256(publicKey, { dkLen: TR_BYTES });
			if (sig.length !== sigCoder.bytesLen) return false;
			const [cTilde, z, h] = sigCoder.decode(sig);
			if (h === false) return false;
			for (let i = 0; i < L; i++) if (polyChknorm(z[i], GAMMA1 - BETA)) return false;
			const mu = externalMu ? msg : shake256.create({ dkLen: CRH_BYTES }).update(tr).update(msg).digest();
			const c = crystals.NTT.encode(SampleInBall(cTilde));
			const zNtt = z.map((i) => i.slice());
			for (let i = 0; i < L; i++) crystals.NTT.encode(zNtt[i]);
			const wTick1 = [];
			const xof = XOF128(rho);
			for (let i = 0; i < K; i++) {
				const ct12d = MultiplyNTTs(crystals.NTT.encode(polyShiftl(t1[i])), c);
				const Az = newPoly(N);
				for (let j = 0; j < L; j++) polyAdd(Az, MultiplyNTTs(RejNTTPoly(xof.get(j, i)), zNtt[j]));
				const wApprox = crystals.NTT.decode(polySub(Az, ct12d));
				wTick1.push(polyUseHint(wApprox, h[i]));
			}
			xof.clean();
			const c2 = shake256.create({ dkLen: C_TILDE_BYTES }).update(mu).update(W1Vec.encode(wTick1)).digest();
			for (const t of h) if (!(t.reduce((acc, i) => acc + i, 0) <= OMEGA)) return false;
			for (const t of z) if (polyChknorm(t, GAMMA1 - BETA)) return false;
			return equalBytes(cTilde, c2);
		}
	});
	return Object.freeze({
		info: Object.freeze({ type: "ml-dsa" }),
		internal,
		securityLevel,
		keygen: internal.keygen,
		lengths: internal.lengths,
		getPublicKey: internal.getPublicKey,
		sign: (msg, secretKey, opts = {}) => {
			opts = validateSigOpts(opts);
			const M = getMessage(msg, opts.context);
			const res = internal.sign(M, secretKey, {
				extraEntropy: opts.extraEntropy,
				externalMu: false
			});
			cleanBytes(M);
			return res;
		},
		verify: (sig, msg, publicKey, opts = {}) => {
			opts = validateVerOpts(opts);
			abytesDoc(sig, void 0, "signature");
			return internal.verify(sig, getMessage(msg, opts.context), publicKey, { externalMu: false });
		},
		prehash: (hash) => {
			checkHash(hash, securityLevel);
			const rawHash = hash;
			return Object.freeze({
				info: Object.freeze({ type: "hashml-dsa" }),
				securityLevel,
				lengths: internal.lengths,
				keygen: internal.keygen,
				getPublicKey: internal.getPublicKey,
				sign: (msg, secretKey, opts = {}) => {
					opts = validateSigOpts(opts);
					const M = getMessagePrehash(rawHash, msg, opts.context);
					const res = internal.sign(M, secretKey, {
						extraEntropy: opts.extraEntropy,
						externalMu: false
					});
					cleanBytes(M);
					return res;
				},
				verify: (sig, msg, publicKey, opts = {}) => {
					opts = validateVerOpts(opts);
					abytesDoc(sig, void 0, "signature");
					return internal.verify(sig, getMessagePrehash(rawHash, msg, opts.context), publicKey, { externalMu: false });
				}
			});
		}
	});
}
/**
* ML-DSA-44 for 128-bit security level. Not recommended after 2030, as per ASD.
* @example
* Generate deterministic ML-DSA-44 keys, sign one message, and verify the signature.
* ```ts
* import { sha256 } from '@noble/hashes/sha2.js';
* import { ml_dsa44 } from '@noble/post-quantum/ml-dsa.js';
* const seed = new Uint8Array(ml_dsa44.lengths.seed!);
* const { secretKey, publicKey } = ml_dsa44.keygen(seed);
* const msg = new TextEncoder().encode('hello noble');
* const sig = ml_dsa44.sign(msg, secretKey);
* const isValid = ml_dsa44.verify(sig, msg, publicKey);
* const recovered = ml_dsa44.getPublicKey(secretKey);
* const context = new Uint8Array([1, 2, 3]);
* const prehash = ml_dsa44.prehash(sha256);
* const preSig = prehash.sign(msg, secretKey, { context });
* const preValid = prehash.verify(preSig, msg, publicKey, { context });
* const internalSig = ml_dsa44.internal.sign(msg, secretKey);
* ```
*/
var ml_dsa44 = /* @__PURE__ */ (() => getDilithium({
	...PARAMS[2],
	CRH_BYTES: 64,
	TR_BYTES: 64,
	C_TILDE_BYTES: 32,
	XOF128,
	XOF256,
	securityLevel: 128
}))();
// shared/log/cosignature.ts
/**
* What a cosignature says when it is the key's over the checkpoint with this text. Undefined when it is not.
* Never throws. Times from 2^53 on are refused.
*/
function verifyCosignature(key, text, cosignature) {
	if (cosignature.length !== 8 + SIGNATURE_BYTES$1[key.type] || key.type === SIGNATURE_TYPES.ed25519) return void 0;
	const time = new DataView(cosignature.buffer, cosignature.byteOffset).getBigUint64(0);
	if (time > BigInt(Number.MAX_SAFE_INTEGER)) return void 0;
	const timestamp = Number(time);
	try {
		return verifies(key, cosignedMessage(key, text, timestamp), cosignature.subarray(8)) ? { timestamp } : void 0;
	} catch {
		return;
	}
}
/**
* The bytes that a witness signs. An Ed25519 cosignature is over the whole text, one by ML-DSA-44 over what it says.
* @throws RangeError when the text is not that of a checkpoint, and for keys that do not cosign
*/
function cosignedMessage(key, text, timestamp) {
	const { origin, size, root } = readCheckpoint(text);
	switch (key.type) {
		case SIGNATURE_TYPES.ed25519Cosignature: return utf8(`cosignature/v1\ntime ${timestamp}\n${text}`);
		case SIGNATURE_TYPES.mlDsa44Cosignature: return concatBytes$2(utf8("subtree/v1\n\0"), shortPrefixed(utf8(key.name)), u64(timestamp), shortPrefixed(utf8(origin)), u64(0), u64(size), root);
		case SIGNATURE_TYPES.ed25519: throw new RangeError("the key does not cosign");
		default: throw new RangeError(`a key of type ${key.type}`);
	}
}
/** Bytes of a signature without its time. */
var SIGNATURE_BYTES$1 = {
	1: 64,
	4: 64,
	6: 2420
};
function verifies(key, message, signature) {
	return key.type === SIGNATURE_TYPES.mlDsa44Cosignature ? ml_dsa44.verify(signature, message, key.publicKey) : verifySignature(key.publicKey, message, signature);
}
/** The length in one byte, then the bytes. */
var shortPrefixed = (bytes) => concatBytes$2(u8(bytes.length), bytes);
// shared/log/log_policy.ts
/** The largest policy that is read. 32 of each kind are always allowed; an ML-DSA-44 key has 1.8 KB. */
var POLICY_CEILINGS = {
	bytes: 524288,
	lines: 4096,
	logs: 64,
	witnesses: 64,
	groups: 64
};
/** @throws RangeError with the number of the line, on any other bytes and above the ceilings */
function readPolicy(bytes) {
	if (bytes.length > POLICY_CEILINGS.bytes) throw new RangeError("the policy is too long");
	const lines = oneCharacterPerByte(bytes).split("\n", POLICY_CEILINGS.lines + 1);
	if (lines.length > POLICY_CEILINGS.lines) throw new RangeError("the policy has too many lines");
	const read = {
		logs: [],
		witnesses: [],
		groups: [],
		quorum: void 0,
		members: /* @__PURE__ */ new Set()
	};
	for (const [index, line] of lines.entries()) try {
		readLine(read, line);
	} catch (error) {
		if (error instanceof RangeError) throw new RangeError(`line ${index + 1}: ${error.message}`);
		throw error;
	}
	const { logs, witnesses, groups, quorum } = read;
	if (quorum === void 0) throw new RangeError("the policy has no quorum line");
	return {
		logs,
		witnesses,
		groups,
		quorum: quorum === NO_QUORUM ? void 0 : quorum
	};
}
/** Whether the witnesses with these names are enough. */
function meetsQuorum({ groups, quorum }, cosigned) {
	if (quorum === void 0) return true;
	const met = new Set(cosigned);
	for (const { name, threshold, members } of groups) if (members.filter((member) => met.has(member)).length >= threshold) met.add(name);
	return met.has(quorum);
}
function readLine(read, line) {
	const [keyword, ...items] = line.split(/[ \t]+/).filter((item) => item !== "");
	if (keyword === void 0 || keyword.startsWith("#")) return;
	const readItems = READERS.get(keyword);
	if (readItems === void 0) throw new RangeError("a line begins with log, witness, group or quorum");
	readItems(read, items);
}
function readLog({ logs }, items) {
	const [encoded, url, ...more] = items;
	if (encoded === void 0 || more.length > 0) throw new RangeError("log <vkey> [<url>]");
	const key = readKey$1(encoded, [SIGNATURE_TYPES.ed25519], logs);
	logs.push({
		key,
		...url === void 0 ? {} : { url: textOf$2(url) }
	});
	if (logs.length > POLICY_CEILINGS.logs) throw new RangeError("too many logs");
}
function readWitness$1(read, items) {
	const [name, encoded, url, ...more] = items;
	if (name === void 0 || encoded === void 0 || more.length > 0) throw new RangeError("witness <name> <vkey> [<url>]");
	expectNewName(read, name);
	const key = readKey$1(encoded, [SIGNATURE_TYPES.ed25519Cosignature, SIGNATURE_TYPES.mlDsa44Cosignature], read.witnesses);
	read.witnesses.push({
		name,
		key,
		...url === void 0 ? {} : { url: textOf$2(url) }
	});
	if (read.witnesses.length > POLICY_CEILINGS.witnesses) throw new RangeError("too many witnesses");
}
function readGroup(read, items) {
	const [name, count, ...members] = items;
	if (name === void 0 || count === void 0 || members.length === 0) throw new RangeError("group <name> all|any|<k> <name>...");
	expectNewName(read, name);
	for (const member of members) {
		if (!isDefined(read, member)) throw new RangeError("a member is not defined on a line before");
		if (read.members.has(member)) throw new RangeError("a name is a member more than once");
		read.members.add(member);
	}
	read.groups.push({
		name,
		threshold: readThreshold(count, members.length),
		members
	});
	if (read.groups.length > POLICY_CEILINGS.groups) throw new RangeError("too many groups");
}
function readThreshold(text, members) {
	if (text === "any") return 1;
	if (text === "all") return members;
	if (!/^[1-9]\d{0,3}$/.test(text) || Number(text) > members) throw new RangeError("a threshold is all, any, or from 1 to the number of members");
	return Number(text);
}
function readQuorum(read, items) {
	const [name, ...more] = items;
	if (name === void 0 || more.length > 0) throw new RangeError("quorum <name>");
	if (read.quorum !== void 0) throw new RangeError("there is a quorum already");
	if (name !== NO_QUORUM && !isDefined(read, name)) throw new RangeError("the quorum is not defined on a line before");
	read.quorum = name;
}
/** Two keys are duplicates when their public keys are the same, whatever their names are. */
function readKey$1(encoded, types, others) {
	const key = readVerifierKey(textOf$2(encoded));
	if (!types.includes(key.type)) throw new RangeError(`keys of type ${key.type} are not supported on such a line`);
	const hex = toHex(key.publicKey);
	if (others.some((other) => toHex(other.key.publicKey) === hex)) throw new RangeError("a public key is there already");
	return key;
}
function expectNewName(read, name) {
	if (name === NO_QUORUM || isDefined(read, name)) throw new RangeError("a name is defined already");
}
var isDefined = ({ witnesses, groups }, name) => [...witnesses, ...groups].some((one) => one.name === name);
var READERS = /* @__PURE__ */ new Map([
	["log", readLog],
	["witness", readWitness$1],
	["group", readGroup],
	["quorum", readQuorum]
]);
var NO_QUORUM = "none";
/** Policies may have tabs and newlines, and no other control characters. */
function oneCharacterPerByte(bytes) {
	let text = "";
	for (const byte of bytes) {
		if (byte < 32 && byte !== 9 && byte !== 10 || byte === 127) throw new RangeError("the policy has control characters");
		text += String.fromCharCode(byte);
	}
	return text;
}
var nameBytes = (name) => Uint8Array.from(name, (character) => character.charCodeAt(0));
/** @throws RangeError when the bytes are not UTF-8 */
function textOf$2(item) {
	try {
		return new TextDecoder("utf-8", {
			fatal: true,
			ignoreBOM: true
		}).decode(nameBytes(item));
	} catch {
		throw new RangeError("a key or an address is not UTF-8");
	}
}
// shared/proof/merkle.ts
/** Root of the empty tree: SHA-256 of no bytes. */
var EMPTY_ROOT = sha256(/* @__PURE__ */ new Uint8Array());
function leafHash(value) {
	return domainHash("leaf", value);
}
function nodeHash(left, right) {
	if (left.length !== HASH_BYTES$1 || right.length !== HASH_BYTES$1) return domainHash("node", left, right);
	NODE.set(left, 1);
	NODE.set(right, 1 + HASH_BYTES$1);
	return sha256(NODE);
}
/** The node over two hashes that lie side by side, into `target` from `start` on. @param pair 64 bytes */
function pairHashInto(pair, target, start) {
	NODE.set(pair, 1);
	sha256Into(NODE, target, start);
}
var HASH_BYTES$1 = 32;
/** Filled again for each node, because large trees have many. Nothing else runs in between. */
var NODE = Uint8Array.of(DOMAIN_BYTES.node, .../* @__PURE__ */ new Uint8Array(64));
/** The root over hashes of leaves, or over roots of perfect subtrees of one height. 32 bytes. */
var rootOf = (hashes) => hashes.length === 0 ? EMPTY_ROOT : subtreeRoot(hashes, 0, hashes.length);
/** The root computed from `value` (not yet hashed as a leaf) and its siblings. */
function walkPath(value, steps) {
	let hash = leafHash(value);
	for (const step of steps) hash = step.side === "left" ? nodeHash(step.hash, hash) : nodeHash(hash, step.hash);
	return hash;
}
/** Root over `hashes[start..end)`, which must not be empty. Recurses log2 of their number. */
function subtreeRoot(hashes, start, end) {
	const only = hashes[start];
	if (only === void 0) throw new RangeError(`no leaf ${start}`);
	if (end - start === 1) return only;
	const middle = start + splitOf(end - start);
	return nodeHash(subtreeRoot(hashes, start, middle), subtreeRoot(hashes, middle, end));
}
/** The largest power of two below `count`, which is from 2 to the largest safe integer. */
function splitOf(count) {
	let power = 1;
	while (power * 2 < count) power *= 2;
	return power;
}
var MAX_PATH_DEPTH = 64;
/**
* Ignores unused side bits.
* @throws RangeError unless the text is strict base64url of exactly the length that its depth requires
*/
function decodePath(text) {
	const bytes = fromBase64Url(text);
	const depth = bytes[0];
	if (depth === void 0) throw new RangeError("an empty text is no path");
	if (depth > MAX_PATH_DEPTH) throw new RangeError(`a path has at most ${MAX_PATH_DEPTH} steps`);
	if (bytes.length !== encodedLength(depth)) throw new RangeError(`a path of ${depth} steps takes ${encodedLength(depth)} bytes, not ${bytes.length}`);
	return Array.from({ length: depth }, (_, i) => {
		const start = siblingsStart(depth) + HASH_BYTES$1 * i;
		return {
			side: ((bytes[sideByte(i)] ?? 0) & sideBit(i)) !== 0 ? "right" : "left",
			hash: bytes.subarray(start, start + HASH_BYTES$1)
		};
	});
}
function sideByte(step) {
	return 1 + (step >> 3);
}
function sideBit(step) {
	return 1 << (step & 7);
}
function siblingsStart(depth) {
	return 1 + Math.ceil(depth / 8);
}
function encodedLength(depth) {
	return siblingsStart(depth) + HASH_BYTES$1 * depth;
}
/** As `rootOf`, over hashes that lie one after the other, as in a tile. */
var rootOfTile = (tile) => rootOf(hashesOf(tile));
/** Views of the hashes that lie one after the other. @throws RangeError for a part of a hash */
function hashesOf(tile) {
	if (tile.length % 32 !== 0) throw new RangeError("not whole hashes");
	return Array.from({ length: tile.length / 32 }, (_, at) => tile.subarray(at * 32, (at + 1) * 32));
}
/** Joins the roots of neighbours, the leftmost first, from the right: how the right edge of a tree is hashed. */
function joinRight(roots) {
	const last = roots.at(-1);
	if (last === void 0) return EMPTY_ROOT;
	return roots.slice(0, -1).reduceRight((right, left) => nodeHash(left, right), last);
}
/** The newest tile of a level, or any other, as a tree of `size` has it. Undefined when it has no such tile. */
function tileAt(size, level, index) {
	const hashes = Math.floor(size / 256 ** level);
	const width = Math.min(256, hashes - index * 256);
	return width > 0 ? {
		level,
		index,
		width
	} : void 0;
}
/**
* The hashes of nodes of a tree of `size` leaves, each 32 bytes, with one call of the reader.
* @throws RangeError when the reader yields too little, or the ranges are no nodes of this tree
*/
async function readNodes(read, size, ranges) {
	const parts = ranges.map(perfectParts);
	const tiles = tilesOf(size, parts.flat());
	const found = tiles.size === 0 ? [] : await read([...tiles.values()]);
	const bytes = new Map([...tiles.keys()].map((key, at) => [key, found[at]]));
	return parts.map((perfect) => joinRight(perfect.map((part) => {
		const { level, index, from, count } = placeOf(part);
		const tile = bytes.get(keyOf(level, index));
		const end = (from + count) * 32;
		if (tile === void 0 || tile.length < end) throw new RangeError(`tile ${level}/${index} has fewer than ${from + count} hashes`);
		return rootOf(hashesOf(tile.subarray(from * 32, end)));
	})));
}
/** @throws RangeError unless it is a number of leaves */
function checkedSize(size) {
	if (!Number.isSafeInteger(size) || size < 0) throw new RangeError(`${size} is no size of a tree`);
	return size;
}
/** The perfect subtrees of a node, the largest first: `end - start` of each is a power of two that divides its `start`. */
function perfectParts({ start, end }) {
	const parts = [];
	for (let from = start; from < end;) {
		let width = 1;
		while (from + width * 2 <= end) width *= 2;
		if (from % width !== 0) throw new RangeError(`leaves ${start} to ${end} are no node`);
		parts.push({
			start: from,
			end: from + width
		});
		from += width;
	}
	return parts;
}
/** Where the hashes lie whose root is a perfect subtree: a power of two of them, within one tile. */
function placeOf({ start, end }) {
	let level = 0;
	let leaves = 1;
	while (leaves * 256 <= end - start) {
		level += 1;
		leaves *= 256;
	}
	const first = start / leaves;
	const index = Math.floor(first / 256);
	return {
		level,
		index,
		from: first - index * 256,
		count: (end - start) / leaves
	};
}
/** Each tile once. */
function tilesOf(size, parts) {
	const tiles = /* @__PURE__ */ new Map();
	for (const part of parts) {
		const { level, index } = placeOf(part);
		const tile = tileAt(size, level, index);
		if (tile === void 0) throw new RangeError(`a tree of ${size} leaves has no tile ${level}/${index}`);
		tiles.set(keyOf(level, index), tile);
	}
	return tiles;
}
var keyOf = (level, index) => `${level}/${index}`;
/** `tile/0/x001/x234/067` for the full tile 1234067 of level 0, and `.p/<width>` behind it for a partial one. */
function tilePath({ level, index, width }) {
	const groups = [String(index % 1e3).padStart(3, "0")];
	for (let rest = Math.floor(index / 1e3); rest > 0; rest = Math.floor(rest / 1e3)) groups.unshift(`x${String(rest % 1e3).padStart(3, "0")}`);
	return `tile/${level}/${groups.join("/")}${width === 256 ? "" : `.p/${width}`}`;
}
// shared/proof/composites.ts
/** Must never change once a chain exists, because the genesis block hashes it. */
var GENESIS_MESSAGE = "pharos:genesis:v1";
/**
* `D(domain, JCS(value))`, 32 bytes.
* @throws RangeError when the value has no canonical form
*/
function jsonHash(domain, value) {
	return canonicalTextHash(domain, canonicalJson(value));
}
/** As `jsonHash`, from text that is already canonical, such as the stored text. */
function canonicalTextHash(domain, canonicalText) {
	return domainHash(domain, utf8(canonicalText));
}
/** 4 bytes, displayed as 8 hex. `publicKey` is the raw 32 bytes. */
function keyIdOf(publicKey) {
	return domainHash("public_key", publicKey).slice(0, 4);
}
function itemHash({ id, claimsHash, metadataHash, keyId }) {
	return composite("item", utf8(id), claimsHash, metadataHash, keyId);
}
function observationHash({ id, entropyHash, metadataHash, keyId }) {
	return composite("observation", utf8(id), entropyHash, metadataHash, keyId);
}
function blockHash$1({ id, previousBlockHash, merkleRoot, metadataHash, keyId }) {
	return composite("block", utf8(id), previousBlockHash, merkleRoot, metadataHash, keyId);
}
function commitmentHash({ id, dataHash, ownerId, keyId }) {
	return composite("commitment", utf8(id), dataHash, utf8(ownerId), keyId);
}
/** The hash of the commitment of an epoch, from what is committed. */
function epochCommitmentHash({ id, series, root, transaction, keyId }) {
	const { chain, network } = series;
	return commitmentHash({
		id,
		dataHash: jsonHash("commitment_data", {
			chain,
			epoch_root: root,
			network,
			tx: transaction
		}),
		ownerId: `epoch:${chain}`,
		keyId
	});
}
/** The previous block hash of the first block. The message is `pharos:genesis:v1`. */
function genesisPreviousHash(message) {
	return domainHash("block_genesis", utf8(message));
}
/** The hash by which a key event commits to the next key. `nextPublicKey` is the raw 32 bytes. */
function prerotationCommitment(nextPublicKey) {
	return domainHash("next_public_key", nextPublicKey);
}
function composite(domain, ...parts) {
	return domainHash(domain, ...parts.map(lengthPrefixed));
}
// shared/proof/ids.ts
/**
* Lowercase with hyphens, version 7, RFC variant, such as `01a2ce8e-9320-7630-bb7f-73edc8868b1d`. The text
* itself is hashed, so an id has only one spelling.
*/
function isUuid7(text) {
	return /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(text);
}
/** Milliseconds since 1970. Undefined for other text and other versions. Does not check the variant bits. */
function uuid7Time(id) {
	if (!/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/.test(id)) return void 0;
	return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
}
/**
* Uppercase only and at most 128 bits, such as `01MB78W7FGY7TZHKNWE7WA3Z57`. The text itself is hashed, so an
* id has only one spelling.
*/
function isUlid(text) {
	return /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/.test(text);
}
/**
* Milliseconds since 1970.
* @throws RangeError when the text is not a ULID
*/
function ulidTime(ulid) {
	if (!isUlid(ulid)) throw new RangeError("not a ULID");
	let ms = 0;
	for (const character of ulid.slice(0, TIME_LENGTH)) ms = ms * 32 + CROCKFORD.indexOf(character);
	return ms;
}
var CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
var TIME_LENGTH = 10;
// shared/audit/disagreement.ts
/** Returns undefined when the text is not JSON or is not in canonical spelling. */
function readCanonical(text) {
	const value = readOrUndefined(() => readStrictJson(text));
	return value !== void 0 && canonicalJson(value) === text ? value : void 0;
}
/** Yields a disagreement when the two values differ. Bytes are shown as hex. */
function* agree(place, field, expected, found) {
	const wanted = shown$1(expected);
	const had = shown$1(found);
	if (wanted !== had) yield {
		...place,
		field,
		expected: wanted,
		found: had
	};
}
/** Yields a disagreement when the statement is false. The found value is not shown. */
function* holds(place, field, statement, expected) {
	if (!statement) yield {
		...place,
		field,
		...expected === void 0 ? {} : { expected }
	};
}
/** Example: `block 12, item 01MB…: item_hash should be …, is …` */
function describeDisagreement({ height, subject, field, expected, found }) {
	return `${[height === null ? "no block" : `block ${height}`, ...subject === void 0 ? [] : [subject]].join(", ")}: ${field} ${expected === void 0 ? "is wrong" : `should be ${expected}`}${found === void 0 ? "" : `, is ${found}`}`;
}
function shown$1(value) {
	if (value === null || value === void 0) return "null";
	return typeof value === "object" ? toHex(value) : String(value);
}
// shared/audit/chain_audit.ts
/**
* @param previous undefined for the first block only
* @param signer the key that must have signed the block, according to the key events up to and including this block
*/
function* auditChainBlock(block, previous, signer) {
	const place = { height: block.height };
	yield* link(place, block, previous);
	yield* contents(place, block, signer);
}
function* contents(place, block, signer) {
	const { metadata, signature, block_hash } = block;
	yield* holds(place, "metadata", readCanonical(metadata) !== void 0, "canonical JSON");
	yield* agree(place, "metadata_hash", canonicalTextHash("block_metadata", metadata), block.metadata_hash);
	yield* agree(place, "signing_key_id", signer?.keyId, toHex(block.signing_key_id));
	yield* agree(place, "block_hash", hashOf$1(block), block_hash);
	if (signer !== void 0) yield* holds(place, "signature", signer.signed(block_hash, signature), `that of key ${signer.keyId} over the block hash`);
	yield* holds(place, "id", isUuid7(block.id), "a UUIDv7");
}
function* link(place, block, previous) {
	if (previous === void 0) {
		yield* agree(place, "previous_block_hash", genesisPreviousHash(GENESIS_MESSAGE), block.previous_block_hash);
		yield* agree(place, "merkle_root", EMPTY_ROOT, block.merkle_root);
		return;
	}
	yield* agree(place, "previous_block_hash", previous.block_hash, block.previous_block_hash);
	yield* holds(place, "finalized_at", block.finalized_ms > previous.finalized_ms, "later than the block before");
}
var hashOf$1 = (block) => blockHash$1({
	id: block.id,
	previousBlockHash: block.previous_block_hash,
	merkleRoot: block.merkle_root,
	metadataHash: block.metadata_hash,
	keyId: block.signing_key_id
});
/**
* Collects keys from the key events only. The table `signing_keys` is not trusted here, because a key without a key
* event is not valid.
*/
var KeyChain = class {
	#keys = [];
	#check;
	#commitment = null;
	constructor(check) {
		this.#check = check;
	}
	get keys() {
		return this.#keys;
	}
	/** Hex of the commitment to the next key in the last key event. Null when that event has no commitment. */
	get commitment() {
		return this.#commitment;
	}
	byId(keyId) {
		const hex = toHex(keyId);
		return this.#keys.find((key) => key.keyId === hex);
	}
	/** The key that signed everything made while the block of this height was the head. */
	currentAt(height) {
		return this.#keys.findLast((key) => key.introducedAtHeight <= height);
	}
	/** Reads the key event of the next block, if it has one, and returns the key that must have signed the block. */
	*follow(block) {
		const place = { height: block.height };
		const outgoing = this.#keys.at(-1);
		const event = readKeyEvent$1(block.metadata);
		if (event === void 0) {
			const expected = outgoing === void 0 ? "the key event of genesis" : "nothing, or a key event with its five members";
			yield* holds(place, "metadata", outgoing !== void 0 && block.metadata === "{}", expected);
			return outgoing;
		}
		yield* agree(place, "key_event.sequence", outgoing === void 0 ? 0 : outgoing.sequence + 1, event.sequence);
		yield* holds(place, "key_event.type", event.type === "genesis" === (outgoing === void 0), "genesis first and once");
		yield* agree(place, "key_event.key_id", keyIdOf(event.publicKey), fromHex(event.keyId));
		yield* holds(place, "key_event.key_id", this.byId(fromHex(event.keyId)) === void 0, "a key id of its own");
		if (this.#commitment !== null || event.type === "emergency_rotation") yield* agree(place, "key_event.public_key", this.#commitment, toHex(prerotationCommitment(event.publicKey)));
		const introduced = chainKey(event, block, this.#check);
		this.#keys.push(introduced);
		this.#commitment = event.commitment;
		return event.type === "rotation" ? outgoing : introduced;
	}
};
var MEMBERS = "key_id,prerotation_commitment,public_key,sequence,type";
/** Returns undefined when the metadata is not exactly one key event. */
function readKeyEvent$1(metadata) {
	const value = readCanonical(metadata);
	if (!isJsonObject(value) || Object.keys(value).join() !== "key_event") return void 0;
	const event = memberOf(value, "key_event");
	if (!isJsonObject(event) || Object.keys(event).join() !== MEMBERS) return void 0;
	const { key_id: keyId, prerotation_commitment: commitment, public_key, sequence, type } = event;
	if (typeof keyId !== "string" || !isHex(keyId, 4) || typeof sequence !== "number") return void 0;
	if (commitment !== null && (typeof commitment !== "string" || !isHex(commitment, 32))) return void 0;
	if (type !== "genesis" && type !== "rotation" && type !== "emergency_rotation") return void 0;
	if (typeof public_key !== "string") return void 0;
	const publicKey = readOrUndefined(() => fromBase64(public_key));
	return publicKey?.length === 32 ? {
		keyId,
		publicKey,
		sequence,
		type,
		commitment
	} : void 0;
}
function chainKey({ keyId, publicKey, sequence, type }, { height, finalized_ms }, check) {
	return Object.freeze({
		keyId,
		publicKey,
		sequence,
		type,
		introducedAtHeight: height,
		introducedMs: finalized_ms,
		signed: check(publicKey)
	});
}
// shared/log/log_entry.ts
/** Every call throws a RangeError where the bytes end too early. What it returns are views of the same memory. */
var ByteReader = class {
	#bytes;
	#at = 0;
	constructor(bytes) {
		this.#bytes = bytes;
	}
	get left() {
		return this.#bytes.length - this.#at;
	}
	take(count) {
		if (count > this.left) throw new RangeError(`${count} bytes are needed where ${this.left} are left`);
		this.#at += count;
		return this.#bytes.subarray(this.#at - count, this.#at);
	}
	u16() {
		return this.#integer(2);
	}
	u32() {
		return this.#integer(4);
	}
	end() {
		if (this.left > 0) throw new RangeError(`${this.left} bytes are left over`);
	}
	#integer(size) {
		return this.take(size).reduce((value, byte) => value * 256 + byte, 0);
	}
};
/** A byte of the domain, then the parts, each with four bytes of its length. */
var COMPOSITE_BYTES = 157;
/** 157 bytes for an id that is a UUID and parts of the lengths that `BlockParts` says. */
var blockComposite = (block) => concatBytes$2(u8(DOMAIN_BYTES.block), lengthPrefixed(utf8(block.id)), lengthPrefixed(block.previousBlockHash), lengthPrefixed(block.merkleRoot), lengthPrefixed(block.metadataHash), lengthPrefixed(block.keyId));
/** @throws RangeError unless the bytes are the composite of a block in its only spelling */
function readBlockComposite(bytes) {
	const from = new ByteReader(bytes);
	if (from.take(1)[0] !== DOMAIN_BYTES.block) throw new RangeError("not the composite of a block");
	const part = (length) => {
		if (from.u32() !== length) throw new RangeError(`a part of the composite is not ${length} bytes long`);
		return from.take(length);
	};
	const id = String.fromCharCode(...part(36));
	if (!isUuid7(id)) throw new RangeError("the id in the composite is not a UUIDv7");
	const parts = {
		id,
		previousBlockHash: part(32),
		merkleRoot: part(32),
		metadataHash: part(32),
		keyId: part(4)
	};
	from.end();
	return parts;
}
/** The length of an entry is two bytes in an entry bundle. */
var MAX_ENTRY_BYTES = 65535;
var SIGNATURE_BYTES = 64;
/** UTF-8 bytes that the metadata of a block may have, so that its entry fits. */
var MAX_METADATA_BYTES = 65302;
/** @throws RangeError for parts of other lengths, or metadata above `MAX_METADATA_BYTES` */
function entryBytes({ composite, signature, metadata }) {
	if (composite.length !== COMPOSITE_BYTES) throw new RangeError(`a composite is ${COMPOSITE_BYTES} bytes`);
	if (signature.length !== SIGNATURE_BYTES) throw new RangeError(`a signature is ${SIGNATURE_BYTES} bytes`);
	const text = utf8(metadata);
	if (text.length > MAX_METADATA_BYTES) throw new RangeError(`metadata of a block is at most ${MAX_METADATA_BYTES} bytes, not ${text.length}`);
	return concatBytes$2(lengthPrefixed(composite), lengthPrefixed(signature), lengthPrefixed(text));
}
/** @throws RangeError unless the bytes are one entry. Whether its parts agree is not checked. */
function readLogEntry(entry) {
	if (entry.length > 65535) throw new RangeError(`an entry is at most ${MAX_ENTRY_BYTES} bytes`);
	const from = new ByteReader(entry);
	if (from.u32() !== COMPOSITE_BYTES) throw new RangeError(`a composite is ${COMPOSITE_BYTES} bytes`);
	const composite = from.take(COMPOSITE_BYTES);
	if (from.u32() !== SIGNATURE_BYTES) throw new RangeError(`a signature is ${SIGNATURE_BYTES} bytes`);
	const signature = from.take(SIGNATURE_BYTES);
	const metadata = textOf$1(from.take(from.u32()));
	from.end();
	return {
		composite,
		signature,
		metadata
	};
}
/** 32 bytes. */
var entryLeafHash = (entry) => leafHash(entry);
/** A byte order mark stays, because an entry must have one reading. */
var utf8Decoder = new TextDecoder("utf-8", {
	fatal: true,
	ignoreBOM: true
});
function textOf$1(bytes) {
	try {
		return utf8Decoder.decode(bytes);
	} catch {
		throw new RangeError("the metadata is not UTF-8");
	}
}
/**
* The entries, as views of the bundle's memory.
* @throws RangeError unless the bytes are exactly `width` entries, by default from 1 to 256
*/
function readEntryBundle(bundle, width) {
	const from = new ByteReader(bundle);
	const entries = [];
	while (from.left > 0) {
		if (entries.length === (width ?? 256)) throw new RangeError("the bundle has more entries");
		entries.push(from.take(from.u16()));
	}
	if (entries.length < (width ?? 1)) throw new RangeError(`the bundle has only ${entries.length} entries`);
	return entries;
}
// shared/audit/copy_reader.ts
/** A whole file that is missing or cannot be read. */
var fileFinding = (file, expected, found) => ({
	file,
	height: null,
	field: "the file",
	expected,
	...found === void 0 ? {} : { found }
});
/** Example: `tile/entries/000: block 12: signature should be that of key 5ebf12a9 over the block hash` */
var describeCopyFinding = ({ file, ...disagreement }) => `${file}: ${describeDisagreement(disagreement).replace(/^no block: /, "")}`;
/** The most bytes of a file. */
var COPY_CEILINGS = {
	checkpoint: NOTE_CEILINGS.bytes,
	tile: 8192,
	bundle: 256 * (2 + MAX_ENTRY_BYTES),
	keyring: 1048576,
	epoch: MAX_EPOCH_FILE_BYTES
};
/** A partial tile may be gone once the full one is there, which begins with it. */
async function readTileFile(read, tile) {
	const most = tile.level === "entries" ? COPY_CEILINGS.bundle : COPY_CEILINGS.tile;
	const file = tilePath(tile);
	const bytes = await read(file, most);
	if (bytes !== void 0 || tile.width === 256) return {
		file,
		width: tile.width,
		bytes
	};
	const full = tilePath({
		...tile,
		width: 256
	});
	const instead = await read(full, most);
	return instead === void 0 ? {
		file,
		width: tile.width,
		bytes
	} : {
		file: full,
		width: 256,
		bytes: instead
	};
}
/** What a file says, or why it cannot be read. */
function readOrReason(read) {
	try {
		return read();
	} catch (error) {
		if (error instanceof RangeError) return error.message;
		throw error;
	}
}
/** Calls `read` for 0, 1, 2 … up to `count`, `ahead` of them at once, and yields the answers in order. */
async function* readAhead(count, ahead, read) {
	const under = [];
	for (let next = 0; next < count || under.length > 0;) {
		while (next < count && under.length < ahead) {
			const begun = read(next);
			begun.catch(() => void 0);
			under.push(begun);
			next += 1;
		}
		const first = under.shift();
		if (first !== void 0) yield await first;
	}
}
// shared/log/growing_tree.ts
var TileBuilder = class {
	/** The newest tile of each level, which is never full. */
	#edges = [];
	#size = 0;
	/** Leaves so far. */
	get size() {
		return this.#size;
	}
	/** Adds the hash of the next leaf. Returns the tiles that are full with it, the lowest first. */
	add(leaf) {
		this.#size += 1;
		const full = [];
		let hash = leaf;
		for (let level = 0;; level += 1) {
			const edge = this.#edge(level);
			edge.bytes.set(hash, edge.width * 32);
			edge.width += 1;
			if (edge.width < 256) return full;
			full.push({
				level,
				...edge
			});
			hash = rootOfTile(edge.bytes);
			this.#edges[level] = newEdge(edge.index + 1);
		}
	}
	/** The partial tiles of the tree so far, the lowest first. */
	partial() {
		return this.#edges.flatMap(({ index, width, bytes }, level) => width === 0 ? [] : [{
			level,
			index,
			width,
			bytes: bytes.slice(0, width * 32)
		}]);
	}
	/** The root of the tree so far, 32 bytes. */
	root() {
		let below = [];
		for (const { bytes } of this.partial()) below = [rootOf([...hashesOf(bytes), ...below])];
		return rootOf(below);
	}
	#edge(level) {
		const edge = this.#edges[level] ?? newEdge(0);
		this.#edges[level] = edge;
		return edge;
	}
};
var newEdge = (index) => ({
	index,
	width: 0,
	bytes: /* @__PURE__ */ new Uint8Array(8192)
});
// shared/proof/bitcoin/bitcoin_bytes.ts
/**
* A read position in a byte array. It only moves forward.
* Every method throws RangeError when the bytes end too early.
*/
var BitcoinCursor = class {
	bytes;
	at = 0;
	view;
	constructor(bytes) {
		this.bytes = bytes;
		this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	}
	get atEnd() {
		return this.at === this.bytes.length;
	}
	/** A view of the next `length` bytes, not a copy. */
	take(length) {
		const start = this.advance(length);
		return this.bytes.subarray(start, start + length);
	}
	u32() {
		return this.view.getUint32(this.advance(4), true);
	}
	u64() {
		return this.view.getBigUint64(this.advance(8), true);
	}
	/** A count or a length. Accepts only the shortest encoding, as every Bitcoin node does. */
	compactSize() {
		const first = this.view.getUint8(this.advance(1));
		if (first < 253) return first;
		if (first === 253) return shortest(this.view.getUint16(this.advance(2), true), 253);
		if (first === 254) return shortest(this.u32(), 65536);
		return shortest(Number(this.u64()), 4294967296);
	}
	/** A byte string with its length in front. */
	sized() {
		return this.take(this.compactSize());
	}
	advance(length) {
		const start = this.at;
		if (length > this.bytes.length - start) throw new RangeError("the bytes end too early");
		this.at = start + length;
		return start;
	}
};
function u32LittleEndian(value) {
	const bytes = /* @__PURE__ */ new Uint8Array(4);
	new DataView(bytes.buffer).setUint32(0, value, true);
	return bytes;
}
function u64LittleEndian(value) {
	const bytes = /* @__PURE__ */ new Uint8Array(8);
	new DataView(bytes.buffer).setBigUint64(0, value, true);
	return bytes;
}
/** For counts below 2^32. */
function compactSize(value) {
	if (value < 253) return Uint8Array.of(value);
	if (value < 65536) return Uint8Array.of(253, value & 255, value >> 8);
	return concatBytes$2(Uint8Array.of(254), u32LittleEndian(value));
}
function sizedBytes(bytes) {
	return concatBytes$2(compactSize(bytes.length), bytes);
}
function shortest(value, least) {
	if (value < least) throw new RangeError("a count is not written in its shortest form");
	return value;
}
/** 32 bytes in internal order, as they stand inside Bitcoin structures. */
function doubleSha256(bytes) {
	return sha256(sha256(bytes));
}
/** The hex form that people and interfaces use: the internal byte order reversed. */
function displayHash(internal) {
	return toHex(internal.toReversed());
}
/** @throws RangeError unless there are exactly 80 bytes */
function readHeader(bytes) {
	if (bytes.length !== 80) throw new RangeError(`a block header has 80 bytes`);
	const cursor = new BitcoinCursor(bytes);
	return {
		version: cursor.u32(),
		previousBlock: cursor.take(32),
		merkleRoot: cursor.take(32),
		time: cursor.u32(),
		bits: cursor.u32(),
		nonce: cursor.u32()
	};
}
/** The block hash: 64 hex, display order. */
function headerHash(header) {
	return displayHash(doubleSha256(header));
}
/** Returns whether the hash, read as a little-endian number, is at most the target that `bits` encodes. */
var meetsTarget = (hash, bits) => BigInt(`0x${displayHash(hash)}`) <= targetOf(bits);
/** A target with the sign bit is negative in Bitcoin, so no hash meets it. */
var targetOf = (bits) => (bits & 8388608) !== 0 ? -1n : BigInt(bits & 8388607) << BigInt(8 * ((bits >>> 24) - 3));
/**
* Whether the hash of the header meets its own target, and that target is not easier than the network allows. So a header
* of a development chain, which anybody makes in a moment, does not pass for one of mainnet. A network that is not known
* here is held to the easiest of all.
*/
function hasWorkOf(network, header) {
	const { bits } = readHeader(header);
	return meetsTarget(doubleSha256(header), bits) && targetOf(bits) <= targetOf(easiestOf(network));
}
/**
* Whether the target is easier than every public network allows, so that the header is one of a development chain,
* whatever network is named beside it.
*/
var isOfDevelopmentChain = ({ bits }) => targetOf(bits) > targetOf(EASIEST_BITS.testnet);
/** `testnet` stands for testnet3, testnet4 and signet alike. Signet is the easiest of them; the others have 1d00ffff. */
var EASIEST_BITS = {
	mainnet: 486604799,
	testnet: 503543726,
	regtest: 545259519
};
var easiestOf = (network) => network === "mainnet" || network === "testnet" ? EASIEST_BITS[network] : EASIEST_BITS.regtest;
// shared/proof/bitcoin/transaction.ts
/**
* Reads exactly one transaction. Time is linear in the number of bytes, whatever counts the bytes declare.
* @throws RangeError when the bytes are malformed or more bytes follow
*/
function readTransaction(bytes) {
	const cursor = new BitcoinCursor(bytes);
	const version = cursor.u32();
	const hasWitnesses = bytes[cursor.at] === 0 && bytes[cursor.at + 1] === 1;
	if (hasWitnesses) cursor.take(2);
	const inputs = readEach(cursor, readInput);
	const outputs = readEach(cursor, readOutput);
	const signed = hasWitnesses ? inputs.map((input) => ({
		...input,
		witness: readWitness(cursor)
	})) : inputs;
	const lockTime = cursor.u32();
	if (!cursor.atEnd) throw new RangeError("bytes behind the transaction");
	return {
		version,
		inputs: signed,
		outputs,
		lockTime
	};
}
/** The serialisation without witness data, whose hash is the txid. */
function transactionBytes(transaction) {
	return joinBytes([
		u32LittleEndian(transaction.version),
		...inputsAndOutputs(transaction),
		u32LittleEndian(transaction.lockTime)
	]);
}
/** 32 bytes in internal order, as trees and inputs hold it. Witness data is never part of the hash. */
function transactionHash(transaction) {
	return doubleSha256(transactionBytes(transaction));
}
/** The txid: 64 hex, display order. */
function transactionId(transaction) {
	return displayHash(transactionHash(transaction));
}
function inputsAndOutputs({ inputs, outputs }) {
	return [
		compactSize(inputs.length),
		...inputs.flatMap((input) => [
			input.previousTransaction,
			u32LittleEndian(input.previousOutput),
			sizedBytes(input.script),
			u32LittleEndian(input.sequence)
		]),
		compactSize(outputs.length),
		...outputs.flatMap(({ value, script }) => [u64LittleEndian(value), sizedBytes(script)])
	];
}
/**
* Reads as many values as the count in front of them declares. Reserves no memory for the count, because a
* false count may be huge; the read fails where the bytes end.
*/
function readEach(cursor, readOne) {
	const values = [];
	for (let left = cursor.compactSize(); left > 0; left--) values.push(readOne(cursor));
	return values;
}
function readInput(cursor) {
	return {
		previousTransaction: cursor.take(32),
		previousOutput: cursor.u32(),
		script: cursor.sized(),
		sequence: cursor.u32(),
		witness: []
	};
}
function readOutput(cursor) {
	return {
		value: cursor.u64(),
		script: cursor.sized()
	};
}
function readWitness(cursor) {
	return readEach(cursor, (at) => at.sized());
}
/**
* The data of the first output whose script is OP_RETURN with exactly one push. Undefined when there is no
* such output.
*/
function opReturnOf(transaction) {
	for (const output of transaction.outputs) {
		const pushed = opReturnPush(output.script);
		if (pushed !== void 0) return pushed;
	}
}
/** The data that one script pushes after OP_RETURN. Undefined for any other script. */
function opReturnPush(script) {
	const [code, push] = script;
	if (code !== OP_RETURN || push === void 0 || push > OP_PUSHDATA4) return void 0;
	const lengthBytes = push <= LAST_DIRECT_PUSH ? 0 : LENGTH_BYTES[push - OP_PUSHDATA1];
	if (lengthBytes === void 0 || script.length < 2 + lengthBytes) return void 0;
	let length = lengthBytes === 0 ? push : 0;
	for (let i = lengthBytes - 1; i >= 0; i--) length = length * 256 + (script[2 + i] ?? 0);
	if (length > MOST_PUSHED || script.length !== 2 + lengthBytes + length) return void 0;
	return script.subarray(2 + lengthBytes);
}
var OP_RETURN = 106;
var LAST_DIRECT_PUSH = 75;
var OP_PUSHDATA1 = 76;
var OP_PUSHDATA4 = 78;
/** Length bytes of OP_PUSHDATA1, 2 and 4, little-endian. */
var LENGTH_BYTES = [
	1,
	2,
	4
];
var MOST_PUSHED = 80;
// shared/proof/bitcoin/txoutproof.ts
/**
* A tree that does not add up is reported by `isValid`. Time is linear in the number of bytes, whatever
* number of transactions they declare.
* @throws RangeError when the bytes cannot be parsed
*/
function readTxoutproof(bytes) {
	const cursor = new BitcoinCursor(bytes);
	const header = cursor.take(80);
	const transactions = cursor.u32();
	const hashes = new BitcoinCursor(cursor.take(32 * cursor.compactSize()));
	const flags = cursor.sized();
	if (!cursor.atEnd) throw new RangeError("bytes behind the proof");
	const fields = readHeader(header);
	const found = matchedLeaves({
		transactions,
		hashes,
		flags,
		merkleRoot: fields.merkleRoot
	});
	return {
		header,
		fields,
		isValid: found !== void 0,
		...found ?? {
			matched: [],
			path: []
		}
	};
}
/** Each visit uses up one flag, so there are at most as many visits as the proof has flag bits. */
function matchedLeaves(tree) {
	const { transactions, hashes, flags, merkleRoot } = tree;
	if (transactions === 0) return void 0;
	const matched = [];
	const path = [];
	let flagsUsed = 0;
	const visit = (height, position) => {
		const byte = flags[flagsUsed >> 3];
		if (byte === void 0) throw new RangeError("too few flags");
		const flag = byte >> (flagsUsed++ & 7) & 1;
		if (height === 0 || flag === 0) {
			const hash = hashes.take(32);
			if (height === 0 && flag === 1) matched.push(hash);
			return hash;
		}
		const before = matched.length;
		const left = visit(height - 1, 2 * position);
		const isFirstLeft = before === 0 && matched.length > 0;
		if (2 * position + 1 >= widthAt(transactions, height - 1)) {
			if (isFirstLeft) path.push({
				side: "right",
				hash: left
			});
			return doubleSha256(concatBytes$2(left, left));
		}
		const right = visit(height - 1, 2 * position + 1);
		if (isFirstLeft) path.push({
			side: "right",
			hash: right
		});
		else if (before === 0 && matched.length > 0) path.push({
			side: "left",
			hash: left
		});
		if (bytesEqual(left, right)) throw new RangeError("equal children");
		return doubleSha256(concatBytes$2(left, right));
	};
	try {
		const root = visit(32 - Math.clz32(transactions - 1), 0);
		return hashes.atEnd && flags.length === Math.ceil(flagsUsed / 8) && bytesEqual(root, merkleRoot) ? {
			matched,
			path
		} : void 0;
	} catch (error) {
		if (error instanceof RangeError) return void 0;
		throw error;
	}
}
/** Number of nodes at `height`. Uses division, because the number of transactions may take all 32 bits. */
function widthAt(transactions, height) {
	return Math.ceil(transactions / 2 ** height);
}
// shared/audit/series_audit.ts
function* auditEvidence(place, evidence) {
	const { raw_transaction, txoutproof } = evidence;
	const read = raw_transaction === null || txoutproof === null ? void 0 : readOrUndefined(() => ({
		transaction: readTransaction(raw_transaction),
		proof: readTxoutproof(txoutproof)
	}));
	if (read === void 0) return yield* holds(place, "evidence", false, "a transaction and its proof");
	const { transaction, proof } = read;
	const txid = transactionId(transaction);
	yield* agree(place, "raw_transaction", evidence.transaction_hash, fromHex(txid));
	yield* agree(place, "OP_RETURN", evidence.root, opReturnOf(transaction) ?? null);
	yield* holds(place, "txoutproof", proof.isValid && proof.matched.map(displayHash).includes(txid));
	yield* holds(place, "header", hasWorkOf(evidence.network, proof.header), "one with at least the least work that its network ever allowed");
	yield* agree(place, "block_hash", headerHash(proof.header), evidence.block_hash);
	yield* agree(place, "block_merkle_root", displayHash(proof.fields.merkleRoot), evidence.block_merkle_root);
}
var SeriesAudit = class {
	counts;
	#read;
	#sequence = 0;
	#epoch;
	/** The tree over the block hashes of the epoch. Undefined when one of them is not known. */
	#tree;
	constructor(read, folder) {
		this.#read = read;
		this.counts = {
			folder,
			epochs: 0,
			coveredTo: -1,
			confirmed: 0,
			confirmedTo: void 0
		};
	}
	/** Begins with the epoch of this sequence. False when there is none. */
	async *begin(sequence) {
		this.#sequence = sequence;
		return yield* this.#open(void 0);
	}
	/** Blocks come in the order of their heights. Undefined for one whose hash is not known. True when its epoch ends. */
	add(height, hash) {
		const epoch = this.#epoch;
		if (epoch === void 0 || height < epoch.first_height) return false;
		if (hash === void 0) this.#tree = void 0;
		else this.#tree?.add(leafHash(hash));
		return height === epoch.last_height;
	}
	/** Checks the epoch that has ended, and begins the next. */
	async *finish() {
		const epoch = this.#epoch;
		if (epoch === void 0) return;
		const file = epochPath(this.counts.folder, this.#sequence);
		for (const found of auditEpoch(epoch, this.#tree?.root())) yield {
			file,
			...found
		};
		this.counts.epochs += 1;
		this.counts.coveredTo = epoch.last_height;
		if (epoch.commitment !== null) {
			this.counts.confirmed += 1;
			this.counts.confirmedTo = epoch.last_height;
		}
		this.#sequence += 1;
		yield* this.#open(epoch);
	}
	async *#open(before) {
		this.#epoch = void 0;
		this.#tree = new TileBuilder();
		const file = epochPath(this.counts.folder, this.#sequence);
		const bytes = await this.#read(file, COPY_CEILINGS.epoch);
		if (bytes === void 0) {
			const next = epochPath(this.counts.folder, this.#sequence + 1);
			const isGap = await this.#read(next, COPY_CEILINGS.epoch) !== void 0;
			if (isGap) yield fileFinding(file, `an epoch, because ${next} is there`, "missing");
			return isGap;
		}
		const epoch = readOrReason(() => readEpochFile(bytes));
		if (typeof epoch === "string") {
			yield fileFinding(file, "an epoch", epoch);
			return true;
		}
		const misplaced = [...auditPlace({ height: epoch.last_height }, epoch, {
			sequence: this.#sequence,
			before
		})];
		for (const found of misplaced) yield {
			file,
			...found
		};
		if (misplaced.length === 0) this.#epoch = epoch;
		return true;
	}
};
function* auditPlace(place, epoch, { sequence, before }) {
	yield* agree(place, "sequence", sequence, epoch.sequence);
	yield* holds(place, "last_height", epoch.first_height <= epoch.last_height, "at least first_height");
	if (before === void 0) return;
	yield* agree(place, "chain", before.chain, epoch.chain);
	yield* agree(place, "network", before.network, epoch.network);
	yield* agree(place, "first_height", before.last_height + 1, epoch.first_height);
}
function* auditEpoch(epoch, root) {
	const place = { height: epoch.last_height };
	if (root !== void 0) yield* agree(place, "root", root, epoch.root);
	const { commitment } = epoch;
	if (commitment === null) return;
	yield* agree(place, "commitment_hash", toHex(epochCommitmentHash({
		id: commitment.id,
		series: epoch,
		root: epoch.root,
		transaction: commitment.transaction_hash,
		keyId: fromHex(commitment.signing_key_id)
	})), commitment.commitment_hash);
	if (isLedgerChain(epoch.chain)) return;
	yield* auditEvidence(place, {
		network: epoch.network,
		root: fromHex(epoch.root),
		transaction_hash: fromHex(commitment.transaction_hash),
		block_hash: bytesOrNull(commitment.block_hash),
		block_merkle_root: bytesOrNull(commitment.block_merkle_root),
		raw_transaction: bytesOrNull(commitment.raw_transaction),
		txoutproof: bytesOrNull(commitment.txoutproof)
	});
}
var bytesOrNull = (hex) => hexOrUndefined(hex ?? "-") ?? null;
// shared/audit/tree_audit.ts
var BundleAudit = class {
	keys;
	/** The last block that was read. Undefined before the first one, and behind one that did not hold. */
	#previous;
	constructor(keys) {
		this.keys = keys;
	}
	/**
	* Checks the first `count` blocks of a bundle, or those that a checkpoint has of it. Yields what is wrong, and returns
	* one element a block: undefined where it does not hold.
	*/
	*bundle({ file, width, bytes }, { firstHeight, count }) {
		const entries = bytes === void 0 ? void 0 : readOrUndefined(() => readEntryBundle(bytes, width));
		if (entries === void 0) {
			yield fileFinding(file, `${width} entries`, bytes === void 0 ? "missing" : "something else");
			this.#previous = void 0;
			return Array.from({ length: count }, () => void 0);
		}
		const sound = [];
		for (const [at, entry] of entries.slice(0, count).entries()) {
			const height = firstHeight + at;
			const block = readOrUndefined(() => blockOf$1(entry, height));
			const found = block === void 0 ? [notABlock(height)] : [...this.#block(block)];
			for (const disagreement of found) yield {
				file,
				...disagreement
			};
			this.#previous = found.length === 0 ? block : void 0;
			sound.push(block === void 0 || found.length > 0 ? void 0 : {
				leaf: entryLeafHash(entry),
				hash: block.block_hash
			});
		}
		return sound;
	}
	*#block(block) {
		const signer = yield* this.keys.follow(block);
		yield* auditChainBlock(block, block.height === 0 ? void 0 : this.#previous ?? assumedBefore(block), signer);
	}
};
/** What the block says about the one before it, where that cannot be read or does not hold. */
var assumedBefore = (block) => ({
	...block,
	block_hash: block.previous_block_hash,
	finalized_ms: -1
});
var notABlock = (height) => ({
	height,
	field: "the entry",
	expected: "a composite, a signature and metadata"
});
/** @throws RangeError unless the entry has the form of a block */
function blockOf$1(entry, height) {
	const { composite, signature, metadata } = readLogEntry(entry);
	const parts = readBlockComposite(composite);
	return {
		height,
		id: parts.id,
		previous_block_hash: parts.previousBlockHash,
		block_hash: sha256(composite),
		merkle_root: parts.merkleRoot,
		metadata,
		metadata_hash: parts.metadataHash,
		signing_key_id: parts.keyId,
		signature,
		finalized_ms: uuid7Time(parts.id) ?? -1
	};
}
var TileAudit = class {
	#read;
	#builder = new TileBuilder();
	#since;
	tiles = 0;
	/** The tree must have the root of `since` when it has its size. */
	constructor(read, since) {
		this.#read = read;
		this.#since = since;
	}
	/**
	* Checks a tile of level 0 with the blocks below it, and the tiles above that are full with it. Where a block does not
	* hold, the tile is believed, so that one damaged entry is not told as damage of every tile above.
	*/
	async *leaves(tile, blocks) {
		const found = hashesIn(tile);
		if (found === void 0) yield notATile(tile);
		this.tiles += 1;
		for (const [at, block] of blocks.entries()) {
			const stored = found?.subarray(at * 32, (at + 1) * 32);
			if (block !== void 0 && stored !== void 0) yield* compared$2(tile.file, at, block.leaf, stored);
			const full = this.#builder.add(block?.leaf ?? stored ?? UNKNOWN);
			for (const made of full) if (made.level > 0) yield* this.#above(made);
			if (this.#builder.size === this.#since?.size) yield* sameRoot(this.root(), this.#since);
		}
	}
	/** Checks the partial tiles above level 0, once every block was added. */
	async *edges() {
		for (const made of this.#builder.partial()) if (made.level > 0) yield* this.#above(made);
	}
	root() {
		return this.#builder.root();
	}
	async *#above(made) {
		const tile = await readTileFile(this.#read, made);
		this.tiles += 1;
		const found = hashesIn(tile);
		if (found === void 0) return yield notATile(tile);
		for (let at = 0; at < made.width; at += 1) {
			const [from, to] = [at * 32, (at + 1) * 32];
			yield* compared$2(tile.file, at, made.bytes.subarray(from, to), found.subarray(from, to));
		}
	}
};
function* sameRoot(root, { size, root: before }) {
	if (!bytesEqual(root, before)) yield {
		file: "checkpoint",
		height: null,
		field: `the root at size ${size}`,
		expected: toBase64(before),
		found: toBase64(root)
	};
}
/** In place of the hash of an entry that neither its bundle nor its tile tells. */
var UNKNOWN = /* @__PURE__ */ new Uint8Array(32);
var hashesIn = ({ bytes, width }) => bytes?.length === width * 32 ? bytes : void 0;
var notATile = ({ file, width, bytes }) => fileFinding(file, `${width} hashes`, bytes === void 0 ? "missing" : `${bytes.length} bytes`);
function* compared$2(file, at, expected, found) {
	if (!bytesEqual(expected, found)) yield {
		file,
		height: null,
		field: `hash ${at}`,
		expected: toHex(expected),
		found: toHex(found)
	};
}
// shared/audit/audit_copy.ts
/** Yields what is wrong with it. Returns undefined when it is not a checkpoint. */
function* auditCheckpoint(file, bytes, { keys, policy }) {
	const read = readOrReason(() => readSignedCheckpoint(bytes));
	if (typeof read === "string") {
		yield fileFinding(file, "a checkpoint", read);
		return;
	}
	const { note, ...head } = read;
	const wrong = (field, expected) => ({
		file,
		height: null,
		field,
		expected
	});
	const logKeys = [...keys, ...(policy?.logs ?? []).map(({ key }) => key)];
	let signer;
	for (const key of logKeys.filter((one) => hasSigned(note, one))) if (isSignedBy(note, key)) signer = key;
	else yield wrong(`the signature of ${key.name}`, "one over this text");
	if (signer === void 0 && logKeys.length > 0) yield wrong("the signatures", `one by ${logKeys.map(({ name }) => name).join(" or ")}`);
	if (signer !== void 0 && signer.name !== head.origin) yield wrong("the origin", `${signer.name}, whose key signed it`);
	const cosigned = [];
	for (const { name, key } of (policy?.witnesses ?? []).filter((one) => hasSigned(note, one.key))) {
		const cosignature = signatureBy(note.signatures, key);
		if (cosignature !== void 0 && verifyCosignature(key, note.text, cosignature) !== void 0) cosigned.push(name);
		else yield wrong(`the cosignature of ${key.name}`, "one over this text");
	}
	if (policy !== void 0 && !meetsQuorum(policy, new Set(cosigned))) yield wrong("the cosignatures", `the quorum of the policy: ${policy.quorum ?? "none"}`);
	const known = [...logKeys, ...(policy?.witnesses ?? []).map(({ key }) => key)];
	const ignored = note.signatures.filter((one) => !known.some((key) => isSameKey(one, key))).length;
	return {
		head,
		text: note.text,
		signer,
		cosigned,
		ignored
	};
}
var hasSigned = (note, key) => signatureBy(note.signatures, key) !== void 0;
/** Yields what is wrong, in the order of the blocks. A caller may stop at any finding. */
async function* auditCopy({ read, check, since, requireEpochs = false, ahead, onProgress }, head) {
	const bundles = new BundleAudit(new KeyChain(check));
	const tiles = new TileAudit(read, since);
	const series = yield* openSeries(read);
	const readPair = async (index) => {
		const width = Math.min(256, head.size - index * 256);
		const [bundle, tile] = await Promise.all([readTileFile(read, {
			level: "entries",
			index,
			width
		}), readTileFile(read, {
			level: 0,
			index,
			width
		})]);
		return {
			firstHeight: index * 256,
			count: width,
			bundle,
			tile
		};
	};
	for await (const pair of readAhead(Math.ceil(head.size / 256), ahead, readPair)) {
		const blocks = yield* bundles.bundle(pair.bundle, pair);
		yield* tiles.leaves(pair.tile, blocks);
		for (const [at, block] of blocks.entries()) for (const one of series) if (one.add(pair.firstHeight + at, block?.hash)) yield* one.finish();
		onProgress?.({
			done: pair.firstHeight + pair.count,
			total: head.size
		});
	}
	yield* tiles.edges();
	if (!bytesEqual(tiles.root(), head.root)) yield {
		file: "checkpoint",
		height: null,
		field: "the root",
		expected: toBase64(tiles.root()),
		found: toBase64(head.root)
	};
	const counts = series.map((one) => one.counts).filter(({ epochs }) => epochs > 0);
	const laterKeys = yield* auditKeyring(read, bundles.keys, head.size);
	const hasKeyring = laterKeys !== void 0;
	if (requireEpochs && !hasKeyring) yield fileFinding(KEYRING, "the keys that blocks introduced", "missing");
	if (requireEpochs && counts.length === 0) yield fileFinding("epochs/", "an epoch of some public chain", "missing");
	return {
		blocks: head.size,
		tiles: tiles.tiles,
		keys: bundles.keys.keys.length,
		hasKeyring,
		laterKeys: laterKeys ?? [],
		uncovered: head.size - Math.max(0, ...counts.map(({ coveredTo }) => coveredTo + 1)),
		series: counts
	};
}
var KEYRING = "keyring.json";
async function* openSeries(read) {
	const found = [];
	for (const folder of SERIES_FOLDERS) {
		const series = new SeriesAudit(read, folder);
		if (yield* series.begin(0)) found.push(series);
	}
	return found;
}
/**
* The file of a log that goes on may be newer than the checkpoint, and have keys of later blocks. Whoever made the copy
* can have added such keys, so they are returned: a caller has to say that nobody checked them. Undefined without a file.
*/
async function* auditKeyring(read, { keys, commitment }, size) {
	const bytes = await read(KEYRING, COPY_CEILINGS.keyring);
	if (bytes === void 0) return void 0;
	const introduced = keys.map((key) => ({
		...key,
		keyId: fromHex(key.keyId)
	}));
	const later = (readOrUndefined(() => readKeyringFile(bytes)) ?? []).filter(({ introducedAtHeight }) => introducedAtHeight >= size);
	if (!bytesEqual(bytes, writeKeyringFile([...introduced, ...later]))) yield fileFinding(KEYRING, `exactly the ${keys.length} keys that blocks introduced`, "something else");
	let before = size - 1;
	for (const [at, { keyId, publicKey, sequence, introducedAtHeight }] of later.entries()) {
		if (!(publicKey.length === 32 && bytesEqual(keyId, keyIdOf(publicKey)) && sequence === keys.length + at && introducedAtHeight > before && (at > 0 || commitment === null || commitment === toHex(prerotationCommitment(publicKey))))) yield fileFinding(KEYRING, `a key ${toHex(keyId)} that can follow the one before it`, "another key");
		before = introducedAtHeight;
	}
	return later;
}
// server/client/files.ts
/** @throws Complaint when it cannot be read or is larger than `most` bytes */
async function readNamed(name, most) {
	const stream = name === "-" ? process.stdin : await streamOf(name);
	const chunks = [];
	let size = 0;
	try {
		for await (const chunk of stream) {
			const bytes = Buffer.from(chunk);
			size += bytes.length;
			if (size > most) throw new Complaint(`${shownName(name)} is larger than ${most / 1024} KiB.`);
			chunks.push(bytes);
		}
	} catch (error) {
		throw unreadable(name, error);
	}
	return Buffer.concat(chunks);
}
/**
* A stream over an existing regular file.
* @throws Complaint otherwise
*/
async function streamOf(name) {
	try {
		return (await open(name)).createReadStream({ highWaterMark: 1048576 });
	} catch (error) {
		throw unreadable(name, error);
	}
}
var unreadable = (name, error) => {
	if (error instanceof Complaint) return error;
	const shown = shownName(name);
	switch (codeOf(error)) {
		case "ENOENT": return new Complaint(`There is no file ${shown}.`);
		case "EISDIR": return new Complaint(`${shown} is a folder, not a file.`);
		case "EACCES": return new Complaint(`${shown} may not be read by this account.`);
		default: return new Complaint(`${shown} could not be read: ${wordsOf(error)}`);
	}
};
var shownName = (name) => name === "-" ? "Standard input" : name;
/** @throws Complaint */
async function writeMade(path, bytes) {
	try {
		await mkdir(dirname(path), { recursive: true });
		await writeFile(path, bytes);
	} catch (error) {
		throw new Complaint(`${basename(path)} could not be written: ${wordsOf(error)}`);
	}
}
/** @throws Complaint unless it is a regular file: a pipe may never end, and nothing else can be replaced */
async function statRegular(name) {
	const found = await stat(name, { bigint: true }).catch((error) => {
		throw unreadable(name, error);
	});
	if (found.isFile()) return found;
	throw new Complaint(`${name} is not a regular file.`);
}
/** Whether the file was neither replaced nor written between the two looks. */
var isUntouched = (before, now) => [
	"dev",
	"ino",
	"size",
	"mtimeNs"
].every((one) => before[one] === now[one]);
/** What is remembered from one command to the next. */
var configFolder = (env) => join(env.XDG_CONFIG_HOME || join(homedir(), ".config"), "pharos");
/**
* The file is there in whole: as it was, or as it is to be.
* @param mode by default it is for its owner alone
* @param check is asked last, and throws when the file is to stay as it is
*/
async function replaceFile(path, content, { mode = 384, check } = {}) {
	await mkdir(dirname(path), {
		recursive: true,
		mode: 448
	});
	const fresh = `${path}.${randomBytes(6).toString("hex")}.new`;
	const file = await open(fresh, "wx", 384);
	try {
		try {
			await writeFile(file, content);
			await file.chmod(mode);
			await file.sync();
		} finally {
			await file.close();
		}
		await check?.();
		await rename(fresh, path);
	} catch (error) {
		await rm(fresh, { force: true });
		throw error;
	}
}
/** For a shell. */
var quoted = (text) => /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
// shared/cli/get_bytes.ts
var isAddress = (source) => /^https?:\/\//i.test(source);
var isOwnComputer = (hostname) => hostname === "localhost" || hostname === "[::1]" || /^127(\.\d+){3}$/.test(hostname);
/** There was no answer, and a later request may get one. */
var NoAnswer = class extends Complaint {};
/**
* Any status counts as an answer.
* @throws NoAnswer when there is none, Complaint when it has too many bytes
*/
async function getBytes(url, question, ceilings) {
	try {
		const response = await fetch(url, {
			...question,
			redirect: "manual",
			signal: AbortSignal.timeout(ceilings.milliseconds)
		});
		const wait = Number(response.headers.get("retry-after") ?? NaN);
		return {
			status: response.status,
			bytes: await boundedBytes(response, url, ceilings.bytes),
			retryAfterSeconds: Number.isFinite(wait) ? wait : void 0
		};
	} catch (error) {
		if (error instanceof Complaint) throw error;
		throw new NoAnswer(`${url.origin} ${reasonOf(error, ceilings.milliseconds)}.`, { advice: "Is the address right, and the service running?" });
	}
}
async function boundedBytes(response, url, most) {
	const chunks = [];
	let size = 0;
	for await (const chunk of response.body ?? []) {
		size += chunk.length;
		if (size > most) throw new Complaint(`${url.origin} sent more than ${shownBytes(most)}.`);
		chunks.push(chunk);
	}
	return Buffer.concat(chunks);
}
var shownBytes = (bytes) => bytes % 1048576 === 0 ? `${bytes / 1048576} MiB` : `${bytes} bytes`;
var reasonOf = (error, milliseconds) => {
	if (error instanceof Error && error.name === "TimeoutError") return `did not answer within ${milliseconds / 1e3} seconds`;
	const cause = error instanceof Error && error.cause instanceof Error ? error.cause.message : "";
	return cause === "" ? "cannot be reached" : `cannot be reached (${cause})`;
};
/** No answer in JSON is longer. */
var LARGEST_ANSWER_BYTES = 1048576;
/** The same of what answers in JSON. */
var askHttp = (url, question = {}) => {
	const headers = {
		accept: "application/vnd.api+json, application/json",
		...question.headers
	};
	return getBytes(url, {
		...question,
		headers
	}, {
		bytes: LARGEST_ANSWER_BYTES,
		milliseconds: 1e4
	});
};
// shared/log/tree_proofs.ts
/** The root to which the path leads. Undefined for anything that is no path of leaf `index` in a tree of that size. */
function inclusionRoot({ leaf, ...place }) {
	return inclusionSteps(place)?.reduce((below, { side, hash }) => side === "right" ? nodeHash(below, hash) : nodeHash(hash, below), leaf);
}
/** The siblings with their sides, the nearest first. Undefined for anything that is no path in a tree of that size. */
function inclusionSteps({ index, size, proof }) {
	if (!isIndex(index, size)) return void 0;
	const ranges = siblingsOf(index, size);
	if (ranges.length !== proof.length) return void 0;
	return proof.map((hash, at) => ({
		side: (ranges[at]?.start ?? 0) > index ? "right" : "left",
		hash
	}));
}
/** Whether leaf `index` of the tree with this size and root is `leaf`. False for anything that is no proof. */
function verifyInclusion({ root, ...place }) {
	const reached = inclusionRoot(place);
	return reached !== void 0 && bytesEqual(reached, root);
}
/** The ranges of the siblings, the nearest first. */
function siblingsOf(index, size) {
	const fromRoot = [];
	let start = 0;
	let end = size;
	while (end - start > 1) {
		const middle = start + splitOf(end - start);
		if (index < middle) {
			fromRoot.push({
				start: middle,
				end
			});
			end = middle;
		} else {
			fromRoot.push({
				start,
				end: middle
			});
			start = middle;
		}
	}
	return fromRoot.reverse();
}
var isIndex = (index, size) => Number.isSafeInteger(size) && Number.isSafeInteger(index) && index >= 0 && index < size;
/**
* The proof between the trees of `oldSize` and `newSize` leaves: 32 bytes a hash. Empty when the sizes are equal, or
* the old one is 0. Calls the reader at most once.
* @throws RangeError when the new size is the smaller one
*/
async function consistencyProof(read, oldSize, newSize) {
	if (checkedSize(oldSize) > checkedSize(newSize)) throw new RangeError(`a tree of ${oldSize} leaves is no beginning of one of ${newSize}`);
	return readNodes(read, newSize, proofRanges(oldSize, newSize));
}
/** Whether the old tree is the beginning of the new one. False for anything that is no proof of it. */
function verifyConsistency({ oldSize, oldRoot, newSize, newRoot, proof }) {
	if (!Number.isSafeInteger(oldSize) || !Number.isSafeInteger(newSize)) return false;
	if (oldSize < 0 || oldSize > newSize) return false;
	if (oldSize === newSize) return proof.length === 0 && bytesEqual(oldRoot, newRoot);
	if (oldSize === 0) return proof.length === 0 && bytesEqual(oldRoot, EMPTY_ROOT);
	const ranges = proofRanges(oldSize, newSize);
	if (ranges.length !== proof.length) return false;
	const isPart = ranges[0]?.end === oldSize;
	const lowest = isPart ? proof[0] : oldRoot;
	if (lowest === void 0) return false;
	let ofOld = lowest;
	let ofNew = lowest;
	for (const [at, { start }] of ranges.entries()) {
		const hash = proof[at];
		if (hash === void 0) return false;
		if (isPart && at === 0) continue;
		if (start < oldSize) {
			ofOld = nodeHash(hash, ofOld);
			ofNew = nodeHash(hash, ofNew);
		} else ofNew = nodeHash(ofNew, hash);
	}
	return bytesEqual(ofOld, oldRoot) && bytesEqual(ofNew, newRoot);
}
/** SUBPROOF of the RFC as ranges of leaves, the lowest node first. */
function proofRanges(oldSize, newSize) {
	if (oldSize === 0 || oldSize === newSize) return [];
	const fromRoot = [];
	let start = 0;
	let end = newSize;
	while (end !== oldSize) {
		const middle = start + splitOf(end - start);
		if (oldSize <= middle) {
			fromRoot.push({
				start: middle,
				end
			});
			end = middle;
		} else {
			fromRoot.push({
				start,
				end: middle
			});
			start = middle;
		}
	}
	if (start > 0) fromRoot.push({
		start,
		end
	});
	return fromRoot.reverse();
}
/** Both must bear the signature of the log's key: otherwise they say nothing about the log. */
async function compareCheckpoints(seen, now, ask) {
	if (seen.size === now.size) return bytesEqual(seen.root, now.root) ? "same" : "split";
	const [older, newer] = seen.size < now.size ? [seen, now] : [now, seen];
	const proof = await ask(older.size, newer.size);
	if (proof === void 0) return "open";
	if (!verifyConsistency({
		oldSize: older.size,
		oldRoot: older.root,
		newSize: newer.size,
		newRoot: newer.root,
		proof
	})) return "split";
	return older === seen ? "grown" : "older";
}
/**
* The parts of a proof. Nothing is verified; `checkpoint` may be any text.
* @throws RangeError on any other text, and above the ceilings
*/
function readLogProof(text) {
	if (text.length > MOST_CHARACTERS) throw new RangeError("a log proof is too long");
	const split = text.indexOf("\n\n");
	if (split < 0) throw new RangeError("a log proof has no empty line before its checkpoint");
	const [first, ...lines] = text.slice(0, split).split("\n");
	if (first !== FIRST_LINE) throw new RangeError("not a log proof");
	const extra = lines[0]?.startsWith("extra ") ? lines.shift() : void 0;
	const index = lines.shift();
	if (index === void 0 || !index.startsWith("index ")) throw new RangeError("a log proof has no index");
	return {
		index: readDecimal(index.slice(6)),
		hashes: readHashLines(lines),
		checkpoint: text.slice(split + 2),
		...extra === void 0 ? {} : { extra: fromBase64(extra.slice(6)) }
	};
}
var FIRST_LINE = "c2sp.org/tlog-proof@v1";
/** Of the whole text: a note, 63 hashes, and as much of other data as a note may have. */
var MOST_CHARACTERS = 2 * NOTE_CEILINGS.bytes + 4096;
// shared/proof/entropy_names.ts
var ENTROPY_NAMES = [
	"entropy_nist",
	"entropy_stellar",
	"entropy_bitcoin"
];
/**
* Frozen: the numbers in the signed payload and in the compact layout. A number never changes and is never
* used again.
*/
var ENTROPY_CODES = {
	entropy_nist: 30,
	entropy_stellar: 31,
	entropy_bitcoin: 32
};
var isEntropyName = (name) => Object.hasOwn(ENTROPY_CODES, name);
// shared/proof/bundle/bundle_parts.ts
/** The value of an own member. Undefined when it is absent or null. */
function carried(object, name) {
	return memberOf(object, name) ?? void 0;
}
function readBlock(map) {
	return {
		id: carried(map, "id"),
		previousBlockHash: carried(map, "previous_block_hash"),
		merkleRoot: carried(map, "merkle_root"),
		metadata: carried(map, "metadata"),
		metadataHash: void 0,
		signingKeyId: carried(map, "signing_key_id")
	};
}
/**
* Undefined when the entry lacks a required member: a known chain, a path as text, and an epoch root of any
* form.
*/
function readEntry$1(value) {
	if (!isJsonObject(value)) return void 0;
	const chain = carried(value, "chain");
	const epochProof = carried(value, "epoch_proof");
	const epochMerkleRoot = carried(value, "epoch_merkle_root");
	if (!isChainName(chain) || typeof epochProof !== "string") return void 0;
	if (epochMerkleRoot === void 0) return void 0;
	return {
		chain,
		epochMerkleRoot,
		epochProof,
		transactionHash: carried(value, "transaction_hash"),
		network: carried(value, "network"),
		timestamp: carried(value, "timestamp"),
		ledger: carried(value, "ledger"),
		blockHeight: carried(value, "block_height"),
		rawTransaction: carried(value, "raw_transaction"),
		txoutproof: carried(value, "txoutproof"),
		blockMerkleRoot: carried(value, "block_merkle_root")
	};
}
var BundleRejected = class extends Error {
	name = "BundleRejected";
	reason;
	constructor(reason) {
		super(`not a proof bundle: ${reason}`);
		this.reason = reason;
	}
};
/** As `presentMembers`, with new names: each entry of the table gives the old and the new name. */
function renamedMembers(map, names) {
	const renamed = {};
	for (const [from, to] of names) {
		const value = memberOf(map, from);
		if (value !== void 0 && value !== null) renamed[to] = value;
	}
	return renamed;
}
// shared/proof/instant.ts
/**
* Milliseconds since 1970 of `YYYY-MM-DDTHH:MM:SS[.f…](Z|±HH:MM)`, such as `2027-01-01T00:01:40Z`. Finer
* fractions are cut off. Undefined for any other text, for days that the calendar does not have, and for leap
* seconds, which a Date cannot hold.
*/
function instantMs(text) {
	const match = INSTANT.exec(text);
	if (match === null) return void 0;
	const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match.slice(1, 7).map(Number);
	const [, , , , , , , fraction = "", sign = "", offsetHour = "0", offsetMinute = "0"] = match;
	if (hour > 23 || minute > 59 || second > 59 || Number(offsetHour) > 23 || Number(offsetMinute) > 59) return void 0;
	const date = /* @__PURE__ */ new Date(0);
	date.setUTCFullYear(year, month - 1, day);
	if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return void 0;
	const local = date.setUTCHours(hour, minute, second, Number(fraction.slice(0, 3).padEnd(3, "0")));
	const offset = (Number(offsetHour) * 60 + Number(offsetMinute)) * 6e4;
	return sign === "-" ? local + offset : local - offset;
}
var INSTANT = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:\.(\d+))?(?:Z|([+-])(\d\d):(\d\d))$/;
// shared/proof/verify/carried_values.ts
/** Lowercase hex of exactly `size` bytes. */
function hexBytes(value, size) {
	return typeof value === "string" && value.length === 2 * size ? hexOrUndefined(value) : void 0;
}
/** Padded base64 of exactly `size` bytes. */
function base64Bytes(value, size) {
	if (typeof value !== "string" || value.length !== 4 * Math.ceil(size / 3)) return void 0;
	const bytes = readOrUndefined(() => fromBase64(value));
	return bytes?.length === size ? bytes : void 0;
}
/**
* The bytes of text that is hex when it looks like hex, otherwise base64url.
* @throws RangeError when it is neither
*/
function hexOrBase64Url(text) {
	return text.length % 2 === 0 && /^[0-9a-fA-F]*$/.test(text) ? fromHex(text.toLowerCase()) : fromBase64Url(text);
}
/** Takes constant time. False when either side is missing. */
function sameBytes(a, b) {
	return a !== void 0 && b !== void 0 && bytesEqual(a, b);
}
function textOf(value) {
	return typeof value === "string" ? value : void 0;
}
function integerOf(value) {
	return typeof value === "number" && Number.isSafeInteger(value) ? value : void 0;
}
/** Milliseconds since 1970 of an RFC 3339 time, in either case. */
function momentOf(value) {
	return typeof value === "string" ? instantMs(value.toUpperCase()) : void 0;
}
/** Whether two times are in the same second. False when either is missing. */
function sameSecond(a, b) {
	return a !== void 0 && b !== void 0 && Math.floor(a / 1e3) === Math.floor(b / 1e3);
}
/** `2027-01-01T00:01:40Z`. Undefined outside the years 0 to 9999, which that form cannot express. */
function utcSeconds(ms) {
	if (ms === void 0 || ms < EARLIEST_MS || ms > LATEST_MS) return void 0;
	return `${new Date(ms).toISOString().slice(0, 19)}Z`;
}
/** The value as text for messages. Always short, whatever the bundle holds. */
function shown(value) {
	if (value instanceof Uint8Array) return toHex(value);
	if (typeof value !== "string") return value === void 0 ? "nothing" : `a ${kindOf(value)}`;
	if (value === "") return "an empty text";
	return value.length <= MOST_SHOWN ? value : `${value.slice(0, MOST_SHOWN).toWellFormed()}…`;
}
var MOST_SHOWN = 80;
var EARLIEST_MS = Date.parse("0000-01-01T00:00:00Z");
var LATEST_MS = Date.parse("9999-12-31T23:59:59.999Z");
function kindOf(value) {
	if (Array.isArray(value)) return "list";
	if (typeof value === "object") return "map";
	return typeof value === "boolean" ? "boolean" : "number";
}
// shared/proof/verify/report.ts
var finding = (status) => (message) => ({
	status,
	message
});
var pass = finding("pass");
var fail = finding("fail");
var warn = finding("warn");
var skip = finding("skip");
var info = finding("info");
function unconfirmed(...findings) {
	return {
		findings,
		isConfirmed: false
	};
}
// shared/proof/verify/derived_hashes.ts
function derivedBlockHash(block) {
	const { id } = block;
	const previousBlockHash = hexBytes(block.previousBlockHash, 32);
	const merkleRoot = hexBytes(block.merkleRoot, 32);
	const metadataHash = mapHash("block_metadata", block);
	const keyId = hexBytes(block.signingKeyId, 4);
	if (typeof id !== "string" || previousBlockHash === void 0 || merkleRoot === void 0) return void 0;
	if (metadataHash === void 0 || keyId === void 0) return void 0;
	return blockHash$1({
		id,
		previousBlockHash,
		merkleRoot,
		metadataHash,
		keyId
	});
}
function derivedSubject(type, subject) {
	const { id, data } = subject;
	const isItem = type === "item";
	if (!isJsonObject(data)) return { flaw: "data" };
	const metadataHash = mapHash(isItem ? "items_metadata" : "entropy_metadata", subject);
	if (metadataHash === void 0) return { flaw: "metadata" };
	const keyId = hexBytes(subject.signingKeyId, 4);
	if (typeof id !== "string" || keyId === void 0) return { flaw: "identity" };
	return {
		hash: isItem ? itemHash({
			id,
			claimsHash: jsonHash("items_claims", data),
			metadataHash,
			keyId
		}) : observationHash({
			id,
			entropyHash: jsonHash("entropy", data),
			metadataHash,
			keyId
		}),
		data
	};
}
/** The root computed from `value` and a carried path. Undefined when the path is malformed. */
var walked = (value, path) => readOrUndefined(() => walkPath(value, decodePath(path)));
/** The hash of the metadata, or the hash that the compact layout carries in its place. */
function mapHash(domain, part) {
	if (part.metadataHash !== void 0) return hexBytes(part.metadataHash, 32);
	return isJsonObject(part.metadata) ? jsonHash(domain, part.metadata) : void 0;
}
function epochFinding(blockHash, entry) {
	const { chain } = entry;
	if (blockHash === void 0) return fail(`Without a block hash nothing leads to the ${chain} epoch root.`);
	const reached = walked(blockHash, entry.epochProof);
	if (reached === void 0) return fail(`The path to the ${chain} epoch root is malformed.`);
	return sameBytes(reached, hexBytes(entry.epochMerkleRoot, 32)) ? pass(`The path leads from the block hash to the ${chain} epoch root.`) : fail(`The path does not lead from the block hash to the ${chain} epoch root.`);
}
// shared/proof/lookups/lookup.ts
async function look$1(lookups, { place, path, read }) {
	const answer = await lookups.ask(place, path);
	if (answer.outcome !== "found") return answer;
	const value = read(answer.value);
	return value === void 0 ? {
		outcome: "unreachable",
		why: "its answer is not readable"
	} : {
		outcome: "found",
		value
	};
}
function memberIn(body, name) {
	if (typeof body !== "object" || body === null || Array.isArray(body)) return void 0;
	return Object.getOwnPropertyDescriptor(body, name)?.value;
}
function stringIn(body, name) {
	const value = memberIn(body, name);
	return typeof value === "string" ? value : void 0;
}
function booleanIn(body, name) {
	const value = memberIn(body, name);
	return typeof value === "boolean" ? value : void 0;
}
function integerIn(body, name) {
	const value = memberIn(body, name);
	return typeof value === "number" && Number.isSafeInteger(value) ? value : void 0;
}
/** Lookups over HTTP. Each question gets one attempt, and only status 200 is an answer. */
var httpLookups = ({ getJson, addresses }) => ({ ask: async (place, path) => {
	const answer = await getJson(`${addresses[place].replace(/\/+$/, "")}/${path}`);
	if ("failure" in answer) return {
		outcome: "unreachable",
		why: answer.failure
	};
	if (answer.status === 404) return { outcome: "absent" };
	if (answer.status !== 200) return {
		outcome: "unreachable",
		why: `it answered with status ${answer.status}`
	};
	return {
		outcome: "found",
		value: answer.body
	};
} });
var LOOKUP_PLACES = {
	horizonPublic: {
		setting: "LOOKUP_HORIZON_PUBLIC_URL",
		verifierSetting: "PHAROS_HORIZON",
		byDefault: "https://horizon.stellar.org",
		meaning: "Horizon of the public network that verifications ask"
	},
	horizonTestnet: {
		setting: "LOOKUP_HORIZON_TESTNET_URL",
		verifierSetting: "PHAROS_HORIZON_TESTNET",
		byDefault: "https://horizon-testnet.stellar.org",
		meaning: "Horizon of the test network that verifications ask"
	},
	esploraMainnet: {
		setting: "LOOKUP_ESPLORA_MAINNET_URL",
		verifierSetting: "PHAROS_ESPLORA",
		byDefault: "https://blockstream.info/api",
		meaning: "Esplora API of Bitcoin mainnet that verifications ask"
	},
	esploraTestnet: {
		setting: "LOOKUP_ESPLORA_TESTNET_URL",
		verifierSetting: "PHAROS_ESPLORA_TESTNET",
		byDefault: "https://blockstream.info/testnet/api",
		meaning: "Esplora API of the Bitcoin test network that verifications ask"
	},
	nist: {
		setting: "LOOKUP_NIST_URL",
		verifierSetting: "PHAROS_NIST",
		byDefault: "https://beacon.nist.gov/beacon/2.0",
		meaning: "NIST Randomness Beacon that verifications ask"
	}
};
var isLookupPlace = (name) => Object.hasOwn(LOOKUP_PLACES, name);
var LOOKUP_PLACE_NAMES = Object.keys(LOOKUP_PLACES).filter(isLookupPlace);
/** One address for each place. */
var lookupAddresses = (of) => ({
	horizonPublic: of("horizonPublic"),
	horizonTestnet: of("horizonTestnet"),
	esploraMainnet: of("esploraMainnet"),
	esploraTestnet: of("esploraTestnet"),
	nist: of("nist")
});
// shared/proof/lookups/public_services.ts
/** @param hash display order, 64 hex */
var bitcoinBlock = (network, hash) => ({
	place: network === "mainnet" ? "esploraMainnet" : "esploraTestnet",
	path: `block/${hash}`,
	read: (body) => {
		const height = integerIn(body, "height");
		const timestamp = integerIn(body, "timestamp");
		if (height === void 0 || timestamp === void 0) return void 0;
		return {
			id: stringIn(body, "id"),
			height,
			timestamp
		};
	}
});
/** The header of the block at a height, among the ten that the service lists from there downwards. */
var bitcoinBlockAt = (network, height) => ({
	place: network === "mainnet" ? "esploraMainnet" : "esploraTestnet",
	path: `blocks/${height}`,
	read: (body) => {
		const block = Array.isArray(body) ? body.find((one) => integerIn(one, "height") === height) : void 0;
		const merkleRoot = stringIn(block, "merkle_root");
		const timestamp = integerIn(block, "timestamp");
		return merkleRoot === void 0 || timestamp === void 0 ? void 0 : {
			merkleRoot,
			timestamp
		};
	}
});
var stellarTransaction = (network, hash) => ({
	place: horizonOf(network),
	path: `transactions/${hash}`,
	read: (body) => {
		const memoType = stringIn(body, "memo_type");
		const ledger = integerIn(body, "ledger");
		if (memoType === void 0 || ledger === void 0) return void 0;
		return {
			hash: stringIn(body, "hash"),
			successful: booleanIn(body, "successful"),
			memo_type: memoType,
			memo: stringIn(body, "memo"),
			ledger,
			created_at: stringIn(body, "created_at")
		};
	}
});
var stellarLedger = (network, sequence) => ({
	place: horizonOf(network),
	path: `ledgers/${sequence}`,
	read: (body) => {
		const hash = stringIn(body, "hash");
		const closedAt = stringIn(body, "closed_at");
		if (hash === void 0 || closedAt === void 0) return void 0;
		return {
			sequence: integerIn(body, "sequence"),
			hash,
			closed_at: closedAt
		};
	}
});
/** `public` selects the public network; any other text selects the test network. */
var horizonOf = (network) => network === "public" ? "horizonPublic" : "horizonTestnet";
var nistPulse = (chainIndex, pulseIndex) => ({
	place: "nist",
	path: `chain/${chainIndex}/pulse/${pulseIndex}`,
	read: (body) => {
		const pulse = memberIn(body, "pulse");
		const outputValue = stringIn(pulse, "outputValue");
		const timeStamp = stringIn(pulse, "timeStamp");
		if (outputValue === void 0 || timeStamp === void 0) return void 0;
		return {
			chainIndex: integerIn(pulse, "chainIndex"),
			pulseIndex: integerIn(pulse, "pulseIndex"),
			outputValue,
			timeStamp
		};
	}
});
// shared/proof/verify/entropy_readers.ts
var comparing = (question, agrees) => async (lookups) => {
	const answer = await look$1(lookups, question);
	return answer.outcome === "found" ? {
		outcome: "found",
		value: agrees(answer.value)
	} : answer;
};
/**
* False when the answer has another number, because it is then about another record. True when it has no
* number: the hash or output identifies it.
*/
function isNumbered(found, asked) {
	return found === void 0 || found === asked;
}
function countOf(value) {
	const integer = integerOf(value);
	return integer !== void 0 && integer >= 0 ? integer : void 0;
}
function sameIgnoringCase(found, value) {
	return typeof value === "string" && found.toLowerCase() === value.toLowerCase();
}
function sameMoment(found, value) {
	const moment = momentOf(found);
	return moment !== void 0 && moment === momentOf(value);
}
var ENTROPY_READERS = {
	entropy_nist: {
		publishedAt: (payload) => {
			const pulse = carried(payload, "pulse");
			return isJsonObject(pulse) ? momentOf(carried(pulse, "timeStamp")) : void 0;
		},
		question: (payload) => {
			const pulse = carried(payload, "pulse");
			if (!isJsonObject(pulse)) return void 0;
			const chainIndex = countOf(carried(pulse, "chainIndex"));
			const pulseIndex = countOf(carried(pulse, "pulseIndex"));
			if (chainIndex === void 0 || pulseIndex === void 0) return void 0;
			return comparing(nistPulse(chainIndex, pulseIndex), (found) => isNumbered(found.chainIndex, chainIndex) && isNumbered(found.pulseIndex, pulseIndex) && sameIgnoringCase(found.outputValue, carried(pulse, "outputValue")) && sameMoment(found.timeStamp, carried(pulse, "timeStamp")));
		}
	},
	entropy_stellar: {
		publishedAt: (payload) => momentOf(carried(payload, "closed_at")),
		question: (payload, stellarNetwork) => {
			const sequence = countOf(carried(payload, "sequence"));
			if (sequence === void 0) return void 0;
			return comparing(stellarLedger(stellarNetwork, sequence), (found) => isNumbered(found.sequence, sequence) && sameIgnoringCase(found.hash, carried(payload, "hash")) && sameMoment(found.closed_at, carried(payload, "closed_at")));
		}
	},
	entropy_bitcoin: {
		publishedAt: (payload) => {
			const seconds = integerOf(carried(payload, "time"));
			return seconds === void 0 ? void 0 : seconds * 1e3;
		},
		question: (payload) => {
			const hash = textOf(carried(payload, "hash"))?.toLowerCase();
			if (hash === void 0 || !/^[0-9a-f]{64}$/.test(hash)) return void 0;
			const height = carried(payload, "height");
			const time = carried(payload, "time");
			return comparing(bitcoinBlock("mainnet", hash), (found) => found.id === hash && (height === void 0 || height === found.height) && (time === void 0 || time === found.timestamp));
		}
	}
};
/**
* Undefined when the payload lacks a member that the request needs. `stellarNetwork` is where ledgers are
* looked up.
*/
var entropyQuestion = (name, payload, stellarNetwork) => isJsonObject(payload) ? ENTROPY_READERS[name].question(payload, stellarNetwork) : void 0;
async function confirmEntropy(lookups, name, question) {
	if (lookups === void 0) return unconfirmed(skip(`${name} was not compared with its source: external checks are off.`));
	if (question === void 0) return unconfirmed(fail(`The payload of ${name} does not say what to ask its source for.`));
	const answer = await question(lookups);
	switch (answer.outcome) {
		case "found": return answer.value ? {
			findings: [pass(`The source of ${name} has published this payload.`)],
			isConfirmed: true
		} : unconfirmed(fail(`The source of ${name} has published something else.`));
		case "absent": return unconfirmed(skip(`The source of ${name} does not have what the payload names.`));
		case "unreachable": return unconfirmed(skip(`The source of ${name} could not be asked: ${answer.why}.`));
		default: return answer;
	}
}
// shared/proof/verify/bitcoin_commitment.ts
var readBitcoinEntry = (entry) => {
	const evidence = bitcoinEvidence(entry);
	const { findings, isBare, question } = evidence;
	return {
		findings,
		isBare,
		asks: question !== void 0,
		confirm: (lookups) => confirmBitcoin(lookups, evidence)
	};
};
function bitcoinEvidence(entry) {
	const { rawTransaction, txoutproof, blockMerkleRoot } = entry;
	if (rawTransaction === void 0 && txoutproof === void 0 && blockMerkleRoot === void 0) return {
		findings: [skip("The Bitcoin entry carries no transaction, txoutproof or block Merkle root to check.")],
		isBare: true,
		question: void 0
	};
	const ofTransaction = transactionFindings(entry);
	const proof = decoded(txoutproof, readTxoutproof);
	const ofProof = proofFindings(entry, proof);
	const agrees = [
		ofTransaction[0],
		ofTransaction[1],
		ofProof[0]
	].every((finding) => finding?.status === "info");
	return {
		findings: [...ofTransaction, ...ofProof],
		isBare: false,
		question: agrees && proof !== void 0 ? blockQuestion(entry, proof) : void 0
	};
}
/** The report row about the network. */
async function confirmBitcoin(lookups, { question }) {
	if (lookups === void 0) return unconfirmed(skip("The Bitcoin block was not looked up: external checks are off."));
	if (question === void 0) return unconfirmed(skip("The Bitcoin block was not looked up: that takes a public network, a height and bytes that agree."));
	const { network, hash, height, headerTime } = question;
	const answer = await look$1(lookups, bitcoinBlock(network, hash));
	switch (answer.outcome) {
		case "found": {
			const { id, height: found } = answer.value;
			if (id !== hash) return unconfirmed(fail(`Asked for Bitcoin block ${hash}, ${network} answered about another one.`));
			if (found !== height) return unconfirmed(fail(`Bitcoin ${network} has block ${hash} at height ${found}, not ${height}.`));
			return {
				findings: [pass(`Bitcoin ${network} has block ${hash} at height ${height}.`)],
				isConfirmed: true,
				shownAt: headerTime
			};
		}
		case "absent": return unconfirmed(fail(`Bitcoin ${network} does not know block ${hash}.`));
		case "unreachable": return unconfirmed(skip(`Bitcoin block ${hash} could not be looked up: ${answer.why}.`));
		default: return answer;
	}
}
/** The report rows a and b. */
function transactionFindings({ rawTransaction, transactionHash, epochMerkleRoot }) {
	if (rawTransaction === void 0) return [skip("No raw Bitcoin transaction is carried.")];
	const transaction = decoded(rawTransaction, readTransaction);
	const hasNoHash = skip("No transaction hash is carried to compare the raw Bitcoin transaction with.");
	if (transaction === void 0) {
		const undecodable = fail("The raw Bitcoin transaction cannot be decoded.");
		return [undecodable, transactionHash === void 0 ? hasNoHash : undecodable];
	}
	return [opReturnFinding(transaction, epochMerkleRoot), transactionHash === void 0 ? hasNoHash : idFinding(transaction, transactionHash)];
}
function opReturnFinding(transaction, epochMerkleRoot) {
	const pushed = opReturnOf(transaction);
	if (pushed === void 0) return fail("The raw Bitcoin transaction has no OP_RETURN output.");
	return sameBytes(pushed, hexBytes(epochMerkleRoot, 32)) ? info("The OP_RETURN of the raw Bitcoin transaction is the epoch root.") : fail(`The OP_RETURN of the raw Bitcoin transaction is ${shown(pushed)}, not the epoch root.`);
}
function idFinding(transaction, transactionHash) {
	const id = transactionId(transaction);
	return sameBytes(hexBytes(id, 32), hexBytes(transactionHash, 32)) ? info(`The raw Bitcoin transaction is ${id}.`) : fail(`The raw Bitcoin transaction is ${id}, not ${shown(transactionHash)}.`);
}
/** The report rows c and d. */
function proofFindings(entry, proof) {
	if (entry.txoutproof === void 0) return [skip("No txoutproof is carried.")];
	if (proof === void 0) return [fail("The txoutproof cannot be decoded.")];
	return [treeFinding(proof, entry), headerFinding(proof, entry)];
}
/**
* The work comes first, so that it is checked without a transaction hash too. Whoever leaves the whole txoutproof out
* leaves this check out: the row says `skip`, and the verdict warns (`lacksBlock`).
*/
function treeFinding(proof, { transactionHash, network }) {
	if (!hasWorkOf(network, proof.header)) return fail("The header in the txoutproof took too little work for a block of the network that its commitment names.");
	if (transactionHash === void 0) return skip("No transaction hash is carried to find in the txoutproof.");
	if (!proof.isValid) return fail("The tree of the txoutproof does not lead to the Merkle root of its header.");
	const wanted = hexBytes(transactionHash, 32)?.reverse();
	return proof.matched.some((leaf) => sameBytes(leaf, wanted)) ? info(`The txoutproof holds transaction ${shown(transactionHash)}.`) : fail(`The txoutproof does not hold transaction ${shown(transactionHash)}.`);
}
/**
* Compares the carried time with the header's. The signature does not cover the carried time, so a time that
* the header does not show is not proved.
*/
function headerFinding({ fields }, { blockMerkleRoot, timestamp }) {
	const wanted = hexBytes(blockMerkleRoot, 32)?.reverse();
	if (blockMerkleRoot !== void 0 && !sameBytes(fields.merkleRoot, wanted)) return fail(`The header in the txoutproof has Merkle root ${displayHash(fields.merkleRoot)}, not ${shown(blockMerkleRoot)}.`);
	if (timestamp !== void 0 && !sameSecond(momentOf(timestamp), fields.time * 1e3)) return fail(`The header in the txoutproof is of ${utcSeconds(fields.time * 1e3)}, not of ${shown(timestamp)}.`);
	if (blockMerkleRoot === void 0) return skip("No Bitcoin block Merkle root is carried.");
	return info(`The carried Bitcoin block Merkle root ${timestamp === void 0 ? "is that" : "and time are those"} of the header in the txoutproof.`);
}
function blockQuestion({ network, blockHeight }, { header, fields }) {
	const height = integerOf(blockHeight);
	if (network !== "mainnet" && network !== "testnet" || height === void 0) return void 0;
	return {
		network,
		hash: headerHash(header),
		height,
		headerTime: fields.time * 1e3
	};
}
/** Whether a part is missing that ties the epoch to a block, so that nothing offline shows which chain it is on. */
var lacksBlock = ({ rawTransaction, transactionHash, txoutproof }) => rawTransaction === void 0 || transactionHash === void 0 || txoutproof === void 0;
/** Whether the header that is carried is one of a development chain, whatever network the entry names. */
function hasDevelopmentHeader({ txoutproof }) {
	const header = decoded(txoutproof, (bytes) => readHeader(bytes.subarray(0, 80)));
	return header !== void 0 && isOfDevelopmentChain(header);
}
/** Undefined when it is absent or cannot be parsed. */
var decoded = (value, read) => typeof value === "string" ? readOrUndefined(() => read(hexOrBase64Url(value))) : void 0;
// shared/proof/verify/stellar_commitment.ts
/** An entry carries no bytes, so everything is asked from the network. */
var readStellarEntry = (entry) => ({
	findings: [],
	isBare: false,
	asks: stellarQuestion(entry) !== void 0,
	confirm: (lookups) => confirmStellar(lookups, entry)
});
/** The hash of the transaction to ask for. Undefined when the entry has no well-formed one. */
function stellarQuestion(entry) {
	return hexBytes(entry.transactionHash, 32) === void 0 ? void 0 : textOf(entry.transactionHash);
}
async function confirmStellar(lookups, entry) {
	if (lookups === void 0) return unconfirmed(skip("The Stellar transaction was not looked up: external checks are off."));
	if (entry.transactionHash === void 0) return unconfirmed(skip("The Stellar entry names no transaction to look up."));
	const hash = stellarQuestion(entry);
	if (hash === void 0) return unconfirmed(fail(`${shown(entry.transactionHash)} is not the hash of a Stellar transaction.`));
	const network = textOf(entry.network) ?? "";
	const answer = await look$1(lookups, stellarTransaction(network, hash));
	switch (answer.outcome) {
		case "found": return compared$1(entry, hash, answer.value);
		case "absent": return network === "public" || network === "testnet" ? unconfirmed(fail(`Stellar ${network} does not know transaction ${hash}.`)) : unconfirmed(skip(`Stellar transaction ${hash} was not found, on a network we do not know by name.`));
		case "unreachable": return unconfirmed(skip(`Stellar transaction ${hash} could not be looked up: ${answer.why}.`));
		default: return answer;
	}
}
/** Stops at the first disagreement. */
function compared$1(entry, hash, transaction) {
	if (transaction.hash !== hash) return unconfirmed(fail(`Asked for Stellar transaction ${hash}, the network answered about another one.`));
	if (transaction.successful !== true) return unconfirmed(fail("The Stellar transaction was not successful, so it has no memo that counts."));
	if (!sameBytes(transaction.memo_type === "hash" ? base64Bytes(transaction.memo, 32) : void 0, hexBytes(entry.epochMerkleRoot, 32))) return unconfirmed(fail("The memo of the Stellar transaction is not the epoch root."));
	const ofMemo = pass("The memo of the Stellar transaction is the epoch root.");
	const shownAt = momentOf(transaction.created_at);
	const disagreement = ledgerDisagreement(entry, transaction, shownAt);
	if (disagreement !== void 0) return unconfirmed(ofMemo, fail(disagreement));
	const closed = utcSeconds(shownAt);
	const when = closed === void 0 ? "" : `, closed at ${closed}`;
	return {
		findings: [ofMemo, pass(`The Stellar transaction is in ledger ${transaction.ledger}${when}.`)],
		isConfirmed: true,
		shownAt
	};
}
function ledgerDisagreement({ ledger, timestamp }, transaction, closedAt) {
	if (ledger !== void 0 && ledger !== transaction.ledger) return `The Stellar transaction is in ledger ${transaction.ledger}, not the one carried.`;
	if (timestamp !== void 0 && !sameSecond(momentOf(timestamp), closedAt)) return `The ledger of the Stellar transaction closed at ${utcSeconds(closedAt) ?? "a time it does not tell"}, not at the time carried.`;
}
// shared/proof/verify/facts.ts
/** Takes time linear in the size of the bundle. */
function factsOf(bundle) {
	/** 32 bytes. */
	const publicKey = base64Bytes(bundle.publicKey, 32);
	const blockHash = derivedBlockHash(bundle.block);
	/** Undefined for blocks and beacons. */
	const subject = mapped(bundle.subject, (carried) => derivedSubject(bundle.type, carried));
	const witnesses = witnessFacts(bundle.subject);
	const keyEvent = keyEventFact(bundle.signingKeyEvent);
	return {
		publicKey,
		/** 4 bytes, derived. */
		keyId: mapped(publicKey, keyIdOf),
		subject,
		/** For blocks and beacons, the block hash. */
		subjectHash: bundle.subject === void 0 ? blockHash : subject?.hash,
		blockHash,
		witnesses,
		keyEvent,
		chains: chainEvidence(bundle, keyEvent),
		entropy: entropyQuestions(bundle, witnesses)
	};
}
/** Evidence of each entry, including the entries of the key event, chain by chain. */
function chainEvidence({ commitments }, keyEvent) {
	const entries = [...commitments, ...keyEvent?.commitments ?? []].filter((entry) => entry !== void 0);
	return new Map(CHAIN_NAMES.flatMap((chain) => entries.filter((entry) => entry.chain === chain).map((entry) => [entry, CHAIN_READERS[chain](entry)])));
}
function mapped(value, to) {
	return value === void 0 ? void 0 : to(value);
}
/** The questions to entropy sources: first about the subject, then about matched witnesses by name. */
function entropyQuestions({ type, subject, commitments }, witnesses) {
	const stellar = commitments.find((entry) => entry.chain === "stellar");
	const network = stellar === void 0 ? "public" : textOf(stellar.network) ?? "";
	const ofSubject = isEntropyName(type) ? [{
		name: type,
		isWitness: false,
		question: entropyQuestion(type, subject?.data, network)
	}] : [];
	const ofWitnesses = witnesses.flatMap(({ name, state, detail }) => state === "matched" && isEntropyName(name) ? [{
		name,
		isWitness: true,
		question: entropyQuestion(name, detail, network)
	}] : []);
	return [...ofSubject, ...ofWitnesses];
}
var CHAIN_READERS = {
	stellar: readStellarEntry,
	bitcoin: readBitcoinEntry
};
/** All names that are committed or carried, sorted. */
function witnessFacts(subject) {
	if (subject === void 0) return [];
	const committed = membersOf(subject.committedWitnesses);
	const details = membersOf(subject.witnesses);
	return [.../* @__PURE__ */ new Set([...Object.keys(committed), ...Object.keys(details).filter((name) => carried(details, name) !== void 0)])].sort().map((name) => witnessFact(name, committed, carried(details, name)));
}
function witnessFact(name, committed, carriedDetail) {
	const detail = isJsonObject(carriedDetail) ? carriedDetail : void 0;
	const isBlock = name === "block";
	const nothing = {
		name,
		detail,
		hash: void 0,
		publishedAt: void 0
	};
	if (!isBlock && !isEntropyName(name)) return {
		...nothing,
		state: "unknown"
	};
	if (carriedDetail === void 0) return {
		...nothing,
		state: "not_carried"
	};
	if (!Object.hasOwn(committed, name)) return {
		...nothing,
		state: "not_committed"
	};
	if (detail === void 0) return {
		...nothing,
		state: "unmatched"
	};
	const hash = isBlock ? derivedBlockHash(readBlock(detail)) : jsonHash("entropy", detail);
	const isMatched = sameBytes(hash, hexBytes(memberOf(committed, name) ?? void 0, 32));
	const publishedAt = isEntropyName(name) ? ENTROPY_READERS[name].publishedAt(detail) : uuid7Time(textOf(carried(detail, "id")) ?? "");
	return {
		name,
		state: isMatched ? "matched" : "unmatched",
		detail,
		hash,
		publishedAt
	};
}
/** Empty when the value is not a map. */
function membersOf(value) {
	return isJsonObject(value) ? value : {};
}
/** Undefined when there is no block map with a key event. */
function keyEventFact(signingKeyEvent) {
	const block = isJsonObject(signingKeyEvent) ? carried(signingKeyEvent, "block") : void 0;
	const metadata = isJsonObject(block) ? carried(block, "metadata") : void 0;
	const event = isJsonObject(metadata) ? carried(metadata, "key_event") : void 0;
	if (!isJsonObject(signingKeyEvent) || !isJsonObject(block) || !isJsonObject(event)) return void 0;
	if (!KEY_EVENT_TYPES.has(carried(event, "type"))) return void 0;
	const entries = carried(signingKeyEvent, "commitments") ?? [];
	return {
		event,
		blockHash: derivedBlockHash(readBlock(block)),
		commitments: Array.isArray(entries) ? entries.map(readEntry$1) : void 0
	};
}
/** `chainFindings` returns the rows that the chain of an entry adds to the row of its path. */
function keyEventFindings(bundle, fact, keyId, chainFindings) {
	if (bundle.signingKeyEvent === void 0) return [skip("No signing key event is carried.")];
	if (fact === void 0) return [fail("The signing key event has no block that tells of a known kind of key event.")];
	const { event, blockHash, commitments } = fact;
	const findings = [
		typeof bundle.publicKey === "string" && carried(event, "public_key") === bundle.publicKey ? pass("The key event introduced the public key of this bundle.") : fail("The key event introduced another public key than that of this bundle."),
		sameBytes(hexBytes(carried(event, "key_id"), 4), keyId) ? pass(`The key event names the key id ${shown(keyId)}.`) : fail(`The key event names the key id ${shown(carried(event, "key_id"))}, not the derived one.`),
		info(`It is a ${shown(carried(event, "type"))} with sequence ${sequenceOf(event)}.`)
	];
	if (blockHash === void 0) return [...findings, fail("The block of the key event is incomplete or malformed.")];
	findings.push(pass(`The block of the key event hashes to ${shown(blockHash)}.`));
	if (commitments === void 0) return [...findings, fail("The commitments of the key event are no list.")];
	if (commitments.length === 0) return [...findings, skip("The key event carries no commitments.")];
	for (const entry of commitments) if (entry === void 0) findings.push(fail("A commitment of the key event is malformed."));
	else findings.push(epochFinding(blockHash, entry), ...chainFindings(entry));
	return findings;
}
var KEY_EVENT_TYPES = /* @__PURE__ */ new Set([
	"genesis",
	"rotation",
	"emergency_rotation"
]);
function sequenceOf(event) {
	const sequence = carried(event, "sequence");
	return integerOf(sequence)?.toString() ?? shown(sequence);
}
// shared/proof/verify/examination.ts
/** Counts different questions. Correct bundles have fewer than ten. */
var MAX_LOOKUPS = 16;
/**
* Limits the number of lookups, because one bundle can name thousands of transactions and each question may take its
* full time.
* Asks the same question only once. Questions after the last allowed one count as unreachable.
*/
function limitedLookups(lookups, limit = MAX_LOOKUPS) {
	let left = limit;
	const asked = /* @__PURE__ */ new Map();
	return { ask: (place, path) => {
		const key = `${place} ${path}`;
		const known = asked.get(key);
		if (known !== void 0) return known;
		if (left === 0) return Promise.resolve({
			outcome: "unreachable",
			why: `one bundle may ask ${limit} questions`
		});
		left--;
		const answer = lookups.ask(place, path);
		asked.set(key, answer);
		return answer;
	} };
}
/** Sends all questions at once. Each has its own time limit. */
async function answersOf(bundle, lookups) {
	const facts = factsOf(bundle);
	const limited = lookups === void 0 ? void 0 : limitedLookups(lookups);
	const chains = [...facts.chains].map(([entry, { confirm }]) => [entry, confirm(limited)]);
	const entropy = facts.entropy.map(async ({ name, isWitness, question }) => ({
		name,
		isWitness,
		verdict: await confirmEntropy(limited, name, question)
	}));
	const [settled, entropyVerdicts] = await Promise.all([Promise.all(chains.map(async ([entry, verdict]) => [entry, await verdict])), Promise.all(entropy)]);
	return {
		facts,
		chains: new Map(settled),
		entropy: entropyVerdicts
	};
}
// shared/proof/signed_payload.ts
/** Frozen. Block and beacon (10 and 11) are *block-like*; only the code tells them apart. */
var TYPE_CODES = {
	block: 10,
	beacon: 11,
	item: 20,
	...ENTROPY_CODES
};
var isProofType = (value) => typeof value === "string" && Object.hasOwn(TYPE_CODES, value);
/**
* 81 + 32 N bytes.
* @throws RangeError when a part has the wrong size, because no part is length-prefixed and the rest would
* shift
*/
function signedPayload(parts) {
	return joinBytes([
		u8(PAYLOAD_VERSION),
		u16(parts.typeCode),
		sized(parts.keyId, 4),
		u64(parts.generatedAtMs),
		sized(parts.subjectHash, 32),
		sized(parts.blockHash, 32),
		u16(parts.epochRoots.length),
		...parts.epochRoots.map((root) => sized(root, 32))
	]);
}
/** `D(0x61, payload)`, 32 bytes: the digest that Ed25519 signs. */
function signedPayloadDigest(parts) {
	return domainHash("proof", signedPayload(parts));
}
var PAYLOAD_VERSION = 1;
function sized(bytes, size) {
	if (bytes.length !== size) throw new RangeError(`a part of the signed payload has ${bytes.length} bytes, not ${size}`);
	return bytes;
}
// shared/proof/verify/signature_checks.ts
function signingKey({ facts }) {
	return facts.keyId === void 0 ? [fail("The public key is not base64 of 32 bytes.")] : [pass(`The public key has the key id ${toHex(facts.keyId)}.`)];
}
function proofSignature({ bundle, facts, verifySignature }) {
	const { publicKey } = facts;
	const signature = base64Bytes(bundle.signature, 64);
	const digest = signedDigest({
		bundle,
		facts
	});
	if (publicKey === void 0 || signature === void 0 || digest === void 0) return [fail("The signature cannot be checked: something it covers, the key or the signature itself is broken.")];
	return verifySignature(publicKey, digest, signature) ? [pass("The signature covers type, time, subject, block and epoch roots, and is that of the public key.")] : [fail("The signature is not that of the public key over this bundle.")];
}
function keyBinding({ bundle, facts, keyrings }) {
	if (facts.keyId === void 0) return [fail("Without a public key there is nothing to look for in a keyring.")];
	const keyId = toHex(facts.keyId);
	const isItsOwn = (key) => key.key_id === keyId && key.public_key === bundle.publicKey;
	const holders = keyrings.filter((keyring) => keyring.keys.some(isItsOwn));
	const holder = holders.find((keyring) => keyring.own === true) ?? holders[0];
	if (holder !== void 0) return [pass(`Key ${keyId} is in the keyring of ${nameOf$1(holder)}.`)];
	const rival = keyrings.find((keyring) => keyring.keys.some((key) => key.key_id === keyId));
	if (rival !== void 0) return [fail(`The keyring of ${nameOf$1(rival)} has another public key under the key id ${keyId}.`)];
	const missing = keyrings.filter((keyring) => keyring.unloaded === true).map(({ name }) => shown(name));
	return [fail(`Key ${keyId} is not known here: it is in no keyring that is trusted.${missing.length === 0 ? "" : ` These keyrings could not be loaded: ${missing.join(", ")}.`}`)];
}
function nameOf$1(keyring) {
	return keyring.own === true ? "this service" : shown(keyring.name);
}
/** Undefined when a part of the payload is missing or malformed. */
function signedDigest({ bundle, facts }) {
	const { keyId, subjectHash, blockHash } = facts;
	const generatedAtMs = signingTime(textOf(bundle.generatedAt));
	const epochRoots = [];
	for (const entry of bundle.commitments) {
		const root = hexBytes(entry.epochMerkleRoot, 32);
		if (root === void 0) return void 0;
		epochRoots.push(root);
	}
	if (bundle.surplus.includes("commitments")) return void 0;
	if (bundle.version !== 1 || epochRoots.length > MOST_COMMITMENTS || generatedAtMs === void 0) return void 0;
	if (keyId === void 0 || subjectHash === void 0 || blockHash === void 0) return void 0;
	const typeCode = TYPE_CODES[bundle.type];
	return signedPayloadDigest({
		typeCode,
		keyId,
		generatedAtMs,
		subjectHash,
		blockHash,
		epochRoots
	});
}
/** The signed payload holds the number of commitments in 16 bits. */
var MOST_COMMITMENTS = 65535;
/**
* Accepts whole seconds in one spelling only, because any other spelling would be the same time in other
* bytes.
*/
function signingTime(text) {
	if (text === void 0 || text.length !== 20) return void 0;
	const ms = text.endsWith("Z") ? instantMs(text) : void 0;
	return ms !== void 0 && ms >= 0 ? ms : void 0;
}
BigInt(Number.MAX_SAFE_INTEGER);
// shared/proof/claims.ts
/** Length of each digest in hex characters. */
var HASH_TYPES = {
	md5: 32,
	sha1: 40,
	sha224: 56,
	sha256: 64,
	sha384: 96,
	sha512: 128,
	sha3_224: 56,
	sha3_256: 64,
	sha3_384: 96,
	sha3_512: 128,
	blake2s: 64,
	blake2b: 128
};
function isHashType(name) {
	return Object.hasOwn(HASH_TYPES, name);
}
/** blake2s and blake2b in their full lengths, which are the ones we publish. */
var OPENSSL_NAMES = {
	md5: "md5",
	sha1: "sha1",
	sha224: "sha224",
	sha256: "sha256",
	sha384: "sha384",
	sha512: "sha512",
	sha3_224: "sha3-224",
	sha3_256: "sha3-256",
	sha3_384: "sha3-384",
	sha3_512: "sha3-512",
	blake2s: "blake2s256",
	blake2b: "blake2b512"
};
// shared/proof/verify/subject_checks.ts
function hashComparison({ bundle, expectedHash }) {
	if (bundle.type !== "item") return expectedHash === void 0 ? [] : [skip("An expected hash is only compared with the claims of an item.")];
	const claimed = claimedHash(bundle.subject);
	if (expectedHash === void 0) return claimed === void 0 ? [] : [warn("The item claims a hash, but no expected hash was given to compare it with.")];
	if (claimed === void 0) return [warn("The item claims no hash to compare the expected hash with.")];
	return isSameHash(expectedHash, claimed) ? [pass("The claimed hash is the expected one.")] : [fail(`The claimed hash ${shown(claimed)} is not the expected ${shown(expectedHash)}.`)];
}
function subjectData({ bundle, facts }) {
	const { subject } = bundle;
	if (subject === void 0 || facts.subject === void 0) return [];
	if (facts.subject.hash === void 0) return [flawFinding(bundle, facts.subject.flaw)];
	return [
		pass(`The ${dataName(bundle)} of the subject are hashed.`),
		subject.metadataHash === void 0 ? pass("The metadata of the subject is hashed.") : skip("The metadata of the subject is carried as its hash only."),
		pass(`The subject hashes to ${shown(facts.subject.hash)}.`),
		...dataFindings(bundle, subject, facts.subject.data)
	];
}
/** Milliseconds since 1970, from the id of an item. */
function itemTime(subject) {
	const id = textOf(subject.id);
	return id !== void 0 && isUlid(id) ? ulidTime(id) : void 0;
}
/** Ignores case. Takes constant time. */
function isSameHash(expected, claimed) {
	return bytesEqual(utf8(expected.toLowerCase().toWellFormed()), utf8(claimed.toLowerCase()));
}
function claimedHash(subject) {
	return isJsonObject(subject?.data) ? textOf(carried(subject.data, "hash")) : void 0;
}
var STALE_MS = 6048e5;
function dataName({ type }) {
	return type === "item" ? "claims" : "captured values";
}
function flawFinding(bundle, flaw) {
	switch (flaw) {
		case "data": return fail(`The subject carries no ${dataName(bundle)}.`);
		case "metadata": return fail("The metadata hash of the subject is malformed.");
		case "identity": return {
			...fail("The id or the signing key id of the subject is missing or malformed."),
			category: "data_integrity"
		};
		default: return flaw;
	}
}
function dataFindings({ type }, subject, data) {
	const findings = [];
	if (holdsUnportableInteger(data)) findings.push(warn("An integer beyond 2^53 is not portable: other readers may round it and get another hash."));
	if (type !== "item") return findings;
	return [
		...findings,
		...hashTypeFindings(data),
		...claimTimeFindings(data, itemTime(subject))
	];
}
/** A number counts as an integer when its canonical text shows one. From 1e21 on the text has an exponent. */
function holdsUnportableInteger(value) {
	switch (typeof value) {
		case "number": return Math.abs(value) > 2 ** 53 && Math.abs(value) < 1e21;
		case "bigint": return value > TWO_TO_53 || value < -TWO_TO_53;
		case "object":
			if (value === null) return false;
			if (Array.isArray(value)) return value.some(holdsUnportableInteger);
			for (const name of Object.keys(value)) if (holdsUnportableInteger(value[name] ?? null)) return true;
			return false;
		default: return false;
	}
}
var TWO_TO_53 = 1n << 53n;
function hashTypeFindings(claims) {
	const hash = textOf(carried(claims, "hash"));
	const type = textOf(carried(claims, "hash_type"));
	if (hash === void 0 || type === void 0) return [];
	const category = "data_integrity";
	if (!isHashType(type)) return [{
		...warn(`${shown(type)} is no known hash type.`),
		category
	}];
	return isHex(hash) && hash.length === HASH_TYPES[type] ? [{
		...info(`The claimed hash has the form of ${type}.`),
		category
	}, ...weakness(type)] : [{
		...warn(`The claimed hash does not have the form of ${type}.`),
		category
	}];
}
/** Empty unless somebody can make two files with one digest of this type. */
var weakness = (type) => type === "md5" || type === "sha1" ? [{
	...warn(`Two files with one ${type} digest can be made.`),
	category: "data_integrity"
}] : [];
function claimTimeFindings(claims, submittedAt) {
	const claimedAt = momentOf(carried(claims, "timestamp"));
	if (claimedAt === void 0 || submittedAt === void 0) return [];
	const category = "timing";
	if (claimedAt > submittedAt) return [{
		...warn("This is a future-dated claim: its timestamp is later than its submission."),
		category
	}];
	return submittedAt - claimedAt > STALE_MS ? [{
		...warn("This is a stale claim: its timestamp is more than 7 days before its submission."),
		category
	}] : [];
}
// shared/proof/verify/timing_checks.ts
function temporalOf(bundle) {
	const { subject, type, commitments } = bundle;
	const claims = type === "item" && isJsonObject(subject?.data) ? subject.data : void 0;
	const first = (chain) => momentOf(commitments.find((entry) => entry.chain === chain)?.timestamp);
	const existing = [
		["claimed_at", claims === void 0 ? void 0 : momentOf(carried(claims, "timestamp"))],
		[type === "item" ? "submitted_at" : "captured_at", subjectTime(bundle)],
		["committed_at", blockTime(bundle)],
		...CHAIN_NAMES.map((chain) => [`${chain}_commit`, first(chain)])
	].flatMap(([name, ms]) => {
		const text = utcSeconds(ms);
		return text === void 0 ? [] : [[name, text]];
	});
	return Object.fromEntries(existing);
}
function submissionWindow({ bundle }) {
	const ofSubject = subjectTime(bundle);
	const ofBlock = blockTime(bundle);
	if (ofSubject === void 0 || ofBlock === void 0) return [];
	return ofSubject <= ofBlock ? [pass("The time in the id of the subject is not after that in the id of the block.")] : [fail("The time in the id of the subject is after that in the id of the block.")];
}
function temporalInfo({ temporal }) {
	const times = Object.entries(temporal).map(([name, time]) => `${name} ${time}`);
	return [info(times.length === 0 ? "The bundle tells no times." : `Times as carried: ${times.join(", ")}.`)];
}
function submittedBefore({ bundle, chains }) {
	const shownAt = ({ entry }) => {
		const verdict = chains.get(entry);
		return verdict?.isConfirmed === true ? verdict.shownAt : void 0;
	};
	const entries = bundle.commitments.map((entry) => ({
		entry,
		shownAt: shownAt({ entry })
	}));
	const blockMade = blockTime(bundle);
	const tooEarly = entries.find((one) => blockMade !== void 0 && one.shownAt !== void 0 && one.shownAt < blockMade - MOST_AHEAD_MS);
	if (tooEarly !== void 0) return [fail(`A commitment to ${tooEarly.entry.chain} is of ${utcSeconds(tooEarly.shownAt)}, long before the time in the id of the block it is about.`)];
	const isShown = (one) => sameSecond(momentOf(one.entry.timestamp), one.shownAt);
	const confirmed = earliest(entries.filter(isShown));
	const unconfirmed = earliest(entries.filter((one) => !isShown(one)));
	if (confirmed === void 0) return [info(unconfirmed === void 0 ? "No commitment tells before what time the subject existed." : `The bundle names ${utcSeconds(unconfirmed)} as the time of a commitment; no chain confirmed it.`)];
	const edge = pass(`The subject existed before ${utcSeconds(confirmed)}, the time that the chain shows for its commitment.`);
	return unconfirmed !== void 0 && unconfirmed < confirmed ? [edge, info(`A commitment that no chain confirmed names ${utcSeconds(unconfirmed)}.`)] : [edge];
}
/**
* A chain may show a time up to this much before the time in the block's id, because a miner's clock may be
* slow. An earlier time is a failure.
*/
var MOST_AHEAD_MS = 72e5;
/** Milliseconds since 1970, from the id of the item or observation. */
function subjectTime({ type, subject }) {
	if (subject === void 0) return void 0;
	return type === "item" ? itemTime(subject) : uuid7Time(textOf(subject.id) ?? "");
}
function blockTime({ block }) {
	return uuid7Time(textOf(block.id) ?? "");
}
function earliest(entries) {
	let found;
	for (const { entry } of entries) {
		const moment = momentOf(entry.timestamp);
		if (moment !== void 0 && utcSeconds(moment) !== void 0 && (found === void 0 || moment < found)) found = moment;
	}
	return found;
}
function witnesses({ bundle, facts }) {
	if (bundle.layout === "compact") return [skip("The compact layout carries no witnesses.")];
	if (bundle.subject === void 0) return [skip("Only an item has witnesses.")];
	const broken = brokenFindings(bundle.subject);
	if (facts.witnesses.length === 0 && broken.length === 0) return [skip("No witness is committed or carried.")];
	const submittedAt = bundle.type === "item" ? itemTime(bundle.subject) : void 0;
	const found = facts.witnesses.flatMap((witness) => [
		stateFinding(witness),
		...witness.name === "block" && witness.state === "matched" ? [positionFinding(bundle, witness.hash)] : [],
		...lateFindings(witness, submittedAt)
	]);
	return [...broken, ...found];
}
function submittedAfter({ bundle, facts, entropy }) {
	if (bundle.subject === void 0) return [skip("A block is not submitted.")];
	const shownOnes = facts.witnesses.filter(({ state }) => state === "matched" || state === "unmatched");
	if (shownOnes.length === 0) return [info("No witness tells after what the subject was submitted.")];
	const isConfirmed = ({ name }) => entropy.some((asked) => asked.isWitness && asked.name === name && asked.verdict.isConfirmed);
	const latestConfirmed = latest(shownOnes.filter(isConfirmed));
	const latestMatched = latest(shownOnes.filter(({ state }) => state === "matched"));
	return [...shownOnes.map(publishedFinding), edgeFinding(latestConfirmed, latestMatched)];
}
/** Witnesses are identified by name. When the names cannot be read, nothing can be checked. */
function brokenFindings({ committedWitnesses: committed, witnesses: details }) {
	return [...committed === void 0 || isJsonObject(committed) ? [] : [fail("The witnesses that the metadata commits to are no map.")], ...details === void 0 || isJsonObject(details) ? [] : [fail("The carried witnesses are no map.")]];
}
function stateFinding({ name, state }) {
	switch (state) {
		case "unknown": return skip(`${shown(name)} is no witness we know.`);
		case "not_carried": return skip(`The witness ${name} is committed to, but not carried.`);
		case "not_committed": return fail(`The witness ${name} is carried, but the metadata does not commit to it.`);
		case "matched": return pass(`The witness ${name} hashes to what the metadata commits to.`);
		case "unmatched": return fail(`The witness ${name} does not hash to what the metadata commits to.`);
		default: return state;
	}
}
/** Checks that the head of the ledger at submission comes before the block that holds the item. */
function positionFinding({ block, blockPath }, head) {
	const previous = hexBytes(block.previousBlockHash, 32);
	if (sameBytes(previous, head)) return pass("The block follows the witnessed head of the ledger directly.");
	return sameBytes(previous, endOfPath(blockPath, head)) ? pass("The block follows the witnessed head of the ledger through the carried blocks.") : fail("Nothing carried links the block to the witnessed head of the ledger.");
}
/** The hash of the last block of a path that starts at `head`. Undefined when the blocks do not link. */
function endOfPath(blockPath, head) {
	if (!Array.isArray(blockPath) || blockPath.length === 0) return void 0;
	let hash = head;
	for (const map of blockPath) {
		if (!isJsonObject(map)) return void 0;
		const block = readBlock(map);
		if (!sameBytes(hexBytes(block.previousBlockHash, 32), hash)) return void 0;
		hash = derivedBlockHash(block);
	}
	return hash;
}
function lateFindings({ name, state, publishedAt }, submittedAt) {
	if (name === "block" || state !== "matched" || publishedAt === void 0 || submittedAt === void 0) return [];
	return publishedAt > submittedAt ? [warn(`The witness ${name} was published after the time in the item's id.`)] : [];
}
function publishedFinding({ name, state, publishedAt }) {
	if (state !== "matched") return info(`The witness ${name} is not counted: it does not match.`);
	const time = utcSeconds(publishedAt);
	return info(time === void 0 ? `The witness ${name} tells no time.` : `The witness ${name} was published at ${time}.`);
}
function edgeFinding(confirmed, matched) {
	if (confirmed !== void 0) return pass(`The subject was submitted after ${utcSeconds(confirmed)}, confirmed by a public source.`);
	return info(matched === void 0 ? "No matched witness tells after what time the subject was submitted." : `The subject was submitted after ${utcSeconds(matched)}, as far as the witnesses go that no source confirmed.`);
}
function latest(facts) {
	const times = facts.flatMap(({ publishedAt }) => publishedAt === void 0 || utcSeconds(publishedAt) === void 0 ? [] : [publishedAt]);
	return times.length === 0 ? void 0 : Math.max(...times);
}
// shared/proof/verify/verify_bundle.ts
/** Never throws because of what a bundle holds: every problem is a row. */
async function verifyBundle(read, { expectedHash, keyrings, lookups, verifySignature: verifySignature$3 = verifySignature }) {
	const normalized = expectedHash?.trim().toLowerCase();
	const temporal = temporalOf(read);
	const steps = rowsOf({
		bundle: read,
		expectedHash: normalized,
		keyrings,
		verifySignature: verifySignature$3,
		temporal,
		...await answersOf(read, lookups)
	});
	const count = (status) => steps.filter((row) => row.status === status).length;
	const id = shortText((read.subject ?? read.block).id);
	const claimed = read.type === "item" ? claimedHash(read.subject) : void 0;
	const failed = count("fail");
	return {
		id,
		source: read.type,
		subject_id: id,
		subject_type: read.type,
		proof_version: integerOf(read.version) ?? null,
		generated_at: shortText(read.generatedAt),
		passed: failed === 0,
		skipped_external: lookups === void 0,
		hash_provided: normalized ?? null,
		expected_hash_provided: normalized !== void 0,
		hash_matched: normalized !== void 0 && claimed !== void 0 && isSameHash(normalized, claimed),
		temporal,
		steps,
		pass_count: count("pass"),
		failed_count: failed,
		warn_count: count("warn"),
		skip_count: count("skip"),
		info_count: count("info")
	};
}
/** Null for a value that is not text, and for text longer than any id or time. */
function shortText(value) {
	const text = textOf(value);
	return text === void 0 || text.length > LONGEST_TEXT ? null : text;
}
var LONGEST_TEXT = 64;
function rowsOf(examination) {
	return STEPS.flatMap(({ group, category, findings }) => findings(examination).map((finding) => ({
		group,
		category: finding.category ?? category,
		status: finding.status,
		message: finding.message
	})));
}
/** Clients rely on the names of groups and categories. */
var STEPS = [
	{
		group: "Hash Comparison",
		category: "data_integrity",
		findings: hashComparison
	},
	{
		group: "Structure",
		category: "structural",
		findings: version
	},
	{
		group: "Structure",
		category: "structural",
		findings: surplus
	},
	{
		group: "Structure",
		category: "structural",
		findings: hexFields
	},
	{
		group: "Signing Key",
		category: "cryptographic",
		findings: signingKey
	},
	{
		group: "Subject Data",
		category: "cryptographic",
		findings: subjectData
	},
	{
		group: "Inclusion Proof",
		category: "cryptographic",
		findings: inclusionProof
	},
	{
		group: "Block Hash",
		category: "cryptographic",
		findings: blockHash
	},
	{
		group: "Epoch Proof",
		category: "cryptographic",
		findings: epochProofs
	},
	...CHAIN_NAMES.map((chain) => ({
		group: commitmentStep(chain),
		category: "blockchain",
		findings: (on) => commitmentsOn(chain, on)
	})),
	{
		group: "Proof Signature",
		category: "cryptographic",
		findings: proofSignature
	},
	{
		group: "Key Binding",
		category: "cryptographic",
		findings: keyBinding
	},
	{
		group: "Signing Key Event",
		category: "cryptographic",
		findings: signingKeyEvent
	},
	{
		group: "Witnesses",
		category: "timing",
		findings: witnesses
	},
	{
		group: "Entropy Source",
		category: "blockchain",
		findings: entropySources
	},
	{
		group: "Submission Window",
		category: "timing",
		findings: submissionWindow
	},
	{
		group: "Temporal Info",
		category: "timing",
		findings: temporalInfo
	},
	{
		group: "Submitted After",
		category: "timing",
		findings: submittedAfter
	},
	{
		group: "Submitted Before",
		category: "timing",
		findings: submittedBefore
	}
];
function version({ bundle }) {
	return bundle.version === 1 ? [pass("The bundle is of version 1.")] : [fail("The bundle is not of version 1, the only one there is.")];
}
function surplus({ bundle }) {
	return bundle.surplus.length === 0 ? [] : [fail(`More entries than are looked at, and more than any honest bundle has: ${bundle.surplus.join(", ")}.`)];
}
/** A field that is not lowercase hex of its exact size could be read in two ways. */
function hexFields({ bundle }) {
	const names = hexFieldsOf(bundle).filter(({ value, size }) => value !== void 0 && !(typeof value === "string" && isHex(value, size))).map(({ name }) => name);
	return names.length === 0 ? [] : [fail(`Not lowercase hex of the right length: ${names.join(", ")}.`)];
}
function inclusionProof({ bundle, facts }) {
	if (bundle.inclusionProof === void 0) return [skip("The block itself is the subject.")];
	if (facts.subjectHash === void 0) return [fail("Without a subject hash nothing leads to the Merkle root of the block.")];
	const reached = walked(facts.subjectHash, bundle.inclusionProof);
	if (reached === void 0) return [fail("The path to the Merkle root of the block is malformed.")];
	return sameBytes(reached, hexBytes(bundle.block.merkleRoot, 32)) ? [pass("The path leads from the subject hash to the Merkle root of the block.")] : [fail("The path does not lead from the subject hash to the Merkle root of the block.")];
}
function blockHash({ bundle, facts }) {
	if (facts.blockHash === void 0) return [fail("A part of the block is missing or malformed, so it has no hash.")];
	return [bundle.block.metadataHash === void 0 ? pass("The metadata of the block is hashed.") : skip("The metadata of the block is carried as its hash only."), pass(`The block hashes to ${shown(facts.blockHash)}.`)];
}
function epochProofs({ bundle, facts }) {
	return bundle.commitments.map((entry) => epochFinding(facts.blockHash, entry));
}
function commitmentsOn(chain, examination) {
	return examination.bundle.commitments.filter((entry) => entry.chain === chain).flatMap((entry) => chainFindings(examination, entry));
}
/**
* First what the bytes of the entry show, then what the chain answered. For an entry without bytes only the
* latter.
*/
function chainFindings({ facts, chains }, entry) {
	const evidence = facts.chains.get(entry);
	if (evidence?.isBare === true) return evidence.findings;
	return [...evidence?.findings ?? [], ...chains.get(entry)?.findings ?? []];
}
/** Reports only failures of the entry's bytes. */
function signingKeyEvent(examination) {
	const { bundle, facts, chains } = examination;
	return keyEventFindings(bundle, facts.keyEvent, facts.keyId, (entry) => {
		const evidence = facts.chains.get(entry);
		if (evidence?.isBare === true) return evidence.findings;
		return [...evidence?.findings.filter(({ status }) => status === "fail") ?? [], ...chains.get(entry)?.findings ?? []];
	});
}
function entropySources({ entropy }) {
	return entropy.flatMap(({ verdict }) => verdict.findings);
}
function hexFieldsOf({ subject, block, blockPath, commitments, signingKeyEvent }) {
	const fields = [];
	if (subject !== void 0) {
		fields.push({
			name: "subject.signing_key_id",
			value: subject.signingKeyId,
			size: 4
		});
		fields.push({
			name: "subject.metadata_hash",
			value: subject.metadataHash,
			size: 32
		});
		fields.push(...committedWitnesses(subject.committedWitnesses));
	}
	fields.push(...blockFields("block", block));
	if (Array.isArray(blockPath)) blockPath.forEach((map, i) => {
		if (isJsonObject(map)) fields.push(...blockFields(`block_path[${i}]`, readBlock(map)));
	});
	commitments.forEach((entry, i) => {
		fields.push(...entryFields(`commitments[${i}]`, entry));
	});
	if (!isJsonObject(signingKeyEvent)) return fields;
	const eventBlock = carried(signingKeyEvent, "block");
	if (isJsonObject(eventBlock)) fields.push(...blockFields("signing_key_event.block", readBlock(eventBlock)));
	const eventEntries = carried(signingKeyEvent, "commitments");
	if (Array.isArray(eventEntries)) eventEntries.forEach((entry, i) => {
		if (!isJsonObject(entry)) return;
		const hashes = {
			epochMerkleRoot: carried(entry, "epoch_merkle_root"),
			transactionHash: carried(entry, "transaction_hash"),
			blockMerkleRoot: carried(entry, "block_merkle_root")
		};
		fields.push(...entryFields(`signing_key_event.commitments[${i}]`, hashes));
	});
	return fields;
}
function committedWitnesses(witnesses) {
	if (!isJsonObject(witnesses)) return [];
	return Object.keys(witnesses).sort().map((name) => ({
		name: `subject.metadata.witnesses.${shown(name)}`,
		value: memberOf(witnesses, name) ?? false,
		size: 32
	}));
}
function blockFields(place, block) {
	return [
		{
			name: `${place}.previous_block_hash`,
			value: block.previousBlockHash,
			size: 32
		},
		{
			name: `${place}.merkle_root`,
			value: block.merkleRoot,
			size: 32
		},
		{
			name: `${place}.metadata_hash`,
			value: block.metadataHash,
			size: 32
		},
		{
			name: `${place}.signing_key_id`,
			value: block.signingKeyId,
			size: 4
		}
	];
}
function entryFields(place, entry) {
	return [
		{
			name: `${place}.epoch_merkle_root`,
			value: entry.epochMerkleRoot,
			size: 32
		},
		{
			name: `${place}.transaction_hash`,
			value: entry.transactionHash,
			size: 32
		},
		{
			name: `${place}.block_merkle_root`,
			value: entry.blockMerkleRoot,
			size: 32
		}
	];
}
// shared/proof/bundle/compact_document.ts
/** Short name first. Each table is one map of the layout. */
var COMPACT_TOP = {
	v: "version",
	t: "type",
	ts: "generated_at",
	pk: "public_key",
	sig: "signature",
	s: "subject",
	ip: "inclusion_proof",
	b: "block",
	cx: "commitments"
};
/** `d` means `claims` or `entropy`, depending on the type. `mh` is the hash of the metadata map. */
var COMPACT_SUBJECT = {
	id: "id",
	kid: "signing_key_id",
	mh: "metadata_hash"
};
var COMPACT_BLOCK = {
	id: "id",
	ph: "previous_block_hash",
	mr: "merkle_root",
	mh: "metadata_hash",
	kid: "signing_key_id"
};
var COMPACT_ENTRY = {
	ep: "epoch_proof",
	tx: "transaction_hash",
	net: "network",
	ts: "timestamp"
};
/** By the evidence that entries of a chain carry. */
var ENTRY_NAMES = {
	ledger: {
		...COMPACT_ENTRY,
		memo: "epoch_merkle_root",
		l: "ledger"
	},
	block: {
		...COMPACT_ENTRY,
		op: "epoch_merkle_root",
		h: "block_height",
		rtx: "raw_transaction",
		txp: "txoutproof",
		bmr: "block_merkle_root"
	}
};
/** By the number that says which chain an entry belongs to. */
var COMPACT_CHAINS = CHAIN_NAMES.map((chain) => {
	const { code, evidence } = CHAINS[chain];
	return {
		code,
		chain,
		names: ENTRY_NAMES[evidence]
	};
});
/**
* Leaves out members with other names, so that a compact bundle cannot carry a published name. A part of the
* wrong kind is passed on unchanged.
*/
function publishedNames(compact) {
	const document = renamedMembers(compact, Object.entries(COMPACT_TOP));
	const type = typeOfCode(document.type);
	delete document.type;
	if (type !== void 0) document.type = type;
	if (isJsonObject(document.subject)) {
		const data = carried(document.subject, "d");
		document.subject = renamedMembers(document.subject, Object.entries(COMPACT_SUBJECT));
		if (data !== void 0) document.subject[type === "item" ? "claims" : "entropy"] = data;
	}
	if (isJsonObject(document.block)) document.block = renamedMembers(document.block, Object.entries(COMPACT_BLOCK));
	if (Array.isArray(document.commitments)) document.commitments = document.commitments.map(publishedEntry);
	return document;
}
function typeOfCode(code) {
	for (const type of PROOF_TYPES) if (TYPE_CODES[type] === code) return type;
}
var PROOF_TYPES = [
	"block",
	"beacon",
	"item",
	...ENTROPY_NAMES
];
function publishedEntry(entry) {
	if (!isJsonObject(entry)) return entry;
	const code = carried(entry, "t");
	const kind = COMPACT_CHAINS.find((chain) => chain.code === code);
	return kind === void 0 ? {} : {
		...renamedMembers(entry, Object.entries(kind.names)),
		chain: kind.chain
	};
}
// shared/proof/bundle/read_cbor.ts
/**
* Stands for what JSON does not have: tags, undefined and other simple values, NaN, infinities, maps with
* keys that are not text.
*/
var FOREIGN = Symbol("outside the JSON value space");
/**
* Reads exactly one data item, with or without the self-described CBOR tag in front. Integers that a double
* cannot hold exactly become bigint. Reserves no memory for a declared length that goes beyond the end of the
* bytes.
* @throws RangeError for malformed items, bytes after the item, invalid UTF-8, duplicate keys and nesting
* deeper than 64 (tags count)
*/
function readCbor(bytes) {
	return new CborReader(bytes).document();
}
var MAX_DEPTH = 64;
/** The self-described CBOR tag, and the major type of tags. */
var SELF_DESCRIBED = 55799;
var TAG = 6;
/** Values of "additional information": indefinite length, and the "break" of major type 7 that ends it. */
var INDEFINITE = 31;
var BREAK = 255;
var CborReader = class {
	bytes;
	view;
	at = 0;
	constructor(bytes) {
		this.bytes = bytes;
		this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	}
	document() {
		if ((this.bytes[0] ?? 0) >> 5 === TAG && Number(this.argument(this.byte() & 31)) !== SELF_DESCRIBED) this.at = 0;
		const value = this.value(0);
		if (this.at !== this.bytes.length) throw new RangeError("bytes behind the value");
		return value;
	}
	value(depth) {
		const head = this.byte();
		const info = head & 31;
		switch (head >> 5) {
			case 0: return narrowed(this.argument(info));
			case 1: {
				const argument = this.argument(info);
				return narrowed(typeof argument === "bigint" ? -1n - argument : -1 - argument);
			}
			case 2: return this.byteString(info);
			case 3: return this.text(info);
			case 4: return this.array(info, deeper(depth));
			case 5: return this.map(info, deeper(depth));
			case TAG:
				this.argument(info);
				this.value(deeper(depth));
				return FOREIGN;
			default: return this.simpleOrFloat(info);
		}
	}
	array(info, depth) {
		let left = this.count(info);
		if (left === 0 || this.ends(left)) return [];
		const values = [this.value(depth)];
		for (left--; left > 0 && !this.ends(left); left--) values.push(this.value(depth));
		return values;
	}
	map(info, depth) {
		const members = {};
		let isForeign = false;
		for (let left = this.count(info); left > 0 && !this.ends(left); left--) {
			const name = this.value(depth);
			if (typeof name === "string" && Object.hasOwn(members, name)) throw new RangeError("duplicate key");
			const value = this.value(depth);
			if (typeof name === "string") setMember(members, name, value);
			else isForeign = true;
		}
		return isForeign ? FOREIGN : members;
	}
	/** Infinity for an indefinite length. */
	count(info) {
		return info === INDEFINITE ? Number.POSITIVE_INFINITY : Number(this.argument(info));
	}
	/** Whether the "break" of an indefinite length comes next. If so, moves past it. */
	ends(left) {
		if (left !== Number.POSITIVE_INFINITY || this.bytes[this.at] !== BREAK) return false;
		this.at++;
		return true;
	}
	byteString(info) {
		return info === INDEFINITE ? joinBytes(this.chunks(2, (length) => this.take(length))) : this.taken(info);
	}
	text(info) {
		if (info === INDEFINITE) return this.chunks(3, (length) => this.utf8(length)).join("");
		return this.utf8(Number(this.argument(info)));
	}
	/**
	* The chunks of a string of indefinite length. Each must be of the same kind and of definite length; a text
	* chunk must be complete UTF-8.
	*/
	chunks(majorType, read) {
		const chunks = [];
		for (let head = this.byte(); head !== BREAK; head = this.byte()) {
			if (head >> 5 !== majorType) throw new RangeError("a chunk of another kind");
			chunks.push(read(Number(this.argument(head & 31))));
		}
		return chunks;
	}
	simpleOrFloat(info) {
		switch (info) {
			case 20: return false;
			case 21: return true;
			case 22: return null;
			case 24:
				if (this.byte() < 32) throw new RangeError("a simple value in no valid form");
				return FOREIGN;
			case 25: return finite(halfFloat(this.view.getUint16(this.advance(2))));
			case 26: return finite(this.view.getFloat32(this.advance(4)));
			case 27: return finite(this.view.getFloat64(this.advance(8)));
			default:
				if (info > 27) throw new RangeError("no value begins like this");
				return FOREIGN;
		}
	}
	argument(info) {
		if (info < 24) return info;
		if (info === 24) return this.byte();
		if (info === 25) return this.view.getUint16(this.advance(2));
		if (info === 26) return this.view.getUint32(this.advance(4));
		if (info === 27) return this.view.getBigUint64(this.advance(8));
		throw new RangeError("no argument of that size");
	}
	/**
	* Decodes short ASCII here. Names and ids are short, and a decoder call or a view for each costs more than
	* the rest of the reading.
	*/
	utf8(length) {
		if (length > SHORT) return decodeUtf8(this.take(length));
		const start = this.advance(length);
		let text = "";
		for (let at = start; at < this.at; at++) {
			const byte = this.bytes[at] ?? 0;
			if (byte >= 128) return decodeUtf8(this.bytes.subarray(start, this.at));
			text += String.fromCharCode(byte);
		}
		return text;
	}
	taken(info) {
		return this.take(Number(this.argument(info)));
	}
	take(length) {
		const start = this.advance(length);
		return this.bytes.subarray(start, start + length);
	}
	byte() {
		return this.view.getUint8(this.advance(1));
	}
	advance(length) {
		const start = this.at;
		if (length > this.bytes.length - start) throw new RangeError("the bytes end too early");
		this.at = start + length;
		return start;
	}
};
function deeper(depth) {
	if (depth >= MAX_DEPTH) throw new RangeError("nested too deep");
	return depth + 1;
}
function narrowed(value) {
	return Number.isSafeInteger(Number(value)) ? Number(value) : value;
}
/** Done by hand, because not every browser's DataView has getFloat16. */
function halfFloat(bits) {
	const exponent = bits >> 10 & 31;
	const fraction = (bits & 1023) / 1024;
	const sign = bits >> 15 === 0 ? 1 : -1;
	if (exponent === 31) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : NaN;
	return sign * (exponent === 0 ? fraction * 2 ** -14 : (1 + fraction) * 2 ** (exponent - 15));
}
function finite(value) {
	return Number.isFinite(value) ? value : FOREIGN;
}
/** Strings of at most this many bytes are decoded without TextDecoder. */
var SHORT = 40;
function decodeUtf8(bytes) {
	try {
		return textDecoder.decode(bytes);
	} catch {
		throw new RangeError("text that is not UTF-8");
	}
}
var textDecoder = new TextDecoder("utf-8", {
	fatal: true,
	ignoreBOM: true
});
// shared/proof/bundle/layout_places.ts
var BLOCK_MAP = { members: {
	previous_block_hash: "hex",
	merkle_root: "hex",
	signing_key_id: "hex",
	metadata: "hashed"
} };
var COMMITMENTS = { each: { members: {
	epoch_merkle_root: "hex",
	transaction_hash: "hex",
	block_merkle_root: "hex"
} } };
var PUBLISHED_PLACES = { members: {
	public_key: "base64",
	signature: "base64",
	subject: { members: {
		signing_key_id: "hex",
		claims: "hashed",
		entropy: "hashed",
		metadata: "hashed",
		witnesses: { members: {
			block: BLOCK_MAP,
			...Object.fromEntries(ENTROPY_NAMES.map((name) => [name, "hashed"]))
		} }
	} },
	block: BLOCK_MAP,
	block_path: { each: BLOCK_MAP },
	commitments: COMMITMENTS,
	signing_key_event: { members: {
		block: BLOCK_MAP,
		commitments: COMMITMENTS
	} }
} };
var COMPACT_PLACES = { members: {
	pk: "base64",
	sig: "base64",
	ip: "base64url_text",
	s: { members: {
		d: "hashed",
		mh: "hex",
		kid: "hex"
	} },
	b: { members: {
		ph: "hex",
		mr: "hex",
		mh: "hex",
		kid: "hex"
	} },
	cx: { each: { members: {
		ep: "base64url_text",
		tx: "hex",
		memo: "hex",
		op: "hex",
		bmr: "hex",
		rtx: "hex_text",
		txp: "hex_text"
	} } }
} };
/**
* Byte strings become hex or base64 where `places` says so. Elsewhere they count as absent, like every other
* value that JSON does not have.
* In a hashed place such a value is a rejection instead, because leaving it out would hash a document that
* nobody wrote.
*/
function documentOf(map, places) {
	return objectOf(map, places);
}
/** Undefined means absent. */
function readBack(value, place) {
	if (place === "hashed") return hashedValue(value);
	if (value instanceof Uint8Array) return textOfBytes(value, place);
	if (value === FOREIGN) return void 0;
	if (Array.isArray(value)) return value.map((entry) => readBack(entry, entryPlace(place)) ?? null);
	return typeof value === "object" && value !== null ? objectOf(value, place) : value;
}
function textOfBytes(bytes, place) {
	switch (place) {
		case "hex":
		case "hex_text": return toHex(bytes);
		case "base64": return toBase64(bytes);
		case "base64url_text": return toBase64Url(bytes);
		default: return;
	}
}
function objectOf(map, place) {
	const object = {};
	for (const [name, value] of Object.entries(map)) {
		const member = readBack(value, memberPlace(place, name));
		if (member !== void 0) setMember(object, name, member);
	}
	return object;
}
/** Returns the same object, not a copy: hashed values can be large. */
function hashedValue(value) {
	if (!isJson(value)) throw new BundleRejected("invalid_subject_data");
	return value;
}
function isJson(value) {
	if (typeof value !== "object" || value === null) return value !== FOREIGN;
	if (Array.isArray(value)) return value.every(isJson);
	if (value instanceof Uint8Array) return false;
	for (const name of Object.keys(value)) if (!isJson(value[name] ?? null)) return false;
	return true;
}
function memberPlace(place, name) {
	if (typeof place === "string" || !("members" in place) || !Object.hasOwn(place.members, name)) return "plain";
	return place.members[name] ?? "plain";
}
function entryPlace(place) {
	return typeof place === "object" && "each" in place ? place.each : "plain";
}
// shared/proof/bundle/read_bundle.ts
/**
* How many of each repeated part a bundle may have. The ceiling exists because each part adds rows, or names in
* rows, to the report.
* A correct bundle has one commitment per chain, a few witnesses, and at most 512 blocks in `block_path`.
*/
var MOST_PARTS = {
	commitments: 64,
	block_path: 1024,
	witnesses: 64
};
/** The witness names that have a meaning. They are always read, however many other names a bundle has. */
var KNOWN_WITNESSES = ["block", ...ENTROPY_NAMES];
function startCutting() {
	const surplus = [];
	const list = (place, entries, most) => {
		if (entries.length <= most) return entries;
		surplus.push(place);
		return entries.slice(0, most);
	};
	return {
		list,
		listIn: (place, value, most) => Array.isArray(value) ? [...list(place, value, most)] : value,
		witnesses: (place, value) => {
			if (!isJsonObject(value) || Object.keys(value).length <= MOST_PARTS.witnesses) return value;
			surplus.push(place);
			return knownOnly(value);
		},
		surplus
	};
}
function knownOnly(witnesses) {
	const known = {};
	for (const name of KNOWN_WITNESSES) {
		const value = memberOf(witnesses, name);
		if (value !== void 0) known[name] = value;
	}
	return known;
}
/** @throws BundleRejected */
function readBundleJson(text) {
	return readBundleObject(wellFormed(() => readStrictJson(text)));
}
/**
* `value` must come from the strict reader.
* @throws BundleRejected
*/
function readBundleObject(value) {
	if (!isJsonObject(value)) throw new BundleRejected("not_a_json_object");
	return readDocument(value, layoutOf(value));
}
/** @throws BundleRejected */
function readBundleCbor(bytes) {
	const value = wellFormed(() => readCbor(bytes));
	if (!(typeof value === "object" && value !== null && !Array.isArray(value)) || value instanceof Uint8Array) throw new BundleRejected("not_a_json_object");
	const layout = layoutOf(value);
	return readDocument(documentOf(value, layout === "compact" ? COMPACT_PLACES : PUBLISHED_PLACES), layout);
}
function readDocument(document, layout) {
	if (layout === void 0) throw new BundleRejected("unsupported_layout");
	return readParts(layout === "compact" ? publishedNames(document) : document, layout);
}
/** Checks the rejections in their order. The first that applies is the answer. */
function readParts(document, layout) {
	const type = carried(document, "type");
	if (!isProofType(type)) throw new BundleRejected("invalid_subject_type");
	const block = carried(document, "block");
	if (!isJsonObject(block)) throw new BundleRejected("missing_block");
	const subject = carried(document, "subject");
	const inclusionProof = carried(document, "inclusion_proof");
	const isBlockLike = type === "block" || type === "beacon";
	if (isBlockLike && (subject !== void 0 || inclusionProof !== void 0)) throw new BundleRejected("unexpected_subject_fields_for_block_like");
	if (!isBlockLike && !isJsonObject(subject)) throw new BundleRejected("missing_subject");
	if (!isBlockLike && typeof inclusionProof !== "string") throw new BundleRejected("missing_inclusion_proof");
	if (!hasMetadata(block, layout) || isJsonObject(subject) && !hasMetadata(subject, layout)) throw new BundleRejected("missing_metadata");
	const isPublished = layout === "published";
	const cutting = startCutting();
	return {
		type,
		layout,
		version: carried(document, "version"),
		generatedAt: carried(document, "generated_at"),
		publicKey: carried(document, "public_key"),
		signature: carried(document, "signature"),
		subject: isJsonObject(subject) ? readSubject(subject, {
			type,
			layout,
			cutting
		}) : void 0,
		inclusionProof: typeof inclusionProof === "string" ? inclusionProof : void 0,
		block: isPublished ? readBlock(block) : {
			...readBlock(block),
			metadata: void 0,
			metadataHash: carried(block, "metadata_hash")
		},
		blockPath: isPublished ? cutting.listIn("block_path", carried(document, "block_path"), MOST_PARTS.block_path) : void 0,
		commitments: cutting.list("commitments", readCommitments(carried(document, "commitments")), MOST_PARTS.commitments),
		signingKeyEvent: isPublished ? readKeyEvent(carried(document, "signing_key_event"), cutting) : void 0,
		surplus: cutting.surplus
	};
}
function readSubject(subject, { type, layout, cutting }) {
	const isPublished = layout === "published";
	const metadata = isPublished ? carried(subject, "metadata") : void 0;
	const committed = isJsonObject(metadata) ? carried(metadata, "witnesses") : void 0;
	return {
		id: carried(subject, "id"),
		data: carried(subject, type === "item" ? "claims" : "entropy"),
		metadata,
		metadataHash: isPublished ? void 0 : carried(subject, "metadata_hash"),
		signingKeyId: carried(subject, "signing_key_id"),
		committedWitnesses: cutting.witnesses("subject.metadata.witnesses", committed),
		witnesses: isPublished ? cutting.witnesses("subject.witnesses", carried(subject, "witnesses")) : void 0
	};
}
function readCommitments(entries) {
	if (!Array.isArray(entries) || entries.length === 0) throw new BundleRejected("no_external_commitments");
	return entries.map((value) => {
		const entry = readEntry$1(value);
		if (entry === void 0) throw new BundleRejected("invalid_commitment_entry");
		return entry;
	});
}
function readKeyEvent(event, cutting) {
	if (!isJsonObject(event)) return event;
	const entries = carried(event, "commitments");
	const kept = cutting.listIn("signing_key_event.commitments", entries, MOST_PARTS.commitments);
	return kept === void 0 ? event : {
		...event,
		commitments: kept
	};
}
function hasMetadata(map, layout) {
	return layout === "published" ? isJsonObject(carried(map, "metadata")) : typeof carried(map, "metadata_hash") === "string";
}
/**
* `published` without the short names `v` and `t`, otherwise `compact`. Undefined when `version` or `type` is
* there beside a short name.
*/
function layoutOf(document) {
	if (!Object.hasOwn(document, "v") && !Object.hasOwn(document, "t")) return "published";
	return isThere(document, "version") || isThere(document, "type") ? void 0 : "compact";
}
/** False also for a value that would count as absent after the conversion to JSON. */
function isThere(document, name) {
	const value = Object.hasOwn(document, name) ? document[name] : void 0;
	return value !== void 0 && value !== null && value !== FOREIGN && !(value instanceof Uint8Array);
}
function wellFormed(read) {
	const value = readOrUndefined(read);
	if (value === void 0) throw new BundleRejected("not_a_json_object");
	return value;
}
// shared/verifier/read_any_bundle.ts
var REJECTION_WORDS = {
	not_a_json_object: "It is neither a JSON object nor CBOR: the file is cut short, changed, or something else.",
	invalid_subject_data: "The hashed data in it holds something that JSON cannot say.",
	unsupported_layout: "It mixes the members of two layouts, so no reader can tell which one counts. Generate it again, in the layout “published”, or in “compact” for an older client.",
	invalid_subject_type: "It does not say what kind of thing it proves. If an older client wrote it, let that ask for the layout “compact”, the only one that it reads.",
	missing_block: "The block is missing.",
	unexpected_subject_fields_for_block_like: "It is about a block, and carries a subject all the same.",
	missing_subject: "The subject is missing.",
	missing_inclusion_proof: "The path from the subject to the block is missing.",
	missing_metadata: "The metadata of the subject or of the block is missing.",
	no_external_commitments: "It carries no commitment to any chain.",
	invalid_commitment_entry: "One of its commitments cannot be read."
};
/** No service of this kind issues a longer bundle. */
var LARGEST_BUNDLE_BYTES = 1048576;
/** @throws BundleRejected */
function readAnyBundle(given) {
	const bytes = typeof given === "string" ? new TextEncoder().encode(given) : given;
	const first = bytes[bytes.findIndex((byte) => !isBlank(byte))];
	if (first === void 0) throw new BundleRejected("not_a_json_object");
	if (first === OPEN_BRACE) return fromJson(bytes);
	if (first >= FIRST_BEYOND_ASCII) return readBundleCbor(bytes);
	return fromBase64Text(new TextDecoder().decode(bytes));
}
var OPEN_BRACE = 123;
/** A CBOR map or tag starts at or above this byte. Base64 text never does. */
var FIRST_BEYOND_ASCII = 128;
var isBlank = (byte) => byte === 32 || byte >= 9 && byte <= 13;
/** What `{"result": …}` holds, which is the answer of `proof/generate`. Undefined for everything else. */
var answeredIn = (value) => isJsonObject(value) && Object.keys(value).length === 1 ? memberOf(value, "result") : void 0;
/** Also reads an answer of `proof/generate` that was saved to a file. */
function fromJson(bytes) {
	const answered = answeredInJson(bytes);
	if (typeof answered === "string") return fromBase64Text(answered);
	return isJsonObject(answered) ? readBundleObject(answered) : readBundleJson(bytes);
}
function answeredInJson(text) {
	const value = readOrUndefined(() => readStrictJson(text));
	return value === void 0 ? void 0 : answeredIn(value);
}
/**
* Ignores line breaks, which mail and terminals add. Accepts the URL alphabet and missing padding, which some
* tools write.
*/
function fromBase64Text(text) {
	const plain = unpadded(text.replace(/\s+/g, "").replaceAll("-", "+").replaceAll("_", "/"));
	const bytes = readOrUndefined(() => fromBase64(plain.padEnd(Math.ceil(plain.length / 4) * 4, "=")));
	if (bytes === void 0) throw new BundleRejected("not_a_json_object");
	return readBundleCbor(bytes);
}
/**
* Not a regular expression that looks for the end, because on a megabyte of padding it would try from every
* position.
*/
function unpadded(text) {
	let end = text.length;
	while (text[end - 1] === "=") end--;
	return text.slice(0, end);
}
/**
* The bytes of the file, from the `result` of the service. Text is CBOR in base64; anything else is the JSON
* bundle, which must come from the strict reader so that no digit was rounded.
* @throws RangeError on text that is not base64
*/
var bundleBytes = (result) => typeof result === "string" ? fromBase64(result) : utf8(canonicalJson(result));
/**
* Such as `pharos-entropy-nist-<id>-partial.cbor`: the subject of the proof, and how much of it can be
* checked offline.
*/
var fileNameOf = ({ id, type, format = "json", witnesses }) => {
	const carried = witnesses === void 0 ? "" : witnesses.length === 0 ? "-compact" : "-partial";
	return `pharos-${type.replaceAll("_", "-")}-${id}${carried}.${format}`;
};
// shared/verifier/bundle_facts.ts
function bundleFacts({ type, publicKey: carriedKey, subject, block, commitments }) {
	const key = base64Bytes(carriedKey, 32);
	const data = subject?.data;
	const claims = type === "item" && isJsonObject(data) ? data : {};
	const hashType = textOf(carried(claims, "hash_type"));
	const hex = textOf(carried(claims, "hash"));
	return {
		keyId: key === void 0 ? void 0 : toHex(keyIdOf(key)),
		publicKey: textOf(carriedKey),
		name: textOf(carried(claims, "name")),
		claimedHash: hashType !== void 0 && hex !== void 0 && isHashType(hashType) ? {
			type: hashType,
			hex
		} : void 0,
		blockId: textOf(block.id),
		chains: commitments.map(chainFacts)
	};
}
var chainFacts = (entry) => ({
	chain: entry.chain,
	network: networkOf(entry),
	lacksBlock: CHAINS[entry.chain].evidence === "block" && lacksBlock(entry)
});
/**
* The signature does not cover the name of a network. An unknown name is not displayed, because its text
* could imitate a finding of the verifier.
*/
function networkOf(entry) {
	if (entry.chain === "bitcoin" && hasDevelopmentHeader(entry)) return "regtest";
	const network = textOf(entry.network);
	return network !== void 0 && isNetworkOf(entry.chain, network) ? network : "on a network that is not known here";
}
// shared/verifier/verdict.ts
function judgeReport(read, report, keyrings) {
	const facts = bundleFacts(read);
	const verdict = verdictOf$2(report, facts, keyrings);
	return {
		verdict,
		headline: HEADLINES$1[verdict],
		sentence: sentenceOf(verdict, report, facts),
		reservations: verdict === "invalid" ? [] : [...chainReservations(read, report, facts), ...fileReservations(report, facts)]
	};
}
var HEADLINES$1 = {
	valid: "Valid",
	key_open: "Not confirmed: whose key is it?",
	invalid: "Not valid"
};
function verdictOf$2(report, facts, keyrings) {
	if (report.passed) return "valid";
	return report.steps.filter(({ status }) => status === "fail").every(({ group }) => group === "Key Binding") && isUnheardOf(facts, keyrings) ? "key_open" : "invalid";
}
/** False when a keyring has the id with another key, because one of the two keys is then false. */
var isUnheardOf = ({ keyId }, keyrings) => keyId !== void 0 && !keyrings.some(({ keys }) => keys.some(({ key_id }) => key_id === keyId));
function sentenceOf(verdict, report, facts) {
	switch (verdict) {
		case "valid": {
			const committed = report.temporal.committed_at;
			const block = committed === void 0 ? "its block" : `the block finalized ${shownTime(committed)}`;
			return isBlockLike(report) ? `${block[0]?.toUpperCase()}${block.slice(1)} is as it was made, and a key that is known signed this proof.` : `Exactly these data are in ${block}, and a key that is known signed this proof.`;
		}
		case "key_open": return `Every hash, path and signature fits. But none of the keyrings at hand has the key ${facts.keyId ?? ""} that signed this, and anybody can make a bundle that fits under a key of his own.`;
		case "invalid": return `Failed: ${[...new Set(report.steps.filter(({ status }) => status === "fail").map((row) => row.group))].join(", ")}.`;
		default: return verdict;
	}
}
/** What was not checked or is weak in a bundle, but for what it says about a file. */
function chainReservations(read, report, { chains }) {
	const reservations = [];
	const development = chains.filter(({ network }) => network === "regtest");
	const open = chains.filter(({ network }) => network !== "regtest");
	if (development.length > 0) reservations.push(open.length === 0 ? "It is committed on a development chain only (bitcoin regtest), which the service itself can rewrite: it proves no time to outsiders." : "One of its commitments is on a development chain (bitcoin regtest), which proves nothing to outsiders.");
	const bare = open.filter(({ lacksBlock }) => lacksBlock);
	if (bare.length > 0) reservations.push(`The transaction, its hash or the block header is missing for ${namesOf(bare)}: nothing offline ties it to that chain, so it may as well be on a development chain, which proves nothing to outsiders.`);
	if (open.length > 0 && open.every(({ network }) => network === "testnet")) reservations.push(`${namesOf(open)} is a network for trials, which is started anew from time to time: what stands there does not last.`);
	if (open.length > 0 && !isConfirmed(report)) reservations.push(`${report.skipped_external ? "The public chains were not asked" : "The public chains gave no answer"}: that ${namesOf(open)} really carries the epoch’s root, and since when, was not checked.`);
	if (read.layout === "compact") reservations.push("The compact layout carries no witnesses and no key event, so none were checked.");
	return reservations;
}
function fileReservations({ source, expected_hash_provided }, { claimedHash }) {
	if (source !== "item" || claimedHash === void 0) return [];
	const weak = weakness(claimedHash.type).map(({ message }) => message);
	return expected_hash_provided ? weak : [NO_FILE, ...weak];
}
var NO_FILE = "No file was compared: the proof is about a digest, and whether that is the digest of your file was not checked.";
/** True when a chain was asked and agreed. Bytes that only agree inside the bundle give `info`. */
var isConfirmed = ({ steps }) => steps.some(({ group, status }) => status === "pass" && / Commitment$/.test(group));
var namesOf = (chains) => [...new Set(chains.map(({ chain, network }) => `${chain} ${network}`))].join(" and ");
var isBlockLike = ({ source }) => source === "block" || source === "beacon";
/** `2027-01-01T00:03:50Z` becomes `2027-01-01 00:03:50 UTC`. */
var shownTime = (time) => time.replace("T", " ").replace(/Z$/, " UTC");
// shared/proof/verify/keyring.ts
var KeyringRejected = class extends Error {
	name = "KeyringRejected";
};
/**
* The keys of `{"version": "1.0", "keys": [{"key_id", "public_key", …}]}`, from text, bytes or a value of the
* strict reader. Ignores other members. Each id must be derived from its key and appear once; otherwise a
* bundle's key could be found under the id of another key.
* @throws KeyringRejected with a message that says what is wrong
*/
function readKeyring(document) {
	const value = typeof document === "string" || document instanceof Uint8Array ? strictJson(document) : document;
	if (!isJsonObject(value)) throw new KeyringRejected("a keyring is a JSON object");
	if (carried(value, "version") !== "1.0") throw new KeyringRejected("not version 1.0 of a keyring");
	const keys = carried(value, "keys");
	if (!Array.isArray(keys)) throw new KeyringRejected("keys is not a list");
	const read = keys.map(readKey);
	if (new Set(read.map((key) => key.key_id)).size !== read.length) throw new KeyringRejected("two keys share a key_id");
	return read;
}
function readKey(entry, position) {
	const keyId = isJsonObject(entry) ? carried(entry, "key_id") : void 0;
	const publicKey = isJsonObject(entry) ? carried(entry, "public_key") : void 0;
	const bytes = base64Bytes(publicKey, 32);
	if (bytes === void 0 || typeof publicKey !== "string") throw new KeyringRejected(`public_key of keys[${position}] is not base64 of 32 bytes`);
	const derived = toHex(keyIdOf(bytes));
	if (keyId !== derived) throw new KeyringRejected(`key_id of keys[${position}] is not that of its public_key`);
	return {
		key_id: derived,
		public_key: publicKey
	};
}
function strictJson(document) {
	try {
		return readStrictJson(document);
	} catch (error) {
		if (error instanceof StrictJsonError) throw new KeyringRejected(error.message);
		throw error;
	}
}
// server/client/keyring.ts
var keyring = {
	usage: "add <file or address> [--name <name>] | list | remove <name>",
	meaning: "remembers whose keys are good, so that proofs can be verified without their service",
	help: `
Every service publishes the keys it ever signed with, at /.well-known/keyring.json. A proof says which key signed
it; only a keyring says whose key that is. What is remembered here is used by every later "verify".

  add <file or address>   remembers the keyring of a service (https://pharos.example) or in a file
      --name <name>       under another name than the service's host
  list                    shows what is remembered
  remove <name>           forgets one

They are kept in $XDG_CONFIG_HOME/pharos/keyrings (~/.config/pharos/keyrings). "proof" remembers the keyring of the
service it asks.`,
	options: { name: { type: "string" } },
	run: (surroundings, values, [verb, subject]) => {
		switch (verb) {
			case "add": return add(surroundings, required(verb, subject), textOption(values, "name"));
			case "list": return list(surroundings);
			case "remove": return remove(surroundings, required(verb, subject));
			default: throw new Complaint("Say what to do: add, list or remove.", { advice: `${surroundings.self} keyring --help` });
		}
	}
};
async function add(surroundings, source, name) {
	const { terminal } = surroundings;
	const found = await findKeyring(source);
	const known = name ?? found.name;
	const path = await rememberKeyring(surroundings, known, found.document);
	terminal.say(`Remembered ${plural(found.keys.length, "key")} of ${printable(known)}: ${found.keys.map(({ key_id }) => key_id).join(", ")}`);
	terminal.note(path);
	return 0;
}
async function list({ terminal, env, self }) {
	const shelf = await rememberedKeyrings(shelfFolder(env));
	for (const { name, keys, rememberedAt } of shelf) terminal.say(`${printable(name)}  ${keys.map(({ key_id }) => key_id).join(", ")}  (since ${rememberedAt.toISOString().slice(0, 10)})`);
	if (shelf.length === 0) terminal.note(`No keyring is remembered. ${self} keyring add https://your.service makes a start.`);
	return 0;
}
async function remove({ terminal, env }, name) {
	if (!await forgetKeyring(shelfFolder(env), name)) throw new Complaint(`No keyring is remembered under the name ${name}.`, { exitCode: 1 });
	terminal.say(`Forgot the keyring of ${name}.`);
	return 0;
}
var required = (verb, subject) => {
	if (subject === void 0 || subject === "") throw new Complaint(`keyring ${verb} needs ${verb === "add" ? "a file or an address" : "a name"}.`);
	return subject;
};
/**
* Named by host and port, or by the file's name.
* @param source a file, or the http(s) address of a service or of the keyring document
* @throws Complaint when there is no readable keyring
*/
async function findKeyring(source) {
	const { name, bytes } = isAddress(source) ? await fromAddress(urlIn(source)) : await fromFile(source);
	const document = new TextDecoder().decode(bytes);
	return {
		name,
		keys: readKeys(document, source),
		document
	};
}
var fromFile = async (source) => ({
	name: source === "-" ? "standard input" : source,
	bytes: await readNamed(source, LARGEST_ANSWER_BYTES)
});
function urlIn(source) {
	if (!URL.canParse(source)) throw new Complaint(`${source} is not an address.`);
	return new URL(source);
}
async function fromAddress(given) {
	const url = given.pathname === "/" ? new URL("/.well-known/keyring.json", given) : given;
	requireSafe(url);
	const { status, bytes } = await askHttp(url);
	if (status !== 200) throw new Complaint(`${url} answered ${status}.`, { advice: "Is it the address of a Pharos service, such as https://pharos.example?" });
	return {
		name: url.host,
		bytes
	};
}
/**
* Requires HTTPS, because anyone between here and the service could replace the keys. Plain HTTP is allowed
* on this machine only.
*/
var requireSafe = (url) => {
	if (url.protocol === "https:" || isOwnComputer(url.hostname)) return;
	throw new Complaint(`Keys are fetched over https only, and ${url.origin} is not.`, { advice: "Get the file some other way that you trust, and name it with --keyring." });
};
/**
* Those that `--keyring` names, or else those that are remembered.
* @throws Complaint
*/
async function keyringsFor({ env }, values) {
	const named = textOptions(values, "keyring");
	if (named.length === 0) return rememberedKeyrings(shelfFolder(env));
	return Promise.all(named.map(findKeyring));
}
var shelfFolder = (env) => join(configFolder(env), "keyrings");
/**
* Sorted by name: host and port of the service, e.g. `localhost:4000`.
* @throws Complaint for a file that is not a keyring, because skipping it would look like an unknown key
*/
var rememberedKeyrings = (folder) => onShelf(folder, async () => {
	const files = (await readdir(folder).catch(noFolder)).filter((file) => file.endsWith(".json")).sort();
	return Promise.all(files.map(async (file) => {
		const path = join(folder, file);
		const [text, { mtime }] = await Promise.all([readFile(path), stat(path)]);
		return {
			name: nameOf(file),
			keys: readKeys(text, path),
			path,
			rememberedAt: mtime
		};
	}));
});
/**
* Stores the document under the name. A service only ever adds keys. A missing or changed key means another
* service, or a replaced one, and a person must decide.
* @throws Complaint in that case
*/
function rememberKeyring({ env, self }, name, document) {
	const folder = shelfFolder(env);
	const keys = readKeys(document, `The keyring of ${name}`);
	const path = join(folder, fileOf(name));
	return onShelf(folder, async () => {
		const held = await readFile(path).catch(noFile);
		if (held !== void 0) refuseLoss(readKeys(held, path), keys, {
			name,
			self
		});
		await replaceFile(path, document);
		return path;
	});
}
/** True when the keyring existed. */
var forgetKeyring = (folder, name) => onShelf(folder, async () => {
	const path = join(folder, fileOf(name));
	const there = await readFile(path).catch(noFile) !== void 0;
	await rm(path, { force: true });
	return there;
});
/** @throws Complaint */
function readKeys(document, what) {
	try {
		return readKeyring(document);
	} catch (error) {
		if (!(error instanceof KeyringRejected)) throw error;
		throw new Complaint(`${what} is not a keyring: ${error.message}.`, { advice: "A keyring is the document a service publishes at /.well-known/keyring.json." });
	}
}
function refuseLoss(held, fresh, { name, self }) {
	const lost = held.find(({ key_id, public_key }) => !fresh.some((key) => key.key_id === key_id && key.public_key === public_key));
	if (lost !== void 0) throw new Complaint(`${name} does not know its own key ${lost.key_id} any more.`, {
		exitCode: 1,
		advice: `A service never drops a key: this may be another service at the same address. If you know that it was replaced, forget the old one first: ${self} keyring remove ${quoted(name)}`
	});
}
/** Turns errors of the file system into complaints, because only the person can solve them. */
async function onShelf(folder, work) {
	try {
		return await work();
	} catch (error) {
		if (codeOf(error) === void 0) throw error;
		throw new Complaint(`The keyrings in ${folder} cannot be read or kept: ${wordsOf(error)}.`);
	}
}
/** Percent-encoded, so that a name cannot lead out of the folder. */
var fileOf = (name) => `${encodeURIComponent(name)}.json`;
var nameOf = (file) => {
	const name = file.slice(0, -5);
	try {
		return decodeURIComponent(name);
	} catch {
		return name;
	}
};
var noFolder = (error) => {
	if (codeOf(error) === "ENOENT") return [];
	throw error;
};
var noFile = (error) => {
	if (codeOf(error) === "ENOENT") return void 0;
	throw error;
};
// server/client/ask_service.ts
/**
* The API key of the environment, when the address is that of the service that PHAROS_URL says it belongs to. It goes to
* nobody else. Undefined for every other address, without a key, and without PHAROS_URL.
*/
function ownCredential({ env, terminal }, url) {
	const key = env.PHAROS_API_KEY ?? "";
	const own = env.PHAROS_URL ?? "";
	if (key === "" || !URL.canParse(own) || new URL(own).origin !== url.origin) return void 0;
	if (url.protocol === "http:" && !isOwnComputer(url.hostname)) terminal.note(`! ${url.origin} is not https: whoever is on the way can read your API key.`);
	return { authorization: `Bearer ${key}` };
}
/** @throws Complaint when there is no valid address or no key */
function serviceFrom({ env, terminal }, values) {
	const address = textOption(values, "url") ?? (env.PHAROS_URL || "http://localhost:4000");
	if (!URL.canParse(address) || !/^https?:$/.test(new URL(address).protocol)) throw new Complaint(`${address} is not the address of a service.`, { advice: "Such as --url https://pharos.example" });
	const url = new URL(address);
	const key = textOption(values, "key") ?? env.PHAROS_API_KEY ?? "";
	if (!/^[\x21-\x7e]+$/.test(key)) throw new Complaint("No API key is at hand.", {
		exitCode: 4,
		advice: "Put it into the environment: export PHAROS_API_KEY=phk_…"
	});
	if (url.protocol === "http:" && !isOwnComputer(url.hostname)) terminal.note(`! ${url.origin} is not https: whoever is on the way can read your API key.`);
	const tenant = textOption(values, "tenant");
	return {
		url,
		headers: {
			authorization: `Bearer ${key}`,
			...tenant === void 0 ? {} : { tenant }
		}
	};
}
/**
* Sends a GET, or a POST when there is a body.
* @throws Complaint for every status that is not 2xx
*/
async function askService(service, path, body) {
	const { url, headers } = service;
	const answer = await askHttp(new URL(path, url), body === void 0 ? { headers } : {
		method: "POST",
		headers: {
			...headers,
			"content-type": "application/vnd.api+json"
		},
		body: JSON.stringify(body)
	});
	if (answer.status >= 200 && answer.status < 300) return readAnswer(answer.bytes, url);
	throw refusal(answer, url);
}
/**
* What `proof/generate` answers: a bundle, or CBOR as base64 text.
* @throws Complaint as `askService` does
*/
async function generatedProof(service, request) {
	const answer = await askService(service, "/api/json/proof/generate", { data: { ...request } });
	const result = isJsonObject(answer) ? memberOf(answer, "result") : void 0;
	if (result === void 0) throw new Complaint(`${service.url.origin} answered with something else than a proof.`);
	return result;
}
function readAnswer(bytes, { origin }) {
	try {
		return readStrictJson(bytes);
	} catch (error) {
		if (!(error instanceof StrictJsonError)) throw error;
		throw new Complaint(`${origin} answered something that is not JSON.`);
	}
}
/** The service answered, with another status than 2xx. */
var ServiceRefused = class extends Complaint {
	status;
	/** Such as `subject_not_ready`; the status as text when the answer has none. */
	code;
	/** Why there is no proof, where the answer to who has no account says only that there is nothing. */
	reason;
	retryAfterSeconds;
	constructor({ status, retryAfterSeconds }, { code, reason, message, advice }) {
		super(message, {
			exitCode: status === 401 ? 4 : 1,
			...advice === "" ? {} : { advice }
		});
		this.status = status;
		this.code = code;
		this.reason = reason;
		this.retryAfterSeconds = retryAfterSeconds;
	}
};
/** The detail from the service comes first. The advice depends on the error code. */
function refusal(answer, { origin }) {
	const { status, bytes, retryAfterSeconds } = answer;
	const entry = firstError(bytes);
	const detail = printable(textAt(entry, "detail") ?? textAt(entry, "title") ?? `It answered ${status}.`);
	const code = textAt(entry, "code") ?? String(status);
	const meta = isJsonObject(entry) ? memberOf(entry, "meta") : void 0;
	const reason = status === 404 ? textAt(meta, "reason") : void 0;
	const told = reason ?? code;
	const wait = retryAfterSeconds === void 0 ? "" : ` Try again in ${retryAfterSeconds} s.`;
	const advice = told === "no_external_commitments" && retryAfterSeconds === void 0 ? void 0 : ADVICE.get(told) ?? ADVICE.get(String(status));
	return new ServiceRefused(answer, {
		code,
		reason,
		message: `${origin} refused (${printable(told)}): ${detail}`,
		advice: `${advice ?? ""}${wait}`.trim()
	});
}
var SIGN_IN = "Put the address of your service and its key into the environment: export PHAROS_URL=https://… PHAROS_API_KEY=phk_…";
var ADVICE = /* @__PURE__ */ new Map([
	["no_external_commitments", "Its block does not stand on a public chain yet. Wait until the next epoch is committed and confirmed: the item’s proof_available_at is set then."],
	["subject_not_ready", "It is not in a finalized block yet. The proof can be made once that block stands on a public chain."],
	["subject_not_recomputable", "Its data were redacted or no longer make the committed hash. It cannot be proven."],
	["invalid_witness", `Witness names: ${[
		"block",
		...ENTROPY_NAMES,
		"signing_key_event"
	].join(", ")}.`],
	["signing_unavailable", "This passes."],
	["lookup_failed", "This passes."],
	["401", `No API key was sent, or it was not accepted: it may be mistyped, revoked, or of another service. ${SIGN_IN}`],
	["403", "This key may not do that."],
	["404", "There is nothing of this id and type that this key may read."],
	["429", "Too many requests."]
]);
var firstError = (bytes) => {
	try {
		const body = readStrictJson(bytes);
		const errors = isJsonObject(body) ? memberOf(body, "errors") : void 0;
		return Array.isArray(errors) ? errors[0] : void 0;
	} catch {
		return;
	}
};
var textAt = (value, name) => {
	const member = isJsonObject(value) ? memberOf(value, name) : void 0;
	return typeof member === "string" ? member : void 0;
};
/** Also says what its validity leaves open. @throws Complaint when it does not verify */
async function checkFetched({ url }, bytes) {
	const keyring = await findKeyring(url.origin);
	const read = readAnyBundle(bytes);
	const judgement = judgeReport(read, await verifyBundle(read, { keyrings: [keyring] }), [keyring]);
	if (judgement.verdict !== "valid") throw new Complaint(`${url.origin} sent a proof that does not verify. ${judgement.sentence}`, { exitCode: 1 });
	return {
		read,
		keyring,
		reservations: judgement.reservations
	};
}
// server/client/log_files.ts
/**
* `ahead` is how many files may be read at once.
* @param from a folder, or the http(s) address that stands before `/checkpoint`
*/
var logFiles = (surroundings, from) => isAddress(from) ? {
	read: filesAt(surroundings, logAddress(from)),
	ahead: 4
} : {
	read: filesIn(from),
	ahead: 2
};
/** The address with a slash at its end. @throws Complaint */
function logAddress(text) {
	if (!URL.canParse(text) || !isAddress(text)) throw new Complaint(`${text} is not an address.`);
	const url = new URL(text);
	if (url.search !== "" || url.hash !== "") throw new Complaint(`${text} is not the address of a log: it has a query.`);
	return new URL(`${url.href.replace(/\/+$/, "")}/`);
}
/** Whoever made the copy may have put a pipe or a device in place of a file. Opening a pipe would wait for its writer. */
var AT_ONCE = constants.O_RDONLY | constants.O_NONBLOCK;
function filesIn(folder) {
	return async (path, most) => {
		const name = join(folder, path);
		try {
			const file = await open(name, AT_ONCE);
			try {
				const found = await file.stat();
				if (!found.isFile() && !found.isDirectory()) throw new Complaint(`${name} is not a regular file.`, { exitCode: 1 });
				const { size } = found;
				if (size > most) throw new Complaint(`${name} has more than ${shownBytes(most)}.`, { exitCode: 1 });
				return await file.readFile();
			} finally {
				await file.close();
			}
		} catch (error) {
			if (codeOf(error) === "ENOENT" || codeOf(error) === "ENOTDIR") return void 0;
			throw unreadable(name, error);
		}
	};
}
var TIMEOUT_MS = 3e4;
var LONGEST_WAIT_SECONDS = 60;
/** A log that asks for patience may do so for some ten minutes. One that does not answer is tried for a few seconds. */
var MOST_WAITS = 20;
var MOST_TRIES = 4;
function filesAt(surroundings, base) {
	const headers = ownCredential(surroundings, base) ?? {};
	const pause = pauses(surroundings, base);
	return async (path, most) => {
		const url = new URL(path, base);
		for (let waits = 0, tries = 1;;) {
			const answer = await getBytes(url, { headers }, {
				bytes: most,
				milliseconds: TIMEOUT_MS
			}).catch(noAnswer);
			if (answer instanceof NoAnswer || answer.status >= 500) {
				if (tries === MOST_TRIES) throw answer instanceof NoAnswer ? answer : new Complaint(`${url} answered ${answer.status}.`);
				await setTimeout(2 ** tries * 250);
				tries += 1;
			} else if (answer.status === 429 && waits < MOST_WAITS) {
				waits += 1;
				await pause(Math.min(answer.retryAfterSeconds ?? 1, LONGEST_WAIT_SECONDS));
			} else return bodyOf(answer, url);
		}
	};
}
/** Waits, and says so once however many files wait for the same. */
function pauses({ terminal }, { host }) {
	let toldUntil = 0;
	return async (seconds) => {
		if (performance.now() >= toldUntil) {
			toldUntil = performance.now() + seconds * 1e3;
			const line = `! ${host} asks for a pause: it goes on in ${seconds} s.`;
			if (terminal.progress === void 0) terminal.note(line);
			else terminal.progress(line);
		}
		await setTimeout(seconds * 1e3);
		terminal.progress?.("");
	};
}
var noAnswer = (error) => {
	if (error instanceof NoAnswer) return error;
	throw error;
};
/** Undefined when there is no such file. @throws Complaint for every other status that is not 200 */
function bodyOf({ status, bytes }, url) {
	if (status === 200) return bytes;
	if (status === 404 || status === 410) return void 0;
	throw new Complaint(`${url} answered ${status}.`, {
		exitCode: status === 401 ? 4 : 2,
		advice: adviceFor(status)
	});
}
function adviceFor(status) {
	if (status === 401 || status === 403) return "This log is not public. With PHAROS_URL and PHAROS_API_KEY in the environment the key is sent to that service.";
	if (status >= 300 && status < 400) return "Redirects are not followed: name the address itself.";
	return "It must be the address that stands before /checkpoint, such as https://pharos.example/log";
}
var TRUST_OPTIONS = {
	key: {
		type: "string",
		multiple: true
	},
	policy: { type: "string" }
};
var TRUST_HELP = `  --key <verifier key>    whose log it is, as its operator's "log key" prints it: name+id+key. May be repeated
  --policy <file>         logs and witnesses in the form of tlog-policy: the checkpoint must meet its quorum`;
/** @throws Complaint for a key or a policy that cannot be read */
async function logTrust(values) {
	const keys = textOptions(values, "key").map(logKey);
	const file = textOption(values, "policy");
	if (file === void 0) return {
		keys,
		policy: void 0
	};
	const bytes = await readNamed(file, POLICY_CEILINGS.bytes);
	try {
		return {
			keys,
			policy: readPolicy(bytes)
		};
	} catch (error) {
		if (error instanceof RangeError) throw new Complaint(`${file} is not a policy that can be read here: ${error.message}.`);
		throw error;
	}
}
function logKey(text) {
	const key = readOrUndefined(() => readVerifierKey(text));
	if (key?.type === SIGNATURE_TYPES.ed25519) return key;
	throw new Complaint(`${text} is not the verifier key of a log.`, { advice: "Its operator prints it: npm run -s pharos -- log key. It stands in a policy too, after the word log." });
}
/** What the log showed is not what a log shows. A later look may find better. */
var StrangeAnswer = class extends Complaint {};
/** @throws StrangeAnswer when there is none */
async function shownCheckpoint(read) {
	const bytes = await read("checkpoint", COPY_CEILINGS.checkpoint);
	if (bytes === void 0) throw new StrangeAnswer("The log shows no checkpoint.");
	return strict$1("The log shows no checkpoint", () => ({
		text: new TextDecoder().decode(bytes),
		checkpoint: readSignedCheckpoint(bytes)
	}));
}
/** The key that the log itself names for an origin, in its policy. */
async function namedKey(read, origin) {
	const bytes = await read("policy", POLICY_CEILINGS.bytes);
	if (bytes === void 0) return void 0;
	return strict$1("The policy of the log cannot be read", () => readPolicy(bytes).logs.map(({ key }) => key).find(({ name }) => name === origin));
}
/** Both checkpoints must be signed by the key. @throws StrangeAnswer when the new one is not */
async function compared(read, key, { seen, now }) {
	if (!isSignedBy(now.note, key)) throw new StrangeAnswer(`The checkpoint has no valid signature of ${key.name}.`);
	const byTiles = (oldSize, newSize) => tileProof(read, oldSize, newSize);
	const found = await compareCheckpoints(seen, now, async (oldSize, newSize) => await givenProof(read, oldSize, newSize) ?? byTiles(oldSize, newSize));
	if (found !== "split" || seen.size === now.size) return found;
	const again = await compareCheckpoints(seen, now, byTiles);
	return again === "open" ? found : again;
}
var PROOF_BYTES = 2835;
/** A plain copy of a log gives none. */
async function givenProof(read, oldSize, newSize) {
	const bytes = await read(`consistency/${oldSize}/${newSize}`, PROOF_BYTES);
	if (bytes === void 0) return void 0;
	return strict$1("The consistency proof cannot be read", () => readHashLines(new TextDecoder().decode(bytes).split("\n").slice(0, -1)));
}
/** The same proof, made of tiles. Undefined when the log has too few of them. */
async function tileProof(read, oldSize, newSize) {
	let isMissing = false;
	const tiles = (places) => Promise.all(places.map(async (place) => {
		const { bytes } = await readTileFile(read, place);
		if (bytes === void 0) isMissing = true;
		return bytes ?? /* @__PURE__ */ new Uint8Array();
	}));
	try {
		return await consistencyProof(tiles, oldSize, newSize);
	} catch (error) {
		if (!(error instanceof RangeError)) throw error;
		if (isMissing) return void 0;
		throw new StrangeAnswer(`The tiles of the log cannot be read: ${error.message}.`);
	}
}
function strict$1(what, read) {
	try {
		return read();
	} catch (error) {
		if (error instanceof RangeError) throw new StrangeAnswer(`${what}: ${error.message}.`);
		throw error;
	}
}
// server/client/audit.ts
var audit = {
	usage: "--from <folder or address> [--key <verifier key>] [--policy <file>] [--since <checkpoint>] [--require-epochs] [--json]",
	meaning: "checks a copy of a public log: every block, the tree, the keys and the epochs, without any service",
	help: `
--from is a folder, or the address that stands before /checkpoint (https://pharos.example/log). It has the layout of
tlog-tiles; keyring.json and epochs/ beside it are checked where they are there, as they are in every export and at the
address of every service.

${TRUST_HELP}
  --any-key               counts a copy as sound although nobody said whose log it is. It then says only that
                          everything fits together, which anybody can bring about with keys of his own
  --since <file>          an earlier checkpoint of the log, which this one must continue. Everything is checked
                          all the same
  --require-epochs        finds fault with a copy that has no keyring.json or no epoch. Whether the newest epochs
                          are missing cannot be known from a copy: it says how many blocks at the end no epoch
                          covers
  --json                  prints the outcome as JSON

Checked are the signatures of the checkpoint; every block from the first one on: its hash, its link, its time, its
key event, its signature; every tile against the blocks; the keyring; of every epoch the root, the transaction and
the path to a Bitcoin header. Public chains are not asked whether they have that header or transaction.

Exit code: 0 sound, 1 not sound or nobody said whose log it is, 2 not readable or wrongly asked, 4 the log is not public
and asks for an API key. PHAROS_API_KEY is sent only where --from is at the service of PHAROS_URL.`,
	options: {
		from: { type: "string" },
		...TRUST_OPTIONS,
		"any-key": { type: "boolean" },
		since: { type: "string" },
		"require-epochs": { type: "boolean" },
		json: { type: "boolean" }
	},
	run: async (surroundings, values, positionals) => {
		const from = textOption(values, "from");
		if (from === void 0 || positionals.length > 0) throw new Complaint("Say which copy, with --from and a folder or an address.", { advice: "Without --from it is the command for operators, which audits their database: npm run pharos -- audit" });
		const trust = await logTrust(values);
		const outcome = await outcomeOf(surroundings, logFiles(surroundings, from), {
			trust,
			values
		});
		const passed = hasPassed(outcome, values["any-key"] === true);
		printAudit(surroundings.terminal, outcome, {
			asJson: values.json === true,
			passed
		});
		return passed ? 0 : 1;
	}
};
var hasPassed = ({ findings, counts, checkpoint }, anyKey) => findings.length === 0 && counts !== void 0 && (anyKey || checkpoint?.signer !== void 0);
/** Findings that are shown. More of them are mostly what follows from the first. */
var MOST_FINDINGS = 20;
async function outcomeOf(surroundings, { read, ahead }, { trust, values }) {
	const bytes = await read("checkpoint", COPY_CEILINGS.checkpoint);
	if (bytes === void 0) throw new Complaint("There is no checkpoint: this is not a copy of a log.", { advice: "--from names what stands before /checkpoint." });
	const findings = [];
	const checkpoint = drained(auditCheckpoint("checkpoint", bytes, trust), findings);
	if (checkpoint === void 0 || findings.length > 0) return {
		checkpoint,
		findings,
		counts: void 0
	};
	const since = await sinceOf(values, trust, checkpoint);
	const { progress } = surroundings.terminal;
	const tell = paced(progress, { everyMs: 200 });
	const audited = auditCopy({
		read,
		check,
		ahead,
		onProgress: ({ done, total }) => tell(() => `${done} of ${total} blocks`),
		requireEpochs: values["require-epochs"] === true,
		...since === void 0 ? {} : { since }
	}, checkpoint.head);
	let counts;
	try {
		for (let step = await audited.next(); findings.length < MOST_FINDINGS; step = await audited.next()) {
			if (step.done === true) {
				counts = step.value;
				break;
			}
			findings.push(step.value);
		}
	} finally {
		progress?.("");
	}
	return {
		checkpoint,
		findings,
		counts
	};
}
async function sinceOf(values, trust, { head }) {
	const file = textOption(values, "since");
	if (file === void 0) return void 0;
	const findings = [];
	const keys = [...trust.keys, ...(trust.policy?.logs ?? []).map(({ key }) => key)];
	const before = drained(auditCheckpoint(file, await readNamed(file, COPY_CEILINGS.checkpoint), {
		keys,
		policy: void 0
	}), findings);
	const [first] = findings;
	if (first !== void 0) throw new Complaint(`${describeCopyFinding(first)}.`);
	if (before === void 0) throw new Complaint(`${file} is not a checkpoint.`);
	if (before.head.origin !== head.origin) throw new Complaint(`${file} is of the log ${before.head.origin}, and the copy of ${head.origin}.`);
	if (before.head.size > head.size) throw new Complaint(`${file} is newer than the copy: ${before.head.size} blocks, and the copy has ${head.size}.`);
	return before.head;
}
/** Puts what a generator yields into a list, and returns its result. */
function drained(generator, into) {
	for (let step = generator.next();; step = generator.next()) {
		if (step.done === true) return step.value;
		into.push(step.value);
	}
}
/** RFC 8410: the bytes before a raw Ed25519 key. Node is several times faster here than the code of the page. */
var SPKI_HEAD = Buffer.from("302a300506032b6570032100", "hex");
var check = (publicKey) => {
	const key = createPublicKey({
		key: Buffer.concat([SPKI_HEAD, publicKey]),
		format: "der",
		type: "spki"
	});
	return (digest, signature) => verify(null, digest, key, signature);
};
function printAudit(terminal, outcome, { asJson, passed }) {
	if (asJson) terminal.say(JSON.stringify({
		passed,
		...document(outcome)
	}, null, 2));
	else printLines(terminal, outcome);
}
var document = ({ checkpoint, findings, counts }) => ({
	...checkpoint === void 0 ? {} : {
		origin: checkpoint.head.origin,
		size: checkpoint.head.size,
		root: toBase64(checkpoint.head.root),
		signed_by: checkpoint.signer?.name ?? null,
		cosigned_by: checkpoint.cosigned
	},
	findings: findings.map((finding) => ({
		...finding,
		text: describeCopyFinding(finding)
	})),
	...counts === void 0 ? {} : {
		blocks: counts.blocks,
		tiles: counts.tiles,
		keys: counts.keys,
		keyring: counts.hasKeyring,
		keys_not_covered: counts.laterKeys.map(({ keyId, introducedAtHeight }) => ({
			key_id: toHex(keyId),
			introduced_at_height: introducedAtHeight
		})),
		epochs: counts.series,
		uncovered: counts.uncovered
	}
});
function printLines({ say, note, paint }, { checkpoint, findings, counts }) {
	if (checkpoint !== void 0) {
		const { head, signer, cosigned } = checkpoint;
		say(`${printable(head.origin)}, ${plural(head.size, "block")}, root ${toBase64(head.root)}`);
		if (signer !== void 0) say(`  signed by ${printable(signer.name)}`);
		if (cosigned.length > 0) say(`  cosigned by ${cosigned.map(printable).join(", ")}`);
	}
	if (counts !== void 0) {
		say(`  ${plural(counts.blocks, "block")}, ${plural(counts.tiles, "tile")} and ${plural(counts.keys, "signing key")} checked`);
		const [firstLater] = counts.laterKeys;
		if (firstLater !== void 0) say(`  ${plural(counts.laterKeys.length, "key")} from height ${firstLater.introducedAtHeight} on ${counts.laterKeys.length === 1 ? "is" : "are"} not covered by this checkpoint: ${counts.laterKeys.map(({ keyId }) => toHex(keyId)).join(", ")}`);
		for (const { folder, epochs, confirmed, confirmedTo } of counts.series) say(`  ${folder}: ${plural(epochs, "epoch")} checked, ${confirmed} of them confirmed${confirmedTo === void 0 ? "" : `, up to height ${confirmedTo}`}`);
		if (counts.series.length > 0 && counts.uncovered > 0) say(`  no epoch covers the last ${plural(counts.uncovered, "block")}`);
	}
	for (const finding of findings) say(`${paint.red("✗")} ${printable(describeCopyFinding(finding))}`);
	say(findings.length > 0 ? paint.red("The copy is NOT sound.") : checkpoint?.signer === void 0 ? paint.yellow("Everything fits together, and whose log it is stays open.") : isPartOnly(counts) ? paint.yellow("The copy is sound as far as it goes: something that belongs beside it is missing.") : counts !== void 0 && counts.laterKeys.length > 0 ? paint.yellow("The copy is sound but for these keys: nothing in it shows that they are of the log.") : paint.green("The copy is sound."));
	if (counts === void 0) note("! The audit ended there. More may be wrong.");
	if (checkpoint !== void 0 && checkpoint.signer === void 0 && findings.length === 0) note("! Nobody said whose log it is, so the signatures were not checked: --key or --policy. Anybody can make such a copy with keys of his own.");
	if (checkpoint !== void 0 && checkpoint.ignored > 0) note(`! Not checked, because nothing at hand names the key: ${plural(checkpoint.ignored, "signature")} of the checkpoint.`);
	if (counts !== void 0 && !counts.hasKeyring) note("! There is no keyring.json. The keys were taken from the blocks.");
	if (counts !== void 0 && counts.series.length === 0) note("! There are no epochs beside it, so nothing shows what public chains have of the blocks.");
}
var isPartOnly = (counts) => counts !== void 0 && (!counts.hasKeyring || counts.series.length === 0);
// shared/proof/opentimestamps/ots_format.ts
/** What every .ots file begins with: magic bytes and the version. */
var OTS_HEAD = concatBytes$2(utf8("\0OpenTimestamps\0\0Proof\0"), Uint8Array.of(191, 137, 226, 232, 132, 232, 146, 148), Uint8Array.of(1));
/** The hash functions: of a file's digest, and as operations. Lengths in bytes. */
var OTS_HASHES = {
	sha256: {
		tag: 8,
		bytes: 32
	},
	sha1: {
		tag: 2,
		bytes: 20
	},
	ripemd160: {
		tag: 3,
		bytes: 20
	},
	keccak256: {
		tag: 103,
		bytes: 32
	}
};
var OTS_TAGS = {
	append: 240,
	prepend: 241,
	reverse: 242,
	hexlify: 243,
	attestation: 0,
	/** Stands before each item of a timestamp but the last. */
	more: 255
};
/** Bytes of a message, a result or an argument. Hexlify doubles its message, so that one has at most half. */
var MOST_MESSAGE_BYTES = 4096;
/** The first eight bytes of an attestation say what it is. */
var BITCOIN_ATTESTATION = Uint8Array.of(5, 136, 150, 13, 115, 215, 25, 1);
var PENDING_ATTESTATION = Uint8Array.of(131, 223, 227, 13, 46, 249, 12, 142);
/** Bytes of what follows them. */
var MOST_ATTESTATION_BYTES = 8192;
/** The address of a calendar, at which readers ask for the rest. They refuse longer ones and other characters. */
var MOST_CALENDAR_ADDRESS_BYTES = 1e3;
var CALENDAR_ADDRESS = /^[A-Za-z0-9\-._/:]*$/;
function variableBytes(bytes) {
	return concatBytes$2(variableInteger(bytes.length), bytes);
}
/**
* Little-endian in groups of seven bits; the high bit says that more follow. Uses arithmetic, because bit shifts would
* cut the value to 32 bits.
*/
function variableInteger(value) {
	if (!Number.isSafeInteger(value) || value < 0) throw new RangeError(`${value} is not an unsigned integer`);
	const bytes = [];
	let rest = value;
	for (; rest > 127; rest = Math.floor(rest / 128)) bytes.push(rest % 128 + 128);
	return Uint8Array.from([...bytes, rest]);
}
// shared/proof/opentimestamps/timestamp_path.ts
/**
* Every method applies one operation to the present message and notes it down.
* All throw NotExpressible: `too_long` for a result beyond the limit, `too_deep` for an operation too many.
*/
var TimestampPath = class {
	noted = [];
	current;
	constructor(digest) {
		this.current = digest;
	}
	/** The result of the last operation. */
	get message() {
		return this.current;
	}
	get operations() {
		return this.noted.length;
	}
	/** Appending nothing is no operation, because the format has none without an argument. */
	append(suffix) {
		return suffix.length === 0 ? this : this.note(OTS_TAGS.append, concatBytes$2(this.current, suffix), suffix);
	}
	/** Prepending nothing is no operation. */
	prepend(prefix) {
		return prefix.length === 0 ? this : this.note(OTS_TAGS.prepend, concatBytes$2(prefix, this.current), prefix);
	}
	hexlify() {
		return this.note(OTS_TAGS.hexlify, utf8(toHex(this.current)));
	}
	sha256() {
		return this.note(OTS_HASHES.sha256.tag, sha256(this.current));
	}
	/** The operations so far, and the attestation that the Bitcoin block at `height` has the message as Merkle root. */
	attestedAt(height) {
		return joinBytes([
			...this.noted,
			Uint8Array.of(OTS_TAGS.attestation),
			BITCOIN_ATTESTATION,
			variableBytes(variableInteger(height))
		]);
	}
	note(tag, result, argument) {
		if (result.length > 4096) throw new NotExpressible("too_long");
		if (this.noted.length === 255) throw new NotExpressible("too_deep");
		const operation = Uint8Array.of(tag);
		this.noted.push(argument === void 0 ? operation : concatBytes$2(operation, variableBytes(argument)));
		this.current = result;
		return this;
	}
};
/** Why an item cannot be written as an .ots file, in words for people. */
var NOT_EXPRESSIBLE = {
	no_file_digest: "The claims name no digest of a file, and an .ots file begins with one.",
	hash_type: "An .ots file begins with a sha256 or sha1 digest, and the claims name one of another hash_type.",
	redacted: "The claims were redacted, and an .ots file consists of them in part.",
	too_long: "The claims, or the Bitcoin transaction, are longer than the 4,096 bytes that an .ots file takes.",
	too_deep: "The proof has more steps than readers of .ots files follow.",
	no_bitcoin_commitment: "Its block is not committed to a Bitcoin chain."
};
/** The proof may be sound all the same: its bundle says so. */
var NotExpressible = class extends Error {
	name = "NotExpressible";
	reason;
	constructor(reason) {
		super(NOT_EXPRESSIBLE[reason]);
		this.reason = reason;
	}
};
// shared/proof/opentimestamps/item_path.ts
/** @throws NotExpressible `no_file_digest` or `hash_type` */
function fileDigest(claims) {
	const hash = memberOf(claims, "hash");
	const hashType = memberOf(claims, "hash_type");
	if (typeof hash !== "string" || typeof hashType !== "string") throw new NotExpressible("no_file_digest");
	if (hashType !== "sha256" && hashType !== "sha1") throw new NotExpressible("hash_type");
	const bytes = hexBytes(hash, OTS_HASHES[hashType].bytes);
	if (bytes === void 0) throw new NotExpressible("no_file_digest");
	return {
		hashType,
		bytes
	};
}
/**
* To the hash of the claims, whose canonical text has the digest in hex.
* @throws NotExpressible `no_file_digest`, `hash_type` or `too_long`
*/
function claimsPath(claims) {
	const { bytes } = fileDigest(claims);
	const { before, after } = textAroundHash(claims);
	return new TimestampPath(bytes).hexlify().prepend(concatBytes$2(u8(DOMAIN_BYTES.items_claims), utf8(before))).append(utf8(after)).sha256();
}
/** Members stand in the order of their names. The digest may also occur elsewhere in the text, so nothing is searched. */
function textAroundHash(claims) {
	const names = Object.keys(claims).sort();
	const place = names.indexOf("hash");
	const member = (name) => `${canonicalJson(name)}:${canonicalJson(memberOf(claims, name) ?? null)}`;
	const inFront = names.slice(0, place).map((name) => `${member(name)},`);
	const behind = names.slice(place + 1).map((name) => `,${member(name)}`);
	return {
		before: `{${inFront.join("")}"hash":"`,
		after: `"${behind.join("")}}`
	};
}
/** From the hash of the claims to the hash of the item. */
function itemSteps(path, subject) {
	return compositeSteps(path, "item", lengthPrefixed(utf8(present(subject.id))), tailOf("items_metadata", subject));
}
/** From the Merkle root of a block to its hash. */
function blockSteps(path, block) {
	const previous = lengthPrefixed(bytesOf(block.previousBlockHash, 32));
	return compositeSteps(path, "block", concatBytes$2(lengthPrefixed(utf8(present(block.id))), previous), tailOf("block_metadata", block));
}
/**
* From a hash to the root of the tree over it.
* @param path as the bundle carries it
*/
function merkleSteps(path, encoded) {
	path.prepend(u8(DOMAIN_BYTES.leaf)).sha256();
	for (const step of decodePath(encoded)) nodeSteps(path, step);
	return path;
}
function nodeSteps(path, { side, hash }) {
	const domain = u8(DOMAIN_BYTES.node);
	if (side === "left") path.prepend(concatBytes$2(domain, hash)).sha256();
	else path.prepend(domain).append(hash).sha256();
}
/** The present message is the 32-byte hash between `head` and `tail`. */
function compositeSteps(path, domain, head, tail) {
	return path.prepend(concatBytes$2(u8(DOMAIN_BYTES[domain]), head, u32$1(path.message.length))).append(tail).sha256();
}
function tailOf(domain, part) {
	const metadataHash = mapHash(domain, part);
	if (metadataHash === void 0) throw new RangeError("the metadata has no hash");
	return concatBytes$2(lengthPrefixed(metadataHash), lengthPrefixed(bytesOf(part.signingKeyId, 4)));
}
function bytesOf(value, size) {
	const bytes = hexBytes(value, size);
	if (bytes === void 0) throw new RangeError(`not ${size} bytes in hex`);
	return bytes;
}
function present(id) {
	if (typeof id !== "string") throw new RangeError("an id is missing");
	return id;
}
// shared/proof/opentimestamps/ots_file.ts
/** An attestation names no network, so a file has the commitment of one: of the first in this list. */
var BITCOIN_NETWORKS = [
	"mainnet",
	"testnet",
	"regtest"
];
/** Such as `pharos-item-<id>.ots`; of a network for trials `pharos-item-<id>.regtest.ots`. */
var otsFileName = (id, network) => `pharos-item-${id}${network === "mainnet" ? "" : `.${network}`}.ots`;
/** @throws as `bitcoinTimestampOf` does */
function otsFileOf(bundle) {
	const { hashType, digest, bytes, ...attested } = bitcoinTimestampOf(bundle);
	return {
		...attested,
		bytes: concatBytes$2(OTS_HEAD, u8(OTS_HASHES[hashType].tag), digest, bytes)
	};
}
/**
* The timestamp alone, as a calendar answers it.
* @param bundle of an item; it must have passed verification
* @throws NotExpressible
* @throws RangeError when the parts do not lead to a Bitcoin block, which verification would have found
*/
function bitcoinTimestampOf({ subject, inclusionProof, block, commitments }) {
	const claims = subject?.data;
	if (subject === void 0 || inclusionProof === void 0 || !isJsonObject(claims)) throw new NotExpressible("no_file_digest");
	const { hashType, bytes: digest } = fileDigest(claims);
	const path = merkleSteps(itemSteps(claimsPath(claims), subject), inclusionProof);
	const commitment = bitcoinCommitment(commitments);
	const { entry, network, height } = commitment;
	bitcoinSteps(merkleSteps(blockSteps(path, block), entry.epochProof), commitment);
	const { operations } = path;
	return {
		hashType,
		digest,
		network,
		height,
		operations,
		bytes: path.attestedAt(height)
	};
}
/** Entries of other programs may lack members, and then lead nowhere. */
function bitcoinCommitment(entries) {
	for (const network of BITCOIN_NETWORKS) for (const entry of entries) {
		const { rawTransaction, txoutproof } = entry;
		const height = integerOf(entry.blockHeight);
		if (entry.chain !== "bitcoin" || entry.network !== network || height === void 0) continue;
		if (typeof rawTransaction !== "string" || typeof txoutproof !== "string") continue;
		return {
			entry,
			network,
			height,
			transaction: hexOrBase64Url(rawTransaction),
			txoutproof: hexOrBase64Url(txoutproof)
		};
	}
	throw new NotExpressible("no_bitcoin_commitment");
}
/** From the root of an epoch to the Merkle root of the Bitcoin block whose transaction carries it. */
function bitcoinSteps(path, { transaction, txoutproof }) {
	const hashed = transactionBytes(readTransaction(transaction));
	const root = path.message;
	const place = placeIn(hashed, root);
	path.prepend(hashed.subarray(0, place)).append(hashed.subarray(place + root.length)).sha256().sha256();
	const proof = readTxoutproof(txoutproof);
	for (const { side, hash } of proof.path) (side === "left" ? path.prepend(hash) : path.append(hash)).sha256().sha256();
	if (!proof.isValid || !bytesEqual(path.message, proof.fields.merkleRoot)) throw new RangeError("the transaction does not lead to the header");
}
/** Any place of the root in the transaction proves the same. */
function placeIn(bytes, part) {
	for (let place = 0; place + part.length <= bytes.length; place++) if (bytesEqual(bytes.subarray(place, place + part.length), part)) return place;
	throw new RangeError("the transaction does not carry the root of the epoch");
}
// server/client/proof.ts
/** What shapes a bundle, and no .ots file. */
var OF_BUNDLES = [
	"format",
	"layout",
	"witnesses"
];
/** @throws Complaint for options that do not go together */
function checkOtsOptions(values) {
	const other = OF_BUNDLES.find((name) => values[name] !== void 0);
	if (other !== void 0) throw new Complaint(`--${other} is about bundles, and --ots writes none.`);
	if (values.type !== void 0 && values.type !== "item") throw new Complaint("--ots is for items: an .ots file begins with the digest of a file.");
}
/** @param out `-` for standard output; the usual name when undefined */
async function storeOts({ terminal }, { read }, { id, out }) {
	const { network, bytes } = expressed(() => otsFileOf(read));
	if (out === "-") {
		process.stdout.write(bytes);
		return 0;
	}
	const path = out ?? otsFileName(id, network);
	await writeMade(path, bytes);
	terminal.say(`${printable(path)}  the proof for the OpenTimestamps client; its bundle verifies`);
	terminal.note("! It discloses the whole claims of the item. Signatures, witnesses and keys are in the bundle alone.");
	if (network !== "mainnet") terminal.note(`! It attests to Bitcoin's ${network}, which proves nothing to outsiders.`);
	terminal.note("To check it with the file that the item is about, and a Bitcoin node:");
	terminal.note(`  ots ${OPTION[network]}verify -f <file> ${quoted(path)}`);
	return 0;
}
var OPTION = {
	mainnet: "",
	testnet: "--btc-testnet ",
	regtest: "--btc-regtest --bitcoin-node <address> "
};
function expressed(express) {
	try {
		return express();
	} catch (error) {
		if (error instanceof NotExpressible) throw new Complaint(`There is no .ots file of this item (${error.reason}): ${error.message}`, {
			exitCode: 1,
			advice: "Without --ots its proof can be had as a bundle."
		});
		if (error instanceof RangeError) throw new Complaint(`The proof has no way to a Bitcoin block: ${error.message}.`, { exitCode: 1 });
		throw error;
	}
}
var proof = {
	usage: "<id> [--type <type>] [--format json|cbor] [--witnesses <names>|none] [--ots] [-o <file>] [--url <service>]",
	meaning: "fetches a proof from a service, with the keyring to check it by when the service is gone",
	help: `
<id> is an item's id, a block's or an observation's id, or the hash of a beacon.

  --type <type>        item, block, beacon, ${ENTROPY_NAMES.join(", ")}; found out when left out
  --format <format>    json (default) or cbor
  --witnesses <names>  the names to carry, with commas between, or none; all of them when left out
  --layout <layout>    published or compact (for older clients); the service's own default when left out
  --ots                the proof of an item as an .ots file, for the ordinary OpenTimestamps client. It discloses the
                       whole claims, and a bundle says more: it has signatures, witnesses and keys
  -o, --out <file>     where to put it; - is standard output, and then nothing else is stored
  --url <service>      default: PHAROS_URL, else http://localhost:4000
  --key <key>          API key; better in PHAROS_API_KEY, since a command line can be seen by others
  --tenant <team id>   acts in this team

The proof is verified before it is stored. The service's keyring is stored beside it, to hand on together with it, and
remembered on this computer, so that "verify" knows it. A proof can be made once the block stands on a public chain;
until then the service says so and this command exits with 1. It exits with 4 when it needs an API key.`,
	options: {
		type: { type: "string" },
		format: { type: "string" },
		witnesses: { type: "string" },
		layout: { type: "string" },
		ots: { type: "boolean" },
		out: {
			type: "string",
			short: "o"
		},
		url: { type: "string" },
		key: { type: "string" },
		tenant: { type: "string" }
	},
	run: async (surroundings, values, [id, ...more]) => {
		if (id === void 0 || more.length > 0) throw new Complaint("Name one id.", { advice: `${surroundings.self} proof --help` });
		const service = serviceFrom(surroundings, values);
		const out = textOption(values, "out");
		if (values.ots === true) {
			checkOtsOptions(values);
			return fetchOts(surroundings, service, {
				id: id.toUpperCase(),
				out
			});
		}
		const request = await proofRequest(service, id, values);
		const bytes = bundleBytes(await generatedProof(service, request));
		if (out === "-") {
			process.stdout.write(bytes);
			return 0;
		}
		return store(surroundings, service, {
			path: out ?? fileNameOf(request),
			bytes
		});
	}
};
/** The smallest bundle has all that an .ots file is made of. */
async function fetchOts(surroundings, service, { id, out }) {
	return storeOts(surroundings, await checkFetched(service, bundleBytes(await generatedProof(service, {
		id,
		type: "item",
		format: "json",
		layout: "published",
		witnesses: []
	}))), {
		id,
		out
	});
}
async function store(surroundings, service, { path, bytes }) {
	const { terminal, self } = surroundings;
	const { keyring, reservations } = await checkFetched(service, bytes);
	const keyringPath = join(dirname(path), `pharos-keyring-${keyring.name.replace(/[^\w.-]+/g, "-")}.json`);
	await writeMade(path, bytes);
	await writeMade(keyringPath, new TextEncoder().encode(keyring.document));
	terminal.say(`${printable(path)}  the proof; it verifies`);
	terminal.say(`${printable(keyringPath)}  the keys of ${keyring.name}, to hand on with it`);
	for (const reservation of reservations) terminal.note(`! ${printable(reservation)}`);
	await rememberKeyring(surroundings, keyring.name, keyring.document);
	terminal.note(`The keys of ${keyring.name} are remembered on this computer too. To check it, with or without the service:`);
	terminal.note(`  ${self} verify ${quoted(path)}`);
	return 0;
}
/**
* Asks the service when the id alone does not show the type.
* @throws Complaint when the type cannot be found
*/
async function proofRequest(service, given, values) {
	const options = {
		...chosen(values, "format", ["json", "cbor"]),
		...chosen(values, "layout", ["published", "compact"]),
		...witnessesOf(textOption(values, "witnesses"))
	};
	return {
		...await subjectOf$1(service, given, typeOf(textOption(values, "type"))),
		...options
	};
}
async function subjectOf$1(service, given, type) {
	if (/^[0-9a-f]{64}$/i.test(given)) return {
		id: textAt(await askService(service, `/api/json/beacons/by-hash/${given.toLowerCase()}`), "id") ?? given,
		type: type ?? "beacon"
	};
	if (type !== void 0) return {
		id: given,
		type
	};
	const upper = given.toUpperCase();
	if (isUlid(upper)) return {
		id: upper,
		type: "item"
	};
	return resolved(service, given);
}
/** Asks the service, because a UUID may belong to a block or to an observation. */
async function resolved(service, given) {
	const answer = await askService(service, "/api/json/utilities/resolve-id", { data: { id: given } });
	const result = isJsonObject(answer) ? memberOf(answer, "result") : void 0;
	const matches = isJsonObject(result) ? memberOf(result, "matches") : void 0;
	const type = typeOf((Array.isArray(matches) ? matches : []).map((match) => textAt(match, "proof_type")).find((name) => name !== void 0));
	if (type === void 0) throw new Complaint(`${given} is nothing that this service can prove to you.`, {
		exitCode: 1,
		advice: "Is the id complete, and of this service?"
	});
	return {
		id: given.toLowerCase(),
		type
	};
}
var typeOf = (name) => {
	if (name === void 0 || isProofType(name)) return name;
	throw new Complaint(`--type is one of ${Object.keys(TYPE_CODES).join(", ")}.`);
};
var witnessesOf = (list) => {
	if (list === void 0 || list === "all") return {};
	return { witnesses: list === "none" ? [] : list.split(",").map((name) => name.trim()).filter((name) => name !== "") };
};
function chosen(values, name, choices) {
	const given = textOption(values, name);
	if (given === void 0) return {};
	const choice = choices.find((one) => one === given);
	if (choice === void 0) throw new Complaint(`--${name} is ${choices.join(" or ")}.`);
	const picked = {};
	picked[name] = choice;
	return picked;
}
// shared/evidence/digest_tree.ts
var TREE_FORMAT = "pharos-tree-v1";
/** The most entries of one tree. */
var MAX_TREE_SIZE = 1048576;
/** What an entry can stand for besides the digest of a file. Lengths in bytes. */
var OTHER_ENTRIES = {
	[TREE_FORMAT]: {
		least: 40,
		most: 40,
		salt: "none"
	},
	ots: {
		least: 1,
		most: 64,
		salt: "none"
	},
	"rfc3161-token": {
		least: 32,
		most: 32,
		salt: "none"
	},
	round: {
		least: 32,
		most: 32,
		salt: "none"
	},
	names: {
		least: 32,
		most: 32,
		salt: "needed"
	}
};
var isEntryType = (name) => isHashType(name) || Object.hasOwn(OTHER_ENTRIES, name);
var rulesOf = (type) => isHashType(type) ? {
	least: HASH_TYPES[type] / 2,
	most: HASH_TYPES[type] / 2,
	salt: "allowed"
} : OTHER_ENTRIES[type];
/** @throws RangeError when the value or the salt does not have the length that its type asks for */
function checkEntry({ type, value, salt }) {
	const rules = rulesOf(type);
	if (value.length < rules.least || value.length > rules.most) {
		const asked = rules.least === rules.most ? `${rules.least}` : `${rules.least} to ${rules.most}`;
		throw new RangeError(`an entry of type ${type} has ${asked} bytes, not ${value.length}`);
	}
	if (salt === void 0 ? rules.salt === "needed" : rules.salt === "none") throw new RangeError(`an entry of type ${type} has ${rules.salt === "none" ? "no salt" : "a salt"}`);
	if (salt !== void 0 && salt.length !== 16) throw new RangeError(`a salt has 16 bytes, not ${salt.length}`);
}
/** @throws RangeError as `checkEntry` does */
var entryLeaf = (entry) => sha256(hashedBytes(entry));
/** What the leaf of an entry is the hash of. The next call changes it. @throws RangeError as `checkEntry` does */
function hashedBytes(entry) {
	checkEntry(entry);
	const { type, value, salt } = entry;
	const first = firstBytesOf(type);
	HASHED.set(first);
	HASHED.set(value, first.length);
	let end = first.length + value.length;
	if (salt !== void 0) {
		HASHED.set(salt, end);
		end += salt.length;
	}
	return HASHED.subarray(0, end);
}
/** Filled again for each entry, because large trees have many. Longer than any entry. */
var HASHED = /* @__PURE__ */ new Uint8Array(128);
/** Made once for each type. */
var FIRST_BYTES = /* @__PURE__ */ new Map();
function firstBytesOf(type) {
	const known = FIRST_BYTES.get(type);
	if (known !== void 0) return known;
	const made = concatBytes$2(Uint8Array.of(DOMAIN_BYTES.leaf), utf8(`${type}\0`));
	FIRST_BYTES.set(type, made);
	return made;
}
/** The entry by which a tree stands in the tree above it. */
var treeEntry = (root, size) => ({
	type: TREE_FORMAT,
	value: concatBytes$2(root, u64(size))
});
/** Hashes of leaves, gathered one after the other in one piece of memory: 32 bytes each. */
var LeafList = class {
	#bytes;
	#size = 0;
	/** @param expected how many there will be, when that is known. More are taken too. */
	constructor(expected = 1024) {
		this.#bytes = new Uint8Array(expected * 32);
	}
	/** @throws RangeError beyond `MAX_TREE_SIZE` */
	add(leaf) {
		const start = this.#startOfNext();
		this.#bytes.set(leaf, start);
	}
	/** The leaf of the entry. @throws RangeError as `add` and `checkEntry` do */
	addEntry(entry) {
		const bytes = hashedBytes(entry);
		const start = this.#startOfNext();
		sha256Into(bytes, this.#bytes, start);
	}
	#startOfNext() {
		if (this.#size === 1048576) throw new RangeError(`a tree has at most ${MAX_TREE_SIZE} entries`);
		const start = this.#size * 32;
		if (start === this.#bytes.length) {
			const larger = new Uint8Array(Math.max(2 * start, 32));
			larger.set(this.#bytes);
			this.#bytes = larger;
		}
		this.#size += 1;
		return start;
	}
	/** @throws RangeError when there is no leaf */
	tree() {
		return new DigestTree(this.#whole());
	}
	/**
	* As `tree`, in pieces of 4,096 nodes. No leaf may be added meanwhile.
	* @param pause called between two pieces
	*/
	async treeInPieces(pause) {
		const leaves = this.#whole();
		const building = levelsOver(leaves);
		for (;;) {
			const { done, value } = building.next();
			if (done === true) return new DigestTree(leaves, value);
			await pause();
		}
	}
	#whole() {
		return this.#bytes.subarray(0, this.#size * 32);
	}
};
/** A whole tree in memory: 64 bytes a leaf. */
var DigestTree = class {
	/** The leaves, then each level above them up to the root. A last node without a neighbour moves up as it is. */
	#levels;
	/**
	* @param leaves hashes of leaves in their order, one after the other. They must not change afterwards.
	* @param levels of these leaves, where they are there already
	* @throws RangeError unless they are from 1 to `MAX_TREE_SIZE` whole hashes
	*/
	constructor(leaves, levels = atOnce(levelsOver(leaves))) {
		this.#levels = levels;
	}
	get size() {
		return (this.#levels[0]?.length ?? 0) / 32;
	}
	/** 32 bytes. */
	get root() {
		return this.#levels.at(-1) ?? EMPTY_ROOT;
	}
	/**
	* The siblings of leaf `index`, the nearest first.
	* @throws RangeError when there is no such leaf
	*/
	path(index) {
		if (!Number.isInteger(index) || index < 0 || index >= this.size) throw new RangeError(`a tree of ${this.size} leaves has no leaf ${index}`);
		const path = [];
		let place = index;
		for (const level of this.#levels) {
			const start = (place ^ 1) * 32;
			if (start < level.length) path.push(level.subarray(start, start + 32));
			place >>= 1;
		}
		return path;
	}
};
/** Nodes that are hashed without a pause. */
var PIECE = 4096;
/** Yields after each piece, and returns the leaves with the levels above them. */
function* levelsOver(leaves) {
	const size = leaves.length / 32;
	if (!Number.isInteger(size) || size < 1 || size > 1048576) throw new RangeError(`a tree has from 1 to ${MAX_TREE_SIZE} entries`);
	const levels = [leaves];
	for (let level = leaves; level.length > 32;) {
		const count = level.length / 32;
		const above = new Uint8Array(Math.ceil(count / 2) * 32);
		for (let node = 0; node < above.length / 32; node += 1) {
			const start = node * 32;
			const below = level.subarray(2 * start, 2 * start + 64);
			if (below.length === 32) above.set(below, start);
			else pairHashInto(below, above, start);
			if (node % PIECE === 4095) yield;
		}
		levels.push(above);
		level = above;
	}
	return levels;
}
function atOnce(building) {
	for (;;) {
		const { done, value } = building.next();
		if (done === true) return value;
	}
}
/**
* The root to which the path leads from the entry. Undefined when it is no path in a tree of that size.
* @throws RangeError as `checkEntry` does
*/
var rootOver = (entry, { size, index, path }) => size > 1048576 ? void 0 : inclusionRoot({
	index,
	size,
	leaf: entryLeaf(entry),
	proof: path
});
// shared/evidence/evidence.ts
/** The largest file that is read. */
var LARGEST_EVIDENCE_BYTES = 4194304;
var EvidenceRejected = class extends Error {
	name = "EvidenceRejected";
};
/** Whether a value of the strict reader says that it is an evidence file. */
var isEvidence = (value) => isJsonObject(value) && carried(value, "pharos_evidence") !== void 0;
/**
* @param value of the strict reader
* @throws EvidenceRejected with what is wrong
*/
function readEvidenceValue(value) {
	if (!isEvidence(value)) throw new EvidenceRejected("it has no member pharos_evidence");
	if (carried(value, "pharos_evidence") !== 1) throw new EvidenceRejected("it is of a version that this program does not know");
	const trees = readTrees(carried(value, "trees"));
	return {
		digest: readDigest(carried(value, "digest"), trees[0]?.salt),
		name: optional(value, "name"),
		trees,
		item: readStoredItem(carried(value, "item")),
		bundle: readBundleMember(carried(value, "bundle")),
		logProof: optional(value, "log_proof"),
		timeStamp: optional(value, "time_stamp"),
		document: value
	};
}
/** UTF-8 text of a file. Every digit of the claims stays as it is. */
var writeEvidence = (document) => `${canonicalJson(document)}\n`;
var shownDigest = ({ type, value }) => ({
	type,
	value: toHex(value)
});
var shownTree = ({ size, index, salt, path }) => ({
	size,
	index,
	...salt === void 0 ? {} : { salt: toHex(salt) },
	path: path.map(toHex)
});
/** @throws EvidenceRejected */
function readDigest(value, salt) {
	const type = isJsonObject(value) ? carried(value, "type") : void 0;
	const hex = isJsonObject(value) ? carried(value, "value") : void 0;
	if (typeof type !== "string" || !isEntryType(type)) throw new EvidenceRejected("digest.type is not known");
	const bytes = typeof hex === "string" ? hexOrUndefined(hex) : void 0;
	if (bytes === void 0) throw new EvidenceRejected("digest.value is not lowercase hex");
	const entry = {
		type,
		value: bytes,
		salt
	};
	try {
		checkEntry(entry);
	} catch (error) {
		if (error instanceof RangeError) throw new EvidenceRejected(error.message);
		throw error;
	}
	return entry;
}
/** @throws EvidenceRejected */
function readSalt(value, place) {
	const salt = hexBytes(value, 16);
	if (value !== void 0 && salt === void 0) throw new EvidenceRejected(`${place} is not 32 lowercase hex`);
	return salt;
}
/** @throws EvidenceRejected */
function readTrees(value) {
	if (value === void 0) return [];
	if (!Array.isArray(value) || value.length === 0 || value.length > 4) throw new EvidenceRejected(`trees is a list of 1 to 4, or absent`);
	return value.map((tree, at) => readTree(tree, `trees[${at}]`));
}
function readTree(value, place) {
	if (!isJsonObject(value)) throw new EvidenceRejected(`${place} is not an object`);
	const { size, index } = sizeAndIndex(value, place);
	const path = carried(value, "path");
	if (!Array.isArray(path) || path.length > 20) throw new EvidenceRejected(`${place}.path is not a list of at most 20 hashes`);
	return {
		size,
		index,
		salt: readSalt(carried(value, "salt"), `${place}.salt`),
		path: path.map((hash, at) => {
			const bytes = hexBytes(hash ?? void 0, 32);
			if (bytes === void 0) throw new EvidenceRejected(`${place}.path[${at}] is not 64 lowercase hex`);
			return bytes;
		})
	};
}
function sizeAndIndex(tree, place) {
	const size = carried(tree, "size");
	const index = carried(tree, "index");
	if (typeof size !== "number" || !Number.isSafeInteger(size) || size < 1 || size > 1048576) throw new EvidenceRejected(`${place}.size is not a number from 1 to ${MAX_TREE_SIZE}`);
	if (typeof index !== "number" || !Number.isSafeInteger(index) || index < 0 || index >= size) throw new EvidenceRejected(`${place}.index is not a number from 0 to ${size - 1}`);
	return {
		size,
		index
	};
}
/** @throws EvidenceRejected */
function readStoredItem(value) {
	if (!isJsonObject(value)) throw new EvidenceRejected("item is not an object");
	const [service, id, signature] = [
		"service",
		"id",
		"signature"
	].map((name) => {
		const text = textOf(carried(value, name));
		if (text === void 0) throw new EvidenceRejected(`item.${name} is not a text`);
		return text;
	});
	const [claims, metadata] = ["claims", "metadata"].map((name) => {
		const object = carried(value, name);
		if (!isJsonObject(object)) throw new EvidenceRejected(`item.${name} is not an object`);
		return object;
	});
	if (!isUlid(id)) throw new EvidenceRejected("item.id is not a ULID");
	const signingKeyId = hexBytes(carried(value, "signing_key_id"), 4);
	if (signingKeyId === void 0) throw new EvidenceRejected("item.signing_key_id is not 8 lowercase hex");
	return {
		service,
		id,
		claims,
		metadata,
		signingKeyId,
		signature
	};
}
/** @throws EvidenceRejected */
function readBundleMember(value) {
	if (value === void 0 || isJsonObject(value)) return value;
	throw new EvidenceRejected("bundle is not an object");
}
function optional(document, name) {
	const value = carried(document, name);
	if (value === void 0 || typeof value === "string") return value;
	throw new EvidenceRejected(`${name} is not a text`);
}
// shared/evidence/manifest_tree.ts
var LONGEST_LINE_BYTES = 65536;
/** The tree of a manifest, entry by entry, whether it is written or read. */
var ManifestTree = class {
	#leaves;
	#names = sha256$1.create();
	/** Paths that `#names` has not heard yet, with their NULs: it takes many at once in half the time. */
	#unheard = new Uint8Array(2 * LONGEST_LINE_BYTES);
	#unheardBytes = 0;
	/** Of each path 8 bytes of its hash, because a million paths themselves take too much memory. */
	#marks;
	#size = 0;
	/** @param expected how many entries there will be, when that is known. More are taken too. */
	constructor(expected = 1024) {
		this.#leaves = new LeafList(expected + 1);
		this.#marks = new Uint8Array(MARK_BYTES * expected);
	}
	/** @throws EvidenceRejected for a path that is none, and for a digest of another length */
	add({ path, entry }) {
		checkPath(path);
		this.#addMark(this.#addName(path));
		judged(() => this.#leaves.addEntry(entry));
		this.#size += 1;
	}
	/** @returns its bytes, until the next is added */
	#addName(path) {
		if (this.#unheardBytes + 65536 >= this.#unheard.length) this.#hear();
		const start = this.#unheardBytes;
		const { read, written } = UTF_8.encodeInto(path, this.#unheard.subarray(start, start + LONGEST_LINE_BYTES));
		if (read < path.length) throw new EvidenceRejected(`${shownPath(path)} is longer than a line may be`);
		this.#unheard[start + written] = 0;
		this.#unheardBytes += written + 1;
		return this.#unheard.subarray(start, start + written);
	}
	#hear() {
		this.#names.update(this.#unheard.subarray(0, this.#unheardBytes));
		this.#unheardBytes = 0;
	}
	#addMark(path) {
		const start = MARK_BYTES * this.#size;
		if (start === this.#marks.length) {
			const larger = new Uint8Array(2 * start + MARK_BYTES);
			larger.set(this.#marks);
			this.#marks = larger;
		}
		sha256Into(path, HASH, 0);
		for (let at = 0; at < MARK_BYTES; at += 1) this.#marks[start + at] = HASH[at] ?? 0;
	}
	/**
	* To be called once, after all entries.
	* @throws EvidenceRejected when two of them have one path
	*/
	close(namesSalt) {
		const marks = new BigUint64Array(this.#marks.buffer, 0, this.#size).sort();
		if (marks.some((mark, at) => at > 0 && mark === marks[at - 1])) throw new EvidenceRejected("two entries have the same path");
		this.#hear();
		const names = {
			type: "names",
			value: this.#names.digest(),
			salt: namesSalt
		};
		judged(() => this.#leaves.addEntry(names));
		return {
			tree: this.#leaves.tree(),
			names
		};
	}
};
var MARK_BYTES = 8;
/** Filled again for each path. */
var HASH = /* @__PURE__ */ new Uint8Array(32);
var UTF_8 = new TextEncoder();
function judged(add) {
	try {
		add();
	} catch (error) {
		if (error instanceof RangeError) throw new EvidenceRejected(error.message);
		throw error;
	}
}
/** @throws EvidenceRejected */
function checkPath(path) {
	if (!path.isWellFormed() || path.includes("\0") || path.includes("\\")) throw new EvidenceRejected(`${shownPath(path)} has a character that no path of a manifest has`);
	if (NO_PART.test(path)) throw new EvidenceRejected(`${shownPath(path)} is no relative path without empty parts, . and ..`);
}
/** Empty, `.` or `..`. */
var NO_PART = /(?:^|\/)\.{0,2}(?:\/|$)/;
var shownPath = (path) => JSON.stringify(path.slice(0, 200).toWellFormed());
// shared/evidence/manifest.ts
/** Whether a value of the strict reader says that it is the first line of a manifest. */
var isManifest = (value) => isJsonObject(value) && carried(value, "pharos_manifest") !== void 0;
/** The first line, with its line feed. `document` is a header as read, with what is new in it. */
var writeManifestHeader = (document) => `${canonicalJson(document)}\n`;
/**
* Reads a manifest to its end. Each entry is handed on as it comes: whether it belongs to the item is known only when
* `verifyEvidence` has judged `evidenceOfNames` of the result.
* @throws EvidenceRejected with the number of the line and what is wrong with it
*/
async function readTreeManifest(chunks, hear = () => void 0) {
	let header;
	let read = 0;
	let gathered = new ManifestTree();
	for await (const lines of linesOf(chunks)) for (const line of lines) {
		read += 1;
		try {
			if (header === void 0) {
				header = readManifestHeader(strict(line));
				gathered = new ManifestTree(header.size);
			} else {
				if (read > header.size) throw new EvidenceRejected("there are more entries than the first line says");
				const entry = readEntry(strict(line));
				gathered.add(entry);
				const heard = hear(entry, read - 2);
				if (heard !== void 0) await heard;
			}
		} catch (error) {
			if (error instanceof EvidenceRejected) throw new EvidenceRejected(`line ${read}: ${error.message}`);
			throw error;
		}
	}
	if (header === void 0) throw new EvidenceRejected("it is empty");
	if (read !== header.size) throw new EvidenceRejected(`it ends after ${read - 1} entries, and its first line says ${header.size - 1}`);
	return {
		header,
		...gathered.close(header.namesSalt)
	};
}
/** The evidence that the last leaf, and so the whole tree with its names, is the item's. */
var evidenceOfNames = ({ header, tree, names }) => evidenceOf({
	header,
	tree
}, tree.size - 1, { entry: names });
function evidenceOf({ header, tree }, index, { entry, name }) {
	const { pharos_manifest: _, size: _size, names_salt: _salt, trees: _above, ...shared } = header.document;
	const own = {
		size: tree.size,
		index,
		salt: entry.salt,
		path: tree.path(index)
	};
	return {
		...shared,
		pharos_evidence: 1,
		digest: shownDigest(entry),
		...name === void 0 ? {} : { name },
		trees: [own, ...header.above].map(shownTree)
	};
}
/** @throws EvidenceRejected */
function readManifestHeader(value) {
	if (!isManifest(value)) throw new EvidenceRejected("it has no member pharos_manifest");
	if (carried(value, "pharos_manifest") !== 1) throw new EvidenceRejected("it is of a version that this program does not know");
	const size = carried(value, "size");
	if (typeof size !== "number" || !Number.isSafeInteger(size) || size < 1 || size > 1048576) throw new EvidenceRejected(`size is not a number from 1 to ${MAX_TREE_SIZE}`);
	const namesSalt = hexBytes(carried(value, "names_salt"), 16);
	if (namesSalt === void 0) throw new EvidenceRejected("names_salt is not 32 lowercase hex");
	const above = readTrees(carried(value, "trees"));
	if (above.length >= 4) throw new EvidenceRejected(`trees has at most 3`);
	return {
		size,
		namesSalt,
		above,
		item: readStoredItem(carried(value, "item")),
		document: value
	};
}
/** @throws EvidenceRejected */
function readEntry(value) {
	const path = isJsonObject(value) ? carried(value, "path") : void 0;
	if (!isJsonObject(value) || typeof path !== "string") throw new EvidenceRejected("path is not a text");
	return {
		path,
		entry: readDigest(carried(value, "digest"), readSalt(carried(value, "salt"), "salt"))
	};
}
function strict(line) {
	try {
		return readStrictJson(line);
	} catch (error) {
		if (error instanceof StrictJsonError) throw new EvidenceRejected(error.message);
		throw error;
	}
}
/**
* For each chunk the lines that end in it, without their line feeds; the last one may lack it. One line is there at a time,
* because those that are gathered keep their chunks in memory.
* @throws EvidenceRejected for a line that is longer than its place allows
*/
async function* linesOf(chunks) {
	let held = [];
	let heldBytes = 0;
	let ended = 0;
	const hold = (part) => {
		held.push(part);
		heldBytes += part.length;
		if (heldBytes > (ended === 0 ? 4194304 : 65536)) throw new EvidenceRejected(`line ${ended + 1} is too long`);
	};
	const takeHeld = () => {
		const [only] = held;
		const line = held.length === 1 && only !== void 0 ? only : joinBytes(held);
		held = [];
		heldBytes = 0;
		ended += 1;
		return line;
	};
	function* endingIn(chunk) {
		let start = 0;
		for (let end = chunk.indexOf(LINE_FEED$2); end >= 0; end = chunk.indexOf(LINE_FEED$2, start)) {
			hold(chunk.subarray(start, end));
			yield takeHeld();
			start = end + 1;
		}
		hold(chunk.subarray(start));
	}
	for await (const chunk of chunks) yield endingIn(chunk);
	if (heldBytes > 0) yield [takeHeld()];
}
var LINE_FEED$2 = 10;
// shared/evidence/digest_findings.ts
/** @param fileDigest of the file at hand, by the hash function that `type` names */
function digestFindings({ type, value }, fileDigest) {
	if (fileDigest === void 0) return [warn("No file was compared with the digest."), ...weakness(type)];
	return bytesEqual(fileDigest, value) ? [pass(`The file has the ${type} digest that this is about.`), ...weakness(type)] : [fail(`The file has the ${type} digest ${shown(fileDigest)}, and this is about another.`)];
}
// shared/evidence/trust.ts
/** A bundle carries the key that signed it. Whether it is trusted is for the keyrings to say. */
function signerOf(signingKeyId, keyrings, bundle) {
	const id = toHex(signingKeyId);
	const known = keyrings.flatMap(({ keys }) => keys).find(({ key_id }) => key_id === id);
	if (known !== void 0) return {
		publicKey: base64Bytes(known.public_key, 32),
		isTrusted: true
	};
	const carriedKey = base64Bytes(bundle?.publicKey, 32);
	return {
		publicKey: carriedKey !== void 0 && toHex(keyIdOf(carriedKey)) === id ? carriedKey : void 0,
		isTrusted: false
	};
}
// shared/evidence/log_findings.ts
/** Empty when there is no proof of the log. */
function logFindings(logProof, bundle, { logs = NO_LOGS, keyrings, verifySignature: verifySignature$2 = verifySignature }) {
	if (logProof === void 0) return [];
	if (bundle === void 0) return [skip("Without a bundle there is no block to look for in the public log.")];
	const proof = readOrUndefined(() => readLogProof(logProof));
	if (proof === void 0) return [fail("The proof of the public log cannot be read.")];
	const block = blockOf(bundle);
	const { index, hashes, extra } = proof;
	if (block === void 0 || extra?.length !== 64) return [fail("The proof of the public log lacks the block’s signature, or the block is malformed.")];
	const metadata = isJsonObject(bundle.block.metadata) ? canonicalJson(bundle.block.metadata) : "";
	const leaf = entryLeafHash(entryBytes({
		composite: blockComposite(block),
		signature: extra,
		metadata
	}));
	const audit = auditCheckpoint("log_proof", utf8(proof.checkpoint), logs);
	const findings = [];
	let step = audit.next();
	for (; step.done !== true; step = audit.next()) findings.push(fail(`In the checkpoint of the public log, ${step.value.field} is not ${step.value.expected}.`));
	const checkpoint = step.value;
	if (checkpoint === void 0) return findings;
	const { size, root, origin } = checkpoint.head;
	findings.push(verifyInclusion({
		index,
		size,
		leaf,
		proof: hashes,
		root
	}) ? pass(`The block is entry ${index} of the ${size} under the checkpoint.`) : fail("The block’s entry does not lead to the root of the checkpoint."));
	const key = signerOf(block.keyId, keyrings, bundle).publicKey;
	if (key === void 0) findings.push(warn(`Key ${toHex(block.keyId)} is not at hand: the block’s signature was not checked.`));
	else findings.push(verifySignature$2(key, blockHash$1(block), extra) ? pass("The block’s standing signature holds.") : fail("The block’s standing signature does not hold."));
	findings.push(checkpoint.signer === void 0 ? info(`No key of the log ${shown(origin)} is pinned here, so its checkpoint counts for nothing.`) : pass(`The log ${shown(origin)} signed the checkpoint${checkpoint.cosigned.length === 0 ? "" : `, and ${checkpoint.cosigned.map(shown).join(", ")} cosigned it`}.`));
	return findings;
}
var NO_LOGS = {
	keys: [],
	policy: void 0
};
function blockOf({ block }) {
	const id = textOf(block.id);
	const previousBlockHash = hexBytes(block.previousBlockHash, 32);
	const merkleRoot = hexBytes(block.merkleRoot, 32);
	const keyId = hexBytes(block.signingKeyId, 4);
	if (id === void 0 || !isUuid7(id) || previousBlockHash === void 0) return void 0;
	if (merkleRoot === void 0 || keyId === void 0 || !isJsonObject(block.metadata)) return void 0;
	return {
		id,
		previousBlockHash,
		merkleRoot,
		metadataHash: jsonHash("block_metadata", block.metadata),
		keyId
	};
}
// shared/evidence/verify_evidence.ts
var CATEGORIES$1 = {
	Digest: "data_integrity",
	Trees: "cryptographic",
	Item: "structural",
	"Item Signature": "cryptographic",
	Bundle: "cryptographic",
	"Public Log": "cryptographic",
	"Time Stamp": "timing"
};
/** @param fileDigest of the file at hand, by the hash function that `evidence.digest.type` names */
async function verifyEvidence(evidence, trust, fileDigest) {
	const { item } = evidence;
	const bundle = await checkedBundle(evidence, trust, fileDigest);
	const signer = signerOf(item.signingKeyId, trust.keyrings, bundle?.read);
	const rows = [
		...inGroup$1("Digest", digestFindings(evidence.digest, fileDigest)),
		...inGroup$1("Trees", treeFindings(evidence)),
		...inGroup$1("Item", itemFindings(evidence)),
		...inGroup$1("Item Signature", signatureFindings(item, signer, trust)),
		...inGroup$1("Bundle", bundle?.findings ?? [info("There is no bundle yet.")]),
		...inGroup$1("Public Log", logFindings(evidence.logProof, bundle?.read, trust)),
		...inGroup$1("Time Stamp", timeStampFindings(evidence))
	];
	return {
		verdict: verdictOf$1(rows, bundle, signer),
		rows,
		acceptedAt: ulidTime(item.id),
		bundle: bundle?.read === void 0 ? void 0 : bundle
	};
}
var inGroup$1 = (group, findings) => findings.map(({ status, message }) => ({
	group,
	category: CATEGORIES$1[group],
	status,
	message
}));
function verdictOf$1(rows, bundle, signer) {
	if (rows.some(({ status }) => status === "fail")) return "not_valid";
	if (bundle?.keyIsOpen === true || !signer.isTrusted) return "key_open";
	return bundle === void 0 ? "not_yet" : "valid";
}
/** What the item must be about: the digest itself, or the root of the last tree. Undefined when a path is broken. */
function subjectOf({ digest, trees }) {
	let entry = digest;
	for (const tree of trees) {
		const root = rootOver({
			...entry,
			salt: tree.salt
		}, tree);
		if (root === void 0) return void 0;
		entry = treeEntry(root, tree.size);
	}
	return {
		entry,
		size: trees.at(-1)?.size
	};
}
function treeFindings(evidence) {
	const { trees, item, digest } = evidence;
	const subject = readOrUndefined(() => subjectOf(evidence));
	const claimedHash = textOf(carried(item.claims, "hash"));
	const claimedType = textOf(carried(item.claims, "hash_type"));
	if (trees.length === 0) return claimedType === digest.type && claimedHash === toHex(digest.value) ? [pass("The item is about the digest itself.")] : [fail("The item is about another digest.")];
	if (subject === void 0) return [fail("A path is none in a tree of its size.")];
	const root = toHex(subject.entry.value.subarray(0, 32));
	const tree = carried(item.claims, "metadata");
	const said = isJsonObject(tree) ? carried(tree, "tree") : void 0;
	const [format, size] = ["format", "size"].map((name) => isJsonObject(said) ? carried(said, name) : void 0);
	const places = trees.map(({ index, size: of }) => `${index} of ${of}`).join(", ");
	return [claimedType === "sha256" && claimedHash === root ? pass(`The path leads from the digest (${places}) to the root that the item claims.`) : fail("The path does not lead from the digest to the root that the item claims."), format === "pharos-tree-v1" && size === subject.size ? pass(`The item claims a tree of ${subject.size} entries.`) : fail("The item does not claim a tree of this format and size.")];
}
var hashOf = ({ id, claims, metadata, signingKeyId }) => itemHash({
	id,
	claimsHash: jsonHash("items_claims", claims),
	metadataHash: jsonHash("items_metadata", metadata),
	keyId: signingKeyId
});
var itemFindings = ({ item }) => [pass(`The item hashes to ${toHex(hashOf(item))}.`), info(`Its id says that it was accepted at ${utcSeconds(ulidTime(item.id)) ?? "no known time"}.`)];
function signatureFindings(item, { publicKey }, { verifySignature: verifySignature$1 = verifySignature }) {
	const id = toHex(item.signingKeyId);
	const signature = base64Bytes(item.signature, 64);
	if (signature === void 0) return [fail("The signature is not base64 of 64 bytes.")];
	if (publicKey === void 0) return [warn(`Key ${id} is in no keyring at hand: the signature was not checked.`)];
	return verifySignature$1(publicKey, hashOf(item), signature) ? [pass(`Key ${id} signed the item.`)] : [fail(`The signature is not that of key ${id} over the item.`)];
}
/** Undefined in a receipt. */
async function checkedBundle({ bundle, item, trees }, trust, fileDigest) {
	if (bundle === void 0) return void 0;
	const read = readOrWords(bundle);
	if (typeof read === "string") return { findings: [fail(`The bundle cannot be read. ${read}`)] };
	const expectedHash = trees.length > 0 || fileDigest === void 0 ? void 0 : toHex(fileDigest);
	const report = await verifyBundle(read, {
		...trust,
		expectedHash
	});
	const { verdict, headline, sentence } = judgeReport(read, report, trust.keyrings);
	const said = `${headline}. ${sentence}`;
	const judged = verdict === "valid" ? pass(said) : verdict === "key_open" ? warn(said) : fail(said);
	return {
		findings: [fits(read, item), judged],
		read,
		report,
		keyIsOpen: verdict === "key_open"
	};
}
function readOrWords(bundle) {
	try {
		return readBundleObject(bundle);
	} catch (error) {
		if (error instanceof BundleRejected) return REJECTION_WORDS[error.reason];
		throw error;
	}
}
function fits({ type, layout, subject }, { id, claims, metadata, signingKeyId }) {
	return type === "item" && layout === "published" && subject?.id === id && isSameJson(subject.data, claims) && isSameJson(subject.metadata, metadata) && sameBytes(hexBytes(subject.signingKeyId, 4), signingKeyId) ? pass("The bundle is about this item: id, claims, metadata and the key that signed it.") : fail("The bundle is about another item.");
}
var isSameJson = (a, b) => a !== void 0 && canonicalJson(a) === canonicalJson(b);
/** Empty when there is no token. */
var timeStampFindings = ({ timeStamp }) => timeStamp === void 0 ? [] : [skip("The time-stamp token in it was not read.")];
// shared/evidence/upgrade.ts
var UpgradeRefused = class extends Error {
	name = "UpgradeRefused";
	reason;
	constructor(reason, { rows }) {
		super(rows.filter(({ status }) => status === (reason === "key" ? "warn" : "fail")).map(({ group, message }) => `${group}: ${message}`).join(" "));
		this.reason = reason;
	}
};
/**
* @param value of the strict reader
* @throws EvidenceRejected when it is no such answer
*/
function readUpgradeAnswer(value) {
	const bundle = isJsonObject(value) ? readBundleMember(carried(value, "bundle") ?? void 0) : void 0;
	if (!isJsonObject(value) || bundle === void 0) throw new EvidenceRejected("bundle is missing");
	const logProof = carried(value, "log_proof");
	if (logProof !== void 0 && typeof logProof !== "string") throw new EvidenceRejected("log_proof is not a text");
	return {
		bundle,
		logProof
	};
}
/** @throws UpgradeRefused unless the receipt is one whose every check holds */
async function checkReceipt(receipt, trust) {
	const report = await verifyEvidence(receipt, trust);
	if (report.verdict === "not_valid") throw new UpgradeRefused("receipt", report);
	if (report.verdict === "key_open") throw new UpgradeRefused("key", report);
}
/**
* A proof of the public log that the receipt has already is kept when none was answered, and must fit the bundle too.
* @throws UpgradeRefused
*/
async function fillingOf(receipt, { bundle, logProof = receipt.logProof }, trust) {
	await checkReceipt(receipt, trust);
	const report = await verifyEvidence({
		...receipt,
		bundle,
		logProof
	}, trust);
	if (report.verdict === "key_open") throw new UpgradeRefused("key", report);
	if (report.verdict !== "valid") throw new UpgradeRefused("answer", report);
	return {
		bundle,
		...logProof === void 0 ? {} : { log_proof: logProof }
	};
}
/** A document of an evidence file, or of the first line of a manifest, with what it lacked. Its other members stay. */
var filled = (document, filling) => ({
	...document,
	...filling
});
// node_modules/@noble/hashes/legacy.js
/**

SHA1 (RFC 3174), MD5 (RFC 1321), and RIPEMD160 legacy, weak hash functions.
RFC 2286 only covers HMAC-RIPEMD160 wrapper material and test vectors,
not the base RIPEMD-160 compression spec.
Don't use them in a new protocol. What "weak" means:

- Collisions can be made with 2^18 effort in MD5, 2^60 in SHA1, 2^80 in RIPEMD160.
- No practical pre-image attacks (only theoretical, 2^123.4)
- HMAC seems kinda ok: https://www.rfc-editor.org/rfc/rfc6151
* @module
*/
/** Initial SHA-1 state from RFC 3174 §6.1. */
var SHA1_IV = /* @__PURE__ */ Uint32Array.from([
	1732584193,
	4023233417,
	2562383102,
	271733878,
	3285377520
]);
var SHA1_W = /* @__PURE__ */ new Uint32Array(80);
/** Internal SHA1 legacy hash class. */
var _SHA1 = class extends HashMD {
	A = SHA1_IV[0] | 0;
	B = SHA1_IV[1] | 0;
	C = SHA1_IV[2] | 0;
	D = SHA1_IV[3] | 0;
	E = SHA1_IV[4] | 0;
	constructor() {
		super(64, 20, 8, false);
	}
	get() {
		const { A, B, C, D, E } = this;
		return [
			A,
			B,
			C,
			D,
			E
		];
	}
	set(A, B, C, D, E) {
		this.A = A | 0;
		this.B = B | 0;
		this.C = C | 0;
		this.D = D | 0;
		this.E = E | 0;
	}
	_cloneInto(to) {
		(to ||= new this.constructor()).set(...this.get());
		return this._cloneIntoMeta(to);
	}
	process(view, offset) {
		for (let i = 0; i < 16; i++, offset += 4) SHA1_W[i] = view.getUint32(offset, false);
		for (let i = 16; i < 80; i++) SHA1_W[i] = rotl(SHA1_W[i - 3] ^ SHA1_W[i - 8] ^ SHA1_W[i - 14] ^ SHA1_W[i - 16], 1);
		let { A, B, C, D, E } = this;
		for (let i = 0; i < 80; i++) {
			let F, K;
			if (i < 20) {
				F = Chi(B, C, D);
				K = 1518500249;
			} else if (i < 40) {
				F = B ^ C ^ D;
				K = 1859775393;
			} else if (i < 60) {
				F = Maj(B, C, D);
				K = 2400959708;
			} else {
				F = B ^ C ^ D;
				K = 3395469782;
			}
			const T = rotl(A, 5) + F + E + K + SHA1_W[i] | 0;
			E = D;
			D = C;
			C = rotl(B, 30);
			B = A;
			A = T;
		}
		A = A + this.A | 0;
		B = B + this.B | 0;
		C = C + this.C | 0;
		D = D + this.D | 0;
		E = E + this.E | 0;
		this.set(A, B, C, D, E);
	}
	roundClean() {
		clean(SHA1_W);
	}
	destroy() {
		this.destroyed = true;
		this.set(0, 0, 0, 0, 0);
		clean(this.buffer);
	}
};
/**
* SHA1 (RFC 3174) legacy hash function. It was cryptographically broken.
* @param msg - message bytes to hash
* @param opts - Reserved hash options.
* @returns Digest bytes.
* @example
* Hash a message with SHA1.
* ```ts
* sha1(new Uint8Array([97, 98, 99]));
* ```
*/
var sha1 = /* @__PURE__ */ createHasher(() => new _SHA1());
/** RFC 1321 `T[i]` uses `floor(2^32 * abs(sin(i)))`; this is the shared `2^32` scale factor. */
var p32 = /* @__PURE__ */ Math.pow(2, 32);
/** RFC 1321 `T[1..64]` table. */
var K = /* @__PURE__ */ Array.from({ length: 64 }, (_, i) => Math.floor(p32 * Math.abs(Math.sin(i + 1))));
/** MD5 initial state from RFC 1321, stored as 4 u32 words. */
var MD5_IV = /* @__PURE__ */ SHA1_IV.slice(0, 4);
var MD5_W = /* @__PURE__ */ new Uint32Array(16);
var MD5_SHIFTS = /* @__PURE__ */ (() => {
	const S = [
		[
			7,
			12,
			17,
			22
		],
		[
			5,
			9,
			14,
			20
		],
		[
			4,
			11,
			16,
			23
		],
		[
			6,
			10,
			15,
			21
		]
	];
	return Uint8Array.from({ length: 64 }, (_, i) => S[Math.floor(i / 16)][i % 4]);
})();
/** Internal MD5 legacy hash class. */
var _MD5 = class extends HashMD {
	A = MD5_IV[0] | 0;
	B = MD5_IV[1] | 0;
	C = MD5_IV[2] | 0;
	D = MD5_IV[3] | 0;
	constructor() {
		super(64, 16, 8, true);
	}
	get() {
		const { A, B, C, D } = this;
		return [
			A,
			B,
			C,
			D
		];
	}
	set(A, B, C, D) {
		this.A = A | 0;
		this.B = B | 0;
		this.C = C | 0;
		this.D = D | 0;
	}
	_cloneInto(to) {
		(to ||= new this.constructor()).set(...this.get());
		return this._cloneIntoMeta(to);
	}
	process(view, offset) {
		for (let i = 0; i < 16; i++, offset += 4) MD5_W[i] = view.getUint32(offset, true);
		let { A, B, C, D } = this;
		for (let i = 0; i < 64; i++) {
			let F, g;
			if (i < 16) {
				F = Chi(B, C, D);
				g = i;
			} else if (i < 32) {
				F = Chi(D, B, C);
				g = (5 * i + 1) % 16;
			} else if (i < 48) {
				F = B ^ C ^ D;
				g = (3 * i + 5) % 16;
			} else {
				F = C ^ (B | ~D);
				g = 7 * i % 16;
			}
			F = F + A + K[i] + MD5_W[g];
			A = D;
			D = C;
			C = B;
			B = B + rotl(F, MD5_SHIFTS[i]);
		}
		A = A + this.A | 0;
		B = B + this.B | 0;
		C = C + this.C | 0;
		D = D + this.D | 0;
		this.set(A, B, C, D);
	}
	roundClean() {
		clean(MD5_W);
	}
	destroy() {
		this.destroyed = true;
		this.set(0, 0, 0, 0);
		clean(this.buffer);
	}
};
/**
* MD5 (RFC 1321) legacy hash function. It was cryptographically broken.
* MD5 architecture is similar to SHA1, with some differences:
* - Reduced output length: 16 bytes (128 bit) instead of 20
* - 64 rounds, instead of 80
* - Little-endian: could be faster, but will require more code
* - Non-linear index selection: huge speed-up for unroll
* - Per round constants: more memory accesses, additional speed-up for unroll
* @param msg - message bytes to hash
* @param opts - Reserved hash options.
* @returns Digest bytes.
* @example
* Hash a message with MD5.
* ```ts
* md5(new Uint8Array([97, 98, 99]));
* ```
*/
var md5 = /* @__PURE__ */ createHasher(() => new _MD5());
var Rho160 = /* @__PURE__ */ Uint8Array.from([
	7,
	4,
	13,
	1,
	10,
	6,
	15,
	3,
	12,
	0,
	9,
	5,
	2,
	14,
	11,
	8
]);
var Id160 = /* @__PURE__ */ (() => Uint8Array.from(new Array(16).fill(0).map((_, i) => i)))();
var Pi160 = /* @__PURE__ */ (() => Id160.map((i) => (9 * i + 5) % 16))();
var idxLR = /* @__PURE__ */ (() => {
	const res = [[Id160], [Pi160]];
	for (let i = 0; i < 4; i++) for (let j of res) j.push(j[i].map((k) => Rho160[k]));
	return res;
})();
var idxL = /* @__PURE__ */ (() => idxLR[0])();
var idxR = /* @__PURE__ */ (() => idxLR[1])();
var shifts160 = /* @__PURE__ */ [
	[
		11,
		14,
		15,
		12,
		5,
		8,
		7,
		9,
		11,
		13,
		14,
		15,
		6,
		7,
		9,
		8
	],
	[
		12,
		13,
		11,
		15,
		6,
		9,
		9,
		7,
		12,
		15,
		11,
		13,
		7,
		8,
		7,
		7
	],
	[
		13,
		15,
		14,
		11,
		7,
		7,
		6,
		8,
		13,
		14,
		13,
		12,
		5,
		5,
		6,
		9
	],
	[
		14,
		11,
		12,
		14,
		8,
		6,
		5,
		5,
		15,
		12,
		15,
		14,
		9,
		9,
		8,
		6
	],
	[
		15,
		12,
		13,
		13,
		9,
		5,
		8,
		6,
		14,
		11,
		12,
		11,
		8,
		6,
		5,
		5
	]
].map((i) => Uint8Array.from(i));
var shiftsL160 = /* @__PURE__ */ idxL.map((idx, i) => idx.map((j) => shifts160[i][j]));
var shiftsR160 = /* @__PURE__ */ idxR.map((idx, i) => idx.map((j) => shifts160[i][j]));
var Kl160 = /* @__PURE__ */ Uint32Array.from([
	0,
	1518500249,
	1859775393,
	2400959708,
	2840853838
]);
var Kr160 = /* @__PURE__ */ Uint32Array.from([
	1352829926,
	1548603684,
	1836072691,
	2053994217,
	0
]);
function ripemd_f(group, x, y, z) {
	if (group === 0) return x ^ y ^ z;
	if (group === 1) return x & y | ~x & z;
	if (group === 2) return (x | ~y) ^ z;
	if (group === 3) return x & z | y & ~z;
	return x ^ (y | ~z);
}
var BUF_160 = /* @__PURE__ */ new Uint32Array(16);
/**
* Internal RIPEMD-160 legacy hash class.
* RFC 2286 only adds HMAC-RIPEMD160 material, not the core hash specification.
*/
var _RIPEMD160 = class extends HashMD {
	h0 = 1732584193;
	h1 = -271733879;
	h2 = -1732584194;
	h3 = 271733878;
	h4 = -1009589776;
	constructor() {
		super(64, 20, 8, true);
	}
	get() {
		const { h0, h1, h2, h3, h4 } = this;
		return [
			h0,
			h1,
			h2,
			h3,
			h4
		];
	}
	set(h0, h1, h2, h3, h4) {
		this.h0 = h0 | 0;
		this.h1 = h1 | 0;
		this.h2 = h2 | 0;
		this.h3 = h3 | 0;
		this.h4 = h4 | 0;
	}
	_cloneInto(to) {
		(to ||= new this.constructor()).set(...this.get());
		return this._cloneIntoMeta(to);
	}
	process(view, offset) {
		for (let i = 0; i < 16; i++, offset += 4) BUF_160[i] = view.getUint32(offset, true);
		let al = this.h0 | 0, ar = al, bl = this.h1 | 0, br = bl, cl = this.h2 | 0, cr = cl, dl = this.h3 | 0, dr = dl, el = this.h4 | 0, er = el;
		for (let group = 0; group < 5; group++) {
			const rGroup = 4 - group;
			const hbl = Kl160[group], hbr = Kr160[group];
			const rl = idxL[group], rr = idxR[group];
			const sl = shiftsL160[group], sr = shiftsR160[group];
			for (let i = 0; i < 16; i++) {
				const tl = rotl(al + ripemd_f(group, bl, cl, dl) + BUF_160[rl[i]] + hbl, sl[i]) + el | 0;
				al = el, el = dl, dl = rotl(cl, 10) | 0, cl = bl, bl = tl;
			}
			for (let i = 0; i < 16; i++) {
				const tr = rotl(ar + ripemd_f(rGroup, br, cr, dr) + BUF_160[rr[i]] + hbr, sr[i]) + er | 0;
				ar = er, er = dr, dr = rotl(cr, 10) | 0, cr = br, br = tr;
			}
		}
		this.set(this.h1 + cl + dr | 0, this.h2 + dl + er | 0, this.h3 + el + ar | 0, this.h4 + al + br | 0, this.h0 + bl + cr | 0);
	}
	roundClean() {
		clean(BUF_160);
	}
	destroy() {
		this.destroyed = true;
		clean(this.buffer);
		this.set(0, 0, 0, 0, 0);
	}
};
/**
* RIPEMD-160 - a legacy hash function from 1990s.
* RFC 2286 only covers HMAC-RIPEMD160 test material; the links below point
* at the base RIPEMD-160 references.
* * {@link https://homes.esat.kuleuven.be/~bosselae/ripemd160.html}
* * {@link https://homes.esat.kuleuven.be/~bosselae/ripemd160/pdf/AB-9601/AB-9601.pdf}
* @param msg - message bytes to hash
* @param opts - Reserved hash options.
* @returns Digest bytes.
* @example
* Hash a message with RIPEMD-160.
* ```ts
* ripemd160(new Uint8Array([97, 98, 99]));
* ```
*/
var ripemd160 = /* @__PURE__ */ createHasher(() => new _RIPEMD160());
// shared/proof/opentimestamps/read_ots.ts
/** The largest file that is read. One with the proofs of several calendars takes a few thousand bytes. */
var LARGEST_OTS_BYTES = 65536;
/** In all branches together. Every branch ends in one, so that they bound the operations too. */
var MOST_ATTESTATIONS = 64;
/** @throws OtsRejected */
function readOts(bytes) {
	if (bytes.length > LARGEST_OTS_BYTES) throw new OtsRejected("too_large");
	const reader = new OtsReader(bytes);
	if (!bytesEqual(bytes.subarray(0, OTS_HEAD.length), OTS_HEAD)) throw new OtsRejected("not_ots");
	reader.take(OTS_HEAD.length);
	const hashType = HASH_BY_TAG.get(reader.byte());
	if (hashType === void 0) throw new OtsRejected("unknown_hash");
	const digest = reader.take(OTS_HASHES[hashType].bytes);
	const timestamp = reader.timestamp(digest.length, 0);
	if (!reader.atEnd) throw new OtsRejected("trailing_bytes");
	return {
		hashType,
		digest,
		timestamp
	};
}
/** Applies all operations from the digest on. The attestations are in the order of the file. */
function attestedMessages({ digest, timestamp }) {
	const own = timestamp.attestations.map((attestation) => ({
		attestation,
		message: digest
	}));
	const below = timestamp.branches.flatMap(({ operation, next }) => attestedMessages({
		digest: applied(operation, digest),
		timestamp: next
	}));
	return [...own, ...below];
}
function applied(operation, message) {
	switch (operation.name) {
		case "append": return concatBytes$2(message, operation.argument);
		case "prepend": return concatBytes$2(operation.argument, message);
		case "reverse": return message.toReversed();
		case "hexlify": return utf8(toHex(message));
		default: return HASH_FUNCTIONS[operation.name](message);
	}
}
var HASH_FUNCTIONS = {
	sha256,
	sha1,
	ripemd160,
	keccak256: keccak_256
};
var HASH_BY_TAG = new Map([
	"sha256",
	"sha1",
	"ripemd160",
	"keccak256"
].map((name) => [OTS_HASHES[name].tag, name]));
/** A read position that only moves forward. Every method throws OtsRejected. */
var OtsReader = class {
	#bytes;
	#at = 0;
	#attestations = 0;
	constructor(bytes) {
		this.#bytes = bytes;
	}
	get atEnd() {
		return this.#at === this.#bytes.length;
	}
	/** A view of the next `length` bytes, not a copy. */
	take(length) {
		if (length > this.#bytes.length - this.#at) throw new OtsRejected("cut_short");
		this.#at += length;
		return this.#bytes.subarray(this.#at - length, this.#at);
	}
	byte() {
		const [byte] = this.take(1);
		if (byte === void 0) throw new OtsRejected("cut_short");
		return byte;
	}
	/** @param length of the message, in bytes; the lengths of results follow from it */
	timestamp(length, depth) {
		if (depth > 255) throw new OtsRejected("too_deep");
		const attestations = [];
		const branches = [];
		for (let isLast = false; !isLast;) {
			const first = this.byte();
			isLast = first !== OTS_TAGS.more;
			const tag = isLast ? first : this.byte();
			if (tag === OTS_TAGS.attestation) attestations.push(this.#attestation());
			else branches.push(this.#branch(tag, length, depth));
		}
		return {
			attestations,
			branches
		};
	}
	#branch(tag, length, depth) {
		const operation = this.#operation(tag);
		const result = resultLength(operation, length);
		if (result > 4096) throw new OtsRejected("message_too_long");
		return {
			operation,
			next: this.timestamp(result, depth + 1)
		};
	}
	#operation(tag) {
		switch (tag) {
			case OTS_TAGS.append: return {
				name: "append",
				argument: this.sized(1, MOST_MESSAGE_BYTES)
			};
			case OTS_TAGS.prepend: return {
				name: "prepend",
				argument: this.sized(1, MOST_MESSAGE_BYTES)
			};
			case OTS_TAGS.reverse: return { name: "reverse" };
			case OTS_TAGS.hexlify: return { name: "hexlify" };
		}
		const name = HASH_BY_TAG.get(tag);
		if (name === void 0) throw new OtsRejected("unknown_operation");
		return { name };
	}
	#attestation() {
		this.#attestations += 1;
		if (this.#attestations > MOST_ATTESTATIONS) throw new OtsRejected("too_many_attestations");
		return attestationOf(this.take(BITCOIN_ATTESTATION.length), this.sized(0, MOST_ATTESTATION_BYTES));
	}
	sized(least, most) {
		const length = this.integer();
		if (length < least || length > most) throw new OtsRejected("invalid_length");
		return this.take(length);
	}
	/** Little-endian in groups of seven bits; the high bit says that more follow. */
	integer() {
		let value = 0;
		for (let factor = 1; factor <= LARGEST_FACTOR; factor *= 128) {
			const byte = this.byte();
			value += byte % 128 * factor;
			if (byte < 128) return value;
		}
		throw new OtsRejected("invalid_length");
	}
};
/** Of seven bytes, 49 bits: every such number is exact, and no height or length needs as much. */
var LARGEST_FACTOR = 128 ** 6;
/** @throws OtsRejected for a known one with other contents */
function attestationOf(tag, payload) {
	const inside = new OtsReader(payload);
	const attestation = knownAttestation(tag, inside);
	if (attestation === void 0) return {
		kind: "unknown",
		tag,
		payload
	};
	if (!inside.atEnd) throw new OtsRejected("invalid_attestation");
	return attestation;
}
function knownAttestation(tag, inside) {
	if (bytesEqual(tag, BITCOIN_ATTESTATION)) return {
		kind: "bitcoin",
		height: inside.integer()
	};
	if (!bytesEqual(tag, PENDING_ATTESTATION)) return void 0;
	const address = String.fromCharCode(...inside.sized(0, MOST_CALENDAR_ADDRESS_BYTES));
	if (!CALENDAR_ADDRESS.test(address)) throw new OtsRejected("invalid_attestation");
	return {
		kind: "pending",
		address
	};
}
function resultLength(operation, length) {
	switch (operation.name) {
		case "append":
		case "prepend": return length + operation.argument.length;
		case "reverse": return length;
		case "hexlify": return 2 * length;
		default: return OTS_HASHES[operation.name].bytes;
	}
}
/** Why bytes are not read as an .ots file, in words for people. */
var OTS_REJECTIONS = {
	too_large: `An .ots file has at most ${LARGEST_OTS_BYTES} bytes.`,
	not_ots: "It does not begin as an .ots file of version 1 does.",
	unknown_hash: "The digest in it is of an unknown hash function.",
	cut_short: "The bytes end too early.",
	trailing_bytes: "More bytes follow after its end.",
	unknown_operation: "It has an operation that is not known.",
	too_deep: `More than 255 operations follow one another.`,
	too_many_attestations: `It has more than ${MOST_ATTESTATIONS} attestations.`,
	message_too_long: `An operation makes a message of more than ${MOST_MESSAGE_BYTES} bytes.`,
	invalid_length: "A number in it is out of range.",
	invalid_attestation: "An attestation in it cannot be read."
};
var OtsRejected = class extends Error {
	name = "OtsRejected";
	reason;
	constructor(reason) {
		super(OTS_REJECTIONS[reason]);
		this.reason = reason;
	}
};
// shared/evidence/read_given.ts
/** Nothing that can be verified is as large. */
var GivenTooLarge = class extends Error {
	name = "GivenTooLarge";
	most;
	constructor(most) {
		super(`it is larger than ${most / 1024} KiB`);
		this.most = most;
	}
};
/**
* @param hear each entry of a manifest as it comes
* @throws GivenTooLarge
* @throws EvidenceRejected for evidence and manifests with a mistake
* @throws OtsRejected for what begins as an .ots file
* @throws BundleRejected for everything else that is no proof
*/
async function readGivenProof(chunks, hear) {
	const begun = await firstLine(chunks);
	const first = strictOrNothing(begun.line);
	if (first !== void 0 && isManifest(first)) {
		const manifest = await readTreeManifest(joined(begun.read, chunks), hear);
		return {
			kind: "evidence",
			evidence: readEvidenceValue(evidenceOfNames(manifest)),
			manifest
		};
	}
	const bytes = await wholeOf(begun.read, chunks);
	if (bytesEqual(bytes.subarray(0, OTS_MAGIC.length), OTS_MAGIC)) return {
		kind: "ots",
		read: readOts(bytes)
	};
	const value = strictOrNothing(bytes);
	if (value !== void 0 && isEvidence(value)) return {
		kind: "evidence",
		evidence: readEvidenceValue(value)
	};
	if (bytes.length > 1048576) throw new GivenTooLarge(LARGEST_BUNDLE_BYTES);
	return {
		kind: "bundle",
		read: readAnyBundle(bytes)
	};
}
/** Without the version. */
var OTS_MAGIC = OTS_HEAD.subarray(0, -1);
/** Reads until there is a line feed, or more than a first line may have. */
async function firstLine(chunks) {
	const held = [];
	let size = 0;
	while (size <= LARGEST_EVIDENCE_BYTES) {
		const { value, done } = await chunks.next();
		if (done === true) break;
		held.push(value);
		size += value.length;
		if (value.includes(LINE_FEED$1)) break;
	}
	const read = joinBytes(held);
	const end = read.indexOf(LINE_FEED$1);
	return {
		read,
		line: end < 0 ? read : read.subarray(0, end)
	};
}
var LINE_FEED$1 = 10;
async function* joined(begun, chunks) {
	yield begun;
	yield* chunks;
}
async function wholeOf(begun, chunks) {
	const held = [begun];
	let size = begun.length;
	for await (const chunk of chunks) {
		held.push(chunk);
		size += chunk.length;
		if (size > 4194304) break;
	}
	if (size > 4194304) throw new GivenTooLarge(LARGEST_EVIDENCE_BYTES);
	return joinBytes(held);
}
function strictOrNothing(bytes) {
	try {
		return readStrictJson(bytes);
	} catch (error) {
		if (error instanceof StrictJsonError) return void 0;
		throw error;
	}
}
// server/client/given_proof.ts
/** @throws Complaint when it cannot be read or is no proof */
async function readGiven({ progress }, source) {
	const what = source === "-" ? "Standard input" : source;
	const tell = paced(progress, {
		firstMs: 1e3,
		everyMs: 200
	});
	try {
		return await readGivenProof(chunksOf(source === "-" ? process.stdin : await streamOf(source)), (_, index) => tell(() => `${index + 1} entries of ${what}`));
	} catch (error) {
		if (error instanceof GivenTooLarge) throw new Complaint(`${what} is larger than ${error.most / 1024} KiB.`);
		if (error instanceof EvidenceRejected) throw new Complaint(`${what} is evidence that cannot be read: ${error.message}.`);
		if (error instanceof OtsRejected) throw new Complaint(`${what} is an .ots file that cannot be read: ${error.message}`);
		if (error instanceof BundleRejected) throw new Complaint(`${what} is neither evidence nor a proof bundle (${error.reason}). ${REJECTION_WORDS[error.reason]}`);
		throw unreadable(source, error);
	} finally {
		progress?.("");
	}
}
async function* chunksOf(stream) {
	for await (const chunk of stream) yield Buffer.from(chunk);
}
// server/client/upgrade.ts
var upgrade = {
	usage: "<receipt>… [--dry-run] [--keyring <file or address>]",
	meaning: "puts the proof into receipts, which are evidence files and manifests, once there is one",
	help: `
<receipt> is a file that says "not yet" when it is verified. The service that it names is asked for its proof. Only a
proof that is valid and belongs to this very item is put into the file, which is replaced in whole or stays as it was.

  --dry-run               asks and checks, and changes nothing
  --keyring <source>      whose keys count: a keyring file, or the address of a service. May be repeated.
                          Without it: the keyrings that "keyring list" shows
${TRUST_HELP}

The address in a receipt is a hint that anybody may have written. PHAROS_API_KEY is sent to the service that PHAROS_URL
names and to nobody else: any other is asked without it, by https (http on this computer), and named before.

Exit code: 0 every file has its valid proof, 1 one was refused, 2 one could not be read or asked about, 3 not yet,
4 an API key is needed.`,
	options: {
		"dry-run": { type: "boolean" },
		keyring: {
			type: "string",
			multiple: true
		},
		...TRUST_OPTIONS
	},
	run: async (surroundings, values, files) => {
		if (files.length === 0) throw new Complaint("Name one receipt, or more.", { advice: `${surroundings.self} upgrade --help` });
		const trust = {
			keyrings: await keyringsFor(surroundings, values),
			logs: await logTrust(values)
		};
		const codes = [];
		for (const file of files) codes.push(await upgradeOrTell(surroundings, file, {
			trust,
			isDry: values["dry-run"] === true
		}));
		return WORST_FIRST.find((code) => codes.includes(code)) ?? 0;
	}
};
var WORST_FIRST = [
	1,
	2,
	4,
	3
];
/** One file that cannot be upgraded keeps none of the others from it. */
async function upgradeOrTell(surroundings, file, how) {
	try {
		return await upgradeFile(surroundings, file, how);
	} catch (error) {
		const complaint = error instanceof UpgradeRefused ? refusedWords(error) : error;
		if (!(complaint instanceof Complaint)) throw error;
		tellComplaint(surroundings.terminal, complaint, `${file}: `);
		return complaint instanceof ServiceRefused && (complaint.status === 429 || complaint.status >= 500) ? 2 : complaint.exitCode;
	}
}
var refusedWords = ({ reason, message }) => {
	switch (reason) {
		case "receipt": return new Complaint(`It is not valid, so nobody was asked. ${message}`, { exitCode: 1 });
		case "key": return new Complaint(`Whose key is it? ${message}`, {
			exitCode: 1,
			advice: "Name the keyring of the service that you trust: --keyring <its keyring file, or https address>"
		});
		case "answer": return new Complaint(`The proof that was answered is not that of this receipt. ${message}`, { exitCode: 1 });
		default: return reason;
	}
};
async function upgradeFile(surroundings, file, { trust, isDry }) {
	const { terminal } = surroundings;
	if (file === "-") throw new Complaint("What comes from standard input is no file that can be replaced.");
	const found = await statRegular(file);
	const given = await readGiven(terminal, file);
	if (given.kind !== "evidence") throw new Complaint("It is no receipt: there is nothing to put into it.");
	const { evidence, manifest } = given;
	await checkReceipt(evidence, trust);
	if (evidence.bundle !== void 0) {
		terminal.say(`${printable(file)}  has its proof already`);
		return 0;
	}
	const asked = await askFor(surroundings, file, evidence);
	if (asked.kind === "not_yet") {
		terminal.say(`${printable(file)}  not yet: ${asked.why}`);
		return 3;
	}
	const filling = await fillingOf(evidence, asked.answer, trust);
	if (!isDry) await fill({
		file,
		found
	}, {
		evidence,
		manifest
	}, filling);
	terminal.say(`${printable(file)}  ${isDry ? "its proof is there; nothing was changed" : "has its proof now"}`);
	return 0;
}
/** @throws Complaint */
async function askFor(surroundings, file, { item, trees }) {
	const url = addressOf$1(item.service);
	const headers = ownCredential(surroundings, url);
	const isOfRound = trees.length > 0;
	if (headers === void 0 && !isOfRound) throw new Complaint(`The proof of this item is asked for with an API key of ${url.origin}.`, {
		exitCode: 4,
		advice: SIGN_IN
	});
	if (headers === void 0) surroundings.terminal.note(`Asking ${url.origin}, which ${printable(file)} names, without a credential.`);
	const service = {
		url,
		headers: headers ?? {}
	};
	const ofRound = isOfRound ? await askRound(service, item) : void 0;
	if (ofRound?.kind === "answer") return ofRound;
	if (headers !== void 0) return askItem(service, item.id);
	if (ofRound?.kind === "not_yet") return ofRound;
	throw new Complaint(`${url.origin} has no round with this root, and the proof of the item is asked for with an API key.`, {
		exitCode: 4,
		advice: SIGN_IN
	});
}
/** @throws Complaint unless it is an https address, or one of this computer */
function addressOf$1(service) {
	const url = URL.canParse(service) ? new URL(service) : void 0;
	const isSafe = url?.protocol === "https:" || url?.protocol === "http:" && isOwnComputer(url.hostname);
	if (url === void 0 || !isSafe || url.username !== "" || url.password !== "") throw new Complaint(`It names ${printable(service)}, which is not asked: only https addresses are.`);
	return url;
}
/**
* Asks for the round with this root. Undefined when the service has none.
* @throws Complaint
*/
async function askRound({ url, headers }, { claims }) {
	const root = textOf(carried(claims, "hash")) ?? "";
	const answer = await getBytes(new URL(`/stamp/${root}`, url), { headers: {
		accept: "application/json",
		...headers
	} }, {
		bytes: LARGEST_EVIDENCE_BYTES,
		milliseconds: 1e4
	});
	if (answer.status !== 200) {
		const refused = refusal(answer, url);
		if (refused.status !== 404) throw refused;
		if (refused.retryAfterSeconds !== void 0) return {
			kind: "not_yet",
			why: notYetWords(refused)
		};
		if (refused.reason !== void 0) throw refused;
		return;
	}
	try {
		return {
			kind: "answer",
			answer: readUpgradeAnswer(readAnswer(answer.bytes, url))
		};
	} catch (error) {
		if (error instanceof EvidenceRejected) throw new Complaint(`${url.origin} answered something else than a proof: ${error.message}.`);
		throw error;
	}
}
/** Asks for the proof of the item, as its owner may. @throws Complaint */
async function askItem(service, id) {
	try {
		const bundle = await generatedProof(service, {
			id,
			type: "item",
			format: "json",
			layout: "published"
		});
		if (isJsonObject(bundle)) return {
			kind: "answer",
			answer: {
				bundle,
				logProof: void 0
			}
		};
		throw new Complaint(`${service.url.origin} answered with something else than a proof.`);
	} catch (error) {
		if (error instanceof ServiceRefused && isForNow(error)) return {
			kind: "not_yet",
			why: notYetWords(error)
		};
		throw error;
	}
}
/** Without a wait there will be no commitment. */
var isForNow = ({ code, retryAfterSeconds }) => code === "subject_not_ready" || code === "no_external_commitments" && retryAfterSeconds !== void 0;
var notYetWords = ({ message, retryAfterSeconds }) => `${message}${retryAfterSeconds === void 0 ? "" : ` Try again in ${retryAfterSeconds} s.`}`;
/**
* @param found the file before it was read
* @throws Complaint when it was changed since then, would be too large or cannot be written; it stays as it is then
*/
async function fill({ file, found }, { evidence, manifest }, filling) {
	const text = manifest === void 0 ? writeEvidence(filled(evidence.document, filling)) : writeManifestHeader(filled(manifest.header.document, filling));
	if (Buffer.byteLength(text) > 4194304) throw new Complaint(`With its proof it would be larger than ${LARGEST_EVIDENCE_BYTES / 1024} KiB.`, { exitCode: 1 });
	try {
		const path = await realpath(file);
		await replaceFile(path, manifest === void 0 ? text : withFirstLine(text, path), {
			mode: Number(found.mode & 4095n),
			check: async () => {
				if (!isUntouched(found, await stat(path, { bigint: true }))) throw new Complaint("It was changed while it was upgraded, and stays as it is now.");
			}
		});
	} catch (error) {
		if (error instanceof Complaint || codeOf(error) === void 0) throw error;
		throw new Complaint(`It could not be written: ${wordsOf(error)}`);
	}
}
/** The lines of the file, with another first one. */
async function* withFirstLine(line, path) {
	yield Buffer.from(line);
	let isBehind = false;
	for await (const chunk of await streamOf(path)) {
		const bytes = Buffer.from(chunk);
		const end = isBehind ? -1 : bytes.indexOf(LINE_FEED);
		if (isBehind) yield bytes;
		else if (end >= 0) {
			isBehind = true;
			yield bytes.subarray(end + 1);
		}
	}
}
var LINE_FEED = 10;
// shared/evidence/judge_evidence.ts
/** A report as JSON, e.g. `{"verdict": "not_yet", "item_id": "01…", "rows": […]}`. */
var shownReport = ({ item }, { verdict, rows, bundle }) => ({
	verdict,
	item_id: item.id,
	rows,
	bundle: bundle?.report
});
function judgeEvidence({ item }, { verdict, rows, acceptedAt, bundle }, keyrings) {
	const accepted = shownTime(utcSeconds(acceptedAt) ?? "a time that is none");
	const keyId = toHex(item.signingKeyId);
	const said = (sentence, reservations) => ({
		headline: HEADLINES[verdict],
		sentence,
		reservations
	});
	const words = rows.filter(({ status, group }) => status === "warn" && group !== "Bundle").map(({ message }) => message);
	switch (verdict) {
		case "valid": {
			if (bundle === void 0) return said("", words);
			const { read, report } = bundle;
			return said(judgeReport(read, report, keyrings).sentence, [...words, ...chainReservations(read, report, bundleFacts(read))]);
		}
		case "not_yet": return said(`The service accepted this at ${accepted} and signed that by key ${keyId}. No block with it is committed to a public chain yet, as far as this file knows.`, words);
		case "key_open": return said(`${rows.some(({ status, group }) => status === "pass" && group === "Item Signature") ? "Every hash, path and signature fits." : `Every hash and path fits. The signature of the item, by key ${keyId}, was not checked.`} But none of the keyrings at hand has the key that signed this, and anybody can make such a file with a key of his own.`, words);
		case "not_valid": {
			const failed = rows.filter(({ status }) => status === "fail").map(({ group }) => group);
			return said(`Failed: ${[...new Set(failed)].join(", ")}.`, []);
		}
		default: return verdict;
	}
}
var HEADLINES = {
	valid: "Valid",
	not_yet: "Not yet",
	key_open: "Not confirmed: whose key is it?",
	not_valid: "Not valid"
};
// shared/evidence/verify_ots.ts
/** @param fileDigest of the file at hand, by the hash function that `read.hashType` names */
async function verifyOts(read, sources, fileDigest) {
	const attested = attestedMessages(read);
	const checked = [];
	for (const [at, block] of blocksOf(attested).entries()) checked.push(await checkBlock(block, at < MOST_LOOKUPS ? sources : {
		...sources,
		lookups: void 0
	}));
	const blocks = checked.flatMap(({ block }) => block ?? []);
	const known = attested.filter(({ attestation: { kind } }) => kind !== "unknown");
	const rows = [
		...inGroup("Digest", digestFindings({
			type: read.hashType,
			value: read.digest
		}, fileDigest)),
		...inGroup("Bitcoin", besideEachOther(checked)),
		...inGroup("Calendar", promiseFindings(attested)),
		...inGroup("Bitcoin", known.length > 0 ? [] : [fail("No attestation in it is of a kind that is known.")])
	];
	return {
		verdict: verdictOf(rows, blocks),
		rows,
		blocks
	};
}
var CATEGORIES = {
	Digest: "data_integrity",
	Bitcoin: "blockchain",
	Calendar: "timing"
};
var inGroup = (group, findings) => findings.map(({ status, message }) => ({
	group,
	category: CATEGORIES[group],
	status,
	message
}));
/** Files of the usual client name one block for each calendar, and there are four of those. */
var MOST_LOOKUPS = 8;
/** One block is enough: whoever puts a false one beside it takes nothing from it. */
function besideEachOther(checked) {
	const isConfirmed = checked.some(({ block }) => block?.confirmedBy !== void 0);
	return checked.flatMap(({ findings }) => findings).map((finding) => isConfirmed && finding.status === "fail" ? warn(finding.message) : finding);
}
function verdictOf(rows, blocks) {
	if (rows.some(({ status }) => status === "fail")) return "not_valid";
	if (blocks.some(({ confirmedBy }) => confirmedBy !== void 0)) return "valid";
	return blocks.length > 0 ? "not_asked" : "not_yet";
}
function blocksOf(attested) {
	const blocks = /* @__PURE__ */ new Map();
	for (const { attestation, message } of attested) {
		if (attestation.kind !== "bitcoin") continue;
		const block = {
			height: attestation.height,
			merkleRoot: displayHash(message)
		};
		blocks.set(`${block.height} ${block.merkleRoot}`, block);
	}
	return [...blocks.values()];
}
async function checkBlock(block, { lookups, merkleRoots }) {
	const { height, merkleRoot } = block;
	if (merkleRoot.length !== 64) return {
		block: void 0,
		findings: [fail("The operations lead to something else than a Merkle root.")]
	};
	const entered = merkleRoots?.get(height);
	if (entered !== void 0) return compareEntered(block, entered);
	if (lookups !== void 0) return askBlock(lookups, block);
	return {
		block,
		findings: [warn(`Bitcoin block ${height} must have Merkle root ${merkleRoot}: that was not looked up.`)]
	};
}
function compareEntered(block, entered) {
	const { height, merkleRoot } = block;
	if (entered !== merkleRoot) return {
		block,
		findings: [fail(`The Merkle root that was entered for Bitcoin block ${height} is not that of the operations.`)]
	};
	return {
		block: {
			...block,
			confirmedBy: "reader"
		},
		findings: [pass(`The operations lead to the Merkle root that was entered for Bitcoin block ${height}.`), warn(`The Merkle root of Bitcoin block ${height} came from you, and nobody was asked: this says as much as the place where you looked it up.`)]
	};
}
/** An attestation names no network, so the test network is asked about what is not on the main one. */
async function askBlock(lookups, block) {
	const { height, merkleRoot } = block;
	const main = await look$1(lookups, bitcoinBlockAt("mainnet", height));
	if (main.outcome === "unreachable") return {
		block,
		findings: [warn(`Bitcoin block ${height} could not be looked up: ${main.why}.`)]
	};
	if (main.outcome === "found" && main.value.merkleRoot === merkleRoot) return confirmed(block, "mainnet", main.value.timestamp);
	const other = main.outcome === "found" ? `Block ${height} of Bitcoin mainnet has Merkle root ${shown(main.value.merkleRoot)}, not ${merkleRoot}.` : `Block ${height} of Bitcoin mainnet is not there.`;
	const test = await look$1(lookups, bitcoinBlockAt("testnet", height));
	if (test.outcome === "found" && test.value.merkleRoot === merkleRoot) return confirmed(block, "testnet", test.value.timestamp);
	if (test.outcome === "unreachable") return {
		block,
		findings: [warn(`${other} That of testnet could not be looked up: ${test.why}.`)]
	};
	return {
		block,
		findings: [fail(`${other} The attestation is of another network, such as a development chain, or it is false.`)]
	};
}
var confirmed = (block, confirmedBy, seconds) => ({
	block: {
		...block,
		confirmedBy,
		time: seconds * 1e3
	},
	findings: [pass(`Block ${block.height} of Bitcoin ${confirmedBy} has the Merkle root to which the operations lead. It was made ${utcSeconds(seconds * 1e3) ?? "at no known time"}.`), ...confirmedBy === "mainnet" ? [] : [warn("That is a network for trials, which is started anew: what stands there does not last.")]]
});
var promiseFindings = (attested) => attested.flatMap(({ attestation }) => {
	if (attestation.kind === "pending") return [info(`The calendar at ${attestation.address} promises a proof.`)];
	return attestation.kind === "unknown" ? [info("An attestation of an unknown kind counts for nothing.")] : [];
});
/** A report as JSON. */
var shownOts = ({ digest, hashType }, { verdict, rows, blocks }) => ({
	verdict,
	digest: {
		type: hashType,
		value: shown(digest)
	},
	rows,
	blocks
});
function judgeOts({ hashType }, { verdict, rows, blocks }) {
	const words = rows.filter(({ status }) => status === "warn").map(({ message }) => message);
	const heights = blocks.map(({ height }) => height).join(", ");
	switch (verdict) {
		case "valid": return {
			headline: "Valid",
			sentence: `What has this ${hashType} digest was there when ${firstConfirmed(blocks)}.`,
			reservations: words
		};
		case "not_yet": return {
			headline: "Not yet",
			sentence: "No Bitcoin block attests to this so far, as far as this file knows. Calendars have promised that one will: “ots upgrade” asks them for it.",
			reservations: words
		};
		case "not_asked": return {
			headline: "Not confirmed: what does Bitcoin say?",
			sentence: `The steps lead to the Merkle root that Bitcoin block ${heights} must have. Whether it has that is not known here.`,
			reservations: words
		};
		case "not_valid": {
			const failed = rows.filter(({ status }) => status === "fail").map(({ group }) => group);
			return {
				headline: "Not valid",
				sentence: `Failed: ${[...new Set(failed)].join(", ")}.`,
				reservations: []
			};
		}
		default: return verdict;
	}
}
/** The earliest block, but one of the test network only when there is no other. */
function firstConfirmed(blocks) {
	const confirmed = blocks.filter(({ confirmedBy }) => confirmedBy !== void 0);
	const lasting = confirmed.filter(({ confirmedBy }) => confirmedBy !== "testnet");
	const [first] = (lasting.length > 0 ? lasting : confirmed).toSorted((a, b) => a.height - b.height);
	if (first === void 0) return "no known block was made";
	const network = first.confirmedBy === "testnet" ? " testnet" : "";
	const made = first.time === void 0 ? "" : `, ${shownTime(utcSeconds(first.time) ?? "at no known time")}`;
	const entered = first.confirmedBy === "reader" ? ", if it has the Merkle root that was entered" : "";
	return `Bitcoin${network} block ${first.height} was made${made}${entered}`;
}
// node_modules/@noble/hashes/_blake.js
/**
* Internal helpers for blake hash.
* @module
*/
/**
* Internal blake permutation table.
* Rows `0..9` serve BLAKE2s, rows `0..11` serve BLAKE2b with `10..11 = 0..1`, and Blake1 also
* reuses the later rows shown below. Blake1 expands rounds `10..15` as `SIGMA[i % 10]`, so rows
* `10..15` intentionally repeat rows `0..5` for the 14-round (256) and 16-round (512) variants.
*/
var BSIGMA = /* @__PURE__ */ Uint8Array.from([
	0,
	1,
	2,
	3,
	4,
	5,
	6,
	7,
	8,
	9,
	10,
	11,
	12,
	13,
	14,
	15,
	14,
	10,
	4,
	8,
	9,
	15,
	13,
	6,
	1,
	12,
	0,
	2,
	11,
	7,
	5,
	3,
	11,
	8,
	12,
	0,
	5,
	2,
	15,
	13,
	10,
	14,
	3,
	6,
	7,
	1,
	9,
	4,
	7,
	9,
	3,
	1,
	13,
	12,
	11,
	14,
	2,
	6,
	5,
	10,
	4,
	0,
	15,
	8,
	9,
	0,
	5,
	7,
	2,
	4,
	10,
	15,
	14,
	1,
	11,
	12,
	6,
	8,
	3,
	13,
	2,
	12,
	6,
	10,
	0,
	11,
	8,
	3,
	4,
	13,
	7,
	5,
	15,
	14,
	1,
	9,
	12,
	5,
	1,
	15,
	14,
	13,
	4,
	10,
	0,
	7,
	6,
	3,
	9,
	2,
	8,
	11,
	13,
	11,
	7,
	14,
	12,
	1,
	3,
	9,
	5,
	0,
	15,
	4,
	8,
	6,
	2,
	10,
	6,
	15,
	14,
	9,
	11,
	3,
	0,
	8,
	12,
	2,
	13,
	7,
	1,
	4,
	10,
	5,
	10,
	2,
	8,
	4,
	7,
	6,
	1,
	5,
	15,
	11,
	9,
	14,
	3,
	12,
	13,
	0,
	0,
	1,
	2,
	3,
	4,
	5,
	6,
	7,
	8,
	9,
	10,
	11,
	12,
	13,
	14,
	15,
	14,
	10,
	4,
	8,
	9,
	15,
	13,
	6,
	1,
	12,
	0,
	2,
	11,
	7,
	5,
	3,
	11,
	8,
	12,
	0,
	5,
	2,
	15,
	13,
	10,
	14,
	3,
	6,
	7,
	1,
	9,
	4,
	7,
	9,
	3,
	1,
	13,
	12,
	11,
	14,
	2,
	6,
	5,
	10,
	4,
	0,
	15,
	8,
	9,
	0,
	5,
	7,
	2,
	4,
	10,
	15,
	14,
	1,
	11,
	12,
	6,
	8,
	3,
	13,
	2,
	12,
	6,
	10,
	0,
	11,
	8,
	3,
	4,
	13,
	7,
	5,
	15,
	14,
	1,
	9
]);
function G1s(a, b, c, d, x) {
	a = a + b + x | 0;
	d = rotr(d ^ a, 16);
	c = c + d | 0;
	b = rotr(b ^ c, 12);
	return {
		a,
		b,
		c,
		d
	};
}
function G2s(a, b, c, d, x) {
	a = a + b + x | 0;
	d = rotr(d ^ a, 8);
	c = c + d | 0;
	b = rotr(b ^ c, 7);
	return {
		a,
		b,
		c,
		d
	};
}
// node_modules/@noble/hashes/blake2.js
/**
* blake2b (64-bit) & blake2s (8 to 32-bit) hash functions.
* b could have been faster, but there is no fast u64 in js, so s is 1.5x faster.
* @module
*/
var B2B_IV = /* @__PURE__ */ Uint32Array.from([
	4089235720,
	1779033703,
	2227873595,
	3144134277,
	4271175723,
	1013904242,
	1595750129,
	2773480762,
	2917565137,
	1359893119,
	725511199,
	2600822924,
	4215389547,
	528734635,
	327033209,
	1541459225
]);
var BBUF = /* @__PURE__ */ new Uint32Array(32);
function G1b(a, b, c, d, msg, x) {
	const Xl = msg[x], Xh = msg[x + 1];
	let Al = BBUF[2 * a], Ah = BBUF[2 * a + 1];
	let Bl = BBUF[2 * b], Bh = BBUF[2 * b + 1];
	let Cl = BBUF[2 * c], Ch = BBUF[2 * c + 1];
	let Dl = BBUF[2 * d], Dh = BBUF[2 * d + 1];
	const ll = add3L(Al, Bl, Xl);
	Ah = add3H(ll, Ah, Bh, Xh);
	Al = ll | 0;
	let xh = Dh ^ Ah, xl = Dl ^ Al;
	Dh = rotr32H(xh, xl);
	Dl = rotr32L(xh, xl);
	({h: Ch, l: Cl} = add$1(Ch, Cl, Dh, Dl));
	xh = Bh ^ Ch;
	xl = Bl ^ Cl;
	Bh = rotrSH(xh, xl, 24);
	Bl = rotrSL(xh, xl, 24);
	BBUF[2 * a] = Al;
	BBUF[2 * a + 1] = Ah;
	BBUF[2 * b] = Bl;
	BBUF[2 * b + 1] = Bh;
	BBUF[2 * c] = Cl;
	BBUF[2 * c + 1] = Ch;
	BBUF[2 * d] = Dl;
	BBUF[2 * d + 1] = Dh;
}
function G2b(a, b, c, d, msg, x) {
	const Xl = msg[x], Xh = msg[x + 1];
	let Al = BBUF[2 * a], Ah = BBUF[2 * a + 1];
	let Bl = BBUF[2 * b], Bh = BBUF[2 * b + 1];
	let Cl = BBUF[2 * c], Ch = BBUF[2 * c + 1];
	let Dl = BBUF[2 * d], Dh = BBUF[2 * d + 1];
	const ll = add3L(Al, Bl, Xl);
	Ah = add3H(ll, Ah, Bh, Xh);
	Al = ll | 0;
	let xh = Dh ^ Ah, xl = Dl ^ Al;
	Dh = rotrSH(xh, xl, 16);
	Dl = rotrSL(xh, xl, 16);
	({h: Ch, l: Cl} = add$1(Ch, Cl, Dh, Dl));
	xh = Bh ^ Ch;
	xl = Bl ^ Cl;
	Bh = rotrBH(xh, xl, 63);
	Bl = rotrBL(xh, xl, 63);
	BBUF[2 * a] = Al;
	BBUF[2 * a + 1] = Ah;
	BBUF[2 * b] = Bl;
	BBUF[2 * b + 1] = Bh;
	BBUF[2 * c] = Cl;
	BBUF[2 * c + 1] = Ch;
	BBUF[2 * d] = Dl;
	BBUF[2 * d + 1] = Dh;
}
function checkBlake2Opts(outputLen, opts = {}, keyLen, saltLen, persLen) {
	anumber$1(keyLen);
	if (outputLen <= 0 || outputLen > keyLen) throw new Error("\"dkLen\" must be 1.." + keyLen + ", got " + outputLen);
	const { key, salt, personalization } = opts;
	if (key !== void 0 && (key.length < 1 || key.length > keyLen)) throw new Error("\"key\" expected to be undefined or of length=1.." + keyLen);
	if (salt !== void 0) abytes$1(salt, saltLen, "salt");
	if (personalization !== void 0) abytes$1(personalization, persLen, "personalization");
}
/** Internal base class for BLAKE2. */
var _BLAKE2 = class {
	buffer;
	buffer32;
	finished = false;
	destroyed = false;
	length = 0;
	pos = 0;
	blockLen;
	outputLen;
	canXOF = false;
	constructor(blockLen, outputLen) {
		anumber$1(blockLen);
		anumber$1(outputLen);
		this.blockLen = blockLen;
		this.outputLen = outputLen;
		this.buffer = new Uint8Array(blockLen);
		this.buffer32 = u32(this.buffer);
	}
	update(data) {
		aexists(this);
		abytes$1(data);
		const { blockLen, buffer, buffer32 } = this;
		const len = data.length;
		const offset = data.byteOffset;
		const buf = data.buffer;
		for (let pos = 0; pos < len;) {
			if (this.pos === blockLen) {
				swap32IfBE(buffer32);
				this.compress(buffer32, 0, false);
				swap32IfBE(buffer32);
				this.pos = 0;
			}
			const take = Math.min(blockLen - this.pos, len - pos);
			const dataOffset = offset + pos;
			if (take === blockLen && !(dataOffset % 4) && pos + take < len) {
				const data32 = new Uint32Array(buf, dataOffset, Math.floor((len - pos) / 4));
				swap32IfBE(data32);
				for (let pos32 = 0; pos + blockLen < len; pos32 += buffer32.length, pos += blockLen) {
					this.length += blockLen;
					this.compress(data32, pos32, false);
				}
				swap32IfBE(data32);
				continue;
			}
			buffer.set(pos === 0 && take === len ? data : data.subarray(pos, pos + take), this.pos);
			this.pos += take;
			this.length += take;
			pos += take;
		}
		return this;
	}
	digestInto(out) {
		aexists(this);
		aoutput(out, this);
		if (out.byteOffset & 3) throw new RangeError("\"output\" expected 4-byte aligned byteOffset, got " + out.byteOffset);
		const { pos, buffer32 } = this;
		this.finished = true;
		this.buffer.fill(0, pos);
		swap32IfBE(buffer32);
		this.compress(buffer32, 0, true);
		swap32IfBE(buffer32);
		const state = this.get();
		const out32 = out === this.buffer ? buffer32 : u32(out);
		const full = Math.floor(this.outputLen / 4);
		for (let i = 0; i < full; i++) out32[i] = swap8IfBE(state[i]);
		const tail = this.outputLen % 4;
		if (!tail) return;
		const off = full * 4;
		const word = state[full];
		for (let i = 0; i < tail; i++) out[off + i] = word >>> 8 * i;
	}
	digest() {
		const { buffer, outputLen } = this;
		this.digestInto(buffer);
		const res = buffer.slice(0, outputLen);
		this.destroy();
		return res;
	}
	_cloneInto(to) {
		const { buffer, length, finished, destroyed, outputLen, pos } = this;
		to ||= new this.constructor({ dkLen: outputLen });
		to.set(...this.get());
		to.buffer.set(buffer);
		to.destroyed = destroyed;
		to.finished = finished;
		to.length = length;
		to.pos = pos;
		to.outputLen = outputLen;
		return to;
	}
	clone() {
		return this._cloneInto();
	}
};
/** Internal blake2b hash class with state stored as LE u32 low/high halves. */
var _BLAKE2b = class extends _BLAKE2 {
	v0l = B2B_IV[0] | 0;
	v0h = B2B_IV[1] | 0;
	v1l = B2B_IV[2] | 0;
	v1h = B2B_IV[3] | 0;
	v2l = B2B_IV[4] | 0;
	v2h = B2B_IV[5] | 0;
	v3l = B2B_IV[6] | 0;
	v3h = B2B_IV[7] | 0;
	v4l = B2B_IV[8] | 0;
	v4h = B2B_IV[9] | 0;
	v5l = B2B_IV[10] | 0;
	v5h = B2B_IV[11] | 0;
	v6l = B2B_IV[12] | 0;
	v6h = B2B_IV[13] | 0;
	v7l = B2B_IV[14] | 0;
	v7h = B2B_IV[15] | 0;
	constructor(opts = {}) {
		opts = checkOpts({}, opts);
		const olen = opts.dkLen === void 0 ? 64 : opts.dkLen;
		super(128, olen);
		checkBlake2Opts(olen, opts, 64, 16, 16);
		let { key, personalization, salt } = opts;
		let keyLength = 0;
		if (key !== void 0) {
			abytes$1(key, void 0, "key");
			keyLength = key.length;
		}
		this.v0l ^= this.outputLen | keyLength << 8 | 16842752;
		if (salt !== void 0) {
			abytes$1(salt, void 0, "salt");
			const slt = u32(copyBytes$1(salt));
			this.v4l ^= swap8IfBE(slt[0]);
			this.v4h ^= swap8IfBE(slt[1]);
			this.v5l ^= swap8IfBE(slt[2]);
			this.v5h ^= swap8IfBE(slt[3]);
		}
		if (personalization !== void 0) {
			abytes$1(personalization, void 0, "personalization");
			const pers = u32(copyBytes$1(personalization));
			this.v6l ^= swap8IfBE(pers[0]);
			this.v6h ^= swap8IfBE(pers[1]);
			this.v7l ^= swap8IfBE(pers[2]);
			this.v7h ^= swap8IfBE(pers[3]);
		}
		if (key !== void 0) {
			const tmp = new Uint8Array(this.blockLen);
			tmp.set(key);
			this.update(tmp);
			clean(tmp);
		}
	}
	get() {
		let { v0l, v0h, v1l, v1h, v2l, v2h, v3l, v3h, v4l, v4h, v5l, v5h, v6l, v6h, v7l, v7h } = this;
		return [
			v0l,
			v0h,
			v1l,
			v1h,
			v2l,
			v2h,
			v3l,
			v3h,
			v4l,
			v4h,
			v5l,
			v5h,
			v6l,
			v6h,
			v7l,
			v7h
		];
	}
	set(v0l, v0h, v1l, v1h, v2l, v2h, v3l, v3h, v4l, v4h, v5l, v5h, v6l, v6h, v7l, v7h) {
		this.v0l = v0l | 0;
		this.v0h = v0h | 0;
		this.v1l = v1l | 0;
		this.v1h = v1h | 0;
		this.v2l = v2l | 0;
		this.v2h = v2h | 0;
		this.v3l = v3l | 0;
		this.v3h = v3h | 0;
		this.v4l = v4l | 0;
		this.v4h = v4h | 0;
		this.v5l = v5l | 0;
		this.v5h = v5h | 0;
		this.v6l = v6l | 0;
		this.v6h = v6h | 0;
		this.v7l = v7l | 0;
		this.v7h = v7h | 0;
	}
	compress(msg, offset, isLast) {
		const { v0l, v0h, v1l, v1h, v2l, v2h, v3l, v3h, v4l, v4h, v5l, v5h, v6l, v6h, v7l, v7h } = this;
		BBUF[0] = v0l;
		BBUF[1] = v0h;
		BBUF[2] = v1l;
		BBUF[3] = v1h;
		BBUF[4] = v2l;
		BBUF[5] = v2h;
		BBUF[6] = v3l;
		BBUF[7] = v3h;
		BBUF[8] = v4l;
		BBUF[9] = v4h;
		BBUF[10] = v5l;
		BBUF[11] = v5h;
		BBUF[12] = v6l;
		BBUF[13] = v6h;
		BBUF[14] = v7l;
		BBUF[15] = v7h;
		BBUF.set(B2B_IV, 16);
		const l = fromNumL(this.length);
		const h = fromNumH(this.length);
		BBUF[24] = B2B_IV[8] ^ l;
		BBUF[25] = B2B_IV[9] ^ h;
		if (isLast) {
			BBUF[28] = ~BBUF[28];
			BBUF[29] = ~BBUF[29];
		}
		let j = 0;
		const s = BSIGMA;
		for (let i = 0; i < 12; i++) {
			G1b(0, 4, 8, 12, msg, offset + 2 * s[j++]);
			G2b(0, 4, 8, 12, msg, offset + 2 * s[j++]);
			G1b(1, 5, 9, 13, msg, offset + 2 * s[j++]);
			G2b(1, 5, 9, 13, msg, offset + 2 * s[j++]);
			G1b(2, 6, 10, 14, msg, offset + 2 * s[j++]);
			G2b(2, 6, 10, 14, msg, offset + 2 * s[j++]);
			G1b(3, 7, 11, 15, msg, offset + 2 * s[j++]);
			G2b(3, 7, 11, 15, msg, offset + 2 * s[j++]);
			G1b(0, 5, 10, 15, msg, offset + 2 * s[j++]);
			G2b(0, 5, 10, 15, msg, offset + 2 * s[j++]);
			G1b(1, 6, 11, 12, msg, offset + 2 * s[j++]);
			G2b(1, 6, 11, 12, msg, offset + 2 * s[j++]);
			G1b(2, 7, 8, 13, msg, offset + 2 * s[j++]);
			G2b(2, 7, 8, 13, msg, offset + 2 * s[j++]);
			G1b(3, 4, 9, 14, msg, offset + 2 * s[j++]);
			G2b(3, 4, 9, 14, msg, offset + 2 * s[j++]);
		}
		this.v0l ^= BBUF[0] ^ BBUF[16];
		this.v0h ^= BBUF[1] ^ BBUF[17];
		this.v1l ^= BBUF[2] ^ BBUF[18];
		this.v1h ^= BBUF[3] ^ BBUF[19];
		this.v2l ^= BBUF[4] ^ BBUF[20];
		this.v2h ^= BBUF[5] ^ BBUF[21];
		this.v3l ^= BBUF[6] ^ BBUF[22];
		this.v3h ^= BBUF[7] ^ BBUF[23];
		this.v4l ^= BBUF[8] ^ BBUF[24];
		this.v4h ^= BBUF[9] ^ BBUF[25];
		this.v5l ^= BBUF[10] ^ BBUF[26];
		this.v5h ^= BBUF[11] ^ BBUF[27];
		this.v6l ^= BBUF[12] ^ BBUF[28];
		this.v6h ^= BBUF[13] ^ BBUF[29];
		this.v7l ^= BBUF[14] ^ BBUF[30];
		this.v7h ^= BBUF[15] ^ BBUF[31];
		clean(BBUF);
	}
	destroy() {
		this.destroyed = true;
		clean(this.buffer32);
		this.set(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
	}
};
/**
* Blake2b hash function. 64-bit. 1.5x slower than blake2s in JS.
* @param msg - message that would be hashed
* @param opts - Optional output, MAC, salt, and personalization settings.
*   `dkLen` must be 1..64 bytes; `salt` and `personalization`, if present,
*   must be 16 bytes each. See {@link Blake2Opts}.
* @returns Digest bytes.
* @example
* Hash a message with Blake2b.
* ```ts
* blake2b(new Uint8Array([97, 98, 99]));
* ```
* @example
* Hash a message with Blake2b while selecting output, MAC, salt, and personalization settings.
* ```ts
* blake2b(new Uint8Array([97, 98, 99]), {
*   dkLen: 32,
*   key: new Uint8Array(32),
*   salt: new Uint8Array(16),
*   personalization: new Uint8Array(16),
* });
* ```
*/
var blake2b = /* @__PURE__ */ createHasher((opts) => new _BLAKE2b(opts));
/**
* BLAKE2-compress core method.
* Runs only the round function over a caller-supplied local vector; callers initialize `v0..v15`
* and apply the final `h[i] ^= v[i] ^ v[i + 8]` fold themselves.
* @param s - flattened sigma schedule bytes
* @param offset - starting word offset inside `msg`, not a byte offset
* @param msg - message words
* @param rounds - round count to execute
* @param v0 - state word 0
* @param v1 - state word 1
* @param v2 - state word 2
* @param v3 - state word 3
* @param v4 - state word 4
* @param v5 - state word 5
* @param v6 - state word 6
* @param v7 - state word 7
* @param v8 - state word 8
* @param v9 - state word 9
* @param v10 - state word 10
* @param v11 - state word 11
* @param v12 - state word 12
* @param v13 - state word 13
* @param v14 - state word 14
* @param v15 - state word 15
* @returns Updated compression state words.
* @example
* Run the BLAKE2 compression core on zeroed state and message words.
* ```ts
* import { _compress } from '@noble/hashes/blake2.js';
* const state = _compress(
*   new Uint8Array(16),
*   0,
*   new Uint32Array(16),
*   1,
*   0, 0, 0, 0, 0, 0, 0, 0,
*   0, 0, 0, 0, 0, 0, 0, 0
* );
* state.v0;
* ```
*/
function _compress(s, offset, msg, rounds, v0, v1, v2, v3, v4, v5, v6, v7, v8, v9, v10, v11, v12, v13, v14, v15) {
	let j = 0;
	for (let i = 0; i < rounds; i++) {
		({a: v0, b: v4, c: v8, d: v12} = G1s(v0, v4, v8, v12, msg[offset + s[j++]]));
		({a: v0, b: v4, c: v8, d: v12} = G2s(v0, v4, v8, v12, msg[offset + s[j++]]));
		({a: v1, b: v5, c: v9, d: v13} = G1s(v1, v5, v9, v13, msg[offset + s[j++]]));
		({a: v1, b: v5, c: v9, d: v13} = G2s(v1, v5, v9, v13, msg[offset + s[j++]]));
		({a: v2, b: v6, c: v10, d: v14} = G1s(v2, v6, v10, v14, msg[offset + s[j++]]));
		({a: v2, b: v6, c: v10, d: v14} = G2s(v2, v6, v10, v14, msg[offset + s[j++]]));
		({a: v3, b: v7, c: v11, d: v15} = G1s(v3, v7, v11, v15, msg[offset + s[j++]]));
		({a: v3, b: v7, c: v11, d: v15} = G2s(v3, v7, v11, v15, msg[offset + s[j++]]));
		({a: v0, b: v5, c: v10, d: v15} = G1s(v0, v5, v10, v15, msg[offset + s[j++]]));
		({a: v0, b: v5, c: v10, d: v15} = G2s(v0, v5, v10, v15, msg[offset + s[j++]]));
		({a: v1, b: v6, c: v11, d: v12} = G1s(v1, v6, v11, v12, msg[offset + s[j++]]));
		({a: v1, b: v6, c: v11, d: v12} = G2s(v1, v6, v11, v12, msg[offset + s[j++]]));
		({a: v2, b: v7, c: v8, d: v13} = G1s(v2, v7, v8, v13, msg[offset + s[j++]]));
		({a: v2, b: v7, c: v8, d: v13} = G2s(v2, v7, v8, v13, msg[offset + s[j++]]));
		({a: v3, b: v4, c: v9, d: v14} = G1s(v3, v4, v9, v14, msg[offset + s[j++]]));
		({a: v3, b: v4, c: v9, d: v14} = G2s(v3, v4, v9, v14, msg[offset + s[j++]]));
	}
	return {
		v0,
		v1,
		v2,
		v3,
		v4,
		v5,
		v6,
		v7,
		v8,
		v9,
		v10,
		v11,
		v12,
		v13,
		v14,
		v15
	};
}
var B2S_IV = /* @__PURE__ */ SHA256_IV.slice();
/** Internal blake2s hash class. */
var _BLAKE2s = class extends _BLAKE2 {
	v0 = B2S_IV[0] | 0;
	v1 = B2S_IV[1] | 0;
	v2 = B2S_IV[2] | 0;
	v3 = B2S_IV[3] | 0;
	v4 = B2S_IV[4] | 0;
	v5 = B2S_IV[5] | 0;
	v6 = B2S_IV[6] | 0;
	v7 = B2S_IV[7] | 0;
	constructor(opts = {}) {
		opts = checkOpts({}, opts);
		const olen = opts.dkLen === void 0 ? 32 : opts.dkLen;
		super(64, olen);
		checkBlake2Opts(olen, opts, 32, 8, 8);
		let { key, personalization, salt } = opts;
		let keyLength = 0;
		if (key !== void 0) {
			abytes$1(key, void 0, "key");
			keyLength = key.length;
		}
		this.v0 ^= this.outputLen | keyLength << 8 | 16842752;
		if (salt !== void 0) {
			abytes$1(salt, void 0, "salt");
			const slt = u32(copyBytes$1(salt));
			this.v4 ^= swap8IfBE(slt[0]);
			this.v5 ^= swap8IfBE(slt[1]);
		}
		if (personalization !== void 0) {
			abytes$1(personalization, void 0, "personalization");
			const pers = u32(copyBytes$1(personalization));
			this.v6 ^= swap8IfBE(pers[0]);
			this.v7 ^= swap8IfBE(pers[1]);
		}
		if (key !== void 0) {
			const tmp = new Uint8Array(this.blockLen);
			tmp.set(key);
			this.update(tmp);
			clean(tmp);
		}
	}
	get() {
		const { v0, v1, v2, v3, v4, v5, v6, v7 } = this;
		return [
			v0,
			v1,
			v2,
			v3,
			v4,
			v5,
			v6,
			v7
		];
	}
	set(v0, v1, v2, v3, v4, v5, v6, v7) {
		this.v0 = v0 | 0;
		this.v1 = v1 | 0;
		this.v2 = v2 | 0;
		this.v3 = v3 | 0;
		this.v4 = v4 | 0;
		this.v5 = v5 | 0;
		this.v6 = v6 | 0;
		this.v7 = v7 | 0;
	}
	compress(msg, offset, isLast) {
		const l = fromNumL(this.length);
		const h = fromNumH(this.length);
		const { v0, v1, v2, v3, v4, v5, v6, v7, v8, v9, v10, v11, v12, v13, v14, v15 } = _compress(BSIGMA, offset, msg, 10, this.v0, this.v1, this.v2, this.v3, this.v4, this.v5, this.v6, this.v7, B2S_IV[0], B2S_IV[1], B2S_IV[2], B2S_IV[3], l ^ B2S_IV[4], h ^ B2S_IV[5], isLast ? ~B2S_IV[6] : B2S_IV[6], B2S_IV[7]);
		this.v0 ^= v0 ^ v8;
		this.v1 ^= v1 ^ v9;
		this.v2 ^= v2 ^ v10;
		this.v3 ^= v3 ^ v11;
		this.v4 ^= v4 ^ v12;
		this.v5 ^= v5 ^ v13;
		this.v6 ^= v6 ^ v14;
		this.v7 ^= v7 ^ v15;
	}
	destroy() {
		this.destroyed = true;
		clean(this.buffer32);
		this.set(0, 0, 0, 0, 0, 0, 0, 0);
	}
};
/**
* Blake2s hash function. Focuses on 8-bit to 32-bit platforms. 1.5x faster than blake2b in JS.
* @param msg - message that would be hashed
* @param opts - Optional output, MAC, salt, and personalization settings.
*   `dkLen` must be 1..32 bytes; `salt` and `personalization`, if present,
*   must be 8 bytes each. See {@link Blake2Opts}.
* @returns Digest bytes.
* @example
* Hash a message with Blake2s.
* ```ts
* blake2s(new Uint8Array([97, 98, 99]));
* ```
* @example
* Hash a message with Blake2s while selecting output, MAC, salt, and personalization settings.
* ```ts
* blake2s(new Uint8Array([97, 98, 99]), {
*   dkLen: 16,
*   key: new Uint8Array(32),
*   salt: new Uint8Array(8),
*   personalization: new Uint8Array(8),
* });
* ```
*/
var blake2s = /* @__PURE__ */ createHasher((opts) => new _BLAKE2s(opts));
// shared/verifier/digest.ts
/** blake2s and blake2b have their full lengths, 32 and 64 bytes. */
function startDigest(type) {
	const running = FUNCTIONS[type].create();
	return {
		update: (bytes) => void running.update(bytes),
		hex: () => toHex(running.digest())
	};
}
var FUNCTIONS = {
	md5,
	sha1,
	sha224,
	sha256: sha256$1,
	sha384,
	sha512,
	sha3_224,
	sha3_256,
	sha3_384,
	sha3_512,
	blake2s,
	blake2b
};
// server/client/hash_data.ts
/** Lowercase hex. @throws Complaint when the file cannot be read */
async function hashData({ progress }, name, type) {
	const digest = fastDigest(type);
	const total = (await stat(name).catch(() => void 0))?.size ?? 0;
	const tell = paced(progress, {
		firstMs: 1e3,
		everyMs: 200
	});
	let done = 0;
	try {
		for await (const chunk of await streamOf(name)) {
			const bytes = Buffer.from(chunk);
			digest.update(bytes);
			done += bytes.length;
			tell(() => `${type} of ${name}: ${share(done, total)}`);
		}
	} catch (error) {
		throw unreadable(name, error);
	} finally {
		progress?.("");
	}
	return digest.hex();
}
var share = (done, total) => total > 0 ? `${Math.floor(100 * Math.min(done, total) / total)} %` : `${Math.floor(done / 1048576)} MiB`;
/**
* Uses OpenSSL when this Node has the function, because it is several times faster. The set of functions
* differs by build and by policy.
*/
var fastDigest = (type) => {
	const name = OPENSSL_NAMES[type];
	if (!getHashes().includes(name)) return startDigest(type);
	const hash = createHash(name);
	return {
		update: (bytes) => void hash.update(bytes),
		hex: () => hash.digest("hex")
	};
};
// shared/verifier/report_summary.ts
/** Such as `12 passed` and `2 not checked`. A status that no row has is left out. */
var reportCounts = ({ steps }) => COUNTED.map(([status, word]) => [steps.filter((row) => row.status === status).length, word]).filter(([count]) => count > 0).map(([count, word]) => `${count} ${word}`);
var COUNTED = [
	["pass", "passed"],
	["fail", "failed"],
	["warn", "to note"],
	["info", "for information"],
	["skip", "not checked"]
];
/** In the order in which the steps ran. */
function stepGroups({ steps }) {
	const byName = /* @__PURE__ */ new Map();
	for (const row of steps) {
		const rows = byName.get(row.group) ?? [];
		rows.push(row);
		byName.set(row.group, rows);
	}
	return [...byName].map(([name, rows]) => ({
		name,
		rows,
		status: SEVERITY.find((status) => rows.some((row) => row.status === status)) ?? "skip",
		question: QUESTIONS.get(name) ?? ""
	}));
}
var SEVERITY = [
	"fail",
	"warn",
	"pass",
	"info",
	"skip"
];
var QUESTIONS = new Map([
	["Hash Comparison", "Is the claimed digest the digest of your file?"],
	["Structure", "Is the bundle written as the format wants it?"],
	["Signing Key", "Does it carry a usable public key?"],
	["Subject Data", "Which hash do the data, its metadata and its id make together?"],
	["Inclusion Proof", "Does the path lead from that hash to the root of the block’s tree?"],
	["Block Hash", "Which hash do the block’s parts make?"],
	["Epoch Proof", "Does the path lead from the block to the root of the epoch?"],
	...CHAIN_NAMES.map((chain) => [commitmentStep(chain), `Does ${CHAINS[chain].title} carry the epoch’s root?`]),
	["Proof Signature", "Did the key sign exactly this?"],
	["Key Binding", "Whose key is it?"],
	["Signing Key Event", "Which block introduced the key?"],
	["Digest", "Is the digest that of your file?"],
	["Trees", "Does the path lead from the digest to what the item claims?"],
	["Item", "Which hash do the item’s parts make?"],
	["Item Signature", "Did the service sign the item?"],
	["Bundle", "Is the proof bundle about this item, and valid?"],
	["Public Log", "Does the public log have the item’s block?"],
	["Bitcoin", "Does the Bitcoin block have the Merkle root to which the steps lead?"],
	["Calendar", "Who has promised a proof?"],
	["Witnesses", "What had the service seen when it accepted the item?"],
	["Entropy Source", "Do the public sources confirm what the witnesses say?"],
	["Submission Window", "Was it submitted before its block was closed?"],
	["Temporal Info", "Which times does it name?"],
	["Submitted After", "After which moment must it have been made?"],
	["Submitted Before", "Before which moment must it have been made?"]
]);
[...CHAIN_NAMES.map((chain) => ({
	member: `${chain}_commit`,
	name: `on ${CHAINS[chain].title}`,
	on: chain
}))];
// server/client/print_report.ts
function printReport(surroundings, printed) {
	const { terminal } = surroundings;
	const { read, report, judgement, keyrings, counted } = printed;
	for (const line of titleOf(read, report)) terminal.say(line);
	printSteps(terminal, report.steps);
	printJudgement(surroundings, judgement, keyrings, counted);
	terminal.say(terminal.paint.dim(`  ${reportCounts(report).join(", ")}`));
}
function printEvidence(surroundings, printed) {
	const { terminal } = surroundings;
	const { evidence, entries, report, judgement, keyrings, counted } = printed;
	const { digest, name, item } = evidence;
	terminal.say(entries === void 0 ? `Evidence of ${digest.type} ${toHex(digest.value)}${name === void 0 ? "" : `  ${printable(name)}`}` : `Manifest of ${plural(entries, "file")}`);
	terminal.say(`  item ${item.id} of ${printable(item.service)}`);
	printSteps(terminal, report.rows);
	if (report.bundle !== void 0) printSteps(terminal, report.bundle.report.steps);
	printJudgement(surroundings, {
		...judgement,
		verdict: report.verdict
	}, keyrings, counted);
}
function printOts(surroundings, { read, report, judgement }) {
	const { terminal } = surroundings;
	terminal.say(`OpenTimestamps proof of ${read.hashType} ${toHex(read.digest)}`);
	printSteps(terminal, report.rows);
	printJudgement(surroundings, {
		...judgement,
		verdict: report.verdict
	}, [], report.verdict);
}
function printSteps({ say, paint }, steps) {
	say("");
	for (const group of stepGroups({ steps })) for (const line of groupLines(group, paint)) say(line);
}
function printJudgement({ terminal: { say, paint }, self }, judgement, keyrings, counted) {
	say("");
	say(`${verdictColour(judgement.verdict, paint)(paint.bold(judgement.headline))}`);
	say(`  ${printable(judgement.sentence)}`);
	for (const reservation of judgement.reservations) say(`  ${paint.yellow("!")} ${printable(reservation)}`);
	if (judgement.verdict === "key_open") for (const line of keyAdvice(keyrings, counted, self)) say(`  ${line}`);
}
var titleOf = (read, report) => {
	const { name, keyId } = bundleFacts(read);
	const titled = name === void 0 ? "" : `  ${printable(name)}`;
	const signed = report.generated_at === null ? "" : `signed ${shownTime(printable(report.generated_at))} `;
	const layout = read.layout === "compact" ? ", compact layout" : "";
	return [`Proof of ${report.source} ${printable(report.id ?? "(no id)")}${titled}`, `  ${signed}by key ${keyId ?? "(unreadable)"}${layout}`];
};
/** One line for a step whose rows all passed. Other rows get a line each. */
var groupLines = ({ name, status, rows }, paint) => {
	const [only, ...more] = rows;
	if (only !== void 0 && more.length === 0) return [`${markOf(status, paint)} ${name.padEnd(NAME_WIDTH)} ${messageOf(only, paint)}`];
	return [`${markOf(status, paint)} ${name}`, ...rows.map((row) => `    ${markOf(row.status, paint)} ${messageOf(row, paint)}`)];
};
var NAME_WIDTH = 18;
var messageOf = ({ status, message }, paint) => {
	const shown = printable(message);
	return status === "fail" ? paint.red(shown) : status === "skip" ? paint.dim(shown) : shown;
};
var markOf = (status, paint) => {
	switch (status) {
		case "pass": return paint.green("✓");
		case "fail": return paint.red("✗");
		case "warn": return paint.yellow("!");
		case "info": return "i";
		case "skip": return paint.dim("-");
		default: return status;
	}
};
var verdictColour = (verdict, paint) => {
	switch (verdict) {
		case "valid": return paint.green;
		case "key_open":
		case "not_yet":
		case "not_asked": return paint.yellow;
		case "invalid":
		case "not_valid": return paint.red;
		default: return verdict;
	}
};
var keyAdvice = (keyrings, counted, self) => [
	keyrings.length === 0 ? "No keyring is at hand. Name that of the service you trust:" : `Looked in: ${keyrings.map(({ name }) => printable(name)).join(", ")}. Name that of the service you trust:`,
	`    --keyring <its keyring file, or https address>   or, to remember it:  ${self} keyring add <the same>`,
	...counted === "key_open" ? [] : [`Counted as ${counted.replace("_", " ")} because of --any-key.`]
];
// server/client/verify.ts
/**
* The public addresses, unless the environment names mirrors.
* @throws Complaint for a mirror that is not an address
*/
var mirrorsOr = (env) => lookupAddresses((place) => {
	const { verifierSetting, byDefault } = LOOKUP_PLACES[place];
	return addressOf(env, verifierSetting, byDefault);
});
var addressOf = (env, name, usual) => {
	const given = env[name] ?? "";
	if (given === "") return usual;
	if (!URL.canParse(given) || !/^https?:$/.test(new URL(given).protocol)) throw new Complaint(`${name} is not an http(s) address.`);
	return given.replace(/\/+$/, "");
};
/** Never throws. A source that does not answer is a finding of the report, not an error. */
var getJson = async (url) => {
	try {
		const { status, bytes } = await askHttp(new URL(url));
		return {
			status,
			body: status === 200 ? JSON.parse(new TextDecoder().decode(bytes)) : null
		};
	} catch (error) {
		if (error instanceof Complaint) return { failure: error.message };
		if (error instanceof SyntaxError) return { failure: `${new URL(url).origin} sent no JSON.` };
		throw error;
	}
};
var verify$1 = {
	usage: "<proof> [--file <data> | --expected-hash <hex>] [--keyring <file or address>] [--offline] [--json]",
	meaning: "verifies a proof bundle, an evidence file, a manifest or an .ots file on this computer",
	help: `
<proof> is a file, or - for standard input. Evidence files, manifests, .ots files and proof bundles (JSON, CBOR, base64
of CBOR) are told apart by what is in them.

  --file <data>           hashes this file the way the proof names, and compares
  --expected-hash <hex>   compares this digest
  --keyring <source>      whose keys count: a keyring file, or the address of a service. May be repeated.
                          Without it: the keyrings that "pharos keyring list" shows
${TRUST_HELP}
  --any-key               counts a proof as valid although nobody at hand knows its key. It then says only that
                          everything fits together, which anybody can bring about with a key of his own; of a
                          receipt not even its signature is checked, and it stays "not yet"
  --offline               asks nobody. Otherwise the public chains and entropy sources are asked about what the
                          bundle says of them; what does not answer is not checked
  --json                  prints the report as JSON. Its "passed" knows nothing of --any-key

Exit code: 0 valid, 1 not valid, 2 not readable or wrongly asked, 3 not yet: the service accepted it, and there is no
bundle in the evidence so far, or a calendar promised it, and no Bitcoin block attests to it so far. An .ots file says
only which Merkle root a Bitcoin block must have: when nobody could be asked for it, this ends with 2. A proof whose key no keyring at hand knows is not valid (1): the mathematics hold, and whose key it is stays open.

Where it asks, for mirrors, by environment variables:
${LOOKUP_PLACE_NAMES.map((place) => LOOKUP_PLACES[place].verifierSetting).join(", ")}. NO_COLOR switches colours off.`,
	options: {
		file: { type: "string" },
		"expected-hash": { type: "string" },
		keyring: {
			type: "string",
			multiple: true
		},
		...TRUST_OPTIONS,
		"any-key": { type: "boolean" },
		offline: { type: "boolean" },
		json: { type: "boolean" }
	},
	run: async (surroundings, values, positionals) => {
		const [source, ...more] = positionals;
		if (source === void 0 || more.length > 0) throw new Complaint("Name one proof, or - for standard input.", { advice: `${surroundings.self} verify --help` });
		checkTogether(surroundings, values, source);
		const given = await readGiven(surroundings.terminal, source);
		const keyrings = await keyringsFor(surroundings, values);
		const lookups = values.offline === true ? void 0 : httpLookups({
			getJson,
			addresses: mirrorsOr(surroundings.env)
		});
		if (given.kind === "evidence") return verifyGivenEvidence(surroundings, values, {
			given,
			keyrings,
			lookups
		});
		if (given.kind === "ots") return verifyGivenOts(surroundings, values, {
			read: given.read,
			lookups
		});
		const { read } = given;
		const report = await verifyBundle(read, {
			expectedHash: await expectedHashOf(surroundings, values, read),
			keyrings,
			lookups
		});
		const judgement = judgeReport(read, report, keyrings);
		const counted = countedAs(values, judgement.verdict, "valid");
		if (values.json === true) surroundings.terminal.say(JSON.stringify(report, null, 2));
		else printReport(surroundings, {
			read,
			report,
			judgement,
			keyrings,
			counted
		});
		return EXIT_CODES[counted];
	}
};
async function verifyGivenEvidence(surroundings, values, { given: { evidence, manifest }, ...sources }) {
	const entries = manifest && manifest.tree.size - 1;
	if (entries !== void 0 && (values.file !== void 0 || values["expected-hash"] !== void 0)) throw new Complaint("A manifest is about many files: there is no single one to compare with.", { advice: "Verify it without --file and --expected-hash." });
	const fileDigest = await fileDigestOf(surroundings, values, evidence.digest.type);
	const logs = await logTrust(values);
	const report = await verifyEvidence(evidence, {
		...sources,
		logs
	}, fileDigest);
	const judgement = judgeEvidence(evidence, report, sources.keyrings);
	const counted = countedAs(values, report.verdict, report.bundle === void 0 ? "not_yet" : "valid");
	if (values.json === true) surroundings.terminal.say(JSON.stringify(shownReport(evidence, report), null, 2));
	else printEvidence(surroundings, {
		evidence,
		entries,
		report,
		judgement,
		keyrings: sources.keyrings,
		counted
	});
	return EXIT_CODES[counted];
}
async function verifyGivenOts(surroundings, values, { read, lookups }) {
	const fileDigest = await fileDigestOf(surroundings, values, read.hashType);
	const report = await verifyOts(read, { lookups }, fileDigest);
	if (values.json === true) surroundings.terminal.say(JSON.stringify(shownOts(read, report), null, 2));
	else printOts(surroundings, {
		read,
		report,
		judgement: judgeOts(read, report)
	});
	return EXIT_CODES[report.verdict];
}
var EXIT_CODES = {
	valid: 0,
	not_yet: 3,
	not_asked: 2,
	key_open: 1,
	invalid: 1,
	not_valid: 1
};
/** @param known the verdict if the key were a known one: a receipt is without a proof by any key */
var countedAs = (values, verdict, known) => verdict === "key_open" && values["any-key"] === true ? known : verdict;
function checkTogether({ self }, values, source) {
	if (values.file !== void 0 && values["expected-hash"] !== void 0) throw new Complaint("--file and --expected-hash answer the same question; give one of them.");
	if (values.file === "-") throw new Complaint("--file takes a file; only the proof can come from - .");
	if (source === "-" && textOptions(values, "keyring").includes("-")) throw new Complaint("Only one of proof and keyring can come from standard input.");
	if (values.offline === true && textOptions(values, "keyring").some(isAddress)) throw new Complaint("--offline asks nobody, and a --keyring address has to be asked.", { advice: `Remember it while there is a network: ${self} keyring add <address>` });
}
async function expectedHashOf({ terminal }, values, read) {
	const file = textOption(values, "file");
	if (file === void 0) return textOption(values, "expected-hash");
	const { claimedHash } = bundleFacts(read);
	if (claimedHash === void 0) throw new Complaint(read.type === "item" ? "This item names no digest of a file, or one by a function unknown here: there is nothing to compare with." : `A proof about ${read.type} has no file to compare with.`, { advice: "Verify it without --file." });
	return hashData(terminal, file, claimedHash.type);
}
/** @param type of the digest in the proof */
async function fileDigestOf({ terminal }, values, type) {
	const file = textOption(values, "file");
	const expected = textOption(values, "expected-hash");
	if (file === void 0 && expected === void 0) return void 0;
	if (file === void 0) return hexOrUndefined((expected ?? "").trim().toLowerCase()) ?? /* @__PURE__ */ new Uint8Array();
	if (!isHashType(type)) throw new Complaint(`This is about a digest of type ${type}, which no file can be compared with here.`, { advice: "Verify it without --file." });
	return fromHex(await hashData(terminal, file, type));
}
// server/client/watch.ts
var stateFile = (env, log) => join(configFolder(env), "logs", `${encodeURIComponent(`${log.host}${log.pathname}`)}.json`);
/** Undefined before the first run. @throws Complaint when the file is something else */
async function readState(path) {
	const text = await readFile(path).catch((error) => {
		if (codeOf(error) === "ENOENT") return void 0;
		throw new Complaint(`${path} cannot be read: ${wordsOf(error)}.`);
	});
	if (text === void 0) return void 0;
	try {
		const value = readStrictJson(text);
		const [key, checkpoint, seenAt] = [
			"key",
			"checkpoint",
			"seen_at"
		].map((name) => textAt(value, name));
		if (isJsonObject(value) && memberOf(value, "version") === 1 && key && checkpoint && seenAt) return {
			key,
			checkpoint,
			seenAt
		};
	} catch (error) {
		if (!(error instanceof StrictJsonError)) throw error;
	}
	throw new Complaint(`${path} is not the state of a monitor.`, { advice: "What it saw is lost with it, so it is not replaced. Move it away to begin anew." });
}
async function writeState(path, { key, checkpoint, seenAt }) {
	try {
		await replaceFile(path, `${JSON.stringify({
			version: 1,
			key,
			checkpoint,
			seen_at: seenAt
		}, null, 2)}\n`);
	} catch (error) {
		throw new Complaint(`${path} cannot be written: ${wordsOf(error)}.`);
	}
}
var watch = {
	usage: "<address> [--key <verifier key>] [--state <file>] [--every <seconds>] [--once]",
	meaning: "watches a public log, and ends when it has shown two histories",
	help: `
<address> is what stands before /checkpoint: https://pharos.example/log, or a copy of it on any web server.

  --key <verifier key>    whose log it is. Without it, the key that the log names in its policy is believed once,
                          and remembered
  --state <file>          where the last checkpoint is remembered (~/.config/pharos/logs/<address>.json)
  --every <seconds>       time between two looks: 60
  --once                  looks once, and ends

Each new checkpoint must be signed by that key and continue the one before: the log proves it, or its tiles do. A log
that does not answer, or answers with something else, is asked again, later and later.

Exit code: 1 when the log has shown two histories, or goes under another name; both checkpoints are printed, and they
are the evidence. 0 when all is well, 2 when --once found no answer, or it is wrongly asked, 4 when --once found a
log that asks for an API key.
PHAROS_API_KEY is sent only where the address is at the service of PHAROS_URL.`,
	options: {
		key: {
			type: "string",
			multiple: true
		},
		state: { type: "string" },
		every: { type: "string" },
		once: { type: "boolean" }
	},
	run: async (surroundings, values, [address, ...more]) => {
		if (address === void 0 || more.length > 0) throw new Complaint("Name one log.", { advice: `${surroundings.self} watch --help` });
		const url = logAddress(address);
		const [key, another] = (await logTrust(values)).keys;
		if (another !== void 0) throw new Complaint("A log has one key.");
		const monitor = {
			surroundings,
			key,
			read: logFiles(surroundings, url.href).read,
			path: textOption(values, "state") ?? stateFile(surroundings.env, url)
		};
		return values.once === true ? look(monitor) : keepLooking(monitor, everyMs(values));
	}
};
var LONGEST_PAUSE_MS = 6e5;
/** Ends only with a split: a monitor that gives up because of a bad night is none. */
async function keepLooking(monitor, pauseMs) {
	for (let troubles = 0;;) {
		try {
			const code = await look(monitor);
			if (code !== 0) return code;
			troubles = 0;
		} catch (error) {
			if (!(error instanceof Complaint)) throw error;
			troubles += 1;
			monitor.surroundings.terminal.note(`! ${(/* @__PURE__ */ new Date()).toISOString()} ${printable(error.message)}`);
		}
		await setTimeout(Math.min(pauseMs * 2 ** Math.min(troubles, 10), Math.max(pauseMs, LONGEST_PAUSE_MS)));
	}
}
async function look({ surroundings, key: given, read, path }) {
	const { terminal } = surroundings;
	const held = await readState(path);
	const { text, checkpoint: now } = await shownCheckpoint(read);
	const key = given ?? (held === void 0 ? await namedKey(read, now.origin) : readVerifierKey(held.key));
	if (key === void 0) throw new Complaint("The log names no key of its own in its policy.", { advice: "Say whose log it is with --key." });
	const seenAt = (/* @__PURE__ */ new Date()).toISOString();
	const state = {
		key: writeVerifierKey(key),
		checkpoint: text,
		seenAt
	};
	const report = (words) => {
		terminal.say(`${seenAt} ${printable(now.origin)}: ${plural(now.size, "block")}, ${words}`);
		return 0;
	};
	if (held === void 0) {
		if (now.origin !== key.name || !isSignedBy(now.note, key)) throw new StrangeAnswer(`The checkpoint has no valid signature of ${key.name}.`);
		await writeState(path, state);
		return report(`seen for the first time${given === void 0 ? `; its key is believed from now on: ${writeVerifierKey(key)}` : ""}`);
	}
	const seen = heldCheckpoint(path, held);
	if (given !== void 0 && writeVerifierKey(given) !== held.key) throw new Complaint(`${path} remembers another key: ${held.key}.`, { advice: "Name another --state for another log." });
	if (now.origin !== seen.origin) return loud({
		surroundings,
		path
	}, held, text, `The log ${seen.origin} goes under another name now: ${now.origin}`);
	switch (await compared(read, key, {
		seen,
		now
	})) {
		case "same": return report(`as they were seen ${held.seenAt}`);
		case "grown":
			await writeState(path, state);
			return report(`consistent with the ${seen.size} seen ${held.seenAt}`);
		case "older": return report(`of the same history as the ${seen.size} seen ${held.seenAt}`);
		case "open": throw new StrangeAnswer(`The log shows ${plural(now.size, "block")} and no proof that they belong to the ${seen.size} seen ${held.seenAt}.`);
		case "split": return loud({
			surroundings,
			path
		}, held, text, `SPLIT: the log ${seen.origin} has shown two histories. Its own signature is under both`);
	}
}
/** Signed by the key that is remembered: otherwise nothing may be concluded from it. */
function heldCheckpoint(path, { key, checkpoint }) {
	try {
		return openCheckpoint(new TextEncoder().encode(checkpoint), readVerifierKey(key));
	} catch (error) {
		if (error instanceof RangeError) throw new Complaint(`${path} is not the state of a monitor.`);
		throw error;
	}
}
function loud({ surroundings: { terminal }, path }, { checkpoint, seenAt }, now, words) {
	const shown = (text) => text.split("\n").map(printable).join("\n");
	const { say, note, paint } = terminal;
	say(paint.red(`${printable(words)}.`));
	say(`--- seen ${seenAt}`);
	say(shown(checkpoint));
	say(`--- seen ${(/* @__PURE__ */ new Date()).toISOString()}`);
	say(shown(now));
	note(`Keep both. Once you have understood them, remove ${path} to begin anew with what is shown now.`);
	return 1;
}
function everyMs(values) {
	const text = textOption(values, "every") ?? "60";
	if (!/^\d{1,5}$/.test(text) || Number(text) === 0) throw new Complaint("--every takes seconds, from 1 to 99999.");
	return Number(text) * 1e3;
}
// server/client/main.ts
var COMMANDS = {
	verify: verify$1,
	upgrade,
	proof,
	keyring,
	audit,
	watch
};
var overview = (self) => [
	`Usage: ${self} <command> [options]`,
	"",
	...helpLines(COMMANDS),
	"",
	"  --help with any command explains it.",
	"",
	"Operators of a service have commands of their own: npm run pharos -- --help, in its checkout."
].join("\n");
async function run(surroundings, args) {
	const { terminal, self } = surroundings;
	const [name = "--help", ...rest] = args;
	const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : void 0;
	if (command === void 0) {
		if (name === "--help" || name === "-h" || name === "help") {
			terminal.say(overview(self));
			return 0;
		}
		throw new Complaint(`There is no command ${name}.`, { advice: OPERATOR_COMMANDS.has(name) ? `It is a command for operators, run in the checkout of a service: npm run pharos -- ${args.join(" ")}` : `${self} --help lists the commands.` });
	}
	const { values, words } = readWords(`${self} ${name}`, command, rest);
	if (values.help === true) {
		terminal.say(`Usage: ${self} ${name} ${command.usage}\n\n${command.help.trim()}`);
		return 0;
	}
	return command.run(surroundings, values, words);
}
/**
* First words of the operator's commands. When a person types one here, the program says where those commands
* are.
*/
var OPERATOR_COMMANDS = /* @__PURE__ */ new Set([
	"user",
	"key",
	"flag",
	"export",
	"log"
]);
/** npx and a global install link the file as `pharos`. A downloaded file is run with node. */
var selfOf = (env, file) => {
	if (basename(file) === "cli.ts") return "npm run pharos --";
	if (!file.endsWith(".mjs")) return env.npm_command === "exec" ? "npx --no pharos" : basename(file);
	const near = relative(process$1.cwd(), file);
	return `node ${near.length < file.length ? near : file}`;
};
var { argv, env, stdout, stderr } = process$1;
var surroundings = {
	terminal: openTerminal(stdout, stderr, env),
	env,
	self: selfOf(env, argv[1] ?? "")
};
for (const stream of [stdout, stderr]) stream.on("error", (error) => {
	if (codeOf(error) !== "EPIPE") process$1.exit(2);
});
try {
	process$1.exitCode = await run(surroundings, argv.slice(2));
} catch (error) {
	process$1.exitCode = error instanceof Complaint ? error.exitCode : 2;
	if (error instanceof Complaint) tellComplaint(surroundings.terminal, error);
	else surroundings.terminal.note(error instanceof Error ? `${error.stack}` : String(error));
}
export {};
