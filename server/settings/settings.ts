// All settings: what a start calls each, its environment variable, rule, default and purpose.
import { z } from 'zod'
import { SOURCE_CHOICES } from '../domain/entropy/source.ts'
import { PROOF_LAYOUTS } from '../domain/proofs/proof_request.ts'
import { LOG_LEVELS } from '../kernel/log.ts'
import { LEAST_CONNECTIONS } from '../store/purposes.ts'
import { CHAIN_SETTINGS } from './chain_settings.ts'
import { BUDGET_SETTINGS, CEILING_SETTINGS, LOOKUP_SETTINGS, SOURCE_SETTINGS } from './declared_elsewhere.ts'
import {
  addressBlocks,
  duration,
  keyringSources,
  logOrigin,
  postgresUrl,
  publicOrigin,
  type Setting,
  type Settings,
  settingRows,
  sourceChoices,
  workerCount,
} from './rules.ts'
import { STAMPING_SETTINGS } from './stamping_settings.ts'
import { TRACE_SETTINGS } from './trace_settings.ts'

const SERVER = {
  port: {
    setting: 'PORT',
    rule: z.coerce.number().int().min(0).max(65_535),
    byDefault: '4000',
    meaning: 'port of the HTTP server',
  },
  host: {
    setting: 'HOST',
    rule: z.string().min(1),
    byDefault: 'localhost',
    meaning: 'address the HTTP server listens on',
  },
  workers: {
    setting: 'WORKERS',
    rule: workerCount,
    byDefault: '1',
    meaning:
      'processes that answer clients, on one port: a number up to 64, or `auto` for one less than the processor has cores; with more than one, blocks and background work have a process of their own',
  },
  baseUrl: {
    setting: 'BASE_URL',
    example: 'https://pharos.example.com',
    rule: publicOrigin.optional(),
    meaning:
      'public origin, used in every absolute link and as issuer of tokens; `http://localhost:PORT` when not set',
  },
  stopDelayMs: {
    setting: 'STOP_DELAY',
    rule: duration(0, 60_000),
    byDefault: '2s',
    meaning: 'time that a stopping server still answers while /health/ready says no',
  },
  maxBodyBytes: {
    setting: 'LIMIT_BODY_BYTES',
    rule: z.coerce.number().int().min(1_024).max(16_777_216),
    byDefault: '528384',
    meaning: 'largest request body in bytes',
  },
  trustedProxies: {
    setting: 'TRUSTED_PROXIES',
    example: '10.0.0.0/8',
    rule: addressBlocks,
    byDefault: '',
    meaning: 'addresses of proxies whose X-Forwarded-For and X-Forwarded-Proto are believed',
  },
} as const

const DATABASE = {
  databaseUrl: {
    setting: 'DATABASE_URL',
    example: 'postgresql://pharos:<PASSWORD>@db.example.com/pharos',
    rule: postgresUrl.optional(),
    meaning:
      'PostgreSQL 15 or later; without it a PostgreSQL of our own runs in DATA_DIR; `{purpose}` in the name of the database stands for one of a pooler, see deploy/README.md',
    secret: true,
  },
  listenDatabaseUrl: {
    setting: 'LISTEN_DATABASE_URL',
    rule: postgresUrl.optional(),
    meaning: 'the same database past a pooler that breaks LISTEN; DATABASE_URL when not set',
    secret: true,
  },
  databasePrepares: {
    setting: 'DATABASE_PREPARED_STATEMENTS',
    rule: z.enum(['on', 'off']).transform((word) => word === 'on'),
    byDefault: 'on',
    meaning:
      'whether connections keep statements prepared; off behind a pooler that does not know them (PgBouncer in transaction mode knows them from 1.21 on, with max_prepared_statements of 100 or more)',
  },
  readDatabaseUrl: {
    setting: 'READ_DATABASE_URL',
    rule: postgresUrl.optional(),
    meaning:
      'a streaming replica that takes lists and counts while it is at most five seconds behind; everything else, and lists when it is not, is read from DATABASE_URL',
    secret: true,
  },
  databasePoolSize: {
    setting: 'DATABASE_POOL_SIZE',
    rule: z.coerce.number().int().min(LEAST_CONNECTIONS).max(1_000),
    byDefault: '20',
    meaning:
      'database connections of one start, shared out among its processes and by what they are for; at least 8 and 7 for each worker when WORKERS is more than 1, and 8 and 12 for each when this is not set',
  },
  dataDir: {
    setting: 'DATA_DIR',
    rule: z.string().min(1),
    byDefault: '.data',
    meaning: 'folder of the embedded database and its secrets',
  },
} as const

const KEYS = {
  masterKey: {
    setting: 'MASTER_KEY',
    rule: z
      .string()
      .regex(/^[0-9a-f]{64}$/i, 'is not 64 hex characters')
      .transform((hex) => Buffer.from(hex, 'hex'))
      .describe('64 hex characters (`openssl rand -hex 32`)')
      .optional(),
    meaning:
      '32 bytes in hex that seal the signing keys; with the embedded database one is made and kept in DATA_DIR',
    secret: true,
  },
  signUpIsOpen: {
    setting: 'SIGN_UP',
    rule: z.enum(['closed', 'open']).transform((word) => word === 'open'),
    byDefault: 'closed',
    meaning:
      'open: anybody who reaches the sign-in page may make an account; closed: only with an invitation',
  },
} as const

