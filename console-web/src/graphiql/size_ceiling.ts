// Limits the length of the text in an editor. Refuses a change that goes beyond it, and shows a message.

import { EditorState, type Extension, StateEffect, StateField } from '@codemirror/state'
import { type Panel, showPanel } from '@codemirror/view'
import { count } from '../ui/format_count.ts'

const refused = StateEffect.define()

export const sizeCeiling = (mostCharacters: number): Extension => {
  const notice = (): Panel => {
    const dom = document.createElement('p')
    dom.className = 'code-refused'
    dom.setAttribute('role', 'alert')
    dom.textContent = `Not changed: this text may have ${count(mostCharacters)} characters at most.`
    return { dom }
  }
  return [
    EditorState.transactionFilter.of((change) => {
      const { length } = change.newDoc
      // A text that is already too long can still be made shorter.
      const isRefused = length > mostCharacters && length > change.startState.doc.length
      return isRefused ? { effects: refused.of(null) } : change
    }),
    StateField.define<boolean>({
      create: () => false,
      update: (before, { docChanged, effects }) =>
        effects.some((effect) => effect.is(refused)) || (before && !docChanged),
      provide: (field) => showPanel.from(field, (isRefused) => (isRefused ? notice : null)),
    }),
  ]
}
