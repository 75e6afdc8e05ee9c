// An area to drop a file on, which is also a button to choose one. The caller decides what happens to the file, and to
// others that were given together with it.
import { type DragEvent, type ReactNode, useId, useRef, useState } from 'react'

type FileDropProps = {
  readonly onFile: (file: File, others: readonly File[]) => void
  /** The person may choose more than one. */
  readonly several?: boolean
  /** The text of the button. */
  readonly caption: string
  readonly accept?: string
  readonly testId: string
  readonly children?: ReactNode
  readonly quiet?: boolean
  /** It is what the page is for. */
  readonly isMain?: boolean
}

export const FileDrop = ({
  onFile,
  several = false,
  caption,
  accept,
  testId,
  children,
  quiet = false,
  isMain = false,
}: FileDropProps) => {
  const [over, setOver] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  const id = useId()
  const take = ([file, ...others]: readonly File[]): void => {
    if (file !== undefined) onFile(file, others)
  }
  const drop = (event: DragEvent): void => {
    event.preventDefault()
    setOver(false)
    take([...event.dataTransfer.files])
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
        multiple={several}
        tabIndex={-1}
        aria-label={caption}
        data-testid={testId}
        onChange={(event) => {
          take([...(event.target.files ?? [])])
          // Cleared, so that choosing the same file again is a change.
          event.target.value = ''
        }}
      />
      <button
        type="button"
        className={isMain ? 'button primary' : 'button'}
        onClick={() => input.current?.click()}
      >
        {caption}
      </button>
    </fieldset>
  )
}
