// Cuts the connection of a client that takes nothing of its answer, or is slow while others wait for its place. A large
// answer that waits for its client keeps its memory, and the turn of its caller, from others; so does a large body.
import { Readable } from 'node:stream'
import type Koa from 'koa'

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
  /** Bytes that the client has not taken yet. */
  readonly writableLength: number
  /** `readableLength` is what has arrived and is not read yet. */
  readonly req: { readonly complete: boolean; readonly readableLength: number }
  readonly socket: { readonly bytesWritten: number; readonly bytesRead: number } | null
  readonly destroy: () => unknown
}

/** Milliseconds in which a client may be slow while others wait for its place. */
const LONGEST_MS = 5_000
const LOOK_EVERY_MS = 500

/** Bytes between two looks. A client that leaves some untaken and takes fewer is slow, and so is one that sends fewer. */
const LEAST = { taken: 131_072, sent: 32_768 } as const

export interface HeldPlaces {
  readonly add: (answer: Partial<Leaving>, key: string) => void
  readonly remove: (answer: Partial<Leaving>) => void
  readonly close: () => void
}

/**
 * Keeps the answers that hold a place. While somebody waits for one, an answer is cut whose client takes it slowly, or
 * sends its request slowly: one of the caller who holds most places.
 */
export function heldPlaces(isWaitedFor: () => boolean): HeldPlaces {
  const held = new Map<
    Partial<Leaving>,
    { readonly key: string; moved: number; slowSince: number | undefined }
  >()
  const cutOne = (before: number): void => {
    const placesOf = new Map<string, number>()
    for (const { key } of held.values()) placesOf.set(key, (placesOf.get(key) ?? 0) + 1)
    let most = 0
    let slowest: Partial<Leaving> | undefined
    for (const [answer, { key, slowSince }] of held) {
      const places = placesOf.get(key) ?? 0
      if (slowSince === undefined || slowSince > before || places <= most) continue
      most = places
      slowest = answer
    }
    slowest?.destroy?.()
  }
  const timer = setInterval(() => {
    const at = performance.now()
    for (const [answer, one] of held) {
      const { moved, isSlow } = pace(answer, one.moved)
      one.slowSince = isSlow ? (one.slowSince ?? at) : undefined
      one.moved = moved
    }
    if (isWaitedFor()) cutOne(at - LONGEST_MS)
  }, LOOK_EVERY_MS).unref()
  return Object.freeze({
    add: (answer: Partial<Leaving>, key: string) =>
      void held.set(answer, { key, moved: 0, slowSince: undefined }),
    remove: (answer: Partial<Leaving>) => void held.delete(answer),
    close: () => clearInterval(timer),
  })
}

/** How many bytes its client has moved, and whether those since `before` are too few. What waits for us is not its fault. */
function pace({ writableLength = 0, req, socket }: Partial<Leaving>, before: number) {
  if (req?.complete === false) {
    const moved = socket?.bytesRead ?? 0
    return { moved, isSlow: req.readableLength === 0 && moved - before < LEAST.sent }
  }
  const moved = (socket?.bytesWritten ?? 0) - writableLength
  return { moved, isSlow: writableLength > 0 && moved - before < LEAST.taken }
}
