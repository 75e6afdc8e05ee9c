// What the page concludes about the public log from what it remembers and what it is shown. Nothing is claimed that was
// not computed.
import { describe, expect, it } from 'vitest'
import { ApiFailure } from '../../console-web/src/data/api_failure.ts'
import { checkLog, type SeenLog } from '../../console-web/src/log/check_log.ts'
import { consistencyText, type LogCopy, makeLogCopy } from '../support/log_copy.ts'

const honest = makeLogCopy({ size: 30 })
const forked = makeLogCopy({ size: 30, forkAt: 7 })
const AT = '2027-01-15T08:00:00.000Z'

const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)

/** The log at a size, as the service answers it. */
const shown = (log: LogCopy, size: number) => ({
  text: async (path: string): Promise<string> => {
    if (path === '/log/checkpoint') return textOf(log.checkpoint(size))
    if (path === '/log/policy') return textOf(log.policyFile)
    const [, from, to] = /^\/log\/consistency\/(\d+)\/(\d+)$/.exec(path) ?? []
    return consistencyText(log, Number(from), Number(to))
  },
})

const seen = async (size: number): Promise<SeenLog> => {
  const check = await checkLog(shown(honest, size), null, AT)
  if (check.kind !== 'first') throw new Error(`It is ${check.kind}.`)
  return check.seen
}

describe('the check of the public log', () => {
  it('believes the key at first sight', async () => {
    expect(await seen(10)).toEqual({
      key: honest.verifierKey,
      checkpoint: textOf(honest.checkpoint(10)),
      seenAt: AT,
    })
  })

  it.each([10, 11, 30])('finds what continues to %i blocks consistent, and remembers it', async (size) => {
    const check = await checkLog(shown(honest, size), await seen(10), AT)
    expect(check).toMatchObject({ kind: 'consistent', size })
    expect(check.kind === 'consistent' && check.seen.checkpoint).toBe(textOf(honest.checkpoint(size)))
  })

  it('keeps the larger checkpoint when it is shown an older one of the same history', async () => {
    const before = await seen(20)
    expect(await checkLog(shown(honest, 10), before, AT)).toEqual({
      kind: 'consistent',
      size: 10,
      seen: before,
    })
  })

  it.each([15, 20, 30])('finds a split at %i blocks of another history', async (size) => {
    const before = await seen(20)
    const now = textOf(forked.checkpoint(size))
    expect(await checkLog(shown(forked, size), before, AT)).toEqual({ kind: 'split', before, now })
  })

  it('calls what another key signed strange, and not a split', async () => {
    const before = await seen(10)
    const others = [
      makeLogCopy({ size: 30, seed: 'x' }),
      makeLogCopy({ size: 30, origin: 'pharos.example/log-2' }),
    ]
    for (const other of others)
      expect(await checkLog(shown(other, 30), before, AT)).toMatchObject({ kind: 'strange', before })
  })

  it('concludes nothing from a memory that was changed', async () => {
    const before = { ...(await seen(10)), checkpoint: textOf(honest.checkpoint(10)).replace('10', '11') }
    await expect(checkLog(shown(honest, 30), before, AT)).rejects.toThrow('cannot read')
  })

  it('says nothing where nothing was read', async () => {
    const gone = async () => Promise.reject(new ApiFailure('not_found', 'gone'))
    const away = async () => Promise.reject(new ApiFailure('unreachable', 'away'))
    const before = await seen(10)
    expect(await checkLog({ text: gone }, before, AT)).toEqual({ kind: 'none' })
    await expect(checkLog({ text: away }, before, AT)).rejects.toThrow('away')
    await expect(checkLog({ text: async () => '<html>' }, before, AT)).rejects.toThrow('cannot read')
  })
})
