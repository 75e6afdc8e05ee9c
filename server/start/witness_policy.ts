// Reads the operator's policy: which witnesses are asked to cosign the public log, and how many must have.
import type { EntityManager } from '@mikro-orm/postgresql'
import { POLICY_CEILINGS } from '../../shared/log/log_policy.ts'
import { logKeyInUse } from '../domain/log/log_rows.ts'
import { readWitnessing, type Witnessing } from '../domain/log/witnesses.ts'
import { readSmall } from '../kernel/read_small.ts'

/** @throws an Error that says what is wrong with the file */
export async function readWitnessPolicy(em: EntityManager, file: string): Promise<Witnessing> {
  try {
    const key = await logKeyInUse(em)
    if (key === undefined) throw new Error('the public log has no key yet')
    return readWitnessing(await readSmall(file, POLICY_CEILINGS.bytes), key.verifier)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new Error(`WITNESS_POLICY (${file}) cannot be used: ${why}.`, { cause: error })
  }
}
