// Facts derived from a bundle alone, once for all checks. They also say whether a check would ask a public
// service.
import { type Carried, carried, type ReadEntry, type ReadSubject, readBlock } from '../bundle/bundle_parts.ts'
import type { ReadBundle } from '../bundle/read_bundle.ts'
import { jsonHash, keyIdOf } from '../composites.ts'
import { type EntropyName, isEntropyName } from '../entropy_names.ts'
import { isJsonObject, type JsonObject, memberOf } from '../json_value.ts'
import { CHAIN_NAMES, type ChainName } from '../public_chains.ts'
import { uuid7Time } from '../uuid7.ts'
import { readBitcoinEntry } from './bitcoin_commitment.ts'
import { base64Bytes, hexBytes, sameBytes, textOf } from './carried_values.ts'
import { type DerivedSubject, derivedBlockHash, derivedSubject } from './derived_hashes.ts'
import { ENTROPY_READERS, type EntropyQuestion, entropyQuestion } from './entropy_readers.ts'
import type { ChainReader, EntryEvidence } from './entry_evidence.ts'
import { type KeyEventFact, keyEventFact } from './key_event.ts'
import { readStellarEntry } from './stellar_commitment.ts'

export interface Facts {
  /** 32 bytes. */
  readonly publicKey: Uint8Array | undefined
  /** 4 bytes, derived. */
  readonly keyId: Uint8Array | undefined
  /** Undefined for blocks and beacons. */
  readonly subject: DerivedSubject | undefined
  /** For blocks and beacons, the block hash. */
  readonly subjectHash: Uint8Array | undefined
  readonly blockHash: Uint8Array | undefined
  readonly witnesses: readonly WitnessFact[]
  readonly keyEvent: KeyEventFact | undefined
  /** Evidence of each entry, including the entries of the key event, chain by chain. */
  readonly chains: ReadonlyMap<ReadEntry, EntryEvidence>
  /** The questions to entropy sources: first about the subject, then about matched witnesses by name. */
  readonly entropy: readonly AskedEntropy[]
}

interface AskedEntropy {
  readonly name: EntropyName
  readonly isWitness: boolean
  /** Undefined when the payload lacks a member that the request needs. */
  readonly question: EntropyQuestion | undefined
}

/**
 * Derives each fact on first use and keeps it, so a caller that needs few facts does little work. All facts
 * together take time linear in the size of the bundle.
 */
export function factsOf(bundle: ReadBundle): Facts {
  const publicKey = once(() => base64Bytes(bundle.publicKey, 32))
  const keyId = once(() => mapped(publicKey(), keyIdOf))
  const blockHash = once(() => derivedBlockHash(bundle.block))
  const subject = once(() => mapped(bundle.subject, (carried) => derivedSubject(bundle.type, carried)))
  const witnesses = once(() => mapped(bundle.subject, witnessFacts) ?? [])
  const keyEvent = once(() => keyEventFact(bundle.signingKeyEvent))
  const entries = once(() =>
    [...bundle.commitments, ...(keyEvent()?.commitments ?? [])].filter((entry) => entry !== undefined),
  )
  const chains = once(
    () =>
      new Map(
        CHAIN_NAMES.flatMap((chain) =>
          entries()
            .filter((entry) => entry.chain === chain)
            .map((entry) => [entry, CHAIN_READERS[chain](entry)] as const),
        ),
      ),
  )
  const entropy = once(() => entropyQuestions(bundle, witnesses()))
  return {
    get publicKey() {
      return publicKey()
    },
    get keyId() {
      return keyId()
    },
    get subject() {
      return subject()
    },
    get subjectHash() {
      return bundle.subject === undefined ? blockHash() : subject()?.hash
    },
    get blockHash() {
      return blockHash()
    },
    get witnesses() {
      return witnesses()
    },
    get keyEvent() {
      return keyEvent()
    },
    get chains() {
      return chains()
    },
    get entropy() {
      return entropy()
    },
  }
}

/** Whether a verification with lookups would ask a public service. */
export function asksTheWorld({ chains, entropy }: Facts): boolean {
  return (
    [...chains.values()].some(({ asks }) => asks) || entropy.some(({ question }) => question !== undefined)
  )
}

function once<T>(derive: () => T): () => T {
  let kept: { readonly value: T } | undefined
  return () => {
    kept ??= { value: derive() }
    return kept.value
  }
}

function mapped<T, U>(value: T | undefined, to: (value: T) => U): U | undefined {
  return value === undefined ? undefined : to(value)
}

function entropyQuestions(
  { type, subject, commitments }: ReadBundle,
  witnesses: readonly WitnessFact[],
): Facts['entropy'] {
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
function witnessFacts(subject: ReadSubject): WitnessFact[] {
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
