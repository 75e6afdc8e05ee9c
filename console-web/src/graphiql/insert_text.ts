// Writes into a text field as if it had been typed, so that undo takes it back.
import type { Edit } from './edit_text.ts'

export const insertText = (field: HTMLTextAreaElement, { from, to, insert, caret }: Edit): void => {
  field.focus()
  field.setSelectionRange(from, to)
  const done = document.execCommand(insert === '' ? 'delete' : 'insertText', false, insert)
  if (!done) {
    field.setRangeText(insert, from, to, 'end')
    field.dispatchEvent(new Event('input', { bubbles: true }))
  }
  field.setSelectionRange(caret, caret)
}
