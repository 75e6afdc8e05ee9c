// `pharos tail` of beacons and blocks: each once and in order, whatever becomes of the service and of the command.
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { finalizeBlock } from '../../server/domain/ledger/finalize_block.ts'
import { createSigner } from '../../server/domain/ledger/signing_key.ts'
import { openStore } from '../../server/store/open_store.ts'
import { openTestApp, type TestApp } from '../support/app.ts'
import { blockLog } from '../support/block_log.ts'
import { freePort } from '../support/free_port.ts'
import { expectMembers } from './frame/json_members.ts'
import { type Desk, openDesk } from './run_pharos.ts'
import { type RunningPharos, runningPharos } from './running_pharos.ts'

let app: TestApp
let desk: Desk
/** The service that answers now. */
let serving: TestApp
beforeAll(async () => {
  app = await openTestApp({ port: await freePort() })
  serving = app
  desk = await openDesk()
})
const running: RunningPharos[] = []
afterEach(() => {
  for (const one of running.splice(0)) one.kill('SIGKILL')
})
afterAll(async () => {
  await desk.clear()
  await away()
  await app.close()
})

const tail = (...args: string[]): RunningPharos => {
  const env = { PHAROS_URL: `http://127.0.0.1:${app.port}`, PHAROS_API_KEY: app.owner.key }
  const started = runningPharos(desk, ['tail', ...args, '--json', '--every', '1'], env)
  running.push(started)
  return started
}

async function away(): Promise<void> {
  await serving.stop()
  if (serving !== app) await serving.store.close()
}
async function back(): Promise<void> {
  serving = await openTestApp({ beside: app, port: app.port })
}

/** The rows, without the absences that a slow machine makes. */
const rowsOnce = async ({ linesOnce }: RunningPharos, count: number): Promise<Line[]> =>
  (await linesOnce(count, (line) => !line.includes('"type":"absence"'))).map((line): Line => JSON.parse(line))

interface Line {
  readonly type: string
  readonly height: number
  readonly id: string
  readonly hash: string
}
const chain = (from: number) =>
  app.query<Pick<Line, 'height' | 'id' | 'hash'>>(
    `SELECT height, id, encode(block_hash, 'hex') AS hash FROM blocks WHERE height >= $1 ORDER BY height`,
    [from],
  )
const height = async (): Promise<number> => (await chain(0)).length - 1

describe('tail beacons', { timeout: 300_000 }, () => {
  it('tells each block once and in order, over a service that is away and a command that is killed', async () => {
    const begun = await height()
    const first = tail('beacons', '-n', '1')
    await rowsOnce(first, 1)
    await app.finalize(2)
    await rowsOnce(first, 3)
    await away()
    await first.notedOnce(/asked again/)
    await app.finalize(3)
    await back()
    const told = await rowsOnce(first, 6)
    expect(first.noted()).toContain('It answers again.')
    first.kill('SIGKILL')
    expect(await first.ended).toBe(null)
    await app.finalize(2)
    const second = tail('--since', told.at(-1)?.id ?? '')
    await rowsOnce(second, 2)
    await app.finalize()
    expectMembers('tail beacons', told[0])
    const all = [...told, ...(await rowsOnce(second, 3))]
    expect(all.map(({ type }) => type)).toEqual(all.map(() => 'beacon'))
    expect(all.map(({ height, id, hash }) => ({ height, id, hash }))).toEqual(await chain(begun))
  })

  it('begins behind a height or a hash, or with what was made since a time', async () => {
    await app.finalize(3)
    const top = await height()
    const [base, ...after] = await chain(top - 2)
    for (const place of [String(base?.height), base?.hash ?? '', base?.id ?? '']) {
      const from = tail('--since', place)
      expect(
        (await rowsOnce(from, 2)).map(({ id }) => id),
        place,
      ).toEqual(after.map(({ id }) => id))
      from.kill('SIGKILL')
    }
    const [{ at = '' } = {}] = await app.query<{ at: string }>(
      `SELECT iso_time(finalized_at) AS at FROM blocks WHERE height = $1`,
      [top - 1],
    )
    const since = tail('--since', at)
    expect((await rowsOnce(since, 2)).map(({ height }) => height)).toEqual([top - 1, top])
    const early = tail('blocks', '--since', '2020-01-01')
    expect((await rowsOnce(early, top + 1)).map(({ height }) => height)).toEqual(
      Array.from({ length: top + 1 }, (_, at) => at),
    )
    const unknown = tail('--since', String(top + 1000))
    expect(await unknown.ended).toBe(1)
    expect(unknown.noted()).toContain(`There is no block ${top + 1000}`)
    const noPlace = tail('--since', 'nonsense')
    expect(await noPlace.ended).toBe(2)
    expect(noPlace.noted()).toContain('nonsense names no block')
  })

  it('ends with 130 when it is interrupted, and with 0 when nobody reads any more', async () => {
    const interrupted = tail('-n', '1')
    await rowsOnce(interrupted, 1)
    interrupted.kill('SIGINT')
    expect(await interrupted.ended).toBe(130)
    const env = { PHAROS_URL: `http://127.0.0.1:${app.port}`, PHAROS_API_KEY: app.owner.key }
    expect(await desk.pharos(['tail', '-n', '3', '--every', '1'], { env, isDeaf: true })).toMatchObject({
      code: 0,
      err: '',
    })
  })

  it('ends with 4 without a credential, and with 2 when it is wrongly asked', async () => {
    const env = { PHAROS_URL: app.base }
    expect(await desk.pharos(['tail'], { env })).toMatchObject({ code: 4, out: '' })
    for (const args of [
      ['everything'],
      ['beacons', 'blocks'],
      ['-n', '251'],
      ['-n', '3', '--since', '1'],
      ['--every', '0'],
      ['items', '--since', 'once upon a time'],
    ])
      expect(
        await desk.pharos(['tail', ...args], { env: { ...env, PHAROS_API_KEY: app.owner.key } }),
        args.join(' '),
      ).toMatchObject({ code: 2, out: '' })
  })
})

describe('tail blocks', { timeout: 300_000 }, () => {
  it('says once that there was no block for long, with the times of both sides', async () => {
    const later = openStore({ url: app.database.url, poolSize: 2, clockOffset: '20 minutes' })
    const made = {
      em: later.em(),
      signer: createSigner({ masterKey: app.masterKey }),
      publicLog: blockLog(app.masterKey),
    }
    await app.finalize(8)
    const before = await height()
    const finalizeLater = async () => {
      for (;;) if ((await finalizeBlock(made, { intervalMs: 1 })).outcome === 'finalized') return
    }
    for (let n = 0; n < 3; n += 1) await finalizeLater()
    await later.close()
    const told = tail('blocks', '--since', String(before - 1))
    const lines = (await told.linesOnce(5)).map((line): Record<string, unknown> => JSON.parse(line))
    const [from, until] = await app.query<{ at: string }>(
      `SELECT iso_time(finalized_at) AS at FROM blocks WHERE height IN ($1, $2) ORDER BY height`,
      [before, before + 1],
    )
    expectMembers('tail blocks', lines[0])
    expectMembers('tail absence', lines[1])
    expect(lines.map(({ type }) => type)).toEqual(['block', 'absence', 'block', 'block', 'block'])
    expect(lines[1]).toMatchObject({ from: from?.at, until: until?.at })
    expect(lines[1]?.seconds).toBeGreaterThan(1_100)
    // The same, from wherever it is read.
    const again = tail('blocks', '--since', String(before))
    expect((await again.linesOnce(4))[0]).toBe(told.lines()[1])
  })
})
