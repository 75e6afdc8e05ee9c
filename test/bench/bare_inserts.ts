// The baseline of submissions, in a process of its own as the service is: the bare driver inserts copies of one row,
// one in each transaction. Arguments: how many connections and how many rows. Standard input: the address of the
// database. Prints milliseconds of the work and of the processor.
import { text } from 'node:stream/consumers'
import pg from 'pg'

const [connections = 1, amount = 1] = process.argv.slice(2).map(Number)
const connectionString = await text(process.stdin)
const clients = await Promise.all(
  Array.from({ length: connections }, async () => {
    const client = new pg.Client({ connectionString })
    await client.connect()
    return client
  }),
)
const [first] = clients
if (first === undefined) throw new Error('At least one connection is needed.')
const newest = await first.query<Record<string, unknown>>('SELECT * FROM items ORDER BY id DESC LIMIT 1')
const [row] = newest.rows
if (row === undefined) throw new Error('There is no item to copy.')
const columns = Object.keys(row)
const statement = `INSERT INTO items (${columns.join(', ')}) VALUES (${columns.map((_, index) => `$${index + 1}`).join(', ')})`
const idAt = columns.indexOf('id')

let next = 0
const insert = async (client: pg.Client): Promise<void> => {
  for (let number = next++; number < amount; number = next++) {
    const values = Object.values(row)
    values[idAt] = `0${String(number).padStart(25, '0')}`
    await client.query(statement, values)
  }
}
const began = performance.now()
const before = process.cpuUsage()
await Promise.all(clients.map(insert))
const { user, system } = process.cpuUsage(before)
const ms = performance.now() - began
await Promise.all(clients.map((client) => client.end()))
process.stdout.write(JSON.stringify({ ms, cpuMs: (user + system) / 1_000 }))
