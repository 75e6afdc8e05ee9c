// `pharos ls`: the items of the account's team, newest first.
import {
  type ClientCommand,
  type Surroundings,
  textOption,
  textOptions,
  type Values,
} from '../../../shared/cli/command.ts'
import { Complaint, type ExitCode, plural } from '../../../shared/cli/terminal.ts'
import { SERVICE_OPTIONS, type Service, serviceFrom } from '../ask/ask_service.ts'
import { askAgain } from '../ask/patience.ts'
import { JSON_OPTION, jsonLine, LARGEST_PAGE, queryOf, readListPage, rowLine, sinceTime } from './rows.ts'

/** Rows that fit on a screen. */
const FEW = 25

const STATES: readonly string[] = ['created', 'committed', 'redacted']

export const ls: ClientCommand = {
  usage: `[--tag <tag>] [--state ${STATES.join('|')}] [--since <time>] [--all]`,
  meaning: 'lists your items, the newest first',
  help: `
The newest ${FEW} items of the team that you may read, or with --all every one.`,
  options: {
    tag: { multiple: true, takes: '<tag>', meaning: 'those with this tag, and with each of several' },
    state: { takes: STATES.join('|'), meaning: 'those in this state' },
    since: { takes: '<time>', meaning: 'those since this time, in UTC' },
    all: { meaning: `not only the newest ${FEW}` },
    ...JSON_OPTION,
    ...SERVICE_OPTIONS,
  },
  exits: { 0: 'listed', 1: 'the service said no', 4: 'sign in first' },
  run: async (surroundings, words) => {
    if (words.length > 0) throw new Complaint('It takes options only.')
    const query = queryOf(filterOf(surroundings.values))
    return list(surroundings, await serviceFrom(surroundings), `/api/json/items${query}`)
  },
}

function filterOf(values: Values): Record<string, string> {
  const since = textOption(values, 'since')
  const state = textOption(values, 'state')
  if (state !== undefined && !STATES.includes(state))
    throw new Complaint(`--state is one of ${STATES.join(', ')}.`)
  const [tag, ...others] = textOptions(values, 'tag')
  const further = others.map((one, index) => [`filter[and][${index}][tags][has]`, one])
  return {
    'page[limit]': String(values.all === true ? LARGEST_PAGE : FEW),
    ...(state === undefined ? {} : { 'filter[state]': state }),
    ...(since === undefined ? {} : { 'filter[inserted_at][gte]': sinceTime(since) }),
    ...(tag === undefined ? {} : { 'filter[tags][has]': tag }),
    ...Object.fromEntries(further),
  }
}

/** Page by page, so that any number of items may come; as JSON one document, written as it comes. */
async function list(
  { terminal, self, values }: Surroundings,
  service: Service,
  path: string,
): Promise<ExitCode> {
  const { say, paint } = terminal
  const isJson = values.json === true
  let before = '{"items":['
  let next: string | undefined = path
  do {
    const asked: string = next
    const ask = () => readListPage(service, asked)
    const page = asked === path ? await ask() : await askAgain(terminal, ask)
    for (const row of page.rows) {
      say(isJson ? `${before}${jsonLine(row)}` : rowLine(row, paint))
      before = ','
    }
    next = page.next
  } while (next !== undefined && values.all === true)
  if (isJson) say(`${before === ',' ? '' : before}],"has_more":${next !== undefined}}`)
  if (next !== undefined) terminal.note(`There are more than ${plural(FEW, 'item')}: ${self} ls --all`)
  return 0
}
