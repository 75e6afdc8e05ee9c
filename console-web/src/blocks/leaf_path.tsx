// The Merkle path of one leaf: from the leaves when all were read, otherwise from the leaf's proof when asked.
import { useMemo, useState } from 'react'
import { readOrUndefined } from '../../../shared/proof/bytes.ts'
import { memberAt } from '../../../shared/proof/json_value.ts'
import { decodePath, merklePath, type PathStep } from '../../../shared/proof/merkle.ts'
import { blockStage } from '../commitments/proof_stage.ts'
import type { Api } from '../data/api_client.ts'
import { unreadable } from '../data/api_failure.ts'
import { ActButton } from '../ui/form/act_button.tsx'
import type { Block } from './block.ts'
import { type Leaf, valuesOf } from './leaf.ts'
import { MerklePath, walkUp } from './merkle_path.tsx'
import type { Leaves } from './use_leaves.ts'

type LeafOfPath = Pick<Leaf, 'id' | 'type' | 'hash'>

type LeafPathProps = {
  readonly leaf: LeafOfPath
  readonly leaves: Pick<Leaves, 'rows' | 'whole'>
  readonly block: Block
}

export const LeafPath = ({ leaf, leaves: { rows, whole }, block }: LeafPathProps) => {
  const [proven, setProven] = useState<readonly PathStep[] | null>(null)
  const walk = useMemo(() => {
    const place = rows.findIndex(({ id }) => id === leaf.id)
    const path = whole ? merklePath(place, valuesOf(rows)) : proven
    return path && walkUp(leaf.hash, path, block.merkleRoot)
  }, [whole, rows, proven, leaf.id, leaf.hash, block.merkleRoot])
  return (
    <section aria-labelledby="leaf-path" data-testid="merkle-path" data-ok={walk?.ok}>
      <h3 id="leaf-path" className="leaf-path-title">
        From the leaf to the root
      </h3>
      {walk !== null ? (
        <MerklePath
          walk={walk}
          value={leaf.hash}
          source={
            whole ? 'The siblings were computed here from all leaves.' : 'The siblings come from the proof.'
          }
        />
      ) : blockStage(block.state) !== 'ready' ? (
        <p className="card-note">
          Not all leaves may be read by you, so the path has to come with the leaf’s proof. There is one as
          soon as a public chain carries this block.
        </p>
      ) : (
        <>
          <p className="card-note">Not all leaves were read here. The proof of this leaf carries its path.</p>
          <ActButton
            caption="Get the path from the proof"
            running="Making the proof…"
            testId="fetch-path"
            act={async ({ api }) => setProven(await fetchPath(api, leaf))}
          />
        </>
      )}
    </section>
  )
}

/**
 * Of one leaf, as it stands in the leaf's proof, once the block is committed.
 * @throws ApiFailure
 */
const fetchPath = async (api: Api, { id, type }: LeafOfPath): Promise<readonly PathStep[]> => {
  const answer = await api.post('/api/json/proof/generate', { data: { id, type, witnesses: [] } })
  const text = memberAt(memberAt(answer, 'result'), 'inclusion_proof')
  const path = typeof text === 'string' ? readOrUndefined(() => decodePath(text)) : undefined
  if (path === undefined) throw unreadable('a proof with a path')
  return path
}
