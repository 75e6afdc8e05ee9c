// Facts derived from a bundle alone, once for all checks. They also say whether a check would ask a public
// service.
import type { ReadEntry } from '../bundle/bundle_parts.ts'
import type { ReadBundle } from '../bundle/read_bundle.ts'
import { keyIdOf } from '../composites.ts'
import type { EntropyQuestion } from '../entropy/entropy_question.ts'
import { type EntropyName, isEntropyName } from '../entropy_names.ts'
import { CHAIN_NAMES } from '../public_chains.ts'
import { base64Bytes, textOf } from './carried_values.ts'
import { CHAIN_READERS } from './chain_readers.ts'
import { type DerivedSubject, derivedBlockHash, derivedSubject } from './derived_hashes.ts'
import { entropyQuestion } from './entropy_source.ts'
import type { EntryEvidence } from './entry_evidence.ts'
import { type KeyEventFact, keyEventFact } from './key_event.ts'
import { type WitnessFact, witnessFacts } from './witness_facts.ts'

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
