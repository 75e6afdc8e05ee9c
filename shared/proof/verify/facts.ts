// Facts derived from a bundle alone, once for all checks, and whether a check would ask a public service.
import { type Carried, carried, type ReadEntry, readBlock, readEntry } from '../bundle/bundle_parts.ts'
import type { ReadBundle, ReadSubject } from '../bundle/read_bundle.ts'
import { jsonHash, keyIdOf } from '../composites.ts'
import { isEntropyName } from '../entropy_names.ts'
import { uuid7Time } from '../ids.ts'
import { isJsonObject, type JsonObject, memberOf } from '../json_value.ts'
import { CHAIN_NAMES, type ChainName } from '../public_chains.ts'
import { readBitcoinEntry } from './bitcoin_commitment.ts'
import { base64Bytes, hexBytes, integerOf, sameBytes, shown, textOf } from './carried_values.ts'
import { derivedBlockHash, derivedSubject, epochFinding } from './derived_hashes.ts'
import { ENTROPY_READERS, entropyQuestion } from './entropy_readers.ts'
import { type ChainReader, type EntryEvidence, type Finding, fail, info, pass, skip } from './report.ts'
import { readStellarEntry } from './stellar_commitment.ts'

export type Facts = ReturnType<typeof factsOf>

/** Takes time linear in the size of the bundle. */
export function factsOf(bundle: ReadBundle) {
  /** 32 bytes. */
  const publicKey = base64Bytes(bundle.publicKey, 32)
  const blockHash = derivedBlockHash(bundle.block)
  /** Undefined for blocks and beacons. */
  const subject = bundle.subject && derivedSubject(bundle.type, bundle.subject)
  const witnesses = witnessFacts(bundle.subject)
  const keyEvent = keyEventFact(bundle.signingKeyEvent)
  return {
    publicKey,
    /** 4 bytes, derived. */
    keyId: publicKey && keyIdOf(publicKey),
    subject,
    /** For blocks and beacons, the block hash. */
    subjectHash: bundle.subject === undefined ? blockHash : subject?.hash,
    blockHash,
    witnesses,
    keyEvent,
    chains: chainEvidence(bundle, keyEvent),
    entropy: entropyQuestions(bundle, witnesses),
  }
}

/** Whether a verification with lookups would ask a public service. Such verifications use another budget. */
export const wouldLookUp = (bundle: ReadBundle): boolean =>
  [...chainEvidence(bundle, keyEventFact(bundle.signingKeyEvent)).values()].some(({ asks }) => asks) ||
  entropyQuestions(bundle, witnessFacts(bundle.subject)).some(({ question }) => question !== undefined)

/** Evidence of each entry, including the entries of the key event, chain by chain. */
function chainEvidence(
  { commitments }: ReadBundle,
  keyEvent: KeyEventFact,
): ReadonlyMap<ReadEntry, EntryEvidence> {
  const entries = [...commitments, ...(keyEvent?.commitments ?? [])].filter((entry) => entry !== undefined)
  return new Map(
    CHAIN_NAMES.flatMap((chain) =>
      entries
        .filter((entry) => entry.chain === chain)
        .map((entry) => [entry, CHAIN_READERS[chain](entry)] as const),
    ),
  )
}

/**
 * The questions to entropy sources: first about the subject, then about matched witnesses by name. Undefined when the payload
 * lacks a member that the request needs.
 */
function entropyQuestions({ type, subject, commitments }: ReadBundle, witnesses: readonly WitnessFact[]) {
  const stellar = commitments.find((entry) => entry.chain === 'stellar')
  const network = stellar === undefined ? 'public' : (textOf(stellar.network) ?? '')
  const ofSubject = isEntropyName(type)
    ? [{ name: type, isWitness: false, question: entropyQuestion(type, subject?.data, network) }]
    : []
  const ofWitnesses = witnesses.flatMap(({ name, state, detail }) =>
    state === 'matched' && isEntropyName(name)
      ? [{ name, isWitness: true, question: entropyQuestion(name, detail, network) }]
      : [],
  )
  return [...ofSubject, ...ofWitnesses]
}

const CHAIN_READERS: Readonly<Record<ChainName, ChainReader>> = {
  stellar: readStellarEntry,
  bitcoin: readBitcoinEntry,
}

/**
 * `unknown`: the service has no witness of that name. `matched` and `unmatched`: both committed and carried.
 */
