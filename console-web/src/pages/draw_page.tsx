// Draws winners from a beacon: its terms on the left, the result and the recipe beside them.
import { useLocation, useSearchParams } from 'wouter'
import { useHead } from '../chain/chain_context.ts'
import { DrawForm } from '../draw/draw_form.tsx'
import { DrawResult } from '../draw/draw_result.tsx'
import type { Choice } from '../draw/draw_terms.ts'
import { useDraw } from '../draw/use_draw.ts'
import { Button } from '../ui/button.tsx'
import { PlainPage } from '../ui/plain_page.tsx'
import { Problem } from '../ui/problem.tsx'

/** `hash` is null when the beacon is the first one at or after the time in the address. */
export const DrawPage = ({ hash }: { hash: string | null }) => {
  const [query] = useSearchParams()
  const [, navigate] = useLocation()
  const at = timeIn(query)
  const head = useHead()
  return (
    <PlainPage
      title="Draw"
      kind="Use a beacon"
      name="Draw winners that anybody can check"
      intro="Nobody but the operator of this service, who makes the beacon, can know its hash beforehand or choose it. Together with the terms it decides who is drawn, and everybody who repeats the recipe gets the same winners."
      className="draw-page"
    >
      {hash === null && at === null ? (
        <Problem>
          This address names no time for the beacon.{' '}
          {head !== null && (
            <Button look="text" onClick={() => navigate(`/beacons/${head.hash}/draw`)}>
              Draw from the newest beacon
            </Button>
          )}
        </Problem>
      ) : (
        <Terms choice={hash === null ? { kind: 'first', at: at ?? '' } : { kind: 'this', hash }} />
      )}
    </PlainPage>
  )
}

const Terms = ({ choice }: { choice: Choice }) => {
  const draw = useDraw(choice)
  return (
    <div className="side-by-side">
      <DrawForm draw={draw} />
      <DrawResult draw={draw} />
    </div>
  )
}

const timeIn = (query: URLSearchParams): string | null => {
  const ms = Date.parse(query.get('at') ?? '')
  return Number.isNaN(ms) ? null : new Date(ms).toISOString()
}
