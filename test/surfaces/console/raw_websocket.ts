// A WebSocket client (RFC 6455) on a bare TCP connection: it can stop reading, and send what no library would.
import { randomBytes } from 'node:crypto'
import { connect, type Socket } from 'node:net'

export interface RawWebSocket {
  readonly tcp: Socket
  /** Text frames received so far. */
  readonly frames: string[]
  readonly send: (text: string) => void
  readonly closed: Promise<void>
}

export async function openRaw(port: number): Promise<RawWebSocket> {
  const tcp = connect(port, '127.0.0.1')
  tcp.setNoDelay(true)
  const frames: string[] = []
  const closed = new Promise<void>((resolve) => tcp.once('close', () => resolve()))
  let received: Buffer = Buffer.alloc(0)
  let upgraded = false
  const opened = Promise.withResolvers<void>()
  tcp.on('error', opened.reject)
  tcp.once('close', () => opened.reject(new Error('The connection ended before the upgrade.')))
  tcp.on('data', (chunk: Buffer) => {
    received = Buffer.concat([received, chunk])
    if (!upgraded) {
      const end = received.indexOf('\r\n\r\n')
      if (end < 0) return
      upgraded = received.subarray(0, 12).toString() === 'HTTP/1.1 101'
      received = received.subarray(end + 4)
      if (!upgraded) return opened.reject(new Error('The upgrade was refused.'))
      opened.resolve()
    }
    received = takeFrames(received, frames)
  })
  tcp.write(
    `GET /socket.io/?EIO=4&transport=websocket HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nUpgrade: websocket\r\n` +
      `Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${randomBytes(16).toString('base64')}\r\n\r\n`,
  )
  await opened.promise
  return { tcp, frames, closed, send: (text) => void tcp.write(frameOf(Buffer.from(text))) }
}

/** One masked text frame; the mask is zero, so the payload goes as it is. */
function frameOf(payload: Buffer): Buffer {
  const mask = Buffer.alloc(4)
  if (payload.length < 126) return Buffer.concat([Buffer.of(0x81, 0x80 | payload.length), mask, payload])
  const head = Buffer.alloc(payload.length < 65_536 ? 4 : 10)
  head[0] = 0x81
  head[1] = 0x80 | (head.length === 4 ? 126 : 127)
  if (head.length === 4) head.writeUInt16BE(payload.length, 2)
  else head.writeBigUInt64BE(BigInt(payload.length), 2)
  return Buffer.concat([head, mask, payload])
}

function takeFrames(received: Buffer, frames: string[]): Buffer {
  let rest = received
  for (;;) {
    const short = (rest[1] ?? 0) & 0x7f
    const head = short === 126 ? 4 : short === 127 ? 10 : 2
    if (rest.length < head) return rest
    const length =
      short === 126 ? rest.readUInt16BE(2) : short === 127 ? Number(rest.readBigUInt64BE(2)) : short
    if (rest.length < head + length) return rest
    frames.push(rest.subarray(head, head + length).toString())
    rest = rest.subarray(head + length)
  }
}
