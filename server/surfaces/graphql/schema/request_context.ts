// Creates the GraphQL context of one request.
import type { DocumentNode } from 'graphql'
import type { Catalog } from '../../../catalog/catalog.ts'
import type { Context } from '../../../catalog/context.ts'
import { extended } from '../../../catalog/open_context.ts'
import { roomOf } from '../../../contract/row_columns.ts'
import { type Answer, type GraphqlContext, limitRootFields } from './graphql_context.ts'
import { readEachOnce } from './json_texts.ts'
import { relatedLoader } from './related_loader.ts'
import { shownFields } from './shown_fields.ts'

type Parts = Partial<Pick<GraphqlContext, 'overBudget' | 'nextOnce' | 'hangUp' | 'readText'>>

/** The context of a query or mutation, which has one answer. */
export function requestContext(
  catalog: Pick<Catalog, 'related'>,
  context: Context,
  document: DocumentNode,
  parts: Parts,
): GraphqlContext {
  const room = roomOf(context.services.ceilings)
  return withAnswer(catalog, context, { room: () => room, shows: shownFields(document) }, parts)
}

/** The context of a subscription, which may last for days. Each event gets the room and the time of one answer. */
export function subscriptionContext(
  catalog: Pick<Catalog, 'related'>,
  context: Context,
  document: DocumentNode,
  parts: Parts,
): GraphqlContext {
  const { services, caller } = context
  const lasting = extended(context, {
    expensively: <T>(work: Parameters<typeof context.expensively<T>>[0]) =>
      services.expensiveReads(caller.userId)(work),
  })
  const answer = { room: () => roomOf(services.ceilings), shows: shownFields(document) }
  return withAnswer(catalog, lasting, answer, parts)
}

const withAnswer = (
  catalog: Pick<Catalog, 'related'>,
  context: Context,
  answer: Answer,
  parts: Parts,
): GraphqlContext =>
  extended(context, {
    ...answer,
    ...parts,
    readText: parts.readText ?? readEachOnce(),
    fewAtOnce: limitRootFields(context),
    loadRelated: relatedLoader(catalog, context, answer),
  })
