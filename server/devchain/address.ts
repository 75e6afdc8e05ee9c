// Witness addresses of regtest: bech32 for version 0 (BIP173), bech32m for later versions (BIP350).

const PREFIX = 'bcrt'
const ALPHABET = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l'
const GENERATOR = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3] as const
const CHECKSUM_LENGTH = 6

/** The address of a witness script; undefined for any other script. */
export function addressOf(script: Uint8Array): string | undefined {
  const [opcode = 0xff, length] = script
  const version = opcode === 0 ? 0 : opcode - 0x50
  const isWitness =
    version >= 0 && version <= 16 && length === script.length - 2 && length >= 2 && length <= 40
  if (!isWitness) return undefined
  const words = [version, ...regroup(script.subarray(2), 8, 5)]
  return `${PREFIX}1${[...words, ...checksum(words)].map((word) => ALPHABET[word]).join('')}`
}

/** The script an address stands for; undefined when it is none of this chain. */
export function scriptOf(address: string): Uint8Array | undefined {
  const text = address.toLowerCase()
  if ((text !== address && address.toUpperCase() !== address) || !text.startsWith(`${PREFIX}1`))
    return undefined
  const words = Array.from(text.slice(PREFIX.length + 1), (letter) => ALPHABET.indexOf(letter))
  const [version, ...program] = words.slice(0, -CHECKSUM_LENGTH)
  if (version === undefined || version > 16 || words.includes(-1)) return undefined
  const bytes = Uint8Array.from(regroup(program, 5, 8).slice(0, Math.floor((program.length * 5) / 8)))
  const script = Uint8Array.of(version === 0 ? 0 : 0x50 + version, bytes.length, ...bytes)
  // Writing it again settles the checksum, the length and the padding at once.
  const isStandard = version !== 0 || bytes.length === 20 || bytes.length === 32
  return isStandard && addressOf(script) === text ? script : undefined
}

/** Bits in groups of `from` to groups of `to`, the last one filled up with zeros. */
function regroup(groups: Iterable<number>, from: number, to: number): number[] {
  const out: number[] = []
  let held = 0
  let bits = 0
  for (const group of groups) {
    held = ((held << from) | group) & 0xfff
    bits += from
    while (bits >= to) {
      bits -= to
      out.push((held >> bits) & ((1 << to) - 1))
    }
  }
  if (bits > 0) out.push((held << (to - bits)) & ((1 << to) - 1))
  return out
}

function checksum(words: readonly number[]): number[] {
  const final = words[0] === 0 ? 1 : 0x2bc830a3
  const letters = Array.from(PREFIX, (letter) => letter.charCodeAt(0))
  const prefix = [...letters.map((code) => code >> 5), 0, ...letters.map((code) => code & 31)]
  let sum = 1
  for (const word of [...prefix, ...words, 0, 0, 0, 0, 0, 0]) {
    const top = sum >>> 25
    sum = ((sum & 0x1ff_ffff) << 5) ^ word
    GENERATOR.forEach((term, bit) => {
      if ((top >> bit) & 1) sum ^= term
    })
  }
  sum = (sum ^ final) >>> 0
  return Array.from({ length: CHECKSUM_LENGTH }, (_, at) => (sum >> (5 * (5 - at))) & 31)
}