type WitnessState = 'unknown' | 'not_carried' | 'not_committed' | 'matched' | 'unmatched'

export interface WitnessFact {
  readonly name: string
  readonly state: WitnessState
  /** The carried detail, when it is a map. */
  readonly detail: JsonObject | undefined
  /** The hash of the detail. */
  readonly hash: Uint8Array | undefined
  /** Milliseconds since 1970, when the detail states the time. */
  readonly publishedAt: number | undefined
}

/** All names that are committed or carried, sorted. */
function witnessFacts(subject: ReadSubject | undefined): WitnessFact[] {
  if (subject === undefined) return []
  const committed = membersOf(subject.committedWitnesses)
  const details = membersOf(subject.witnesses)
  const names = new Set([
    ...Object.keys(committed),
    ...Object.keys(details).filter((name) => carried(details, name) !== undefined),
  ])
  return [...names].sort().map((name) => witnessFact(name, committed, carried(details, name)))
}

function witnessFact(name: string, committed: JsonObject, carriedDetail: Carried): WitnessFact {
  const detail = isJsonObject(carriedDetail) ? carriedDetail : undefined
  const isBlock = name === 'block'
  const nothing = { name, detail, hash: undefined, publishedAt: undefined }
  if (!isBlock && !isEntropyName(name)) return { ...nothing, state: 'unknown' }
  if (carriedDetail === undefined) return { ...nothing, state: 'not_carried' }
  if (!Object.hasOwn(committed, name)) return { ...nothing, state: 'not_committed' }
  if (detail === undefined) return { ...nothing, state: 'unmatched' }
  const hash = isBlock ? derivedBlockHash(readBlock(detail)) : jsonHash('entropy', detail)
  const isMatched = sameBytes(hash, hexBytes(memberOf(committed, name) ?? undefined, 32))
  const publishedAt = isEntropyName(name)
    ? ENTROPY_READERS[name].publishedAt(detail)
    : uuid7Time(textOf(carried(detail, 'id')) ?? '')
  return { name, state: isMatched ? 'matched' : 'unmatched', detail, hash, publishedAt }
}

/** Empty when the value is not a map. */
function membersOf(value: Carried): JsonObject {
  return isJsonObject(value) ? value : {}
}

type KeyEventFact = ReturnType<typeof keyEventFact>

/** Undefined when there is no block map with a key event. */
function keyEventFact(signingKeyEvent: Carried) {
  const block = carried(signingKeyEvent, 'block')
  const metadata = carried(block, 'metadata')
  const event = carried(metadata, 'key_event')
  if (!isJsonObject(signingKeyEvent) || !isJsonObject(block) || !isJsonObject(event)) return undefined
  if (!KEY_EVENT_TYPES.has(carried(event, 'type'))) return undefined
  const entries = carried(signingKeyEvent, 'commitments') ?? []
  return {
    /** From the block's metadata. Its type is a known one. */
    event,
    blockHash: derivedBlockHash(readBlock(block)),
    /** Undefined when it is not a list. An element that is not an entry is undefined. */
    commitments: Array.isArray(entries) ? entries.map(readEntry) : undefined,
  }
}

/** `chainFindings` returns the rows that the chain of an entry adds to the row of its path. */
export function keyEventFindings(
  bundle: ReadBundle,
  fact: KeyEventFact,
  keyId: Uint8Array | undefined,
  chainFindings: (entry: ReadEntry) => readonly Finding[],
): readonly Finding[] {
  if (bundle.signingKeyEvent === undefined) return [skip('No signing key event is carried.')]
  if (fact === undefined)
    return [fail('The signing key event has no block that tells of a known kind of key event.')]
  const { event, blockHash, commitments } = fact
  const sequence = carried(event, 'sequence')
  const findings = [
    typeof bundle.publicKey === 'string' && carried(event, 'public_key') === bundle.publicKey
      ? pass('The key event introduced the public key of this bundle.')
      : fail('The key event introduced another public key than that of this bundle.'),
    sameBytes(hexBytes(carried(event, 'key_id'), 4), keyId)
      ? pass(`The key event names the key id ${shown(keyId)}.`)
      : fail(`The key event names the key id ${shown(carried(event, 'key_id'))}, not the derived one.`),
    info(`It is a ${shown(carried(event, 'type'))} with sequence ${integerOf(sequence) ?? shown(sequence)}.`),
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
