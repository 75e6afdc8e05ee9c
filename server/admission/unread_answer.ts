// Cuts the connection of a client that takes nothing of its answer, or is slow while others wait for its place. A large
// answer that waits for its client keeps its memory, and the turn of its caller, from others; so does a large body.
import { Readable } from 'node:stream'
import type Koa from 'koa'
import type { FairGate } from '../kernel/flow/fair_gate.ts'

/** Milliseconds without one byte taken. Shorter than others wait for a turn. */
const STALL_MS = 5_000

/** Bytes. The operating system takes a smaller answer at once. */
const LARGE = 65_536

/**
 * Call it when the answer is known. From then on the connection is silent only when its client does not read.
 * @param onCut called when the connection is cut
 */
export function boundStall(ctx: Koa.Context, onCut: () => void, ms: number = STALL_MS): void {
  if (!isLarge(ctx)) return
  const { res } = ctx
  res.setTimeout(ms, () => {
    if (res.destroyed) return
    onCut()
    res.destroy()
  })
}

/** A stream without a length is written as things happen, and may be silent. */
function isLarge({ body, response }: Koa.Context): boolean {
  if (body instanceof Readable) return Number(response.get('Content-Length')) > LARGE
  return (typeof body === 'string' || Buffer.isBuffer(body)) && body.length > LARGE
}

/** The parts of a `ServerResponse` that tell how its request arrives and how it leaves. */
export interface Leaving {
  /** True from the beginning of the answer on. */
  readonly headersSent: boolean
  /** Bytes that the client has not taken yet. */
  readonly writableLength: number
  /** `readableLength` is what has arrived and is not read yet. */
  readonly req: { readonly complete: boolean; readonly readableLength: number }
  readonly socket: { readonly bytesWritten: number; readonly bytesRead: number } | null
  readonly destroy: () => unknown
}

/** Milliseconds in which a client may be slow while others wait for its place. */
const LONGEST_MS = 5_000
/** Milliseconds that its own caller waits before it is cut for that. Shorter than a wait for a turn may be. */
const OWN_WAIT_MS = 20_000
const LOOK_EVERY_MS = 500

/** Bytes between two looks. A client that leaves some untaken and takes fewer is slow, and so is one that sends fewer. */
const LEAST = { taken: 131_072, sent: 32_768 } as const

export interface HeldPlaces {
  readonly add: (answer: Partial<Leaving>, key: string) => void
  readonly remove: (answer: Partial<Leaving>) => void
  readonly close: () => void
}

interface Moved {
  readonly taken: number
  readonly sent: number
}

/**
 * Keeps the answers that hold a place. While somebody without a place waits for one, an answer is cut whose client takes
 * it slowly, or sends its request slowly: one of the caller who holds most places. So is one whose own caller waits long.
 */
export function heldPlaces(gate: Pick<FairGate, 'isWaitedFor' | 'waitsMs'>): HeldPlaces {
  const held = new Map<
    Partial<Leaving>,
    { readonly key: string; moved: Moved; slowSince: number | undefined }
  >()
  const cutOne = (before: number): void => {
    const placesOf = new Map<string, number>()
    for (const { key } of held.values()) placesOf.set(key, (placesOf.get(key) ?? 0) + 1)
    const isWaitedFor = gate.isWaitedFor()
    let most = 0
    let slowest: Partial<Leaving> | undefined
    for (const [answer, { key, slowSince }] of held) {
      const places = placesOf.get(key) ?? 0
      if (slowSince === undefined || slowSince > before || places <= most) continue
      if (!isWaitedFor && gate.waitsMs(key) < OWN_WAIT_MS) continue
      most = places
      slowest = answer
    }
    slowest?.destroy?.()
  }
  const timer = setInterval(() => {
    const at = performance.now()
    for (const [answer, one] of held) {
      const moved = movedBy(answer)
      one.slowSince = isSlow(answer, moved, one.moved) ? (one.slowSince ?? at) : undefined
      one.moved = moved
    }
    cutOne(at - LONGEST_MS)
  }, LOOK_EVERY_MS).unref()
  return Object.freeze({
    add: (answer: Partial<Leaving>, key: string) =>
      void held.set(answer, { key, moved: { taken: 0, sent: 0 }, slowSince: undefined }),
    remove: (answer: Partial<Leaving>) => void held.delete(answer),
    close: () => clearInterval(timer),
  })
}

const movedBy = ({ writableLength = 0, socket }: Partial<Leaving>): Moved => ({
  taken: (socket?.bytesWritten ?? 0) - writableLength,
  sent: socket?.bytesRead ?? 0,
})

/** Whether its client moved too few bytes since `before`. What waits for us is not its fault. */
function isSlow(
  { headersSent, writableLength = 0, req }: Partial<Leaving>,
  now: Moved,
  before: Moved,
): boolean {
  // Once the answer has begun, nothing waits for the rest of a body.
  if (headersSent === true) return writableLength > 0 && now.taken - before.taken < LEAST.taken
  return req?.complete === false && req.readableLength === 0 && now.sent - before.sent < LEAST.sent
}
