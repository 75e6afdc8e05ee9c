// Stellar for the conformance suite: a network in one process, behind Horizon's API.
import { Keypair } from '@stellar/stellar-sdk/base'
import { createStellarChain } from '../../../server/domain/commitments/chains/stellar.ts'
import type { ChainGround, ChainKind } from './chain_ground.ts'
import { openFakeHorizon } from './horizon.ts'

/** After this many ledgers a used sequence number counts as settled. */
const DEEP = 12

const key = Keypair.fromRawEd25519Seed(Buffer.alloc(32, 5))

const behind = (horizonUrl: string, timeoutMs?: number) =>
  createStellarChain({
    network: 'testnet',
    horizonUrl,
    secret: key.secret(),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
  })

export const stellarKind: ChainKind = {
  name: 'stellar',
  open: openStellarGround,
  behind: (address) => behind(address, 500),
}

async function openStellarGround(): Promise<ChainGround> {
  const horizon = await openFakeHorizon()
  horizon.fund(key.publicKey())
  const chain = behind(horizon.address)
  return {
    chain,
    include: async () => horizon.closeLedgers(),
    broadcastInVain: async (prepared) => {
      horizon.treat('drop')
      await chain.broadcast(prepared)
    },
    spendElsewhere: async () => {
      horizon.spendElsewhere(key.publicKey())
      horizon.closeLedgers(DEEP)
    },
    roots: async () => horizon.roots(),
    close: async () => {
      await chain.close()
      await horizon.close()
    },
  }
}
