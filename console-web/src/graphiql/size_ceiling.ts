// How long the text of an editor may become. A change that makes it longer than that is refused, and a line says so.
import { EditorState, type Extension, StateEffect, StateField } from '@codemirror/state'
import { type Panel, showPanel } from '@codemirror/view'

const refused = StateEffect.define()

export const sizeCeiling = (mostCharacters: number): Extension => {
  const notice = (): Panel => {
    const dom = document.createElement('p')
    dom.className = 'code-refused'
    dom.setAttribute('role', 'alert')
    dom.textContent = `Not changed: this text may have ${mostCharacters.toLocaleString('en')} characters at most.`
    return { dom }
  }
  return [
    EditorState.transactionFilter.of((change) => {
      const { length } = change.newDoc
      // A text that is too long already can still be made shorter.
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
