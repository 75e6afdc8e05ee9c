// The files of a draft: the name of each in its claims, its digest, and how far it is hashed.
import { memo, startTransition, useEffect } from 'react'
import type { HashType } from '../../../shared/proof/claims.ts'
import { useFileHash } from '../hashing/use_file_hash.ts'
import { Button } from '../ui/button.tsx'
import { CopyButton } from '../ui/copy_button.tsx'
import { count, fileSize, plural } from '../ui/format.ts'
import { shownText } from '../ui/shown_text.tsx'
import type { DraftFile } from './draft.ts'
import type { NewItems } from './use_new_items.ts'

export type DraftPartProps = { readonly items: NewItems; readonly problems: ReadonlyMap<string, string> }

export const FileEntries = ({ items, problems }: DraftPartProps) => {
  const { files, hashType } = items.draft
  const hashing = files.filter(isWanted).length
  return (
    <div className="file-entries">
      <p className="card-note" role="status" data-testid="files-head">
        {hashing > 0
          ? `Hashing ${count(hashing)} of ${count(files.length)}…`
          : `${plural(files.length, 'file')}, ${fileSize(sizeOf(files))}`}
      </p>
      <ul data-testid="file-entries">
        {files.map((file) => (
          <FileEntry
            key={file.key}
            file={file}
            hashType={hashType}
            problem={problems.get(`name-${file.key}`) ?? file.why ?? null}
            changeFile={items.changeFile}
          />
        ))}
      </ul>
    </div>
  )
}

const sizeOf = (files: readonly DraftFile[]): number => files.reduce((sum, { size }) => sum + size, 0)

/** Neither its digest nor why there is none is known. */
export const isWanted = ({ hex, why }: DraftFile): boolean => hex === null && why === null

type FileEntryProps = Pick<NewItems, 'changeFile'> & {
  readonly file: DraftFile
  readonly hashType: HashType
  readonly problem: string | null
}

const FileEntry = memo(({ file, hashType, problem, changeFile }: FileEntryProps) => {
  const { key, name, size, hex } = file
  const shown = shownText(name)
  const hash = useFileHash(isWanted(file) ? file.source : null, [hashType])
  useEffect(() => {
    // Of many files at once, React draws several ends together.
    startTransition(() => {
      if (hash.kind === 'done') changeFile(key, { hex: hash.digests[0]?.hex ?? null })
      if (hash.kind === 'failed') changeFile(key, { why: hash.why })
    })
  }, [hash, changeFile, key])
  const share = hash.kind === 'hashing' ? hash.share : null
  return (
    <li className="file-entry" data-testid="file-hash">
      <input
        type="text"
        aria-label={`Name of ${shown}`}
        aria-invalid={problem !== null}
        data-testid="field-name"
        value={name}
        onChange={({ target }) => changeFile(key, { name: target.value })}
        autoComplete="off"
        spellCheck={false}
      />
      <small>{fileSize(size)}</small>
      <Button
        look="quiet"
        aria-label={`${share === null ? 'Remove' : 'Cancel'} ${shown}`}
        onClick={() => changeFile(key, null)}
      >
        {share === null ? 'Remove' : 'Cancel'}
      </Button>
      {shown !== name && <small className="file-entry-wide problem">Its name is {shown}</small>}
      {share !== null && (
        <span className="file-entry-wide file-entry-progress">
          <progress max={1} value={share} aria-label={`Hashing ${shown}`} />
          <small>{Math.floor(share * 100)} %</small>
        </span>
      )}
      {hex !== null && (
        <span className="file-entry-wide field-code">
          <code className="cut" data-testid="file-hash-hex">
            {hex}
          </code>
          <CopyButton text={hex} what={`digest of ${shown}`} />
        </span>
      )}
      {problem !== null && (
        <small className="file-entry-wide problem" role="alert">
          {problem}
        </small>
      )}
    </li>
  )
})
FileEntry.displayName = 'FileEntry'
