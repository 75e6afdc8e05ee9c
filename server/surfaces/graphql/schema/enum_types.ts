// Closed sets as upper-case enumerations, each created once: `ItemVisibility { PRIVATE TEAM PUBLIC }`.
import { enumType } from './decorate.ts'
import { constantCase, pascalCase } from './names.ts'

export interface EnumTypes {
  /** Returns the enumeration of a resource's field or attribute. */
  readonly of: (type: string, field: string, values: readonly string[]) => object
}

export function enumTypes(): EnumTypes {
  const made = new Map<string, { readonly type: object; readonly values: string }>()
  return Object.freeze({
    of: (type: string, field: string, values: readonly string[]) => {
      const name = `${pascalCase(type)}${pascalCase(field)}`
      const known = made.get(name)
      if (known !== undefined && known.values !== values.join())
        throw new Error(`${name} stands for two different sets.`)
      if (known !== undefined) return known.type
      const fresh = enumType(name, Object.fromEntries(values.map((value) => [constantCase(value), value])))
      made.set(name, { type: fresh, values: values.join() })
      return fresh
    },
  })
}
