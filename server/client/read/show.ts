// `pharos show`: what an id, a hash, a height, a time or a name stands for. It is read as the search of the console reads
// it, and asked with the same question.
import type { ClientCommand } from '../../../shared/cli/command.ts'
import { Complaint, printable } from '../../../shared/cli/terminal.ts'
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  memberAt,
  memberOf,
  textAt,
} from '../../../shared/proof/json_value.ts'
import { type ItemName, questionOf } from '../../../shared/search/question_of.ts'
import { type Named, readNames } from '../../../shared/search/read_names.ts'
import { askService, SERVICE_OPTIONS, type Service, serviceFrom } from '../ask/ask_service.ts'
import { JSON_OPTION, jsonLine, type ListedRow, readRow, rowFields } from './rows.ts'

export const show: ClientCommand = {
  usage: '<id>|<hash>|<height>|<time>',
  meaning: 'shows what an id, a hash, a height, a time or a name stands for',
  help: `
Understands what the search of the console understands: ids of anything, hashes of blocks, items, observations, epochs
and transactions, digests of files, heights, times in UTC ("yesterday 14:02" too), and parts of the names of items.

Of a time the blocks around it are shown: the one that a submission of then would be in, and the one before.`,
  options: { ...JSON_OPTION, ...SERVICE_OPTIONS },
  exits: {
    0: 'shown',
    1: 'there is nothing of that name that you may read, or the service said no',
    4: 'sign in first',
  },
  run: async (surroundings, words) => {
    const { terminal, values } = surroundings
    const text = words.join(' ').trim()
    if (text === '') throw new Complaint('Say what to show.')
    const service = await serviceFrom(surroundings)
    // Each once.
    const whys = new Map<string, string>()
    for (const named of namesIn(text))
      for (const { path, why } of await find(service, named)) whys.set(path, whys.get(path) ?? why)
    if (whys.size === 0)
      throw new Complaint(`There is nothing called ${text} that this credential may read.`, { exitCode: 1 })
    const shown: [row: ListedRow, why: string][] = []
    for (const [path, why] of whys) shown.push([await readRow(service, path), why])
    if (values.json === true) terminal.say(jsonLine({ found: shown.map(([row]) => row) }))
    else
      for (const [index, [row, why]] of shown.entries())
        for (const line of [...(index === 0 ? [] : ['']), ...rowFields(row, terminal.paint, why)])
          terminal.say(line)
    return 0
  },
}

/** Shorter texts are in too many names. */
const SHORTEST_NAME = 3

function namesIn(text: string): readonly (Named | ItemName)[] {
  const names = readNames(text, Date.now())
  if (names.length > 0) return names
  if (text.length < SHORTEST_NAME)
    throw new Complaint(`${text} is neither an id nor a hash, and too short for a name.`)
  return [{ kind: 'name', text }]
}

/** The paths of what a field of the question stands for; before `_` in its name is the kind (question_of.ts). */
const PATHS: Readonly<Record<string, string>> = {
  block: 'blocks',
  item: 'items',
  observation: 'entropy_observations',
  epoch: 'epochs',
  commitment: 'commitments',
  endpoint: 'webhook-endpoints',
  delivery: 'webhook-deliveries',
  team: 'teams',
  membership: 'memberships',
  key: 'api-keys',
}

const WHY: Readonly<Record<string, string>> = {
  item_itemHash: 'by its item hash',
  item_claimsHash: 'by the hash of its claims',
  item_digest: 'by the digest in its claims',
  item_name: 'by its name',
  block_after: 'the first at or after that time',
  block_before: 'the last before that time',
}

/**
 * The paths of resources, and why: by which of its hashes each was found, or how it stands to a time. Empty when its id was
 * given.
 * @throws Complaint, also when the service could not look everywhere
 */
async function find(service: Service, named: Named | ItemName) {
  const { query, variables } = questionOf(named)
  const answer = await askService(service, '/gql', {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify({ query, variables }),
  })
  const refused = memberAt(answer, 'errors')
  const data = memberAt(answer, 'data')
  if (refused !== undefined || !isJsonObject(data))
    throw new Complaint(
      printable(
        textAt(Array.isArray(refused) ? refused[0] : undefined, 'message') ??
          'The service could not look for it.',
      ),
      { exitCode: 1 },
    )
  return Object.entries(data).flatMap(([field, value]) =>
    foundIn(value).flatMap((row) => {
      const [kind = ''] = field.split('_')
      const [path, id] = [PATHS[kind], textAt(row, 'id')]
      return path === undefined || id === undefined
        ? []
        : [{ path: `/api/json/${path}/${encodeURIComponent(id)}`, why: WHY[field] ?? '' }]
    }),
  )
}

/** A field is one row, null, or a page of rows. */
function foundIn(value: JsonValue): JsonObject[] {
  if (!isJsonObject(value)) return []
  const results = memberOf(value, 'results')
  return Array.isArray(results) ? results.filter(isJsonObject) : [value]
}
