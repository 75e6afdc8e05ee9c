// Connections that stay open between deliveries: each endpoint has its own, by the address that was vetted.
import type { Line, OpenLine } from './post_pinned.ts'

export interface Lines {
  readonly to: (endpointId: string, url: URL, address: string) => Pick<Line, 'post'>
  readonly close: () => void
}

/** Milliseconds and lines. Connections close sooner when they are idle; this is for what is left of a line. */
const IDLE_MS = 30_000
const MOST = 2_000

interface Held {
  readonly line: Line
  underWay: number
  usedAt: number
}

/**
 * By endpoint: what one receiver says on its connection can never be taken for the answer of another account's. By
 * origin and address, so that none leads where nobody looked.
 */
export function keepLines(openLine: OpenLine): Lines {
  const lines = new Map<string, Held>()
  const sweep = (): void => {
    const now = performance.now()
    for (const [key, { line, underWay, usedAt }] of lines) {
      // In the order of their last use: the first that is fresh enough ends the search, unless there are too many.
      if (now - usedAt < IDLE_MS && lines.size <= MOST) return
      if (underWay > 0) continue
      lines.delete(key)
      line.close()
    }
  }
  const timer = setInterval(sweep, IDLE_MS / 3).unref()
  return Object.freeze({
    to: (endpointId: string, url: URL, address: string) => {
      const key = `${endpointId} ${url.origin} ${address}`
      const held = lines.get(key) ?? { line: openLine(url, address), underWay: 0, usedAt: 0 }
      lines.delete(key)
      lines.set(key, held)
      held.usedAt = performance.now()
      return {
        post: async (...request: Parameters<Line['post']>) => {
          held.underWay += 1
          try {
            return await held.line.post(...request)
          } finally {
            held.underWay -= 1
          }
        },
      }
    },
    close: () => {
      clearInterval(timer)
      for (const { line } of lines.values()) line.close()
      lines.clear()
    },
  })
}
