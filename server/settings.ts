// Every setting there is: its environment variable, its rule, its default, and what it is for.
import { z } from 'zod'
import { LOG_LEVELS } from './kernel/log.ts'
import { trustedProxies } from './surfaces/http/client_address.ts'

const DURATION = /^(\d+)(ms|s|m|h)$/
const UNITS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 } as const

const isUnit = (text: string | undefined): text is keyof typeof UNITS =>
  text !== undefined && Object.hasOwn(UNITS, text)

const duration = (least: number, most: number) =>
  z
    .string()
    .regex(DURATION, 'is not a duration such as 60s, 5s or 2m')
    .transform((text) => {
      const [, number, unit] = DURATION.exec(text) ?? []
      return Number(number) * (isUnit(unit) ? UNITS[unit] : Number.NaN)
    })
    .refine((ms) => ms >= least && ms <= most, `must lie between ${least / 1_000}s and ${most / 1_000}s`)

const postgresUrl = z.string().regex(/^postgres(ql)?:\/\//, 'is not a postgresql:// address')

const baseUrl = z
  .string()
  .refine((text) => /^https?:$/.test(URL.parse(text)?.protocol ?? ''), {
    message: 'is not an http(s) address',
    abort: true,
  })
  .refine((text) => {
    const url = new URL(text)
    return url.pathname === '/' && url.search === '' && url.hash === '' && url.username === ''
  }, 'must be an origin: no path, query, fragment or user')

/** One row per setting: its environment variable, its rule, its default, and what it is for. */
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
  },
  LISTEN_DATABASE_URL: {
    rule: postgresUrl.optional(),
    byDefault: undefined,
    meaning: 'the same database past a pooler that breaks LISTEN; DATABASE_URL when not set',
  },
  DATABASE_POOL_SIZE: {
    rule: z.coerce.number().int().min(2).max(200),
    byDefault: '12',
    meaning: 'database connections of one server',
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
  },
  BLOCK_INTERVAL: { rule: duration(1_000, 3_600_000), byDefault: '60s', meaning: 'time from block to block' },
  LIMIT_BODY_BYTES: {
    rule: z.coerce.number().int().min(1_024).max(16_777_216),
    byDefault: '528384',
    meaning: 'largest request body in bytes',
  },
  TRUSTED_PROXIES: {
    rule: z.string().transform((text, context) => {
      try {
        return trustedProxies(text)
      } catch (error) {
        context.addIssue(error instanceof Error ? error.message : 'is no list of CIDR blocks')
        return z.NEVER
      }
    }),
    byDefault: '',
    meaning: 'CIDR blocks whose X-Forwarded-For is believed, apart by commas',
  },
  LOG_LEVEL: { rule: z.enum(LOG_LEVELS), byDefault: 'info', meaning: LOG_LEVELS.join(', ') },
} as const

/** Settings whose value is a secret or holds one. */
export const SECRET_SETTINGS: ReadonlySet<string> = new Set([
  'DATABASE_URL',
  'LISTEN_DATABASE_URL',
  'MASTER_KEY',
])
