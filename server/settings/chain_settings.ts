// The settings of the public chains that epochs are committed to.
import { z } from 'zod'
import { apiAddress, chainChoices, duration, rpcAddress } from './rules.ts'

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
    bitcoin: {
      setting: 'EPOCH_INTERVAL_BITCOIN',
      rule: duration(1_000, 86_400_000),
      byDefault: '15m',
      meaning: 'time from epoch to epoch on bitcoin',
    },
    stellar: {
      setting: 'EPOCH_INTERVAL_STELLAR',
      rule: duration(1_000, 86_400_000),
      byDefault: '5m',
      meaning: 'time from epoch to epoch on stellar',
    },
    embedded: {
      setting: 'EPOCH_INTERVAL_EMBEDDED',
      rule: duration(1_000, 86_400_000),
      byDefault: '2m',
      meaning: 'time from epoch to epoch on the development chain',
    },
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
