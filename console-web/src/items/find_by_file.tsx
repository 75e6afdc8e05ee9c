// Finds items by a local file. The file is hashed here, and the request contains only the digest.
import { useEffect, useState } from 'react'
import { HASH_TYPES, type HashType, isHashType } from '../../../shared/proof/claims.ts'
import { FileHashLine } from '../hashing/file_hash_line.tsx'
import { HashTypeSelect } from '../hashing/hash_type_select.tsx'
import { useFileHash } from '../hashing/use_file_hash.ts'
import { FileDrop } from '../ui/file_drop.tsx'

type FindByFileProps = {
  readonly digest: string
  readonly onDigest: (digest: string) => void
}

export const FindByFile = ({ digest, onDigest }: FindByFileProps) => {
  const [type, setType] = useState<HashType>('sha256')
  const { state, start, cancel } = useFileHash()
  const hashed = state.kind === 'done' ? state.hex : null
  useEffect(() => {
    if (hashed !== null) onDigest(hashed)
  }, [hashed, onDigest])
  return (
    <section className="card" aria-labelledby="find-by-file">
      <h2 id="find-by-file">Find a file</h2>
      <p className="card-note">It is hashed in this browser; only its digest is looked for.</p>
      {state.kind === 'none' ? (
        <FileDrop quiet caption="Choose the file" testId="find-file" onFile={(file) => start(file, type)} />
      ) : (
        <FileHashLine
          state={state}
          onCancel={() => {
            cancel()
            onDigest('')
          }}
        />
      )}
      <HashTypeSelect
        label="hashed with"
        value={type}
        onChange={(next) => {
          setType(next)
          if (state.kind !== 'none') start(state.file, next)
        }}
      />
      <label className="labelled">
        or a digest
        <input
          type="text"
          data-testid="find-digest"
          value={digest}
          onChange={(event) => onDigest(event.target.value.trim().toLowerCase())}
          placeholder="hex"
          autoComplete="off"
          spellCheck={false}
        />
      </label>
    </section>
  )
}

/** Whether the text has the length of a digest. The service would refuse shorter ones. */
export const isDigest = (text: string): boolean =>
  /^[0-9a-f]+$/.test(text) &&
  Object.keys(HASH_TYPES).some((name) => isHashType(name) && HASH_TYPES[name] === text.length)
