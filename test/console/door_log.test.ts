// The front door's reading of the public log: entries from the end of a bundle, blocks that are in the signed tree, and
// when it looks again.
import { describe, expect, it } from 'vitest'
import { entriesAtEnd } from '../../console-web/src/door/bundle_tail.ts'
import type { LogFiles } from '../../console-web/src/door/log_files.ts'
import { lookAtLog } from '../../console-web/src/door/look_at_log.ts'
import { nextLook } from '../../console-web/src/door/next_look.ts'
import { readEntryBundle } from '../../shared/log/log_entry.ts'
import { consistencyText, type LogCopy, makeLogCopy } from '../support/log_copy.ts'

const log = makeLogCopy({ size: 260, rotations: [258] })
const NOW = '2027-01-15T12:00:00.000Z'

/** The files of a copy, of which some may be changed. */
const filesOf = (
  copy: LogCopy,
  changed: Record<string, (bytes: Uint8Array) => Uint8Array> = {},
): LogFiles => {
  const bytes = async (path: string): Promise<Uint8Array> => {
    const name = path.replace('/log/', '')
    const [, from, to] = /^consistency\/(\d+)\/(\d+)$/.exec(name) ?? []
    if (from !== undefined) return Buffer.from(await consistencyText(copy, Number(from), Number(to)))
    const found = name === 'policy' ? copy.policyFile : copy.files.get(name)
    if (found === undefined) throw new Error(`no ${name}`)
    return changed[name]?.(found.slice()) ?? found
  }
  return {
    bytes,
    tail: async (path, count) => (await bytes(path)).slice(-count),
    text: async (path) => Buffer.from(await bytes(path)).toString(),
  }
}

const flipped = (at: number) => (bytes: Uint8Array) =>
  bytes.map((byte, place) => (place === at || place === bytes.length + at ? byte ^ 1 : byte))

const bundle = log.files.get('tile/entries/000') ?? new Uint8Array()
const all = readEntryBundle(bundle)

describe('the end of a bundle', () => {
  it('has the entries that lie whole in it, wherever the bytes begin', () => {
    const last = (all.at(-1)?.length ?? 0) + 2
    for (const length of [last, last + 1, last + 150, 2_000, bundle.length]) {
      const found = entriesAtEnd(bundle.subarray(-length))
      expect(found.length, String(length)).toBeGreaterThan(0)
      expect(found).toEqual(all.slice(-found.length))
    }
    expect(entriesAtEnd(bundle)).toHaveLength(256)
    expect([entriesAtEnd(bundle.subarray(-(last - 1))), entriesAtEnd(new Uint8Array(9_000))]).toEqual([
      [],
      [],
    ])
  })
})

describe('a look at the log', () => {
  it('shows blocks beyond the border of a bundle, newest first, each computed', async () => {
    const look = await lookAtLog(filesOf(log), null, NOW)
    if (look.kind !== 'checked') throw new Error(look.kind)
    expect(look.blocks.map(({ height }) => height)).toEqual([259, 258, 257, 256, 255, 254, 253, 252, 251])
    expect(look.blocks[0]?.at).toBe(1_800_000_000_000 + 259 * 60_000)
    expect(look.check.kind).toBe('first')
    expect((await lookAtLog(filesOf(log), look.check.seen, NOW)).kind).toBe('checked')
  })

  it.each([
    ['an entry', 'tile/entries/001.p/4', -1, /not in the tree/],
    ['a tile', 'tile/0/001.p/4', 40, /not in the tree/],
  ])('says so when %s is not what the checkpoint signs', async (_, name, at, why) => {
    const look = await lookAtLog(filesOf(log, { [name]: flipped(at) }), null, NOW)
    expect(look).toEqual({ kind: 'contradiction', why: expect.stringMatching(why) })
  })

  it('raises an alarm for another signature and for another history', async () => {
    const unsigned = (bytes: Uint8Array) =>
      Buffer.from(Buffer.from(bytes).toString().replace('\n260\n', '\n259\n'))
    const strange = await lookAtLog(filesOf(log, { checkpoint: unsigned }), null, NOW)
    expect([strange.kind, 'check' in strange && strange.check.kind]).toEqual(['alarm', 'strange'])
    const before = await lookAtLog(filesOf(makeLogCopy({ size: 250, forkAt: 200 })), null, NOW)
    if (before.kind !== 'checked') throw new Error(before.kind)
    const split = await lookAtLog(filesOf(log), before.check.seen, NOW)
    expect([split.kind, 'check' in split && split.check.kind]).toEqual(['alarm', 'split'])
  })
})

describe('the next look', () => {
  it('comes soon after the next block is due, within bounds, and more seldom while none comes', () => {
    const minute = [180_000, 120_000, 60_000]
    expect(nextLook(minute, 190_000)).toBe(51_500)
    expect(nextLook([3_000, 2_000, 1_000], 3_100)).toBe(5_000)
    expect(nextLook([3_600_000 * 2, 3_600_000], 7_200_000)).toBe(60_000)
    expect([nextLook(minute, 300_000), nextLook(minute, 400_000), nextLook(minute, 9_000_000)]).toEqual([
      14_625, 39_625, 60_000,
    ])
    expect(nextLook([], 0)).toBe(30_000)
  })
})
