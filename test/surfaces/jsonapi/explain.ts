// How PostgreSQL carries out the statements of a page, and what about it would not do with many rows.
import pg from 'pg'
import { z } from 'zod'
import type { Context, Services } from '../../../server/catalog/context.ts'
import type { Tenant } from '../../../server/domain/accounts/tenant.ts'
import { inTransaction } from '../../../server/store/statement.ts'
import type { TestAccount, TestApp } from '../../support/app.ts'
import { rows } from '../../support/rows.ts'

/**
 * Pages of memory that one page of a list may touch: a descent of the index and its leaves, then for each row its heap
 * page, and for an item its place in the index by id, its leaf and its block.
 */
const MOST_BUFFERS = 600
/** Of them, those that a bitmap may gather where no order is asked for: a handful of rows, as if looked up one by one. */
const MOST_GATHERED = 50

interface Plan {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string | undefined
  readonly 'Index Name'?: string | undefined
  readonly 'Actual Rows': number
  readonly 'Shared Hit Blocks': number
  readonly 'Shared Read Blocks': number
  readonly Plans?: Plan[] | undefined
}
const plan: z.ZodType<Plan> = z.lazy(() =>
  z.object({
    'Node Type': z.string(),
    'Relation Name': z.string().optional(),
    'Index Name': z.string().optional(),
    'Actual Rows': z.number(),
    'Shared Hit Blocks': z.number(),
    'Shared Read Blocks': z.number(),
    Plans: z.array(plan).optional(),
  }),
)
const explained = z.tuple([z.object({ 'QUERY PLAN': z.tuple([z.object({ Plan: plan })]) })])

const nodes = (one: Plan): Plan[] => [one, ...(one.Plans ?? []).flatMap(nodes)]

const EXPLAIN = 'EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON)'

/** As PostgreSQL plans a statement that was prepared and repeated: it does not look at the values any more. */
const withoutValues = (app: TestApp, text: string, parameters: readonly unknown[]) =>
  inTransaction(app.store.em(), async (tx) => {
    await rows(tx, 'SET LOCAL plan_cache_mode = force_generic_plan')
    await rows(tx, `PREPARE looked AS ${text}`)
    const given = parameters.length === 0 ? '' : `(${parameters.map(literal).join(', ')})`
    const answer = await rows(tx, `${EXPLAIN} EXECUTE looked${given}`)
    await rows(tx, 'DEALLOCATE looked')
    return answer
  })

function literal(value: unknown): string {
  if (Buffer.isBuffer(value)) return `'\\x${value.toString('hex')}'`
  if (!Array.isArray(value)) return pg.escapeLiteral(String(value))
  return pg.escapeLiteral(`{${value.map((one) => JSON.stringify(String(one))).join(',')}}`)
}

/** Carries the statement out. Mistakes: whatever scans or gathers the table, sorts more than a page, or reads too much. */
export async function explain(
  app: TestApp,
  table: string,
  text: string,
  parameters: readonly unknown[],
  {
    mostSorted = 0,
    knowsValues = true,
    mostBuffers = MOST_BUFFERS,
  }: { mostSorted?: number; knowsValues?: boolean; mostBuffers?: number | undefined } = {},
): Promise<{ readonly mistakes: string[]; readonly rows: number; readonly indexes: readonly string[] }> {
  const [answer] = explained.parse(
    knowsValues
      ? await app.query(`${EXPLAIN} ${text}`, parameters)
      : await withoutValues(app, text, parameters),
  )
  const [{ Plan: root }] = answer['QUERY PLAN']
  const buffersOf = (one: Plan) => one['Shared Hit Blocks'] + one['Shared Read Blocks']
  const buffers = buffersOf(root)
  const mistakes = nodes(root).flatMap((node) => {
    const { 'Node Type': type, 'Relation Name': of } = node
    const sorts = /Sort/.test(type) && (node.Plans?.[0]?.['Actual Rows'] ?? 0) > mostSorted
    const scans = /Seq/.test(type) && of === table
    const gathers = /Bitmap/.test(type) && of === table && buffersOf(node) > MOST_GATHERED
    return sorts || scans || gathers ? [type] : []
  })
  if (buffers > mostBuffers) mistakes.push(`${buffers} buffers`)
  const indexes = nodes(root).flatMap((node) => node['Index Name'] ?? [])
  return { mistakes, rows: root['Actual Rows'], indexes }
}

/** A caller's view of the house, as far as predicates look: who and where, and no service. */
export function contextOf(app: TestApp, { userId }: TestAccount, tenant: Tenant): Context {
  const services: Services = Object.create(null)
  return {
    em: app.store.em(),
    caller: {
      userId,
      fullName: 'ada',
      plan: 'enterprise',
      credential: { kind: 'api_key', id: 'none', expiresAt: null },
      scopes: new Set(['api:read']),
    },
    tenant: async () => tenant,
    services,
    expensively: () => Promise.reject(new Error('nothing is read')),
    yieldToEventLoop: () => undefined,
    isCrowded: () => false,
  }
}
