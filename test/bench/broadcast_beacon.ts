// One new beacon to 5,000 sockets, until the last has it, compared with a bare Socket.IO broadcast of the
// same bytes.
import { io, type Socket } from 'socket.io-client'
import { finalizeBlock } from '../../server/domain/ledger/finalize_block.ts'
import type { Ground } from './ground.ts'
import type { Measure } from './measurement.ts'
import { NO_LIMITS, startBaseline, startServer } from './server_process.ts'

const SOCKETS = 5_000
const CONNECTING_AT_ONCE = 100
const ROUNDS = 7
const AIM = 1.3

export const broadcastBeacon: Measure = async (ground, say) => {
  const beacon = {
    id: '01a2ce8e-9320-7630-bb7f-73edc8868b1d',
    hash: 'ab'.repeat(32),
    timestamp: '2027-01-01T00:02:00.000Z',
    previous_hash: 'cd'.repeat(32),
  }
  const bare = await startBaseline('bare_socket_io.ts')
  say(`  baseline: connecting ${SOCKETS} sockets`)
  const bareSockets = await connectAll(bare.base, {})
  const baseline = await medianOf(bareSockets, async () => {
    await fetch(bare.base, { method: 'POST', body: JSON.stringify(beacon) })
  })
  for (const socket of bareSockets) socket.disconnect()
  await bare.stop()

  const server = await startServer(ground, NO_LIMITS)
  say(`  ours: connecting ${SOCKETS} sockets`)
  const sockets = await connectAll(`${server.base}/console`, { token: ground.apiKey })
  for (const socket of sockets) await socket.emitWithAck('subscribe', { stream: 'beacons' })
  const ours = await medianOf(sockets, () => makeBlock(ground))
  for (const socket of sockets) socket.disconnect()
  await server.stop()

  const ratio = ours / baseline
  return {
    what: `beacon.created to ${SOCKETS} sockets, last client`,
    baseline: `${baseline.toFixed(1)} ms`,
    ours: `${ours.toFixed(1)} ms, the notice from the database included`,
    ratio,
    aim: `<= ${AIM} x`,
    met: ratio <= AIM,
  }
}

async function makeBlock({ store, signer, publicLog }: Ground): Promise<void> {
  await finalizeBlock({ em: store.em('ledger'), signer, publicLog }, { intervalMs: 1 })
}

async function connectAll(address: string, auth: Record<string, string>): Promise<Socket[]> {
  const sockets: Socket[] = []
  while (sockets.length < SOCKETS)
    sockets.push(
      ...(await Promise.all(
        Array.from(
          { length: CONNECTING_AT_ONCE },
          () =>
            new Promise<Socket>((resolve, reject) => {
              const socket = io(address, {
                auth,
                transports: ['websocket'],
                forceNew: true,
                reconnection: false,
              })
              socket.once('connect', () => resolve(socket))
              socket.once('connect_error', reject)
            }),
        ),
      )),
    )
  return sockets
}

/**
 * Time from the trigger (the transaction or the post) until the last socket has the event. Returns the median
 * of all rounds.
 */
async function medianOf(sockets: readonly Socket[], trigger: () => Promise<void>): Promise<number> {
  const times: number[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    const all = Promise.all(
      sockets.map((socket) => new Promise((resolve) => socket.once('beacon.created', resolve))),
    )
    const began = performance.now()
    await Promise.all([trigger(), all])
    times.push(performance.now() - began)
  }
  return times.toSorted((a, b) => a - b)[Math.floor(ROUNDS / 2)] ?? Number.NaN
}
