// What definitions leave open and the document says nevertheless: the inside of JSON objects, and what an answer says once.
import { putClaims } from './claims_schema.ts'
import type { Components, Node } from './components.ts'

const text = (description: string): Node => ({ type: 'string', description })

export interface Known {
  readonly schema: Node
  readonly example: Node
}

const object = (properties: Readonly<Record<string, Node>>): Node => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
})

/** The schema of a member by `<type>.<field>`, or by `<operation>.<attribute>`; undefined for what its kind tells. */
export function knownMember(components: Components, place: string): Node | undefined {
  switch (place) {
    case 'item.claims':
      return { anyOf: [putClaims(components), { type: 'null' }] }
    case 'createItem.claims':
    case 'updateItem.claims':
      return putClaims(components)
    case 'createItems.items':
      return {
        type: 'array',
        minItems: 1,
        maxItems: 250,
        items: { $ref: '#/components/schemas/CreateItemAttributes' },
      }
    default:
      return undefined
  }
}

/** The result of an action whose definition shows none. */
export function knownResult(operation: string): Known | undefined {
  return RESULTS[operation]
}

/** What a document's `meta` says once. */
export function knownMeta(operation: string): Known | undefined {
  return METAS[operation]
}

/** Actions that honour an Idempotency-Key. */
export const IDEMPOTENT_ACTIONS: ReadonlySet<string> = new Set(['createItems'])

const RESULTS: Readonly<Record<string, Known>> = {
  createItems: {
    schema: object({
      items: {
        type: 'array',
        description: 'One entry per item, in the order of the request.',
        items: {
          anyOf: [
            object({ id: { $ref: '#/components/schemas/Ulid' } }),
            object({
              errors: {
                type: 'array',
                minItems: 1,
                items: object({
                  code: text('As in error documents.'),
                  detail: text('For people; may be reworded.'),
                  path: {
                    type: 'array',
                    items: { type: 'string' },
                    description: 'Member names, from the item inwards.',
                  },
                  meta: { type: 'object' },
                }),
              },
            }),
          ],
        },
      },
    }),
    example: { items: [{ id: '01MB78W7FGY7TZHKNWE7WA3Z57' }] },
  },
  acceptInvitation: {
    schema: object({ membership_id: { $ref: '#/components/schemas/Uuid7' } }),
    example: { membership_id: '01a2ce8e-9320-7630-bb7f-73edc8868b1d' },
  },
}

const METAS: Readonly<Record<string, Known>> = {
  createApiKey: {
    schema: object({ secret: text('The key itself. It is shown this once.') }),
    example: { secret: `phk_${'3vQb'.repeat(12)}x` },
  },
  createMembership: {
    schema: object({
      invitation_token: text('Makes whoever accepts it a member. It is shown this once.'),
      invitation_expires_at: { $ref: '#/components/schemas/Instant' },
    }),
    example: {
      invitation_token: 'the token of the invitation',
      invitation_expires_at: '2026-11-27T18:00:00.123Z',
    },
  },
}
