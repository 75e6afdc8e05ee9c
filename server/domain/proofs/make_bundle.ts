// Builds a bundle: the subject's path to its block, the block's entries on public chains, the witnesses, and the
// signature.
import type { EntityManager } from '@mikro-orm/postgresql'
import type { Bundle } from '../../../shared/proof/bundle/bundle.ts'
import { encodePath } from '../../../shared/proof/merkle_path.ts'
import { refuse } from '../../kernel/refusal.ts'
import { blockStandings } from '../commitments/block_standings.ts'
import { confirmedEntries } from '../commitments/commitment_entries.ts'
import { inclusionPath } from '../ledger/inclusion_path.ts'
import type { Signer } from '../ledger/signer.ts'
import { type CarriedWitnesses, carryWitnesses, committedHash } from './carry_witnesses.ts'
import type { FoundSubject } from './find_subject.ts'
import type { IntroducedKey } from './own_keyring.ts'
import { type ProofBlock, type ProofBlocks, readProofBlocks } from './proof_blocks.ts'
import { reading, refuseProof } from './proof_refusal.ts'
import { type ProofRequest, type WitnessName, wantedWitnesses } from './proof_request.ts'
import { type ProofSlots, proofWait } from './proof_wait.ts'
import { signBundle } from './sign_bundle.ts'

export interface BundleParts {
  readonly request: Pick<ProofRequest, 'type' | 'witnesses'>
  readonly subject: FoundSubject
  /** The key that signs the bundle. */
  readonly key: IntroducedKey
}

type Leaf = Extract<FoundSubject, { readonly kind: 'leaf' }>

/**
 * Makes four statements, one more for the path of a leaf, and one more for payloads of public sources.
 * @throws not_found, no_external_commitments, witness_unavailable, signing_unavailable, lookup_failed
 */
export async function makeBundle(
  { em, signer, slots }: { em: EntityManager; signer: Signer; slots: ProofSlots },
  { request, subject, key }: BundleParts,
): Promise<Bundle> {
  const wanted = wantedWitnesses(request.witnesses)
  const leaf = subject.kind === 'leaf' ? subject : undefined
  const witnessHash = leaf && wanted.has('block') ? committedHash(leaf.carried, 'block') : undefined
  const asked = { subjectId: subject.blockId, keyEventHeight: key.introducedAtHeight, witnessHash }
  const { subject: block, keyEvent, run, nowMs } = await reading(() => readProofBlocks({ em }, asked))
  // A missing block is an unknown id when the caller named the block. When a leaf or a key names it, the database is
  // damaged.
  if (block === undefined) throw leaf === undefined ? refuse('not_found') : refuseProof('lookup_failed')
  if (keyEvent === undefined) throw refuseProof('lookup_failed')

  const part = leaf && { inclusion_proof: await pathOf(em, leaf, block), leaf }
  const entries = await reading(() => confirmedEntries({ em }, [block.id, keyEvent.id]))
  const commitments = entries.get(block.id) ?? []
  if (commitments.length === 0) {
    const chains = slots.chains.map(({ chain }) => chain.name)
    const standings = await reading(() => blockStandings({ em }, { blockId: block.id, chains }))
    const wait = proofWait(slots, nowMs, standings)
    throw refuseProof('no_external_commitments', {
      ...(wait.retry_after_ms === null && {
        detail: 'no epoch will hold the block: on every public chain here the first epoch begins after it',
      }),
      meta: wait,
    })
  }
  const event = { block: keyEvent.carried, commitments: entries.get(keyEvent.id) ?? [] }
  return signBundle(
    { em, signer },
    {
      type: request.type,
      block: block.carried,
      commitments,
      ...(part && {
        inclusion_proof: part.inclusion_proof,
        ...(await leafMembers(em, part.leaf, { wanted, run })),
      }),
      ...(wanted.has('signing_key_event') && { signing_key_event: event }),
    },
    { key, nowMs, subjectHash: leaf?.hash ?? block.hash, blockHash: block.hash },
  )
}

async function pathOf(em: EntityManager, { leafIndex }: Leaf, block: ProofBlock): Promise<string> {
  const place = { blockId: block.id, leafIndex, leafCount: block.leafCount }
  const steps = await reading(() => inclusionPath({ em }, place))
  if (steps === undefined) throw refuseProof('lookup_failed')
  return encodePath(steps)
}

/** The subject with its witnesses, and the blocks from the witness block on. Empty members are left out. */
async function leafMembers(
  em: EntityManager,
  { carried }: Leaf,
  around: { readonly wanted: ReadonlySet<WitnessName>; readonly run: ProofBlocks['run'] },
): Promise<Pick<Bundle, 'subject' | 'block_path'>> {
  const { details, blockPath }: CarriedWitnesses = await reading(() =>
    carryWitnesses({ em }, carried, around),
  )
  const hasDetails = Object.keys(details).length > 0
  return {
    subject: { ...carried, ...(hasDetails && { witnesses: details }) },
    ...(blockPath.length > 0 && { block_path: blockPath }),
  }
}
