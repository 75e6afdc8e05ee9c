// Handles typing over a selection and deleting one. Chrome would merge the lines with style attributes of its
// own, which the content security policy of the page refuses and reports. So the editor makes the change, not
// the browser.
import { EditorView } from '@codemirror/view'

export const typingOver = EditorView.domEventHandlers({
  beforeinput: ({ inputType, data, isComposing }, view) => {
    const text = inputType.startsWith('deleteContent') ? '' : inputType === 'insertText' ? data : null
    // Asks the browser, because the editor learns of a new selection only after this event.
    const selection = document.getSelection()
    if (text === null || selection === null || selection.isCollapsed || isComposing || view.composing)
      return false
    const range = selection.getRangeAt(0)
    const from = view.posAtDOM(range.startContainer, range.startOffset)
    const to = view.posAtDOM(range.endContainer, range.endOffset)
    if (from === to) return false
    const change = () =>
      view.state.update({
        changes: { from, to, insert: text },
        selection: { anchor: from + text.length },
        userEvent: text === '' ? 'delete.selection' : 'input.type',
        scrollIntoView: true,
      })
    // The handler that closes brackets is among these.
    const listeners = text === '' ? [] : view.state.facet(EditorView.inputHandler)
    if (!listeners.some((take) => take(view, from, to, text, change))) view.dispatch(change())
    return true
  },
})
