// One connection to a receiver. It carries one request at a time, within bounds.
import type { Socket } from 'node:net'
import { answerReader, type ReceivedAnswer } from './answer_reader.ts'
import { type AnswerBounds, ReceiverFailure } from './bounds.ts'
import type { Secured } from './connect_pinned.ts'

/** The receiver closed an idle connection just as it was used again. There was no answer. */
export class Stale extends Error {
  override readonly message = 'the connection was closed while it was idle'
}

export interface Within {
  readonly bounds: AnswerBounds
  readonly signal: AbortSignal
}

/** An exchange in progress. */
interface Exchange {
  readonly take: (piece: Buffer) => void
  /** Looks at what arrived beside the answer. */
  readonly look: () => void
  /** The connection has ended, with an error or without. */
  readonly end: (error: Error | undefined) => void
}

/** Closes itself when it has been idle for as long as its receiver allows. */
export class Connection {
  readonly #socket: Socket
  readonly #wireBytes: () => number
  #exchange: Exchange | undefined
  #isUsed = false
  #isOpen = true
  #failure: Error | undefined

  /** @param onClose told when it carries no more requests */
  constructor({ socket, wireBytes }: Secured, onClose: (closed: Connection) => void) {
    this.#socket = socket
    this.#wireBytes = wireBytes
    socket.on('data', (piece: Buffer) => {
      // What arrives without a request belongs to no delivery.
      if (this.#exchange === undefined) this.close()
      else this.#exchange.take(piece)
    })
    socket.on('session', () => this.#exchange?.look())
    socket.on('timeout', () => {
      if (this.#exchange === undefined) this.close()
    })
    socket.on('error', (error) => {
      this.#failure ??= error
    })
    // A receiver that ends its side has said everything.
    socket.on('end', () => this.close())
    socket.on('close', () => {
      this.#isOpen = false
      onClose(this)
      this.#exchange?.end(this.#failure)
    })
  }

  /** It may carry a request now. */
  get isIdle(): boolean {
    return this.#isOpen && this.#exchange === undefined
  }

  close(): void {
    this.#isOpen = false
    this.#socket.destroy()
  }

  /**
   * The status line decides. After it is known, an error or a cut in the body does not make the call fail.
   * @throws Stale, ReceiverFailure, an error of Node, or the signal's reason
   */
  ask(request: Buffer, { bounds, signal }: Within): Promise<ReceivedAnswer> {
    return new Promise((resolve, reject) => {
      const reader = answerReader(bounds)
      const before = this.#wireBytes()
      const wasUsed = this.#isUsed
      let bytes = 0
      let count = 0
      this.#isUsed = true

      const settle = (error?: unknown): void => {
        this.#exchange = undefined
        signal.removeEventListener('abort', abort)
        const kept = error === undefined ? reader.keptMs() : 0
        if (kept === 0) this.close()
        else if (this.#socket.timeout !== kept) this.#socket.setTimeout(kept)
        const answer = reader.answer()
        if (answer === undefined) reject(error)
        else resolve({ ...answer, isFlood: error instanceof ReceiverFailure && error.isFlood })
      }
      const abort = (): void => settle(signal.reason)
      /** True when a bound is exceeded. */
      const isOver = (): boolean => {
        const words = tooMuch(bounds, bytes, count, this.#wireBytes() - before)
        if (words === undefined) return false
        settle(new ReceiverFailure(words, true))
        return true
      }
      this.#exchange = {
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
          if (error === undefined) reader.finish()
          const isStale = wasUsed && bytes === 0 && (error === undefined || isHangUp(error))
          settle(
            isStale
              ? new Stale()
              : (error ?? new ReceiverFailure('the connection was closed without an answer')),
          )
        },
      }
      if (signal.aborted) return abort()
      signal.addEventListener('abort', abort)
      if (this.#isOpen) this.#socket.write(request)
      else this.#exchange.end(this.#failure)
    })
  }
}

const isHangUp = (error: Error): boolean =>
  'code' in error && (error.code === 'ECONNRESET' || error.code === 'EPIPE')

function tooMuch(most: AnswerBounds, bytes: number, pieces: number, wire: number): string | undefined {
  if (bytes > most.bytes) return `the receiver sent more than ${most.bytes} bytes`
  if (pieces > most.pieces) return `the answer came in more than ${most.pieces} pieces`
  return wire > most.wireBytes ? `the receiver sent more than ${most.wireBytes} bytes of TLS` : undefined
}
