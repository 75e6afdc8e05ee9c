// How the winners follow from the beacon, and where programs are told that repeat it without this page.
import './draw.css'
import { CopyButton } from '../ui/copy_button.tsx'
import { Shown } from '../ui/shown_text.tsx'
import { type DrawTerms, drawText, seedOf, WHO_CHOOSES } from './recipe.ts'

/** The article that has the programs. */
export const PROGRAMS = '/docs/beacons#drawing-from-one'

type RecipeViewProps = {
  readonly terms: DrawTerms
  /** Null while the beacon does not exist yet. */
  readonly beaconHash: string | null
}

const UNKNOWN = '<hash>'

export const RecipeView = ({ terms, beaconHash }: RecipeViewProps) => {
  const text = drawText(terms, beaconHash ?? UNKNOWN)
  return (
    <section aria-labelledby="draw-recipe">
      <h2 id="draw-recipe" className="section-title">
        The recipe
      </h2>
      <ol className="recipe">
        <li>
          The terms as text, six lines in UTF-8, each ending in a line feed:
          <div className="draw-terms">
            <pre data-testid="draw-text">
              <code>
                <Shown text={text} />
              </code>
            </pre>
            {beaconHash !== null && <CopyButton text={text} what="terms" />}
          </div>
        </li>
        <li>
          The seed is the SHA-256 of that text
          {beaconHash === null ? '.' : ': '}
          {beaconHash !== null && <code className="seed">{seedOf(terms, beaconHash)}</code>}
        </li>
        <li>
          Numbers: SHA-256 of the seed followed by a counter of 8 bytes (0, 1, 2, …, big-endian). Each result
          gives eight numbers of 4 bytes, big-endian.
        </li>
        <li>
          A number below m: take the next number; pass over those from 2³² − (2³² mod m) on, because they
          would favour some results; the rest of the division by m.
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
        Programs in Python and JavaScript that repeat this draw from its terms alone are told in{' '}
        <a href={PROGRAMS}>the article about beacons</a>.
      </p>
    </section>
  )
}
