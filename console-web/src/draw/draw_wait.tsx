// A draw whose beacon does not exist yet: when it will, and what to publish before.
import './draw.css'
import { CopyButton } from '../ui/copy_button.tsx'
import { clockface, duration, localTime, utc } from '../ui/format_time.ts'
import { saveFile } from '../ui/save_file.ts'
import { drawFile } from './draw_terms.ts'
import type { Participants } from './participants.ts'
import type { DrawTerms } from './recipe.ts'

type DrawWaitProps = {
  readonly at: string
  /** Unix milliseconds of the server. */
  readonly now: number
  readonly terms: DrawTerms
  readonly list: Participants | null
  readonly address: string
}

const HOUR_MS = 3_600_000

export const DrawWait = ({ at, now, terms, list, address }: DrawWaitProps) => {
  const left = Date.parse(at) - now
  return (
    <>
      <div className="draw-wait" data-testid="draw-wait">
        <strong role="timer" aria-live="off">
          {left <= 0 ? 'any moment' : left < HOUR_MS ? clockface(left) : duration(left)}
        </strong>
        <p>
          The first beacon at or after{' '}
          <time dateTime={at} title={localTime(at)}>
            {utc(at)} UTC
          </time>{' '}
          draws. It appears here by itself.
        </p>
        <p>
          Publish the address{list === null ? '' : ' and the list'} now, before that beacon exists: then
          nobody can change the terms any more.
        </p>
      </div>
      <div className="download-line">
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
            const file = drawFile(terms, { at, beacon: null, names: list?.names ?? null, winners: null })
            saveFile({ name: 'draw.json', bytes: new TextEncoder().encode(file) })
          }}
        >
          Save as a file
        </button>
      </div>
    </>
  )
}
