// The settings of the public chains that epochs are committed to.
import { z } from 'zod'
import { apiAddress, chainChoices, duration, rpcAddress } from './rules.ts'

const interval = (setting: string, byDefault: string, chain: string) => ({
  setting,
  rule: duration(1_000, 86_400_000),
  byDefault,
  meaning: `time from epoch to epoch on ${chain}`,
})

export const CHAIN_SETTINGS = {
  names: {
    setting: 'PUBLIC_CHAINS',
    example: 'bitcoin,stellar',
    rule: chainChoices,
    byDefault: '',
    meaning:
      'chains that epochs are committed to: bitcoin, stellar; a development chain of our own when empty, `none` for none',
  },
  intervals: {
    bitcoin: interval('EPOCH_INTERVAL_BITCOIN', '15m', 'bitcoin'),
    stellar: interval('EPOCH_INTERVAL_STELLAR', '5m', 'stellar'),
    embedded: interval('EPOCH_INTERVAL_EMBEDDED', '2m', 'the development chain'),
  },
  bitcoin: {
    rpcUrl: {
      setting: 'BITCOIN_RPC_URL',
      example: 'http://<USER>:<PASSWORD>@127.0.0.1:8332/wallet/<NAME>',
      rule: rpcAddress.optional(),
      meaning:
        'JSON-RPC of a Bitcoin Core node, with user, password and /wallet/name; required when bitcoin is among PUBLIC_CHAINS',
      secret: true,
    },
    confirmations: {
      setting: 'BITCOIN_CONFIRMATIONS',
      rule: z.coerce.number().int().min(1).max(100),
      byDefault: '1',
      meaning: 'blocks, its own included, after which a Bitcoin transaction counts',
    },
  },
  stellar: {
    network: {
      setting: 'STELLAR_NETWORK',
      rule: z.enum(['public', 'testnet']),
      byDefault: 'public',
      meaning: 'Stellar network that epochs are committed to',
    },
    horizonUrl: {
      setting: 'STELLAR_HORIZON_URL',
      rule: apiAddress.optional(),
      meaning: 'Horizon that epochs are committed through; the LOOKUP one of the network when not set',
    },
    secret: {
      setting: 'STELLAR_SECRET',
      rule: z
        .string()
        .regex(/^S[A-Z2-7]{55}$/, 'is not a Stellar secret seed (S and 55 characters)')
        .describe('a Stellar secret seed')
        .optional(),
      meaning: 'secret seed of the funded account that pays for commitments on Stellar',
      secret: true,
    },
  },
} as const
