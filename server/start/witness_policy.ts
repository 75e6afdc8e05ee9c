// Reads the operator's policy: which witnesses are asked to cosign the public log, and how many must have.
import { open } from 'node:fs/promises'
import type { EntityManager } from '@mikro-orm/postgresql'
import { POLICY_CEILINGS } from '../../shared/log/log_policy.ts'
import { logKeyInUse } from '../domain/log/log_rows.ts'
import { readWitnessing, type Witnessing } from '../domain/log/witnesses.ts'

/** @throws an Error that says what is wrong with the file */
export async function readWitnessPolicy(em: EntityManager, file: string): Promise<Witnessing> {
  try {
    const key = await logKeyInUse(em)
    if (key === undefined) throw new Error('the public log has no key yet')
    return readWitnessing(await readSmall(file), key.verifier)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new Error(`WITNESS_POLICY (${file}) cannot be used: ${why}.`, { cause: error })
  }
}

/** At most one byte more than a policy may have, because that is enough to refuse it. */
async function readSmall(file: string): Promise<Uint8Array> {
  const opened = await open(file, 'r')
  try {
    const bytes = Buffer.alloc(POLICY_CEILINGS.bytes + 1)
    const { bytesRead } = await opened.read(bytes, 0, bytes.length, 0)
    return bytes.subarray(0, bytesRead)
  } finally {
    await opened.close()
  }
}
