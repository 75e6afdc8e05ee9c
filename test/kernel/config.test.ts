// The configuration: defaults, blank values, every mistake at once, and no secret in what is logged.
import { describe, expect, it } from 'vitest'
import { ConfigError, maskedSettings, readConfig } from '../../server/config.ts'
import { SETTINGS } from '../../server/settings.ts'

const read = (environment: Record<string, string>) => readConfig(environment, '/root/of/it')
const mistakes = (environment: Record<string, string>): string[] => {
  try {
    read(environment)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return error.message
      .split('\n')
      .slice(1)
      .map((line) => line.trim().split(' ')[0] ?? '')
  }
  return []
}
const KEY = 'ab'.repeat(32)

describe('the configuration', () => {
  it('needs nothing: the defaults are those of the specification', () => {
    expect(read({})).toMatchObject({
      port: 4_000,
      host: 'localhost',
      baseUrl: undefined,
      databaseUrl: undefined,
      masterKey: undefined,
      dataDir: '/root/of/it/.data',
      blockIntervalMs: 60_000,
      maxBodyBytes: 528_384,
      logLevel: 'info',
    })
  })

  it('counts blank values as not set', () => {
    for (const blank of ['', ' ', '\t'])
      expect(read(Object.fromEntries(Object.keys(SETTINGS).map((name) => [name, blank])))).toEqual(read({}))
  })

  it.each([
    ['60s', 60_000],
    ['5s', 5_000],
    ['2m', 120_000],
    ['1h', 3_600_000],
    ['1500ms', 1_500],
  ])('reads a duration of %s', (text, ms) => {
    expect(read({ BLOCK_INTERVAL: text }).blockIntervalMs).toBe(ms)
  })

  it.each(['60', '0s', '-5s', '1.5m', '5 s', '2d', '999ms', '2h', 's', 'NaNs', '9'.repeat(400)])(
    'refuses a duration of %j',
    (text) => {
      expect(mistakes({ BLOCK_INTERVAL: text })).toEqual(['BLOCK_INTERVAL'])
    },
  )

  it('takes an origin as BASE_URL, and refuses one with a path, query, fragment or user', () => {
    for (const text of ['https://pharos.example', 'https://pharos.example/', 'HTTP://pharos.example:80'])
      expect(read({ BASE_URL: text }).baseUrl).toBe(new URL(text).origin)
    for (const text of [
      'https://a.example/api',
      'https://a.example/?x',
      'https://a.example/#x',
      'https://u@a.example',
    ])
      expect(mistakes({ BASE_URL: text })).toEqual(['BASE_URL'])
  })

  it.each(['', '65536', '-1', 'x', '4000.5'].slice(1))('refuses PORT=%s', (text) => {
    expect(mistakes({ PORT: text })).toEqual(['PORT'])
  })

  it('takes a master key of 64 hex characters, and needs one beside DATABASE_URL', () => {
    expect(read({ MASTER_KEY: KEY }).masterKey).toEqual(Buffer.alloc(32, 0xab))
    expect(mistakes({ MASTER_KEY: KEY.slice(1) })).toEqual(['MASTER_KEY'])
    expect(mistakes({ DATABASE_URL: 'postgresql://x/y' })).toEqual(['MASTER_KEY'])
    expect(mistakes({ DATABASE_URL: 'mysql://x/y', MASTER_KEY: KEY })).toEqual(['DATABASE_URL'])
  })

  it('reports all mistakes at once', () => {
    expect(
      mistakes({
        PORT: 'x',
        BASE_URL: 'https://a.example/x',
        BLOCK_INTERVAL: 'x',
        LIMIT_BODY_BYTES: '1',
        LOG_LEVEL: 'loud',
        MASTER_KEY: 'x',
      }).toSorted(),
    ).toEqual(['BASE_URL', 'BLOCK_INTERVAL', 'LIMIT_BODY_BYTES', 'LOG_LEVEL', 'MASTER_KEY', 'PORT'])
  })

  it('logs what was set, and of secrets only that they are', () => {
    const shown = maskedSettings({
      PORT: '1',
      DATABASE_URL: 'postgresql://u:hunter2@x/y',
      MASTER_KEY: KEY,
      HOST: ' ',
      PATH: '/bin',
    })
    expect(shown).toEqual({ PORT: '1', DATABASE_URL: '(set)', MASTER_KEY: '(set)' })
  })
})

it('a BASE_URL that is no address is a mistake like any other', () => {
  expect(mistakes({ BASE_URL: 'pharos.example', PORT: 'x' }).toSorted()).toEqual(['BASE_URL', 'PORT'])
})
