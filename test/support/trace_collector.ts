// A collector of traces on loopback: takes what OTLP/HTTP sends as JSON, and keeps the spans.
import { createServer, type IncomingHttpHeaders } from 'node:http'

export interface CollectedSpan {
  readonly name: string
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly kind: number
  readonly attributes: Readonly<Record<string, unknown>>
}

export interface TraceCollector {
  readonly endpoint: string
  readonly spans: readonly CollectedSpan[]
  /** The attributes of the service, as it was last told. */
  readonly resource: () => Readonly<Record<string, unknown>>
  readonly headers: () => IncomingHttpHeaders
  /** Everything that was received, as text. */
  readonly text: () => string
  readonly close: () => Promise<void>
}

interface Attribute {
  readonly key: string
  readonly value: Readonly<Record<string, unknown>>
}

interface Body {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly Attribute[] }
    readonly scopeSpans: readonly {
      readonly spans: readonly (Omit<CollectedSpan, 'attributes'> & {
        readonly attributes: readonly Attribute[]
      })[]
    }[]
  }[]
}

const plain = (attributes: readonly Attribute[]) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]))

export async function openTraceCollector(): Promise<TraceCollector> {
  const spans: CollectedSpan[] = []
  const texts: string[] = []
  let resource: Readonly<Record<string, unknown>> = {}
  let headers: IncomingHttpHeaders = {}
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const text = Buffer.concat(chunks).toString('utf8')
    texts.push(text)
    headers = request.headers
    const body: Body = JSON.parse(text)
    for (const each of body.resourceSpans) {
      resource = plain(each.resource.attributes)
      for (const scope of each.scopeSpans)
        for (const span of scope.spans) spans.push({ ...span, attributes: plain(span.attributes) })
    }
    response.setHeader('Content-Type', 'application/json').end('{}')
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return {
    endpoint: `http://127.0.0.1:${port}`,
    spans,
    resource: () => resource,
    headers: () => headers,
    text: () => texts.join('\n'),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
