// The account verbs on a real database, with a count of tries instead of budgets.
import { pino } from 'pino'
import {
  type AccountDoor,
  createAccount,
  openAccountDoor,
} from '../../../server/domain/accounts/account_door.ts'
import type { Attempts } from '../../../server/domain/accounts/sign_in.ts'
import { ceilings } from '../../../server/kernel/ceilings.ts'
import { openTestLedger, type TestLedger } from '../../support/ledger.ts'

export interface TestDoor extends AccountDoor {
  readonly ledger: TestLedger
  readonly tried: (keyof Attempts)[]
  readonly logged: Record<string, unknown>[]
  readonly query: <Row>(text: string, parameters?: readonly unknown[]) => Promise<Row[]>
  /** An account with this password, or without one. */
  readonly account: (email: string, newPassword?: string) => Promise<string>
  /** A door where anybody may sign up. */
  readonly open: AccountDoor
}

export async function openTestDoor(): Promise<TestDoor> {
  const ledger = await openTestLedger()
  const tried: (keyof Attempts)[] = []
  const counted = (kind: keyof Attempts) => async () => void tried.push(kind)
  const logged: Record<string, unknown>[] = []
  const parts = {
    em: () => ledger.store.em('write'),
    attempts: {
      signIn: counted('signIn'),
      signUp: counted('signUp'),
      wrongLink: counted('wrongLink'),
      changePassword: counted('changePassword'),
    },
    deviceKey: ledger.masterKey.derive('known devices'),
    ceilings: ceilings(),
    forgetAccounts: () => undefined,
    log: pino({ base: null }, { write: (line: string) => void logged.push(JSON.parse(line)) }),
  }
  const open = openAccountDoor({ ...parts, signUpIsOpen: true })
  return {
    ...openAccountDoor({ ...parts, signUpIsOpen: false }),
    open,
    ledger,
    tried,
    logged,
    query: ledger.database.query,
    account: async (email, newPassword) => {
      if (newPassword !== undefined)
        return (await open.signUp({ email, newPassword, address: 'test' })).userId
      return (await createAccount(ledger.store.em(), { email, plan: 'free' })).userId
    },
  }
}
