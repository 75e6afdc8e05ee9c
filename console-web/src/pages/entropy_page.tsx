// One entropy observation: the source's output, the time, and the block that holds it.
import { Link } from 'wouter'
import { isProofType } from '../../../shared/proof/signed_payload.ts'
import { useBlock } from '../blocks/block.ts'
import { useHead } from '../chain/chain_context.ts'
import { blockStage } from '../commitments/proof_stage.ts'
import { StagePill } from '../commitments/stage_pill.tsx'
import { useDocument } from '../data/use_document.ts'
import { type Observation, readObservationDocument } from '../entropy/observation.ts'
import { sourceTitle } from '../entropy/source_title.ts'
import { ProofPanel } from '../proofs/proof_panel.tsx'
import { DocumentPage } from '../shell/document_page.tsx'
import { CodeField, RawJson, TextField, TimeField } from '../ui/fields.tsx'
import { count } from '../ui/format.ts'
import { PageHead } from '../ui/plain_page.tsx'
import { Section } from '../ui/section.tsx'

export const EntropyPage = ({ id }: { id: string }) => {
  const loaded = useDocument(`/api/json/entropy_observations/${encodeURIComponent(id)}`, {
    read: readObservationDocument,
    pulse: useHead()?.id,
    // Once it is in a block, new blocks change nothing of it.
    isSettled: ({ blockId }) => blockId !== null,
  })
  return (
    <DocumentPage what="Entropy" id={id} loaded={loaded} missing="There is no observation of this id.">
      {(observation) => <Found observation={observation} />}
    </DocumentPage>
  )
}

const Found = ({ observation }: { observation: Observation }) => {
  const { id, source, entropy, blockId, publishedAt } = observation
  const name = sourceTitle(source)
  const block = useBlock(blockId)
  const isCarried = block.kind === 'found' && blockStage(block.value.block.state) === 'ready'
  const stage = blockId === null ? 'no_block' : isCarried ? 'ready' : 'waiting'
  return (
    <>
      <title>{`${name} · Pharos`}</title>
      <PageHead kind="Entropy observation" state={<StagePill stage={stage} />} name={name}>
        <p>What a public source said. Items submitted after it name it, so they cannot be older than it.</p>
      </PageHead>
      <div className="side-by-side" data-wide="left">
        <div className="main-side">
          <Section title="As captured">
            <dl className="fields box">
              {Object.entries(entropy).map(([member, value]) => (
                <TextField key={member} name={member}>
                  <pre className="claim-json">
                    {typeof value === 'string' ? value : JSON.stringify(value, null, 2)}
                  </pre>
                </TextField>
              ))}
            </dl>
          </Section>
          <Section title="Recorded">
            <dl className="fields box">
              <CodeField name="id" value={id} />
              {publishedAt !== null && <TimeField name="published" time={publishedAt} />}
              <TimeField name="captured" time={observation.insertedAt} />
              <CodeField name="entropy_hash" value={observation.entropyHash} />
              <CodeField name="observation_hash" value={observation.observationHash} />
              <CodeField name="signed by key" value={observation.keyId} />
              {blockId !== null && (
                <TextField name="block">
                  <Link to={`/blocks/${blockId}`}>
                    {block.kind === 'found' ? `#${count(block.value.block.height)}` : blockId}
                  </Link>
                </TextField>
              )}
            </dl>
          </Section>
          <RawJson title="As received" value={observation.raw} />
        </div>
        <div className="side">
          {/* None for a source that this page does not have. */}
          {isProofType(source) && <ProofPanel id={id} type={source} stage={stage} blockId={blockId} />}
        </div>
      </div>
    </>
  )
}
