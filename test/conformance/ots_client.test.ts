// The unmodified OpenTimestamps client stamps, upgrades, shows and verifies by the calendar and the development chain of a
// service, with the words that the page of the calendar prints.
import { createHash } from 'node:crypto'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { answeringReader } from '../../server/devchain/reader_address.ts'
import { openDesk } from '../client/run_pharos.ts'
import { openAnsweringServer } from '../support/answering_server.ts'
import { NO_CHAINS, openTestApp, type TestApp, type TestAppOptions } from '../support/app.ts'
import { freePort } from '../support/free_port.ts'
import { ask, eventually } from '../support/http.ts'
import { otsClient } from '../support/ots_client.ts'
import { type OtsRead, readOts } from '../support/ots_reader.ts'
import { makeTemporaryFolder } from '../support/temporary_folder.ts'

const ots = await otsClient()

/** Commits what the test finalizes, every second. */
const COMMITTING: TestAppOptions = {
  chains: { ...NO_CHAINS, names: ['embedded'] },
  aggregationIntervalMs: 100,
}

describe.skipIf(ots === undefined)('the OpenTimestamps client', () => {
  let app: TestApp
  let folder: string
  let node: string
  beforeAll(async () => {
    folder = await makeTemporaryFolder('pharos-ots-')
    app = await openTestApp({ ...COMMITTING, dataDir: join(folder, 'data') })
    await app.finalize()
    node = (await answeringReader(join(folder, 'data'))) ?? expect.fail('no development chain answers')
  })
  afterAll(async () => {
    await app.close()
    await rm(folder, { recursive: true, force: true })
  })

  const run = (...words: readonly string[]) => ots?.(folder, ...words) ?? expect.fail('no client')
  const addressOf = ({ base }: Pick<TestApp, 'base'>): string => `${base}/calendar/`
  const write = (name: string, text = `The text of ${name}.`) => writeFile(join(folder, name), text)
  const read = async (name: string): Promise<OtsRead> => readOts(await readFile(join(folder, `${name}.ots`)))
  const stamp = async (name: string, ...calendars: readonly string[]): Promise<OtsRead> => {
    await write(name)
    const chosen = calendars.flatMap((address) => ['-c', address])
    // The client gives up after five seconds by itself, and a test machine may be slow.
    const patient = ['--timeout', '100', '-m', String(calendars.length)]
    const { code, said } = await run('stamp', ...chosen, ...patient, name)
    expect(code, said).toBe(0)
    return read(name)
  }
  /** Waits until every promise can be kept. */
  const kept = async ({ pending }: OtsRead): Promise<void> => {
    await app.finalize()
    for (const { address, message } of pending)
      await eventually(async () => {
        const { port, pathname } = new URL(`timestamp/${message.toString('hex')}`, address)
        return (await ask(Number(port), pathname)).status === 200 ? true : undefined
      })
  }
  const verify = (name: string, address: string) =>
    run('--btc-regtest', '--bitcoin-node', node, '-l', address, 'verify', `${name}.ots`)

  it('stamps, waits, upgrades, shows and verifies', async () => {
    const address = addressOf(app)
    const stamped = await stamp('paper.txt', address)
    const digest = createHash('sha256').update('The text of paper.txt.').digest()
    expect(stamped).toMatchObject({ hashType: 'sha256', digest, attestations: [], pending: [{ address }] })

    const early = await run('upgrade', '-c', address, 'paper.txt.ots')
    expect(early.said).toContain(`Calendar ${address}: the subject is not in a finalized block yet`)
    expect(early.said).toContain('Failed! Timestamp not complete')
    await kept(stamped)
    const plain = await run('upgrade', 'paper.txt.ots')
    expect(plain.said).toContain(`Ignoring attestation from calendar ${address}: Calendar not in whitelist`)
    const upgraded = await run('-l', address, 'upgrade', 'paper.txt.ots')
    expect([upgraded.code, upgraded.said]).toEqual([
      0,
      expect.stringContaining('Success! Timestamp complete'),
    ])

    const shown = await run('info', 'paper.txt.ots')
    const [{ height } = expect.fail('no attestation')] = (await read('paper.txt')).attestations
    expect(shown.said).toContain(`verify BitcoinBlockHeaderAttestation(${height})`)
    const verified = await verify('paper.txt', address)
    expect([verified.code, verified.said]).toEqual([
      0,
      expect.stringContaining(`Success! Bitcoin block ${height} attests existence`),
    ])
    await write('paper.txt', 'Another text.')
    expect((await verify('paper.txt', address)).code).not.toBe(0)
  })

  it('stamps by the line that the page prints, within the time that it waits by itself', async () => {
    const usual = await openTestApp({ ...COMMITTING, aggregationIntervalMs: 1_000, beside: app })
    try {
      const address = addressOf(usual)
      await write('plain.txt')
      const { code, said } = await run('stamp', '-c', address, '-m', '1', 'plain.txt')
      expect(code, said).toBe(0)
      expect((await read('plain.txt')).pending).toMatchObject([{ address }])
    } finally {
      await usual.close()
    }
  })

  it('leaves a file that the verifier of one file verifies too, with nothing of this service', async () => {
    const address = addressOf(app)
    await kept(await stamp('alone.txt', address))
    expect((await run('-l', address, 'upgrade', 'alone.txt.ots')).code).toBe(0)
    const [{ height, message } = expect.fail('no attestation')] = (await read('alone.txt')).attestations
    const [bitcoin, desk] = await Promise.all([openAnsweringServer(), openDesk()])
    try {
      // Bitcoin shows its hashes from the last byte to the first.
      const merkle_root = Buffer.from(message).reverse().toString('hex')
      bitcoin.answers.set(
        `/blocks/${height}`,
        JSON.stringify([{ height, merkle_root, timestamp: 1_798_761_600 }]),
      )
      await desk.put('copy.ots', await readFile(join(folder, 'alone.txt.ots')))
      await desk.put('alone.txt', await readFile(join(folder, 'alone.txt')))
      const ran = await desk.pharos(['verify', 'copy.ots', '--file', 'alone.txt'], {
        env: { PHAROS_ESPLORA: bitcoin.address, PHAROS_ESPLORA_TESTNET: bitcoin.address },
      })
      expect(ran).toMatchObject({ code: 0, out: expect.stringMatching(/^Valid$/m) })
    } finally {
      await Promise.all([bitcoin.close(), desk.clear()])
    }
  })

  it('has the promises of two calendars at once, and needs one of them', async () => {
    const other = await openTestApp({ ...COMMITTING, beside: app })
    const [one, two] = [addressOf(app), addressOf(other)]
    const stamped = await stamp('both.txt', one, two).finally(other.close)
    expect(stamped.pending.map(({ address }) => address).toSorted()).toEqual([one, two].toSorted())
    await kept({ ...stamped, pending: stamped.pending.filter(({ address }) => address === one) })
    const { code, said } = await run('-l', one, '-l', two, 'upgrade', 'both.txt.ots')
    expect([code, said]).toEqual([0, expect.stringContaining('Success! Timestamp complete')])
    const verified = await verify('both.txt', one)
    expect(verified.code, verified.said).toBe(0)
  })

  it('upgrades a receipt from before the service was started again', async () => {
    const port = await freePort()
    const before = await openTestApp({ ...COMMITTING, beside: app, port })
    const address = addressOf(before)
    const stamped = await stamp('old.txt', address)
    await before.close()
    const gone = await run('upgrade', '-c', address, 'old.txt.ots')
    expect(gone.code).toBe(1)
    const after = await openTestApp({ ...COMMITTING, beside: app, port })
    try {
      await kept(stamped)
      const { code, said } = await run('upgrade', '-c', address, 'old.txt.ots')
      expect([code, said]).toEqual([0, expect.stringContaining('Success! Timestamp complete')])
    } finally {
      await after.close()
    }
  })

  it('is told in words that a receipt is of another service', async () => {
    const stranger = await openTestApp(COMMITTING)
    try {
      await stamp('theirs.txt', addressOf(app))
      const { code, said } = await run('upgrade', '-c', addressOf(stranger), 'theirs.txt.ots')
      expect([code, said]).toEqual([1, expect.stringContaining('no round has this root')])
      expect(stranger.logged.filter(({ msg }) => msg === 'request.fault')).toEqual([])
    } finally {
      await stranger.close()
    }
  })
})
