// The interruptions of this tab's connection, newest first.
import './connection.css'
import { useState } from 'react'
import type { Break } from '../data/connection_log.ts'
import { localTime, utc } from '../ui/format_time.ts'
import { useNow } from '../ui/use_now.ts'
import { breakWords } from './connection_words.ts'

const FIRST_SHOWN = 10

export const BreakList = ({ breaks, offset }: { breaks: readonly Break[]; offset: number }) => {
  const now = useNow()
  const [all, setAll] = useState(false)
  if (breaks.length === 0) return <p className="card-note">None since this tab was opened.</p>
  return (
    <>
      <ol className="break-list" data-testid="breaks">
        {breaks.slice(0, all ? undefined : FIRST_SHOWN).map((one) => {
          const at = new Date(one.from + offset).toISOString()
          return (
            <li key={one.from} data-open={one.until === null}>
              <time dateTime={at} title={localTime(at)}>
                {utc(at)}
              </time>
              <span>{breakWords(one, now)}</span>
            </li>
          )
        })}
      </ol>
      {!all && breaks.length > FIRST_SHOWN && (
        <button type="button" className="text-button" onClick={() => setAll(true)}>
          Show all {breaks.length}
        </button>
      )}
    </>
  )
}
