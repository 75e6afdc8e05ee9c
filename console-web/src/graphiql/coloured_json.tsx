// JSON for reading, in the colours of the editor. The page holds all of it, so that the browser's search
// finds it.
import { jsonLanguage } from '@codemirror/lang-json'
import { highlightTree } from '@lezer/highlight'
import { type ReactNode, useMemo } from 'react'
import { jsonColours } from './code_colours.ts'

/** Longer JSON gets one colour, because a hundred thousand spans make a page stutter. */
const MOST_COLOURED = 200_000

export const ColouredJson = ({ text }: { text: string }) => {
  const pieces = useMemo(() => (text.length > MOST_COLOURED ? text : piecesOf(text)), [text])
  return <code>{pieces}</code>
}

const piecesOf = (text: string): ReactNode[] => {
  const pieces: ReactNode[] = []
  let done = 0
  highlightTree(jsonLanguage.parser.parse(text), jsonColours, (from, to, colour) => {
    pieces.push(
      text.slice(done, from),
      <span key={from} className={colour}>
        {text.slice(from, to)}
      </span>,
    )
    done = to
  })
  pieces.push(text.slice(done))
  return pieces
}
