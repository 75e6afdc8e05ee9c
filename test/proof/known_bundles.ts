// The known bundles in every form, the keyring that knows their keys, and what a report says in few words.
import { type ReadBundle, readBundleCbor, readBundleJson } from '../../shared/proof/bundle/read_bundle.ts'
import { fromBase64, utf8 } from '../../shared/proof/bytes.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../shared/proof/json_value.ts'
import { readStrictJson } from '../../shared/proof/strict_json.ts'
import { type NamedKeyring, readKeyring } from '../../shared/proof/verify/keyring.ts'
import type { Report } from '../../shared/proof/verify/report.ts'
import { vectors } from './vectors.ts'

export const layouts = ['published', 'compact'] as const

export const knownKeyring: NamedKeyring = {
  name: 'known answers',
  keys: readKeyring(JSON.stringify(vectors.keyring)),
}

export interface KnownForm {
  /** Such as `item, compact, cbor`. */
  readonly name: string
  readonly bundle: string
  readonly layout: (typeof layouts)[number]
  readonly format: 'json' | 'cbor'
  readonly bytes: Uint8Array
  readonly read: (bytes: Uint8Array) => ReadBundle
}

/** Seven bundles, two layouts, two formats. */
export const knownForms: readonly KnownForm[] = Object.entries(vectors.bundles).flatMap(([bundle, known]) =>
  layouts.flatMap((layout): KnownForm[] => {
    const form = (format: KnownForm['format'], bytes: Uint8Array, read: KnownForm['read']): KnownForm => ({
      name: `${bundle}, ${layout}, ${format}`,
      bundle,
      layout,
      format,
      bytes,
      read,
    })
    return [
      form('json', utf8(JSON.stringify(known[layout])), readBundleJson),
      form('cbor', fromBase64(known[`${layout}_cbor_b64`]), readBundleCbor),
    ]
  }),
)

export function knownForm(
  bundle: string,
  layout: KnownForm['layout'],
  format: KnownForm['format'],
): KnownForm {
  const found = knownForms.find(
    (form) => form.bundle === bundle && form.layout === layout && form.format === format,
  )
  if (found === undefined) throw new Error(`no known bundle ${bundle}`)
  return found
}

/** A fresh copy of a known bundle's document, to be changed at will. */
export function knownDocument(bundle: string, layout: KnownForm['layout'] = 'published'): JsonObject {
  const document = readStrictJson(knownForm(bundle, layout, 'json').bytes)
  if (!isJsonObject(document)) throw new Error(`${bundle} is no object`)
  return document
}

/** `value` undefined takes the place away. */
export function setAt(document: JsonObject, pointer: string, value: JsonValue | undefined): void {
  const names = pointer.split('/').slice(1)
  const last = names.pop() ?? ''
  let place: JsonValue = document
  for (const name of names) {
    const next: JsonValue | undefined = Array.isArray(place)
      ? place[Number(name)]
      : isJsonObject(place)
        ? place[name]
        : undefined
    if (next === undefined) throw new Error(`nothing at ${pointer}`)
    place = next
  }
  if (Array.isArray(place) && Number(last) < place.length && value !== undefined) place[Number(last)] = value
  else if (!isJsonObject(place)) throw new Error(`nothing at ${pointer}`)
  else if (value === undefined) delete place[last]
  else place[last] = value
}

export function rowsOf(report: Report): string[] {
  return report.steps.map(({ group, status }) => `${group}: ${status}`)
}

export function failingGroups(report: Report): string[] {
  const failing = report.steps.filter(({ status }) => status === 'fail').map(({ group }) => group)
  return [...new Set(failing)].sort()
}
