// The hashing of one file, by one function or several: its progress, and what came of it.
import { useEffect, useState } from 'react'
import { HASH_TYPES, type HashType, isHashType } from '../../../shared/proof/claims.ts'
import { messageOf } from '../data/api_failure.ts'
import { hashFile } from './hash_file.ts'

/** To choose from. */
export const HASH_TYPE_OPTIONS = Object.keys(HASH_TYPES)
  .filter(isHashType)
  .map((name) => [name, name] as const)

export type FileHash =
  | { readonly kind: 'none' }
  | { readonly kind: 'hashing'; readonly file: File; readonly type: HashType; readonly share: number }
  | { readonly kind: 'done'; readonly file: File; readonly digests: readonly FileDigest[] }
  | { readonly kind: 'failed'; readonly file: File; readonly why: string }

type FileDigest = { readonly type: HashType; readonly hex: string }

const NONE = { kind: 'none' } as const

/** Hashes the file while there is one and functions for it. */
export const useFileHash = (file: File | null, types: readonly HashType[] | null): FileHash => {
  const [known, setKnown] = useState<{ file: File; names: string; hash: FileHash } | null>(null)
  // Another list of the same functions is no reason to hash it again.
  const names = types === null ? null : types.join(' ')
  useEffect(() => {
    if (file === null || names === null) return
    const lifetime = new AbortController()
    const { signal } = lifetime
    const show = (hash: FileHash): void => {
      if (!signal.aborted) setKnown({ file, names, hash })
    }
    const hashAll = async (): Promise<void> => {
      const digests: FileDigest[] = []
      for (const type of names.split(' ').filter(isHashType)) {
        const onProgress = (share: number): void => show({ kind: 'hashing', file, type, share })
        onProgress(0)
        digests.push({ type, hex: await hashFile(file, { type, signal, onProgress }) })
      }
      show({ kind: 'done', file, digests })
    }
    hashAll().catch((error: unknown) => show({ kind: 'failed', file, why: messageOf(error) }))
    return () => lifetime.abort()
  }, [file, names])
  // What was found of another file, or by other functions, says nothing of this one.
  return known?.file === file && known.names === names ? known.hash : NONE
}
