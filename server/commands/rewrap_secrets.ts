// Changes the master key: everything sealed under the old key is sealed under the new one.
import type { EntityManager } from '@mikro-orm/postgresql'
import { lockLedger } from '../domain/ledger/ledger_lock.ts'
import { refuse } from '../kernel/refusal.ts'
import type { MasterKey } from '../kernel/sealed.ts'
import { holdAllKeys, keyInForce, putKeyInForce } from '../store/key_in_force.ts'
import { rewrapColumn, type Unopened } from '../store/rewrap_sealed.ts'
import { inTransaction } from '../store/run.ts'
import { sealedColumns } from '../store/sealed_columns.ts'

interface Rewrapped {
  /** Values that are now sealed under the new key, by table. Undefined when it was in force already. */
  readonly sealed: ReadonlyMap<string, number> | undefined
  /** They stay as they were. */
  readonly unopened: readonly Unopened[]
}

/** Thrown before anything is changed. The message names the values and says what to do. */
class UnopenedValues extends Error {
  constructor(unopened: readonly Unopened[]) {
    super(
      [
        `${unopened.length} sealed ${unopened.length === 1 ? 'value does' : 'values do'} not open under the master key in force. Nothing was changed.`,
        ...nameUnopened(unopened),
        ...WHAT_TO_DO,
      ].join('\n'),
    )
  }
}

const WHAT_TO_DO = [
  'If they were sealed under a former master key, bring them back: rewrap to that key, and then to the new one.',
  'If not, they are lost either way, and who owns the endpoint has to give its secret or headers again: add',
  '--leave-unopened, and they stay as they are while everything else is sealed under the new key.',
]

/** Lines of one list. */
const LISTED = 100

export const nameUnopened = (unopened: readonly Unopened[]): string[] => [
  ...unopened.slice(0, LISTED).map(({ table, id, column }) => `  ${table} ${id}: ${column}`),
  ...(unopened.length > LISTED ? [`  and ${unopened.length - LISTED} more`] : []),
]

/**
 * All or nothing, and safe to repeat. Restart the servers with the new key.
 * @throws UnopenedValues unless they are to be left
 * @throws master_key_changed when neither key is in force
 */
export function rewrapSecrets(
  { em, ...keys }: { readonly em: EntityManager; readonly from: MasterKey; readonly to: MasterKey },
  { leaveUnopened = false }: { readonly leaveUnopened?: boolean } = {},
): Promise<Rewrapped> {
  const { from, to } = keys
  return inTransaction(em, async (tx) => {
    await lockLedger(tx)
    await holdAllKeys(tx)
    const inForce = await keyInForce(tx)
    if (inForce === to.fingerprint) return { sealed: undefined, unopened: [] }
    if (inForce !== from.fingerprint) throw refuse('master_key_changed', { detail: ANOTHER })
    const sealed = new Map<string, number>()
    const unopened: Unopened[] = []
    for (const column of sealedColumns) {
      const done = await rewrapColumn(tx, column, keys)
      sealed.set(column.table, (sealed.get(column.table) ?? 0) + done.sealed)
      unopened.push(...done.unopened)
    }
    if (unopened.length > 0 && !leaveUnopened) throw new UnopenedValues(unopened)
    await putKeyInForce({ em: tx, masterKey: to })
    // Commit point: from here on only the new key opens.
    return { sealed, unopened }
  })
}

const ANOTHER = 'somebody else has just changed the master key to a third one; nothing was changed'
