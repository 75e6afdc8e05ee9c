// The settings of traces. Their names and forms are those of OpenTelemetry, so that its documentation applies.
import { z } from 'zod'
import { apiAddress, type SettingValues } from './rules.ts'

const SAMPLERS = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const

/** `key=value,key2=value2`, with values as in a URL (W3C Baggage). */
const pairs = z
  .string()
  .max(4_096)
  .transform((text, context): Readonly<Record<string, string>> => {
    const found: Record<string, string> = {}
    for (const part of text.split(',').filter((one) => one.trim() !== '')) {
      const [, key, value] = /^\s*([^\s=;,]+)\s*=\s*([^;,]*?)\s*$/.exec(part) ?? []
      const plain = decoded(value)
      if (key === undefined || plain === undefined) {
        context.addIssue('is not key=value apart by commas')
        return z.NEVER
      }
      found[key] = plain
    }
    return found
  })
  .describe('key=value apart by commas')

function decoded(text: string | undefined): string | undefined {
  try {
    return text === undefined ? undefined : decodeURIComponent(text)
  } catch {
    return undefined
  }
}

export const TRACE_SETTINGS = {
  endpoint: {
    setting: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    example: 'http://127.0.0.1:4318',
    rule: apiAddress.optional(),
    meaning:
      'OpenTelemetry collector that takes traces over OTLP/HTTP (/v1/traces is added); nothing is traced without it',
  },
  headers: {
    setting: 'OTEL_EXPORTER_OTLP_HEADERS',
    example: 'authorization=Bearer%20abc',
    rule: pairs,
    byDefault: '',
    meaning: 'header fields for the collector',
    secret: true,
  },
  serviceName: {
    setting: 'OTEL_SERVICE_NAME',
    rule: z.string().min(1).max(255),
    byDefault: 'pharos',
    meaning: 'name of this service in traces',
  },
  resource: {
    setting: 'OTEL_RESOURCE_ATTRIBUTES',
    example: 'deployment.environment.name=production',
    rule: pairs,
    byDefault: '',
    meaning: 'attributes of this service in traces',
  },
  sampler: {
    setting: 'OTEL_TRACES_SAMPLER',
    rule: z.enum(SAMPLERS),
    byDefault: 'parentbased_always_on',
    meaning:
      'which requests are traced; parentbased ones do as the traceparent of a client says, when there is one',
  },
  ratio: {
    setting: 'OTEL_TRACES_SAMPLER_ARG',
    rule: z.coerce.number().min(0).max(1),
    byDefault: '1',
    meaning: 'part of the traces that a traceidratio sampler keeps',
  },
} as const

export interface TraceChoices extends SettingValues<typeof TRACE_SETTINGS> {
  /** Base address without a slash at its end. */
  readonly endpoint: string
}
