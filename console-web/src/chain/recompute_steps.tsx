// The recomputation of one block hash, step by step: the service's value and the value computed in this
// browser.
import type { Beacon } from '../../../shared/wire/console_stream.ts'
import type { BlockView } from '../blocks/block_view.ts'
import { GENESIS_PREVIOUS_HASH } from '../blocks/recompute_block.ts'
import { Differs, stepMark } from '../ui/step.tsx'
import type { ChainLink } from './beacon_list.ts'
import type { Proof } from './block_prover.ts'

/** The link of a beacon to the block before it, which came with its block. */
export const linkInView = (
  beacon: Pick<Beacon, 'previous_hash'>,
  { block, previousHash }: Pick<BlockView, 'block' | 'previousHash'>,
): ChainLink => {
  if (block.height === 0) return beacon.previous_hash === GENESIS_PREVIOUS_HASH ? 'genesis' : 'broken'
  if (previousHash === null) return 'open'
  return previousHash === beacon.previous_hash ? 'holds' : 'broken'
}

type RecomputeStepsProps = {
  readonly proof: Proof | null
  readonly link: ChainLink
  readonly previousHash: string
  readonly olderHash: string | null
  readonly failure: string | null
}

export const RecomputeSteps = ({ proof, link, previousHash, olderHash, failure }: RecomputeStepsProps) => (
  <ol className="timeline">
    <LinkStep link={link} previousHash={previousHash} olderHash={olderHash} />
    {proof?.recomputation?.steps.map((step) => (
      <li key={step.name} {...stepMark(step.ok)}>
        <h3>{step.name}</h3>
        <p className="note">{step.rule}</p>
        {step.ok ? (
          <code>{step.computed}</code>
        ) : (
          <Differs values={{ service: step.expected, here: step.computed }} />
        )}
      </li>
    ))}
    {proof?.recomputation == null && (
      <li data-tone="busy">
        <h3>Block hash</h3>
        <p className="note">
          {failure ?? 'The service has no block of this id, so nothing can be recomputed.'}
        </p>
      </li>
    )}
  </ol>
)

const LinkStep = ({
  link,
  previousHash,
  olderHash,
}: {
  link: ChainLink
  previousHash: string
  olderHash: string | null
}) => {
  switch (link) {
    case 'holds':
      return (
        <li {...stepMark(true)}>
          <h3>Link</h3>
          <p className="note">previous_hash = hash of the beacon before</p>
          <code>{previousHash}</code>
        </li>
      )
    case 'genesis':
      return (
        <li {...stepMark(true)}>
          <h3>Genesis</h3>
          <p className="note">previous_hash = D(0x31, “pharos:genesis:v1”): the chain begins here</p>
          <code>{previousHash}</code>
        </li>
      )
    case 'open':
      return (
        <li data-tone="busy">
          <h3>Link</h3>
          <p className="note">The beacon before this one was not read, so the link was not checked.</p>
        </li>
      )
    case 'broken':
      return (
        <li {...stepMark(false)}>
          <h3>Link</h3>
          <p className="note">previous_hash is not the hash of the beacon before</p>
          <Differs values={{ says: previousHash, before: olderHash }} />
        </li>
      )
    default:
      return link satisfies never
  }
}
