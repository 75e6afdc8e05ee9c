// Converts an input object to the attributes of an operation: names, JSON texts and omitted values.
import type { JsonObject, JsonValue } from '../../../../shared/proof/json_value.ts'
import { StrictJsonError } from '../../../../shared/proof/strict_json_error.ts'
import type { Accepts, Attribute, Passed } from '../../../contract/attribute.ts'
import type { Judged } from '../../../contract/operation.ts'
import { InsteadOfRunning, readAttributes } from '../../../contract/read_attributes.ts'
import { collectProblems, type Problems } from '../../../kernel/problems.ts'
import { problem } from '../../../kernel/refusal.ts'
import type { Arguments } from './decorate.ts'
import { camelCase } from './names.ts'
import type { ReadText } from './scalars.ts'

interface Accepted {
  readonly accepts: Accepts
  readonly check: (attributes: Passed<Accepts>) => Judged
  /** Returns the problems that running it would refuse. Called only when there is another problem already. */
  readonly wouldRefuse?: (attributes: Passed<Accepts>) => Judged | undefined
  /** The error code of an invalid value. */
  readonly wrong: 'invalid_attribute' | 'invalid_argument'
  /** Parses arguments that are JSON texts. */
  readonly readText: ReadText
  /** The most problems that are reported. */
  readonly most: number
}

/** @throws Refusal with every problem found; InsteadOfRunning */
export async function readMutationInput(given: Arguments, accepted: Accepted): Promise<Passed<Accepts>> {
  const { accepts, check, wouldRefuse, wrong, most, readText } = accepted
  const problems = collectProblems(most)
  const read: Record<string, JsonValue> = {}
  const unreadable = new Set<string>()
  for (const [name, attribute] of Object.entries(accepts)) {
    const { kind, nullable } = attribute
    const value = given[camelCase(name)]
    // Generated clients send null for values that are not set. Null has a meaning only for nullable attributes.
    if (value === undefined || (value === null && !nullable)) continue
    const text = kind.graphql === 'JsonString' && typeof value === 'string'
    const json = text ? jsonOf(value, name, attribute, problems, readText) : (value as JsonValue)
    if (json === undefined) unreadable.add(name)
    else read[name] = json
  }
  const judged = Object.fromEntries(Object.entries(accepts).filter(([name]) => !unreadable.has(name)))
  const attributes = readAttributes(read as JsonObject, judged, problems, wrong)
  problems.noteAll(await check(attributes))
  if (problems.all().length > 0) problems.noteAll((await wouldRefuse?.(attributes)) ?? [])
  problems.refuse()
  return attributes
}

function jsonOf(
  text: string,
  name: string,
  { outcome }: Attribute,
  problems: Problems,
  readText: ReadText,
): JsonValue | undefined {
  try {
    return readText(text)
  } catch (error) {
    if (!(error instanceof StrictJsonError)) throw error
    if (outcome !== undefined) throw new InsteadOfRunning(outcome(`is refused: ${error.message}`))
    const detail = error.message
    problems.note(problem('invalid_json', { path: [name], detail, meta: { reason: error.reason } }))
    return undefined
  }
}
