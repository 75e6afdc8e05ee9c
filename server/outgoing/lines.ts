// Keeps connections open between deliveries. Each endpoint has its own connections to each vetted address.
import type { Line, OpenLine } from './post_pinned.ts'

export type Lines = ReturnType<typeof keepLines>

/** Milliseconds between two looks for idle connections, milliseconds for which an unused line stays, number of lines. */
const SWEEP_MS = 1_000
const IDLE_MS = 30_000
const MOST = 2_000

interface Held {
  readonly line: Line
  readonly post: Line['post']
  underWay: number
  usedAt: number
}

/**
 * Lines are separate per endpoint, so that a receiver's data can never be taken for an answer to another account.
 * They are separate per origin and address, so that no request goes to an address that was not vetted.
 */
export function keepLines(openLine: OpenLine) {
  const lines = new Map<string, Held>()
  const sweep = (): void => {
    const now = performance.now()
    for (const [key, { line, underWay, usedAt }] of lines) {
      line.sweep()
      // Lines are in the order of their last use.
      if (underWay > 0 || (now - usedAt < IDLE_MS && lines.size <= MOST)) continue
      lines.delete(key)
      line.close()
    }
  }
  const timer = setInterval(sweep, SWEEP_MS).unref()
  return Object.freeze({
    to: (endpointId: string, url: URL, address: string): Pick<Line, 'post'> => {
      const key = `${endpointId} ${url.origin} ${address}`
      const held = lines.get(key) ?? hold(openLine(url, address))
      lines.delete(key)
      lines.set(key, held)
      held.usedAt = performance.now()
      return held
    },
    close: () => {
      clearInterval(timer)
      for (const { line } of lines.values()) line.close()
      lines.clear()
    },
  })
}

function hold(line: Line): Held {
  const held: Held = {
    line,
    underWay: 0,
    usedAt: 0,
    post: async (request, signal) => {
      held.underWay += 1
      try {
        return await line.post(request, signal)
      } finally {
        held.underWay -= 1
      }
    },
  }
  return held
}
