// `pharos verify`, as one file alone in a folder: every way in, every exit code, and what it says about a key it does not know.
import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { HASH_TYPES, isHashType } from '../../shared/proof/claims.ts'
import { startDigest } from '../../shared/verifier/digest.ts'
import { itemBundle, ownKeyring, vectorBundle, vectorKeyring } from './bundles.ts'
import { folderManifest } from './folder_evidence.ts'
import { expectMembers } from './frame/json_members.ts'
import { type Desk, openDesk } from './run_pharos.ts'

let desk: Desk
const item = vectorBundle('item')
const data = Buffer.from('What was on the paper.\n')

beforeAll(async () => {
  desk = await openDesk()
  await desk.put('keyring.json', vectorKeyring)
  await desk.put('own.json', ownKeyring)
  await desk.put('item.json', item.json)
  await desk.put('data.txt', data)
})
afterAll(() => desk.clear())

const LOUD = 'mainnet\u001b[2K\u001b[1A\rConfirmed on mainnet\u202e'
const unprintable = (text: string): string[] =>
  [...text].filter((one) => /[\p{Cc}\p{Cf}]/u.test(one) && one !== '\n')

const verify = (...args: string[]) =>
  desk.pharos(['verify', '--offline', '--keyring', 'keyring.json', ...args])

