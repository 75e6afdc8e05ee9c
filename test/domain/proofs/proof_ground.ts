// A ledger with proofs to be had: what the domain's own tests generate them with, and verify them with.
import { pino } from 'pino'
import { recordObservation } from '../../../server/domain/ledger/observation.ts'
import type { Signer } from '../../../server/domain/ledger/signing_key.ts'
import { exportOpentimestamps, generateProof } from '../../../server/domain/proofs/generate_proof.ts'
import { introducedKeys, ownKeyring } from '../../../server/domain/proofs/keyrings.ts'
import type { ProofRequest } from '../../../server/domain/proofs/proof_request.ts'
import { readProof } from '../../../server/domain/proofs/verify_proof.ts'
import { Refusal } from '../../../server/kernel/refusal.ts'
import type { Bundle } from '../../../shared/proof/bundle/bundle.ts'
import type { EntropyName } from '../../../shared/proof/entropy_names.ts'
import type { JsonObject } from '../../../shared/proof/json_value.ts'
import type { Report } from '../../../shared/proof/verify/report.ts'
import { verifyBundle } from '../../../shared/proof/verify/verify_bundle.ts'
import { openTestLedger, type TestLedger } from '../../support/ledger.ts'
import { commitBlocks, type Seeded } from './seed_commitment.ts'

export type Asked = Partial<ProofRequest> & Pick<ProofRequest, 'id' | 'type'>

export interface ProofGround {
  readonly ledger: TestLedger
  /** As it leaves: JSON text. */
  readonly text: (
    asked: Asked,
    with_?: { readonly signer?: Signer; readonly userId?: string },
  ) => Promise<string>
  /** As an .ots file. */
  readonly ots: (id: string) => ReturnType<typeof exportOpentimestamps>
  /** Of the published layout as JSON. */
  readonly bundle: (asked: Asked) => Promise<Bundle>
  /** By this ledger's own keyring, without lookups. */
  readonly verify: (proof: JsonObject | string) => Promise<Report>
  readonly observe: (source: EntropyName, payload: JsonObject) => Promise<string>
  readonly commit: (series?: Seeded) => Promise<void>
  /** What was logged. */
  readonly logged: readonly string[]
  readonly close: () => Promise<void>
}

/** They only tell how long to wait. */
const slots = {
  blockMs: 60_000,
  chains: [{ chain: { name: 'bitcoin' as const }, intervalMs: 900_000, confirmMs: 600_000, retryMs: 60_000 }],
}

const FREE = () => ({
  budget: 'proof_generate' as const,
  allowed: true,
  limit: 1,
  remaining: 1,
  retryAfterMs: 0,
})

/** Pass the address of something in between to reach the database through it. */
export async function openProofGround(through?: (url: string) => string): Promise<ProofGround> {
  const ledger = await openTestLedger(through)
  const em = () => ledger.store.em()
  const logged: string[] = []
  const log = pino({ base: null }, { write: (line: string) => void logged.push(line) })
  const text: ProofGround['text'] = async (
    asked,
    { signer = ledger.signer, userId = ledger.userId } = {},
  ) => {
    const request = { format: 'json', layout: 'published', ...asked } as const
    const made = await generateProof({ em: em(), signer, charge: FREE, slots, log }, { userId }, request)
    return made.text
  }
  return {
    ledger,
    text,
    ots: (id) =>
      exportOpentimestamps(
        { em: em(), signer: ledger.signer, charge: FREE, slots, log },
        { userId: ledger.userId },
        { id },
      ),
    bundle: async (asked) => JSON.parse(await text({ ...asked, format: 'json', layout: 'published' })),
    verify: async (proof) =>
      verifyBundle(readProof(proof), { keyrings: [ownKeyring(await introducedKeys(em()))] }),
    observe: async (source, payload) => {
      const recorded = await recordObservation(
        { em: em(), signer: ledger.signer },
        { source, payload, publishedAt: null },
      )
      if (recorded.outcome !== 'recorded') throw new Error('It was known already.')
      return recorded.id
    },
    commit: (series) => commitBlocks({ em: em() }, series),
    logged,
    close: ledger.close,
  }
}

/** The first problem of what was refused. */
export async function refusalOf(work: Promise<unknown>) {
  try {
    await work
  } catch (error) {
    if (error instanceof Refusal) {
      const [problem] = error.problems
      return { status: error.status, code: problem?.code, meta: problem?.meta, path: problem?.path }
    }
    throw error
  }
  throw new Error('It was not refused.')
}
