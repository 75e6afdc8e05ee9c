// `pharos verify` of time stamps, by the built command line alone in a folder: a token of a service is valid by the root that
// the reader names, and preserved by the evidence beside it.
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Certified } from '../../server/domain/time_stamps/make_certificates.ts'
import { openSealed } from '../../server/store/seal.ts'
import { utcSeconds } from '../../shared/proof/verify/carried_values.ts'
import { readTimeStamp } from '../../shared/time_stamps/read_time_stamp.ts'
import { commitBlocks } from '../domain/proofs/seed_commitment.ts'
import { ask, eventually } from '../support/http.ts'
import { testApp } from '../support/test_app.ts'
import { pemOf, revocationList } from '../support/time_stamps/own_authority.ts'
import { QUERY_TYPE, queryOf, readReply, TRUE } from '../support/time_stamps/query.ts'
import { expectMembers } from './frame/json_members.ts'
import { LONG_AFTER } from './long_after.ts'
import { type Desk, openDesk } from './run_pharos.ts'

const app = testApp({ aggregationIntervalMs: 100 })

let desk: Desk
beforeAll(async () => {
  await app.finalize()
  desk = await openDesk()
  await desk.put('paper.txt', 'a file')
  await desk.put('other.txt', 'another file')
  const { text: chain } = await eventually(async () => {
    const answer = await ask(app.port, '/tsa/certificates')
    return answer.status === 200 ? answer : undefined
  })
  await desk.put('chain.pem', chain)
  await desk.put('leaf.pem', chain.slice(0, chain.lastIndexOf('-----BEGIN')))
  await desk.put('keyring.json', (await ask(app.port, '/.well-known/keyring.json')).bytes)
  const query = queryOf({ digest: createHash('sha256').update('a file').digest(), rest: [TRUE] })
  const { bytes } = await ask(app.port, '/tsa', { body: query, headers: { 'Content-Type': QUERY_TYPE } })
  await app.finalize()
  await commitBlocks({ em: app.store.em() })
  const { token = expect.fail('no token') } = readReply(bytes)
  const { text: evidence } = await ask(app.port, `/tsa/evidence/${readTimeStamp(token).serial.toString(16)}`)
  await desk.put('alone.tsr', bytes)
  await desk.put('token.tst', token)
  await desk.put('paper.tsr', bytes)
  await desk.put('paper.tsr.pharos', evidence)
  await desk.put('cut.tsr', bytes.subarray(0, -1))
  await desk.put('large.crl', Buffer.alloc(4_194_305, 0x30))
  const again = await ask(app.port, '/tsa', { body: query, headers: { 'Content-Type': QUERY_TYPE } })
  await desk.put('other.tsr', again.bytes)
})
afterAll(() => desk.clear())

const verify = (...args: string[]) => desk.pharos(['verify', '--offline', ...args])
const BY_CHAIN = ['--ca', 'chain.pem']
const BY_BOTH = [...BY_CHAIN, '--keyring', 'keyring.json']

/** Those of the service. */
async function certificates(): Promise<{ readonly root: Certified; readonly leaf: Uint8Array }> {
  const em = app.store.em()
  const stored = await app.query<{
    readonly role: string
    readonly fingerprint: Buffer
    readonly certificate: Buffer
    readonly sealed_key: Buffer
  }>('SELECT role, fingerprint, certificate, sealed_key FROM time_stamp_certificates ORDER BY number')
  const root = stored.find(({ role }) => role === 'root') ?? expect.fail('no root')
  const leaf = stored.find(({ role }) => role === 'leaf') ?? expect.fail('no leaf')
  const privateKey = await openSealed(
    { em, masterKey: app.masterKey },
    'time_stamp_certificates.sealed_key',
    root.fingerprint,
    root.sealed_key,
  )
  return { root: { certificate: root.certificate, privateKey }, leaf: leaf.certificate }
}

const says = (code: number, headline: string) => ({
  code,
  out: expect.stringMatching(new RegExp(`^${headline}$`, 'm')),
})

