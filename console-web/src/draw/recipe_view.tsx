// How the winners follow from the beacon, and the programs that repeat it without this page.
import './draw.css'
import { useMemo, useState } from 'react'
import { Choice } from '../ui/choice.tsx'
import { CopyButton } from '../ui/copy_button.tsx'
import { Shown } from '../ui/shown_text.tsx'
import { LIST_FILE, nodeCode, pythonCode, shellCode } from './draw_code.ts'
import { type DrawTerms, drawText, seedOf, WHO_CHOOSES } from './recipe.ts'

type RecipeViewProps = {
  readonly terms: DrawTerms
  /** Null while the beacon does not exist yet. */
  readonly beaconHash: string | null
  readonly at: string | null
}

const LANGUAGES = { python: 'Python', node: 'Node', shell: 'The beacon' } as const
type Language = keyof typeof LANGUAGES

const UNKNOWN = '<hash>'

export const RecipeView = ({ terms, beaconHash, at }: RecipeViewProps) => {
  const [language, setLanguage] = useState<Language>('python')
  const hash = beaconHash ?? UNKNOWN
  const code = useMemo(() => codeOf(language, terms, hash, at), [language, terms, hash, at])
  return (
    <>
      <section aria-labelledby="draw-recipe">
        <h2 id="draw-recipe" className="section-title">
          The recipe
        </h2>
        <ol className="recipe">
          <li>
            The terms as text, six lines in UTF-8, each ending in a line feed:
            <pre data-testid="draw-text">
              <code>
                <Shown text={drawText(terms, hash)} />
              </code>
            </pre>
            {terms.list !== null && (
              <small>
                <code>list</code> is the SHA-256 of the participants, each without spaces around it and
                followed by a line feed.
              </small>
            )}
          </li>
          <li>
            The seed is the SHA-256 of that text
            {beaconHash === null ? '.' : ': '}
            {beaconHash !== null && <code className="seed">{seedOf(terms, beaconHash)}</code>}
          </li>
          <li>
            Numbers: SHA-256 of the seed followed by a counter of 8 bytes (0, 1, 2, …, big-endian). Each
            result gives eight numbers of 4 bytes, big-endian.
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
      </section>
      <section aria-labelledby="draw-code">
        <h2 id="draw-code" className="section-title">
          Repeat it elsewhere
        </h2>
        <Choice label="Program" options={LANGUAGES} value={language} onChange={setLanguage} />
        <p className="card-note draw-how">{HOW[language](terms)}</p>
        <div className="draw-code">
          <CopyButton text={code} what="program" />
          <section
            className="draw-program"
            // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
            tabIndex={0}
            aria-label={`${LANGUAGES[language]}, program`}
          >
            <pre data-testid="draw-code">
              <code>{code}</code>
            </pre>
          </section>
        </div>
      </section>
    </>
  )
}

const codeOf = (language: Language, terms: DrawTerms, hash: string, at: string | null): string => {
  switch (language) {
    case 'python':
      return pythonCode(terms, hash)
    case 'node':
      return nodeCode(terms, hash)
    case 'shell':
      return shellCode(window.location.origin, at, hash)
    default:
      return language satisfies never
  }
}

const listWords = ({ list }: DrawTerms): string =>
  list === null ? '' : `, with the list beside it as ${LIST_FILE},`

const HOW: Readonly<Record<Language, (terms: DrawTerms) => string>> = {
  python: (terms) =>
    `Save it as draw.py${listWords(terms)} and run python3 draw.py. Nothing has to be installed.`,
  node: (terms) =>
    `Save it as draw.mjs${listWords(terms)} and run node draw.mjs. Nothing has to be installed.`,
  shell: () => 'How anybody with a key of this service reads the beacon. PHAROS_KEY holds the key.',
}
