// What a setting is, rules for the texts of settings, and the values that they become.
import { availableParallelism } from 'node:os'
import { z } from 'zod'
import { isKeyName } from '../../shared/log/verifier_key.ts'
import { readOrUndefined } from '../../shared/proof/bytes.ts'
import { CHAIN_NAMES } from '../../shared/proof/public_chains.ts'
import { oid } from '../../shared/time_stamps/write_der.ts'
import type { ChainChoice } from '../domain/commitments/chains/configured_chains.ts'
import { SOURCE_CHOICES } from '../domain/entropy/source.ts'
import { PUBLIC_DOORS } from '../domain/rounds/public_door.ts'
import { LEAST_TIME_SERVERS } from '../domain/time_stamps/stamping_clock.ts'
import { addressRanges } from '../kernel/addresses.ts'
import type { TimeServer } from '../outgoing/ask_time.ts'

export interface Setting {
  /** The environment variable. */
  readonly setting: string
  readonly rule: z.ZodType
  /** The default in the form in which it would be set. Without it the setting may be absent. */
  readonly byDefault?: string
  readonly meaning: string
  /** A value that shows the form, for settings without a default. */
  readonly example?: string
  /** The value is or contains a secret, so the log says only that it is set. */
  readonly secret?: true
}

/** Settings by the names that a start calls their values. Some stand together under one name. */
export interface Settings {
  readonly [name: string]: Setting | Settings
}

/** What is read of settings. */
export type SettingValues<Table> = {
  readonly [Name in keyof Table]: Table[Name] extends { readonly rule: infer Rule extends z.ZodType }
    ? z.infer<Rule>
    : SettingValues<Table[Name]>
}

const isSetting = (row: Setting | Settings): row is Setting => typeof row.setting === 'string'

export const settingRows = (settings: Settings): readonly Setting[] =>
  Object.values(settings).flatMap((row) => (isSetting(row) ? [row] : settingRows(row)))

/** @param read judges one setting, and notes where it is wrong */
export const settingValues = <Table extends Settings>(
  settings: Table,
  read: (setting: Setting) => unknown,
): SettingValues<Table> =>
  Object.fromEntries(
    Object.entries(settings).map(([name, row]) => [
      name,
      isSetting(row) ? read(row) : settingValues(row, read),
    ]),
  ) as SettingValues<Table>

const DURATION = /^(\d+)(ms|s|m|h)$/
const UNITS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 } as const

const isUnit = (text: string | undefined): text is keyof typeof UNITS =>
  text !== undefined && Object.hasOwn(UNITS, text)

export const duration = (least: number, most: number) =>
  z
    .string()
    .regex(DURATION, 'is not a duration such as 60s, 5s or 2m')
    .transform((text) => {
      const [, number, unit] = DURATION.exec(text) ?? []
      return Number(number) * (isUnit(unit) ? UNITS[unit] : Number.NaN)
    })
    .refine((ms) => ms >= least && ms <= most, `must lie between ${least / 1_000}s and ${most / 1_000}s`)
    .describe(`a duration such as 90s, 5m or 2h, from ${least / 1_000}s to ${most / 1_000}s`)

const MOST_WORKERS = 64

/** `auto` leaves one core to the database and the process that makes blocks. */
export const workerCount = z
  .string()
  .transform((text, context): number => {
    if (text === 'auto') return Math.min(MOST_WORKERS, Math.max(1, availableParallelism() - 1))
    const count = /^\d{1,2}$/.test(text) ? Number(text) : 0
    if (count >= 1 && count <= MOST_WORKERS) return count
    context.addIssue(`is not \`auto\` or a whole number from 1 to ${MOST_WORKERS}`)
    return z.NEVER
  })
  .describe('`auto`, or a whole number from 1 to 64')

