// Begins the requests of one connection one after the other. Their answers leave in order, so an answer that is made
// before its turn would wait in memory, with the turn of its caller.
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Requests of one connection that wait. While there are more, no more is read from it. */
const MOST_WAITING = 16

interface Line {
  /** The answer to the newest request. */
  last: ServerResponse
  waiting: number
}

export function inOrder(begin: RequestListener): RequestListener {
  const lines = new WeakMap<Socket, Line>()

  const beginAfter = (line: Line, request: IncomingMessage, response: ServerResponse): void => {
    const { socket } = request
    line.waiting += 1
    if (line.waiting > MOST_WAITING) socket.pause()
    line.last.once('close', () => {
      line.waiting -= 1
      if (line.waiting === MOST_WAITING) socket.resume()
      begin(request, response)
    })
    line.last = response
  }

  return (request, response) => {
    const line = lines.get(request.socket)
    if (line !== undefined && !line.last.closed) return beginAfter(line, request, response)
    if (line === undefined) lines.set(request.socket, { last: response, waiting: 0 })
    else line.last = response
    begin(request, response)
  }
}
