// How far something is on its way to a proof, and when the next step is expected, in words that need no glossary.
import { CHAINS, isChainName } from '../../../shared/proof/public_chains.ts'
import { type Commitment, isDevelopment } from '../commitments/commitment.ts'
import type { ProofStage } from '../commitments/proof_stage.ts'
import { count, duration, utcClock } from '../ui/format.ts'

export type Way = {
  readonly of: 'item' | 'observation' | 'block'
  /** What is gone has no way. */
  readonly stage: Exclude<ProofStage, 'gone'>
  /** ISO 8601. Null where it is not known. */
  readonly handedInAt: string | null
  readonly block: {
    readonly id: string | null
    readonly height: number | null
    readonly at: string | null
  }
  readonly chain: ChainStop
  /** By the clock of the service, in milliseconds. Null while nobody can tell. */
  readonly blockDueAt: number | null
  readonly chainDueAt: number | null
}

/** A chain is named as the one that carries something only when that was read. */
type ChainStop =
  | {
      readonly kind: 'awaited'
      /** Such as `Bitcoin`. */
      readonly name: string
      /** The transaction was sent, and waits to be confirmed. */
      readonly isSent: boolean
      /** Why the last attempt to write it there failed. */
      readonly trouble: string | null
    }
  | { readonly kind: 'reading' | 'unreadable' | 'unconfirmed' }
  | {
      readonly kind: 'confirmed'
      readonly name: string
      readonly at: string | null
      /** It proves nothing to outsiders. */
      readonly isTrial: boolean
    }

type Station = {
  readonly name: string
  readonly isDone: boolean
  /** ISO 8601. */
  readonly at: string | null
  readonly words: string
}

/** A block is in no other block. */
export const stations = (way: Way, now: number): readonly Station[] => [
  firstStation(way),
  ...(way.of === 'block' ? [] : [blockStation(way, now)]),
  chainStation(way, now),
]

const firstStation = ({ of, handedInAt, block }: Way): Station =>
  of === 'block'
    ? { name: 'Finalized', isDone: true, at: block.at, words: 'Signed, and tied to the block before it.' }
    : { name: BEGUN[of], isDone: true, at: handedInAt, words: 'Stored and signed.' }

const BEGUN = { item: 'Handed in', observation: 'Recorded' } as const

const blockStation = ({ stage, block, blockDueAt }: Way, now: number): Station =>
  stage === 'no_block'
    ? { name: 'In a block', isDone: false, at: null, words: `The next block ${dueIn(blockDueAt, now)}.` }
    : {
        name: block.height === null ? 'In a block' : `In block ${count(block.height)}`,
        isDone: true,
        at: block.at,
        words: 'Tied to all blocks before it.',
      }

const chainStation = ({ chain, chainDueAt }: Way, now: number): Station => {
  const open = (name: string, words: string): Station => ({ name, isDone: false, at: null, words })
  switch (chain.kind) {
    case 'confirmed': {
      const words = chain.isTrial ? 'It proves no time to outsiders.' : 'Anybody can check it there.'
      return { name: `On ${chain.name}`, isDone: true, at: chain.at, words }
    }
    case 'awaited': {
      const name = `On ${chain.name}`
      if (chain.trouble !== null)
        return open(name, `Writing it there failed: ${chain.trouble}. It is tried again.`)
      if (chain.isSent) return open(name, `Sent to ${chain.name}, and waits to be confirmed.`)
      const left = leftMs(chainDueAt, now)
      return open(name, left === null ? 'As soon as it is written there.' : `In ${about(left)}.`)
    }
    case 'reading':
      return open('On a chain', 'Reading on which one…')
    case 'unreadable':
      return open('On a chain', 'On which one could not be read.')
    case 'unconfirmed':
      return open('On a chain', 'No chain has it confirmed now.')
    default:
      return chain satisfies never
  }
}

const dueIn = (dueAt: number | null, now: number): string => {
  const left = leftMs(dueAt, now)
  return left === null ? 'is being made' : `is due in ${duration(left)}`
}

/** What is due sooner would be over when it is read. */
const SOON_MS = 1_500

/** Null when it is due now, and when nobody knows. */
const leftMs = (dueAt: number | null, now: number): number | null =>
  dueAt === null || dueAt - now < SOON_MS ? null : dueAt - now

/** Such as `about 40 min`: nobody knows it better. */
const about = (ms: number): string => {
  if (ms < 60_000) return `about ${Math.ceil(ms / 1_000)} s`
  const minutes = Math.ceil(ms / 60_000)
  return minutes < 120 ? `about ${minutes} min` : `about ${Math.round(minutes / 60)} h`
}

/** Of an item, e.g. `Handed in 14:02:11 · in block 8,214 · on Bitcoin in about 40 min` */
export const wayLine = (way: Way, now: number): string => {
  const [block, chain] = [blockStation(way, now), chainStation(way, now)]
  const { handedInAt, chainDueAt } = way
  const left = leftMs(chainDueAt, now)
  const when = left === null ? 'soon' : `in ${about(left)}`
  return [
    handedInAt === null ? 'Handed in' : `Handed in ${utcClock(handedInAt)}`,
    block.isDone ? lowered(block.name) : 'waiting for its block',
    chain.isDone || way.chain.kind !== 'awaited' ? lowered(chain.name) : `${lowered(chain.name)} ${when}`,
  ].join(' · ')
}

const lowered = (name: string): string => `${name[0]?.toLowerCase() ?? ''}${name.slice(1)}`

/** @param usual the chain that is expected while the block has no commitment, where it is known */
export const chainStop = (
  commitments: readonly Commitment[],
  stage: Way['stage'],
  usual: NamedChain | undefined,
): ChainStop => {
  const [first] = commitments.toSorted(
    (a, b) =>
      Number(b.state === 'confirmed') - Number(a.state === 'confirmed') ||
      // A public chain comes first, because a development chain proves nothing to outsiders.
      Number(isDevelopment(a)) - Number(isDevelopment(b)),
  )
  if (first?.state === 'confirmed')
    return {
      kind: 'confirmed',
      name: namesOf(commitments.filter((one) => one.state === 'confirmed')),
      at: first.confirmedAt,
      isTrial: isDevelopment(first),
    }
  if (stage === 'ready') return { kind: 'unconfirmed' }
  if (first === undefined) {
    const name = usual === undefined ? 'a public chain' : chainName(usual)
    return { kind: 'awaited', name, isSent: false, trouble: null }
  }
  const trouble = first.state === 'failed' ? (first.error ?? 'without a reason') : null
  return { kind: 'awaited', name: chainName(first), isSent: first.state === 'submitted', trouble }
}

const namesOf = (commitments: readonly Commitment[]): string => {
  const open = commitments.filter((one) => !isDevelopment(one))
  return [...new Set((open.length > 0 ? open : commitments).map(chainName))].join(' and ')
}

type NamedChain = { readonly chain: string; readonly network: string | null }

/** Of a network for trials it says which. */
export const chainName = ({ chain, network }: NamedChain): string => {
  if (network === 'regtest') return 'the development chain'
  if (!isChainName(chain)) return network === null ? chain : `${chain} ${network}`
  const { title, networks } = CHAINS[chain]
  return network === null || network === networks[0] ? title : `${title} ${network}`
}
