// How far something is on its way to a proof, and when the next step is expected, in words that need no glossary.
import { type Commitment, isDevelopment } from '../commitments/commitment.ts'
import { chainName, confirmedOn } from '../commitments/epoch.ts'
import type { ProofStage } from '../commitments/proof_stage.ts'
import type { Loaded } from '../data/use_document.ts'
import { count, duration, utcClock } from '../ui/format.ts'

export type Way = {
  readonly of: 'item' | 'observation' | 'block'
  /** What is gone stays where it was. */
  readonly stage: ProofStage
  /** ISO 8601. Null where it is not known. */
  readonly handedInAt: string | null
  readonly block: {
    readonly id: string | null
    readonly height: number | null
    readonly at: string | null
  }
  /** Those of its block. */
  readonly commitments: Loaded<
    readonly Pick<Commitment, 'chain' | 'network' | 'state' | 'confirmedAt' | 'error'>[]
  >
  /** The chain that is expected while the block has no commitment, where it is known. */
  readonly usual: Parameters<typeof chainName>[0] | undefined
  /** By the clock of the service, in milliseconds. Null while nobody can tell. */
  readonly blockDueAt: number | null
  readonly chainDueAt: number | null
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
    ? { name: 'Made', isDone: true, at: block.at, words: 'Signed, and tied to the block before it.' }
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

/** A chain is named as the one that carries something only when that was read. */
const chainStation = ({ stage, commitments: read, usual, chainDueAt }: Way, now: number): Station => {
  const open = (name: string, words: string): Station => ({ name, isDone: false, at: null, words })
  if (stage === 'ready' && read.kind !== 'found')
    return open(
      'On a chain',
      read.kind === 'loading' ? 'Reading on which one…' : 'On which one could not be read.',
    )
  const commitments = read.kind === 'found' ? read.value : []
  const confirmed = convincing(commitments.filter(({ state }) => state === 'confirmed'))
  const [first] = confirmed
  if (first !== undefined) {
    const name = `On ${confirmedOn(confirmed)}`
    const words = isDevelopment(first) ? 'It proves no time to outsiders.' : 'Anybody can check it there.'
    return { name, isDone: true, at: first.confirmedAt, words }
  }
  if (stage === 'ready') return open('On a chain', 'No chain has it confirmed now.')
  const [next] = convincing(commitments)
  const chain = next ?? usual
  const name = chain === undefined ? 'a public chain' : chainName(chain)
  if (next?.state === 'failed')
    return open(
      `On ${name}`,
      `Writing it there failed: ${next.error ?? 'without a reason'}. It is tried again.`,
    )
  if (next?.state === 'submitted') return open(`On ${name}`, `Sent to ${name}, and waits to be confirmed.`)
  const left = leftMs(chainDueAt, now)
  return open(`On ${name}`, left === null ? 'As soon as it is written there.' : `In ${about(left)}.`)
}

/** Without development chains, which prove nothing to outsiders, unless there are no others. */
const convincing = <Named extends { readonly network: string }>(chains: readonly Named[]) => {
  const open = chains.filter((one) => !isDevelopment(one))
  return open.length > 0 ? open : chains
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

/** Of an item, e.g. `Handed in 14:02:11 UTC · in block 8,214 · on Bitcoin in about 40 min` */
export const wayLine = (way: Way, now: number): string => {
  const [block, chain] = [blockStation(way, now), chainStation(way, now)]
  const { handedInAt, chainDueAt } = way
  const left = leftMs(chainDueAt, now)
  const when = left === null ? 'soon' : `in ${about(left)}`
  return [
    handedInAt === null ? 'Handed in' : `Handed in ${utcClock(handedInAt)} UTC`,
    block.isDone ? lowered(block.name) : 'waiting for its block',
    chain.isDone || way.stage === 'ready' ? lowered(chain.name) : `${lowered(chain.name)} ${when}`,
  ].join(' · ')
}

const lowered = (name: string): string => `${name[0]?.toLowerCase() ?? ''}${name.slice(1)}`
