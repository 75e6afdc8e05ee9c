// Cuts the connection of a client that takes nothing of its answer. A large answer that waits for its client keeps its
// memory, and the turn of its caller, from others.
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
