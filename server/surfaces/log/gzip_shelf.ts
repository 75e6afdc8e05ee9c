// Compressed entry bundles that were asked for lately, within a number of bytes.
import { compress } from '../http/content_coding.ts'

export interface GzipShelf {
  /** The bytes of this name, compressed. Requests for the same name share one compression. */
  readonly take: (name: string, bytes: Uint8Array) => Promise<Uint8Array>
}

/** Bytes of all compressed bundles together, in one process. */
const SHELF_BYTES = 16 * 1_024 * 1_024

/**
 * A bundle never changes, so what was made once stays right. When there are too many bytes, those that were not asked
 * for the longest go first. Compressions run outside the event loop.
 */
export function gzipShelf(mostBytes = SHELF_BYTES): GzipShelf {
  /** The last one asked for is at the end. */
  const held = new Map<string, Uint8Array>()
  const underWay = new Map<string, Promise<Uint8Array>>()
  let size = 0

  const keep = (name: string, made: Uint8Array): void => {
    held.set(name, made)
    size += made.length
    for (const [oldest, { length }] of held) {
      if (size <= mostBytes) return
      held.delete(oldest)
      size -= length
    }
  }

  return Object.freeze({
    take: async (name: string, bytes: Uint8Array) => {
      const known = held.get(name)
      if (known !== undefined) {
        held.delete(name)
        held.set(name, known)
        return known
      }
      const running =
        underWay.get(name) ??
        compress(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), 'gzip', 'file')
          .then((made) => {
            keep(name, made)
            return made
          })
          .finally(() => underWay.delete(name))
      underWay.set(name, running)
      return running
    },
  })
}
