// A ledger for all tests of a file, or one for each test: opened by the first hook, closed by the last.
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import { openTestLedger, type TestLedger } from './ledger.ts'

/** The same members as those of `openTestLedger`, usable while tests and later hooks run. */
export const testLedger = (): TestLedger => heldBy(beforeAll, afterAll)

/** The same, with a ledger of its own for each test. */
export const freshLedger = (): TestLedger => heldBy(beforeEach, afterEach)

function heldBy(
  before: (open: () => Promise<void>) => void,
  after: (close: () => Promise<void>) => void,
): TestLedger {
  let opened: TestLedger | undefined
  const ledger = (): TestLedger => {
    if (opened === undefined) throw new Error('The ledger is open while tests run.')
    return opened
  }
  before(async () => {
    opened = await openTestLedger()
  })
  after(async () => {
    await opened?.close()
    opened = undefined
  })
  return {
    get database() {
      return ledger().database
    },
    get store() {
      return ledger().store
    },
    get signer() {
      return ledger().signer
    },
    get masterKey() {
      return ledger().masterKey
    },
    get publicLog() {
      return ledger().publicLog
    },
    get userId() {
      return ledger().userId
    },
    get teamId() {
      return ledger().teamId
    },
    submit: (...submissions) => ledger().submit(...submissions),
    finalize: () => ledger().finalize(),
    openSkewed: (clockOffset) => ledger().openSkewed(clockOffset),
    close: () => ledger().close(),
  }
}
