// A ledger that is behind what was signed, or is another one, gets no block: after a restored backup, and after a
// replica took over that had not everything. Copies of one ledger stand for both.
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { finalizeBlock } from '../../../server/domain/ledger/finalize_block.ts'
import { logStanding, noteTextOf } from '../../../server/domain/log/log_rows.ts'
import { acceptFork, prepareLog } from '../../../server/domain/log/origins.ts'
import { openPublicLog, type PublicLog } from '../../../server/domain/log/public_log.ts'
import { openSignedMemory } from '../../../server/domain/log/signed_memory.ts'
import { createLog } from '../../../server/kernel/log.ts'
import { openCheckpoint } from '../../../shared/log/checkpoint.ts'
import { utf8 } from '../../../shared/proof/bytes.ts'
import { openTestLedger, type TestLedger } from '../../support/ledger.ts'
import { row, rows } from '../../support/rows.ts'
import { makeTemporaryFolder } from '../../support/temporary_folder.ts'
import { hold, somebodyWaits } from '../ledger/until.ts'

/** All begin as copies of the same ledger, with one block and one key of the log. */
let whole: TestLedger
let behind: TestLedger
let dataDir: string
/** A data folder that has seen nothing. */
let elsewhere: string
let lines: { msg: string; [field: string]: unknown }[] = []
const opened: PublicLog[] = []

beforeAll(async () => {
  whole = await openTestLedger()
  for (let made = 0; made < 4; made++) await whole.finalize()
})
afterAll(() => whole.close())
beforeEach(async () => {
  behind = await openTestLedger()
  dataDir = await makeTemporaryFolder('pharos-memory-')
  elsewhere = await makeTemporaryFolder('pharos-memory-')
  lines = []
})
afterEach(async () => {
  for (const log of opened.splice(0)) await log.close()
  await behind.close()
  for (const folder of [dataDir, elsewhere]) await rm(folder, { recursive: true })
})

/** A server on a ledger, with the data folder of this test unless it has another. */
function serverOn(ledger: TestLedger, folder = dataDir): PublicLog & { finalize: () => Promise<string> } {
  const publicLog = openPublicLog({
    em: () => ledger.store.em('watch'),
    ledger: () => ledger.store.em('ledger'),
    masterKey: ledger.masterKey,
    memory: openSignedMemory(folder),
    log: createLog('info', { write: (line: string) => void lines.push(JSON.parse(line)) }),
  })
  opened.push(publicLog)
  const parts = { ...ledger, em: ledger.store.em('ledger'), publicLog }
  return Object.assign(
    { ...publicLog },
    {
      finalize: async () => (await finalizeBlock(parts, { intervalMs: 1 })).outcome,
    },
  )
}

const noteOf = async (ledger: TestLedger): Promise<string> => {
  const newest = (await logStanding(ledger.store.em(), 0))?.newest
  return newest === undefined ? '' : noteTextOf(newest)
}
const headOf = async (ledger: TestLedger): Promise<number> =>
  (await row<{ height: number }>(ledger.store.em(), 'SELECT max(height) AS height FROM blocks')).height
const said = (msg: string) => lines.filter((line) => line.msg === msg)

/** Puts the blocks of the whole ledger into the one that lost them. */
async function bringBack(): Promise<void> {
  const copy = async (table: string, where: string) => {
    const found = await rows<{ row: string }>(
      whole.store.em(),
      `SELECT to_jsonb(t) - 'previous_height' AS row FROM ${table} t WHERE ${where}`,
    )
    for (const { row: one } of found) {
      const columns = Object.keys(one).join(', ')
      await rows(
        behind.store.em(),
        `INSERT INTO ${table} (${columns}) SELECT ${columns} FROM jsonb_populate_record(NULL::${table}, $1)`,
        [JSON.stringify(one)],
      )
    }
  }
  await copy('blocks', 'height > 0')
  await copy('log_checkpoints', 'size > 1')
}

/** This data folder has seen the newest checkpoint of the whole ledger. */
async function remember(): Promise<void> {
  const server = serverOn(whole)
  await server.look()
  expect(server.behind()).toBeUndefined()
  lines = []
}

