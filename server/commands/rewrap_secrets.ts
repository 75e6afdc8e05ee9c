// Changes the master key: everything sealed under the old key is sealed under the new one.

import type { EntityManager } from '@mikro-orm/postgresql'
import { lockLedger } from '../domain/ledger/ledger_lock.ts'
import { SEALED_SEEDS } from '../domain/ledger/signing_key.ts'
import { SEALED_LOG_KEYS } from '../domain/log/log_key.ts'
import { SEALED_HEADERS, SEALED_SECRETS } from '../domain/webhooks/endpoint.ts'
import type { MasterKey } from '../kernel/sealed.ts'
import { rewrapSealed } from '../store/rewrap_sealed.ts'
import { inTransaction } from '../store/transaction.ts'

export interface Rewrapped {
  readonly signingKeys: number
  /** Of the public log. */
  readonly logKeys: number
  readonly endpointSecrets: number
}

/** All or nothing. Restart the servers with the new key. @throws SealBroken when a value does not open under `from` */
export function rewrapSecrets({
  em,
  ...keys
}: {
  readonly em: EntityManager
  readonly from: MasterKey
  readonly to: MasterKey
}): Promise<Rewrapped> {
  return inTransaction(em, async (tx) => {
    await lockLedger(tx)
    const signingKeys = await rewrapSealed(tx, SEALED_SEEDS, keys)
    const logKeys = await rewrapSealed(tx, SEALED_LOG_KEYS, keys)
    const secrets = await rewrapSealed(tx, SEALED_SECRETS, keys)
    const headers = await rewrapSealed(tx, SEALED_HEADERS, keys)
    return { signingKeys, logKeys, endpointSecrets: secrets + headers }
  })
}
