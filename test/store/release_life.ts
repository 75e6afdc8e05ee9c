// What a service has seen when it is upgraded: filled through its API, and read again through the API of a later one.
import { z } from 'zod'

export interface Life {
  /** The first API key. */
  readonly key: string
  /** A webhook endpoint with a secret. */
  readonly endpointId: string
  /** Fields that never change, of items in every state. */
  readonly items: readonly { readonly id: string; readonly state: string; readonly item_hash: string }[]
  /** The proof of the first item as it was generated then. */
  readonly proof: unknown
  readonly beacon: { readonly id: string; readonly hash: string }
}

export const ENDPOINT_SECRET = 'a secret of the owner'

const made = z.object({ data: z.object({ id: z.string() }) })
const itemSchema = z.object({
  data: z.object({ id: z.string(), attributes: z.object({ state: z.string(), item_hash: z.string() }) }),
})
const proofSchema = z.object({ result: z.unknown() })
const beaconSchema = z.object({ id: z.string(), hash: z.string() })

export async function liveALife(base: string, key: string): Promise<Life> {
  const { ask } = speaker(base, key)
  const submit = async (name: string, more: object = {}) => {
    const attributes = { claims: { name, hash: 'ab'.repeat(32), hash_type: 'sha256' }, ...more }
    return made.parse(await ask('POST', '/api/json/items', { data: { type: 'item', attributes } })).data.id
  }
  const ids = [
    await submit('plain'),
    await submit('public', { visibility: 'public', tags: ['one', 'two'] }),
    await submit('redacted'),
  ]
  const deleted = await submit('deleted')
  const endpoint = {
    url: 'https://127.0.0.1:1/hook',
    resource_type: 'item',
    events: ['item.created', 'item.committed'],
    auth_type: 'bearer',
    auth_secret: ENDPOINT_SECRET,
  }
  const { data } = made.parse(
    await ask('POST', '/api/json/webhook-endpoints', {
      data: { type: 'webhook_endpoint', attributes: endpoint },
    }),
  )
  await submit('told to a webhook')
  await ask('PATCH', `/api/json/items/${ids[2]}`, {
    data: { type: 'item', id: ids[2], attributes: { redacted: true } },
  })
  await ask('POST', '/gql', { query: `mutation { destroyItem(id: "${deleted}") { errors { code } } }` })
  const proof = await untilProven(base, key, ids[0] ?? '')
  const items = await Promise.all(ids.map((id) => readItem(base, key, id)))
  const beacon = beaconSchema.parse(await ask('GET', '/api/json/beacons/latest'))
  return { key, endpointId: data.id, items, proof, beacon }
}

export async function readItem(base: string, key: string, id: string): Promise<Life['items'][number]> {
  const { data } = itemSchema.parse(await speaker(base, key).ask('GET', `/api/json/items/${id}`))
  return { id: data.id, state: data.attributes.state, item_hash: data.attributes.item_hash }
}

export async function readProofOf(base: string, key: string, id: string): Promise<unknown> {
  const asked = { data: { id, type: 'item' } }
  return proofSchema.parse(await speaker(base, key).ask('POST', '/api/json/proof/generate', asked)).result
}

/** JSON in, JSON out. @throws with the answer when it is no good one */
export function speaker(base: string, key: string) {
  return {
    ask: async (method: string, path: string, body?: object): Promise<unknown> => {
      const answer = await fetch(`${base}${path}`, {
        method,
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      const text = await answer.text()
      if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`)
      return JSON.parse(text)
    },
  }
}

/** The block of an item comes after a second, the epoch of the block some seconds later. */
async function untilProven(base: string, key: string, id: string): Promise<unknown> {
  for (const end = performance.now() + 120_000; ; await new Promise((next) => setTimeout(next, 200))) {
    try {
      return await readProofOf(base, key, id)
    } catch (error) {
      if (performance.now() > end) throw error
    }
  }
}
