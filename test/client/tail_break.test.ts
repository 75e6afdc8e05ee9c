// `pharos tail` of a chain that does not go on as it began: what it says of that, how it goes on, and how it ends.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { ChainServer, MINUTE } from './chain_server.ts'
import { expectMembers } from './frame/json_members.ts'
import { type Desk, openDesk } from './run_pharos.ts'
import { type RunningPharos, runningPharos } from './running_pharos.ts'

const service = new ChainServer()
let desk: Desk
beforeAll(async () => {
  await service.open()
  desk = await openDesk()
})
afterAll(async () => {
  await desk.clear()
  service.close()
})
const running: RunningPharos[] = []
beforeEach(() => service.clear())
afterEach(() => {
  for (const one of running.splice(0)) one.kill('SIGKILL')
})

const tail = (...args: string[]): RunningPharos => {
  const env = { PHAROS_URL: service.address, PHAROS_API_KEY: 'phk_any' }
  const started = runningPharos(desk, ['tail', ...args, '--every', '1'], env)
  running.push(started)
  return started
}
const interrupted = async (one: RunningPharos): Promise<number | null> => {
  one.kill('SIGINT')
  return one.ended
}

describe('tail beacons', { timeout: 120_000 }, () => {
  it('says that a beacon does not continue the one before, goes on behind it, and ends as it is ended', async () => {
    service.grow(3)
    const told = tail('-n', '1')
    await told.linesOnce(1)
    service.grow(2, 'b', MINUTE, 'an\x1b[2Jother')
    const [, misfit, ...after] = await told.linesOnce(4)
    expect(misfit).toBe(
      '--- block 3 (b3) does not continue block 2 (a2): it names an\u{fffd}[2Jother as the one before it',
    )
    expect(after).toEqual([expect.stringContaining('b3'), expect.stringContaining('b4')])
    expect([told.noted(), await interrupted(told)]).toEqual(['', 130])
    // What was made before it was called is told all the same.
    const later = tail('--json', '--since', '1')
    const rows = (await later.linesOnce(4)).map((line) => JSON.parse(line))
    expect(rows).toMatchObject([
      { type: 'beacon', hash: 'a2' },
      {
        type: 'misfit',
        last: { height: 2, hash: 'a2' },
        next: { height: 3, hash: 'b3', previous_hash: 'an\x1b[2Jother' },
      },
      { type: 'beacon', hash: 'b3', previous_hash: 'an\x1b[2Jother' },
      { type: 'beacon', hash: 'b4', previous_hash: 'b3' },
    ])
    expectMembers('tail misfit', rows[1])
    expect(await interrupted(later)).toBe(130)
  })

  it('says that there is another chain, and goes on with that', async () => {
    service.grow(4)
    const [told, json] = [tail('-n', '1'), tail('-n', '1', '--json')]
    for (const one of [told, json]) await one.linesOnce(1)
    service.cut(2)
    service.grow(1, 'b')
    const [, broken] = await told.linesOnce(2)
    expect(broken).toBe(
      '--- the service shows another chain: block 3 (a3) is gone, and the newest is block 2 (b2)',
    )
    const rows = (await json.linesOnce(3)).map((line) => JSON.parse(line))
    expect(rows.slice(1)).toMatchObject([
      { type: 'break', lost: { height: 3, hash: 'a3' }, head: { height: 2, hash: 'b2' } },
      { type: 'beacon', hash: 'b2' },
    ])
    expectMembers('tail break', rows[1])
    for (const one of [told, json]) expect(await interrupted(one)).toBe(130)
  })

  it('gives a program the beacons alone, and says beside it what does not fit', async () => {
    service.grow(2)
    service.grow(1, 'b', MINUTE, 'another')
    const told = tail('-n', '2', '--exec', 'cat')
    await told.notedOnce(/^--- block 2 \(b2\) does not continue block 1 \(a1\)/m)
    const rows = (await told.linesOnce(2)).map((line) => JSON.parse(line))
    expect(rows).toMatchObject([{ hash: 'a1' }, { hash: 'b2' }])
    expect(await interrupted(told)).toBe(130)
  })
})
