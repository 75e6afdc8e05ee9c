// What the house weighs: lines, files and imports, room by room, and the names that it exports.
import { dirname, join, normalize } from 'node:path'

/** Source files by path, e.g. `server/store/pool.ts`. */
export type Sources = ReadonlyMap<string, string>

export interface Weight {
  readonly files: number
  /** Without blank lines and comments. */
  readonly lines: number
  /** Raw lines of the file in the middle. */
  readonly median: number
  /** Imports from the folder that the file stands in. */
  readonly near: number
  readonly exported: number
}

const COMMENTS = /^\s*\/\*[\s\S]*?\*\/\s*$|^\s*\/\/.*$/gm
const EXPORT = /^export (?:async )?(?:abstract )?(?:function\*?|const|let|class|interface|type|enum) (\w+)/gm
const IMPORT = /\b(?:from|import)\s*\(?\s*'(\.[^']+)'/g

export const rawLines = (text: string): number => text.split('\n').length - 1

const codeLines = (text: string): number =>
  text
    .replace(COMMENTS, '')
    .split('\n')
    .filter((line) => line.trim() !== '').length

const exportsOf = (text: string): string[] => [...text.matchAll(EXPORT)].map(([, name = '']) => name)

const nearImports = (path: string, text: string): number =>
  [...text.matchAll(IMPORT)].filter(
    ([, name = '']) => dirname(normalize(join(dirname(path), name))) === dirname(path),
  ).length

const middle = (numbers: readonly number[]): number =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0

export function weigh(sources: Sources): Weight {
  const all = [...sources]
  const sum = (count: (path: string, text: string) => number): number =>
    all.reduce((total, [path, text]) => total + count(path, text), 0)
  return {
    files: all.length,
    lines: sum((_, text) => codeLines(text)),
    median: middle(all.map(([, text]) => rawLines(text))),
    near: sum(nearImports),
    exported: sum((_, text) => exportsOf(text).length),
  }
}

/** The files of each folder, by its path. */
export function folders(sources: Sources): ReadonlyMap<string, Sources> {
  const found = new Map<string, Map<string, string>>()
  for (const [path, text] of sources) {
    const folder = found.get(dirname(path)) ?? new Map<string, string>()
    found.set(dirname(path), folder.set(path, text))
  }
  return found
}

/** Names that more than one file exports, with the files. */
export function exportedTwice(sources: Sources): ReadonlyMap<string, readonly string[]> {
  const files = new Map<string, string[]>()
  for (const [path, text] of sources)
    for (const name of new Set(exportsOf(text))) files.set(name, [...(files.get(name) ?? []), path])
  return new Map([...files].filter(([, paths]) => paths.length > 1))
}
