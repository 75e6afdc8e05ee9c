// Trust policies (C2SP tlog-policy): which logs, which witnesses, and how many of these must have cosigned.
import { concatBytes, rethrown, strictUtf8, toHex, utf8 } from '../proof/bytes.ts'
import { readVerifierKey, SIGNATURE_TYPES, type VerifierKey, writeVerifierKey } from './verifier_key.ts'

/** Names hold one character (U+0000 to U+00FF) for each byte, because policies are not always UTF-8. */
export interface LogPolicy {
  readonly logs: readonly PolicyLog[]
  readonly witnesses: readonly PolicyWitness[]
  /** A group has only members that stand before it. */
  readonly groups: readonly PolicyGroup[]
  /** The name of a witness or of a group. Undefined when no cosignature is needed. */
  readonly quorum: string | undefined
}

interface PolicyLog {
  readonly key: VerifierKey
  readonly url?: string
}

export interface PolicyWitness {
  readonly name: string
  readonly key: VerifierKey
  /** The address for submissions, as it was written. */
  readonly url?: string
}

interface PolicyGroup {
  readonly name: string
  /** How many members must have cosigned, from 1 to the number of members. */
  readonly threshold: number
  readonly members: readonly string[]
}

/** The largest policy that is read. 32 of each kind are always allowed; an ML-DSA-44 key has 1.8 KB. */
export const POLICY_CEILINGS = { bytes: 524_288, lines: 4_096, logs: 64, witnesses: 64, groups: 64 } as const

/** @throws RangeError with the number of the line, on any other bytes and above the ceilings */
export function readPolicy(bytes: Uint8Array): LogPolicy {
  if (bytes.length > POLICY_CEILINGS.bytes) throw new RangeError('the policy is too long')
  const lines = oneCharacterPerByte(bytes).split('\n', POLICY_CEILINGS.lines + 1)
  if (lines.length > POLICY_CEILINGS.lines) throw new RangeError('the policy has too many lines')
  const read: Reading = { logs: [], witnesses: [], groups: [], quorum: undefined, members: new Set() }
  for (const [index, line] of lines.entries())
    rethrown(
      () => readLine(read, line),
      RangeError,
      ({ message }) => new RangeError(`line ${index + 1}: ${message}`),
    )
  const { logs, witnesses, groups, quorum } = read
  if (quorum === undefined) throw new RangeError('the policy has no quorum line')
  return { logs, witnesses, groups, quorum: quorum === NO_QUORUM ? undefined : quorum }
}

/** The bytes of a file that `readPolicy` reads as this policy. */
export function writePolicy({ logs, witnesses, groups, quorum }: LogPolicy): Uint8Array {
  const line = (...items: readonly (Uint8Array | string | undefined)[]): Uint8Array => {
    const present = items.filter((item) => item !== undefined)
    const parts = present.map((item) => (typeof item === 'string' ? utf8(item) : item))
    return concatBytes(...parts.flatMap((part, at) => [part, at < parts.length - 1 ? SPACE : NEWLINE]))
  }
  return concatBytes(
    ...logs.map(({ key, url }) => line('log', writeVerifierKey(key), url)),
    ...witnesses.map(({ name, key, url }) => line('witness', nameBytes(name), writeVerifierKey(key), url)),
    ...groups.map(({ name, threshold, members }) =>
      line('group', nameBytes(name), String(threshold), ...members.map(nameBytes)),
    ),
    line('quorum', nameBytes(quorum ?? NO_QUORUM)),
  )
}

/** Whether the witnesses with these names are enough. */
export function meetsQuorum({ groups, quorum }: LogPolicy, cosigned: ReadonlySet<string>): boolean {
  if (quorum === undefined) return true
  const met = new Set(cosigned)
  for (const { name, threshold, members } of groups)
    if (members.filter((member) => met.has(member)).length >= threshold) met.add(name)
  return met.has(quorum)
}

interface Reading {
  readonly logs: PolicyLog[]
  readonly witnesses: PolicyWitness[]
  readonly groups: PolicyGroup[]
  quorum: string | undefined
  /** The names that are members of a group. A name counts in one place only. */
  readonly members: Set<string>
}

function readLine(read: Reading, line: string): void {
  const [keyword, ...items] = line.split(/[ \t]+/).filter((item) => item !== '')
  if (keyword === undefined || keyword.startsWith('#')) return
  const readItems = READERS.get(keyword)
  if (readItems === undefined) throw new RangeError('a line begins with log, witness, group or quorum')
  readItems(read, items)
}

