// The checkpoint that may be shown: the newest one, or with a policy the newest one that meets its quorum.
import type { EntityManager } from '@mikro-orm/postgresql'
import { meetsQuorum } from '../../../shared/log/log_policy.ts'
import { writeNote } from '../../../shared/log/signed_note.ts'
import { checkpointAt, noteOf, type StoredCheckpoint } from './checkpoint_rows.ts'
import { cosignatureRows } from './witness_rows.ts'
import type { Witnessing } from './witnessing.ts'

/** Verified cosignatures of one size, by the label of their witness. */
export interface Cosigned {
  readonly size: number
  readonly cosignatures: ReadonlyMap<string, Uint8Array>
}

/** By size, the largest first. */
export async function cosignedSizes(em: EntityManager, log: number): Promise<readonly Cosigned[]> {
  const sizes = new Map<number, Map<string, Uint8Array>>()
  for (const { size, key, cosignature } of await cosignatureRows(em, log)) {
    const ofSize = sizes.get(size) ?? new Map<string, Uint8Array>()
    sizes.set(size, ofSize.set(key, cosignature))
  }
  return [...sizes].map(([size, cosignatures]) => ({ size, cosignatures }))
}

export function isEnough({ policy, witnesses }: Witnessing, { cosignatures }: Cosigned): boolean {
  const names = witnesses.filter(({ label }) => cosignatures.has(label)).map(({ name }) => name)
  return meetsQuorum(policy, new Set(names))
}

/**
 * The newest checkpoint that the policy allows to show, with its cosignatures. Undefined before there is one.
 * @param newest the newest one that may be shown without a policy
 */
export async function witnessedCheckpoint(
  em: EntityManager,
  witnessing: Witnessing,
  newest: StoredCheckpoint,
): Promise<{ readonly size: number; readonly note: string } | undefined> {
  const sizes = await cosignedSizes(em, newest.key.number)
  if (witnessing.policy.quorum === undefined)
    return withCosignatures(
      newest,
      witnessing,
      sizes.find(({ size }) => size === newest.size),
    )
  const enough = sizes.find((one) => one.size <= newest.size && isEnough(witnessing, one))
  if (enough === undefined) return undefined
  const checkpoint = enough.size === newest.size ? newest : await checkpointAt(em, enough.size)
  return checkpoint && withCosignatures(checkpoint, witnessing, enough)
}

/** The log's signature first, then the cosignatures in the order of the policy. */
function withCosignatures(
  checkpoint: StoredCheckpoint,
  { witnesses }: Witnessing,
  cosigned: Cosigned | undefined,
): { readonly size: number; readonly note: string } {
  const { text, signatures } = noteOf(checkpoint)
  const added = witnesses.flatMap(({ key: { name, id }, label }) => {
    const signature = cosigned?.cosignatures.get(label)
    return signature === undefined ? [] : [{ name, id, signature }]
  })
  return { size: checkpoint.size, note: writeNote({ text, signatures: [...signatures, ...added] }) }
}
