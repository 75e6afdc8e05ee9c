// The known answers about whole bundles: good ones, tampered ones, and what is no bundle at all.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'

const vectors = z.looseObject({
  bundles: z.record(
    z.string(),
    z.looseObject({
      type: z.string(),
      published: z.record(z.string(), z.unknown()),
      published_cbor_b64: z.string(),
      compact: z.record(z.string(), z.unknown()),
      compact_cbor_b64: z.string(),
      rows: z.array(z.string()),
      compact_rows: z.array(z.string()),
    }),
  ),
  tampered: z.array(
    z.strictObject({
      name: z.string(),
      bundle: z.string(),
      changes: z.array(
        z.union([
          z.strictObject({ pointer: z.string(), value: z.unknown() }),
          z.strictObject({ pointer: z.string(), remove: z.literal(true) }),
        ]),
      ),
      expect: z.union([
        z.strictObject({ passed: z.boolean(), failing_groups: z.array(z.string()) }),
        z.strictObject({ rejected: z.string() }),
      ]),
    }),
  ),
  rejected_texts: z.array(z.strictObject({ name: z.string(), text: z.string(), reason: z.string() })),
  rejected_cbor: z.array(z.strictObject({ name: z.string(), b64: z.string(), reason: z.string() })),
  keyring: z.looseObject({ version: z.string(), keys: z.array(z.record(z.string(), z.unknown())) }),
})

const text = readFileSync(join(import.meta.dirname, '..', '..', 'proof', 'proof-vectors.json'), 'utf8')

export const { bundles, tampered, rejected_texts, rejected_cbor, keyring } = vectors.parse(JSON.parse(text))

export type Vector = (typeof bundles)[string]

export function bundleNamed(name: string): Vector {
  const found = bundles[name]
  if (found === undefined) throw new Error(`There is no bundle ${name}.`)
  return found
}

/** The published bundle with every change made. */
export function tamperedBundle({ bundle, changes }: (typeof tampered)[number]): Record<string, unknown> {
  const changed = structuredClone(bundleNamed(bundle).published)
  for (const change of changes) {
    const names = change.pointer.split('/').slice(1)
    const last = names.pop() ?? ''
    let at: unknown = changed
    for (const name of names) at = Reflect.get(Object(at), name)
    if (Array.isArray(at) && 'remove' in change) at.splice(Number(last), 1)
    else if ('remove' in change) Reflect.deleteProperty(Object(at), last)
    else Reflect.set(Object(at), last, change.value)
  }
  return changed
}
