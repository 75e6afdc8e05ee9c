// When the next epoch of each chain may be expected, from those that were closed.
import { describe, expect, it } from 'vitest'
import { nextEpochs } from '../../console-web/src/commitments/epoch.ts'
import { itemStage } from '../../console-web/src/commitments/proof_stage.ts'

const closed = (chain: string, closedAt: string) => ({ chain, network: 'testnet', closedAt })

describe('nextEpochs', () => {
  it('goes on with the gap between the last two of each chain, the soonest first', () => {
    const forecast = nextEpochs([
      closed('stellar', '2027-01-01T00:10:00Z'),
      closed('bitcoin', '2027-01-01T00:06:00Z'),
      closed('stellar', '2027-01-01T00:05:00Z'),
      closed('bitcoin', '2027-01-01T00:04:00Z'),
      closed('bitcoin', '2026-12-31T00:00:00Z'),
    ])
    expect(forecast).toEqual([
      { chain: 'bitcoin', network: 'testnet', dueAt: Date.parse('2027-01-01T00:08:00Z') },
      { chain: 'stellar', network: 'testnet', dueAt: Date.parse('2027-01-01T00:15:00Z') },
    ])
  })

  it('promises nothing from one epoch, or from none', () => {
    expect(nextEpochs([])).toEqual([])
    expect(nextEpochs([closed('stellar', '2027-01-01T00:10:00Z')])).toEqual([])
  })
})

describe('itemStage', () => {
  const item = { state: 'created', blockId: null, blockState: null, proofAvailableAt: null }

  it('follows the item on its way to a proof', () => {
    expect(itemStage(item)).toBe('no_block')
    const inBlock = { ...item, state: 'committed', blockId: 'b', blockState: 'finalized' }
    expect(itemStage(inBlock)).toBe('waiting')
    expect(itemStage({ ...inBlock, blockState: 'committed' })).toBe('ready')
    expect(itemStage({ ...inBlock, blockState: null, proofAvailableAt: '2027-01-01T00:00:00Z' })).toBe(
      'ready',
    )
    expect(itemStage({ ...inBlock, state: 'redacted', proofAvailableAt: '2027-01-01T00:00:00Z' })).toBe(
      'gone',
    )
  })
})
