// A statement as our own SQL text: written with Kysely's `sql`, compiled once, with columns that every answer is
// checked against; what runs it, alone or in a transaction; and pieces of SQL that many statements share.
import { hash } from 'node:crypto'
import type { EntityManager } from '@mikro-orm/postgresql'
import { CompiledQuery, type Kysely, PostgresQueryCompiler, type RawBuilder, sql } from 'kysely'
import { type Columns, float8, type RowOf, TYPE_OIDS } from './columns.ts'
import type { Database } from './database.ts'
import { type Asking, answeredColumns, noteAsking } from './pool.ts'
import type { LegibleRow } from './row_reader.ts'

/** A piece of SQL with bound values. */
export type Sql = RawBuilder<unknown>

/** A statement with its parameters, ready to run. */
export interface Statement<Row> {
  readonly compile: () => CompiledQuery<unknown>
  /** Its rows. @throws an Error when they do not match the declared columns, which is a fault of ours */
  readonly read: (answer: readonly unknown[]) => readonly Row[]
}

/**
 * @param columns all columns of its rows: names, types, and which are never null
 * @param build called once. It may insert a parameter into the text, but cannot read its value.
 */
export function statement<C extends Columns>(columns: C, built: Sql): Statement<RowOf<C>>
export function statement<C extends Columns, Parameters extends object>(
  columns: C,
  build: (parameters: Parameters) => Sql,
): (parameters: Parameters) => Statement<RowOf<C>>
export function statement<C extends Columns>(columns: C, made: Sql | ((parameters: object) => Sql)): unknown {
  const read = readerOf(columns)
  if (typeof made !== 'function') return Object.freeze({ compile: compileOnce(() => made), read })
  const compile = compileOnce(() => made(places()))
  return (parameters: object) => ({ compile: () => compile(parameters), read })
}

/**
 * Like `statement`, for one that runs often: each connection prepares it, and PostgreSQL soon plans it once for all values,
 * because planning ours takes several times as long as running them. So the best plan must be the same for all values:
 * rows by their keys, or in the order of an index. Every other statement is planned for its values, because a plan for any
 * value would be wrong for a large team, a rare word or a long list.
 */
export function preparedStatement<C extends Columns, Parameters extends object>(
  columns: C,
  build: (parameters: Parameters) => Sql,
): (parameters: Parameters) => Statement<RowOf<C>> {
  const planned = statement(columns, build)
  let asking: Asking | undefined
  return (parameters) => {
    const { compile, read } = planned(parameters)
    const named = (): CompiledQuery<unknown> => {
      const compiled = compile()
      asking ??= { name: `pharos ${hash('sha256', compiled.sql, 'base64url').slice(0, 22)}` }
      noteAsking(compiled.parameters, asking)
      return compiled
    }
    return { compile: named, read }
  }
}

/**
 * A statement whose rows are shown: bytes and times are texts, see `row_reader.ts`.
 * @param built made for one request, because its text depends on what the request asks for
 */
export function legibleStatement<C extends Columns>(columns: C, built: Sql): Statement<LegibleRow<RowOf<C>>>
export function legibleStatement(columns: Columns, built: Sql): unknown {
  const compile = (): CompiledQuery<unknown> => {
    const compiled = compileOnce(() => built)()
    noteAsking(compiled.parameters, { isLegible: true })
    return compiled
  }
  return Object.freeze({ compile, read: shownReaderOf(columns) })
}

/** The rows of a statement. */
export type RowFrom<S> = S extends (...given: never[]) => Statement<infer Row>
  ? Row
  : S extends Statement<infer Row>
    ? Row
    : never

/** A statement without rows. */
export function command(built: Sql): Statement<never>
export function command<Parameters extends object>(
  build: (parameters: Parameters) => Sql,
): (parameters: Parameters) => Statement<never>
export function command(made: Sql | ((parameters: object) => Sql)): unknown {
  return typeof made === 'function' ? statement({}, made) : statement({}, made)
}

/** A prepared statement without rows. */
export function preparedCommand<Parameters extends object>(
  build: (parameters: Parameters) => Sql,
): (parameters: Parameters) => Statement<never>
export function preparedCommand(build: (parameters: object) => Sql): unknown {
  return preparedStatement({}, build)
}

/**
 * Rows that are shown have columns of tables, and a test compares those with the schema. So names and types are checked
 * here, but not each of the thousands of values of a page.
 */
function shownReaderOf(columns: Columns): (answer: readonly unknown[]) => readonly unknown[] {
  const oids = oidsOf(columns)
  return (answer) => {
    checkFields(oids, answer)
    return answer
  }
}

const oidsOf = (columns: Columns) =>
  Object.entries(columns).map(([name, { type }]) => [name, oidOf(type)] as const)

function readerOf(
  columns: Columns,
): (answer: readonly unknown[]) => readonly Readonly<Record<string, unknown>>[] {
  const oids = oidsOf(columns)
  const filled = Object.entries(columns).flatMap(([name, { nullable }]) => (nullable ? [] : [name]))
  const judged = Object.entries(columns).flatMap(([name, { holds }]) =>
    holds === undefined ? [] : [[name, holds] as const],
  )
  return (answer) => {
    checkFields(oids, answer)
    if (!answer.every(isRecord)) throw new Error('A row is no record.')
    for (const row of answer) {
      for (const name of filled) if (row[name] === null) throw new Error(`Column ${name} is null in a row.`)
      for (const [name, holds] of judged)
        if (row[name] !== null && !holds(row[name]))
          throw new Error(`Column ${name} has a value that it never has.`)
    }
    return answer
  }
}

