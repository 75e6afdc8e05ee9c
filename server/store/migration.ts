// One step of the schema: its statements in order. Databases store its class name, so the name never changes.
import { createHash } from 'node:crypto'

export interface MigrationStep {
  readonly name: string
  readonly statements: readonly string[]
  /** 64 hex characters. Independent of comments and indentation. */
  readonly checksum: string
}

export abstract class Migration {
  readonly statements: string[] = []

  abstract up(): void

  addSql(statement: string): void {
    this.statements.push(statement)
  }
}

export function readMigration(of: new () => Migration): MigrationStep {
  const migration = new of()
  migration.up()
  return migrationStep(of.name, migration.statements)
}

export function migrationStep(name: string, statements: readonly string[]): MigrationStep {
  const checksum = createHash('sha256').update(statements.map(bare).join('\0')).digest('hex')
  return Object.freeze({ name, statements: [...statements], checksum })
}

const bare = (statement: string): string =>
  statement
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('--'))
    .join('\n')
