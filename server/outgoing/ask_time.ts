// Asks a time server once, by SNTP (RFC 4330 over RFC 5905).
import { randomBytes } from 'node:crypto'
import { createSocket, type Socket } from 'node:dgram'
import { lookup } from 'node:dns/promises'

export interface TimeServer {
  readonly host: string
  readonly port: number
}

/** What a clock elsewhere said. */
export interface ClockReading {
  /** Unix milliseconds there, at `at`. */
  readonly timeMs: number
  /** On the monotonic clock of this process. */
  readonly at: number
  /** Milliseconds by which that may be wrong, because the way there and the way back may differ. */
  readonly uncertaintyMs: number
}

/** The server wants no more questions: `DENY`, `RSTR`, or `RATE` for fewer of them (RFC 5905 section 7.4). */
export class KissOfDeath extends Error {
  override readonly name = 'KissOfDeath'
  readonly code: string

  constructor(code: string) {
    super(`it sent the kiss of death ${code}`)
    this.code = code
  }
}

const PATIENCE_MS = 2_000

/** @throws KissOfDeath, and an Error that says why there is no reading */
export async function askTime({ host, port }: TimeServer): Promise<ClockReading> {
  const { promise: failed, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error('it did not answer in time')), PATIENCE_MS)
  try {
    const { address, family } = await Promise.race([lookup(host), failed])
    const socket = createSocket(family === 6 ? 'udp6' : 'udp4')
    try {
      socket.once('error', reject)
      // Connected, so that only packets from there arrive, and a refusal does too.
      await Promise.race([new Promise<void>((done) => socket.connect(port, address, done)), failed])
      const { packet, ...times } = await Promise.race([answerOf(socket), failed])
      return reading(packet, times)
    } finally {
      socket.close()
    }
  } finally {
    clearTimeout(timer)
  }
}

/** Sends the question, and resolves with what comes back to it. */
function answerOf(socket: Socket): Promise<{ packet: Buffer; askedAt: number; answeredAt: number }> {
  const mark = randomBytes(8)
  return new Promise((resolve) => {
    const askedAt = performance.now()
    socket.on('message', (packet) => {
      // Anybody may send a packet. The server's brings back what only it was sent.
      if (isAnswer(packet, mark)) resolve({ packet, askedAt, answeredAt: performance.now() })
    })
    socket.send(question(mark))
  })
}

const PACKET_BYTES = 48
const TRANSMIT = 40

/** No leap warning, version 4, client. The time of transmission is random, so that no clock is told. */
function question(mark: Buffer): Buffer {
  const packet = Buffer.alloc(PACKET_BYTES)
  packet[0] = 0x23
  mark.copy(packet, TRANSMIT)
  return packet
}

const ORIGINATE = 24
const SERVER_MODE = 4

const isAnswer = (packet: Buffer, mark: Buffer): boolean =>
  packet.length >= PACKET_BYTES &&
  ((packet[0] ?? 0) & 7) === SERVER_MODE &&
  packet.subarray(ORIGINATE, ORIGINATE + mark.length).equals(mark)

const NOT_SYNCHRONIZED = 3
const MOST_STRATUM = 15
const RECEIVE = 32

function reading(
  packet: Buffer,
  { askedAt, answeredAt }: { readonly askedAt: number; readonly answeredAt: number },
): ClockReading {
  const [first = 0, stratum = 0] = packet
  if (stratum === 0) throw new KissOfDeath(packet.toString('latin1', 12, 16))
  if (first >> 6 === NOT_SYNCHRONIZED || stratum > MOST_STRATUM)
    throw new Error('its clock is not synchronized')
  const [received, sent] = [ntpMs(packet, RECEIVE), ntpMs(packet, TRANSMIT)]
  const onTheWay = answeredAt - askedAt - Math.max(0, sent - received)
  return { timeMs: sent, at: answeredAt - onTheWay / 2, uncertaintyMs: Math.max(0, onTheWay / 2) }
}

/** Seconds from 1900 to 1970, and those after which the field begins anew, in 2036. */
const NTP_EPOCH_S = 2_208_988_800
const ERA_S = 2 ** 32

/** Unix milliseconds, from 1970 to 2106. */
function ntpMs(packet: Buffer, at: number): number {
  const seconds = packet.readUInt32BE(at) - NTP_EPOCH_S
  return (seconds < 0 ? seconds + ERA_S : seconds) * 1_000 + (packet.readUInt32BE(at + 4) * 1_000) / ERA_S
}
