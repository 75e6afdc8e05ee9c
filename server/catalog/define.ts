// The words every catalog file starts with: they fix the context, fill in what most definitions leave out, and freeze.
import type { Action } from '../contract/operation.ts'
import type { Relationship } from '../contract/relationship.ts'
import type { Resource } from '../contract/resource.ts'
import { literal, type Sql } from '../store/sql_text.ts'
import type { Context } from './context.ts'

type Optional = 'visible' | 'listed' | 'prepare' | 'relationships'
type Definition<Row extends object> = Omit<Resource<Row, Context>, Optional> &
  Partial<Pick<Resource<Row, Context>, Optional>>

/** A resource; without `visible` every caller may read every row, without `listed` lists show all that is visible. */
export const resource = <Row extends object>(definition: Definition<Row>): Resource<Row, Context> =>
  Object.freeze({
    visible: (): Sql => literal('true'),
    listed: async (): Promise<Sql> => literal('true'),
    prepare: async () => undefined,
    relationships: {},
    ...definition,
  })

/** To one row: `column` here holds the other's id. */
export const toOne = (column: string, target: string, doc: string): Relationship =>
  Object.freeze({
    doc,
    many: false,
    target,
    on: (from: string, to: string) => literal(`${to}.id = ${from}.${column}`),
  })

/** So many related rows of one row are embedded, unless the relationship has a ceiling of its own. */
export const MOST_RELATED = 250

/** To many rows: `column` there holds our id. */
export const toMany = (column: string, target: string, doc: string, most = MOST_RELATED): Relationship =>
  Object.freeze({
    doc,
    many: true,
    most,
    target,
    on: (from: string, to: string) => literal(`${to}.${column} = ${from}.id`),
  })

export const action = (
  definition: Omit<Action<Context>, 'renders' | 'kind' | 'check'> & Partial<Pick<Action<Context>, 'check'>>,
): Action<Context> => Object.freeze({ check: () => [], ...definition, renders: 'result', kind: 'action' })