describe('what a server has seen', () => {
  const files = () => readdir(join(dataDir, 'signed_checkpoints'))

  it('is on its disk before it is shown, the newest alone', async () => {
    const server = serverOn(behind)
    expect(server.shown()).toBeUndefined()
    for (let size = 1; size <= 3; size++) {
      if (size > 1) expect(await server.finalize()).toBe('finalized')
      await server.look()
      expect(server.shown()?.size).toBe(size)
      const [name = '', ...more] = await files()
      expect(more).toEqual([])
      expect(await readFile(join(dataDir, 'signed_checkpoints', name), 'utf8')).toBe(await noteOf(behind))
    }
  })

  it('is not shown where it cannot be written', async () => {
    await writeFile(join(dataDir, 'signed_checkpoints'), 'no folder')
    const server = serverOn(behind)
    await server.look()
    await server.look()
    expect(server.shown()).toBeUndefined()
    expect(said('log.memory_not_written')).toHaveLength(1)
    await rm(join(dataDir, 'signed_checkpoints'))
    await server.look()
    expect(server.shown()?.size).toBe(1)
  })

  it('begins with what the server finds, once, and the log says so', async () => {
    const server = serverOn(behind)
    await server.look()
    await server.look()
    await serverOn(behind).look()
    expect(said('log.memory_begins')).toEqual([expect.objectContaining({ size: 1, origin: 'localhost/log' })])
  })

  it('is no evidence once a bit of it has changed', async () => {
    await remember()
    const path = join(dataDir, 'signed_checkpoints', (await files())[0] ?? '')
    await writeFile(path, (await readFile(path, 'utf8')).replace('\n5\n', '\n6\n'))
    expect(await serverOn(behind).finalize()).toBe('finalized')
  })
})

describe.each([
  { ledger: 'that is behind', ahead: 0 },
  { ledger: 'that went another way, not as far', ahead: 2 },
  { ledger: 'that went another way, and further', ahead: 6 },
])('on a ledger $ledger', ({ ahead }) => {
  beforeEach(async () => {
    for (let made = 0; made < ahead; made++) await behind.finalize()
    await remember()
  })

  it('the server makes no block, signs nothing, and says so with both checkpoints', async () => {
    const before = await noteOf(behind)
    const server = serverOn(behind)
    // It has not looked yet: the transaction that would make the block finds out.
    expect(await server.finalize()).toBe('behind')
    await server.look()
    const both = { signed: await noteOf(whole), found: before }
    expect(server.behind()).toEqual(both)
    expect(said('log.behind_what_was_signed')).toEqual([expect.objectContaining({ level: 'error', ...both })])
    expect(await server.finalize()).toBe('behind')
    expect([await headOf(behind), await noteOf(behind)]).toEqual([ahead, before])
  })

  it('a start signs nothing either', async () => {
    await rows(behind.store.em(), 'DELETE FROM log_checkpoints')
    const parts = { em: behind.store.em(), masterKey: behind.masterKey, tell: () => undefined }
    await prepareLog(parts, { origin: 'localhost/log', memory: openSignedMemory(dataDir) })
    expect(await noteOf(behind)).toBe('')
  })

  it('a start on a ledger from before the key says that this folder has seen another one', async () => {
    await rows(behind.store.em(), 'DELETE FROM log_checkpoints')
    await rows(behind.store.em(), 'DELETE FROM log_keys')
    const told: string[] = []
    const parts = {
      em: behind.store.em(),
      masterKey: behind.masterKey,
      tell: (line: string) => void told.push(line),
    }
    await prepareLog(parts, { origin: 'localhost/log', memory: openSignedMemory(dataDir) })
    expect(told).toEqual([expect.stringContaining('signed by another key')])
  })

  it('a server without that memory trusts what it finds, while no server is there that knows', async () => {
    const server = serverOn(behind, elsewhere)
    await server.look()
    expect(await server.finalize()).toBe('finalized')
  })

  it('no server makes a block once one with that memory has looked, and each says so with both checkpoints', async () => {
    const other = serverOn(behind, elsewhere)
    await other.look()
    const before = await noteOf(behind)
    await serverOn(behind).look()
    lines = []
    // It has not looked since: the transaction that would make the block finds out.
    expect(await other.finalize()).toBe('behind')
    await other.look()
    const both = { signed: await noteOf(whole), found: before }
    expect(other.behind()).toEqual(both)
    expect(said('log.behind_what_was_signed')).toEqual([expect.objectContaining({ level: 'error', ...both })])
    expect(other.shown()).toBeUndefined()
    expect([await headOf(behind), await noteOf(behind)]).toEqual([ahead, before])
  })

  it('a start with that memory tells the others, and one without it signs nothing', async () => {
    const start = (folder: string) =>
      prepareLog(
        { em: behind.store.em(), masterKey: behind.masterKey, tell: () => undefined },
        { origin: 'localhost/log', memory: openSignedMemory(folder) },
      )
    await start(dataDir)
    await rows(behind.store.em(), 'DELETE FROM log_checkpoints')
    await start(elsewhere)
    expect(await noteOf(behind)).toBe('')
    expect(await serverOn(behind, elsewhere).finalize()).toBe('behind')
  })

  it('a fork that is accepted lets it go on: another key and origin sign, no block changes, the history says why', async () => {
    const server = serverOn(behind)
    expect(await server.finalize()).toBe('behind')
    await server.look()
    const old = await noteOf(whole)
    const before = await rows(behind.store.em(), 'SELECT * FROM blocks ORDER BY height')
    const memory = openSignedMemory(dataDir)
    const parts = { em: behind.store.em(), masterKey: behind.masterKey, memory }
    await acceptFork(parts, { reason: 'the disk is gone' })
    expect(await rows(behind.store.em(), 'SELECT * FROM blocks ORDER BY height')).toEqual(before)
    expect(await server.finalize()).toBe('finalized')
    await server.look()
    expect(server.behind()).toBeUndefined()
    expect(server.shown()).toMatchObject({ key: { verifier: { name: 'localhost/log-2' } }, size: ahead + 2 })
    expect(
      await rows(behind.store.em(), 'SELECT origin, reason, last_checkpoint FROM log_keys ORDER BY number'),
    ).toEqual([
      { origin: 'localhost/log', reason: 'the disk is gone', last_checkpoint: old },
      { origin: 'localhost/log-2', reason: null, last_checkpoint: null },
    ])
    await expect(acceptFork(parts, { reason: 'again' })).rejects.toMatchObject({ code: 'invalid_argument' })
  })
})

