// The result of a draw: the winners in their order, and the beacon that drew them.
import './draw.css'
import { useMemo } from 'react'
import { Link } from 'wouter'
import { CopyButton } from '../ui/copy_button.tsx'
import { count } from '../ui/format_count.ts'
import { localTime, utc } from '../ui/format_time.ts'
import { saveFile } from '../ui/save_file.ts'
import { Shown } from '../ui/shown_text.tsx'
import { drawFile } from './draw_terms.ts'
import type { DrawnBeacon } from './drawn_beacon.ts'
import type { Participants } from './participants.ts'
import { type DrawTerms, drawWinners } from './recipe.ts'

type WinnersProps = {
  readonly terms: DrawTerms
  readonly list: Participants | null
  readonly drawn: DrawnBeacon
  /** The time that was fixed for the beacon. Null when the beacon was chosen itself. */
  readonly at: string | null
  readonly address: string
}

/** Winners on the page. The copy and the file hold all of them. */
const MOST_SHOWN = 1_000

export const Winners = ({
  terms,
  list,
  drawn: { beacon, height, recomputation },
  at,
  address,
}: WinnersProps) => {
  const winners = useMemo(() => drawWinners(terms, beacon.hash), [terms, beacon.hash])
  const nameOf = (place: number): string => list?.names[place - 1] ?? String(place)
  if (!recomputation.ok)
    return (
      <p className="problem" role="alert" data-testid="draw-problem">
        Nothing is drawn: the hash of this beacon is not the hash of its block, recomputed here.{' '}
        <Link to={`/blocks/${beacon.id}`}>See which step fails</Link>
      </p>
    )
  return (
    <>
      <ol className="winners" data-testid="winners" data-alone={winners.length === 1}>
        {winners.slice(0, MOST_SHOWN).map((place) => (
          <li key={place}>
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
      <p className="draw-source">
        Drawn by beacon{' '}
        <Link to={`/blocks/${beacon.id}`}>
          #{count(height)} <code>{beacon.hash.slice(0, 16)}…</code>
        </Link>{' '}
        of{' '}
        <time dateTime={beacon.timestamp} title={localTime(beacon.timestamp)}>
          {utc(beacon.timestamp, true)} UTC
        </time>
        , whose hash was recomputed here
        {at !== null && `, and the one before it is earlier than ${utc(at)} UTC`}.
      </p>
      <div className="download-line">
        <CopyButton text={winners.map(nameOf).join('\n')} what="winners" caption="Copy the winners" />
        <CopyButton
          text={`${window.location.origin}${address}`}
          what="the address of this draw"
          caption="Copy the address"
          icon="link"
        />
        <button
          type="button"
          className="button"
          data-testid="save-draw"
          onClick={() => {
            const file = drawFile(terms, { at, beacon: beacon.hash, names: list?.names ?? null, winners })
            saveFile({ name: 'draw.json', bytes: new TextEncoder().encode(file) })
          }}
        >
          Save as a file
        </button>
        {list !== null && (
          <button
            type="button"
            className="button"
            onClick={() => saveFile({ name: 'participants.txt', bytes: new TextEncoder().encode(list.text) })}
          >
            Save the list
          </button>
        )}
      </div>
    </>
  )
}