export const postgresUrl = z
  .string()
  .regex(/^postgres(ql)?:\/\//, 'is not a postgresql:// address')
  .describe('a postgresql:// address')

const httpAddress = z.string().refine((text) => /^https?:$/.test(URL.parse(text)?.protocol ?? ''), {
  message: 'is not an http(s) address',
  abort: true,
})

export const publicOrigin = httpAddress
  .refine((text) => {
    const url = new URL(text)
    return url.pathname === '/' && url.search === '' && url.hash === '' && url.username === ''
  }, 'must be an origin: no path, query, fragment or user')
  .transform((text) => new URL(text).origin)
  .describe('an http(s) origin without a path')

/** Base addresses of APIs. Paths are appended, so the address may have a path but no query or fragment. */
export const apiAddress = httpAddress
  .refine((text) => {
    const url = new URL(text)
    return url.search === '' && url.hash === '' && url.username === '' && url.password === ''
  }, 'must have no query, fragment or user')
  .transform((text) => new URL(text).href.replace(/\/+$/, ''))
  .describe('an http(s) address')

/** Each name once. `none` is no name. @param empty what an empty text stands for, if anything */
const names = <Name extends string>(all: readonly Name[], empty?: readonly Name[]) =>
  z
    .string()
    .transform((text, context): readonly Name[] => {
      if (text === '' && empty !== undefined) return empty
      if (text === 'none') return []
      const given = text.split(',').map((name) => name.trim())
      const known = given.flatMap((name) => all.filter((one) => one === name))
      if (known.length === given.length && new Set(known).size === known.length) return known
      context.addIssue(`is not \`none\` or a list of ${all.join(', ')}`)
      return z.NEVER
    })
    .describe('names apart by commas, or none')

export const sourceChoices = names(SOURCE_CHOICES)

/** An empty value is the development chain. */
export const chainChoices = names<ChainChoice>(CHAIN_NAMES.toSorted(), ['embedded'])

export const doorChoices = names(PUBLIC_DOORS)

export const objectIdentifier = z
  .string()
  .refine(
    (name) => readOrUndefined(() => oid(name)) !== undefined,
    'is not an object identifier such as 1.3.6.1.4.1.32473.1.1',
  )
  .describe('an object identifier')

const MOST_TIME_SERVERS = 16

const NTP_PORT = 123

export const timeServers = z
  .string()
  .transform((text, context): readonly TimeServer[] => {
    const given = text.split(',').map((name) => URL.parse(`ntp://${name.trim()}`))
    const servers = given.flatMap((url) =>
      url === null || !/^(ntp:\/\/)[^/?#@]+\/?$/.test(url.href)
        ? []
        : [{ host: url.hostname.replace(/^\[|\]$/g, ''), port: Number(url.port || NTP_PORT) }],
    )
    const different = new Set(servers.map(({ host, port }) => `${host} ${port}`)).size
    if (different === given.length && different >= LEAST_TIME_SERVERS && different <= MOST_TIME_SERVERS)
      return servers
    context.addIssue(
      `is not a list of ${LEAST_TIME_SERVERS} to ${MOST_TIME_SERVERS} different hosts, with ports where they are not ${NTP_PORT}`,
    )
    return z.NEVER
  })
  .describe(`${LEAST_TIME_SERVERS} to ${MOST_TIME_SERVERS} hosts apart by commas`)

export const logOrigin = z
  .string()
  .refine(isKeyName, 'must be without spaces and plus signs')
  .refine((text) => Buffer.byteLength(text) <= 240, 'must be at most 240 bytes')
  .describe('a name without spaces and plus signs')

export const keyringSources = z
  .string()
  .transform((text, context): readonly string[] => {
    const sources = text
      .split(',')
      .map((source) => source.trim())
      .filter((source) => source !== '')
    for (const source of sources.filter((one) => one.includes('://'))) {
      const url = URL.parse(source)
      // Reports and the log name the keyrings, so an address must not contain a secret.
      const isPlain = url !== null && url.username === '' && url.password === '' && !/[?#]/.test(source)
      if (!source.startsWith('https://') || !isPlain)
        context.addIssue('is not a list of files and https addresses without user, query or fragment')
    }
    return [...new Set(sources)]
  })
  .describe('files and https addresses apart by commas')

/** Credentials and the wallet's path are part of the address. */
export const rpcAddress = httpAddress.describe('an http(s) address with user and password')

/** Each address that is judged is compared with every block. */
const MOST_BLOCKS = 1_000

/** The message of the parser becomes the reported mistake. */
export const addressBlocks = z
  .string()
  .refine((text) => text.split(/[\s,]+/).length <= MOST_BLOCKS, {
    message: `has more than ${MOST_BLOCKS} blocks`,
    abort: true,
  })
  .transform((text, context) => {
    try {
      return addressRanges(text)
    } catch (error) {
      context.addIssue(error instanceof Error ? error.message : 'is no list of CIDR blocks')
      return z.NEVER
    }
  })
  .describe(`up to ${MOST_BLOCKS} CIDR blocks apart by commas`)

export const wholeNumber = z
  .string()
  .regex(/^[1-9]\d{0,8}$/, 'is not a whole number from 1')
  .transform(Number)
  .describe('a whole number from 1')

/** What a value looks like, as far as its rule says so. */
export function formOf(rule: z.ZodType): string {
  const given = asGiven(rule)
  if (given instanceof z.ZodEnum) return given.options.join(', ')
  if (given instanceof z.ZodNumber)
    return `a ${given.isInt ? 'whole ' : ''}number from ${given.minValue} to ${given.maxValue}`
  return given.description ?? 'text'
}

/** What is wrong with a value, in the words of its rule, or by the form that it should have. */
export function mistakeIn(rule: z.ZodType, error: z.ZodError): string {
  const given = asGiven(rule)
  if (given instanceof z.ZodEnum) return `is not one of ${formOf(given)}`
  if (given instanceof z.ZodNumber) return `is not ${formOf(given)}`
  return error.issues.map(({ message }) => message).join(', ')
}

/** The rule of a value that is set, and of a word before it becomes a yes or no. */
function asGiven(rule: z.ZodType): z.ZodType {
  if (rule instanceof z.ZodOptional) return asGiven(rule.unwrap() as z.ZodType)
  return rule instanceof z.ZodPipe && rule.in instanceof z.ZodEnum ? rule.in : rule
}
