// All settings: environment variable, rule, default and purpose.
import { z } from 'zod'
import { SOURCE_CHOICES } from '../domain/entropy/sources.ts'
import { PROOF_LAYOUTS } from '../domain/proofs/proof_request.ts'
import { LOG_LEVELS } from '../kernel/log.ts'
import { LEAST_CONNECTIONS } from '../store/purposes.ts'
import {
  addressBlocks,
  apiAddress,
  baseUrl,
  chainChoices,
  duration,
  keyringSources,
  logOrigin,
  postgresUrl,
  rpcAddress,
  type Setting,
  sourceChoices,
  workerCount,
} from './rules.ts'
import { TRACE_SETTINGS } from './trace_settings.ts'

/** One row per setting: environment variable, rule, default and purpose. `read_settings.ts` reads each row. */
export const SETTINGS = {
  PORT: {
    section: 'Server',
    rule: z.coerce.number().int().min(0).max(65_535),
    byDefault: '4000',
    meaning: 'port of the HTTP server',
  },
  HOST: {
    section: 'Server',
    rule: z.string().min(1),
    byDefault: 'localhost',
    meaning: 'address the HTTP server listens on',
  },
  WORKERS: {
    section: 'Server',
    rule: workerCount,
    byDefault: '1',
    meaning:
      'processes that answer clients, on one port: a number up to 64, or `auto` for one less than the processor has cores; with more than one, blocks and background work have a process of their own',
  },
  BASE_URL: {
    section: 'Server',
    example: 'https://pharos.example.com',
    rule: baseUrl.optional(),
    byDefault: undefined,
    meaning:
      'public origin, used in every absolute link and as issuer of tokens; `http://localhost:PORT` when not set',
  },
  DATABASE_URL: {
    section: 'Database',
    example: 'postgresql://pharos:<PASSWORD>@db.example.com/pharos',
    rule: postgresUrl.optional(),
    byDefault: undefined,
    meaning:
      'PostgreSQL 15 or later; without it a PostgreSQL of our own runs in DATA_DIR; `{purpose}` in the name of the database stands for one of a pooler, see deploy/README.md',
    secret: true,
  },
  LISTEN_DATABASE_URL: {
    section: 'Database',
    rule: postgresUrl.optional(),
    byDefault: undefined,
    meaning: 'the same database past a pooler that breaks LISTEN; DATABASE_URL when not set',
    secret: true,
  },
  DATABASE_PREPARED_STATEMENTS: {
    section: 'Database',
    rule: z.enum(['on', 'off']),
    byDefault: 'on',
    meaning:
      'whether connections keep statements prepared; off behind a pooler that does not know them (PgBouncer in transaction mode knows them from 1.21 on, with max_prepared_statements of 100 or more)',
  },
  READ_DATABASE_URL: {
    section: 'Database',
    rule: postgresUrl.optional(),
    byDefault: undefined,
    meaning:
      'a streaming replica that takes lists and counts while it is at most five seconds behind; everything else, and lists when it is not, is read from DATABASE_URL',
    secret: true,
  },
  DATABASE_POOL_SIZE: {
    section: 'Database',
    rule: z.coerce.number().int().min(LEAST_CONNECTIONS).max(1_000),
    byDefault: '20',
    meaning:
      'database connections of one start, shared out among its processes and by what they are for; at least 8 and 7 for each worker when WORKERS is more than 1, and 8 and 12 for each when this is not set',
  },
  DATA_DIR: {
    section: 'Database',
    rule: z.string().min(1),
    byDefault: '.data',
    meaning: 'folder of the embedded database and its secrets',
  },
  MASTER_KEY: {
    section: 'Keys and accounts',
    rule: z
      .string()
      .regex(/^[0-9a-f]{64}$/i, 'is not 64 hex characters')
      .describe('64 hex characters (`openssl rand -hex 32`)')
      .optional(),
    byDefault: undefined,
    meaning:
      '32 bytes in hex that seal the signing keys; with the embedded database one is made and kept in DATA_DIR',
    secret: true,
  },
  SIGN_UP: {
    section: 'Keys and accounts',
    rule: z.enum(['closed', 'open']),
    byDefault: 'closed',
    meaning:
      'open: anybody who reaches the sign-in page may make an account; closed: only with an invitation',
  },
  STOP_DELAY: {
    section: 'Server',
    rule: duration(0, 60_000),
    byDefault: '2s',
    meaning: 'time that a stopping server still answers while /health/ready says no',
  },
  BLOCK_INTERVAL: {
    section: 'Blocks and entropy',
    rule: duration(1_000, 3_600_000),
    byDefault: '60s',
    meaning: 'time from block to block',
  },
  LOG_ORIGIN: {
    section: 'Blocks and entropy',
    example: 'pharos.example.com/log',
    rule: logOrigin.optional(),
    byDefault: undefined,
    meaning:
      'identity of the public log, fixed at the first start; the host of BASE_URL, with its port where it has one, and `/log` when not set',
  },
  LIMIT_BODY_BYTES: {
    section: 'Server',
    rule: z.coerce.number().int().min(1_024).max(16_777_216),
    byDefault: '528384',
    meaning: 'largest request body in bytes',
  },
  TRUSTED_PROXIES: {
    section: 'Server',
    example: '10.0.0.0/8',
    rule: addressBlocks,
    byDefault: '',
    meaning: 'addresses of proxies whose X-Forwarded-For and X-Forwarded-Proto are believed',
  },
  ENTROPY_SOURCES: {
    section: 'Blocks and entropy',
    rule: sourceChoices,
    byDefault: SOURCE_CHOICES.join(','),
    meaning: 'public sources recorded once a minute; `none` asks nobody',
  },
  PUBLIC_CHAINS: {
    section: 'Public chains',
    example: 'bitcoin,stellar',
    rule: chainChoices,
    byDefault: '',
    meaning:
      'chains that epochs are committed to: bitcoin, stellar; a development chain of our own when empty, `none` for none',
  },
  EPOCH_INTERVAL_BITCOIN: {
    section: 'Public chains',
    rule: duration(1_000, 86_400_000),
    byDefault: '15m',
    meaning: 'time from epoch to epoch on bitcoin',
  },
  EPOCH_INTERVAL_STELLAR: {
    section: 'Public chains',
    rule: duration(1_000, 86_400_000),
    byDefault: '5m',
    meaning: 'time from epoch to epoch on stellar',
  },
  EPOCH_INTERVAL_EMBEDDED: {
    section: 'Public chains',
    rule: duration(1_000, 86_400_000),
    byDefault: '2m',
    meaning: 'time from epoch to epoch on the development chain',
  },
  BITCOIN_RPC_URL: {
    section: 'Public chains',
    example: 'http://<USER>:<PASSWORD>@127.0.0.1:8332/wallet/<NAME>',
    rule: rpcAddress.optional(),
    byDefault: undefined,
    meaning:
      'JSON-RPC of a Bitcoin Core node, with user, password and /wallet/name; required when bitcoin is among PUBLIC_CHAINS',
    secret: true,
  },
  BITCOIN_CONFIRMATIONS: {
    section: 'Public chains',
    rule: z.coerce.number().int().min(1).max(100),
    byDefault: '1',
    meaning: 'blocks, its own included, after which a Bitcoin transaction counts',
  },
  STELLAR_NETWORK: {
    section: 'Public chains',
    rule: z.enum(['public', 'testnet']),
    byDefault: 'public',
    meaning: 'Stellar network that epochs are committed to',
  },
  STELLAR_HORIZON_URL: {
    section: 'Public chains',
    rule: apiAddress.optional(),
    byDefault: undefined,
    meaning: 'Horizon that epochs are committed through; the LOOKUP one of the network when not set',
  },
  STELLAR_SECRET: {
    section: 'Public chains',
    rule: z
      .string()
      .regex(/^S[A-Z2-7]{55}$/, 'is not a Stellar secret seed (S and 55 characters)')
      .describe('a Stellar secret seed')
      .optional(),
    byDefault: undefined,
    meaning: 'secret seed of the funded account that pays for commitments on Stellar',
    secret: true,
  },
  PUBLIC_LOG: {
    section: 'Public log',
    rule: z.enum(['on', 'off']),
    byDefault: 'off',
    meaning: 'on: anybody may read /log; off: only with a credential',
  },
  WITNESS_POLICY: {
    section: 'Public log',
    example: '/etc/pharos/witnesses',
    rule: z.string().min(1).optional(),
    byDefault: undefined,
    meaning:
      'file with a policy (C2SP tlog-policy) that names our own log key, the witnesses that are asked to cosign, and how many must have; without it nobody is asked',
  },
  METRICS_TOKEN: {
    section: 'Watching',
    rule: z
      .string()
      .regex(/^[\x21-\x7e]{16,256}$/, 'is not 16 to 256 visible ASCII characters')
      .describe('16 to 256 visible ASCII characters')
      .optional(),
    byDefault: undefined,
    meaning: 'bearer token of /metrics; without it they are served only while HOST is a loopback address',
    secret: true,
  },
  PROOF_LAYOUT: {
    section: 'Proofs',
    rule: z.enum(PROOF_LAYOUTS),
    byDefault: 'published',
    meaning: 'how proofs are written when a request does not say; compact for older clients',
  },
  TRUSTED_KEYRINGS: {
    section: 'Proofs',
    example: '/etc/pharos/partner.json,https://pharos.example.org/.well-known/keyring.json',
    rule: keyringSources,
    byDefault: '',
    meaning: 'keyrings of other services whose keys count in a verification; read at start and every hour',
  },
  WEBHOOK_ALLOW_ADDRESSES: {
    section: 'Webhooks',
    example: '127.0.0.0/8',
    rule: addressBlocks,
    byDefault: '',
    meaning: 'private addresses that webhooks may reach, for tests and local trials only',
  },
  WEBHOOK_DENY_ADDRESSES: {
    section: 'Webhooks',
    example: '203.0.113.0/24,2001:db8::/32',
    rule: addressBlocks,
    byDefault: '',
    meaning:
      'addresses of your own network that no webhook, application document or witness may lead to, also where they are public or allowed',
  },
  ...TRACE_SETTINGS,
  LOG_LEVEL: {
    section: 'Watching',
    rule: z.enum(LOG_LEVELS),
    byDefault: 'info',
    meaning: 'least weight of what is logged',
  },
} as const satisfies Readonly<Record<string, Setting>>

const rows: Readonly<Record<string, Setting>> = SETTINGS

export const isSecret = (setting: string): boolean => rows[setting]?.secret === true
