// `pharos watch --once`, look by look: a log that grows, one that shows a split view, and one that is not there.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type AnsweringServer, openAnsweringServer } from '../support/answering_server.ts'
import { consistencyText, type LogCopy, makeLogCopy } from '../support/log_copy.ts'
import { expectMembers } from './frame/json_members.ts'
import { type Desk, openDesk } from './run_pharos.ts'

const honest = makeLogCopy({ size: 300 })
const forked = makeLogCopy({ size: 300, forkAt: 120 })

describe('pharos watch', () => {
  let desk: Desk
  let server: AnsweringServer
  let states = 0
  beforeAll(async () => {
    ;[desk, server] = await Promise.all([openDesk(), openAnsweringServer()])
  })
  afterAll(async () => {
    await server.close()
    await desk.clear()
  })

  /** Shows the log as it was at a size. Proofs are answered, or the tiles of the whole log are there. */
  const show = (log: LogCopy, size: number, proofs: 'answered' | 'tiles' = 'answered') => {
    server.answers.clear()
    server.answers.set('/log/checkpoint', Buffer.from(log.checkpoint(size)))
    server.answers.set('/log/policy', Buffer.from(log.policyFile))
    if (proofs === 'tiles')
      for (const [path, bytes] of log.files) server.answers.set(`/log/${path}`, Buffer.from(bytes))
    server.answers.set('/log/checkpoint', Buffer.from(log.checkpoint(size)))
  }
  const proveFrom = async (log: LogCopy, oldSize: number, newSize: number) => {
    server.answers.set(`/log/consistency/${oldSize}/${newSize}`, await consistencyText(log, oldSize, newSize))
  }
  const newState = (): string => `state-${++states}.json`
  const look = (state: string, ...more: readonly string[]) =>
    desk.pharos(['watch', `${server.address}/log`, '--once', '--state', state, ...more])

  it('believes the key at first sight, and then only what continues', async () => {
    const state = newState()
    show(honest, 100)
    expect(await look(state)).toMatchObject({ code: 0, out: expect.stringContaining(honest.verifierKey) })
    expect(await look(state)).toMatchObject({ code: 0, out: expect.stringContaining('as they were seen') })
    show(honest, 257)
    await proveFrom(honest, 100, 257)
    expect(await look(state)).toMatchObject({
      code: 0,
      out: expect.stringContaining('257 blocks, consistent with the 100 seen'),
    })
    show(honest, 150)
    await proveFrom(honest, 150, 257)
    expect(await look(state)).toMatchObject({ code: 0, out: expect.stringContaining('of the same history') })
  })

  it('tells each look as a line of JSON with both checkpoints, and ends with 1 for a split as ever', async () => {
    const state = newState()
    show(honest, 100)
    const first = await look(state, '--json')
    expect(JSON.parse(first.out)).toMatchObject({
      outcome: 'first',
      key_source: 'log',
      size: 100,
      seen: null,
    })
    const named = await look(newState(), '--json', '--key', honest.verifierKey)
    expect(JSON.parse(named.out)).toMatchObject({ outcome: 'first', key_source: 'named' })
    expectMembers('watch first', JSON.parse(first.out))
    show(forked, 200)
    await proveFrom(forked, 100, 200)
    expect(JSON.parse((await look(state, '--json')).out)).toMatchObject({
      outcome: 'grown',
      key_source: 'remembered',
      size: 200,
      seen: { size: 100, checkpoint: Buffer.from(honest.checkpoint(100)).toString() },
    })
    show(honest, 300)
    await proveFrom(honest, 200, 300)
    const split = await look(state, '--json')
    expect(split).toMatchObject({ code: 1, err: expect.stringContaining('Keep both') })
    expect(split.out.trimEnd()).not.toContain('\n')
    expect(JSON.parse(split.out)).toMatchObject({
      outcome: 'split',
      checkpoint: Buffer.from(honest.checkpoint(300)).toString(),
      seen: { checkpoint: Buffer.from(forked.checkpoint(200)).toString() },
    })
    expectMembers('watch', JSON.parse(split.out))
  })

  it('makes the proof of tiles where the log is a plain copy', async () => {
    const state = newState()
    show(honest, 100)
    await look(state, '--key', honest.verifierKey)
    show(honest, 300, 'tiles')
    expect(await look(state)).toMatchObject({
      code: 0,
      out: expect.stringContaining('300 blocks, consistent'),
    })
  })

  it.each([
    ['of the same size', 200],
    ['of a larger size', 300],
    ['of a smaller size', 150],
  ])('ends loudly with both checkpoints when it is shown another history %s', async (_, size) => {
    const state = newState()
    show(honest, 200)
    await look(state)
    show(forked, size)
    await proveFrom(forked, Math.min(200, size), Math.max(200, size))
    const ran = await look(state)
    expect(ran).toMatchObject({ code: 1, out: expect.stringContaining('SPLIT') })
    for (const note of [honest.checkpoint(200), forked.checkpoint(size)])
      expect(ran.out).toContain(Buffer.from(note).toString())
    // It stays found.
    expect((await look(state)).code).toBe(1)
  })

  it('finds the split from tiles too', async () => {
    const state = newState()
    show(honest, 200)
    await look(state)
    show(forked, 300, 'tiles')
    expect(await look(state)).toMatchObject({ code: 1, out: expect.stringContaining('SPLIT') })
  })

  it('says that it waits where the log asks for it, and looks then', async () => {
    show(honest, 100)
    let asked = 0
    server.answers.set('/log/checkpoint', (_, response) => {
      asked += 1
      if (asked === 1) response.writeHead(429, { 'retry-after': '1' }).end()
      else response.end(Buffer.from(honest.checkpoint(100)))
    })
    expect(await look(newState())).toMatchObject({
      code: 0,
      out: expect.stringContaining('seen for the first time'),
      err: `! ${new URL(server.address).host} asks for a pause: it goes on in 1 s.\n`,
    })
  })

  it('calls nothing a split that is none: no answer, no proof, no signature', async () => {
    const state = newState()
    show(honest, 200)
    await look(state)
    show(honest, 300)
    expect(await look(state)).toMatchObject({ code: 2, err: expect.stringContaining('no proof') })
    const other = makeLogCopy({ size: 300, seed: 'somebody else' })
    show(other, 300)
    expect(await look(state)).toMatchObject({ code: 2, err: expect.stringContaining('no valid signature') })
    server.answers.clear()
    expect((await look(state)).code).toBe(2)
  })

  it('ends loudly when the log goes under another name', async () => {
    const state = newState()
    show(honest, 200)
    await look(state)
    show(makeLogCopy({ size: 300, origin: 'pharos.example/log-2' }), 300)
    expect(await look(state)).toMatchObject({ code: 1, out: expect.stringContaining('another name') })
  })

  it('concludes nothing from a state of another key', async () => {
    const state = newState()
    show(honest, 200)
    await look(state)
    const other = makeLogCopy({ size: 10, seed: 'somebody else' })
    expect(await look(state, '--key', other.verifierKey)).toMatchObject({
      code: 2,
      err: expect.stringContaining('another key'),
    })
  })

  it('does not begin anew over a state that it cannot read', async () => {
    await writeFile(join(desk.folder, 'broken.json'), '{"version": 1}')
    show(honest, 200)
    expect(await look('broken.json')).toMatchObject({ code: 2, err: expect.stringContaining('Move it away') })
  })

  it('ends at once, also without --once, where no later look could go on from its state', async () => {
    const keepWatching = (state: string, ...more: readonly string[]) =>
      desk.pharos(['watch', `${server.address}/log`, '--state', state, ...more])
    show(honest, 200)
    await writeFile(join(desk.folder, 'broken.json'), '{"version": 1}')
    expect(await keepWatching('broken.json')).toMatchObject({
      code: 2,
      err: expect.stringContaining('Move it away'),
    })
    const state = newState()
    await look(state)
    const other = makeLogCopy({ size: 10, seed: 'somebody else' })
    expect(await keepWatching(state, '--key', other.verifierKey)).toMatchObject({
      code: 2,
      err: expect.stringContaining('Name another --state'),
    })
  })
})
