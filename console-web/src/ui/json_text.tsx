// JSON in colours. The text is written by `JSON.stringify`, so the pieces are known by how they begin.
import { type ReactNode, useMemo } from 'react'

/** Longer JSON has one colour, because a hundred thousand spans make a page stutter. */
const MOST_COLOURED = 200_000

const PIECES = /("(?:\\.|[^"\\])*")(\s*:)?|-?\d[\d.eE+-]*|true|false|null/g

export const JsonText = ({ text }: { text: string }) => (
  <code>{useMemo(() => (text.length > MOST_COLOURED ? text : piecesOf(text)), [text])}</code>
)

const piecesOf = (text: string): ReactNode[] => {
  const pieces: ReactNode[] = []
  let done = 0
  for (const { 0: piece, 1: words, 2: colon, index } of text.matchAll(PIECES)) {
    const kind = words === undefined ? 'value' : colon === undefined ? 'words' : 'name'
    pieces.push(
      text.slice(done, index),
      <span key={index} className={`json-${kind}`}>
        {piece}
      </span>,
    )
    done = index + piece.length
  }
  pieces.push(text.slice(done))
  return pieces
}
