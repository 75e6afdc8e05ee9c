// `npm run bench [-- <part of a name>]`: measures the service and a bare baseline in the same run, prints one
// table of all rows and writes it to a file.
import { writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { interruptible } from '../../shared/cli/interrupt.ts'
import { broadcastBeacon } from './broadcast_beacon.ts'
import { createBatch } from './create_batch.ts'
import { createItem } from './create_item.ts'
import { deliverWebhooks } from './deliver_webhooks.ts'
import { finalizeLargeBlock } from './finalize_block.ts'
import { finalizeEmptyBlock } from './finalize_empty_block.ts'
import { generateManyProofs } from './generate_proof.ts'
import { openGround } from './ground.ts'
import { longLists } from './long_lists.ts'
import { describeMachine, watchMachine } from './machine.ts'
import type { Measure } from './measurement.ts'
import { buildLargeTree } from './merkle_build.ts'
import { pruneManyDeliveries } from './prune_deliveries.ts'
import { pullDeliveries } from './pull_deliveries.ts'
import {
  beaconByHash,
  graphqlBeacons,
  itemPage,
  itemPageWithIncluded,
  largeItemPage,
  latestBeacon,
} from './read_route.ts'
import { reportOf } from './report.ts'
import { exitCodeOf, runMeasures } from './run_measures.ts'
import { calendarCrowd, calendarDigest, stampOneDigest, timeStamp, timeStampByRsa } from './stamp_digest.ts'
import { stampManyDigests, stampManyFiles } from './stamp_files.ts'
import { startClient } from './start_client.ts'
import { verifyOneProof } from './verify_proof.ts'

const MEASURES: Readonly<Record<string, Measure>> = {
  'create-item-32': createItem(32, 0.75),
  'create-item-128': createItem(128, 1),
  'create-batch': createBatch,
  'finalize-block': finalizeLargeBlock,
  'finalize-empty-block': finalizeEmptyBlock,
  'read-latest-beacon': latestBeacon,
  'read-beacon-by-hash': beaconByHash,
  'read-item-page': itemPage,
  'read-large-item-page': largeItemPage,
  'read-item-page-included': itemPageWithIncluded,
  'read-graphql-beacons': graphqlBeacons,
  'stamp-digest': stampOneDigest,
  'calendar-digest': calendarDigest,
  'calendar-crowd': calendarCrowd,
  'time-stamp': timeStamp,
  'time-stamp-rsa': timeStampByRsa,
  'stamp-files': stampManyFiles,
  'stamp-digests': stampManyDigests,
  'long-lists': longLists,
  'broadcast-beacon': broadcastBeacon,
  'deliver-webhooks': deliverWebhooks,
  'pull-deliveries': pullDeliveries,
  'prune-deliveries': pruneManyDeliveries,
  'generate-proof': generateManyProofs,
  'verify-proof': verifyOneProof,
  'merkle-build': buildLargeTree,
  'start-client': startClient,
}

const USAGE = `Usage: npm run bench [-- [--output FILE] [<part of a name>]]
Prints the report and writes it to FILE (bench-results.md).
Measures: ${Object.keys(MEASURES).join(', ')}
What the time of one request is spent on: test/bench/README.md
`

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { help: { type: 'boolean' }, output: { type: 'string', default: 'bench-results.md' } },
})
if (values.help === true) {
  process.stdout.write(USAGE)
  process.exit(0)
}
const [wanted = ''] = positionals
const chosen = Object.fromEntries(Object.entries(MEASURES).filter(([name]) => name.includes(wanted)))
if (Object.keys(chosen).length === 0) {
  process.stderr.write(`No measure has "${wanted}" in its name.\n${USAGE}`)
  process.exit(2)
}
const machine = await describeMachine()
const say = (line: string) => void process.stderr.write(`${line}\n`)
const rows = await interruptible(new Error('The bench was stopped.'), (stopped) =>
  runMeasures(chosen, { openGround, watchMachine, say, stopped }),
)
const report = reportOf(machine, rows)
process.stdout.write(`\n${report}`)
await writeFile(values.output, report)
process.exit(exitCodeOf(rows))
