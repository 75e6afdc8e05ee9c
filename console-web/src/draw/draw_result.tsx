// The result of a draw: the winners in their order and the beacon that drew them; before it exists, when it will.
import { type ReactNode, useMemo } from 'react'
import { Link } from 'wouter'
import type { BlockView } from '../blocks/block.ts'
import { recomputeBlock } from '../blocks/recompute_block.ts'
import { Button } from '../ui/button.tsx'
import { CopyButton } from '../ui/copy_button.tsx'
import { TextBox } from '../ui/fields.tsx'
import { clockface, count, dayAndTime, duration } from '../ui/format.ts'
import { Problem } from '../ui/problem.tsx'
import { saveFile } from '../ui/save_file.ts'
import { Card, Section } from '../ui/section.tsx'
import { Shown } from '../ui/shown_text.tsx'
import { Time } from '../ui/time.tsx'
import { useServiceTime } from '../ui/use_now.ts'
import { drawFile } from './draw_terms.ts'
import { type DrawTerms, drawText, drawWinners, seedOf, WHO_CHOOSES } from './recipe.ts'
import type { Draw } from './use_draw.ts'

export const DrawResult = ({ draw }: { draw: Draw }) => (
  <div className="main-side">
    <Card title={headingOf(draw)} aria-live="polite">
      <Result draw={draw} />
    </Card>
    {/* Below what is drawn, so that it stands where it stays. */}
    {!('problem' in draw.terms) && draw.drawn.kind !== 'loading' && (
      <RecipeView draw={draw} terms={draw.terms} />
    )}
  </div>
)

const headingOf = ({ terms, drawn: { kind } }: Draw): string => {
  if ('problem' in terms) return 'The terms are not complete'
  return kind === 'waiting' ? 'Fixed, and not drawn yet' : kind === 'found' ? 'Drawn' : 'Not drawn yet'
}

const Result = ({ draw }: { draw: Draw }) => {
  const { choice, terms, drawn, takeOther } = draw
  if ('problem' in terms)
    return (
      <Problem testId="draw-problem">
        {terms.problem}{' '}
        {takeOther !== null && (
          <Button look="text" onClick={takeOther}>
            Draw from it all the same
          </Button>
        )}
      </Problem>
    )
  switch (drawn.kind) {
    case 'loading':
      return <p className="card-note">Reading the beacon…</p>
    case 'missing':
      return <Problem>This ledger has no such beacon.</Problem>
    case 'failed':
      return <Problem>{drawn.why}</Problem>
    case 'waiting':
      return choice.kind === 'this' ? null : <Wait draw={draw} terms={terms} at={choice.at} />
    case 'found':
      return <Winners draw={draw} terms={terms} view={drawn.value} />
    default:
      return drawn satisfies never
  }
}

const HOUR_MS = 3_600_000

type ResultProps = { readonly draw: Draw; readonly terms: DrawTerms }

const Wait = ({ draw, terms, at }: ResultProps & { at: string }) => {
  const left = useServiceTime((now) => Date.parse(at) - now)
  return (
    <>
      <div className="draw-wait stack" data-testid="draw-wait">
        <strong role="timer" aria-live="off">
          {left <= 0 ? 'any moment' : left < HOUR_MS ? clockface(left) : duration(left)}
        </strong>
        <p>
          The first beacon at or after <Time at={at}>{dayAndTime(at, true)}</Time> draws. It appears here by
          itself.
        </p>
        <p>Publish the address and any list now, before that beacon exists: then nobody can change them.</p>
      </div>
      <Acts draw={draw} terms={terms} />
    </>
  )
}

const Acts = ({ draw, draw: { list }, terms, children }: ResultProps & { children?: ReactNode }) => (
  <p className="acts">
    {children}
    <CopyButton
      text={`${window.location.origin}${draw.address}`}
      what="the address of this draw"
      caption="Copy the address"
      icon="link"
    />
    <Button data-testid="save-draw" onClick={() => saveFile(drawFile(terms, draw))}>
      Save as a file
    </Button>
    {list !== null && (
      <Button data-testid="save-list" onClick={() => saveFile(new File([list.text], 'participants.txt'))}>
        Save the list
      </Button>
    )}
  </p>
)

