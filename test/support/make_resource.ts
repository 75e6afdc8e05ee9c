// What tests make through the API where the answer is not what they are about.
import { expect } from 'vitest'
import type { TestApp } from './app.ts'
import { ask } from './http.ts'

type Service = Pick<TestApp, 'port' | 'owner'>

const COLLECTIONS = { item: 'items', team: 'teams', webhook_endpoint: 'webhook-endpoints' } as const

/** Returns its id. Made by the owner where no other key is given. */
export async function makeResource(
  { port, owner }: Service,
  type: keyof typeof COLLECTIONS,
  attributes: object,
  key = owner.key,
): Promise<string> {
  const answer = await ask(port, `/api/json/${COLLECTIONS[type]}`, {
    key,
    body: { json: { data: { type, attributes } } },
  })
  expect(answer.status, answer.text).toBe(201)
  const { data }: { data: { id: string } } = JSON.parse(answer.text)
  return data.id
}

/** Returns their ids, in this order. All of them are accepted at once. */
export async function makeItems({ port, owner }: Service, items: readonly object[], key = owner.key) {
  const answer = await ask(port, '/api/json/items/batch', { key, body: { json: { data: { items } } } })
  expect(answer.status, answer.text).toBe(201)
  const { result }: { result: { items: { id: string }[] } } = JSON.parse(answer.text)
  return result.items.map(({ id }) => id)
}
