// Single-bit changes of a bundle's bytes: which of them does a verification without lookups let pass, and what did they change?
import { BundleRejected } from '../../shared/proof/bundle/bundle_parts.ts'
import type { ReadBundle } from '../../shared/proof/bundle/read_bundle.ts'
import { bytesEqual } from '../../shared/proof/bytes.ts'
import { verifySignature } from '../../shared/proof/ed25519.ts'
import type { Examination } from '../../shared/proof/verify/examination.ts'
import { factsOf } from '../../shared/proof/verify/facts.ts'
import { STEPS, verifyBundle } from '../../shared/proof/verify/verify_bundle.ts'
import { type KnownForm, knownKeyring } from './known_bundles.ts'

export interface Change {
  /** Such as `commitments.0.network`; of what vanished or came the topmost place. */
  readonly place: string
  readonly before: unknown
  readonly after: unknown
}

export interface Undetected {
  readonly format: KnownForm['format']
  readonly bit: number
  /** None: the changed bytes read back to the same values. */
  readonly changes: readonly Change[]
}

/**
 * Flips bits of a bundle's JSON and of its CBOR, each once; gives those that are neither rejected nor failed. Many flips
 * of the two read back to the same values: those are verified once.
 * @param ofEachByte 8 flips every bit; with fewer it is another bit from byte to byte
 */
export async function undetectedFlips(
  forms: readonly KnownForm[],
  ofEachByte: number,
): Promise<Undetected[]> {
  const options = { keyrings: [knownKeyring], verifySignature: onlyTheGenuine() }
  const passes = new Map<string, boolean>()
  const undetected: Undetected[] = []
  for (const { format, bytes, read } of forms) {
    const original = read(bytes)
    if (!(await verifyBundle(original, options)).passed) throw new Error('the original does not verify')
    const flipped = bytes.slice()
    for (let bit = 0; bit < 8 * bytes.length; bit++) {
      const at = bit >> 3
      if ((bit + at) % 8 >= ofEachByte) continue
      flipped[at] = (bytes[at] ?? 0) ^ (1 << (bit & 7))
      const changed = readUnlessRejected(read, flipped)
      flipped[at] = bytes[at] ?? 0
      if (changed === undefined) continue
      const changes = changesBetween(original, changed)
      const key = changes.map(({ place, after }) => `${place} ${canonicalIfAny(after)}`).join('\n')
      const known = passes.get(key)
      const isPassing = known ?? !failsSomewhere(changed, options.verifySignature)
      if (isPassing) {
        undetected.push({ format, bit, changes })
        if (known === undefined && !(await verifyBundle(changed, options)).passed)
          throw new Error(`${format}, bit ${bit}: steps and report differ`)
      }
      passes.set(key, isPassing)
    }
  }
  return undetected
}

/** The steps of a verification until the first that fails, with those in front that most changes run into: whole reports take four times as long. What no chain was asked about adds rows, but none that fail. */
function failsSomewhere(bundle: ReadBundle, verify: typeof verifySignature): boolean {
  const examination: Examination = {
    bundle,
    facts: factsOf(bundle),
    expectedHash: undefined,
    keyrings: [knownKeyring],
    verifySignature: verify,
    temporal: {},
    chains: new Map(),
    entropy: [],
  }
  return QUICK_FIRST.some(({ findings }) => findings(examination).some(({ status }) => status === 'fail'))
}

const FIRST = ['Proof Signature', 'Block Hash', 'Bitcoin Commitment']
const QUICK_FIRST = [
  ...STEPS.filter(({ group }) => FIRST.includes(group)),
  ...STEPS.filter(({ group }) => !FIRST.includes(group)),
]

function readUnlessRejected(read: KnownForm['read'], bytes: Uint8Array): ReadBundle | undefined {
  try {
    return read(bytes)
  } catch (error) {
    if (error instanceof BundleRejected) return undefined
    throw error
  }
}

/** That Ed25519 itself notices each changed bit is tested where it lives; once per bundle is enough here. */
function onlyTheGenuine(): typeof verifySignature {
  let genuine: readonly Uint8Array[] | undefined
  return (...parts) => {
    if (genuine === undefined) {
      if (!verifySignature(...parts)) return false
      genuine = parts.map((part) => part.slice())
      return true
    }
    return genuine.every((part, i) => bytesEqual(part, parts[i] ?? new Uint8Array()))
  }
}

export function changesBetween(before: unknown, after: unknown, place = ''): Change[] {
  if (Object.is(before, after)) return []
  if (!isContainer(before) || !isContainer(after) || Array.isArray(before) !== Array.isArray(after))
    return [{ place, before, after }]
  const names = new Set([...Object.keys(before), ...Object.keys(after)])
  return [...names].flatMap((name) =>
    changesBetween(memberOf(before, name), memberOf(after, name), place === '' ? name : `${place}.${name}`),
  )
}

function canonicalIfAny(value: unknown): string {
  return (
    JSON.stringify(value, (_, member) => (typeof member === 'bigint' ? `${member}n` : member)) ?? 'absent'
  )
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

function memberOf(container: object, name: string): unknown {
  return Object.getOwnPropertyDescriptor(container, name)?.value
}
