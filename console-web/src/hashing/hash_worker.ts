// Hashes one file in a worker, piece by piece, so that the page stays responsive and little memory is used.
import { toHex } from '../../../shared/proof/bytes.ts'
import type { HashType } from '../../../shared/proof/claims.ts'
import { startDigest } from '../../../shared/verifier/digest.ts'

export type HashOrder = { readonly file: Blob; readonly type: HashType }
export type HashWord =
  | { readonly kind: 'progress'; readonly done: number }
  | { readonly kind: 'done'; readonly hex: string }
  | { readonly kind: 'failed'; readonly why: string }

const PIECE_BYTES = 4 * 1024 * 1024

const say = (word: HashWord): void => self.postMessage(word)

self.onmessage = async ({ data: { file, type } }: MessageEvent<HashOrder>): Promise<void> => {
  try {
    const digest = startDigest(type)
    for (let at = 0; at < file.size; at += PIECE_BYTES) {
      digest.update(new Uint8Array(await file.slice(at, at + PIECE_BYTES).arrayBuffer()))
      say({ kind: 'progress', done: Math.min(file.size, at + PIECE_BYTES) })
    }
    say({ kind: 'done', hex: toHex(digest.digest()) })
  } catch (error) {
    // The file was changed or removed during reading.
    say({ kind: 'failed', why: error instanceof Error ? error.message : 'The file could not be read.' })
  }
}
