// Keeps connections open between deliveries. Each endpoint has its own connections to each vetted address.
import type { Line, OpenLine } from './post_pinned.ts'

export interface Lines {
  readonly to: (endpointId: string, url: URL, address: string) => Pick<Line, 'post'>
  readonly close: () => void
}

/** Milliseconds, and number of lines. Idle connections close sooner; these limits remove the remaining objects. */
const IDLE_MS = 30_000
const MOST = 2_000

interface Held {
  readonly line: Line
  underWay: number
  usedAt: number
}

/**
 * Lines are separate per endpoint, so that a receiver's data can never be taken for an answer to another account.
 * They are separate per origin and address, so that no request goes to an address that was not vetted.
 */
export function keepLines(openLine: OpenLine): Lines {
  const lines = new Map<string, Held>()
  const sweep = (): void => {
    const now = performance.now()
    for (const [key, { line, underWay, usedAt }] of lines) {
      // Lines are in the order of their last use. So the first recent one ends the search, unless there are too many
      // lines.
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
