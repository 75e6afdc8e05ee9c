// Begins the requests of one connection one after the other. Their answers leave in order, so an answer that is made
// before its turn would wait in memory, with the turn of its caller.
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Requests of one connection that wait. While there are more, nothing is read from it. */
const MOST_WAITING = 16

/** What was read already may hold more of them: this many are kept. */
const MOST_KEPT = 4_096

interface Line {
  /** The answer to the newest request. */
  last: ServerResponse
  waiting: number
}

export function inOrder(begin: RequestListener): RequestListener {
  const lines = new WeakMap<Socket, Line>()

  const lineOf = (socket: Socket, first: ServerResponse): Line => {
    const line: Line = { last: first, waiting: 0 }
    lines.set(socket, line)
    // Node resumes a connection with the end of each request on it.
    socket.on('resume', () => {
      if (line.waiting > MOST_WAITING) socket.pause()
    })
    return line
  }

  const beginAfter = (line: Line, request: IncomingMessage, response: ServerResponse): void => {
    const { socket } = request
    line.waiting += 1
    if (line.waiting > MOST_WAITING) socket.pause()
    if (line.waiting > MOST_KEPT) socket.destroy()
    line.last.once('close', () => {
      line.waiting -= 1
      if (line.waiting === MOST_WAITING) socket.resume()
      // Nobody waits for an answer that has no connection, and a request behind the last answer is not carried out.
      if (response.socket !== null && !response.socket.destroyed) begin(request, response)
    })
    line.last = response
  }

  return (request, response) => {
    const line = lines.get(request.socket)
    if (line !== undefined && !line.last.closed) return beginAfter(line, request, response)
    if (line === undefined) lineOf(request.socket, response)
    else line.last = response
    begin(request, response)
  }
}
