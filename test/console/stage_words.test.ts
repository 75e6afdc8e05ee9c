// How far an item or a block is, in one set of words wherever it is told.
import { expect, it } from 'vitest'
import { chainName, confirmedOn, type Epoch } from '../../console-web/src/commitments/epoch.ts'
import {
  blockStage,
  blockWords,
  itemStage,
  STAGES,
  stageWords,
} from '../../console-web/src/commitments/proof_stage.ts'
import { STATES, stateWords } from '../../console-web/src/items/item_filter.ts'
import { layOut } from '../../console-web/src/picture/layout.ts'
import { summaryWords, tileName, tileWords } from '../../console-web/src/picture/picture_words.ts'
import { CHAIN_NAMES, CHAINS } from '../../shared/proof/public_chains.ts'

it('there are four, and the last step names its chain where that is known', () => {
  expect(STAGES.map((stage) => stageWords(stage))).toEqual(['waiting', 'in a block', 'on a chain', 'erased'])
  expect(stageWords('ready', 'Bitcoin')).toBe('on Bitcoin')
  expect(blockWords(blockStage('finalized'))).toBe('in the chain')
  expect(blockWords(blockStage('committed'), 'Stellar')).toBe('on Stellar')
})

it('the filter has the same words for the states of the API, of which one is for two of them', () => {
  expect(STATES.map(stateWords)).toEqual(['waiting', 'in a block, or on a chain', 'erased'])
  expect(STATES.map((state) => stageWords(itemStage({ state })))).toEqual(['waiting', 'in a block', 'erased'])
})

it('a chain has its own name, with the network where that is for trials, and the development chain is never called public', () => {
  for (const chain of CHAIN_NAMES) {
    const { title, networks } = CHAINS[chain]
    expect(networks.map((network) => chainName({ chain, network }))).toEqual(
      networks.map((network, at) =>
        at === 0 ? title : network === 'regtest' ? 'the development chain' : `${title} ${network}`,
      ),
    )
  }
  const on = (chain: string, network: string, state: 'confirmed' | 'pending' = 'confirmed') => ({
    chain,
    network,
    state,
  })
  expect(confirmedOn([on('stellar', 'public'), on('bitcoin', 'mainnet'), on('stellar', 'public')])).toBe(
    'Bitcoin and Stellar',
  )
  expect(confirmedOn([on('bitcoin', 'mainnet', 'pending')])).toBeUndefined()
})

it('the picture tells of its tiles in the same words', () => {
  const tile = (height: number, committed: boolean) => ({
    id: `b${height}`,
    height,
    at: Date.UTC(2027, 0, 1) + height * 60_000,
    committed,
    items: 0,
    observations: 0,
  })
  const { places } = layOut([tile(0, true), tile(1, false)], 60_000, 800)
  const [carried, waiting] = places
  if (carried === undefined || waiting === undefined) throw new Error('no place')
  expect(tileName(waiting)).toMatch(/^Block 1, in the chain, 0 items/)
  expect(tileName(carried)).toMatch(/^Block 0, on a chain, 0 items/)
  const epoch: Epoch = {
    ...{
      id: 'e',
      sequence: 0,
      firstId: 'b0',
      lastId: 'b0',
      blocks: 1,
      root: '',
      closedAt: '',
      confirmedAt: '',
    },
    chain: 'bitcoin',
    network: 'mainnet',
    state: 'confirmed',
  }
  expect(tileWords(carried, [epoch])).toMatch(/ · on Bitcoin$/)
  expect(tileWords(waiting, [])).toMatch(/ · in the chain$/)
  expect(summaryWords(places)).toBe('2 blocks since 00:00:00 UTC, 1 on a chain')
})
