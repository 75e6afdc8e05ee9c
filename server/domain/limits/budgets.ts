// All budgets in one table: the amount per minute, whose it is, and the setting that changes it.
import { clockMinute, type Metering, tokenBucket } from '../../kernel/token_bucket.ts'

/** Whom a budget belongs to. This decides the subject of a charge: a user's id, an address key or an account's id. */
type Scope = 'caller' | 'address' | 'account' | 'fleet'

interface Budget {
  /** The name in the RateLimit header fields, where it is not that of the budget. */
  readonly policy?: string
  readonly scope: Scope
  /** A token bucket when absent. */
  readonly metering?: Metering
  readonly perMinute: number
  /** The environment variable that changes the limit. Absent when there is none. */
  readonly setting?: string
  /** So many times that number. */
  readonly times?: number
  readonly meaning: string
}

const CALLER = {
  policy: 'caller',
  perMinute: 120,
  setting: 'LIMIT_CALLER_PER_MINUTE',
  meaning: 'requests a minute of one caller on one API surface, or of one address without a valid credential',
} as const

const ADDRESS = {
  policy: 'address',
  scope: 'address',
  metering: clockMinute,
  perMinute: 1_000,
  setting: 'LIMIT_ADDRESS_PER_MINUTE',
  meaning:
    'requests of one client address (IPv4, or IPv6 /64) on one API surface, or on all routes of none, in a minute of the clock',
} as const

const AGGREGATION = {
  policy: 'aggregation',
  perMinute: 600,
  setting: 'LIMIT_AGGREGATION_PER_MINUTE',
  meaning:
    'units a minute of one client address at the doors without an account, one a request and one more for each 16 digests; who shows a credential has ten times as many instead',
} as const

/**
 * Each surface has its own budget of requests. The weight of a request beyond one is charged to the shared
 * `caller_work`. Console handshakes and client registrations are charged to `jsonapi_address`. Requests without a
 * valid credential are charged by address to `…_anonymous` instead of `…_caller`.
 */
export const BUDGETS = {
  jsonapi_address: ADDRESS,
  graphql_address: ADDRESS,
  log_address: ADDRESS,
  other_address: ADDRESS,
  log_tiles: {
    scope: 'address',
    metering: clockMinute,
    perMinute: 10_000,
    setting: 'LIMIT_LOG_TILES_PER_MINUTE',
    meaning:
      'tiles, entry bundles and epochs of the public log that one client address takes in a minute of the clock, beside its other requests',
  },
  aggregation_address: { ...AGGREGATION, scope: 'address' },
  aggregation_caller: { ...AGGREGATION, scope: 'caller', times: 10 },
  round_proof_address: {
    scope: 'address',
    perMinute: 60,
    meaning:
      'proofs of rounds a minute that are made for one client address; a proof that is there costs nothing',
  },
  round_proof_fleet: {
    scope: 'fleet',
    perMinute: 600,
    meaning: 'proofs of rounds a minute that are made for who has no account, by all servers together',
  },
  jsonapi_caller: { ...CALLER, scope: 'caller' },
  graphql_caller: { ...CALLER, scope: 'caller' },
  caller_work: {
    scope: 'caller',
    perMinute: 1_200,
    setting: 'LIMIT_CALLER_WORK_PER_MINUTE',
    meaning:
      'units of work a minute of one caller on all API surfaces, beyond what each request has for itself',
  },
  jsonapi_anonymous: { ...CALLER, scope: 'address' },
  graphql_anonymous: { ...CALLER, scope: 'address' },
  proof_generate: {
    scope: 'account',
    perMinute: 300,
    setting: 'LIMIT_PROOF_GENERATE_PER_MINUTE',
    meaning: 'proofs generated a minute for one account',
  },
  proof_generate_fleet: {
    scope: 'fleet',
    perMinute: 3_000,
    setting: 'LIMIT_PROOF_GENERATE_FLEET_PER_MINUTE',
    meaning: 'proofs generated a minute by all servers together',
  },
  proof_verify: {
    scope: 'account',
    perMinute: 30,
    setting: 'LIMIT_PROOF_VERIFY_PER_MINUTE',
    meaning: 'proofs verified a minute for one account',
  },
  proof_verify_external_fleet: {
    scope: 'fleet',
    perMinute: 120,
    setting: 'LIMIT_PROOF_VERIFY_EXTERNAL_FLEET_PER_MINUTE',
    meaning: 'verifications a minute that contact public chains, by all servers together',
  },
  sign_in_address: {
    scope: 'address',
    perMinute: 20,
    setting: 'LIMIT_SIGN_IN_ADDRESS_PER_MINUTE',
    meaning: 'tries a minute of one client address to sign in, or to use a one-time link that there is not',
  },
  sign_in_account: {
    scope: 'account',
    perMinute: 30,
    setting: 'LIMIT_SIGN_IN_ACCOUNT_PER_MINUTE',
    meaning:
      'tries a minute to sign in to one account from browsers that are new there; beyond them each network (IPv4 address, or IPv6 /48) has three',
  },
  sign_in_network: {
    scope: 'account',
    perMinute: 3,
    meaning: 'tries a minute of one network to sign in to one account, once the account’s are spent',
  },
  sign_in_known: {
    scope: 'account',
    perMinute: 10,
    meaning:
      'tries a minute of one browser that signed in to the account before, or of one person to change the password',
  },
  sign_up_address: {
    scope: 'address',
    perMinute: 5,
    setting: 'LIMIT_SIGN_UP_PER_MINUTE',
    meaning: 'tries a minute of one client address to make an account',
  },
  client_document: {
    scope: 'address',
    perMinute: 20,
    meaning: 'documents about OAuth clients a minute that are fetched for one client address',
  },
  webhook_test: {
    scope: 'account',
    perMinute: 10,
    meaning: 'webhook test deliveries a minute of one account',
  },
  script_cpu: {
    scope: 'account',
    perMinute: 10_000,
    setting: 'LIMIT_SCRIPT_CPU_MS_PER_MINUTE',
    meaning: 'milliseconds of processor time a minute that the agent scripts of one account use',
  },
} as const satisfies Record<string, Budget>

