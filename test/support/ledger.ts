// A ledger with its first block, and one account that may submit to it.
import { createAccount } from '../../server/domain/accounts/account_door.ts'
import type { BlockLog } from '../../server/domain/ledger/block.ts'
import { submittedClaims } from '../../server/domain/ledger/claims.ts'
import { type FinalizeOutcome, finalizeBlock } from '../../server/domain/ledger/finalize_block.ts'
import { draftItem } from '../../server/domain/ledger/item.ts'
import { createSigner, type Signer } from '../../server/domain/ledger/signing_key.ts'
import { type SubmittedItem, submitItems } from '../../server/domain/ledger/submit_items.ts'
import { type MasterKey, masterKey } from '../../server/kernel/sealed.ts'
import { openStore, type Store } from '../../server/store/open_store.ts'
import { blockLog } from './block_log.ts'
import { cloneDatabase, type TestDatabase } from './database.ts'
import { TEST_MASTER_KEY } from './master_key.ts'

export interface TestLedger {
  readonly database: TestDatabase
  readonly store: Store
  readonly signer: Signer
  readonly masterKey: MasterKey
  readonly publicLog: BlockLog
  readonly userId: string
  readonly teamId: string
  /** Submits one item for each given partial submission. */
  readonly submit: (...submissions: Partial<Parameters<typeof draftItem>[0]>[]) => Promise<SubmittedItem[]>
  /** Makes a block now, at any time. */
  readonly finalize: () => Promise<FinalizeOutcome>
  /** Another pool on the same database. Its clock is off by an interval such as `1 hour`. */
  readonly openSkewed: (clockOffset: string) => Promise<Store>
  readonly close: () => Promise<void>
}

export const claimsOf = (name: string) => ({ name, hash: 'ab'.repeat(32), hash_type: 'sha256' })

/** `through` changes the url, such as to a fault proxy in front of the database. */
export async function openTestLedger(through: (url: string) => string = (url) => url): Promise<TestLedger> {
  const database = await cloneDatabase()
  const store = openStore({ url: through(database.url), poolSize: 24 })
  const key = masterKey(TEST_MASTER_KEY)
  const signer = createSigner({ masterKey: key })
  const publicLog = blockLog(key)
  const { userId, teamId } = await createAccount(store.em(), {
    email: 'ada@example.com',
    firstName: 'Ada',
    plan: 'enterprise',
  })
  const skewed: Store[] = []
  return {
    database,
    store,
    signer,
    masterKey: key,
    publicLog,
    userId,
    teamId,
    submit: async (...submissions) => {
      const drafts = submissions.map((submission) =>
        draftItem({ claims: submittedClaims(claimsOf('a file')), creatorId: userId, teamId, ...submission }),
      )
      const outcomes = await submitItems({ em: store.em(), signer }, drafts)
      return outcomes.map((outcome) => {
        if ('refusal' in outcome) throw outcome.refusal
        return outcome.item
      })
    },
    finalize: () => finalizeBlock({ em: store.em(), signer, publicLog }, { intervalMs: 1 }),
    openSkewed: async (clockOffset) => {
      const other = openStore({ url: database.url, poolSize: 24, clockOffset })
      skewed.push(other)
      return other
    },
    close: async () => {
      for (const other of skewed) await other.close()
      await store.close()
      await database.drop()
    },
  }
}
