// One proof from the service's own function, without HTTP surfaces and budgets.
import { pino } from 'pino'
import { generateProof } from '../../server/domain/proofs/generate_proof.ts'
import type { Ground } from './ground.ts'

const log = pino({ level: 'silent' })
const free = () => ({
  budget: 'proof_generate' as const,
  allowed: true,
  limit: 1,
  remaining: 1,
  retryAfterMs: 0,
})

const slots = { blockMs: 60_000, chains: [] }

/** JSON text of an item's bundle with all its witnesses. */
export async function proofText({ store, signer, userId }: Ground, id: string): Promise<string> {
  const house = { em: store.em(), signer, charge: free, slots, log }
  const request = { id, type: 'item', format: 'json', layout: 'published' } as const
  return (await generateProof(house, { userId }, request)).text
}