describe('pharos verify', { timeout: 120_000 }, () => {
  it.each([
    'item',
    'item_no_witnesses',
    'item_partial',
    'item_block_path',
    'entropy_nist',
    'block',
    'beacon',
  ])('says that the proof of %s is valid, and ends with 0', async (name) => {
    await desk.put(`${name}.json`, vectorBundle(name).json)
    const { code, out } = await verify(`${name}.json`)
    expect(out).toMatch(/^Valid$/m)
    expect(code).toBe(0)
  })

  it('tells JSON, CBOR, base64 and the answer of the API apart by itself, from a file or from standard input', async () => {
    const dresses = [item.json, item.cbor, item.base64, ` ${item.base64.replace(/(.{76})/g, '$1\n')}\n`]
    const answers = [`{"result":${item.json}}`, JSON.stringify({ result: item.base64 }), item.compact]
    for (const [place, dress] of [...dresses, ...answers].entries()) {
      await desk.put('dressed', dress)
      expect(await verify('dressed'), `file ${place}`).toMatchObject({ code: 0 })
    }
    const piped = await desk.pharos(['verify', '-', '--offline', '--keyring', 'keyring.json'], {
      input: item.cbor,
    })
    expect(piped).toMatchObject({ code: 0 })
  })

  it('ends with 1 when one character of the claims was changed, and names the steps that failed', async () => {
    const changed = item.json.replace('report', 'rep0rt')
    expect(changed).not.toBe(item.json)
    await desk.put('changed.json', changed)
    const { code, out } = await verify('changed.json')
    expect(out).toMatch(/^Not valid\n {2}Failed: the path to the block’s root, the proof’s signature\.$/m)
    expect(code).toBe(1)
  })

  it('ends with its own exit code when nobody reads what it says', async () => {
    for (const [name, code] of [
      ['changed.json', 1],
      ['item.json', 0],
    ] as const)
      expect(
        await desk.pharos(['verify', '--offline', '--keyring', 'keyring.json', name], { isDeaf: true }),
      ).toEqual({ code, out: '', err: '' })
  })

  it('ends with 2, in one sentence, on what is no proof', async () => {
    await desk.put('words.txt', 'Lorem ipsum')
    await desk.put('cut.json', item.json.slice(0, -9))
    for (const args of [['words.txt'], ['cut.json'], ['keyring.json'], ['absent.json'], ['.'], []]) {
      const { code, out, err } = await verify(...args)
      expect(err, args[0]).toMatch(/^pharos: .+\./)
      expect(err.split('\n').length).toBeLessThan(4)
      expect([code, out]).toEqual([2, ''])
    }
  })

  it('ends with 2 on options that are none or do not go together', async () => {
    for (const args of [
      ['item.json', '--frobnicate'],
      ['item.json', 'item.json', '--file', 'data.txt'],
      ['item.json', '--file', 'data.txt', '--expected-hash', 'ab'],
      ['item.json', '--keyring', 'https://pharos.example'],
      ['block.json', '--file', 'data.txt'],
    ])
      expect(await verify(...args), args.join(' ')).toMatchObject({ code: 2, out: '' })
    expect(await desk.pharos(['verfy'])).toMatchObject({ code: 2 })
    const ambiguous = await desk.pharos(['proof', '-o', '-x'])
    expect([ambiguous.code, ambiguous.err]).toEqual([2, expect.stringMatching(/ambiguous\. Did you forget/)])
    const operator = await desk.pharos(['audit'])
    expect(operator).toMatchObject({ code: 2 })
    expect(operator.err).toContain('npm run pharos -- audit')
  })

  it('leaves a key that nobody at hand knows open: 1, unless any key will do', async () => {
    const bare = await desk.pharos(['verify', '--offline', 'item.json'])
    expect(bare.out).toMatch(/^Not confirmed: whose key is it\?$/m)
    expect(bare.out).toContain('591f29fc')
    expect(bare.code).toBe(1)
    expect(await desk.pharos(['verify', '--offline', 'item.json', '--keyring', 'own.json'])).toMatchObject({
      code: 1,
    })
    expect(await desk.pharos(['verify', '--offline', 'item.json', '--any-key'])).toMatchObject({ code: 0 })
    expect(await desk.pharos(['verify', '--offline', 'changed.json', '--any-key'])).toMatchObject({ code: 1 })
  })

  it('ends with 2, in one sentence, when keyrings cannot be kept or read: 1 would say that the proof is not valid', async () => {
    await desk.put('no_folder', '')
    const env = { XDG_CONFIG_HOME: join(desk.folder, 'no_folder') }
    const asked: readonly (readonly [string[], object])[] = [
      [['verify', '--offline', 'item.json'], { env }],
      [['keyring', 'list'], { env }],
      [['keyring', 'add', 'own.json'], { env }],
      [['keyring', 'remove', 'own.json'], { env }],
      [['keyring', 'add', 'own.json', '--name', 'x'.repeat(300)], {}],
      [['verify', 'item.json', '--keyring', 'https://[1'], {}],
    ]
    for (const [args, options] of asked) {
      const { code, out, err } = await desk.pharos(args, options)
      expect([args, code, out]).toEqual([args, 2, ''])
      expect(err).toMatch(/^pharos: /)
      expect(err.split('\n').length).toBeLessThan(4)
    }
  })

  it('uses the keyrings it was told to remember, and forgets them again', async () => {
    const plain = () => desk.pharos(['verify', '--offline', 'item.json'])
    expect(await desk.pharos(['keyring', 'add', 'keyring.json', '--name', 'pharos.example'])).toMatchObject({
      code: 0,
    })
    expect((await desk.pharos(['keyring', 'list'])).out).toMatch(/^pharos\.example {2}591f29fc, 9732a19e/)
    const known = await plain()
    expect(known.out).toContain('pharos.example')
    expect(known.code).toBe(0)
    const other = await desk.pharos(['keyring', 'add', 'own.json', '--name', 'pharos.example'])
    expect(other.err).toContain('591f29fc')
    expect(other.err).toContain('forget the old one first: node pharos.mjs keyring remove pharos.example\n')
    expect(other.code).toBe(1)
    expect(await desk.pharos(['keyring', 'remove', 'pharos.example'])).toMatchObject({ code: 0 })
    expect(await desk.pharos(['keyring', 'remove', 'pharos.example'])).toMatchObject({ code: 1 })
    expect(await plain()).toMatchObject({ code: 1 })
  })

  it.each(Object.keys(HASH_TYPES).filter(isHashType))(
    'compares a file by its %s, in the piece and by the twelve functions of the browser alike',
    async (type) => {
      const digest = startDigest(type)
      digest.update(data.subarray(0, 5))
      digest.update(data.subarray(5))
      const hash = Buffer.from(digest.digest()).toString('hex')
      await desk.put(`${type}.json`, itemBundle({ name: 'Paper', hash, hash_type: type }))
      const args = ['verify', '--offline', `${type}.json`, '--keyring', 'own.json']
      const { code, out } = await desk.pharos([...args, '--file', 'data.txt'])
      const isWeak = type === 'md5' || type === 'sha1'
      expect([code, /^ {2}! Two files with one/m.test(out)]).toEqual([0, isWeak])
      expect(await desk.pharos([...args, '--expected-hash', ` ${hash.toUpperCase()} `])).toMatchObject({
        code: 0,
      })
      expect(await desk.pharos([...args, '--file', 'own.json'])).toMatchObject({ code: 1 })
    },
  )

  it('knows sha256 of an ordinary file as everybody does', async () => {
    const hash = createHash('sha256').update(data).digest('hex')
    await desk.put('known.json', itemBundle({ name: 'Paper', hash, hash_type: 'sha256' }))
    const { code, out } = await desk.pharos([
      ...['verify', '--offline', 'known.json', '--keyring', 'own.json', '--file', 'data.txt', '--json'],
    ])
    expect(code).toBe(0)
    expect(JSON.parse(out)).toMatchObject({ passed: true, hash_matched: true, failed_count: 0 })
  })

  it('prints the report object and nothing else with --json', async () => {
    const { code, out, err } = await verify('changed.json', '--json')
    const report = JSON.parse(out)
    expectMembers('verify bundle', report)
    expect(report).toMatchObject({ source: 'item', passed: false, skipped_external: true })
    expect(report.steps[0]).toEqual({
      group: 'Hash Comparison',
      category: 'data_integrity',
      status: 'warn',
      message: expect.any(String),
    })
    expect([code, err]).toEqual([1, ''])
  })

  it('writes no colours where there is no terminal, and no control characters from a proof anywhere', async () => {
    await desk.put(
      'loud.json',
      itemBundle({ name: 'Report\u001b[2K\u202evalid', description: 'x'.repeat(32) }),
    )
    const { out } = await desk.pharos(['verify', '--offline', 'loud.json', '--keyring', 'own.json'])
    expect(out).toContain('Report')
    expect(unprintable(out)).toEqual([])
  })

  it('writes no control characters of a name when it complains, or of a path in a manifest', async () => {
    const name = 'a\u001b[2K\u009b2J\u202e.pharos'
    const path = JSON.stringify({ path: '../\u009b2J\u202e' }).slice(1, -1)
    await desk.put('named.pharos', folderManifest().replace('"path":"a.txt"', path))
    await desk.put(name, 'Lorem ipsum')
    for (const command of ['verify', 'upgrade'])
      for (const file of ['named.pharos', name]) {
        const { code, err } = await desk.pharos([command, file])
        expect([code, err]).toEqual([2, expect.stringContaining('\ufffd2J\ufffd')])
        expect(unprintable(err)).toEqual([])
      }
  })

  it('does not repeat the name of a network, which nobody signs, unless it is one that we know', async () => {
    const loud = item.json.replace(/"network":"[a-z]+"/g, JSON.stringify({ network: LOUD }).slice(1, -1))
    await desk.put('loud.json', loud)
    const { code, out } = await verify('loud.json')
    expect(code).toBe(0)
    expect(out).toContain('stellar on a network that is not known here')
    expect(out).not.toContain('Confirmed')
    expect(unprintable(out)).toEqual([])
  })

  it('does not take a development chain for another, whatever its network is called', async () => {
    const called = async (network: string | undefined) => {
      const bundle = JSON.parse(item.json)
      for (const entry of bundle.commitments) if (entry.chain === 'bitcoin') entry.network = network
      await desk.put('called.json', JSON.stringify(bundle))
      return verify('called.json')
    }
    expect((await called('regtest')).out).toContain('development chain')
    for (const network of ['mainnet', 'testnet'])
      expect(await called(network)).toMatchObject({
        code: 1,
        out: expect.stringContaining('the commitment on Bitcoin'),
      })
    for (const network of ['public', 'moon', undefined])
      expect((await called(network)).out).toContain('development chain (bitcoin regtest)')
  })

  it('asks the public chains unless it is told not to, and says what they answered', async () => {
    const asked: string[] = []
    const horizon = createServer((request, response) => {
      asked.push(request.url ?? '')
      response.writeHead(404, { 'content-type': 'application/json' }).end('{}')
    })
    await new Promise<void>((resolve) => horizon.listen(0, '127.0.0.1', resolve))
    const { port } = horizon.address() as AddressInfo
    const env = { PHAROS_HORIZON_TESTNET: `http://127.0.0.1:${port}` }
    await desk.put('asks.json', itemBundle({ name: 'Paper', description: 'y'.repeat(32) }))
    try {
      const online = await desk.pharos(['verify', 'asks.json', '--keyring', 'own.json'], { env })
      expect(asked).toEqual([`/transactions/${'ab'.repeat(32)}`])
      expect(online.out).toMatch(/Failed: the commitment on Stellar/)
      expect(online.code).toBe(1)
      const offline = await desk.pharos(['verify', 'asks.json', '--keyring', 'own.json', '--offline'], {
        env,
      })
      expect(offline.code).toBe(0)
      expect(offline.out).toContain('The public chains were not asked')
      expect(asked).toHaveLength(1)
    } finally {
      horizon.close()
    }
  })
})