/** Winners on the page. The copy and the file hold all of them. */
const MOST_SHOWN = 1_000

const Winners = ({ draw, terms, view: { block } }: ResultProps & { view: BlockView }) => {
  const { choice, list } = draw
  const nameOf = (place: number): string => list?.names[place - 1] ?? `${place}`
  const winners = useMemo(() => drawWinners(terms, block.hash), [terms, block.hash])
  if (!recomputeBlock(block, block).ok)
    return (
      <Problem testId="draw-problem">
        Nothing is drawn: the hash of this beacon is not the hash of its block, recomputed here.{' '}
        <Link to={`/blocks/${block.id}`}>See which step fails</Link>
      </Problem>
    )
  return (
    <>
      <ol className="winners" data-testid="winners" data-alone={winners.length === 1}>
        {winners.slice(0, MOST_SHOWN).map((place) => (
          <li key={place} className={winners.length === 1 ? 'box bright' : 'box'}>
            <strong>{list === null ? count(place) : <Shown text={nameOf(place)} />}</strong>
            {list !== null && <small>line {count(place)}</small>}
          </li>
        ))}
      </ol>
      {winners.length > MOST_SHOWN && (
        <p className="card-note">
          The first {count(MOST_SHOWN)} of {count(winners.length)}. The copy and the file hold all.
        </p>
      )}
      <p className="card-note" data-testid="draw-source">
        Drawn by beacon{' '}
        <Link to={`/blocks/${block.id}`}>
          #{count(block.height)} <code>{block.hash.slice(0, 16)}…</code>
        </Link>{' '}
        of <Time at={block.timestamp}>{dayAndTime(block.timestamp, true)}</Time>, whose hash was recomputed
        here
        {choice.kind === 'first' && `, and the one before it is earlier than ${dayAndTime(choice.at, true)}`}.
      </p>
      <Acts draw={draw} terms={terms}>
        <CopyButton text={winners.map(nameOf).join('\n')} what="winners" caption="Copy the winners" />
      </Acts>
    </>
  )
}

const RecipeView = ({ draw: { beacon }, terms }: ResultProps) => (
  <Section title="The recipe">
    <ol className="recipe steps">
      <li>
        The terms as text, six lines in UTF-8, each ending in a line feed. Of a list they have the SHA-256,
        taken of its lines in UTF-8, each without spaces around it and ending in a line feed:
        <TextBox text={drawText(terms, beacon ?? '<hash>')} what="terms" testId="draw-text" />
      </li>
      <li>
        The seed is the SHA-256 of that text.{' '}
        {beacon !== null && <code data-testid="draw-seed">{seedOf(terms, beacon)}</code>}
      </li>
      <li>
        Numbers: SHA-256 of the seed followed by a counter of 8 bytes (0, 1, 2, …, big-endian). Each result
        gives eight numbers of 4 bytes, big-endian.
      </li>
      <li>
        A number below m: take the next number; pass over those from 2³² − (2³² mod m) on, because they would
        favour some results; the rest of the division by m.
      </li>
      <li>
        Everybody stands in a row, 1 to n. For i from 0 to k − 1: take a number below n − i, and exchange
        place i with the place that many further on. Who then stands at place i is drawn.
      </li>
    </ol>
    <p className="card-note draw-how">
      {WHO_CHOOSES} Do not use it where the operator, or somebody close to him, has an interest in who is
      drawn.
    </p>
    <p className="card-note">
      Programs in Python and JavaScript that repeat this draw from its terms and its list are told in{' '}
      <a href="/docs/beacons#drawing-from-one">the article about beacons</a>.
    </p>
  </Section>
)