function checkFields(oids: readonly (readonly [string, number])[], answer: readonly unknown[]): void {
  const fields = answeredColumns(answer)
  if (fields.length !== oids.length)
    throw new Error(
      `The statement yields ${fields.map(({ name }) => name).join(', ')}, not ${oids.map(([name]) => name).join(', ')}.`,
    )
  for (const [name, oid] of oids) {
    const field = fields.find((one) => one.name === name)
    if (field?.dataTypeID !== oid)
      throw new Error(`Column ${name} has type ${field?.dataTypeID ?? '(missing)'}, not ${oid}.`)
  }
}

function oidOf(type: Columns[string]['type']): number {
  if (type === 'budget_ask') throw new Error('No statement yields an ask.')
  return TYPE_OIDS[type]
}

const isRecord = (row: unknown): row is Readonly<Record<string, unknown>> =>
  typeof row === 'object' && row !== null

/** The place of a parameter in the text. */
class Place {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}

/** A parameter that occurs twice is sent once. */
class OnceCompiler extends PostgresQueryCompiler {
  readonly #places = new Map<string, string>()

  protected override appendValue(value: unknown): void {
    const known = value instanceof Place ? this.#places.get(value.name) : undefined
    if (known !== undefined) {
      this.append(known)
      return
    }
    super.appendValue(value)
    if (value instanceof Place) this.#places.set(value.name, this.getCurrentParameterPlaceholder())
  }
}

function compileOnce(build: () => Sql): (parameters?: object) => CompiledQuery<unknown> {
  let compiled: { readonly text: string; readonly places: readonly unknown[] } | undefined
  return (parameters = {}) => {
    compiled ??= compileText(build())
    const given = new Map<string, unknown>(Object.entries(parameters))
    const values = compiled.places.map((one) => (one instanceof Place ? given.get(one.name) : one))
    return CompiledQuery.raw(compiled.text, values)
  }
}

function compileText(built: Sql): { text: string; places: readonly unknown[] } {
  const { sql, parameters } = new OnceCompiler().compileQuery(built.toOperationNode(), { queryId: 'once' })
  return { text: sql, places: parameters }
}

/** Stands for the parameters while the text is built. Every member is a place. The members cannot be listed. */
const places = (): object =>
  new Proxy(
    {},
    {
      get: (_, name) => new Place(String(name)),
      ownKeys: () => {
        throw new Error('Parameters of a statement are named one by one.')
      },
    },
  )

/** True for every row. Compared by identity to detect that there is no condition. */
export const ALWAYS: Sql = sql`true`

export const and = (pieces: readonly Sql[]): Sql =>
  pieces.length === 0 ? ALWAYS : sql`(${sql.join([...pieces], sql` AND `)})`

export const or = (pieces: readonly Sql[]): Sql =>
  pieces.length === 0 ? sql`false` : sql`(${sql.join([...pieces], sql` OR `)})`

/** Unix milliseconds. */
export const DATABASE_TIME = statement({ now_ms: float8 }, sql`SELECT unix_ms(pharos_now()) AS now_ms`)

/** The time of the statement that contains it, for the query builder. */
export const NOW = sql<Date>`pharos_now()`

/** Returns a column that every row of this kind has. @throws an Error when it is missing, which is a fault of ours */
export function presentColumn<T>(value: T | null): T {
  if (value === null) throw new Error('A column that every row of its kind has is null.')
  return value
}

/** The query builder, for statements that it expresses well. Row types come from the tables. */
export const db = (em: EntityManager): Kysely<Database> => em.getKysely<Database>()

export async function rows<Row>(em: EntityManager, statement: Statement<Row>): Promise<readonly Row[]> {
  const answer = await em.getKysely().executeQuery(statement.compile())
  return statement.read(answer.rows)
}

/** The first of its rows. Undefined when there is none. */
export async function firstRow<Row>(em: EntityManager, statement: Statement<Row>): Promise<Row | undefined> {
  return (await rows(em, statement))[0]
}

/** Like `rows`, for statements that always return exactly one row. */
export async function row<Row>(em: EntityManager, statement: Statement<Row>): Promise<Row> {
  const first = await firstRow(em, statement)
  if (first === undefined)
    throw new Error(`The statement yields no row: ${statement.compile().sql.slice(0, 80)}`)
  return first
}

/** Pages of rows until one is empty. @param next the statement of the page beyond the last row of the one before */
export async function* pages<Row>(
  em: EntityManager,
  next: (last: Row | undefined) => Statement<Row>,
): AsyncGenerator<readonly Row[]> {
  for (let last: Row | undefined; ; ) {
    const page = await rows(em, next(last))
    last = page.at(-1)
    if (last === undefined) return
    yield page
  }
}

/** Runs one statement and returns the number of changed rows. */
export async function change(em: EntityManager, statement: Statement<never>): Promise<number> {
  const result = await em.getKysely().executeQuery(statement.compile())
  return Number(result.numAffectedRows ?? 0)
}

/**
 * READ COMMITTED. Everything inside must use the given entity manager. Never await the network inside. Uses Kysely's
 * `transaction()`, because MikroORM's `transactional()` loses the connection's place in the pool for good when the
 * backend dies: its rollback fails before it releases the place.
 */
export const inTransaction = <T>(em: EntityManager, work: (em: EntityManager) => Promise<T>): Promise<T> =>
  em
    .getKysely()
    .transaction()
    .execute((transaction) => {
      const inside = em.fork({ useContext: false })
      inside.setTransactionContext(transaction)
      return work(inside)
    })
