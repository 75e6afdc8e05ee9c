// Areas to drop files on, with buttons to choose them. The caller decides what happens to them.
import { type ReactNode, useRef, useState } from 'react'
import { Button } from '../button.tsx'
import { droppedFiles } from '../dropped_files.ts'

type FileDropProps = Pick<ChooseProps, 'caption' | 'several' | 'accept' | 'testId' | 'isMain'> & {
  /** Gets others that were given together with it, too. */
  readonly onFile: (file: File, others: readonly File[]) => void
  readonly children?: ReactNode
  readonly quiet?: boolean
}

export const FileDrop = ({ onFile, children, quiet = false, ...choose }: FileDropProps) => {
  const take = ([file, ...others]: readonly File[]): void => {
    if (file !== undefined) onFile(file, others)
  }
  return (
    <Area label={choose.caption} quiet={quiet} onDrop={({ files }) => take([...files])}>
      {children}
      <Choose {...choose} onFiles={take} />
    </Area>
  )
}

/** Takes folders too, with what is in them. */
export const FilesDrop = ({ onFiles }: Pick<ChooseProps, 'onFiles'>) => (
  <Area label="Files" onDrop={(transfer) => void droppedFiles(transfer).then(onFiles)}>
    <p>
      <strong>Drop files or a folder here</strong>
      <small>They are hashed in this browser and stay on this computer.</small>
    </p>
    <div className="acts">
      <Choose several caption="Choose files" testId="item-file" onFiles={onFiles} />
      <Choose folder caption="Choose a folder" testId="item-folder" onFiles={onFiles} />
    </div>
  </Area>
)

type AreaProps = {
  readonly label: string
  readonly quiet?: boolean
  readonly onDrop: (transfer: DataTransfer) => void
  readonly children: ReactNode
}

const Area = ({ label, quiet, onDrop, children }: AreaProps) => {
  const [over, setOver] = useState(false)
  return (
    <fieldset
      className="file-drop"
      aria-label={label}
      data-over={over}
      data-quiet={quiet}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault()
        setOver(false)
        onDrop(event.dataTransfer)
      }}
    >
      {children}
    </fieldset>
  )
}

type ChooseProps = {
  /** The text of the button. */
  readonly caption: string
  readonly several?: boolean
  readonly folder?: boolean
  readonly accept?: string
  readonly testId: string
  /** It is what the page is for. */
  readonly isMain?: boolean
  readonly onFiles: (files: readonly File[]) => void
}

const Choose = (props: ChooseProps) => {
  const { caption, several = false, folder = false, accept, testId, isMain = false, onFiles } = props
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <input
        ref={(element) => {
          input.current = element
          if (element !== null) element.webkitdirectory = folder
        }}
        className="visually-hidden"
        type="file"
        accept={accept}
        multiple={several || folder}
        tabIndex={-1}
        aria-label={caption}
        data-testid={testId}
        onChange={({ target }) => {
          if (target.files !== null && target.files.length > 0) onFiles([...target.files])
          // Cleared, so that choosing the same file again is a change.
          target.value = ''
        }}
      />
      <Button look={isMain ? 'primary' : 'plain'} onClick={() => input.current?.click()}>
        {caption}
      </Button>
    </>
  )
}