function readLog({ logs }: Reading, items: readonly string[]): void {
  const [encoded, url, ...more] = items
  if (encoded === undefined || more.length > 0) throw new RangeError('log <vkey> [<url>]')
  const key = readKey(encoded, [SIGNATURE_TYPES.ed25519], logs)
  logs.push({ key, ...(url === undefined ? {} : { url: textOf(url) }) })
  if (logs.length > POLICY_CEILINGS.logs) throw new RangeError('too many logs')
}

function readWitness(read: Reading, items: readonly string[]): void {
  const [name, encoded, url, ...more] = items
  if (name === undefined || encoded === undefined || more.length > 0)
    throw new RangeError('witness <name> <vkey> [<url>]')
  expectNewName(read, name)
  const types = [SIGNATURE_TYPES.ed25519Cosignature, SIGNATURE_TYPES.mlDsa44Cosignature]
  const key = readKey(encoded, types, read.witnesses)
  read.witnesses.push({ name, key, ...(url === undefined ? {} : { url: textOf(url) }) })
  if (read.witnesses.length > POLICY_CEILINGS.witnesses) throw new RangeError('too many witnesses')
}

function readGroup(read: Reading, items: readonly string[]): void {
  const [name, count, ...members] = items
  if (name === undefined || count === undefined || members.length === 0)
    throw new RangeError('group <name> all|any|<k> <name>...')
  expectNewName(read, name)
  for (const member of members) {
    if (!isDefined(read, member)) throw new RangeError('a member is not defined on a line before')
    if (read.members.has(member)) throw new RangeError('a name is a member more than once')
    read.members.add(member)
  }
  read.groups.push({ name, threshold: readThreshold(count, members.length), members })
  if (read.groups.length > POLICY_CEILINGS.groups) throw new RangeError('too many groups')
}

function readThreshold(text: string, members: number): number {
  if (text === 'any') return 1
  if (text === 'all') return members
  if (!/^[1-9]\d{0,3}$/.test(text) || Number(text) > members)
    throw new RangeError('a threshold is all, any, or from 1 to the number of members')
  return Number(text)
}

function readQuorum(read: Reading, items: readonly string[]): void {
  const [name, ...more] = items
  if (name === undefined || more.length > 0) throw new RangeError('quorum <name>')
  if (read.quorum !== undefined) throw new RangeError('there is a quorum already')
  if (name !== NO_QUORUM && !isDefined(read, name))
    throw new RangeError('the quorum is not defined on a line before')
  read.quorum = name
}

/** Two keys are duplicates when their public keys are the same, whatever their names are. */
function readKey(
  encoded: string,
  types: readonly VerifierKey['type'][],
  others: readonly { readonly key: VerifierKey }[],
): VerifierKey {
  const key = readVerifierKey(textOf(encoded))
  if (!types.includes(key.type))
    throw new RangeError(`keys of type ${key.type} are not supported on such a line`)
  const hex = toHex(key.publicKey)
  if (others.some((other) => toHex(other.key.publicKey) === hex))
    throw new RangeError('a public key is there already')
  return key
}

function expectNewName(read: Reading, name: string): void {
  if (name === NO_QUORUM || isDefined(read, name)) throw new RangeError('a name is defined already')
}

const isDefined = ({ witnesses, groups }: Reading, name: string): boolean =>
  [...witnesses, ...groups].some((one) => one.name === name)

const READERS: ReadonlyMap<string, (read: Reading, items: readonly string[]) => void> = new Map([
  ['log', readLog],
  ['witness', readWitness],
  ['group', readGroup],
  ['quorum', readQuorum],
])

const NO_QUORUM = 'none'
const SPACE = Uint8Array.of(0x20)
const NEWLINE = Uint8Array.of(0x0a)

/** Policies may have tabs and newlines, and no other control characters. */
function oneCharacterPerByte(bytes: Uint8Array): string {
  let text = ''
  for (const byte of bytes) {
    if ((byte < 0x20 && byte !== 0x09 && byte !== 0x0a) || byte === 0x7f)
      throw new RangeError('the policy has control characters')
    text += String.fromCharCode(byte)
  }
  return text
}

const nameBytes = (name: string): Uint8Array => Uint8Array.from(name, (character) => character.charCodeAt(0))

/** @throws RangeError when the bytes are not UTF-8 */
const textOf = (item: string): string => strictUtf8(nameBytes(item), 'a key or an address is not UTF-8')
