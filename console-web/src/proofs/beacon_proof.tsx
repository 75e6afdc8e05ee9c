// The proof of a beacon, in its drawer. Loaded with its styles when a drawer is opened.
import { useBlock } from '../blocks/block_view.ts'
import { blockStage } from '../commitments/proof_stage.ts'
import { ProofPanel } from './proof_panel.tsx'

/** The list read the block when it was new, so this part asks again whether a chain carries it. */
export const BeaconProof = ({ id }: { id: string }) => {
  const loaded = useBlock(id)
  if (loaded.kind !== 'found') return null
  return <ProofPanel id={id} type="beacon" stage={blockStage(loaded.value.block.state)} blockId={id} />
}
