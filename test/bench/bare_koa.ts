// Baseline: one bare Koa route that answers with the bytes from standard input. Usage: bare_koa.ts <content
// type>
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import Koa from 'koa'

const [type = 'application/json'] = process.argv.slice(2)
const body = await buffer(process.stdin)
const koa = new Koa()
koa.use((ctx) => {
  ctx.type = type
  ctx.body = body
})
const server = koa.listen(0, '127.0.0.1', () => {
  process.stderr.write(`listening http://127.0.0.1:${(server.address() as AddressInfo).port}\n`)
})
process.on('SIGTERM', () => process.exit(0))
