// The key-event block that introduced the bundle's key: its parts, and the report rows about it.
import { type Carried, carried, type ReadEntry, readBlock, readEntry } from '../bundle/bundle_parts.ts'
import type { ReadBundle } from '../bundle/read_bundle.ts'
import { isJsonObject, type JsonObject } from '../json_value.ts'
import { hexBytes, integerOf, sameBytes, shown } from './carried_values.ts'
import { derivedBlockHash, epochFinding } from './derived_hashes.ts'
import { type Finding, fail, info, pass, skip } from './report.ts'

export interface KeyEventFact {
  /** From the block's metadata. Its type is a known one. */
  readonly event: JsonObject
  readonly blockHash: Uint8Array | undefined
  /** Undefined when it is not a list. An element that is not an entry is undefined. */
  readonly commitments: readonly (ReadEntry | undefined)[] | undefined
}

/** Undefined when there is no block map with a key event. */
export function keyEventFact(signingKeyEvent: Carried): KeyEventFact | undefined {
  const block = isJsonObject(signingKeyEvent) ? carried(signingKeyEvent, 'block') : undefined
  const metadata = isJsonObject(block) ? carried(block, 'metadata') : undefined
  const event = isJsonObject(metadata) ? carried(metadata, 'key_event') : undefined
  if (!isJsonObject(signingKeyEvent) || !isJsonObject(block) || !isJsonObject(event)) return undefined
  if (!KEY_EVENT_TYPES.has(carried(event, 'type'))) return undefined
  const entries = carried(signingKeyEvent, 'commitments') ?? []
  return {
    event,
    blockHash: derivedBlockHash(readBlock(block)),
    commitments: Array.isArray(entries) ? entries.map(readEntry) : undefined,
  }
}

/** `chainFindings` returns the rows that the chain of an entry adds to the row of its path. */
export function keyEventFindings(
  bundle: ReadBundle,
  fact: KeyEventFact | undefined,
  keyId: Uint8Array | undefined,
  chainFindings: (entry: ReadEntry) => readonly Finding[],
): readonly Finding[] {
  if (bundle.signingKeyEvent === undefined) return [skip('No signing key event is carried.')]
  if (fact === undefined)
    return [fail('The signing key event has no block that tells of a known kind of key event.')]
  const { event, blockHash, commitments } = fact
  const findings = [
    typeof bundle.publicKey === 'string' && carried(event, 'public_key') === bundle.publicKey
      ? pass('The key event introduced the public key of this bundle.')
      : fail('The key event introduced another public key than that of this bundle.'),
    sameBytes(hexBytes(carried(event, 'key_id'), 4), keyId)
      ? pass(`The key event names the key id ${shown(keyId)}.`)
      : fail(`The key event names the key id ${shown(carried(event, 'key_id'))}, not the derived one.`),
    info(`It is a ${shown(carried(event, 'type'))} with sequence ${sequenceOf(event)}.`),
  ]
  if (blockHash === undefined)
    return [...findings, fail('The block of the key event is incomplete or malformed.')]
  findings.push(pass(`The block of the key event hashes to ${shown(blockHash)}.`))
  if (commitments === undefined) return [...findings, fail('The commitments of the key event are no list.')]
  if (commitments.length === 0) return [...findings, skip('The key event carries no commitments.')]
  for (const entry of commitments) {
    if (entry === undefined) findings.push(fail('A commitment of the key event is malformed.'))
    else findings.push(epochFinding(blockHash, entry), ...chainFindings(entry))
  }
  return findings
}

const KEY_EVENT_TYPES: ReadonlySet<Carried> = new Set(['genesis', 'rotation', 'emergency_rotation'])

function sequenceOf(event: JsonObject): string {
  const sequence = carried(event, 'sequence')
  return integerOf(sequence)?.toString() ?? shown(sequence)
}
