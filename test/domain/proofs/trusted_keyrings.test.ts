// Keyrings of others are read at the start and again later; what was good once is kept, and nothing is read in between.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openTrustedKeyrings, type TrustedKeyrings } from '../../../server/domain/proofs/keyrings.ts'
import { keyring } from './vector_bundles.ts'

let folder: string
let opened: TrustedKeyrings | undefined
let logged: string[]
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pharos-keyrings-'))
  logged = []
})
afterEach(async () => {
  opened?.close()
  await rm(folder, { recursive: true, force: true })
})

const log = pino({ base: null }, { write: (line: string) => void logged.push(line) })
const put = async (name: string, content: string) => {
  await writeFile(join(folder, name), content)
  return join(folder, name)
}
const open = async (...sources: string[]) => {
  opened = await openTrustedKeyrings({ sources, log })
  return opened
}
const GOOD = JSON.stringify(keyring)

describe('trusted keyrings', () => {
  it('are there from the start; of a file only its name is told', async () => {
    const file = await put('one.json', GOOD)
    const { keyrings } = await open(file)
    expect(keyrings()).toMatchObject([
      { name: 'one.json', keys: [{ key_id: '591f29fc' }, { key_id: '9732a19e' }] },
    ])
    expect(keyrings()[0]).not.toHaveProperty('unloaded')
  })

  it('that cannot be read do not keep the service from starting, and say so', async () => {
    const sources = [
      join(folder, 'missing.json'),
      await put('no.json', 'no JSON'),
      await put('empty.json', ''),
      await put('other.json', '{"version":"1.0","keys":[{"key_id":"xx"}]}'),
      await put('large.json', ' '.repeat(1_048_577)),
      folder,
      'https://127.0.0.1:1/keyring.json',
    ]
    const { keyrings } = await open(...sources)
    expect(keyrings()).toEqual(
      sources.map((source) => ({
        name: source.startsWith('https:') ? source : basename(source),
        keys: [],
        unloaded: true,
      })),
    )
    expect(logged.filter((line) => line.includes('trusted_keyring.not_read'))).toHaveLength(sources.length)
  })

  it('are not named by what an address asks with, which may be for nobody’s eyes', async () => {
    const { keyrings } = await open('https://127.0.0.1:1/keyring.json?token=hush#too')
    expect(keyrings()).toMatchObject([{ name: 'https://127.0.0.1:1/keyring.json', unloaded: true }])
    expect(logged.join()).not.toContain('hush')
  })

  it('keep the last good copy when a later reading fails, and follow one that goes well', async () => {
    const file = await put('one.json', GOOD)
    const { keyrings, refresh } = await open(file)
    await put('one.json', '{')
    await refresh()
    expect(keyrings()[0]?.keys).toHaveLength(2)
    await rm(file)
    await refresh()
    expect(keyrings()[0]?.keys).toHaveLength(2)
    await put('one.json', JSON.stringify({ ...keyring, keys: keyring.keys.slice(1) }))
    await refresh()
    expect(keyrings()[0]?.keys).toMatchObject([{ key_id: '9732a19e' }])
  })

  it('are read again by the clock, and not otherwise', async () => {
    const file = await put('one.json', '{')
    const often = await openTrustedKeyrings({ sources: [file], log, refreshEvery: 20 })
    try {
      await put('one.json', GOOD)
      await expect.poll(() => often.keyrings()[0]?.keys.length).toBe(2)
    } finally {
      often.close()
    }
    const { keyrings } = await open(file)
    await rm(file)
    expect(keyrings()[0]?.keys).toHaveLength(2)
    expect(keyrings()[0]?.keys).toHaveLength(2)
  })
})
