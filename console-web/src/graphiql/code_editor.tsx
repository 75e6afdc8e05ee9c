// A text field for code: a plain textarea, so that every habit of the keyboard holds, over a coloured copy of its text.
import type { GraphQLSchema } from 'graphql'
import { type KeyboardEvent, useId, useMemo, useRef } from 'react'
import { CompletionPopup, optionId } from './completion_popup.tsx'
import { editFor } from './edit_text.ts'
import { insertText } from './insert_text.ts'
import { type Mark, type Piece, piecesOf } from './piece.ts'
import { type Language, tokensOf } from './token.ts'
import { useCompletion } from './use_completion.ts'

type CodeEditorProps = {
  readonly label: string
  readonly language: Language
  readonly value: string
  readonly onChange: (value: string) => void
  /** Parts that are wrong. */
  readonly marks: readonly Mark[]
  /** Lines, from 1, that hold something wrong. */
  readonly wrongLines: ReadonlySet<number>
  /** With a schema, words are completed. */
  readonly schema: GraphQLSchema | null
  readonly describedBy: string
  readonly testId: string
}

export const CodeEditor = (props: CodeEditorProps) => {
  const { label, language, value, marks, schema } = props
  const field = useRef<HTMLTextAreaElement>(null)
  const layer = useRef<HTMLPreElement>(null)
  const listId = useId()
  const completion = useCompletion(schema, field)
  const pieces = useMemo(() => piecesOf(value, tokensOf(value, language), marks), [value, language, marks])
  const lines = value.split('\n').length

  const pressed = (event: KeyboardEvent<HTMLTextAreaElement>): void => {
    // While a word is being composed (accents, Japanese), its keys are the input method's.
    if (event.nativeEvent.isComposing) return
    if (completion.pressed(event)) {
      event.preventDefault()
      return
    }
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const { selectionStart, selectionEnd } = event.currentTarget
    const edit = editFor(event.key, value, selectionStart, selectionEnd)
    if (edit === null) return
    event.preventDefault()
    insertText(event.currentTarget, edit)
  }

  const open = completion.open
  return (
    <div className="code-editor" onScroll={completion.close}>
      <ol className="code-gutter" aria-hidden="true">
        {Array.from({ length: lines }, (_, index) => index + 1).map((line) => (
          <li key={line} data-wrong={props.wrongLines.has(line)}>
            {line}
          </li>
        ))}
      </ol>
      <div className="code-sheet">
        <pre ref={layer} className="code-layer" aria-hidden="true">
          <Pieces pieces={pieces} />
          {'\n'}
        </pre>
        <textarea
          ref={field}
          className="code-field"
          data-testid={props.testId}
          aria-label={label}
          aria-describedby={props.describedBy}
          aria-invalid={marks.length > 0}
          aria-autocomplete={schema === null ? 'none' : 'list'}
          aria-controls={open === null ? undefined : listId}
          aria-activedescendant={open === null ? undefined : optionId(listId, completion.selected)}
          value={value}
          wrap="off"
          spellCheck={false}
          autoCapitalize="off"
          autoComplete="off"
          autoCorrect="off"
          onChange={(event) => {
            props.onChange(event.target.value)
            completion.typed(event.target.value, event.target.selectionStart)
          }}
          onKeyDown={pressed}
          onBlur={completion.close}
          onPointerDown={completion.close}
        />
      </div>
      {open !== null && (
        <CompletionPopup
          id={listId}
          completions={open}
          selected={completion.selected}
          layer={layer}
          onChoose={completion.choose}
        />
      )}
    </div>
  )
}

/** Keyed by place: pieces have nothing else, and a text changes at one of them at a time. */
export const Pieces = ({ pieces }: { pieces: readonly Piece[] }) =>
  pieces.map((piece) =>
    piece.kind === null && !piece.wrong ? (
      piece.text
    ) : (
      <span
        key={piece.from}
        className={piece.kind === null ? undefined : `code-${piece.kind}`}
        data-wrong={piece.wrong}
      >
        {piece.text}
      </span>
    ),
  )
