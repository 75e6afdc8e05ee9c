// `pharos verify` of .ots files of any origin, as one file alone in a folder: what the Bitcoin block has is asked of a service
// on this machine, and a promise is not yet a proof.
import { createHash } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type AnsweringServer, openAnsweringServer } from '../support/answering_server.ts'
import { expectMembers } from './frame/json_members.ts'
import {
  ATTESTED,
  attestedAt,
  DATA,
  DIGEST,
  file,
  HEIGHT,
  magic,
  PENDING,
  ROOT,
  STEPS,
  UNKNOWN,
} from './ots_files.ts'
import { type Desk, openDesk } from './run_pharos.ts'

const block = (merkleRoot: string, height = HEIGHT): string =>
  JSON.stringify([{ height, merkle_root: merkleRoot, timestamp: 1_798_761_600 }, { height: height - 1 }])

let desk: Desk
let mainnet: AnsweringServer
let testnet: AnsweringServer
beforeAll(async () => {
  desk = await openDesk()
  await desk.put('paper.txt', DATA)
  await desk.put('other.txt', 'Something else.')
  await desk.put('paper.ots', file(STEPS + ATTESTED))
})
afterAll(() => desk.clear())
beforeEach(async () => {
  mainnet = await openAnsweringServer()
  testnet = await openAnsweringServer()
})
afterEach(() => Promise.all([mainnet.close(), testnet.close()]))

const verify = (...args: string[]) =>
  desk.pharos(['verify', ...args], {
    env: { PHAROS_ESPLORA: mainnet.address, PHAROS_ESPLORA_TESTNET: testnet.address },
  })

