// The terms of a draw: which beacon draws, from what, how many, and under which label.
import './draw.css'
import { Link } from 'wouter'
import { useConsole } from '../data/console_context.ts'
import { useAsked } from '../data/use_asked.ts'
import { Choice as Options } from '../ui/form/choice.tsx'
import { FileDrop } from '../ui/form/file_drop.tsx'
import { AreaField, InputField } from '../ui/form/form_field.tsx'
import { count, dayAndTime, plural } from '../ui/format.ts'
import { Problem } from '../ui/problem.tsx'
import { WHO_CHOOSES } from './recipe.ts'
import type { Draw } from './use_draw.ts'

export const DrawForm = ({ draw }: { draw: Draw }) => {
  const { choice, choose, newestHash, draft, change, open, list, field } = draw
  const { why, ask } = useAsked()
  const { clockOffset } = useConsole()
  return (
    <form
      className="card form-grid"
      aria-label="Terms of the draw"
      onSubmit={(event) => event.preventDefault()}
    >
      <h2>Terms</h2>
      <Options
        label="The beacon that draws"
        options={{ this: 'Existing', first: 'Future' }}
        value={choice.kind}
        onChange={(kind) => {
          if (kind === choice.kind) return
          if (kind === 'first') choose({ kind, at: soon(Date.now() + clockOffset.read()) })
          else if (newestHash !== null) choose({ kind, hash: newestHash })
        }}
      />
      {choice.kind === 'this' ? (
        <p className="stack">
          <Link to={`/beacons/${choice.hash}`}>
            <code>{choice.hash.slice(0, 16)}…</code>
          </Link>
          <small>
            Everybody can already see it, so terms could be tried until the result pleases. Where others must
            trust the draw, fix a future beacon and publish the address before it exists: then the operator of
            this service alone can still choose who is drawn.
          </small>
        </p>
      ) : (
        <InputField
          label="The first beacon at or after"
          note={`Your local time. This is ${dayAndTime(choice.at, true)}. ${WHO_CHOOSES} Nobody else can know that beacon before it exists.`}
          type="datetime-local"
          step={60}
          value={localValue(choice.at)}
          testId="draw-at"
          onText={(text) => {
            const ms = new Date(text).getTime()
            if (ms > 0 && ms < LATEST_MS) choose({ kind: 'first', at: new Date(ms).toISOString() })
          }}
        />
      )}
      <Options
        label="Draw from"
        options={{ numbers: 'Numbers', list: 'A list' }}
        value={draft.names === null ? 'numbers' : 'list'}
        onChange={(from) => change({ names: from === 'list' ? (draft.names ?? '') : null })}
      />
      {draft.names === null ? (
        <InputField label="How many take part, numbered from 1" inputMode="numeric" {...field('n')} />
      ) : (
        <AreaField
          label="Participants, one on each line"
          note={`${list === null ? '' : `${count(list.names.length)} take part${repeatedWords(list.repeated)}. `}Up to 1,500 characters stand in the address; of a longer list, which stays in this browser, its SHA-256 does.`}
          rows={7}
          spellCheck={false}
          {...field('names')}
        />
      )}
      <FileDrop
        quiet
        caption="Open a list or a saved draw"
        testId="draw-file"
        onFile={(file) => ask(async () => open(await file.slice(0, MOST_FILE_BYTES).text()))}
      />
      <Problem>{why}</Problem>
      <InputField label="How many are drawn" inputMode="numeric" {...field('k')} />
      <InputField
        label="Label"
        note="What this draw is for, e.g. “Raffle 2027, first prize”. Draws of other labels have other winners."
        {...field('label')}
      />
    </form>
  )
}

/** Of the largest list as a saved draw. What is cut here is too large as a list, too. */
const MOST_FILE_BYTES = 32 * 1024 * 1024

const repeatedWords = (repeated: number): string =>
  repeated === 0 ? '' : `; ${plural(repeated, 'line repeats', 'lines repeat')} another, and each counts`

const MINUTE_MS = 60_000
/** A full minute, far enough ahead to publish the address before. */
const soon = (now: number): string => new Date((Math.ceil(now / MINUTE_MS) + 10) * MINUTE_MS).toISOString()

/** The end of the year 9999, the last that every reader of times can write. */
const LATEST_MS = Date.UTC(10_000, 0, 1)

/** The time as the field of the browser writes it: local, without an offset. */
const localValue = (at: string): string => {
  const time = new Date(at)
  return new Date(time.getTime() - time.getTimezoneOffset() * MINUTE_MS).toISOString().slice(0, 16)
}
