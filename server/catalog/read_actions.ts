// The utilities and the knowledge base, published as action-style reads: one row there is one operation here.
import type { JsonObject } from '../../shared/proof/json_value.ts'
import { freeText, integer, jsonObject, type Kind, text } from '../contract/kind.ts'
import { attribute } from '../contract/operation.ts'
import { KNOWLEDGE_ACTIONS } from '../domain/knowledge/knowledge_actions.ts'
import type { Argument, Action as Described } from '../domain/utilities/action.ts'
import { UTILITIES } from '../domain/utilities/utilities.ts'
import { action } from './define.ts'

/** What is only hashed or parsed may hold any character; what PostgreSQL searches for may not hold U+0000. */
const published = (described: Described, textKind: (bounds: { max: number }) => Kind) =>
  action({
    name: described.operation,
    doc: described.doc,
    access: described.access,
    http: described.http,
    graphql: described.operation,
    graphqlShape: 'utility',
    accepts: Object.fromEntries(
      described.arguments.map((argument) => [
        argument.name,
        // An optional argument that is null counts as absent.
        attribute(kindOf(argument, textKind), argument.doc, {
          ...(argument.required ? { required: true } : { nullable: true }),
          ...outcomeOf(argument),
        }),
      ]),
    ),
    // The arguments were read by the strict reader and judged by their kinds.
    run: ({ em, caller }, given) => described.run({ em }, { userId: caller.userId }, given as JsonObject),
    result: described.result,
    example: { data: described.example.arguments, result: described.example.result },
  })

function kindOf({ value }: Argument, textKind: (bounds: { max: number }) => Kind): Kind {
  switch (value.kind) {
    case 'text':
      return textKind({ max: value.characters })
    case 'object':
      return jsonObject({ bytes: value.bytes })
    case 'integer':
      return integer({ min: value.min, max: value.max })
    default:
      return value satisfies never
  }
}

const outcomeOf = ({ value }: Argument) =>
  value.kind === 'object' && value.refused !== undefined ? { outcome: value.refused } : {}

export const utilityActions = UTILITIES.map((described) => published(described, freeText))

export const knowledgeActions = KNOWLEDGE_ACTIONS.map((described) => published(described, text))
