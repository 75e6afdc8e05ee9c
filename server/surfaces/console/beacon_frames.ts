// Encodes a beacon once, so that every connection gets the same bytes.
import type { Beacon } from '../../../shared/wire/console_stream.ts'
import { BEACON_CREATED, CONSOLE_NAMESPACE } from '../../../shared/wire/console_stream.ts'
import type { Frame } from './engine_connection.ts'

const frames = new WeakMap<Beacon, Frame>()

/** Returns the frame of a beacon. The same beacon object always gets the same frame. */
export function frameOf(beacon: Beacon): Frame {
  const known = frames.get(beacon)
  if (known !== undefined) return known
  // An EVENT packet of Socket.IO in our namespace.
  const packet = `2${CONSOLE_NAMESPACE},${JSON.stringify([BEACON_CREATED, beacon])}`
  const frame = { packet, webSocket: [webSocketFrame(`4${packet}`)] }
  frames.set(beacon, frame)
  return frame
}

/** Builds one final, unmasked text frame (RFC 6455 section 5.2). A beacon is much shorter than 64 KiB. */
function webSocketFrame(text: string): Buffer {
  const payload = Buffer.from(text)
  const head = payload.length < 126 ? Buffer.of(0x81, payload.length) : Buffer.of(0x81, 126, 0, 0)
  if (payload.length >= 126) head.writeUInt16BE(payload.length, 2)
  return Buffer.concat([head, payload])
}
