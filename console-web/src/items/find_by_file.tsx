// Finds items by a local file. The file is hashed here, and the request contains only the digest.
import { useEffect, useState } from 'react'
import type { HashType } from '../../../shared/proof/claims.ts'
import { FileHashLine } from '../hashing/file_hash_line.tsx'
import { HashTypeSelect } from '../hashing/hash_type_select.tsx'
import { useFileHash } from '../hashing/use_file_hash.ts'
import { FileDrop } from '../ui/file_drop.tsx'
import { useWindowDrop } from '../ui/use_window_drop.ts'

/** `onDigest` gets an empty text when the file is removed. */
export const FindByFile = ({ onDigest }: { onDigest: (digest: string) => void }) => {
  const [type, setType] = useState<HashType>('sha256')
  const { state, start, cancel } = useFileHash()
  useWindowDrop(({ files: [file] }) => file !== undefined && start(file, [type]))
  const hashed = state.kind === 'done' ? state.digests[0]?.hex : undefined
  useEffect(() => {
    if (hashed !== undefined) onDigest(hashed)
  }, [hashed, onDigest])
  return (
    <section className="card find-file" aria-labelledby="find-by-file">
      <h2 id="find-by-file">Find a file</h2>
      <p className="card-note">
        Drop it anywhere on this page. It is hashed in this browser; only its digest is looked for.
      </p>
      {state.kind === 'none' ? (
        <FileDrop quiet caption="Choose the file" testId="find-file" onFile={(file) => start(file, [type])} />
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
          if (state.kind !== 'none') start(state.file, [next])
        }}
      />
    </section>
  )
}
