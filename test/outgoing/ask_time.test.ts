// One question to a time server over UDP. The servers are the test's: one that tells the time, and others that lie, are
// late, or send the kiss of death.
import { afterEach, expect, it } from 'vitest'
import { askTime, KissOfDeath, type TimeServer } from '../../server/outgoing/ask_time.ts'
import { openTimeServer, timePacket } from '../support/time_server.ts'

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

/** @param answer packets to send back for a question */
async function server(answer: (question: Buffer) => readonly Buffer[]): Promise<TimeServer> {
  const opened = await openTimeServer(answer)
  closing.push(opened.close)
  return opened
}

it.each([
  ['today', Date.UTC(2026, 10, 24, 12, 0, 0, 250)],
  ['after the seconds of its field began anew', Date.UTC(2040, 0, 1, 0, 0, 0, 750)],
])('reads the time %s', async (_, timeMs) => {
  const questions: Buffer[] = []
  const at = await server((question) => {
    questions.push(question)
    return [timePacket(question, { timeMs })]
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
    return [timePacket(question, { timeMs: 1 })]
  })
  await askTime(at)
  await askTime(at)
  expect(new Set(marks).size).toBe(2)
})

it('does not take a packet that does not bring back its question, or is none', async () => {
  const timeMs = Date.UTC(2026, 0, 1)
  const at = await server((question) => [
    timePacket(question, { timeMs: 0, originate: Buffer.alloc(8) }),
    timePacket(question, { timeMs: 0, first: 0x23 }),
    timePacket(question, { timeMs: 0 }).subarray(0, 47),
    Buffer.of(),
    timePacket(question, { timeMs }),
  ])
  expect((await askTime(at)).timeMs).toBe(timeMs)
})

it.each(['DENY', 'RSTR', 'RATE'])('knows the kiss of death %s', async (reference) => {
  const at = await server((question) => [timePacket(question, { stratum: 0, reference })])
  const refused = await askTime(at).catch((error: unknown) => error)
  expect(refused).toBeInstanceOf(KissOfDeath)
  expect(refused).toMatchObject({ code: reference })
})

it.each([
  ['says that its clock is not set', { first: 0xe4 }],
  ['is too far from any clock', { stratum: 16 }],
])('has no reading of one that %s', async (_, said) => {
  const at = await server((question) => [timePacket(question, said)])
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
