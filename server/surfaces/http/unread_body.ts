// A large body that nobody reads is not read to be thrown away either: the answer goes out, and the connection ends.
import type { Middleware } from 'koa'
import { hasLargeBody } from './admission.ts'

/** Milliseconds between the answer and the end: a connection cut at once could take the answer with it (RFC 9112 section 9.6). */
const LINGER_MS = 500

/** Put it before whoever answers. Refusals come before the body is read: sending it anyway costs its sender alone. */
export const leaveUnread: Middleware = async (ctx, next) => {
  await next()
  const { req, res } = ctx
  if (req.complete || !hasLargeBody(req)) return
  ctx.set('Connection', 'close')
  res.shouldKeepAlive = false
  // Of a body that nobody began to read Node throws away the rest; of one that somebody did it takes a buffer full.
  req.read(0)
  const { socket } = req
  socket.destroySoon = () => {
    socket.end()
    setTimeout(() => socket.destroy(), LINGER_MS).unref()
  }
}
