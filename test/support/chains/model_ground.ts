// The model of a chain that other tests stand on keeps the same promises as the real ones.
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
