// The part of autocannon's interface that the benches use; the package brings no types.
declare module 'autocannon' {
  interface Options {
    readonly url: string
    readonly connections: number
    readonly amount: number
    readonly method?: 'GET' | 'POST'
    readonly headers?: Record<string, string>
    readonly body?: string
    readonly timeout?: number
    /** Milliseconds between samples; a run ends with one, so it is also how finely its length is told. */
    readonly sampleInt?: number
  }
  interface Result {
    readonly non2xx: number
    readonly errors: number
    readonly timeouts: number
  }
  export default function autocannon(options: Options): Promise<Result>
}
