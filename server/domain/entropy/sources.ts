// The public sources that are recorded, by the short names of the settings. A new one is one more line.
import type { Source } from './source.ts'
import { bitcoin } from './sources/bitcoin.ts'
import { nist } from './sources/nist.ts'
import { stellar } from './sources/stellar.ts'

export const SOURCES = { nist, stellar, bitcoin } as const satisfies Record<string, Source>

export type SourceChoice = keyof typeof SOURCES

export const isSourceChoice = (name: string): name is SourceChoice => Object.hasOwn(SOURCES, name)
