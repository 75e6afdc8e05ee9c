// A piece of SQL as the text and the parameters that a driver takes.
import { command, type Sql } from '../../server/store/statement.ts'

export function compiled(piece: Sql): { readonly text: string; readonly parameters: readonly unknown[] } {
  const { sql, parameters } = command(piece).compile()
  return { text: sql, parameters }
}
