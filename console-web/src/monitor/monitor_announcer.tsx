// Announces to screen readers what has come: at most one sentence in twenty seconds, whatever comes.
import { useEffect, useState } from 'react'
import { plural } from '../ui/format.ts'
import type { MonitorState } from './monitor_feed.ts'

const QUIET_MS = 20_000
/** Kinds in one sentence. */
const MOST_NAMED = 3

/** While the list is held it says nothing. */
export const MonitorAnnouncer = ({ state: { heard, held } }: { state: MonitorState }) => {
  const [said, setSaid] = useState({ heard, at: 0, words: '' })
  useEffect(() => {
    if (held !== null || heard === said.heard) return
    const say = (): void => setSaid({ heard, at: Date.now(), words: sentence(said.heard, heard) })
    const timer = setTimeout(say, Math.max(0, said.at + QUIET_MS - Date.now()))
    return () => clearTimeout(timer)
  }, [held, heard, said])
  return (
    <p className="visually-hidden" aria-live="polite">
      {said.words}
    </p>
  )
}

/** Such as "4 new events: 3 × Item handed in, Block." */
export const sentence = (before: ReadonlyMap<string, number>, now: ReadonlyMap<string, number>): string => {
  const kinds = [...now]
    .map(([kind, number]) => [kind, number - (before.get(kind) ?? 0)] as const)
    .filter(([, number]) => number > 0)
    .sort(([, a], [, b]) => b - a)
  const total = kinds.reduce((sum, [, number]) => sum + number, 0)
  const named = kinds
    .slice(0, MOST_NAMED)
    .map(([kind, number]) => (number === 1 ? kind : `${number} × ${kind}`))
  const more = kinds.length > MOST_NAMED ? ' and others' : ''
  return total === 0 ? '' : `${plural(total, 'new event')}: ${named.join(', ')}${more}.`
}
