// The policy that tokens name where the operator has none.
import type { EntityManager } from '@mikro-orm/postgresql'
import { db } from '../../store/statement.ts'

/** Under 2.25 every UUID is an object identifier (ITU-T X.667), and the first block has one that no other installation has. */
export async function usualPolicy(em: EntityManager): Promise<string> {
  const { id } = await db(em)
    .selectFrom('blocks')
    .select('id')
    .where('height', '=', 0)
    .executeTakeFirstOrThrow()
  return `2.25.${BigInt(`0x${id.replaceAll('-', '')}`)}`
}
