// Seals what is stored, and opens it. There is no other way to a sealed value, so none can be sealed under a key that
// is no longer in force.
import type { EntityManager } from '@mikro-orm/postgresql'
import { type MasterKey, SealBroken } from '../kernel/sealed.ts'
import { holdKeyInForce, refuseIfChanged } from './key_in_force.ts'
import { placeOf, type RowId, type SealedName } from './sealed_columns.ts'

export interface Sealing {
  readonly em: EntityManager
  readonly masterKey: MasterKey
}

/**
 * Within the transaction that stores the value in this column of this row.
 * @throws master_key_changed when another key is in force than that of this process
 */
export async function seal(
  { em, masterKey }: Sealing,
  name: SealedName,
  id: RowId,
  plain: Uint8Array,
): Promise<Buffer> {
  await holdKeyInForce({ em, masterKey })
  return masterKey.seal(plain, placeOf(name, id))
}

/**
 * @throws master_key_changed when another key is in force than that of this process
 * @throws SealBroken when the value does not open although this key is in force
 */
export async function openSealed(
  { em, masterKey }: Sealing,
  name: SealedName,
  id: RowId,
  sealed: Uint8Array,
): Promise<Buffer> {
  try {
    return openUnder(masterKey, name, id, sealed)
  } catch (error) {
    if (error instanceof SealBroken) await refuseIfChanged({ em, masterKey })
    throw error
  }
}

/** For those who try a key. @throws SealBroken */
export const openUnder = (
  masterKey: Pick<MasterKey, 'open'>,
  name: SealedName,
  id: RowId,
  sealed: Uint8Array,
): Buffer => masterKey.open(sealed, placeOf(name, id))
