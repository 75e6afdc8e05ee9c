// The requests of a hostile caller with one key: for every way in, the largest, deepest, widest and strangest
// allowed request.

export interface Attack {
  readonly name: string
  readonly method?: 'GET' | 'POST' | 'PATCH'
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

const MOST_BYTES = 520_000

const json = (value: unknown): string => JSON.stringify(value)

/** As many of them as fit into a body. */
const fill = (one: string, apart = ','): string =>
  Array.from({ length: Math.floor(MOST_BYTES / (one.length + apart.length)) }, () => one).join(apart)

const numbered = (make: (n: number) => string, width: number): string =>
  Array.from({ length: Math.floor(MOST_BYTES / width) }, (_, n) => make(n)).join(',')

const post = (name: string, path: string, body: string): Attack => ({
  name,
  method: 'POST',
  path: `/api/json${path}`,
  headers: { 'content-type': 'application/json' },
  body,
})

const item = (attributes: string): string => `{"data":{"type":"item","attributes":{${attributes}}}}`

const graphql = (name: string, query: string, variables: object = {}): Attack => ({
  name: `graphql ${name}`,
  method: 'POST',
  path: '/gql',
  headers: { 'content-type': 'application/json' },
  body: json({ query, variables }),
})

const read = (name: string, path: string, headers: Record<string, string> = {}): Attack => ({
  name,
  path: `/api/json${path}`,
  headers,
})

const aliases = (count: number, field: (n: number) => string): string =>
  `{ ${Array.from({ length: count }, (_, n) => `a${n}: ${field(n)}`).join(' ')} }`

const CLAIMS = { name: 'x'.repeat(64), metadata: { note: 'y'.repeat(60_000) } }
const SMALL = { name: 'x', hash: 'ab'.repeat(32), hash_type: 'sha256' }

export const ATTACKS: readonly Attack[] = [
  post(
    '85,000 tags',
    '/items',
    item(`"claims":${json(SMALL)},"tags":[${numbered((n) => `"${n.toString(36)}"`, 7)}]`),
  ),
  post('numbers for tags', '/items', item(`"claims":${json(SMALL)},"tags":[${fill('1')}]`)),
  post('58,000 unknown attributes', '/items', item(numbered((n) => `"${n.toString(36)}":1`, 9))),
  post('unknown claims', '/items', item(`"claims":{${numbered((n) => `"${n.toString(36)}":1`, 9)}}`)),
  post('claims as large as they come', '/items', item(`"claims":${json(CLAIMS)}`)),
  post(
    'deep claims',
    '/items',
    item(`"claims":{"name":"x","metadata":{"a":${'['.repeat(250_000)}${']'.repeat(250_000)}}}`),
  ),
  post(
    'a batch of 250',
    '/items/batch',
    json({
      data: {
        items: Array.from({ length: 250 }, () => ({
          claims: { ...SMALL, metadata: { note: 'z'.repeat(1_800) } },
        })),
      },
    }),
  ),
  post(
    'a batch of eight large ones',
    '/items/batch',
    json({ data: { items: Array.from({ length: 8 }, () => ({ claims: CLAIMS })) } }),
  ),
  post('a batch of nothing', '/items/batch', `{"data":{"items":[${fill('{}')}]}}`),
  post('hash', '/utilities/hash', json({ data: { text: 'ü'.repeat(250_000), hash_type: 'sha3_512' } })),
  post('verify-hash', '/utilities/verify-hash', json({ data: { text: 'a', hash: ' '.repeat(500_000) } })),
  post(
    'canonicalize',
    '/utilities/jcs-canonicalize',
    `{"data":{"json":{${numbered((n) => `"${(1e9 - n).toString(36)}":1e21`, 14)}}}}`,
  ),
  post('canonicalize twice the same', '/utilities/jcs-canonicalize', `{"data":{"json":{${fill('"a":1')}}}}`),
  post('server-time', '/utilities/server-time', json({ data: { time_zone: 'Europe/'.repeat(70_000) } })),
  post('resolve-id', '/utilities/resolve-id', json({ data: { id: 'Z'.repeat(500_000) } })),
  post('search', '/kb/search', json({ data: { query: 'proof or webhook '.repeat(30_000) } })),
  post(
    'verify a deep bundle',
    '/proof/verify',
    `{"data":{"proof":${'{"a":'.repeat(80_000)}1${'}'.repeat(80_000)}}}`,
  ),
  post(
    'verify a long path',
    '/proof/verify',
    json({
      data: {
        proof: {
          version: 1,
          type: 'item',
          subject: { metadata: {} },
          inclusion_proof: 'ab'.repeat(120_000),
          block: { metadata: {} },
          commitments: [{ chain: 'bitcoin', epoch_proof: 'cd'.repeat(60_000), epoch_merkle_root: 'x' }],
        },
      },
    }),
  ),
  post(
    'verify many commitments',
    '/proof/verify',
    json({
      data: {
        skip_external: false,
        proof: {
          version: 1,
          type: 'block',
          block: { metadata: {} },
          commitments: Array.from({ length: 5_000 }, () => ({
            chain: 'stellar',
            network: 'public',
            epoch_proof: '',
            epoch_merkle_root: 'ab'.repeat(32),
          })),
        },
      },
    }),
  ),
  post(
    'generate',
    '/proof/generate',
    json({ data: { id: 'x', type: 'item', witnesses: Array.from({ length: 30_000 }, () => 'block') } }),
  ),
  post(
    'an endpoint of 20,000 headers',
    '/webhook-endpoints',
    `{"data":{"type":"webhook_endpoint","attributes":{"url":"https://example.invalid/","resource_type":"item","events":["item.created"],"custom_headers":{${numbered((n) => `"x-${n.toString(36)}":"1"`, 13)}}}}}`,
  ),
  post('a broken body', '/items', `${'{"a":'.repeat(100_000)}`),
  read('blocks with their items', '/blocks?page[limit]=250&include=items'),
  read(
    'items through and through',
    '/items?page[limit]=250&include=team.memberships,creator,block.items,block.entropy_observations&page[count]=true',
  ),
  read(
    'a hundred conditions',
    `/items?${Array.from({ length: 25 }, (_, n) => `filter[or][${n}][display_name][contains]=${n}&filter[or][${n}][hash][contains]=q${n}`).join('&')}`,
  ),
  read(
    '250 hashes',
    `/items?${Array.from({ length: 250 }, (_, n) => `filter[hash][in][]=${String(n).padStart(64, '0')}`).join('&')}`,
  ),
  read('a deep filter', `/items?filter${'[not]'.repeat(11)}[state]=created`),
  read('a far offset', '/items?page[offset]=1000000000&page[count]=true&sort=display_name'),
  read(
    'a search by part',
    '/items?filter[display_name][contains]=zzz&filter[tags][has]=none&page[count]=true',
  ),
  read(
    'deliveries by part',
    '/webhook-deliveries?filter[event_type][contains]=x&page[count]=true&sort=-status',
  ),
  read('a long query', `/items?${'x=y&'.repeat(12_000)}`),
  read('a strange Accept', '/items', { accept: 'application/vnd.api+json;a="\\",'.repeat(1_500) }),
  read('a beacon that is none', `/beacons/by-hash/${'0'.repeat(64)}`),
  graphql(
    'expensive aliases',
    aliases(30, (n) => `listItems(filter: {displayName: {contains: "${n}"}}, first: 1) { count }`),
  ),
  graphql(
    'lists',
    aliases(
      7,
      (n) =>
        `listItems(first: 250, sort: [{field: ID, order: ${n % 2 === 0 ? 'ASC' : 'DESC'}}]) { results { id claims metadata tags signature } }`,
    ),
  ),
  graphql(
    'relationships',
    '{ listBlocks(first: 40) { results { id items(first: 40) { id team { id } creator { id } block { id previous { id } } } } } }',
  ),
  graphql(
    'defaults',
    'query($n: Int = 250) { a: listItems(first: $n) { results { id } } b: listItems(first: $n) { results { id } } c: listItems(first: $n) { results { id } } }',
  ),
  graphql('a long document', `{ ${'a '.repeat(250_000)} }`),
  graphql(
    'many fragments',
    `{ ...f0 } ${Array.from({ length: 8_000 }, (_, n) => `fragment f${n} on RootQueryType { ...f${n + 1} }`).join(' ')}`,
  ),
  graphql(
    'one variable thirty times',
    `query($t: String!) ${aliases(30, () => 'hash(text: $t) { result }')}`,
    { t: 'x'.repeat(450_000) },
  ),
  graphql(
    'introspection',
    `{ ${Array.from({ length: 30 }, (_, n) => `a${n}: __schema { types { fields { type { ofType { ofType { name } } } } } }`).join(' ')} }`,
  ),
  graphql(
    'proofs',
    aliases(30, () => 'generateProof(id: "x", type: "item")'),
  ),
]
