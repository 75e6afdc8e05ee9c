// A public chain in memory that keeps one promise of Bitcoin (an input is spent once). A test can make it
// break every other promise.

import { createHash } from 'node:crypto'
import {
  type BroadcastOutcome,
  type Chain,
  ChainRefused,
  ChainUnreachable,
  type PreparedTransaction,
  type Whereabouts,
} from '../../../server/domain/commitments/chains/chain.ts'
import { type ChainName, isLedgerChain } from '../../../shared/proof/public_chains.ts'

export type Call = 'network' | 'prepare' | 'broadcast' | 'locate'

/** `before`: the call never arrives. `after`: the call has its effect, but the answer is lost. */
export interface ChainFault {
  readonly call: Call
  readonly when: 'before' | 'after'
}

interface ModelTransaction {
  readonly hash: string
  readonly root: string
  readonly coin: number
  readonly bytes: Buffer
}

export interface ModelChain extends Chain {
  /** Puts all waiting transactions into a block. */
  readonly mine: (blocks?: number) => void
  /** Adds empty blocks, as if others had made them. */
  readonly mineEmpty: (blocks: number) => void
  /** Takes the newest blocks away. Their transactions wait again, unless `forget`. */
  readonly reorganise: (blocks: number, forget?: boolean) => void
  /** Forgets the waiting transactions. */
  readonly drop: () => void
  /** Another transaction spends the coin of this one, deep in the chain. */
  readonly spendElsewhere: (hash: string) => void
  /**
   * Another transaction spends the coin of this one in the next block. A reorganisation may remove that
   * block.
   */
  readonly takeCoin: (hash: string) => void
  /** Replaces the wallet by a new one, which only has the transactions that its chain included since. */
  readonly forgetWallet: () => void
  /** Makes the next call of this kind fail in this way. */
  readonly fail: (fault: ChainFault) => void
  /** Ends all failures of calls. */
  readonly recover: () => void
  /** Refuses every call with this reason, until called with null. */
  readonly refuse: (reason: string | null) => void
  /** When true, no call is answered. */
  readonly away: (away: boolean) => void
  /** Every transaction made, oldest first, whether sent or not. */
  readonly made: readonly ModelTransaction[]
  /** The hash of every broadcast that arrived, in order. */
  readonly sent: readonly string[]
  /** The roots in valid blocks, one per transaction. */
  readonly included: () => string[]
  readonly isIncluded: (hash: string) => boolean
  readonly rootOf: (hash: string) => string | undefined
  readonly blocks: () => number
}

/** A confirmed transaction this many blocks deep is settled. */
export const MODEL_SETTLED = 6

