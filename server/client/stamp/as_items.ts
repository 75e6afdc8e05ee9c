// Has digests accepted as items of an account.
import { Complaint, plural, printable } from '../../../shared/cli/terminal.ts'
import { TREE_FORMAT, type TreeEntry } from '../../../shared/evidence/digest_tree.ts'
import { type EvidenceItem, readStoredItem } from '../../../shared/evidence/evidence.ts'
import { toHex } from '../../../shared/proof/bytes.ts'
import {
  canonicalJson,
  type JsonObject,
  type JsonValue,
  memberAt,
  textAt,
} from '../../../shared/proof/json_value.ts'
import { askService, type Service, ServiceRefused } from '../ask/ask_service.ts'
import { postOnce, strange } from './ask_once.ts'

/** What an account says of its items. */
export interface Labels {
  readonly name: string | undefined
  readonly tags: readonly string[]
  readonly visibility: string | undefined
}

/**
 * An item for each entry, in their order.
 * @param files how many there are in each entry
 * @throws Complaint, EvidenceRejected for what is no item
 */
export async function asItems(
  service: Service,
  labels: Labels,
  entries: readonly TreeEntry[],
  files: number,
): Promise<EvidenceItem[]> {
  const claims = entries.map((entry) => claimsOf(entry, labels.name, files))
  const submissions = claims.map((each) => ({
    claims: each,
    ...(labels.tags.length === 0 ? {} : { tags: [...labels.tags] }),
    ...(labels.visibility === undefined ? {} : { visibility: labels.visibility }),
  }))
  const [only] = submissions
  const resources =
    only !== undefined && submissions.length === 1
      ? [await createItem(service, only)]
      : await createItems(service, submissions)
  return resources.map((resource, at) => {
    const item = itemIn(service, resource)
    if (canonicalJson(item.claims) !== canonicalJson(claims[at] ?? {}))
      throw new Complaint(`Item ${item.id} of ${service.url.origin} has other claims than were sent.`, {
        exitCode: 1,
        advice: 'Were they redacted? Under another --name the digest gets an item of its own.',
      })
    return item
  })
}

function claimsOf(entry: TreeEntry, name: string | undefined, files: number): JsonObject {
  const { type, value } = claimedBy(entry)
  const digest = { hash: toHex(value), hash_type: type }
  return entry.type === TREE_FORMAT
    ? {
        name: name ?? plural(files, 'file'),
        ...digest,
        metadata: { tree: { format: TREE_FORMAT, size: treeSize(entry.value) } },
      }
    : { name: name ?? 'file', ...digest }
}

/** What an item about the entry has as its digest: of a tree it is the root. */
export const claimedBy = ({ type, value }: TreeEntry): TreeEntry =>
  type === TREE_FORMAT ? { type: 'sha256', value: value.subarray(0, 32) } : { type, value }

/** The last eight bytes of the entry of a tree. */
const treeSize = (value: Uint8Array): number =>
  Number(new DataView(value.buffer, value.byteOffset).getBigUint64(value.length - 8))

async function createItem(service: Service, attributes: JsonObject): Promise<JsonValue | undefined> {
  try {
    return dataOf(await postOnce(service, '/api/json/items', { data: { type: 'item', attributes } }))
  } catch (error) {
    throw error instanceof ServiceRefused && error.code === 'not_found' ? gone(service, 'The item') : error
  }
}

/** The answer to a repeated request is what was made then. */
const gone = ({ url }: Service, what: string): Complaint =>
  new Complaint(`${what} that ${url.origin} made of this within a day is not there any more.`, {
    exitCode: 1,
    advice: 'Was it deleted? Under another --name the digest gets an item of its own.',
  })

/** The answer to many names their ids alone. */
async function createItems(service: Service, items: JsonObject[]): Promise<(JsonValue | undefined)[]> {
  const answer = await postOnce(service, '/api/json/items/batch', { data: { items } })
  const result = memberAt(answer, 'result')
  const made = memberAt(result, 'items')
  const ids = (Array.isArray(made) ? made : []).map((one) => {
    const id = textAt(one, 'id')
    if (id !== undefined) return id
    const errors = memberAt(one, 'errors')
    const [first] = Array.isArray(errors) ? errors : []
    throw new Complaint(
      `${service.url.origin} refused an item: ${textAt(first, 'detail') ?? 'it does not say why'}`,
      {
        exitCode: 1,
      },
    )
  })
  const found = new Map<string, JsonValue>()
  for (let from = 0; from < ids.length; from += IDS_AT_ONCE) {
    const wanted = ids.slice(from, from + IDS_AT_ONCE)
    const query = wanted.map((id) => `filter%5Bid%5D%5Bin%5D%5B%5D=${id}`).join('&')
    const page = dataOf(await askService(service, `/api/json/items?${query}&page%5Blimit%5D=${IDS_AT_ONCE}`))
    for (const resource of Array.isArray(page) ? page : []) found.set(textAt(resource, 'id') ?? '', resource)
  }
  if (ids.length !== items.length) throw strange(service, 'it is about another number of items')
  const lost = ids.find((id) => !found.has(id))
  if (lost !== undefined) throw gone(service, `Item ${printable(lost)}`)
  return ids.map((id) => found.get(id))
}

/** So that the address stays below what servers read. */
const IDS_AT_ONCE = 100

const dataOf = (answer: JsonValue): JsonValue | undefined => memberAt(answer, 'data')

export function itemIn({ url }: Service, resource: JsonValue | undefined): EvidenceItem {
  const attributes = memberAt(resource, 'attributes')
  const of = (name: string): JsonValue => memberAt(attributes, name) ?? null
  return readStoredItem({
    service: url.origin,
    id: textAt(resource, 'id') ?? null,
    claims: of('claims') ?? {},
    metadata: of('metadata'),
    signing_key_id: of('signing_key_id'),
    signature: of('signature'),
  })
}
