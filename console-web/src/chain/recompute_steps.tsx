// The recomputation of one block hash, step by step: the service's value and the value computed in this
// browser.
import type { Beacon } from '../../../shared/wire/console_stream.ts'
import type { BlockView } from '../blocks/block.ts'
import { GENESIS_PREVIOUS_HASH } from '../blocks/recompute_block.ts'
import { ComputedStep, Differs, Step, stepMark } from '../ui/step.tsx'
import type { ChainLink } from './beacon_list.ts'
import { type Proof, proofOf } from './block_prover.ts'

export type BeaconDetail = {
  readonly beacon: Beacon
  readonly proof: Proof | null
  /** To the beacon before it. */
  readonly link: ChainLink
  readonly olderHash: string | null
  /** Why there is no proof. */
  readonly failure: string | null
}

/** Of a block that was read with the one before it. @param beacon the one that is shown, if it came apart from the block */
export const detailOf = (view: BlockView, beacon: Beacon = view.block): BeaconDetail => ({
  beacon,
  proof: proofOf(beacon, view.block),
  link: linkInView(beacon, view),
  olderHash: view.previous?.hash ?? null,
  failure: null,
})

const linkInView = (beacon: Beacon, { block, previous }: BlockView): ChainLink => {
  if (block.height === 0) return beacon.previous_hash === GENESIS_PREVIOUS_HASH ? 'genesis' : 'broken'
  if (previous === null) return 'open'
  return previous.hash === beacon.previous_hash ? 'holds' : 'broken'
}

export const RecomputeSteps = ({ beacon, proof, link, olderHash, failure }: BeaconDetail) => (
  <ol className="timeline">
    <Step
      name={link === 'genesis' ? 'Genesis' : 'Link'}
      rule={LINK_RULES[link]}
      mark={link === 'open' ? OPEN : stepMark(link !== 'broken')}
    >
      {(link === 'holds' || link === 'genesis') && <code>{beacon.previous_hash}</code>}
      {link === 'broken' && <Differs values={{ says: beacon.previous_hash, before: olderHash }} />}
    </Step>
    {proof?.recomputation.steps.map((step) => (
      <ComputedStep key={step.name} {...step}>
        <code>{step.computed}</code>
      </ComputedStep>
    ))}
    {proof === null && <Step name="Block hash" rule={failure} mark={OPEN} />}
  </ol>
)

const OPEN = { 'data-tone': 'busy' }

const LINK_RULES: Readonly<Record<ChainLink, string>> = {
  holds: 'previous_hash = hash of the block before',
  genesis: 'previous_hash = D(0x31, “pharos:genesis:v1”): the chain begins here',
  open: 'The block before this one was not read, so the link was not checked.',
  broken: 'previous_hash is not the hash of the block before',
}
