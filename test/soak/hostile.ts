// A hostile caller in a process of its own: one key, all attacks at once, repeated until it is stopped.
import { Agent, request } from 'node:http'
import { setPriority } from 'node:os'
import { io } from 'socket.io-client'
import { ATTACKS, type Attack } from './attacks.ts'

const [base = '', key = '', localAddress = '127.0.0.1'] = process.argv.slice(2)
const { hostname, port } = new URL(base)

// Lowest priority, because a real attacker uses another computer. On one machine it gets the CPU time that
// the others leave.
setPriority(19)

/** Concurrent requests, and sockets that subscribe from the beginning of the chain again and again. */
const LANES = 32
const SOCKETS = Number(process.env.HOSTILE_SOCKETS ?? 12)

/** More requests than the budget of a minute allows, even if the minute ends between them. */
const MOST_SMALL = 1_000
const SMALLEST: Attack = { name: 'a small request', path: '/api/json/beacons/latest' }

const agent = new Agent({ keepAlive: true, maxSockets: LANES, localAddress })
const statuses = new Map<string, number>()
const seen = new Map<string, Set<string>>()
let stopped = false
let isKnown = false

/** It was answered, and its mistakes were told. */
const isToldAll = (): boolean => statuses.has('200') && statuses.has('400')

const isRefused = (): boolean => statuses.has('429') || statuses.has('503')

function note({ name }: Pick<Attack, 'name'>, status: string): void {
  statuses.set(status, (statuses.get(status) ?? 0) + 1)
  if (!isKnown && isToldAll()) {
    isKnown = true
    process.send?.('told all')
  }
  seen.set(name, (seen.get(name) ?? new Set()).add(status))
}

/** Reads an answer up to the client's own ceiling and drops it. */
const strike = (attack: Attack): Promise<void> =>
  new Promise((resolve) => {
    const { method = 'GET', path, headers, body } = attack
    const asked = request(
      {
        host: hostname,
        port,
        path: encodeURI(decodeURI(path)),
        method,
        agent,
        // Longer than any request waits for its turns.
        timeout: 150_000,
        headers: {
          authorization: `Bearer ${key}`,
          ...headers,
          ...(body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }),
        },
      },
      (answer) => {
        answer.resume()
        answer.on('close', () => {
          note(attack, String(answer.statusCode))
          resolve()
        })
      },
    )
    asked.on('error', (error) => {
      note(attack, 'code' in error ? String(error.code) : 'error')
      resolve()
    })
    asked.on('timeout', () => asked.destroy(new Error('no answer')))
    asked.end(body)
  })

async function lane(index: number): Promise<void> {
  for (let turn = index; !stopped; turn += 7) {
    const attack = ATTACKS[turn % ATTACKS.length]
    if (attack !== undefined) await strike(attack)
  }
}

function resubscribe(genesis: string): void {
  const socket = io(`${base}/console`, {
    auth: { token: key },
    transports: ['websocket'],
    reconnectionDelayMax: 500,
    forceNew: true,
  })
  socket.on('welcome', () => {
    const again = (): void => {
      if (stopped || !socket.connected) return void socket.disconnect()
      socket.emit('subscribe', { stream: 'beacons', after: genesis })
      setTimeout(again, 200)
    }
    again()
  })
}

const first = await fetch(`${base}/api/json/beacons?page[limit]=1&sort=id`, {
  headers: { authorization: `Bearer ${key}` },
})
const { data } = (await first.json()) as { data: { id: string }[] }
for (let n = 0; n < SOCKETS; n += 1) resubscribe(data[0]?.id ?? '')
process.on('message', () => {
  stopped = true
})
process.on('disconnect', () => process.exit(0))
await Promise.all(Array.from({ length: LANES }, (_, index) => lane(index)))
// On a slow machine the lanes wait so long for their turns that they stay within the budget of requests.
for (let n = 0; n < MOST_SMALL && !isRefused(); n += 1) await strike(SMALLEST)
process.send?.({
  statuses: Object.fromEntries(statuses),
  seen: Object.fromEntries([...seen].map(([name, all]) => [name, [...all].toSorted()])),
})
process.disconnect()
