// The claims of a submission are weighed, judged, written canonically and hashed: each once, whatever way they come.
import { execute, parse } from 'graphql'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { catalog } from '../../server/catalog/catalog.ts'
import { checkSubmission, submission } from '../../server/catalog/item_writes.ts'
import { isWhole, readAttributes } from '../../server/contract/attribute.ts'
import { draftItem, type ItemDraft } from '../../server/domain/ledger/item.ts'
import { collectProblems } from '../../server/kernel/problems.ts'
import { parseOperation } from '../../server/surfaces/graphql/run/prepare_operation.ts'
import { weighedOperations, weighOperation } from '../../server/surfaces/graphql/run/root_fields.ts'
import { buildGraphqlSchema } from '../../server/surfaces/graphql/schema/build_schema.ts'
import { readEachOnce } from '../../server/surfaces/graphql/schema/scalars.ts'
import { readRequestJson } from '../../server/surfaces/http/read_body.ts'
import {
  canonicalJson,
  isJsonObject,
  isLargerThan,
  type JsonObject,
  type JsonValue,
} from '../../shared/proof/json_value.ts'
import { checkSubmittable } from '../../shared/proof/submission_json.ts'

const CLAIMS = { name: 'a file', metadata: { deep: 'inside' } }

/** The same value; `reads` counts how often its innermost text was looked at. */
function counted(value: JsonValue): { readonly value: JsonValue; readonly reads: () => number } {
  let reads = 0
  const watch = (object: JsonValue): void => {
    if (typeof object !== 'object' || object === null) return
    if (!isJsonObject(object) || !('deep' in object)) {
      for (const member of Object.values(object)) watch(member)
      return
    }
    const { deep } = object
    Object.defineProperty(object, 'deep', {
      enumerable: true,
      get: () => {
        reads += 1
        return deep
      },
    })
  }
  watch(value)
  return { value, reads: () => reads }
}

const countedClaims = () => {
  const { value, reads } = counted(structuredClone(CLAIMS))
  if (!isJsonObject(value)) throw new Error('no object')
  return { claims: value, reads }
}

/** What a look at all of it costs: its size, its rules, its canonical form. */
const ONCE = ((): number => {
  const { claims, reads } = countedClaims()
  isLargerThan(claims, 65_536)
  checkSubmittable(claims)
  canonicalJson(claims)
  return reads()
})()

const draft = (given: JsonObject): ItemDraft => {
  const problems = collectProblems(10)
  const passed = readAttributes(given, submission, problems)
  problems.noteAll(checkSubmission(passed))
  problems.refuse()
  if (!isWhole(submission, passed)) throw new Error('no claims')
  return draftItem({ claims: passed.claims, creatorId: 'c', teamId: 't' })
}

const action = (name: string) => {
  const found = catalog.actions.find((one) => one.name === name)
  if (found === undefined) throw new Error(`no ${name}`)
  return found
}

describe('claims are looked at once', () => {
  it('when one item is judged and drafted', () => {
    const { claims, reads } = countedClaims()
    expect(draft({ claims }).claims).toBe(canonicalJson(CLAIMS))
    expect(ONCE).toBeGreaterThan(2)
    expect(reads()).toBe(ONCE)
  })

  it('when a batch is weighed, judged and drafted', () => {
    const { claims, reads } = countedClaims()
    const { accepts, weigh } = action('createItems')
    const given = readAttributes({ items: [{ claims }] }, accepts, collectProblems(10))
    expect(weigh?.((name) => given[name])).toBe(1)
    const [entry] = z.array(z.custom<JsonObject>()).parse(given.items)
    expect(draft(entry ?? {}).claims).toBe(canonicalJson(CLAIMS))
    expect(reads()).toBe(ONCE)
  })

  const items = JSON.stringify([{ claims: CLAIMS }])
  const claims = JSON.stringify(CLAIMS)
  it.each([
    [
      'createItems',
      'mutation($items: JsonString) { createItems(items: $items) { result errors { code } } }',
      { items },
    ],
    [
      'createItem',
      'mutation($claims: JsonString!) { createItem(input: { claims: $claims }) { errors { message } } }',
      { claims },
    ],
  ])('when %s comes over GraphQL, where its text is read once too', async (name, query, variables) => {
    let texts = 0
    let value: ReturnType<typeof counted> | undefined
    const readText = readEachOnce((text) => {
      texts += 1
      value = counted(readRequestJson(text))
      return value.value
    })
    const schema = buildGraphqlSchema({
      catalog,
      cursors: { encode: () => '', decode: () => undefined },
      beacons: () => Promise.reject(new Error('Nobody subscribes here.')),
    })
    const parsed = parseOperation({ query, operationName: undefined, variables })
    expect(weighOperation(schema, parsed, weighedOperations(catalog), readText)).toBe(0)
    const drafts: ItemDraft[] = []
    const contextValue = {
      readText,
      caller: { userId: 'c' },
      tenant: async () => ({ id: 't', role: 'owner' }),
      yieldToEventLoop: () => undefined,
      services: {
        ceilings: { problems: 10 },
        submitItem: async (one: ItemDraft) => {
          drafts.push(one)
          throw new Error('as far as this test goes')
        },
        submitItems: async (_: unknown, all: readonly ItemDraft[]) => {
          drafts.push(...all)
          return all.map(() => ({ id: name }))
        },
      },
    }
    await execute({ schema, document: parse(query), variableValues: variables, contextValue })
    expect(drafts.map((one) => one.claims)).toEqual([canonicalJson(CLAIMS)])
    expect(texts).toBe(1)
    expect(value?.reads()).toBe(ONCE)
  })
})
