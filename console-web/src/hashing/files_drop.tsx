// An area to drop files and folders on, with buttons to choose them. The caller decides what happens to them.
import './hashing.css'
import { type ChangeEvent, type DragEvent, useRef, useState } from 'react'
import { droppedFiles, type FoundFiles, firstOf } from '../ui/dropped_files.ts'

type FilesDropProps = {
  /** More files than this are not taken at once. */
  readonly most: number
  readonly onFiles: (found: FoundFiles) => void
}

export const FilesDrop = ({ most, onFiles }: FilesDropProps) => {
  const [over, setOver] = useState(false)
  const files = useRef<HTMLInputElement>(null)
  const folder = useRef<HTMLInputElement>(null)
  const drop = (event: DragEvent): void => {
    event.preventDefault()
    setOver(false)
    void droppedFiles(event.dataTransfer, most).then(onFiles)
  }
  const chosen = ({ target }: ChangeEvent<HTMLInputElement>): void => {
    if (target.files !== null && target.files.length > 0) onFiles(firstOf(target.files, most))
    // Cleared, so that choosing the same file again is a change.
    target.value = ''
  }
  return (
    <fieldset
      className="file-drop"
      aria-label="Files"
      data-over={over}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <p>
        <strong>Drop files or a folder here</strong>
        <small>They are hashed in this browser and stay on this computer.</small>
      </p>
      <input
        ref={files}
        className="visually-hidden"
        type="file"
        multiple
        tabIndex={-1}
        aria-label="Choose files"
        data-testid="item-file"
        onChange={chosen}
      />
      <input
        ref={(input) => {
          folder.current = input
          if (input !== null) input.webkitdirectory = true
        }}
        className="visually-hidden"
        type="file"
        multiple
        tabIndex={-1}
        aria-label="Choose a folder"
        data-testid="item-folder"
        onChange={chosen}
      />
      <div className="files-drop-acts">
        <button type="button" className="button" onClick={() => files.current?.click()}>
          Choose files
        </button>
        <button type="button" className="button" onClick={() => folder.current?.click()}>
          Choose a folder
        </button>
      </div>
    </fieldset>
  )
}
