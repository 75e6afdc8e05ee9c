// One new beacon to 5,000 sockets, until the last has it, compared with a bare Socket.IO broadcast of the
// same bytes.
import { io, type Socket } from 'socket.io-client'
import { finalizeBlock } from '../../server/domain/ledger/finalize_block.ts'
import { sideBySide } from '../../server/kernel/flow/side_by_side.ts'
import type { Ground } from './ground.ts'
import type { Measure } from './measurement.ts'
import { peakMib } from './process_use.ts'
import { NO_LIMITS, startBaseline, startServer } from './server_process.ts'
import { within } from './within.ts'

const SOCKETS = 5_000
const AT_ONCE = 100
const ROUNDS = 7
/** Milliseconds until a socket must be connected or have its answer, and until all must have the event. */
const PATIENCE_MS = 30_000
const AIM = 1.2

export const broadcastBeacon: Measure = async (ground, say) => {
  const beacon = {
    id: '01a2ce8e-9320-7630-bb7f-73edc8868b1d',
    hash: 'ab'.repeat(32),
    timestamp: '2027-01-01T00:02:00.000Z',
    previous_hash: 'cd'.repeat(32),
  }
  const bare = await startBaseline(ground, 'bare_socket_io.ts')
  say(`  baseline: connecting ${SOCKETS} sockets`)
  const bareSockets = await connectAll(ground, bare.base, {})
  const baseline = await medianOf(bareSockets, async () => {
    await fetch(bare.base, { method: 'POST', body: JSON.stringify(beacon) })
  })
  // The two are not measured beside each other's sockets.
  for (const socket of bareSockets) socket.disconnect()
  await bare.stop()

  const server = await startServer(ground, NO_LIMITS)
  say(`  ours: connecting ${SOCKETS} sockets`)
  const sockets = await connectAll(ground, `${server.base}/console`, { token: ground.apiKey })
  await sideBySide(AT_ONCE, sockets, (socket) =>
    socket.timeout(PATIENCE_MS).emitWithAck('subscribe', { stream: 'beacons' }),
  )
  const ours = await medianOf(sockets, () => makeBlock(ground))
  const peak = await peakMib(server.pid)

  const ratio = ours / baseline
  return {
    what: `beacon.created to ${SOCKETS} sockets, last client`,
    baseline: `${baseline.toFixed(1)} ms`,
    ours: `${ours.toFixed(1)} ms, the notice from the database included`,
    ratio,
    aim: `<= ${AIM} x`,
    met: ratio <= AIM,
    ...(peak === undefined ? {} : { peakMib: peak }),
  }
}

async function makeBlock({ store, signer, publicLog }: Ground): Promise<void> {
  await finalizeBlock({ em: store.em('ledger'), signer, publicLog }, { intervalMs: 1 })
}

async function connectAll(
  { started }: Ground,
  address: string,
  auth: Record<string, string>,
): Promise<Socket[]> {
  const sockets = Array.from({ length: SOCKETS }, () =>
    io(address, {
      ...{ auth, transports: ['websocket'], forceNew: true, autoConnect: false, reconnection: false },
      timeout: PATIENCE_MS,
    }),
  )
  started.add(`the sockets to ${address}`, () => {
    for (const socket of sockets) socket.disconnect()
  })
  let connected = 0
  await sideBySide(AT_ONCE, sockets, async (socket) => {
    const opened = Promise.withResolvers<void>()
    socket.once('connect', opened.resolve)
    socket.once('connect_error', ({ message }) =>
      opened.reject(new Error(`After ${connected} sockets another one was not connected (${message}).`)),
    )
    socket.connect()
    await opened.promise
    connected += 1
  })
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
    await within(PATIENCE_MS, 'A beacon to all sockets', Promise.all([trigger(), all]))
    times.push(performance.now() - began)
  }
  return times.toSorted((a, b) => a - b)[Math.floor(ROUNDS / 2)] ?? Number.NaN
}
