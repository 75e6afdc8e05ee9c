// The operator command that writes the public log as files, which any web server may serve.
import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { plural } from '../../shared/verifier/plural.ts'
import { refuse } from '../kernel/refusal.ts'
import { type Commands, say } from './command.ts'
import { openCopyFolder } from './log_copy/copy_folder.ts'
import { databaseSource } from './log_copy/database_source.ts'
import { writeCopy } from './log_copy/write_copy.ts'
import { interruptible } from './long_command.ts'

export const EXPORT_COMMANDS: Commands = {
  export: {
    usage: '<folder> [--follow]',
    meaning:
      'writes the public log as files, in the layout of /log, with the keyring and the epochs beside it; what is there is kept; --follow goes on with every new checkpoint until it is stopped',
    options: { follow: { type: 'boolean' } },
    words: 1,
    existing: true,
    run: async ({ store, signedMemory: memory, witnessing }, { follow }, [named]) => {
      if (named === undefined) throw refuse('required', { detail: 'say which folder to write' })
      const place = resolve(named)
      const source = databaseSource({ em: store.em('work'), memory, witnessing })
      const folder = await openCopyFolder(place)
      const began = performance.now()
      const over = new Error('The export was stopped. It goes on where it was when it is run again.')
      const write = async (stopped: AbortSignal): Promise<0> => {
        const tell = teller()
        const first = await writeCopy(source, folder, {
          keepsEarlier: follow === true,
          onProgress: (blocks) => {
            stopped.throwIfAborted()
            tell(blocks)
          },
        })
        if (first === undefined) throw new Error('The log has no checkpoint yet. Nothing was written.')
        say(`${place} has the log up to ${plural(first, 'block')}, in ${seconds(began)}.`)
        let size = first
        while (follow === true && !stopped.aborted) {
          await sleep(EVERY_MS, undefined, { signal: stopped }).catch(() => undefined)
          if (stopped.aborted || (await source.shown())?.size === size) continue
          size = (await writeCopy(source, folder, { keepsEarlier: true })) ?? size
          say(plural(size, 'block'))
        }
        // Without the partial tiles of earlier checkpoints: all copies of one size are the same.
        if (follow === true) await writeCopy(source, folder)
        return 0
      }
      return interruptible(over, (stopped) => write(stopped).finally(folder.close))
    },
  },
}

/** Until a new checkpoint is looked for. */
const EVERY_MS = 1_000

const TOLD_EVERY_MS = 2_000

function teller(): (blocks: { done: number; total: number }) => void {
  let next = performance.now() + TOLD_EVERY_MS
  return ({ done, total }) => {
    if (performance.now() < next) return
    next = performance.now() + TOLD_EVERY_MS
    process.stderr.write(`  ${done} of ${total} blocks ...\n`)
  }
}

const seconds = (since: number): string => `${Math.ceil((performance.now() - since) / 1_000)} s`