describe('pharos verify of a time stamp', { timeout: 120_000 }, () => {
  it('is valid by a root that is named, in its response and alone, and for no other file', async () => {
    for (const name of ['alone.tsr', 'token.tst'])
      expect(await verify(name, '--file', 'paper.txt', ...BY_CHAIN)).toMatchObject(says(0, 'Valid'))
    expect(await verify('alone.tsr', '--file', 'other.txt', ...BY_CHAIN)).toMatchObject(says(1, 'Not valid'))
  })

  it('is unsupported by no root, and by a certificate that is none', async () => {
    expect(await verify('alone.tsr')).toMatchObject(says(1, 'Unsupported'))
    expect(await verify('alone.tsr', '--ca', 'leaf.pem')).toMatchObject(says(1, 'Unsupported'))
  })

  it('is valid by the root that was remembered with the keys of the service, until that is forgotten', async () => {
    const env = { XDG_CONFIG_HOME: `${desk.folder}/remembering` }
    const known = (...args: string[]) => desk.pharos(args, { env })
    expect(await known('keyring', 'add', app.base)).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^Remembered the root of its time-stamp authority: SHA-256 [0-9a-f]{64}$/m),
    })
    // Once more changes nothing.
    expect(await known('keyring', 'add', app.base)).toMatchObject({ code: 0 })
    const verified = () => known('verify', '--offline', 'alone.tsr', '--file', 'paper.txt')
    expect(await verified()).toMatchObject(says(0, 'Valid'))
    expect(await known('keyring', 'remove', new URL(app.base).host)).toMatchObject({ code: 0 })
    expect(await verified()).toMatchObject(says(1, 'Unsupported'))
  })

  it('is preserved by the evidence beside it, when the key of the service is known', async () => {
    expect(await verify('paper.tsr', '--file', 'paper.txt', ...BY_BOTH)).toMatchObject(says(0, 'Preserved'))
    expect(await verify('paper.tsr', '--file', 'paper.txt', ...BY_CHAIN)).toMatchObject(says(0, 'Valid'))
  })

  it('is preserved by its evidence long after its certificate has ended', async () => {
    const args = ['verify', '--offline', 'paper.tsr', '--file', 'paper.txt', ...BY_BOTH]
    expect(await desk.pharos(args, { env: LONG_AFTER })).toMatchObject(says(0, 'Preserved'))
  })

  it('needs its evidence once the certificate is revoked, which must be after its block', async () => {
    const revoked = ['--revoked-at', '2100-01-01']
    expect(await verify('alone.tsr', ...BY_BOTH, ...revoked)).toMatchObject(says(1, 'Unsupported'))
    expect(await verify('paper.tsr', ...BY_BOTH, ...revoked)).toMatchObject(says(0, 'Preserved'))
    const before = ['--revoked-at', '2026-01-01T00:00:00Z']
    expect(await verify('paper.tsr', ...BY_BOTH, ...before)).toMatchObject(says(1, 'Unsupported'))
  })

  it('needs its evidence once a list of its issuer names the certificate, and says since when', async () => {
    const { root, leaf } = await certificates()
    /** Puts the list, as DER and as PEM, and answers both names. */
    const listed = async (name: string, revoked: readonly Uint8Array[], at: number): Promise<string[]> => {
      const list = await revocationList(root, revoked, { at })
      return [await desk.put(`${name}.crl`, list), await desk.put(`${name}.pem`, pemOf('X509 CRL', list))]
    }
    const at = Math.floor(Date.now() / 1_000) * 1_000 + 60_000
    for (const crl of await listed('revoked', [root.certificate, leaf], at)) {
      const alone = await verify('alone.tsr', '--file', 'paper.txt', ...BY_BOTH, '--crl', crl)
      expect(alone).toMatchObject(says(1, 'Unsupported'))
      expect(alone.out).toContain(
        `! Its certificate, or one that it rests on, was revoked at ${utcSeconds(at)}: alone it shows nothing any more.`,
      )
      const kept = await verify('paper.tsr', '--file', 'paper.txt', ...BY_BOTH, '--crl', crl)
      expect(kept).toMatchObject(says(0, 'Preserved'))
      expect(kept.out).toContain(
        `! Its certificate, or one that it rests on, was revoked at ${utcSeconds(at)}`,
      )
    }
    // Before its block, so that the evidence shows nothing either.
    for (const crl of await listed('early', [leaf], at - 86_400_000))
      expect(await verify('paper.tsr', ...BY_BOTH, '--crl', crl)).toMatchObject(says(1, 'Unsupported'))
    for (const crl of await listed('other', [root.certificate], at)) {
      const valid = await verify('alone.tsr', ...BY_BOTH, '--crl', crl)
      expect(valid).toMatchObject(says(0, 'Valid'))
      expect(valid.out).toContain(`The list of ${utcSeconds(at)} does not name its certificate.`)
    }
    const both = ['--crl', 'other.crl', '--crl', 'revoked.pem']
    expect(await verify('alone.tsr', 'paper.tsr', ...BY_BOTH, ...both)).toMatchObject({
      code: 1,
      out: expect.stringMatching(/^! alone\.tsr {2}Unsupported\n[\s\S]*^✓ paper\.tsr {2}Preserved$/m),
    })
  })

  it('is told as JSON, and stands among other proofs', async () => {
    const { out } = await verify('paper.tsr', '--json', ...BY_BOTH)
    expect(JSON.parse(out)).toMatchObject({ verdict: 'preserved', digest: { type: 'sha256' } })
    expectMembers('verify time_stamp', JSON.parse(out))
    const many = await verify('paper.tsr', 'alone.tsr', ...BY_BOTH)
    expect(many.code).toBe(0)
    expect(many.out).toMatch(/paper\.tsr.*Preserved\n[\s\S]*alone\.tsr.*Valid\n/)
  })

  it.each([
    ['a time stamp that is cut', ['cut.tsr'], /cannot be read: it ends too early/],
    ['no certificate', ['alone.tsr', '--ca', 'paper.txt'], /no certificate that can be read/],
    ['no list of revoked ones', ['alone.tsr', '--crl', 'paper.txt'], /no list of revoked certificates/],
    ['a list that is too long', ['alone.tsr', '--crl', 'large.crl'], /large\.crl is larger than 4096 KiB/],
    ['no time', ['alone.tsr', '--revoked-at', 'soon'], /no time of a revocation/],
  ])('complains about %s', async (_, args, words) => {
    expect(await verify(...args)).toMatchObject({ code: 2, err: expect.stringMatching(words) })
  })
})