describe('what one server knows', () => {
  const written = () => rows<{ note: string }>(behind.store.em(), 'SELECT note FROM missing_checkpoints')

  beforeEach(remember)

  it('is told without the cosignatures that its folder may hold, which nobody has verified', async () => {
    const folder = join(dataDir, 'signed_checkpoints')
    const [name = ''] = await readdir(folder)
    const cosignature = `\u2014 witness.example/one ${Buffer.alloc(76, 1).toString('base64')}\n`
    await writeFile(join(folder, name), `${await noteOf(whole)}${cosignature.repeat(100)}`)
    await serverOn(behind).look()
    expect(await written()).toEqual([{ note: await noteOf(whole) }])
  })

  it('waits for a block that is being made, and no block comes after that', async () => {
    const other = serverOn(behind, elsewhere)
    // The block has placed its leaves, and waits for the table that its tiles go to.
    const gate = await hold(behind.store.em(), (tx) => rows(tx, 'LOCK TABLE block_tiles IN SHARE MODE'))
    await behind.submit({})
    const block = other.finalize()
    await somebodyWaits(behind.store.em())
    const knowing = serverOn(behind).look()
    await somebodyWaits(behind.store.em(), 2)
    await gate.commit()
    expect(await block).toBe('finalized')
    await knowing
    expect(await written()).toHaveLength(1)
    expect([await other.finalize(), await headOf(behind)]).toEqual(['behind', 1])
  })

  it('stops two servers that make blocks in turn, at the latest by the block after', async () => {
    const others = [serverOn(behind, elsewhere), serverOn(behind, elsewhere)]
    const knowing = serverOn(behind)
    let isTold = false
    const telling = knowing.look().then(() => {
      isTold = true
    })
    const late: string[] = []
    for (let turn = 0; late.length < 6; turn++) {
      const wasTold = isTold
      const outcome = await others[turn % 2]?.finalize()
      if (wasTold) late.push(outcome ?? '')
    }
    await telling
    expect(new Set(late)).toEqual(new Set(['behind']))
  })

  it.each(['by its memory', 'from a witness'])(
    '%s is written again when the row is lost, as by a restored backup, also by one that was only told',
    async (how) => {
      const knowing = serverOn(behind, how === 'by its memory' ? dataDir : elsewhere)
      if (how === 'by its memory') await knowing.look()
      else expect(await knowing.consider(utf8(await noteOf(whole)))).toBe(true)
      const other = await makeTemporaryFolder('pharos-memory-')
      const told = serverOn(behind, other)
      await told.look()
      // What it was told is not only on its disk.
      await rm(other, { recursive: true })
      for (const server of [knowing, told]) {
        expect(await written()).toEqual([{ note: await noteOf(whole) }])
        await rows(behind.store.em(), 'DELETE FROM missing_checkpoints')
        await server.look()
      }
      expect(await written()).toEqual([{ note: await noteOf(whole) }])
    },
  )

  it('of the same past counts by the largest checkpoint', async () => {
    await serverOn(behind).look()
    const smaller = await noteOf(whole)
    expect(await written()).toEqual([{ note: smaller }])
    await whole.finalize()
    const knowsMore = serverOn(whole, elsewhere)
    await knowsMore.look()
    const key = knowsMore.shown()?.key.verifier ?? expect.fail('nothing is shown')
    await serverOn(behind, elsewhere).look()
    expect(await written()).toEqual([{ note: await noteOf(whole) }])
    await rm(dataDir, { recursive: true })
    await openSignedMemory(dataDir).keep(key, openCheckpoint(utf8(smaller), key))
    await serverOn(behind).look()
    expect(await written()).toEqual([{ note: await noteOf(whole) }])
  })

  it('is over when the lost data are back: blocks go on, and nothing is left of it', async () => {
    await serverOn(behind).look()
    const other = serverOn(behind, elsewhere)
    expect(await other.finalize()).toBe('behind')
    await bringBack()
    for (const server of [other, serverOn(behind)]) {
      expect(await server.finalize()).toBe('finalized')
      await server.look()
      expect(server.behind()).toBeUndefined()
    }
    expect(await written()).toEqual([])
  })

  it('is over when its fork is accepted, by a command that knows nothing of its own, too', async () => {
    const knowing = serverOn(behind)
    await knowing.look()
    const parts = { em: behind.store.em(), masterKey: behind.masterKey, memory: openSignedMemory(elsewhere) }
    await acceptFork(parts, { reason: 'the disk is gone' })
    expect(await written()).toEqual([])
    for (const server of [serverOn(behind, elsewhere), knowing])
      expect(await server.finalize()).toBe('finalized')
    await knowing.look()
    expect(said('log.fork_accepted')).toEqual([
      expect.objectContaining({ retired: 'localhost/log', origin: 'localhost/log-2' }),
    ])
    expect(await written()).toEqual([])
  })

  it('counts only with a valid signature of the key in use: anything else stops nobody, and goes', async () => {
    const note = await noteOf(whole)
    const last = note.length - 10
    for (const forged of [
      note.replace(/\n\d+\n/, '\n1000\n'),
      note.replaceAll('localhost/log', 'localhost/log-2'),
      note.slice(0, last) + (note[last] === 'A' ? 'B' : 'A') + note.slice(last + 1),
      `${note.split('\n\n')[0]}\n\n`,
      '',
    ]) {
      const server = serverOn(behind, elsewhere)
      await server.look()
      await rows(behind.store.em(), 'INSERT INTO missing_checkpoints (log, note) VALUES (1, $1)', [forged])
      await server.look()
      expect(server.behind()).toBeUndefined()
      expect(await server.finalize()).toBe('finalized')
      expect(await written()).toEqual([])
    }
    // Nor does it keep out what counts.
    await rows(behind.store.em(), 'INSERT INTO missing_checkpoints (log, note) VALUES (1, $1)', ['forged'])
    await serverOn(behind).look()
    expect(await written()).toEqual([{ note }])
  })
})

