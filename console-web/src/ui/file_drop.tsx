// An area to drop a file on, which is also a button to choose one. The caller decides what happens to the
// file.
import { type DragEvent, type ReactNode, useId, useRef, useState } from 'react'

type FileDropProps = {
  readonly onFile: (file: File) => void
  /** The text of the button. */
  readonly caption: string
  readonly accept?: string
  readonly testId: string
  readonly children?: ReactNode
  readonly quiet?: boolean
}

export const FileDrop = ({ onFile, caption, accept, testId, children, quiet = false }: FileDropProps) => {
  const [over, setOver] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  const id = useId()
  const drop = (event: DragEvent): void => {
    event.preventDefault()
    setOver(false)
    const [file] = event.dataTransfer.files
    if (file !== undefined) onFile(file)
  }
  return (
    <fieldset
      className="file-drop"
      aria-label={caption}
      data-over={over}
      data-quiet={quiet}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      {children}
      <input
        ref={input}
        id={id}
        className="visually-hidden"
        type="file"
        accept={accept}
        tabIndex={-1}
        aria-label={caption}
        data-testid={testId}
        onChange={(event) => {
          const file = event.target.files?.[0]
          if (file !== undefined) onFile(file)
          // Cleared, so that choosing the same file again is a change.
          event.target.value = ''
        }}
      />
      <button type="button" className="button" onClick={() => input.current?.click()}>
        {caption}
      </button>
    </fieldset>
  )
}