describe('pharos verify of an .ots file', { timeout: 120_000 }, () => {
  it('says that it is valid when the Bitcoin block has the Merkle root, and for no other file', async () => {
    mainnet.answers.set(`/blocks/${HEIGHT}`, block(ROOT))
    const own = await verify('paper.ots', '--file', 'paper.txt')
    expect(own).toMatchObject({ code: 0, out: expect.stringMatching(/^Valid$/m) })
    expect(own.out).toContain('was there when Bitcoin block 1201 was made, 2027-01-01 00:00:00 UTC.')
    const other = await verify('paper.ots', '--file', 'other.txt')
    expect(other).toMatchObject({
      code: 1,
      out: expect.stringMatching(/^Not valid\n {2}Failed: the digest of the file\.$/m),
    })
    expect(mainnet.asked).toEqual([`/blocks/${HEIGHT}`, `/blocks/${HEIGHT}`])
  })

  it.each([
    ['has another Merkle root', () => block('00'.repeat(32)), 'has Merkle root 00000000'],
    ['is not there', () => ({ status: 404 }), 'is not there'],
  ])('says that it is not valid when the block %s on both networks', async (_, answer, words) => {
    mainnet.answers.set(`/blocks/${HEIGHT}`, answer())
    const { code, out } = await verify('paper.ots')
    expect([code, out]).toEqual([1, expect.stringContaining(words)])
    expect(testnet.asked).toEqual([`/blocks/${HEIGHT}`])
  })

  it('says when the block is one of the test network, on which nothing lasts', async () => {
    testnet.answers.set(`/blocks/${HEIGHT}`, block(ROOT))
    const { code, out } = await verify('paper.ots')
    expect([code, out]).toEqual([0, expect.stringContaining('a network for trials')])
    expect(out).toContain('was there when Bitcoin testnet block 1201 was made, 2027-01-01 00:00:00 UTC.')
  })

  it('leaves it open when only the test network could have the block, and could not be asked', async () => {
    mainnet.answers.set(`/blocks/${HEIGHT}`, block('00'.repeat(32)))
    testnet.answers.set(`/blocks/${HEIGHT}`, { status: 503 })
    const { code, out } = await verify('paper.ots')
    expect([code, out]).toEqual([2, expect.stringContaining('Not confirmed: what does Bitcoin say?')])
    expect(out).toContain('That of testnet could not be looked up')
  })

  it('names only blocks that were confirmed: a false one beside a true one is a warning, and so is an open one', async () => {
    mainnet.answers.set(`/blocks/${HEIGHT}`, block(ROOT))
    mainnet.answers.set('/blocks/6', { status: 503 })
    const notARoot = `f00107${attestedAt(7)}`
    await desk.put('beside.ots', file(`${STEPS}ff${attestedAt(5)}ff${attestedAt(6)}ff${ATTESTED}${notARoot}`))
    const { code, out } = await verify('beside.ots')
    expect(code).toBe(0)
    expect(out).toContain('was there when Bitcoin block 1201 was made')
    expect(out).toContain('! Block 5 of Bitcoin mainnet is not there.')
    expect(out).toContain('! Bitcoin block 6 could not be looked up')
    expect(out).toContain('! The operations lead to something else than a Merkle root.')
    const { blocks } = JSON.parse((await verify('beside.ots', '--json')).out)
    expect(blocks).toEqual([
      { height: 5, merkleRoot: ROOT },
      { height: 6, merkleRoot: ROOT },
      { height: HEIGHT, merkleRoot: ROOT, confirmedBy: 'mainnet', time: 1_798_761_600_000 },
    ])
  })

  it.each([
    ['nobody is asked', ['--offline'], undefined],
    ['the service is down', [], { status: 503 }],
    ['the service answers about another block', [], block(ROOT, HEIGHT + 1)],
    ['the service answers nonsense', [], '{}'],
  ] as const)('leaves it open, and ends with 2, when %s', async (_, words, answer) => {
    if (answer !== undefined) mainnet.answers.set(`/blocks/${HEIGHT}`, answer)
    const { code, out } = await verify('paper.ots', ...words)
    expect([code, out]).toEqual([2, expect.stringContaining('Not confirmed: what does Bitcoin say?')])
  })

  it('says of a promise that it is not yet more, and ends with 3', async () => {
    await desk.put('promised.ots', file(STEPS + PENDING))
    const { code, out } = await verify('promised.ots', '--file', 'paper.txt')
    expect([code, out]).toEqual([3, expect.stringMatching(/^Not yet$/m)])
    expect(out).toContain('The calendar at https://calendar.example.com/calendar/ promises a proof.')
    expect(mainnet.asked).toEqual([])
  })

  it('needs one block beside promises and what is not known, and more than what is not known alone', async () => {
    mainnet.answers.set(`/blocks/${HEIGHT}`, block(ROOT))
    await desk.put('both.ots', file(`${STEPS}ff${PENDING}ff${UNKNOWN}${ATTESTED}`))
    expect(await verify('both.ots')).toMatchObject({ code: 0 })
    await desk.put('unknown.ots', file(STEPS + UNKNOWN))
    expect(await verify('unknown.ots')).toMatchObject({
      code: 1,
      out: expect.stringContaining('No attestation in it is of a kind that is known.'),
    })
  })

  it('asks for no more than eight blocks, however many a file names, and warns of the others', async () => {
    const heights = Array.from({ length: 12 }, (_, at) => at + 1)
    const beside = heights.slice(0, -1).map((height) => `ff${attestedAt(height)}`)
    await desk.put('many.ots', file(STEPS + beside.join('') + attestedAt(12)))
    expect(await verify('many.ots')).toMatchObject({ code: 1 })
    expect(mainnet.asked).toHaveLength(8)
    mainnet.answers.set('/blocks/8', block(ROOT, 8))
    const { code, out } = await verify('many.ots')
    expect([code, out]).toEqual([0, expect.stringContaining('when Bitcoin block 8 was made')])
    for (const height of [9, 10, 11, 12])
      expect(out).toContain(
        `! Bitcoin block ${height} must have Merkle root ${ROOT}: that was not looked up.`,
      )
  })

  it('warns of sha1, and compares no file with a digest of a function that is not known here', async () => {
    const digest = createHash('sha1').update(DATA).digest()
    await desk.put('sha1.ots', file(STEPS + PENDING, '02', digest))
    const weak = await verify('sha1.ots', '--file', 'paper.txt')
    expect(weak).toMatchObject({ code: 3, out: expect.stringContaining('Two files with one sha1 digest') })
    await desk.put('ripemd.ots', file(STEPS + PENDING, '03', digest))
    expect(await verify('ripemd.ots')).toMatchObject({ code: 3 })
    expect(await verify('ripemd.ots', '--file', 'paper.txt')).toMatchObject({
      code: 2,
      err: expect.stringContaining('type ripemd160'),
    })
  })

  it.each([
    ['that is cut', file(STEPS + ATTESTED).subarray(0, -1), 'The bytes end too early.'],
    ['of another version', magic(2), 'of version 1'],
  ])('%s cannot be read, and ends with 2', async (_, bytes, words) => {
    await desk.put('broken.ots', bytes)
    expect(await verify('broken.ots')).toMatchObject({ code: 2, err: expect.stringContaining(words) })
  })

  it('prints the verdict, its rows and its blocks as JSON', async () => {
    mainnet.answers.set(`/blocks/${HEIGHT}`, block(ROOT))
    const { out } = await verify('paper.ots', '--json')
    expectMembers('verify ots', JSON.parse(out))
    expect(JSON.parse(out)).toMatchObject({
      verdict: 'valid',
      digest: { type: 'sha256', value: DIGEST.toString('hex') },
      blocks: [{ height: HEIGHT, merkleRoot: ROOT }],
    })
  })
})
