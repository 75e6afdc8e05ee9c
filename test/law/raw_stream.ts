// A misbehaving client of the console stream: sends the given bytes and counts what it receives.
import { WebSocket } from 'ws'
import { eventually } from '../support/http.ts'

export interface RawStream {
  readonly socket: WebSocket
  /** Sends text as a text message, bytes as a binary message. */
  readonly say: (...messages: readonly (string | Uint8Array)[]) => void
  /** The text messages received so far, and the bytes of all of them. */
  readonly heard: string[]
  readonly bytes: () => number
  /** Resolves when a received message begins with `begin`, or the connection has ended. */
  readonly answered: (begin: string) => Promise<void>
  readonly over: () => boolean
  readonly end: () => Promise<void>
}

export async function openRawStream(
  port: number,
  path: string,
  protocols: string[] = [],
): Promise<RawStream> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}${path}`, protocols)
  const heard: string[] = []
  socket.on('message', (data) => void heard.push(String(data)))
  const over = () => socket.readyState === WebSocket.CLOSED
  await new Promise<void>((resolve, reject) => {
    socket.once('open', resolve)
    socket.once('error', reject)
  })
  // Ignored here: the state of the socket shows how it ended.
  socket.on('error', () => undefined)
  return {
    socket,
    heard,
    over,
    bytes: () => heard.reduce((sum, text) => sum + Buffer.byteLength(text), 0),
    say: (...messages) => {
      for (const message of messages) if (socket.readyState === WebSocket.OPEN) socket.send(message)
    },
    answered: (begin) =>
      new Promise((resolve) => {
        const look = (): void => {
          if (!over() && !heard.some((text) => text.startsWith(begin))) return
          socket.off('message', look)
          socket.off('close', look)
          resolve()
        }
        socket.on('message', look)
        socket.on('close', look)
        look()
      }),
    end: async () => {
      socket.terminate()
      await eventually(() => (over() ? true : undefined))
    },
  }
}

/** A connection that the namespace has admitted. Forgets what it received so far. */
export async function joinRaw(port: number, key: string): Promise<RawStream> {
  const stream = await openRawStream(port, '/socket.io/?EIO=4&transport=websocket')
  stream.say(`40/console,${JSON.stringify({ token: key })}`)
  await stream.answered('42/console,["welcome"')
  if (stream.over()) throw new Error('It was not let in.')
  // Messages before this point do not count.
  stream.heard.length = 0
  return stream
}
