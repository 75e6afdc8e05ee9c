// The hashing of one file: start, progress, cancel, and a new start with another function.
import { useCallback, useEffect, useRef, useState } from 'react'
import type { HashType } from '../../../shared/proof/claims.ts'
import { hashFile } from './hash_file.ts'

export type FileHash =
  | { readonly kind: 'none' }
  | { readonly kind: 'hashing'; readonly file: File; readonly type: HashType; readonly share: number }
  | { readonly kind: 'done'; readonly file: File; readonly type: HashType; readonly hex: string }
  | { readonly kind: 'failed'; readonly file: File; readonly type: HashType; readonly why: string }

export type FileHasher = {
  readonly state: FileHash
  readonly start: (file: File, type: HashType) => void
  /** Also clears a finished hash. */
  readonly cancel: () => void
}

export const useFileHash = (): FileHasher => {
  const [state, setState] = useState<FileHash>({ kind: 'none' })
  const running = useRef<AbortController | null>(null)
  useEffect(() => () => running.current?.abort(), [])

  const cancel = useCallback((): void => {
    running.current?.abort()
    setState({ kind: 'none' })
  }, [])
  const start = useCallback((file: File, type: HashType): void => {
    running.current?.abort()
    const lifetime = new AbortController()
    const { signal } = lifetime
    running.current = lifetime
    const show = (next: FileHash): void => {
      if (!signal.aborted) setState(next)
    }
    show({ kind: 'hashing', file, type, share: 0 })
    hashFile(file, {
      type,
      signal,
      onProgress: (share) => show({ kind: 'hashing', file, type, share }),
    }).then(
      (hex) => show({ kind: 'done', file, type, hex }),
      (error: unknown) =>
        show({ kind: 'failed', file, type, why: error instanceof Error ? error.message : String(error) }),
    )
  }, [])
  return { state, start, cancel }
}
