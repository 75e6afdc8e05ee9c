// A service of a test at the address that is asked when nobody names one, where on this computer another may run.
const USUAL = 'http://localhost:4000'

/** What the command line runs with, so that its requests to the usual address come to this one. */
export const atUsualAddress = (address: string): { readonly NODE_OPTIONS: string } => {
  const program = `const real = fetch
    globalThis.fetch = (to, init) => real(new URL(to).href.replace('${USUAL}/', '${address}/'), init)`
  return { NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(program)}` }
}
