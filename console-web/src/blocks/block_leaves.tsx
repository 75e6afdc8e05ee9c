// The leaves of a block: what each of them is, and the path from a chosen one up to the root.
import { useState } from 'react'
import { Link, useSearchParams } from 'wouter'
import { sourceTitle } from '../entropy/source_title.ts'
import { Button } from '../ui/button.tsx'
import { count, plural } from '../ui/format.ts'
import { Section } from '../ui/section.tsx'
import { nameText, Shown } from '../ui/shown_text.tsx'
import { Differs } from '../ui/step.tsx'
import type { Block } from './block.ts'
import { type Leaf, leafPage, roundWords } from './leaf.ts'
import { LeafPath } from './leaf_path.tsx'
import { type Leaves, MOST_LEAVES, useLeaves } from './use_leaves.ts'

/** Rows on the page at a time. */
const PAGE = 25

export const BlockLeaves = ({ block }: { block: Block }) => {
  const leaves = useLeaves(block)
  const [query] = useSearchParams()
  const [page, setPage] = useState<number | null>(null)
  const { rows, failure, reading, more } = leaves
  const total = (block.itemCount ?? 0) + block.observationCount
  const last = Math.max(0, Math.ceil(rows.length / PAGE) - 1)
  const chosen = rows.findIndex(({ id }) => id === query.get('leaf'))
  // Until somebody turns the pages, the one with the leaf that the address names.
  const at = Math.min(page ?? Math.max(0, Math.floor(chosen / PAGE)), last)
  return (
    <Section
      title="Leaves"
      note={`${plural(block.itemCount ?? 0, 'item')}, ${plural(block.observationCount, 'observation')}`}
      data-testid="block-items"
    >
      {total === 0 ? (
        <p className="card-note">None. The Merkle root is that of an empty tree.</p>
      ) : (
        <>
          <RootLine leaves={leaves} block={block} total={total} />
          {failure !== null && <p className="problem">{failure}</p>}
          <ol className="list leaves">
            {rows.slice(at * PAGE, (at + 1) * PAGE).map((leaf) => (
              <LeafRow key={leaf.id} leaf={leaf} leaves={leaves} block={block} />
            ))}
          </ol>
          <nav className="pager" aria-label="Pages of leaves">
            {at > 0 && <Button onClick={() => setPage(at - 1)}>Earlier leaves</Button>}
            {at < last && <Button onClick={() => setPage(at + 1)}>Later leaves</Button>}
            {more !== null && (
              <Button disabled={reading} data-testid="more-leaves" onClick={more}>
                {reading
                  ? `Reading… ${count(rows.length)} of ${count(total)}`
                  : `Read all (${count(rows.length)} of ${count(total)} here)`}
              </Button>
            )}
          </nav>
        </>
      )}
    </Section>
  )
}

type RootLineProps = { readonly leaves: Leaves; readonly block: Block; readonly total: number }

/** Says what the leaves that were read prove, and no more. */
const RootLine = ({ leaves: { rows, root, reading, more, failure }, block, total }: RootLineProps) => {
  if (root !== null)
    return root === block.merkleRoot ? (
      <p className="leaves-root notice" data-tone="good" data-ok="true" data-testid="leaves-root">
        {total === 1 ? 'The one leaf was read' : `All ${count(total)} leaves were read`}, and the root
        computed from {total === 1 ? 'it' : 'them'} here is the Merkle root of the block.
      </p>
    ) : (
      <div className="leaves-root alarm" data-ok="false" role="alert" data-testid="leaves-root">
        The root computed here from all {count(total)} leaves is not the Merkle root of the block.
        <Differs values={{ service: block.merkleRoot, here: root }} />
      </div>
    )
  if (reading || failure !== null) return <p className="card-note">Reading the leaves…</p>
  if (more !== null)
    return (
      <p className="card-note">
        {count(rows.length)} were read. When all are, the root is computed from them.
      </p>
    )
  return (
    <p className="card-note">
      {rows.length === 0 ? 'None of them' : `Only ${count(rows.length)} of ${count(total)}`}{' '}
      {total > MOST_LEAVES && rows.length >= MOST_LEAVES
        ? 'fit this page.'
        : 'may be read by you: the others are private, of another team, or deleted.'}{' '}
      The path of a leaf comes with its proof.
    </p>
  )
}

type LeafRowProps = { readonly leaf: Leaf; readonly leaves: Leaves; readonly block: Block }

/** With its path, when the address names it. */
const LeafRow = ({ leaf, leaves, block }: LeafRowProps) => {
  const [query, setQuery] = useSearchParams()
  const isChosen = query.get('leaf') === leaf.id
  return (
    <li>
      <div className="list-row leaf" data-testid="leaf-row" data-chosen={isChosen}>
        {/* The places are known when all leaves were read. */}
        <span className="leaf-place">{leaves.whole && count(leaves.rows.indexOf(leaf))}</span>
        <Link to={leafPage(leaf)} className="name">
          <strong>
            {leaf.type !== 'item' ? (
              sourceTitle(leaf.type)
            ) : leaf.round !== null ? (
              roundWords(leaf.round)
            ) : (
              <Shown text={nameText(leaf.name ?? 'Item without a name')} />
            )}
          </strong>
          <code>{leaf.hash}</code>
        </Link>
        <Button
          aria-expanded={isChosen}
          data-testid="leaf-path"
          onClick={() => setQuery(isChosen ? {} : { leaf: leaf.id }, { replace: true })}
        >
          Path<span className="visually-hidden"> of this leaf to the root</span>
        </Button>
      </div>
      {isChosen && (
        <div className="leaf-path box">
          <LeafPath leaf={leaf} leaves={leaves} block={block} />
        </div>
      )}
    </li>
  )
}
