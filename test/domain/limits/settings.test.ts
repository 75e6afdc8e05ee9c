// Each setting changes the limit of its own budgets, and of no other.
import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  BUDGETS,
  type BudgetName,
  LIMIT_SETTINGS,
  type LimitChoices,
} from '../../../server/domain/limits/budgets.ts'
import { openServers, type Servers } from './servers.ts'

type LimitSetting = keyof LimitChoices

interface SettingRow {
  readonly byDefault: number
  readonly budgets: readonly BudgetName[]
  /** What the number of the setting is multiplied by, for some of the budgets. */
  readonly times?: Readonly<Partial<Record<BudgetName, number>>>
}

const SETTINGS: Readonly<Record<LimitSetting, SettingRow>> = {
  LIMIT_AGGREGATION_PER_MINUTE: {
    byDefault: 600,
    budgets: ['aggregation_address', 'aggregation_caller'],
    times: { aggregation_caller: 10 },
  },
  LIMIT_CALLER_PER_MINUTE: {
    byDefault: 120,
    budgets: ['jsonapi_caller', 'graphql_caller', 'jsonapi_anonymous', 'graphql_anonymous'],
  },
  LIMIT_CALLER_WORK_PER_MINUTE: { byDefault: 1_200, budgets: ['caller_work'] },
  LIMIT_ADDRESS_PER_MINUTE: {
    byDefault: 1_000,
    budgets: ['jsonapi_address', 'graphql_address', 'log_address', 'other_address'],
  },
  LIMIT_LOG_TILES_PER_MINUTE: { byDefault: 10_000, budgets: ['log_tiles'] },
  LIMIT_PROOF_GENERATE_PER_MINUTE: { byDefault: 300, budgets: ['proof_generate'] },
  LIMIT_PROOF_GENERATE_FLEET_PER_MINUTE: { byDefault: 3_000, budgets: ['proof_generate_fleet'] },
  LIMIT_PROOF_VERIFY_PER_MINUTE: { byDefault: 30, budgets: ['proof_verify'] },
  LIMIT_PROOF_VERIFY_EXTERNAL_FLEET_PER_MINUTE: { byDefault: 120, budgets: ['proof_verify_external_fleet'] },
  LIMIT_SIGN_IN_ADDRESS_PER_MINUTE: { byDefault: 20, budgets: ['sign_in_address'] },
  LIMIT_SIGN_IN_ACCOUNT_PER_MINUTE: { byDefault: 30, budgets: ['sign_in_account'] },
  LIMIT_SIGN_UP_PER_MINUTE: { byDefault: 5, budgets: ['sign_up_address'] },
  LIMIT_SCRIPT_CPU_MS_PER_MINUTE: { byDefault: 10_000, budgets: ['script_cpu'] },
}

let servers: Servers
beforeAll(async () => {
  servers = await openServers()
})
afterAll(() => servers.close())

const limitsOf = async (limits: LimitChoices) => {
  const server = await servers.open({ limits })
  const names = Object.keys(BUDGETS) as BudgetName[]
  const charges = names.map(async (name) => [name, (await server.charge(name, 'somebody')).limit] as const)
  return Object.fromEntries(await Promise.all(charges))
}

it.each(Object.entries(SETTINGS) as [LimitSetting, (typeof SETTINGS)[LimitSetting]][])(
  '%s',
  async (setting, { byDefault, budgets, times = {} }) => {
    const timesOf = (name: BudgetName) => times[name] ?? 1
    expect(LIMIT_SETTINGS.get(setting)?.byDefault).toBe(byDefault)
    const usual = await limitsOf({})
    for (const name of budgets) expect(usual[name]).toBe(byDefault * timesOf(name))
    expect(await limitsOf({ [setting]: 7 })).toEqual({
      ...usual,
      ...Object.fromEntries(budgets.map((name) => [name, 7 * timesOf(name)])),
    })
  },
)
