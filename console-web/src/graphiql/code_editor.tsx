// A text field for code: CodeMirror with the keys, colours and ceilings that the editors of the page share.
import './graphiql.css'
import { closeBrackets, closeBracketsKeymap, completionKeymap } from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands'
import { bracketMatching, indentOnInput } from '@codemirror/language'
import { diagnosticCount, forEachDiagnostic, lintKeymap, setDiagnosticsEffect } from '@codemirror/lint'
import { EditorState, type Extension, StateEffect } from '@codemirror/state'
import { EditorView, highlightSpecialChars, keymap, lineNumbers, type ViewUpdate } from '@codemirror/view'
import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react'
import { count } from '../ui/format.ts'
import { styleNonce } from '../ui/over/style_nonce.ts'

type CodeEditorProps = {
  readonly label: string
  readonly describedBy: string
  readonly testId: string
  readonly value: string
  readonly onChange: (value: string) => void
  readonly mostCharacters: number
  /** Read once, when the editor is created. The same holds for the label, the ids and the ceiling. */
  readonly language: Extension
  /** Told what the language has found wrong, each time the text was checked. */
  readonly onDiagnostics?: (diagnostics: readonly Diagnostic[]) => void
  /** Set to the editor while it exists. */
  readonly view: RefObject<EditorView | null>
}

export const CodeEditor = (props: CodeEditorProps) => {
  const { value, view } = props
  const host = useRef<HTMLDivElement>(null)
  /** The text last passed to or from the editor, because the editor may hold it with other line ends. */
  const known = useRef(value)
  /** A change was refused, and none was made since. */
  const [isRefused, setRefused] = useState(false)
  const updated = useEffectEvent(({ docChanged, transactions, state }: ViewUpdate): void => {
    const effects = transactions.flatMap((one) => one.effects)
    if (effects.some((effect) => effect.is(setDiagnosticsEffect))) props.onDiagnostics?.(diagnosticsOf(state))
    if (effects.some((effect) => effect.is(refused))) setRefused(true)
    if (!docChanged) return
    setRefused(false)
    known.current = state.doc.toString()
    props.onChange(known.current)
  })
  const openIn = useEffectEvent(
    (parent: HTMLElement) =>
      new EditorView({
        parent,
        doc: value,
        extensions: [
          props.language,
          SHARED,
          sizeCeiling(props.mostCharacters),
          EditorView.contentAttributes.of(({ state }) => ({
            'aria-label': props.label,
            'aria-describedby': props.describedBy,
            'aria-invalid': String(diagnosticCount(state) > 0),
            'data-testid': props.testId,
            // What can be edited has the focus anyway; this says it to programs that judge by the attribute.
            tabindex: '0',
          })),
          EditorView.updateListener.of((update) => updated(update)),
        ],
      }),
  )
  useEffect(() => {
    if (host.current === null) return
    const editor = openIn(host.current)
    view.current = editor
    return () => {
      view.current = null
      editor.destroy()
    }
  }, [view])
  useEffect(() => {
    const editor = view.current
    if (editor === null || value === known.current) return
    known.current = value
    editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: value } })
  }, [value, view])
  return (
    <>
      <div ref={host} className="code-editor" />
      {isRefused && (
        <p className="code-refused" role="alert">
          Not changed: this text may have {count(props.mostCharacters)} characters at most.
        </p>
      )}
    </>
  )
}

export type Diagnostic = ReturnType<typeof diagnosticsOf>[number]

const MOST_DIAGNOSTICS = 20

/** The first that the editor found, in the order of the text. Line and column both count from 1. */
const diagnosticsOf = (state: EditorState) => {
  const found: { message: string; from: number; line: number; column: number }[] = []
  forEachDiagnostic(state, ({ message }, from) => {
    const line = state.doc.lineAt(from)
    found.push({ message, from, line: line.number, column: from - line.from + 1 })
  })
  return found.slice(0, MOST_DIAGNOSTICS)
}

const refused = StateEffect.define()

/** Refuses a change that makes the text longer than this. */
const sizeCeiling = (mostCharacters: number): Extension =>
  EditorState.transactionFilter.of((change) => {
    const { length } = change.newDoc
    // A text that is already too long can still be made shorter.
    const isRefused = length > mostCharacters && length > change.startState.doc.length
    return isRefused ? { effects: refused.of(null) } : change
  })

/**
 * Typing over a selection, and deleting one. Chrome would merge the lines with style attributes of its own, which the
 * content security policy of the page refuses and reports. So the editor makes the change, not the browser.
 */
const typingOver = EditorView.domEventHandlers({
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

const SHARED: Extension = [
  EditorView.cspNonce.of(styleNonce),
  EditorState.tabSize.of(2),
  highlightSpecialChars(),
  lineNumbers(),
  history(),
  indentOnInput(),
  bracketMatching(),
  closeBrackets(),
  typingOver,
  keymap.of([
    ...closeBracketsKeymap,
    ...completionKeymap,
    ...historyKeymap,
    ...lintKeymap,
    // Removed here, because Ctrl-Enter runs the query from everywhere on the page.
    ...defaultKeymap.filter(({ key }) => key !== 'Mod-Enter'),
    // After Escape, the next Tab goes to the browser, so that keyboard users can leave the editor.
    indentWithTab,
  ]),
]
