// Links of tzdb's file `backward` that moment-timezone's data leaves out. From tzdb 2025b. ICU's list agrees.

/**
 * Names that link to the zone of another country with the same clocks. The name's own place, which `zone.tab` lists,
 * is given in a comment of that file (`Link Africa/Abidjan Iceland #= Atlantic/Reykjavik`).
 */
const OWN_PLACES = {
  'Africa/Asmera': 'Africa/Asmara',
  'Africa/Timbuktu': 'Africa/Bamako',
  'America/Coral_Harbour': 'America/Atikokan',
  'America/Virgin': 'America/St_Thomas',
  'Antarctica/South_Pole': 'Antarctica/McMurdo',
  'Atlantic/Jan_Mayen': 'Arctic/Longyearbyen',
  Iceland: 'Atlantic/Reykjavik',
  'Pacific/Ponape': 'Pacific/Pohnpei',
  'Pacific/Truk': 'Pacific/Chuuk',
  'Pacific/Yap': 'Pacific/Chuuk',
} as const

/** Zones without a place, which are links since tzdb 2024b. The data still has them as zones. */
const FORMER_RULE_ZONES = {
  CST6CDT: 'America/Chicago',
  EST5EDT: 'America/New_York',
  MST7MDT: 'America/Denver',
  PST8PDT: 'America/Los_Angeles',
} as const

export const TZDB_BACKWARD: ReadonlyMap<string, string> = new Map(
  Object.entries({ ...OWN_PLACES, ...FORMER_RULE_ZONES }),
)