describe('a server that runs while its database becomes another one', () => {
  it('stops at the next block, and goes on when the lost data are back', async () => {
    // The databases change places behind one pool, as behind one address.
    let current = whole
    const store = { em: (purpose?: 'watch' | 'ledger') => current.store.em(purpose) }
    const publicLog = openPublicLog({
      em: () => store.em('watch'),
      ledger: () => store.em('ledger'),
      masterKey: whole.masterKey,
      memory: openSignedMemory(dataDir),
      log: createLog('info', { write: (line: string) => void lines.push(JSON.parse(line)) }),
    })
    opened.push(publicLog)
    const finalize = () => finalizeBlock({ ...whole, em: store.em('ledger'), publicLog }, { intervalMs: 1 })
    expect(await finalize()).toMatchObject({ outcome: 'finalized' })
    await publicLog.look()
    current = behind
    expect(await finalize()).toEqual({ outcome: 'behind' })
    await publicLog.look()
    expect(publicLog.behind()).toBeDefined()
    current = whole
    expect(await finalize()).toMatchObject({ outcome: 'finalized' })
    expect(said('log.extends_what_was_signed')).toHaveLength(1)
  })

  it('also when another process with its data folder has seen what it has not', async () => {
    const server = serverOn(behind)
    expect(await server.finalize()).toBe('finalized')
    await server.look()
    const stands = await headOf(behind)
    const key = server.shown()?.key.verifier ?? expect.fail('nothing is shown')
    await openSignedMemory(dataDir).keep(key, openCheckpoint(utf8(await noteOf(whole)), key))
    expect(await server.finalize()).toBe('behind')
    expect(await headOf(behind)).toBe(stands)
  })
})

