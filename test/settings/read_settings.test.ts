// The configuration: defaults, blank values, every mistake at once, and no secret in what is logged.
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { SOURCE_CHOICES, SOURCES } from '../../server/domain/entropy/source.ts'
import {
  type Config,
  ConfigError,
  maskedSettings,
  readConfig,
  unknownNames,
} from '../../server/settings/read_settings.ts'
import { SETTING_NAMES } from '../../server/settings/settings.ts'
import { makeTemporaryFolder } from '../support/temporary_folder.ts'

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
  it('needs nothing: the defaults are those that are documented', () => {
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
    // As text: some values answer questions by functions, which are never equal.
    const asText = (settings: Record<string, string>) => JSON.stringify(read(settings))
    for (const blank of ['', ' ', '\t'])
      expect(asText(Object.fromEntries(SETTING_NAMES.map((name) => [name, blank])))).toBe(asText({}))
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

  it('reads trusted keyrings as files and https addresses, and refuses other addresses', () => {
    expect(read({}).trustedKeyrings).toEqual([])
    const given = ' a.json, /etc/b.json,https://pharos.example/.well-known/keyring.json,a.json,'
    expect(read({ TRUSTED_KEYRINGS: given }).trustedKeyrings).toEqual([
      'a.json',
      '/etc/b.json',
      'https://pharos.example/.well-known/keyring.json',
    ])
    for (const wrong of [
      'http://pharos.example/k',
      'https://',
      'https://me:secret@pharos.example/k',
      'file:///k',
    ])
      expect(mistakes({ TRUSTED_KEYRINGS: `a.json,${wrong}` })).toEqual(['TRUSTED_KEYRINGS'])
  })

  it.each(['TRUSTED_PROXIES', 'WEBHOOK_ALLOW_ADDRESSES', 'WEBHOOK_DENY_ADDRESSES'])(
    'takes up to 1,000 blocks of addresses as %s, and names the one that is none',
    (name) => {
      const blocks = (count: number) => Array.from({ length: count }, () => '203.0.113.0/24').join(',')
      expect(() => read({ [name]: blocks(1_000) })).not.toThrow()
      expect(() => read({ [name]: blocks(1_001) })).toThrow(`\n  ${name} has more than 1000 blocks`)
      for (const wrong of ['10.0.0.0/33', 'hooks.example.com', '2001:db8::/129', '10.0.0.0/8/8', 'fe80::%1'])
        expect(() => read({ [name]: `10.0.0.0/8, ${wrong}` })).toThrow(
          new RegExp(`\\n  ${name} ${wrong} is no (address and no )?CIDR block$`),
        )
    },
  )

  it('writes proofs in the published layout unless it is told otherwise', () => {
    expect(read({}).proofLayout).toBe('published')
    expect(read({ PROOF_LAYOUT: 'compact' }).proofLayout).toBe('compact')
    expect(mistakes({ PROOF_LAYOUT: 'tiny' })).toEqual(['PROOF_LAYOUT'])
  })

  it('opens the doors without an account by itself while only this machine reaches it, and else only those it is told', () => {
    const ALL = ['stamp', 'calendar', 'tsa']
    for (const own of [
      {},
      { HOST: '127.0.0.1' },
      { HOST: '::1', BASE_URL: 'http://[::1]:4000' },
      { BASE_URL: 'http://localhost:4000' },
    ])
      expect(read(own).publicDoors).toEqual(ALL)
    for (const reached of [
      { HOST: '0.0.0.0' },
      { HOST: '192.0.2.7' },
      { BASE_URL: 'https://pharos.example' },
      { TRUSTED_PROXIES: '127.0.0.1' },
    ]) {
      expect(read(reached).publicDoors).toEqual([])
      expect(read({ ...reached, PUBLIC_DOORS: 'tsa, stamp' }).publicDoors).toEqual(['tsa', 'stamp'])
    }
    expect(read({ PUBLIC_DOORS: 'none' }).publicDoors).toEqual([])
    for (const wrong of ['all', 'stamp,', 'stamp,stamp', 'none,stamp', 'toString'])
      expect(mistakes({ PUBLIC_DOORS: wrong })).toEqual(['PUBLIC_DOORS'])
  })

  it('takes the files of a certificate for time stamps together, from its own folder on', () => {
    expect(read({}).tsa).toEqual({ keyType: 'p256' })
    expect(read({ TSA_CERTIFICATE: 'tsa.pem', TSA_KEY: '/etc/tsa.key' }).tsa).toMatchObject({
      certificate: '/root/of/it/tsa.pem',
      key: '/etc/tsa.key',
    })
    expect(mistakes({ TSA_CERTIFICATE: 'tsa.pem' })).toEqual(['TSA_KEY'])
    expect(mistakes({ TSA_KEY: 'tsa.key' })).toEqual(['TSA_CERTIFICATE'])
    expect(mistakes({ TSA_KEY_TYPE: 'dsa' })).toEqual(['TSA_KEY_TYPE'])
  })

  it('takes an object identifier as TSA_POLICY', () => {
    expect(read({ TSA_POLICY: '2.25.329800735698586629295641978511506172918' }).tsa.policy).toMatch(/^2\.25/)
    for (const wrong of ['1', '3.1', '1.40', '1.2.03', '1..2', '1.2.x', 'policy'])
      expect(mistakes({ TSA_POLICY: wrong })).toEqual(['TSA_POLICY'])
  })

  it('takes four time servers or more, with ports where they have one', () => {
    expect(
      read({ TSA_TIME_SERVERS: 'a.example, b.example:1123 ,[::1]:5,192.0.2.1' }).tsa.timeServers,
    ).toEqual([
      { host: 'a.example', port: 123 },
      { host: 'b.example', port: 1_123 },
      { host: '::1', port: 5 },
      { host: '192.0.2.1', port: 123 },
    ])
    for (const wrong of ['a,b,c', 'a,b,c,c', 'a,b,c,http://d', 'a,b,c,d:99999', 'a,b,c,', 'a,b,c,u@d'])
      expect(mistakes({ TSA_TIME_SERVERS: wrong })).toEqual(['TSA_TIME_SERVERS'])
  })

  it('takes an AGGREGATION_INTERVAL that clients wait for', () => {
    expect(read({}).aggregationIntervalMs).toBe(1_000)
    expect(read({ AGGREGATION_INTERVAL: '100ms' }).aggregationIntervalMs).toBe(100)
    for (const wrong of ['99ms', '4001ms', '5s', '0s'])
      expect(mistakes({ AGGREGATION_INTERVAL: wrong })).toEqual(['AGGREGATION_INTERVAL'])
  })

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

  it('says once what a value should be, never in the words of a library', () => {
    expect(() =>
      read({
        PORT: '80000',
        SIGN_UP: 'maybe',
        OTEL_TRACES_SAMPLER_ARG: '2',
        DATABASE_URL: 'postgresql://x/y',
        MASTER_KEY: 'x',
      }),
    ).toThrow(
      /^The configuration is wrong:(\n {2}(MASTER_KEY is not 64 hex characters|PORT is not a whole number from 0 to 65535|SIGN_UP is not one of closed, open|OTEL_TRACES_SAMPLER_ARG is not a number from 0 to 1)){4}$/,
    )
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

  it('names what stands in .env and is no setting, and limits that were settings wherever they are set', async () => {
    const root = await makeTemporaryFolder('pharos-env-')
    const set = { PATH: '/bin', SHELL_LEVEL: '1', LIMIT_SCRIPTS: '3', LIMIT_LISTS: '3', LIMIT_ROWS: ' ' }
    expect(unknownNames(set, root)).toEqual(['LIMIT_LISTS'])
    const lines = [
      'BLOCK_INTERVALL=5s',
      '# PROT=1',
      'PORT=1',
      'LIMIT_SCRIPTS=3',
      'NODE_OPTIONS=',
      'LIMIT_LIST=3',
    ]
    await writeFile(join(root, '.env'), lines.join('\n'))
    expect(unknownNames(set, root)).toEqual(['BLOCK_INTERVALL', 'LIMIT_LIST', 'LIMIT_LISTS'])
    await rm(root, { recursive: true })
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

describe('whom we ask outside', () => {
  it('everybody by default, at their public addresses', () => {
    const { entropy, lookups, chains } = read({})
    expect(entropy.map(({ source }) => source)).toEqual(SOURCE_CHOICES.map((choice) => SOURCES[choice]))
    for (const address of [...entropy.map((one) => one.address), ...Object.values(lookups)])
      expect(address).toMatch(/^https:\/\/[^?#]*[^/]$/)
    expect(chains.stellar).toEqual({
      network: 'public',
      horizonUrl: lookups.horizonPublic,
      secret: undefined,
    })
  })

  it('the Stellar network that epochs are committed to, for entropy as well', () => {
    const testnet = { STELLAR_NETWORK: 'testnet', STELLAR_SECRET: 'S'.padEnd(56, 'A') }
    const stellarOf = ({ entropy }: Config) =>
      entropy.find(({ source }) => source === SOURCES.stellar)?.address
    const home = read({ ...testnet, PUBLIC_CHAINS: 'stellar' })
    expect(stellarOf(home)).toBe(home.lookups.horizonTestnet)
    const away = read({ ...testnet, PUBLIC_CHAINS: 'none' })
    expect(stellarOf(away)).toBe(away.lookups.horizonPublic)
    const told = read({ ...testnet, PUBLIC_CHAINS: 'stellar', ENTROPY_STELLAR_URL: 'https://h.example.org' })
    expect(stellarOf(told)).toBe('https://h.example.org')
  })

  it.each([
    ['none', []],
    ['nist', [SOURCES.nist]],
    ['bitcoin, nist', [SOURCES.bitcoin, SOURCES.nist]],
  ])('ENTROPY_SOURCES=%s', (text, sources) => {
    expect(read({ ENTROPY_SOURCES: text }).entropy.map(({ source }) => source)).toEqual(sources)
  })

  it.each(['nist,', 'nist,nist', 'none,nist', 'NIST', 'toString', 'entropy_nist'])(
    'refuses ENTROPY_SOURCES=%s',
    (text) => {
      expect(mistakes({ ENTROPY_SOURCES: text })).toEqual(['ENTROPY_SOURCES'])
    },
  )

  it('takes a base address with a path, without its last slashes, and none with more to it', () => {
    expect(read({ LOOKUP_NIST_URL: 'http://127.0.0.1:81/beacon/2.0//' }).lookups.nist).toBe(
      'http://127.0.0.1:81/beacon/2.0',
    )
    for (const text of [
      'beacon',
      'ftp://a.example',
      'https://a.example/?x=1',
      'https://a.example/#x',
      'https://u:p@a.example',
    ])
      expect(mistakes({ ENTROPY_BITCOIN_URL: text })).toEqual(['ENTROPY_BITCOIN_URL'])
  })

  it('goes to the Horizon of the network that is chosen, and keeps its secrets to itself', () => {
    const secret = `S${'A'.repeat(55)}`
    const given = { STELLAR_NETWORK: 'testnet', STELLAR_SECRET: secret, METRICS_TOKEN: 'x'.repeat(16) }
    const { chains, lookups, metricsToken } = read(given)
    expect(chains.stellar).toEqual({ network: 'testnet', horizonUrl: lookups.horizonTestnet, secret })
    expect(metricsToken).toBe('x'.repeat(16))
    expect(maskedSettings(given)).toEqual({
      STELLAR_NETWORK: 'testnet',
      STELLAR_SECRET: '(set)',
      METRICS_TOKEN: '(set)',
    })
    expect(
      mistakes({ STELLAR_NETWORK: 'mainnet', STELLAR_SECRET: 'G', METRICS_TOKEN: 'short' }).toSorted(),
    ).toEqual(['METRICS_TOKEN', 'STELLAR_NETWORK', 'STELLAR_SECRET'])
  })
})

describe('public chains', () => {
  it('are the development chain unless some are named, or none at all', () => {
    expect(read({}).chains).toMatchObject({
      names: ['embedded'],
      intervals: { bitcoin: 900_000, stellar: 300_000, embedded: 120_000 },
      bitcoin: { confirmations: 1 },
    })
    expect(read({ PUBLIC_CHAINS: 'none' }).chains.names).toEqual([])
  })

  it.each(['bitcoin', 'stellar', 'bitcoin, stellar'])(
    'PUBLIC_CHAINS=%s need what they are reached by',
    (text) => {
      const given = {
        PUBLIC_CHAINS: text,
        BITCOIN_RPC_URL: 'http://user:password@127.0.0.1:8332/wallet/ours',
        STELLAR_SECRET: `S${'A'.repeat(55)}`,
      }
      expect(read(given).chains.names).toEqual(text.split(', '))
      expect(maskedSettings(given)).toMatchObject({ BITCOIN_RPC_URL: '(set)', STELLAR_SECRET: '(set)' })
      expect(mistakes({ PUBLIC_CHAINS: text }).toSorted()).toEqual(
        text.split(', ').map((name) => (name === 'bitcoin' ? 'BITCOIN_RPC_URL' : 'STELLAR_SECRET')),
      )
    },
  )

  it.each(['bitcoin,', 'bitcoin,bitcoin', 'embedded', 'none,bitcoin', 'BITCOIN', 'toString'])(
    'refuses PUBLIC_CHAINS=%s',
    (text) => {
      expect(mistakes({ PUBLIC_CHAINS: text })).toEqual(['PUBLIC_CHAINS'])
    },
  )

  it('have epochs from a second to a day', () => {
    expect(read({ EPOCH_INTERVAL_EMBEDDED: '1s' }).chains.intervals.embedded).toBe(1_000)
    for (const text of ['500ms', '25h', '5'])
      expect(mistakes({ EPOCH_INTERVAL_STELLAR: text })).toEqual(['EPOCH_INTERVAL_STELLAR'])
    for (const text of ['0', '101', '1.5', 'x'])
      expect(mistakes({ BITCOIN_CONFIRMATIONS: text })).toEqual(['BITCOIN_CONFIRMATIONS'])
  })
})
