// The audit passes on a sound ledger of every kind, also beside a running service, and says how far it is.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { auditLedger } from '../../../server/domain/ledger/audit/audit_ledger.ts'
import type { AuditProgress } from '../../../server/domain/ledger/audit/pace.ts'
import { deleteItem } from '../../../server/domain/ledger/change_item.ts'
import { submittedClaims } from '../../../server/domain/ledger/claims.ts'
import { recordObservation } from '../../../server/domain/ledger/observation.ts'
import { rotateKey } from '../../../server/domain/ledger/signing_key.ts'
import { masterKey as masterKeyOf } from '../../../server/kernel/sealed.ts'
import { claimsOf, openTestLedger, type TestLedger } from '../../support/ledger.ts'
import { redactItem, unredactItem } from '../../support/redaction.ts'
import { rows } from '../../support/rows.ts'
import { LARGE_BLOCK, makeEveryKind } from './every_kind.ts'

describe('the audit', () => {
  let ledger: TestLedger
  beforeAll(async () => {
    ledger = await openTestLedger()
    await makeEveryKind(ledger)
  })
  afterAll(() => ledger.close())

  it('passes on a sound ledger and counts everything in it', async () => {
    const { store, masterKey } = ledger
    const told: AuditProgress[] = []
    const report = await auditLedger({
      em: store.em(),
      masterKey,
      onProgress: (progress) => told.push(progress),
    })
    expect(report).toEqual({
      passed: true,
      disagreements: [],
      height: 8,
      blocks: 9,
      items: LARGE_BLOCK + 10,
      observations: 4,
      tombstones: 3,
      tiles: 7,
    })
    expect(told.at(-1)).toMatchObject({ heights: { done: 9, total: 9 }, items: LARGE_BLOCK + 10 })
    expect(told.length).toBeLessThan(5)
  })

  it('opens the sealed keys only when it has the master key, and tells when it is another one', async () => {
    const em = ledger.store.em()
    expect((await auditLedger({ em })).passed).toBe(true)
    const report = await auditLedger({ em, masterKey: masterKeyOf(Buffer.alloc(32, 8)) })
    expect(report.disagreements).toMatchObject([{ height: 0, field: 'sealed_seed' }])
  })

  it('stops at the first disagreement, or collects as many as it is asked for', async () => {
    const other = await openTestLedger()
    try {
      await other.submit({}, {}, {})
      await other.finalize()
      const em = other.store.em()
      await rows(em, `UPDATE items SET display_name = 'another'`)
      expect((await auditLedger({ em })).disagreements).toHaveLength(1)
      expect((await auditLedger({ em }, { limit: 2 })).disagreements).toHaveLength(2)
      const { disagreements } = await auditLedger({ em }, { limit: 100 })
      expect(disagreements.map(({ height, field }) => ({ height, field }))).toEqual(
        Array.from({ length: 3 }, () => ({ height: 1, field: 'display_name' })),
      )
      expect(JSON.stringify(disagreements)).not.toContain('another')
    } finally {
      await other.close()
    }
  })

  it('says of an empty ledger that genesis is missing', async () => {
    const other = await openTestLedger()
    try {
      const em = other.store.em()
      await rows(em, 'TRUNCATE blocks CASCADE')
      expect(await auditLedger({ em })).toMatchObject({
        passed: false,
        height: -1,
        disagreements: [{ height: 0 }],
      })
    } finally {
      await other.close()
    }
  })

  it('raises no false alarm while items are submitted, changed, deleted and put into blocks, and keys rotated', async () => {
    const { store, signer, masterKey, userId } = ledger
    const claims = claimsOf('a file')
    let stopped = false
    let rounds = 0
    const serve = async () => {
      const em = store.em()
      while (!stopped) {
        rounds += 1
        const items = await ledger.submit(
          ...Array.from({ length: 6 }, () => ({ claims: submittedClaims(claims) })),
        )
        const [a, b, c] = items.map(({ id }) => ({ id, userId }))
        if (a === undefined || b === undefined || c === undefined) throw new Error('nothing was submitted')
        await redactItem(em, a)
        await deleteItem(em, b)
        await recordObservation(
          { em, signer },
          { source: 'entropy_bitcoin', payload: { height: rounds }, publishedAt: null },
        )
        if (rounds % 5 === 0)
          await rotateKey({ em, masterKey }, { emergency: rounds % 2 === 0 }).catch(() => undefined)
        await ledger.finalize()
        await unredactItem(em, { ...a, claims: submittedClaims(claims) })
        await redactItem(em, c)
        await deleteItem(em, a)
      }
    }
    const serving = serve()
    try {
      for (let audits = 0; audits < 12 || rounds < 12; audits += 1) {
        const report = await auditLedger({ em: store.em(), masterKey })
        expect(report.disagreements).toEqual([])
      }
    } finally {
      stopped = true
      await serving
    }
    expect((await auditLedger({ em: store.em(), masterKey })).disagreements).toEqual([])
  })
})
