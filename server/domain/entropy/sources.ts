// The public sources that are recorded, by their short names in the settings.
import type { EntropyName } from '../../../shared/proof/entropy_names.ts'
import type { Source } from './source.ts'
import { bitcoin } from './sources/bitcoin.ts'
import { nist } from './sources/nist.ts'
import { stellar } from './sources/stellar.ts'

type Short<Name> = Name extends `entropy_${infer Rest}` ? Rest : never

/** The name in `ENTROPY_SOURCES`: `nist` for `entropy_nist`. */
export type SourceChoice = Short<EntropyName>

export const SOURCES: Readonly<Record<SourceChoice, Source>> = { nist, stellar, bitcoin }

export const isSourceChoice = (name: string): name is SourceChoice => Object.hasOwn(SOURCES, name)

export const SOURCE_CHOICES: readonly SourceChoice[] = Object.keys(SOURCES).filter(isSourceChoice)

/** Something for each source. */
export const sourceAddresses = <Of>(
  of: (choice: SourceChoice) => Of,
): Readonly<Record<SourceChoice, Of>> => ({
  nist: of('nist'),
  stellar: of('stellar'),
  bitcoin: of('bitcoin'),
})