describe('evidence from outside', () => {
  it('that the key in use has signed stops the server, and is remembered', async () => {
    const server = serverOn(behind)
    await server.look()
    expect(await server.consider(utf8(await noteOf(whole)))).toBe(true)
    expect(server.behind()?.signed).toBe(await noteOf(whole))
    expect(await server.finalize()).toBe('behind')
    expect(await serverOn(behind).finalize()).toBe('behind')
  })

  it('that agrees with the ledger changes nothing', async () => {
    const server = serverOn(whole)
    const before = await noteOf(whole)
    expect(await server.finalize()).toBe('finalized')
    expect(await server.consider(utf8(before))).toBe(true)
    expect(await server.finalize()).toBe('finalized')
  })

  it('about a smaller size that contradicts what is there stops it too', async () => {
    const server = serverOn(behind)
    for (let made = 0; made < 8; made++) expect(await server.finalize()).toBe('finalized')
    await server.look()
    expect(await server.consider(utf8(await noteOf(whole)))).toBe(true)
    expect(server.behind()?.signed).toBe(await noteOf(whole))
    expect(await server.finalize()).toBe('behind')
  })

  it('without a valid signature of the key in use is none, whatever size it names', async () => {
    const server = serverOn(behind)
    const note = await noteOf(whole)
    const last = note.length - 10
    for (const wrong of [
      note.replace(/\n\d+\n/, '\n1000\n'),
      note.replaceAll('localhost/log', 'localhost/log-2'),
      note.slice(0, last) + (note[last] === 'A' ? 'B' : 'A') + note.slice(last + 1),
      `${note.split('\n\n')[0]}\n\n`,
      '',
    ])
      expect(await server.consider(utf8(wrong))).toBe(false)
    expect(await server.finalize()).toBe('finalized')
    expect(server.behind()).toBeUndefined()
  })
})

it('no fork is accepted while nothing is behind, and nothing is retired', async () => {
  await remember()
  for (const folder of [dataDir, elsewhere]) {
    const parts = { em: whole.store.em(), masterKey: whole.masterKey, memory: openSignedMemory(folder) }
    await expect(acceptFork(parts, { reason: 'why not' })).rejects.toMatchObject({
      code: 'invalid_argument',
      problems: [{ detail: expect.stringMatching(/no fork to accept/) }],
    })
  }
  expect(await rows(whole.store.em(), 'SELECT number FROM log_keys WHERE retired_at IS NOT NULL')).toEqual([])
})

it('a fork is accepted with a reason, of at most 1,000 characters', async () => {
  const accept = (reason: string) =>
    acceptFork({ em: behind.store.em(), masterKey: behind.masterKey }, { reason })
  await expect(accept(' ')).rejects.toMatchObject({ code: 'required' })
  await expect(accept('x'.repeat(1_001))).rejects.toMatchObject({ code: 'invalid_argument' })
})
