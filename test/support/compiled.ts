// Compiles a piece of SQL to the text and parameters for the driver.
import { command, type Sql } from '../../server/store/statement.ts'

export function compiled(piece: Sql): { readonly text: string; readonly parameters: readonly unknown[] } {
  const { sql, parameters } = command(piece).compile()
  return { text: sql, parameters }
}
