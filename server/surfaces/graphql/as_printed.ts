// Published fields whose GraphQL type is not the one their kind implies: clients of this kind of service know them so.
import type { Kind } from '../../contract/kind.ts'

interface AsPrinted {
  /** True for a closed set that is shown as plain text, in the words of JSON:API. */
  readonly asText?: true
  readonly nullable?: true
}

const AS_PRINTED: Readonly<Record<string, AsPrinted>> = {
  'item.state': { asText: true },
  'item.visibility': { asText: true },
  'item.item_hash': { nullable: true },
  'webhook_delivery.payload': { nullable: true },
  'user.plan': { asText: true },
  'user.first_name': { nullable: true },
  'user.last_name': { nullable: true },
  'user.full_name': { nullable: true },
}

export const isNullable = (type: string, field: string, nullable: boolean): boolean =>
  nullable || AS_PRINTED[`${type}.${field}`]?.nullable === true

/** The closed set to show as an enumeration; undefined for everything else. */
export const enumValues = (type: string, field: string, { values }: Kind): readonly string[] | undefined =>
  AS_PRINTED[`${type}.${field}`]?.asText === true ? undefined : values
