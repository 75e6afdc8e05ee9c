// One question to a time server over UDP. The servers are the test's: one that tells the time, and others that lie, are
// late, or send the kiss of death.
import { createSocket } from 'node:dgram'
import { afterEach, expect, it } from 'vitest'
import { askTime, KissOfDeath } from '../../server/outgoing/ask_time.ts'

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

/** @param answer packets to send back for a question */
async function server(
  answer: (question: Buffer) => readonly Buffer[],
): Promise<{ host: string; port: number }> {
  const socket = createSocket('udp4')
  await new Promise<void>((done) => socket.bind(0, '127.0.0.1', done))
  socket.on('message', (question, { port }) => {
    for (const packet of answer(question)) socket.send(packet, port, '127.0.0.1')
  })
  closing.push(() => new Promise((done) => void socket.close(() => done())))
  return { host: '127.0.0.1', port: socket.address().port }
}

interface Said {
  readonly first?: number
  readonly stratum?: number
  readonly reference?: string
  readonly timeMs?: number
  readonly originate?: Buffer
}

/** As RFC 5905 section 7.3 lays it out. */
function packet(
  question: Buffer,
  { first = 0x24, stratum = 2, reference = '', timeMs = 0, originate }: Said,
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

it.each([
  ['today', Date.UTC(2026, 10, 24, 12, 0, 0, 250)],
  ['after the seconds of its field began anew', Date.UTC(2040, 0, 1, 0, 0, 0, 750)],
])('reads the time %s', async (_, timeMs) => {
  const questions: Buffer[] = []
  const at = await server((question) => {
    questions.push(question)
    return [packet(question, { timeMs })]
  })
  const before = performance.now()
  const found = await askTime(at)
  expect(Math.abs(found.timeMs - timeMs)).toBeLessThan(1)
  expect(found.at).toBeGreaterThanOrEqual(before)
  expect(found.at + found.uncertaintyMs).toBeLessThanOrEqual(performance.now())
  const [question] = questions
  expect([question?.length, question?.[0]]).toEqual([48, 0x23])
})

it('tells no server the time of this one, and asks each time differently', async () => {
  const marks: string[] = []
  const at = await server((question) => {
    marks.push(question.toString('hex', 40))
    expect(question.subarray(1, 40)).toEqual(Buffer.alloc(39))
    return [packet(question, { timeMs: 1 })]
  })
  await askTime(at)
  await askTime(at)
  expect(new Set(marks).size).toBe(2)
})

it('does not take a packet that does not bring back its question, or is none', async () => {
  const timeMs = Date.UTC(2026, 0, 1)
  const at = await server((question) => [
    packet(question, { timeMs: 0, originate: Buffer.alloc(8) }),
    packet(question, { timeMs: 0, first: 0x23 }),
    packet(question, { timeMs: 0 }).subarray(0, 47),
    Buffer.of(),
    packet(question, { timeMs }),
  ])
  expect((await askTime(at)).timeMs).toBe(timeMs)
})

it.each(['DENY', 'RSTR', 'RATE'])('knows the kiss of death %s', async (reference) => {
  const at = await server((question) => [packet(question, { stratum: 0, reference })])
  const refused = await askTime(at).catch((error: unknown) => error)
  expect(refused).toBeInstanceOf(KissOfDeath)
  expect(refused).toMatchObject({ code: reference })
})

it.each([
  ['says that its clock is not set', { first: 0xe4 }],
  ['is too far from any clock', { stratum: 16 }],
])('has no reading of one that %s', async (_, said) => {
  const at = await server((question) => [packet(question, said)])
  await expect(askTime(at)).rejects.toThrow('not synchronized')
})

it('waits two seconds for one that says nothing', async () => {
  const at = await server(() => [])
  const before = performance.now()
  await expect(askTime(at)).rejects.toThrow('in time')
  expect(performance.now() - before).toBeGreaterThanOrEqual(1_990)
})

it.each(['nowhere.invalid', '2001:db8::1'])(
  'has no reading of one that cannot be reached: %s',
  async (host) => {
    await expect(askTime({ host, port: 123 })).rejects.toThrow(Error)
  },
)
