// Beacons: the public, four-field view of the chain.
import { isUuid7, normalizeUuid7 } from '../../shared/proof/ids.ts'
import type { Beacon } from '../../shared/wire/console_stream.ts'
import { hex64, hexOf, instant, timeOf, uuid7 } from '../contract/kinds.ts'
import { DEFAULT_PAGE, field } from '../contract/resource.ts'
import { beaconByHash, beaconById, latestBeacon, newestBeacons } from '../domain/beacons/beacon.ts'
import { type Block, blockOf } from '../domain/ledger/block.ts'
import { whenKnown } from '../kernel/flow/at_once.ts'
import { refuse } from '../kernel/refusal.ts'
import { list, read, resource } from './define.ts'

const HASH = /^[0-9a-fA-F]{64}$/

/** For models, each of which may read one tool only. */
const WHAT =
  'A beacon is a block of the ledger as anybody may see it, made about once a minute: its hash, its time and the hash before. Nobody outside the service can know the hash before its time.'

const found = (beacon: Beacon | undefined): Beacon => {
  if (beacon === undefined) throw refuse('not_found', { detail: 'no such beacon' })
  return beacon
}

export const beacon = resource<Block>()({
  type: 'beacon',
  path: '/beacons',
  // GraphQL clients of compatible services expect this id as a String, not as an ID.
  id: { ...uuid7(), graphql: 'String' },
  doc: 'A finalized block as the world sees it: public randomness, which its operator alone could choose, and a proof of life, about once a minute.',
  fields: {
    hash: field(hex64(), 'The block hash: the beacon value.'),
    timestamp: field(instant(), 'When the block was finalized.'),
    previous_hash: field(hex64(), 'Hash of the beacon before; a fixed sentinel in the first one.'),
  },
  table: 'blocks',
  isLegible: true,
  hydrate: blockOf,
  show: {
    hash: ({ blockHash }) => hexOf(blockHash),
    timestamp: ({ finalizedAt }) => timeOf(finalizedAt),
    previous_hash: ({ previousBlockHash }) => hexOf(previousBlockHash),
  },
  operations: [
    list({
      name: 'listBeacons',
      doc: 'Beacons, newest first; `sort=id` walks the chain forward from genesis.',
      access: 'read',
      http: 'GET /beacons',
      graphql: 'beacons',
      tool: {
        name: 'list_beacons',
        title: 'List beacons',
        doc: `Beacons, newest first; \`sort\` \`id\` walks forward from the first. ${WHAT}`,
      },
      newest: async (context) =>
        context.services.knownNewest() ??
        (await newestBeacons(context.em, DEFAULT_PAGE.size)).map((placed) => placed.beacon),
    }),
    read({
      name: 'latestBeacon',
      doc: 'The head of the chain.',
      access: 'read',
      http: 'GET /beacons/latest',
      tool: {
        name: 'get_latest_beacon',
        title: 'Get the latest beacon',
        doc: `The newest beacon. ${WHAT} Use it as public randomness, or to show that something was made after it.`,
      },
      parameters: {},
      // `context` is not destructured: reading `em` forks an entity manager, and the usual answer needs none.
      run: (context) =>
        whenKnown(context.services.knownHead() ?? latestBeacon(context.em), ({ beacon }) => beacon),
    }),
    read({
      name: 'beaconByHash',
      doc: 'The beacon with this block hash.',
      access: 'read',
      http: 'GET /beacons/by-hash/:hash',
      tool: {
        name: 'get_beacon_by_hash',
        title: 'Get a beacon by its hash',
        doc: `The beacon with this hash, such as the \`previous_hash\` of another. ${WHAT}`,
      },
      parameters: {
        hash: {
          doc: '64 hex characters, in either case',
          example: '77b87c8129f32320a030b0628d8e30cca99e23e3b117b13097d619c30c0b662a',
          schema: { type: 'string', pattern: '^[0-9a-fA-F]{64}$', maxLength: 64 },
          read: (text) => (HASH.test(text) ? text.toLowerCase() : undefined),
        },
      },
      run: (context, { hash }) => {
        const read = () => beaconByHash(context.em, Buffer.from(hash, 'hex'))
        return whenKnown(context.services.beacons.byHash(hash, read), found)
      },
    }),
    read({
      name: 'beacon',
      doc: 'The beacon of this block id.',
      access: 'read',
      http: 'GET /beacons/:id',
      tool: {
        name: 'get_beacon',
        title: 'Get a beacon by its id',
        doc: `The beacon of this block id. ${WHAT}`,
      },
      parameters: {
        id: {
          doc: 'a UUIDv7, in either case',
          example: '01a2ce8e-9320-7630-bb7f-73edc8868b1d',
          schema: uuid7().schema,
          read: (text) => {
            const id = normalizeUuid7(text)
            return id !== undefined && isUuid7(id) ? id : undefined
          },
        },
      },
      run: (context, { id }) =>
        whenKnown(
          context.services.beacons.byId(id, () => beaconById(context.em, id)),
          found,
        ),
    }),
  ],
})
