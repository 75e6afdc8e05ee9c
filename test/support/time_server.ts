// A time server of the test's own, over UDP on loopback: it says what the test wants, also when that is none of its business.
import { createSocket } from 'node:dgram'
import type { TimeServer } from '../../server/outgoing/ask_time.ts'

export interface OwnTimeServer extends TimeServer {
  readonly close: () => Promise<void>
}

/** @param answer packets to send back for a question, or when they come */
export async function openTimeServer(
  answer: (question: Buffer) => readonly Buffer[] | Promise<readonly Buffer[]>,
): Promise<OwnTimeServer> {
  const socket = createSocket('udp4')
  await new Promise<void>((done) => socket.bind(0, '127.0.0.1', done))
  let isClosed = false
  socket.on('message', async (question, { port }) => {
    for (const packet of await answer(question)) if (!isClosed) socket.send(packet, port, '127.0.0.1')
  })
  return {
    host: '127.0.0.1',
    port: socket.address().port,
    close: () => {
      isClosed = true
      return new Promise((done) => void socket.close(() => done()))
    },
  }
}

interface SaidTime {
  readonly first?: number
  readonly stratum?: number
  readonly reference?: string
  readonly timeMs?: number
  readonly originate?: Buffer
}

/** As RFC 5905 section 7.3 lays it out. */
export function timePacket(
  question: Buffer,
  { first = 0x24, stratum = 2, reference = '', timeMs = 0, originate }: SaidTime,
): Buffer {
  const made = Buffer.alloc(48)
  made[0] = first
  made[1] = stratum
  made.write(reference, 12, 'latin1')
  ;(originate ?? question.subarray(40, 48)).copy(made, 24)
  for (const at of [32, 40]) {
    made.writeUInt32BE((Math.floor(timeMs / 1_000) + 2_208_988_800) % 2 ** 32, at)
    made.writeUInt32BE(Math.floor(((timeMs % 1_000) / 1_000) * 2 ** 32), at + 4)
  }
  return made
}