export type BudgetName = keyof typeof BUDGETS

/** The subject of a budget that all servers share. */
export const FLEET = 'fleet'

type LimitSetting = Extract<(typeof BUDGETS)[BudgetName], { setting: string }>['setting']

/** Limits that replace the defaults: whole numbers from 1. */
export type LimitChoices = Readonly<Partial<Record<LimitSetting, number>>>

/** One row per environment variable: its default and its purpose. */
export const LIMIT_SETTINGS: ReadonlyMap<LimitSetting, { byDefault: number; meaning: string }> = new Map(
  Object.values(BUDGETS).flatMap((budget) =>
    'setting' in budget
      ? [[budget.setting, { byDefault: budget.perMinute, meaning: budget.meaning }] as const]
      : [],
  ),
)

const isBudgetName = (name: string): name is BudgetName => Object.hasOwn(BUDGETS, name)

export const BUDGET_NAMES: readonly BudgetName[] = Object.keys(BUDGETS).filter(isBudgetName)

/** The name of a budget in the RateLimit header fields. */
export const policyOf = (budget: BudgetName): string => {
  const { policy = budget }: Budget = BUDGETS[budget]
  return policy
}

const SHARE = 0.04
/** Each server may overshoot by this part. With four servers the sum stays within a few percent. */
const CREDIT = 0.01

/**
 * Anyone can invent subjects such as addresses. The database receives such a subject with its second request at the
 * earliest, so a flood of them costs it nothing. Budgets in which one request is more than a percent are counted
 * exactly: no credit, no shares.
 */
function termsOf(budget: BudgetName, limits: LimitChoices) {
  const { scope, metering = tokenBucket }: Budget = BUDGETS[budget]
  const limit = limitOf(budget, limits)
  const credit = Math.floor(limit * CREDIT)
  return Object.freeze({
    budget,
    limit,
    metering,
    /** Full again at each clock minute. Leases and debts end with the minute. */
    windowed: metering === clockMinute,
    /** Leased in advance. 0: every charge asks the database. */
    share: credit === 0 ? 0 : Math.ceil(limit * SHARE),
    /** Each server may spend this much without a report, so that charges of a new subject need not wait. */
    credit,
    /** Unreported spending at which the database is asked, without a wait for any charge. */
    asksFrom: scope === 'address' ? Math.max(2, Math.ceil(credit / 2)) : 1,
  })
}

export type Terms = ReturnType<typeof termsOf>

export const allTerms = (limits: LimitChoices): ReadonlyMap<BudgetName, Terms> =>
  new Map(BUDGET_NAMES.map((name) => [name, termsOf(name, limits)]))

function limitOf(budget: BudgetName, limits: LimitChoices): number {
  const row = BUDGETS[budget]
  const base = ('setting' in row ? limits[row.setting] : undefined) ?? row.perMinute
  const limit = base * ('times' in row ? row.times : 1)
  if (!Number.isSafeInteger(limit) || limit < 1) throw new RangeError(`${budget}: ${limit} is no limit`)
  return limit
}
