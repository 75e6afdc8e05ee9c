// The part of autocannon's interface that the benches use. The package has no type declarations.
declare module 'autocannon' {
  interface Options {
    readonly url: string
    readonly connections: number
    /** Requests. */
    readonly amount?: number
    /** Seconds, where no amount is given. */
    readonly duration?: number
    readonly method?: 'GET' | 'POST'
    readonly headers?: Record<string, string>
    readonly body?: string | Buffer
    readonly timeout?: number
    /**
     * Milliseconds between samples. A run ends with a sample, so this is also the precision of its duration.
     */
    readonly sampleInt?: number
  }
  interface Result {
    readonly non2xx: number
    readonly errors: number
    readonly timeouts: number
    /** Milliseconds. */
    readonly latency: { readonly p99: number }
    readonly statusCodeStats: Readonly<Record<string, { readonly count: number }>>
  }
  export default function autocannon(options: Options): Promise<Result> & { readonly stop: () => void }
}
