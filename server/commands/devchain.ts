// The operator command that says where the development chain can be read while the service runs.
import { answeringReader } from '../devchain/reader_address.ts'
import { type Commands, type InstallationCommand, say } from './command.ts'

export const DEVCHAIN_COMMANDS: Commands<InstallationCommand> = {
  'devchain url': {
    usage: '',
    meaning:
      'prints where the JSON-RPC of the development chain answers while the service runs, for ots --btc-regtest --bitcoin-node; the address may read headers and nothing else',
    options: {},
    existing: true,
    runOn: async ({ dataDir }) => {
      const url = await answeringReader(dataDir)
      if (url === undefined)
        throw new Error(
          `No development chain runs that keeps its address in ${dataDir}. It runs with the service (npm start), unless PUBLIC_CHAINS names another chain.`,
        )
      return say(url)
    },
  },
}
