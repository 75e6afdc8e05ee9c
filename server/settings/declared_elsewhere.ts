// Settings that other tables declare: addresses of public services, budgets and ceilings.
import { LOOKUP_PLACES, lookupAddresses } from '../../shared/proof/lookups/lookup.ts'
import { SOURCES, sourceAddresses } from '../domain/entropy/source.ts'
import { LIMIT_SETTINGS } from '../domain/limits/budgets.ts'
import { CEILINGS, type Ceiling, ceilingNames } from '../kernel/ceilings.ts'
import { apiAddress, wholeNumber } from './rules.ts'

interface Declared<Default> {
  readonly byDefault: Default
  readonly meaning: string
}

const address = (setting: string, { byDefault, meaning }: Declared<string>) => ({
  setting,
  rule: apiAddress,
  byDefault,
  meaning,
})

const number = (setting: string, { byDefault, meaning }: Declared<number>) => ({
  setting,
  rule: wholeNumber,
  byDefault: String(byDefault),
  meaning,
})

/** One for each entropy source, e.g. `ENTROPY_NIST_URL`. */
export const SOURCE_SETTINGS = sourceAddresses((choice) =>
  address(`ENTROPY_${choice.toUpperCase()}_URL`, SOURCES[choice]),
)

export const LOOKUP_SETTINGS = lookupAddresses((place) =>
  address(LOOKUP_PLACES[place].setting, LOOKUP_PLACES[place]),
)

export const BUDGET_SETTINGS = Object.fromEntries(
  [...LIMIT_SETTINGS].map(([setting, row]) => [setting, number(setting, row)]),
)

export const CEILING_SETTINGS = Object.fromEntries(
  ceilingNames.flatMap((name) => {
    const row: Ceiling = CEILINGS[name]
    return row.setting === undefined ? [] : [[name, number(row.setting, row)] as const]
  }),
)
