// Time servers are asked once a minute, obeyed when they want no more questions, and forgotten when they fall silent.
import { afterEach, expect, it } from 'vitest'
import { openTimeServers, type TimeServers } from '../../../server/domain/time_stamps/stamping_clock.ts'
import { createLog } from '../../../server/kernel/log.ts'
import { type ClockReading, KissOfDeath, type TimeServer } from '../../../server/outgoing/ask_time.ts'

const servers = ['a', 'b', 'c', 'd'].map((host) => ({ host, port: 123 }))
const opened: TimeServers[] = []
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close()
})

function open(answer: (server: TimeServer) => number | Error) {
  const time = { now: 0 }
  const asked: string[] = []
  const said: string[] = []
  const log = createLog('info', { write: (line: string) => void said.push(JSON.parse(line).msg) })
  const ask = async (server: TimeServer): Promise<ClockReading> => {
    asked.push(server.host)
    const found = answer(server)
    if (found instanceof Error) throw found
    return { timeMs: found, at: time.now, uncertaintyMs: 1 }
  }
  const tools = { ask, everyMs: Number.POSITIVE_INFINITY, monotonic: () => time.now }
  const known = openTimeServers({ servers, log }, tools)
  opened.push(known)
  return { known, time, asked, said }
}

it('gives what each has said, for three minutes', async () => {
  const { known, time } = open(({ host }) => (host === 'd' ? new Error('silent') : 5))
  await known.look()
  expect(known.quorum).toBe(3)
  expect(known.readings(time.now)).toHaveLength(3)
  expect(known.readings(180_000)).toHaveLength(3)
  expect(known.readings(180_001)).toHaveLength(0)
})

it('keeps what a server said before it fell silent, until it is too old', async () => {
  let isSilent = false
  const { known, time } = open(() => (isSilent ? new Error('silent') : 5))
  await known.look()
  isSilent = true
  time.now = 60_000
  await known.look()
  expect(known.readings(time.now)).toHaveLength(4)
})

it('asks none again that wants no questions, and one that wants fewer after an hour', async () => {
  const kisses: Record<string, string> = { a: 'DENY', b: 'RSTR', c: 'RATE' }
  const { known, time, asked, said } = open(({ host }) => {
    const code = kisses[host]
    return code === undefined ? 5 : new KissOfDeath(code)
  })
  await known.look()
  const askedAgain = async (now: number): Promise<string> => {
    time.now = now
    asked.length = 0
    await known.look()
    return asked.join('')
  }
  expect(await askedAgain(60_000)).toBe('d')
  expect(await askedAgain(3_599_999)).toBe('d')
  expect(await askedAgain(3_600_000)).toBe('cd')
  expect(said.filter((word) => word === 'time_server.not_read')).toHaveLength(4)
})
