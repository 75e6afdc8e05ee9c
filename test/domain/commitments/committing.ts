// What tests of commitments share: a ledger, a chain, visits to it, and a look at what is stored.
import { pino } from 'pino'
import type { Chain } from '../../../server/domain/commitments/chains/chain.ts'
import { commitEpochs, type VisitOutcome } from '../../../server/domain/commitments/commit_epochs.ts'
import type { Commitment } from '../../../server/domain/commitments/commitment.ts'
import type { Store } from '../../../server/store/open_store.ts'
import { inTransaction } from '../../../server/store/statement.ts'
import { change, rows } from '../../support/rows.ts'

export interface StoredCommitment {
  readonly id: string
  readonly chain: string
  readonly state: Commitment['state']
  readonly sequence: number
  readonly root: string
  readonly transaction_hash: string | null
  readonly commitment_hash: string | null
  readonly block_height: number | null
  readonly attempts: number
  readonly error: string | null
  readonly first_height: number
  readonly last_height: number
  readonly block_count: number
  readonly evidence: boolean
  readonly tried: number
  readonly waits: boolean
}

/** Oldest first. */
export const storedCommitments = (store: Store): Promise<StoredCommitment[]> =>
  rows(
    store.em(),
    `SELECT c.id, c.chain, c.state, e.sequence, encode(c.epoch_root, 'hex') AS root,
            encode(c.transaction_hash, 'hex') AS transaction_hash, encode(c.commitment_hash, 'hex') AS commitment_hash,
            c.block_height, c.attempts, c.error, f.height AS first_height, l.height AS last_height, e.block_count,
            v.commitment_id IS NOT NULL AS evidence, c.look_at IS NOT NULL AS waits,
            (SELECT count(*)::int FROM commitment_transactions t WHERE t.commitment_id = c.id) AS tried
       FROM commitments c JOIN epochs e ON e.id = c.epoch_id
       JOIN blocks f ON f.id = e.first_block_id JOIN blocks l ON l.id = e.last_block_id
       LEFT JOIN commitment_evidence v ON v.commitment_id = c.id
      ORDER BY c.chain, e.sequence`,
  )

/** Time passes for everything but the clock: every commitment's turn has come. */
export const everyRun = (store: Store): Promise<number> =>
  change(store.em(), `UPDATE commitments SET look_at = pharos_now() WHERE look_at IS NOT NULL`)

/** What was signed or sent is so much older. */
export const age = async (store: Store, interval: string): Promise<void> => {
  await change(
    store.em(),
    `UPDATE commitment_transactions SET inserted_at = inserted_at - $1::interval, sent_at = sent_at - $1::interval`,
    [interval],
  )
}

/** The slot of the newest epoch has passed, and so has that of every block. */
export const nextSlot = async (store: Store): Promise<void> => {
  await change(store.em(), `UPDATE epochs SET closed_at = closed_at - interval '1000 days'`)
  await change(store.em(), `UPDATE blocks SET finalized_at = finalized_at - interval '1000 days'`)
}

/** As if so many blocks had been made before: a new series then begins at the newest block. */
export const growLong = (store: Store): Promise<unknown> =>
  inTransaction(store.em(), async (tx) => {
    await change(tx, `SET LOCAL session_replication_role = 'replica'`)
    await change(tx, 'UPDATE blocks SET height = height + 10000 WHERE height > 0')
  })

const silent = pino({ level: 'silent' })

/** A slot that does not end by itself during a test. */
export const INTERVAL_MS = 1_000 * 86_400_000

export const visit = (store: Store, chain: Chain, holder = 'one'): Promise<VisitOutcome> =>
  commitEpochs(
    { em: store.em, chain, log: silent, announceFacts: () => undefined },
    { intervalMs: INTERVAL_MS, holder },
  )

/** A visit at which every turn has come. */
export async function look(store: Store, chain: Chain, holder = 'one'): Promise<VisitOutcome> {
  await everyRun(store)
  return visit(store, chain, holder)
}

export const factKinds = async (store: Store): Promise<string[]> =>
  (await rows<{ kind: string }>(store.em(), 'SELECT kind FROM facts ORDER BY id')).map(({ kind }) => kind)

/** Every server that held a lease has been silent for long enough. */
export const leasesEnd = (store: Store): Promise<number> =>
  change(store.em(), `UPDATE epoch_series SET leased_until = '-infinity'`)

/** Transactions that are stored, by hash. */
export const storedHashes = async (store: Store): Promise<Set<string>> =>
  new Set(
    (
      await rows<{ hash: string }>(
        store.em(),
        `SELECT encode(transaction_hash, 'hex') AS hash FROM commitment_transactions`,
      )
    ).map(({ hash }) => hash),
  )
