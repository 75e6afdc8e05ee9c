// All settings: environment variable, rule, default and purpose.
import { z } from 'zod'
import { SOURCE_CHOICES } from './domain/entropy/sources.ts'
import { PROOF_LAYOUTS } from './domain/proofs/proof_request.ts'
import { addressRanges } from './kernel/address_ranges.ts'
import { LOG_LEVELS } from './kernel/log.ts'
import {
  addressBlocks,
  apiAddress,
  baseUrl,
  chainChoices,
  duration,
  keyringSources,
  postgresUrl,
  rpcAddress,
  sourceChoices,
} from './setting_rules.ts'
import { LEAST_CONNECTIONS } from './store/purposes.ts'
import { trustedProxies } from './surfaces/http/client_address.ts'

interface Setting {
  readonly rule: z.ZodType
  /** The default in the form in which it would be set. */
  readonly byDefault: string | undefined
  readonly meaning: string
  /** The value is or contains a secret, so the log says only that it is set. */
  readonly secret?: true
}

/** One row per setting: environment variable, rule, default and purpose. `config.ts` reads each row. */
export const SETTINGS = {
  PORT: {
    rule: z.coerce.number().int().min(0).max(65_535),
    byDefault: '4000',
    meaning: 'port of the HTTP server',
  },
  HOST: { rule: z.string().min(1), byDefault: 'localhost', meaning: 'address the HTTP server listens on' },
  BASE_URL: {
    rule: baseUrl.transform((text) => new URL(text).origin).optional(),
    byDefault: undefined,
    meaning: 'public origin, used in every absolute link; `http://localhost:PORT` when not set',
  },
  DATABASE_URL: {
    rule: postgresUrl.optional(),
    byDefault: undefined,
    meaning: 'PostgreSQL 15 or later; without it a PostgreSQL of our own runs in DATA_DIR',
    secret: true,
  },
  LISTEN_DATABASE_URL: {
    rule: postgresUrl.optional(),
    byDefault: undefined,
    meaning: 'the same database past a pooler that breaks LISTEN; DATABASE_URL when not set',
    secret: true,
  },
  DATABASE_POOL_SIZE: {
    rule: z.coerce.number().int().min(LEAST_CONNECTIONS).max(200),
    byDefault: '20',
    meaning: 'database connections of one server, shared out by what they are for',
  },
  DATA_DIR: {
    rule: z.string().min(1),
    byDefault: '.data',
    meaning: 'folder of the embedded database and its secrets',
  },
  MASTER_KEY: {
    rule: z
      .string()
      .regex(/^[0-9a-f]{64}$/i, 'is not 64 hex characters')
      .optional(),
    byDefault: undefined,
    meaning:
      '32 bytes in hex that seal the signing keys; with the embedded database one is made and kept in DATA_DIR',
    secret: true,
  },
  SIGN_UP: {
    rule: z.enum(['closed', 'open']),
    byDefault: 'closed',
    meaning:
      'open: anybody who reaches the sign-in page may make an account; closed: only with an invitation',
  },
  STOP_DELAY: {
    rule: duration(0, 60_000),
    byDefault: '2s',
    meaning: 'time that a stopping server still answers while /health/ready says no',
  },
  BLOCK_INTERVAL: { rule: duration(1_000, 3_600_000), byDefault: '60s', meaning: 'time from block to block' },
  LIMIT_BODY_BYTES: {
    rule: z.coerce.number().int().min(1_024).max(16_777_216),
    byDefault: '528384',
    meaning: 'largest request body in bytes',
  },
  TRUSTED_PROXIES: {
    rule: addressBlocks(trustedProxies),
    byDefault: '',
    meaning: 'CIDR blocks whose X-Forwarded-For is believed, apart by commas',
  },
  ENTROPY_SOURCES: {
    rule: sourceChoices,
    byDefault: SOURCE_CHOICES.join(','),
    meaning: 'public sources recorded once a minute, apart by commas; `none` asks nobody',
  },
  PUBLIC_CHAINS: {
    rule: chainChoices,
    byDefault: '',
    meaning:
      'chains that epochs are committed to, apart by commas: bitcoin, stellar; a development chain of our own when empty, `none` for none',
  },
  EPOCH_INTERVAL_BITCOIN: {
    rule: duration(1_000, 86_400_000),
    byDefault: '15m',
    meaning: 'time from epoch to epoch on bitcoin',
  },
  EPOCH_INTERVAL_STELLAR: {
    rule: duration(1_000, 86_400_000),
    byDefault: '5m',
    meaning: 'time from epoch to epoch on stellar',
  },
  EPOCH_INTERVAL_EMBEDDED: {
    rule: duration(1_000, 86_400_000),
    byDefault: '2m',
    meaning: 'time from epoch to epoch on the development chain',
  },
  BITCOIN_RPC_URL: {
    rule: rpcAddress.optional(),
    byDefault: undefined,
    meaning:
      'JSON-RPC of a Bitcoin Core node, with user, password and /wallet/name; required when bitcoin is among PUBLIC_CHAINS',
    secret: true,
  },
  BITCOIN_CONFIRMATIONS: {
    rule: z.coerce.number().int().min(1).max(100),
    byDefault: '1',
    meaning: 'blocks, its own included, after which a Bitcoin transaction counts',
  },
  STELLAR_NETWORK: {
    rule: z.enum(['public', 'testnet']),
    byDefault: 'public',
    meaning: 'Stellar network that epochs are committed to: public or testnet',
  },
  STELLAR_HORIZON_URL: {
    rule: apiAddress.optional(),
    byDefault: undefined,
    meaning: 'Horizon that epochs are committed through; the LOOKUP one of the network when not set',
  },
  STELLAR_SECRET: {
    rule: z
      .string()
      .regex(/^S[A-Z2-7]{55}$/, 'is not a Stellar secret seed (S and 55 characters)')
      .optional(),
    byDefault: undefined,
    meaning: 'secret seed of the funded account that pays for commitments on Stellar',
    secret: true,
  },
  METRICS_TOKEN: {
    rule: z
      .string()
      .regex(/^[\x21-\x7e]{16,256}$/, 'is not 16 to 256 visible ASCII characters')
      .optional(),
    byDefault: undefined,
    meaning: 'bearer token of /metrics; without it they are served only while HOST is a loopback address',
    secret: true,
  },
  PROOF_LAYOUT: {
    rule: z.enum(PROOF_LAYOUTS),
    byDefault: 'published',
    meaning: 'how proofs are written when a request does not say: published, or compact for older clients',
  },
  TRUSTED_KEYRINGS: {
    rule: keyringSources,
    byDefault: '',
    meaning: 'keyrings of other services whose keys count: files and https addresses, apart by commas',
  },
  WEBHOOK_ALLOW_ADDRESSES: {
    rule: addressBlocks(addressRanges),
    byDefault: '',
    meaning: 'CIDR blocks of private addresses that webhooks may reach, for tests and local trials only',
  },
  LOG_LEVEL: { rule: z.enum(LOG_LEVELS), byDefault: 'info', meaning: LOG_LEVELS.join(', ') },
} as const satisfies Readonly<Record<string, Setting>>

const rows: Readonly<Record<string, Setting>> = SETTINGS

export const isSecret = (setting: string): boolean => rows[setting]?.secret === true