describe('pharos verify of evidence with a time stamp in it', { timeout: 120_000 }, () => {
  const withStamp = async (name: string, stamp: string) => {
    const evidence = JSON.parse(await readFile(join(desk.folder, 'paper.tsr.pharos'), 'utf8'))
    return desk.put(name, JSON.stringify({ ...evidence, time_stamp: stamp }))
  }
  const base64 = async (name: string) => (await readFile(join(desk.folder, name))).toString('base64')

  it('says that it is the very token, and whether its certificate is trusted', async () => {
    for (const [name, stamp] of [
      ['token', 'token.tst'],
      ['reply', 'alone.tsr'],
    ] as const) {
      const file = await withStamp(`with_${name}.pharos`, await base64(stamp))
      expect(await verify(file, ...BY_BOTH)).toMatchObject({
        code: 0,
        out: expect.stringMatching(/The time stamp in it +The time stamp in it is valid, and says/),
      })
      const { code, out } = await verify(file, '--keyring', 'keyring.json')
      expect([code, out]).toEqual([0, expect.stringContaining('its certificate is not trusted here')])
    }
  })

  it('is not valid when it is another token, or none', async () => {
    const other = await base64('other.tsr')
    expect(await verify(await withStamp('with_other.pharos', other), ...BY_BOTH)).toMatchObject({
      code: 1,
      out: expect.stringContaining('is not the token that this is about'),
    })
    for (const none of ['AAAA', 'no base64', await base64('cut.tsr')])
      expect(await verify(await withStamp('with_none.pharos', none), ...BY_BOTH)).toMatchObject({
        code: 1,
        out: expect.stringContaining('The time stamp in it cannot be read'),
      })
  })
})

describe('pharos info of a time stamp', { timeout: 120_000 }, () => {
  it('says what it says of itself', async () => {
    const { code, out } = await desk.pharos(['info', 'alone.tsr'])
    expect(code).toBe(0)
    expect(out).toMatch(/RFC 3161 time stamp/)
    expect(out).toMatch(/serial number\s+[0-9a-f]{16}\n/)
    expectMembers('info time_stamp', JSON.parse((await desk.pharos(['info', 'alone.tsr', '--json'])).out))
  })
})
