// Diagnostics of a query or its variables before it is sent, and their places.
import { forEachDiagnostic } from '@codemirror/lint'
import type { EditorState } from '@codemirror/state'
import { isJsonObject } from '../data/json_object.ts'

export type Diagnostic = {
  readonly message: string
  readonly from: number
  /** Line and column both count from 1. */
  readonly line: number
  readonly column: number
}

const MOST_DIAGNOSTICS = 20

/** The first diagnostics that the editor found, in the order of the text. */
export const diagnosticsOf = (state: EditorState): Diagnostic[] => {
  const found: Diagnostic[] = []
  forEachDiagnostic(state, ({ message }, from) => {
    if (found.length === MOST_DIAGNOSTICS) return
    const line = state.doc.lineAt(from)
    found.push({ message, from, line: line.number, column: from - line.from + 1 })
  })
  return found
}

export const variablesMistake = (text: string): string | null => {
  if (text.trim() === '') return null
  try {
    return isJsonObject(JSON.parse(text)) ? null : 'Variables are one JSON object.'
  } catch (error) {
    return error instanceof Error ? `Not JSON yet: ${error.message}` : 'Not JSON.'
  }
}
