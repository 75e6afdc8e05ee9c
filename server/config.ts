// Environment to one frozen, typed object. Every mistake is reported at once, before anything is opened.
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { z } from 'zod'
import { LIMIT_SETTINGS, type LimitChoices } from './domain/limits/budgets.ts'
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

export interface Config {
  readonly port: number
  readonly host: string
  /** Undefined until the port is known, when it was not set. */
  readonly baseUrl: string | undefined
  readonly databaseUrl: string | undefined
  readonly listenDatabaseUrl: string | undefined
  readonly databasePoolSize: number
  readonly dataDir: string
  readonly masterKey: Buffer | undefined
  readonly blockIntervalMs: number
  readonly maxBodyBytes: number
  readonly trustedProxies: ReturnType<typeof trustedProxies>
  readonly limits: LimitChoices
  readonly logLevel: (typeof LOG_LEVELS)[number]
}

/** Settings whose value is a secret or holds one. */
const SECRET: ReadonlySet<string> = new Set(['DATABASE_URL', 'LISTEN_DATABASE_URL', 'MASTER_KEY'])

/** The process's environment, with what a `.env` file beside package.json adds to it. */
export function environment(root: string): Readonly<Record<string, string | undefined>> {
  const file = join(root, '.env')
  if (existsSync(file)) process.loadEnvFile(file)
  return process.env
}

/** @throws ConfigError naming every setting that is wrong; blank values count as not set */
export function readConfig(environment: Readonly<Record<string, string | undefined>>, root: string): Config {
  const mistakes: string[] = []
  const read = <Name extends keyof typeof SETTINGS>(name: Name): z.infer<(typeof SETTINGS)[Name]['rule']> => {
    const { rule, byDefault } = SETTINGS[name]
    const given = environment[name]?.trim() || byDefault
    const judged = rule.safeParse(given)
    if (!judged.success)
      mistakes.push(`${name} ${judged.error.issues.map(({ message }) => message).join(', ')}`)
    return judged.data as z.infer<(typeof SETTINGS)[Name]['rule']>
  }
  const masterKey = read('MASTER_KEY')
  const config: Config = {
    port: read('PORT'),
    host: read('HOST'),
    baseUrl: read('BASE_URL'),
    databaseUrl: read('DATABASE_URL'),
    listenDatabaseUrl: read('LISTEN_DATABASE_URL'),
    databasePoolSize: read('DATABASE_POOL_SIZE'),
    dataDir: resolve(root, read('DATA_DIR') ?? '.data'),
    masterKey: masterKey === undefined ? undefined : Buffer.from(masterKey, 'hex'),
    blockIntervalMs: read('BLOCK_INTERVAL'),
    maxBodyBytes: read('LIMIT_BODY_BYTES'),
    trustedProxies: read('TRUSTED_PROXIES'),
    limits: readLimits(environment, mistakes),
    logLevel: read('LOG_LEVEL'),
  }
  if (config.databaseUrl !== undefined && config.masterKey === undefined)
    mistakes.push('MASTER_KEY is required with DATABASE_URL: 64 hex characters, the same on every server')
  if (mistakes.length > 0) throw new ConfigError(mistakes)
  return Object.freeze(config)
}

/** The budgets' own settings, each a whole number from 1. */
function readLimits(
  environment: Readonly<Record<string, string | undefined>>,
  mistakes: string[],
): LimitChoices {
  const choices: { -readonly [Name in keyof LimitChoices]: LimitChoices[Name] } = {}
  for (const name of LIMIT_SETTINGS.keys()) {
    const given = environment[name]?.trim()
    if (!given) continue
    if (/^[1-9]\d{0,8}$/.test(given)) choices[name] = Number(given)
    else mistakes.push(`${name} is not a whole number from 1`)
  }
  return choices
}

export class ConfigError extends Error {
  constructor(mistakes: readonly string[]) {
    super(`The configuration is wrong:\n${mistakes.map((text) => `  ${text}`).join('\n')}`)
    this.name = 'ConfigError'
  }
}

/** What was set, for the line that is logged at start; secrets show only that they are set. */
export const maskedSettings = (
  environment: Readonly<Record<string, string | undefined>>,
): Record<string, string> =>
  Object.fromEntries(
    [...Object.keys(SETTINGS), ...LIMIT_SETTINGS.keys()].flatMap((name) => {
      const value = environment[name]?.trim()
      return value ? [[name, SECRET.has(name) ? '(set)' : value]] : []
    }),
  )
