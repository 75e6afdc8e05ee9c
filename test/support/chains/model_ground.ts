// Runs the conformance suite on the chain model, because other tests rely on it.
import type { ChainGround } from './chain_ground.ts'
import { MODEL_SETTLED, modelChain } from './model_chain.ts'

export const modelKind = { name: 'the model of a chain', open: openModelGround }

async function openModelGround(): Promise<ChainGround> {
  const chain = modelChain()
  return {
    chain,
    include: async () => chain.mine(),
    broadcastInVain: async (prepared) => {
      await chain.broadcast(prepared)
      chain.drop()
    },
    spendElsewhere: async ({ transactionHash }) => {
      chain.spendElsewhere(transactionHash)
      chain.mine(MODEL_SETTLED)
    },
    reorganise: async () => chain.reorganise(1),
    roots: async () => chain.included(),
    close: () => chain.close(),
  }
}
