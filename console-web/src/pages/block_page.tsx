// One block: its facts, its hash recomputed here, its contents, the chains that carry it, and its proof.
import { Link } from 'wouter'
import { type BlockView, useBlock } from '../blocks/block.ts'
import { BlockLeaves } from '../blocks/block_leaves.tsx'
import { useHead } from '../chain/chain_context.ts'
import { detailOf, RecomputeSteps } from '../chain/recompute_steps.tsx'
import { CommitmentList } from '../commitments/commitment_list.tsx'
import { confirmedOn } from '../commitments/epoch.ts'
import { blockStage, stageWords } from '../commitments/proof_stage.ts'
import { StagePill } from '../commitments/stage_pill.tsx'
import { ProofPanel } from '../proofs/proof_panel.tsx'
import { DocumentPage } from '../shell/document_page.tsx'
import { CodeField, RawJson, TextField, TimeField } from '../ui/fields.tsx'
import { capital, count } from '../ui/format.ts'
import { LightStrip } from '../ui/light_strip.tsx'
import { lazyPart } from '../ui/load/lazy.tsx'
import { PageHead } from '../ui/plain_page.tsx'
import { Section } from '../ui/section.tsx'

const BlockInLog = lazyPart(async () => (await import('../log/block_in_log.tsx')).BlockInLog)
const LogLine = lazyPart(async () => (await import('../log/log_line.tsx')).LogLine)

export const BlockPage = ({ id }: { id: string }) => {
  // Only the last block gets something new with the next one: its successor.
  const loaded = useBlock(id, useHead()?.id, ({ next }) => next !== null)
  return (
    <DocumentPage what="Block" id={id} loaded={loaded} missing="There is no block of this id.">
      {(view) => <Found view={view} />}
    </DocumentPage>
  )
}

const Found = ({ view }: { view: BlockView }) => {
  const { block } = view
  const stage = blockStage(block.state)
  const chain = confirmedOn(view.commitments) ?? 'a chain'
  return (
    <>
      <title>{`Block ${count(block.height)} · Pharos`}</title>
      <PageHead
        kind="Block"
        state={<StagePill stage={stage} chain={chain} isBlock testId="block-state" />}
        name={`#${count(block.height)}`}
        act={<Neighbours view={view} />}
      />
      <div className="side-by-side" data-wide="left">
        <div className="main-side">
          <section aria-label="Header">
            <LightStrip hash={block.hash} className="light-strip head-strip" />
            <dl className="fields box">
              <CodeField name="block_hash" value={block.hash} />
              <CodeField name="previous" value={block.previous_hash} />
              <CodeField name="merkle_root" value={block.merkleRoot} />
              <CodeField name="id" value={block.id} />
              <TimeField name="made" time={block.timestamp} />
              {block.committedAt !== null && <TimeField name={`on ${chain}`} time={block.committedAt} />}
              <CodeField name="key" value={block.keyId} />
              <TextField name="chain">
                <span className="line">
                  <Link to={`/beacons/${block.hash}`}>Show it in the chain</Link>
                  <Link to={`/chain?walk=${block.height}`}>Walk to genesis from here</Link>
                  <Link to={`/beacons/${block.hash}/draw`}>Use this beacon</Link>
                </span>
              </TextField>
            </dl>
          </section>
          <Section title={capital(stageWords('ready', chain))}>
            <CommitmentList commitments={view.commitments} />
          </Section>
          <BlockLeaves block={block} />
          <Section title="In the public log">
            <BlockInLog block={block} />
            <LogLine />
          </Section>
          <Section title="Recomputed in this browser">
            <RecomputeSteps {...detailOf(view)} />
          </Section>
          <RawJson title="As received" value={block.raw} />
        </div>
        <div className="side">
          <ProofPanel id={block.id} type="block" stage={stage} blockId={block.id} />
        </div>
      </div>
    </>
  )
}

const Neighbours = ({ view: { previous, next } }: { view: BlockView }) => (
  <nav className="acts" aria-label="Neighbours">
    {previous !== null && (
      <Link to={`/blocks/${previous.id}`} className="button">
        Before
      </Link>
    )}
    {next !== null && (
      <Link to={`/blocks/${next.id}`} className="button">
        After
      </Link>
    )}
  </nav>
)
