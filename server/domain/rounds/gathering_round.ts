// A round while it takes entries: its leaves, and who waits for it; and its record, an item and a row in one transaction.
import { randomBytes } from 'node:crypto'
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import type { EntityManager } from '@mikro-orm/postgresql'
import {
  type DigestTree,
  entryLeaf,
  LeafList,
  TREE_FORMAT,
  type TreeEntry,
} from '../../../shared/evidence/digest_tree.ts'
import { joinBytes, toHex } from '../../../shared/proof/bytes.ts'
import { db, inTransaction } from '../../store/statement.ts'
import { submittedClaims } from '../ledger/claims.ts'
import { draftItem, type ItemDraft } from '../ledger/item.ts'
import type { Signer } from '../ledger/signing_key.ts'
import { type SubmittedItem, submitItems } from '../ledger/submit_items.ts'
import { MOST_ENTRIES, ROUND_ACCOUNT, type RoundStart, startRound } from './round.ts'

/** Where an entry stands, once its round is recorded. */
export interface PlacedEntry {
  /** The number of the round. */
  readonly round: number
  /** 32 bytes. */
  readonly root: Uint8Array
  /** Entries of the round, with its own. */
  readonly size: number
  /** From 1, because the first entry is the round's own. */
  readonly index: number
  /** The siblings up to the root, the nearest first, 32 bytes each. */
  readonly path: readonly Uint8Array[]
  /** Of the round, as it is stored. */
  readonly item: SubmittedItem
}

interface Caller {
  readonly first: number
  readonly count: number
  readonly answer: (placed: readonly PlacedEntry[]) => void
  readonly refuse: (error: unknown) => void
}

/**
 * Milliseconds after its first caller came in which a round is recorded, or refused: the ordinary client of a calendar gives
 * up after five seconds in all, and a database that says nothing would keep its callers for longer. With the longest
 * interval that can be set, 800 of them are left to record it.
 */
const PATIENCE_MS = 4_800

/** What is answered before the event loop does other work: each caller makes an answer of what it gets at once. */
const ANSWERED_AT_ONCE = { callers: 8, entries: 256 } as const

export class GatheringRound {
  /** On the monotonic clock. */
  readonly dueAt: number
  /** Of a round of tokens, which say its number themselves. */
  readonly start: RoundStart | undefined
  readonly #ownBytes = randomBytes(32)
  readonly #leaves = new LeafList()
  readonly #tokens: Uint8Array[] = []
  readonly #callers: Caller[] = []
  readonly #patience: NodeJS.Timeout
  #size = 1
  #isRefused = false

  /**
   * @param start of a round of tokens
   * @param onLate called when it was not recorded in time. It is refused then.
   */
  constructor(start: RoundStart | undefined, intervalMs: number, onLate: (round: GatheringRound) => void) {
    const now = performance.now()
    this.start = start
    // Whoever asked for the first token of a round has waited for its number already.
    const waited = start === undefined ? 0 : now - start.askedAt
    // Others have a part of the interval left in any case, and a round takes its first entry.
    this.dueAt = now + Math.max(intervalMs - waited, intervalMs / 2)
    // Never before it is due, because only tests have intervals of such a length.
    this.#patience = setTimeout(() => onLate(this), Math.max(intervalMs, PATIENCE_MS) - waited)
    this.#leaves.add(entryLeaf({ type: 'round', value: this.#ownBytes }))
  }

  /** Entries, with the round's own. */
  get size(): number {
    return this.#size
  }

  get isRefused(): boolean {
    return this.#isRefused
  }

  hasRoomFor(count: number): boolean {
    return !this.#isRefused && this.#size + count <= MOST_ENTRIES
  }

  /**
   * Resolves when the round is recorded.
   * @param leaves those of the entries
   */
  add(entries: readonly TreeEntry[], leaves: readonly Uint8Array[]): Promise<readonly PlacedEntry[]> {
    for (const leaf of leaves) this.#leaves.add(leaf)
    if (this.start !== undefined) for (const { value } of entries) this.#tokens.push(value)
    const first = this.#size
    this.#size += leaves.length
    return new Promise((answer, refuse) => {
      this.#callers.push({ first, count: leaves.length, answer, refuse })
    })
  }

  /** No entry comes after it. */
  async close(): Promise<ClosedRound> {
    const { start } = this
    return {
      ownBytes: this.#ownBytes,
      tree: await this.#leaves.treeInPieces(yieldToEventLoop),
      tokens: start && { number: start.number, hashes: joinBytes(this.#tokens) },
    }
  }

  /** Answers nobody who was refused before. */
  async answer({ number: round, item }: RecordedRound, tree: DigestTree): Promise<void> {
    clearTimeout(this.#patience)
    const { root, size } = tree
    const place = (index: number): PlacedEntry => ({ round, root, size, index, path: tree.path(index), item })
    let callers = 0
    let entries = 0
    for (const { first, count, answer } of this.#callers) {
      answer(Array.from({ length: count }, (_, nth) => place(first + nth)))
      callers += 1
      entries += count
      if (callers < ANSWERED_AT_ONCE.callers && entries < ANSWERED_AT_ONCE.entries) continue
      callers = 0
      entries = 0
      await yieldToEventLoop()
    }
  }

  /** Nobody waits for it. */
  dismiss(): void {
    clearTimeout(this.#patience)
  }

  refuse(error: unknown): void {
    clearTimeout(this.#patience)
    this.#isRefused = true
    for (const { refuse } of this.#callers.splice(0)) refuse(error)
  }
}

interface ClosedRound {
  /** The value of its first entry, 32 bytes. */
  readonly ownBytes: Uint8Array
  readonly tree: DigestTree
  /** The number that the tokens say, and SHA-256 of each in order, one after the other. Undefined in a round of digests. */
  readonly tokens: { readonly number: number; readonly hashes: Uint8Array } | undefined
}

type RecordedRound = Awaited<ReturnType<typeof recordRound>>

/** The item is durable when it returns. Nothing of the round is there when it throws, unless the commit was not answered. */
export const recordRound = (
  { em, signer }: { em: EntityManager; signer: Signer },
  { ownBytes, tree, tokens }: ClosedRound,
) =>
  inTransaction(em, async (tx) => {
    const number = tokens?.number ?? (await startRound(tx)).number
    const [outcome] = await submitItems({ em: tx, signer }, [roundDraft(number, tree)])
    if (outcome === undefined || 'refusal' in outcome) throw new Error('The item of a round was refused.')
    const { item } = outcome
    await db(tx)
      .insertInto('aggregation_rounds')
      .values({
        number,
        item_id: item.id,
        root: tree.root,
        size: tree.size,
        own_bytes: ownBytes,
        token_hashes: tokens?.hashes ?? null,
      })
      .execute()
    // Commit point: from here on the round is there, with all that it stands for.
    return { number, item }
  })

const roundDraft = (number: number, { root, size }: DigestTree): ItemDraft =>
  draftItem({
    claims: submittedClaims({
      name: `Pharos round ${number}`,
      hash: toHex(root),
      hash_type: 'sha256',
      metadata: { round: number, tree: { format: TREE_FORMAT, size } },
    }),
    visibility: 'public',
    ...ROUND_ACCOUNT,
  })
