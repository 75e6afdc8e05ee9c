// An input object as the attributes of a verb: names, JSON texts, and what counts as left out.
import type { JsonObject, JsonValue } from '../../../shared/proof/json_value.ts'
import { readStrictJson, StrictJsonError } from '../../../shared/proof/strict_json.ts'
import type { Attribute, Attributes, Judged } from '../../contract/operation.ts'
import { readAttributes } from '../../contract/read_attributes.ts'
import { type Problem, problem, refuseAny } from '../../kernel/refusal.ts'
import type { Arguments } from './decorate.ts'
import { camelCase } from './names.ts'

export interface Accepted {
  readonly accepts: Readonly<Record<string, Attribute>>
  readonly check: (attributes: Attributes) => Judged
  /** The code of a wrong value. */
  readonly wrong: 'invalid_attribute' | 'invalid_argument'
}

/** @throws every problem found */
export async function readInput(given: Arguments, { accepts, check, wrong }: Accepted): Promise<Attributes> {
  const problems: Problem[] = []
  const read: Record<string, JsonValue> = {}
  const unreadable = new Set<string>()
  for (const [name, { kind, nullable }] of Object.entries(accepts)) {
    const value = given[camelCase(name)]
    // Generated clients send null for what is not set; it means something only where null is a value of its own.
    if (value === undefined || (value === null && !nullable)) continue
    const text = kind.graphql === 'JsonString' && typeof value === 'string'
    const json = text ? jsonOf(value, name, problems) : (value as JsonValue)
    if (json === undefined) unreadable.add(name)
    else read[name] = json
  }
  const judged = Object.fromEntries(Object.entries(accepts).filter(([name]) => !unreadable.has(name)))
  const attributes = readAttributes(read as JsonObject, judged, problems, wrong)
  problems.push(...(await check(attributes)))
  refuseAny(problems)
  return attributes
}

/** By the strict reader: what is hashed is what was sent. */
function jsonOf(text: string, name: string, problems: Problem[]): JsonValue | undefined {
  try {
    return readStrictJson(text)
  } catch (error) {
    if (!(error instanceof StrictJsonError)) throw error
    const detail = error.message
    problems.push(problem('invalid_json', { path: [name], detail, meta: { reason: error.reason } }))
    return undefined
  }
}
