// The proof of a beacon, in its drawer. Loaded when a drawer is opened, with the styles it needs.
import { type BlockView, blockPath, readBlockView } from '../blocks/block_view.ts'
import { blockStage } from '../commitments/proof_stage.ts'
import { useDocument } from '../data/use_document.ts'
import { ProofPanel } from './proof_panel.tsx'

/** The block in the list was read when it was new; whether a chain carries it by now is asked anew. */
export const BeaconProof = ({ id }: { id: string }) => {
  const loaded = useDocument(blockPath(id), { read: readBlockView, freshMs })
  if (loaded.kind !== 'found') return null
  return <ProofPanel id={id} type="beacon" stage={blockStage(loaded.value.block.state)} blockId={id} />
}

const freshMs = ({ block }: BlockView): number | null => (blockStage(block.state) === 'ready' ? null : 10_000)
