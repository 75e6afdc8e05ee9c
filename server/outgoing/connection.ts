// One connection to a receiver. It carries one request at a time, within the bounds for receivers.
import { hasCode } from '../kernel/error_code.ts'
import { answerReader, type ReceivedAnswer } from './answer_reader.ts'
import type { Secured } from './connect_pinned.ts'
import { ANSWER_BYTES, RECEIVER_BOUNDS, ReceiverFailure } from './receiver_bounds.ts'

export type Connection = ReturnType<typeof connectionOn>

/** The receiver closed an idle connection just as it was used again. There was no answer. */
export class Stale extends Error {}

const { pieces, wireBytes } = RECEIVER_BOUNDS

/** An exchange in progress. */
interface Exchange {
  readonly take: (piece: Buffer) => void
  /** Looks at what arrived beside the answer. */
  readonly look: () => void
  /** The connection has ended, with an error or without. */
  readonly end: (error: Error | undefined) => void
}

export function connectionOn({ socket, wireBytes: wire }: Secured) {
  let current: Exchange | undefined
  let isUsed = false
  let isOpen = true
  let keptUntil = Number.POSITIVE_INFINITY
  let failure: Error | undefined

  const close = (): void => {
    isOpen = false
    socket.destroy()
  }
  socket.on('data', (piece: Buffer) => {
    // What arrives without a request belongs to no delivery.
    if (current === undefined) close()
    else current.take(piece)
  })
  socket.on('session', () => current?.look())
  socket.on('error', (error) => {
    failure ??= error
  })
  // A receiver that ends its side has said everything.
  socket.on('end', close)
  socket.on('close', () => {
    isOpen = false
    current?.end(failure)
  })

  /**
   * The status line decides. After it is known, an error or a cut in the body does not make the call fail.
   * @throws Stale, ReceiverFailure, an error of Node, or the signal's reason
   */
  const ask = (request: Buffer, signal: AbortSignal): Promise<ReceivedAnswer> =>
    new Promise((resolve, reject) => {
      const reader = answerReader()
      const before = wire()
      const wasUsed = isUsed
      let bytes = 0
      let count = 0
      let isFlood = false
      isUsed = true

      const settle = (error?: unknown): void => {
        current = undefined
        signal.removeEventListener('abort', abort)
        const kept = error === undefined && !isFlood ? reader.keptMs() : 0
        if (kept === 0) close()
        else keptUntil = performance.now() + kept
        const answer = reader.answer()
        if (answer === undefined) reject(error)
        else resolve({ ...answer, isFlood })
      }
      const abort = (): void => settle(signal.reason)
      /** True when a bound is exceeded. */
      const isOver = (): boolean => {
        const words = tooMuch(bytes, count, wire() - before)
        if (words === undefined) return false
        isFlood = true
        settle(new ReceiverFailure(words, true))
        return true
      }
      current = {
        look: isOver,
        take: (piece) => {
          bytes += piece.length
          count += 1
          // First, so that data beyond the bounds is not parsed.
          if (isOver()) return
          try {
            if (reader.take(piece)) settle()
          } catch (error) {
            settle(error)
          }
        },
        end: (error) => {
          const isStale =
            wasUsed && bytes === 0 && (error === undefined || hasCode(error, 'ECONNRESET', 'EPIPE'))
          settle(
            isStale
              ? new Stale()
              : (error ?? new ReceiverFailure('the connection was closed without an answer')),
          )
        },
      }
      if (signal.aborted) return abort()
      signal.addEventListener('abort', abort)
      if (isOpen) socket.write(request)
      else current.end(failure)
    })

  return Object.freeze({
    ask,
    /** The time at which it may no longer carry a request, in milliseconds of `performance.now()`. 0 when closed. */
    keptUntil: () => (isOpen ? keptUntil : 0),
    close,
  })
}

function tooMuch(bytes: number, count: number, wire: number): string | undefined {
  if (bytes > ANSWER_BYTES) return `the receiver sent more than ${ANSWER_BYTES} bytes`
  if (count > pieces) return `the answer came in more than ${pieces} pieces`
  return wire > wireBytes ? `the receiver sent more than ${wireBytes} bytes of TLS` : undefined
}
