// Draws winners from a beacon: its terms on the left, the result and the recipe beside them.
import { useLocation, useSearchParams } from 'wouter'
import { useChain } from '../chain/chain_context.ts'
import { useConsole } from '../data/console_context.ts'
import { useStore } from '../data/use_store.ts'
import { BeaconChoice } from '../draw/beacon_choice.tsx'
import { DrawForm } from '../draw/draw_form.tsx'
import { type DrawDraft, queryOf } from '../draw/draw_terms.ts'
import { DrawWait } from '../draw/draw_wait.tsx'
import { RecipeView } from '../draw/recipe_view.tsx'
import { type Choice, type Draw, useDraw } from '../draw/use_draw.ts'
import { Winners } from '../draw/winners.tsx'
import { useNow } from '../ui/use_now.ts'

/** `hash` is null when the beacon is the first one at or after the time in the address. */
export const DrawPage = ({ hash }: { hash: string | null }) => {
  const [query] = useSearchParams()
  const [, navigate] = useLocation()
  const at = timeIn(query)
  const choice: Choice | null =
    hash !== null ? { kind: 'this', hash } : at === null ? null : { kind: 'first', at }
  const head = useStore(useChain().feed.state).list.rows[0] ?? null
  const choose = (next: Choice, draft: DrawDraft, list: string | null): void =>
    navigate(
      `/beacons/${next.kind === 'this' ? next.hash : 'next'}/draw?${queryOf(draft, list, next.kind === 'first' ? next.at : null)}`,
      { replace: true },
    )
  const now = useNow() + useStore(useConsole().clockOffset)
  return (
    <main className="plain-page draw-page">
      <title>Draw · Pharos</title>
      <header className="page-head">
        <p className="page-kind">Use a beacon</p>
        <h1>Draw winners that anybody can check</h1>
        <p>
          Nobody but the operator of this service, who makes the beacon, can know its hash beforehand or
          choose it. Together with the terms it decides who is drawn, and everybody who repeats the recipe
          gets the same winners.
        </p>
      </header>
      {choice === null ? (
        <p className="problem" role="alert">
          This address names no time for the beacon.{' '}
          {head !== null && (
            <button
              type="button"
              className="text-button"
              onClick={() => navigate(`/beacons/${head.hash}/draw`)}
            >
              Draw from the newest beacon
            </button>
          )}
        </p>
      ) : (
        <Terms choice={choice} thisHash={hash ?? head?.hash ?? null} now={now} onChoose={choose} />
      )}
    </main>
  )
}

type TermsProps = {
  readonly choice: Choice
  readonly thisHash: string | null
  readonly now: number
  readonly onChoose: (choice: Choice, draft: DrawDraft, list: string | null) => void
}

const Terms = ({ choice, thisHash, now, onChoose }: TermsProps) => {
  const draw = useDraw(choice)
  const at = choice.kind === 'first' ? choice.at : null
  return (
    <div className="side-by-side">
      <form
        className="card form-grid"
        aria-label="Terms of the draw"
        onSubmit={(event) => event.preventDefault()}
      >
        <h2>Terms</h2>
        <BeaconChoice
          choice={choice}
          thisHash={thisHash}
          now={now}
          onChoose={(next) => onChoose(next, draw.draft, draw.list?.hash ?? null)}
        />
        <DrawForm
          draw={draw}
          onFile={({ draft, at: fixed, beacon }) => {
            draw.change(draft)
            if (fixed !== null) onChoose({ kind: 'first', at: fixed }, draft, draft.list)
            else if (beacon !== null) onChoose({ kind: 'this', hash: beacon }, draft, draft.list)
          }}
        />
      </form>
      <div className="main-side">
        <section className="card" aria-labelledby="draw-result" aria-live="polite">
          <h2 id="draw-result">{headingOf(draw)}</h2>
          <Result draw={draw} at={at} now={now} />
        </section>
        {draw.terms !== null && (
          <RecipeView
            terms={draw.terms}
            beaconHash={draw.beacon.kind === 'found' ? draw.beacon.drawn.beacon.hash : null}
            at={at}
          />
        )}
      </div>
    </div>
  )
}

const headingOf = ({ terms, beacon: { kind } }: Draw): string => {
  if (terms === null) return 'The terms are not complete'
  return kind === 'waiting' ? 'Fixed, and not drawn yet' : kind === 'found' ? 'Drawn' : 'Not drawn yet'
}

const Result = ({ draw, at, now }: { draw: Draw; at: string | null; now: number }) => {
  const { problem, terms, list, beacon, address, change } = draw
  if (problem !== null || terms === null)
    return (
      <p className="problem" role="alert" data-testid="draw-problem">
        {problem}{' '}
        {list !== null && draw.draft.list !== null && list.hash !== draw.draft.list && (
          <button type="button" className="text-button" onClick={() => change({ list: null })}>
            Draw from this list instead
          </button>
        )}
      </p>
    )
  switch (beacon.kind) {
    case 'loading':
      return <p className="card-note">Reading the beacon…</p>
    case 'missing':
      return <p className="problem">This ledger has no such beacon.</p>
    case 'failed':
      return <p className="problem">{beacon.why}</p>
    case 'waiting':
      return at === null ? null : <DrawWait at={at} now={now} terms={terms} list={list} address={address} />
    case 'found':
      return <Winners terms={terms} list={list} drawn={beacon.drawn} at={at} address={address} />
    default:
      return beacon satisfies never
  }
}

const timeIn = (query: URLSearchParams): string | null => {
  const ms = Date.parse(query.get('at') ?? '')
  return Number.isNaN(ms) ? null : new Date(ms).toISOString()
}
