// What the coloured layer of an editor shows: the text in pieces, each with its colour and whether it is marked as wrong.
import type { Token, TokenKind } from './token.ts'

export type Mark = { readonly from: number; readonly to: number }

export type Piece = {
  readonly from: number
  readonly text: string
  readonly kind: TokenKind | null
  readonly wrong: boolean
}

/** Every character of the text is in exactly one piece, in order. */
export const piecesOf = (text: string, tokens: readonly Token[], marks: readonly Mark[]): Piece[] => {
  const pieces: Piece[] = []
  const cut = (from: number, to: number, kind: TokenKind | null): void => {
    let at = from
    while (at < to) {
      const wrong = marks.some((mark) => mark.from <= at && at < mark.to)
      const end = Math.min(to, nextEdge(marks, at))
      pieces.push({ from: at, text: text.slice(at, end), kind, wrong })
      at = end
    }
  }
  let done = 0
  for (const token of tokens) {
    cut(done, token.from, null)
    cut(token.from, token.to, token.kind)
    done = token.to
  }
  cut(done, text.length, null)
  return pieces
}

const nextEdge = (marks: readonly Mark[], at: number): number => {
  let edge = Number.POSITIVE_INFINITY
  for (const { from, to } of marks) {
    if (from > at) edge = Math.min(edge, from)
    if (to > at) edge = Math.min(edge, to)
  }
  return edge
}
