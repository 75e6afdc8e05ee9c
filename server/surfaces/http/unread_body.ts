// When a large body was not read, sends the answer and ends the connection instead of
// reading and discarding the body.
import type Koa from 'koa'
import { hasLargeBody } from '../../admission/turns.ts'

/**
 * Milliseconds between the answer and the end. Cutting the connection at once could lose the
 * answer (RFC 9112 section 9.6).
 */
const LINGER_MS = 500

/**
 * Call it when the answer is known and before it is sent. Refusals are sent before the body is read, so a client that
 * sends it anyway pays the cost.
 */
export function leaveUnread(ctx: Koa.Context): void {
  const { req, res } = ctx
  if (req.complete || !hasLargeBody(req)) return
  ctx.set('Connection', 'close')
  res.shouldKeepAlive = false
  // Node reads and discards the rest of a body that was never read. read(0) marks it as read, so
  // Node stops after one buffer.
  req.read(0)
  const { socket } = req
  socket.destroySoon = () => {
    socket.end()
    setTimeout(() => socket.destroy(), LINGER_MS).unref()
  }
}
