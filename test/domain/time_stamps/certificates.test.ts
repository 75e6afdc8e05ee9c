// A root is made once and a leaf each year, whoever asks first; what a leaf may do and until when stands in its certificate.
import { X509Certificate } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import {
  allCertificates,
  CERTIFICATE_LIFETIMES,
  currentCertificate,
  noteBroughtCertificate,
  rotateCertificate,
} from '../../../server/domain/time_stamps/certificates.ts'
import { SealBroken } from '../../../server/kernel/sealed.ts'
import { openStore } from '../../../server/store/open_store.ts'
import { freshLedger } from '../../support/test_ledger.ts'
import { readTlv } from '../../support/time_stamps/second_der.ts'

const ledger = freshLedger()
const sealing = (em = ledger.store.em()) => ({ em, masterKey: ledger.masterKey })
const current = () => currentCertificate(sealing(), 'p256')

const stored = () =>
  ledger.database.query<{ role: string; fingerprint: Buffer }>(
    'SELECT role, fingerprint FROM time_stamp_certificates ORDER BY number',
  )
const roles = async () => (await stored()).map(({ role }) => role)

/** As if so much time had passed. */
const age = (role: string, ms: number) =>
  ledger.database.query(
    `UPDATE time_stamp_certificates SET signs_until = signs_until - $2 * interval '1 ms' WHERE role = $1`,
    [role, ms],
  )

describe('the certificates', () => {
  it('are made once, also when many servers ask at once', async () => {
    const other = openStore({ url: ledger.database.url, poolSize: 4 })
    try {
      const found = await Promise.all(
        [0, 1, 2, 3].map((nth) =>
          currentCertificate(sealing(nth % 2 === 0 ? ledger.store.em() : other.em()), 'p256'),
        ),
      )
      expect(new Set(found.map(({ sha256 }) => sha256.toString('hex'))).size).toBe(1)
      expect(await roles()).toEqual(['root', 'leaf'])
    } finally {
      await other.close()
    }
  })

  it('say what RFC 3161 asks for, and hold for ten years, of which the key signs one', async () => {
    const before = Math.floor(Date.now() / 1_000) * 1_000
    const { chain, fromMs, toMs } = await current()
    const [leaf, root] = chain.map((one) => new X509Certificate(one))
    if (leaf === undefined || root === undefined) expect.fail('no chain')
    expect([leaf.ca, root.ca]).toEqual([false, true])
    expect(leaf.checkIssued(root) && leaf.verify(root.publicKey) && root.verify(root.publicKey)).toBe(true)
    expect(leaf.keyUsage).toEqual(['1.3.6.1.5.5.7.3.8'])
    expect(leaf.publicKey.asymmetricKeyDetails).toMatchObject({ namedCurve: 'prime256v1' })
    const made = fromMs + CERTIFICATE_LIFETIMES.backdating
    expect(made).toBeGreaterThanOrEqual(before)
    expect([toMs - made, leaf.validToDate.getTime() - made, root.validToDate.getTime() - made]).toEqual([
      CERTIFICATE_LIFETIMES.key,
      CERTIFICATE_LIFETIMES.leaf,
      CERTIFICATE_LIFETIMES.root,
    ])
    // By name, whether it is critical, and its value.
    const extensionsOf = ({ raw }: X509Certificate) => {
      const listed = readTlv(raw).inside()[0]?.inside().at(-1)?.inside()[0]?.inside() ?? []
      return listed.map((one) => {
        const [id, ...rest] = one.inside()
        return [id?.content.toString('hex'), rest.length === 2, rest.at(-1)?.content.toString('hex')]
      })
    }
    // An issuer of leaves, which signs certificates and lists of revoked ones.
    expect(extensionsOf(root)).toEqual([
      ['551d13', true, '30060101ff020100'],
      ['551d0f', true, '03020106'],
      ['551d0e', false, expect.stringMatching(/^0414/)],
    ])
    expect(extensionsOf(leaf)).toEqual([
      ['551d0f', true, '03020780'],
      ['551d25', true, '300a06082b06010505070308'],
      ['551d10', false, expect.stringMatching(/^3022800f/)],
      ['551d23', false, expect.stringMatching(/^30168014/)],
      ['551d0e', false, expect.stringMatching(/^0414/)],
    ])
  })

  it('are kept while the period of the key has a month left, and then followed by another of the same root', async () => {
    const first = await current()
    await age('leaf', CERTIFICATE_LIFETIMES.key - CERTIFICATE_LIFETIMES.renewal - 3_600_000)
    expect((await current()).sha256).toEqual(first.sha256)
    await age('leaf', 3_600_000)
    const second = await current()
    expect(second.sha256).not.toEqual(first.sha256)
    expect(second.chain[1]).toEqual(first.chain[1])
    expect(await allCertificates(ledger.store.em())).toEqual([second.chain, first.chain])
  })

  it('get another root before a leaf would outlive the one that there is', async () => {
    const first = await current()
    await age('root', CERTIFICATE_LIFETIMES.root - CERTIFICATE_LIFETIMES.leaf + 3_600_000)
    const second = await rotateCertificate(sealing(), 'p256')
    expect(second.chain[1]).not.toEqual(first.chain[1])
    expect(await roles()).toEqual(['root', 'leaf', 'root', 'leaf'])
  })

  it('follow a rotation by hand at once', async () => {
    const first = await current()
    const made = await rotateCertificate(sealing(), 'p256')
    expect(made.sha256).not.toEqual(first.sha256)
    expect((await current()).sha256).toEqual(made.sha256)
  })

  it('have a root for each type of key', async () => {
    await current()
    const { chain } = await currentCertificate(sealing(), 'rsa')
    expect(
      chain.map((one) => new X509Certificate(one).publicKey.asymmetricKeyDetails?.modulusLength),
    ).toEqual([3_072, 3_072])
    expect(await roles()).toEqual(['root', 'leaf', 'root', 'leaf'])
  })

  it('do not sign with a key that stands in another row', async () => {
    await current()
    const [root, leaf] = await stored()
    await ledger.database.query(
      `UPDATE time_stamp_certificates SET sealed_key =
         (SELECT sealed_key FROM time_stamp_certificates WHERE fingerprint = $1) WHERE fingerprint = $2`,
      [root?.fingerprint, leaf?.fingerprint],
    )
    await expect(current()).rejects.toBeInstanceOf(SealBroken)
  })

  it('that an operator brought are written down once, without a key', async () => {
    const made = await current()
    await ledger.database.query('DELETE FROM time_stamp_certificates')
    await noteBroughtCertificate(ledger.store.em(), made)
    await noteBroughtCertificate(ledger.store.em(), made)
    expect(await allCertificates(ledger.store.em())).toEqual([made.chain])
    expect(await roles()).toEqual(['brought'])
  })
})