const BLOCKS = {
  blockIntervalMs: {
    setting: 'BLOCK_INTERVAL',
    rule: duration(1_000, 3_600_000),
    byDefault: '60s',
    meaning: 'time from block to block',
  },
  logOrigin: {
    setting: 'LOG_ORIGIN',
    example: 'pharos.example.com/log',
    rule: logOrigin.optional(),
    meaning:
      'identity of the public log, fixed at the first start; the host of BASE_URL, with its port where it has one, and `/log` when not set',
  },
  entropySources: {
    setting: 'ENTROPY_SOURCES',
    rule: sourceChoices,
    byDefault: SOURCE_CHOICES.join(','),
    meaning: 'public sources recorded once a minute; `none` asks nobody',
  },
} as const

const PUBLIC_LOG = {
  logIsPublic: {
    setting: 'PUBLIC_LOG',
    rule: z.enum(['on', 'off']).transform((word) => word === 'on'),
    byDefault: 'off',
    meaning:
      'on: anybody may read /log, and evidence without an account has the log’s proof; off: only with a credential',
  },
  witnessPolicy: {
    setting: 'WITNESS_POLICY',
    example: '/etc/pharos/witnesses',
    rule: z.string().min(1).optional(),
    meaning:
      'file with a policy (C2SP tlog-policy) that names our own log key, the witnesses that are asked to cosign, and how many must have; without it nobody is asked',
  },
} as const

const PROOFS = {
  proofLayout: {
    setting: 'PROOF_LAYOUT',
    rule: z.enum(PROOF_LAYOUTS),
    byDefault: 'published',
    meaning: 'how proofs are written when a request does not say; compact for older clients',
  },
  trustedKeyrings: {
    setting: 'TRUSTED_KEYRINGS',
    example: '/etc/pharos/partner.json,https://pharos.example.org/.well-known/keyring.json',
    rule: keyringSources,
    byDefault: '',
    meaning: 'keyrings of other services whose keys count in a verification; read at start and every hour',
  },
} as const

const WEBHOOKS = {
  webhooks: {
    allow: {
      setting: 'WEBHOOK_ALLOW_ADDRESSES',
      example: '127.0.0.0/8',
      rule: addressBlocks,
      byDefault: '',
      meaning: 'private addresses that webhooks may reach, for tests and local trials only',
    },
    deny: {
      setting: 'WEBHOOK_DENY_ADDRESSES',
      example: '203.0.113.0/24,2001:db8::/32',
      rule: addressBlocks,
      byDefault: '',
      meaning:
        'addresses of your own network that no webhook, application document or witness may lead to, also where they are public or allowed',
    },
  },
} as const

const WATCHING = {
  metricsToken: {
    setting: 'METRICS_TOKEN',
    rule: z
      .string()
      .regex(/^[\x21-\x7e]{16,256}$/, 'is not 16 to 256 visible ASCII characters')
      .describe('16 to 256 visible ASCII characters')
      .optional(),
    meaning: 'bearer token of /metrics; without it they are served only while HOST is a loopback address',
    secret: true,
  },
  traces: TRACE_SETTINGS,
  logLevel: {
    setting: 'LOG_LEVEL',
    rule: z.enum(LOG_LEVELS),
    byDefault: 'info',
    meaning: 'least weight of what is logged',
  },
} as const

/** One row per setting, in the shape in which a start is told its value. */
export const SETTINGS = {
  ...SERVER,
  ...DATABASE,
  ...KEYS,
  ...BLOCKS,
  chains: CHAIN_SETTINGS,
  ...PUBLIC_LOG,
  ...STAMPING_SETTINGS,
  ...PROOFS,
  ...WEBHOOKS,
  ...WATCHING,
  entropyAddresses: SOURCE_SETTINGS,
  lookups: LOOKUP_SETTINGS,
  limits: BUDGET_SETTINGS,
  ceilings: CEILING_SETTINGS,
} as const

/** The order in which they are told. */
export const SETTING_SECTIONS: Readonly<Record<string, Settings>> = {
  Server: SERVER,
  Database: DATABASE,
  'Keys and accounts': KEYS,
  'Blocks and entropy': BLOCKS,
  'Public chains': CHAIN_SETTINGS,
  'Public log': PUBLIC_LOG,
  'Stamping without an account': STAMPING_SETTINGS,
  Proofs: PROOFS,
  Webhooks: WEBHOOKS,
  Watching: WATCHING,
  'Addresses of public sources': SOURCE_SETTINGS,
  'Addresses that verifications ask': LOOKUP_SETTINGS,
  'Budgets, per minute': BUDGET_SETTINGS,
  Ceilings: CEILING_SETTINGS,
}

const rows: readonly Setting[] = settingRows(SETTINGS)

export const SETTING_NAMES: readonly string[] = rows.map(({ setting }) => setting)

export const isSecret = (name: string): boolean =>
  rows.some(({ setting, secret }) => setting === name && secret === true)
