// Connections that stay open between deliveries: by origin and vetted address, so that none leads where nobody looked.
import type { Line, OpenLine } from './post_pinned.ts'

export interface Lines {
  readonly to: (url: URL, address: string) => Line
  readonly close: () => Promise<void>
}

/** Milliseconds and lines. Undici closes what is idle sooner; this is for what is left of it. Longer than an attempt. */
const IDLE_MS = 30_000
const MOST = 2_000

interface Held {
  readonly line: Line
  usedAt: number
}

export function keepLines(openLine: OpenLine): Lines {
  const lines = new Map<string, Held>()
  const sweep = (): void => {
    const now = performance.now()
    for (const [key, { line, usedAt }] of lines) {
      // In the order of their last use: the first that is fresh enough ends the search, unless there are too many.
      if (now - usedAt < IDLE_MS && lines.size <= MOST) return
      lines.delete(key)
      void line.close()
    }
  }
  const timer = setInterval(sweep, IDLE_MS / 3).unref()
  return Object.freeze({
    to: (url: URL, address: string) => {
      const key = `${url.origin} ${address}`
      const { line } = lines.get(key) ?? { line: openLine(url, address) }
      lines.delete(key)
      lines.set(key, { line, usedAt: performance.now() })
      return line
    },
    close: async () => {
      clearInterval(timer)
      await Promise.all([...lines.values()].map(({ line }) => line.close()))
      lines.clear()
    },
  })
}
