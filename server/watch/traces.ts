// Sends the steps of this process's work as OpenTelemetry traces over OTLP/HTTP. Loaded only when they are wanted.
import {
  type Context,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  trace,
} from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { defaultResource, resourceFromAttributes } from '@opentelemetry/resources'
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import manifest from '../../package.json' with { type: 'json' }
import type { RequestScope } from '../kernel/request_scope.ts'
import { listenToSteps, type Step, type StepListener, type StepName } from '../kernel/step.ts'
import type { TraceChoices } from '../settings/trace_settings.ts'

/** Spans beyond `spans` that wait are dropped, so that a collector that is away costs no more than them. */
const CEILINGS = { spans: 2_048, batch: 512, exportMs: 2_500, everyMs: 2_000, characters: 256 } as const

/** The service looks for work all the time. What is not part of a step that something caused is not traced. */
const ONLY_INSIDE: ReadonlySet<StepName> = new Set(['statement'])

const KINDS: { readonly [Name in StepName]?: SpanKind } = {
  request: SpanKind.SERVER,
  statement: SpanKind.CLIENT,
  'webhook attempt': SpanKind.CLIENT,
}

/** Returns the end: what waits is sent, within the time of one export. It never rejects. */
export function startTracing(choices: TraceChoices): () => Promise<void> {
  const provider = openProvider(choices)
  const tracer = provider.getTracer('pharos', manifest.version)
  const contexts = new AsyncLocalStorageContextManager().enable()

  const listen: StepListener = (step, work, scope) => {
    const around = contexts.active()
    if (around === ROOT_CONTEXT && ONLY_INSIDE.has(step.name)) return work()
    const parent = around === ROOT_CONTEXT ? withParent(scope) : around
    const span = tracer.startSpan(
      step.title ?? step.name,
      { kind: KINDS[step.name] ?? SpanKind.INTERNAL },
      parent,
    )
    if (scope !== undefined) scope.traceId = span.spanContext().traceId
    return contexts.with(trace.setSpan(parent, span), () => observed(span, step, work))
  }
  const stop = listenToSteps(listen)
  return async () => {
    stop()
    contexts.disable()
    await provider.shutdown().catch(() => undefined)
  }
}

async function observed<T>(span: Span, step: Step, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    step.failed = true
    // The name alone: a message may repeat what somebody sent.
    step.facts['error.type'] = error instanceof Error ? error.name : 'unknown'
    throw error
  } finally {
    if (step.title !== undefined) span.updateName(step.title)
    span.setAttributes(step.facts)
    if (step.failed === true) span.setStatus({ code: SpanStatusCode.ERROR })
    span.end()
  }
}

/** The trace that a client named goes on here. */
function withParent(scope: RequestScope | undefined): Context {
  if (scope?.parent === undefined) return ROOT_CONTEXT
  const { traceId, spanId, isSampled } = scope.parent
  const traceFlags = isSampled ? TraceFlags.SAMPLED : TraceFlags.NONE
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags, isRemote: true })
}

function openProvider(choices: TraceChoices): TracerProvider {
  const exporter = new OTLPTraceExporter({
    url: `${choices.endpoint}/v1/traces`,
    headers: { ...choices.headers },
    timeoutMillis: CEILINGS.exportMs,
  })
  const processor = new BatchSpanProcessor({
    exporter,
    maxQueueSize: CEILINGS.spans,
    maxExportBatchSize: CEILINGS.batch,
    scheduledDelayMillis: CEILINGS.everyMs,
    exportTimeoutMillis: CEILINGS.exportMs,
  })
  const attributes = {
    'service.version': manifest.version,
    ...choices.resource,
    'service.name': choices.serviceName,
  }
  return new TracerProvider({
    sampler: samplerOf(choices),
    resource: defaultResource().merge(resourceFromAttributes(attributes)),
    spanLimits: { attributeValueLengthLimit: CEILINGS.characters },
    spanProcessors: [processor],
  })
}

/** `parentbased_` before the name of another one makes that the sampler of what has no parent. */
function samplerOf({ sampler, ratio }: TraceChoices): Sampler {
  const always = sampler.endsWith('always_on') ? new AlwaysOnSampler() : new AlwaysOffSampler()
  const root = sampler.endsWith('traceidratio') ? new TraceIdRatioBasedSampler(ratio) : always
  return sampler.startsWith('parentbased_') ? new ParentBasedSampler({ root }) : root
}