export function modelChain(name: ChainName = 'bitcoin', network = 'regtest'): ModelChain {
  const made: ModelTransaction[] = []
  const sent: string[] = []
  const faults: ChainFault[] = []
  const gone = new Set<number>()
  /** For each taken coin, the number of blocks at the time when it was spent. */
  const takenCoins = new Map<number, number>()
  /** Transactions that the wallet has: all that its node ever accepted. */
  const known = new Set<string>()
  let pool: ModelTransaction[] = []
  let blocks: { readonly id: string; readonly held: readonly ModelTransaction[] }[] = []
  let coins = 0
  let mined = 0
  let refusal: string | null = null
  let isAway = false

  const answer = async <T>(call: Call, effect: () => T): Promise<T> => {
    const at = faults.findIndex((fault) => fault.call === call)
    const [fault] = at < 0 ? [] : faults.splice(at, 1)
    if (isAway || fault?.when === 'before') throw new ChainUnreachable('nobody answers')
    const result = effect()
    // Continues in a later turn of the event loop, as a network call would.
    await new Promise((resolve) => setImmediate(resolve))
    if (fault?.when === 'after') throw new ChainUnreachable('the answer was lost')
    return result
  }
  const heightOf = (hash: string) => blocks.findIndex(({ held }) => held.some((each) => each.hash === hash))
  const isSpent = (coin: number) =>
    gone.has(coin) ||
    takenCoins.has(coin) ||
    blocks.some(({ held }) => held.some((each) => each.coin === coin))
  const read = ({ bytes }: PreparedTransaction): ModelTransaction => {
    const hash = createHash('sha256').update(bytes).digest('hex')
    const signed = made.find((each) => each.hash === hash)
    if (signed === undefined) throw new Error('These bytes were never signed here.')
    return signed
  }

  const addBlock = (held: readonly ModelTransaction[]): void => {
    mined += 1
    blocks.push({ id: createHash('sha256').update(`block ${mined}`).digest('hex'), held })
  }

  return Object.freeze({
    name,
    network: () => answer('network', () => network),
    prepare: (root: Uint8Array, replaces?: PreparedTransaction) =>
      answer('prepare', () => {
        if (refusal !== null) throw new ChainRefused(refusal)
        coins += 1
        const coin = replaces === undefined ? coins : read(replaces).coin
        const text = JSON.stringify({ root: Buffer.from(root).toString('hex'), coin, number: made.length })
        const bytes = Buffer.from(text)
        const hash = createHash('sha256').update(bytes).digest('hex')
        made.push({ hash, root: Buffer.from(root).toString('hex'), coin, bytes })
        return { transactionHash: hash, bytes }
      }),
    broadcast: (prepared: PreparedTransaction) =>
      answer('broadcast', (): BroadcastOutcome => {
        const transaction = read(prepared)
        sent.push(transaction.hash)
        if (refusal !== null) return { outcome: 'refused', reason: refusal }
        if (heightOf(transaction.hash) >= 0) return { outcome: 'accepted' }
        if (isSpent(transaction.coin)) return { outcome: 'refused', reason: 'the coin is spent' }
        // The newer one wins, because it pays more.
        const rival = pool.find(({ coin }) => coin === transaction.coin)
        if (rival !== undefined && made.indexOf(rival) > made.indexOf(transaction))
          return { outcome: 'refused', reason: 'pays less than the one that waits' }
        pool = [...pool.filter(({ coin }) => coin !== transaction.coin), transaction]
        known.add(transaction.hash)
        return { outcome: 'accepted' }
      }),
    locate: (prepared: PreparedTransaction) =>
      answer('locate', (): Whereabouts => {
        const transaction = read(prepared)
        const height = heightOf(transaction.hash)
        const block = blocks[height]
        if (block !== undefined)
          return {
            state: 'confirmed',
            settled: isLedgerChain(name) || blocks.length - height >= MODEL_SETTLED,
            evidence: isLedgerChain(name)
              ? {
                  chain: name,
                  ledger: height,
                  timestamp: new Date(1_800_000_000_000 + height * 5_000),
                }
              : {
                  chain: name,
                  blockHeight: height,
                  blockHash: block.id,
                  timestamp: new Date(1_800_000_000_000 + height * 600_000),
                  rawTransaction: transaction.bytes,
                  txoutproof: Buffer.from(block.id, 'hex'),
                  blockMerkleRoot: block.id,
                },
          }
        const takenAt = takenCoins.get(transaction.coin)
        if (takenAt !== undefined && !known.has(transaction.hash))
          return { state: 'spent', reason: 'its coin is not there any more' }
        if (isSpent(transaction.coin)) {
          const depth = gone.has(transaction.coin)
            ? MODEL_SETTLED
            : takenAt !== undefined
              ? blocks.length - takenAt + 1
              : blocks.length -
                blocks.findIndex(({ held }) => held.some(({ coin }) => coin === transaction.coin))
          return depth < MODEL_SETTLED ? { state: 'waiting' } : { state: 'dead', reason: 'its coin is spent' }
        }
        return { state: pool.includes(transaction) ? 'waiting' : 'unknown' }
      }),
    close: async () => undefined,
    mine: (count = 1) => {
      for (let at = 0; at < count; at += 1) {
        addBlock(pool)
        pool = []
      }
    },
    mineEmpty: (count: number) => {
      for (let at = 0; at < count; at += 1) addBlock([])
    },
    reorganise: (count: number, forget = false) => {
      const taken = blocks.slice(blocks.length - count).flatMap(({ held }) => held)
      blocks = blocks.slice(0, blocks.length - count)
      for (const [coin, at] of takenCoins) if (at > blocks.length) takenCoins.delete(coin)
      if (!forget) pool = [...taken, ...pool.filter(({ coin }) => taken.every((each) => each.coin !== coin))]
    },
    drop: () => {
      pool = []
    },
    spendElsewhere: (hash: string) => {
      const coin = made.find((each) => each.hash === hash)?.coin
      if (coin === undefined || blocks.some(({ held }) => held.some((each) => each.coin === coin))) return
      gone.add(coin)
      pool = pool.filter((each) => each.coin !== coin)
    },
    takeCoin: (hash: string) => {
      const coin = made.find((each) => each.hash === hash)?.coin
      if (coin === undefined || isSpent(coin)) return
      pool = pool.filter((each) => each.coin !== coin)
      addBlock([])
      takenCoins.set(coin, blocks.length)
    },
    forgetWallet: () => known.clear(),
    fail: (fault: ChainFault) => void faults.push(fault),
    recover: () => void faults.splice(0),
    refuse: (reason: string | null) => {
      refusal = reason
    },
    away: (away: boolean) => {
      isAway = away
    },
    made,
    sent,
    included: () => blocks.flatMap(({ held }) => held.map(({ root }) => root)),
    isIncluded: (hash: string) => heightOf(hash) >= 0,
    rootOf: (hash: string) => made.find((each) => each.hash === hash)?.root,
    blocks: () => blocks.length,
  })
}
