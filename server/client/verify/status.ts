// `pharos status`: how far an item is: stored, in a block, on public chains, seen by witnesses of the log.
import { existsSync } from 'node:fs'
import type { ClientCommand, Surroundings } from '../../../shared/cli/command.ts'
import { Complaint, caught, type ExitCode, printable, tellComplaint } from '../../../shared/cli/terminal.ts'
import type { UpgradeAnswer } from '../../../shared/evidence/upgrade.ts'
import { BundleRejected } from '../../../shared/proof/bundle/bundle_parts.ts'
import { readBundleObject } from '../../../shared/proof/bundle/read_bundle.ts'
import { rethrown } from '../../../shared/proof/bytes.ts'
import { isUlid, ulidTime } from '../../../shared/proof/ids.ts'
import {
  isJsonObject,
  type JsonObject,
  memberAt,
  memberOf,
  textAt,
} from '../../../shared/proof/json_value.ts'
import { utcSeconds } from '../../../shared/proof/verify/carried_values.ts'
import { bundleFacts } from '../../../shared/verifier/bundle_facts.ts'
import {
  askBytes,
  askService,
  SERVICE_OPTIONS,
  type Service,
  ServiceRefused,
  serviceFrom,
} from '../ask/ask_service.ts'
import { factsOfLogProof, readGiven } from '../given_proof.ts'
import { oneByOne, worst } from '../one_by_one.ts'
import { askFor, askItem } from '../stamp/ask_proof.ts'

export const status: ClientCommand = {
  usage: '<file or id>… [--json] [--url <service>]',
  meaning: 'says how far items are: stored, in a block, on public chains, seen by witnesses',
  help: `
<file> is evidence or a manifest: the service that it names is asked about its item. <id> is that of an item of yours.
What is told is what they say: "verify" checks it.`,
  options: { json: { meaning: 'prints a list as JSON' }, ...SERVICE_OPTIONS },
  exits: {
    0: 'every one is on a public chain',
    1: 'the service said no: there is none such, or it will be on no public chain',
    2: 'one could not be read or asked about',
    3: 'not yet',
    4: 'you are to sign in first',
  },
  run: async (surroundings, sources) => {
    const { terminal, values } = surroundings
    if (sources.length === 0) throw new Complaint('Name evidence files or ids of items.')
    const tell = (complaint: Complaint, source: string): void =>
      tellComplaint(terminal, complaint, { about: source })
    const answer = async (source: string) => {
      const { standing, refused } = await standingOf(surroundings, source)
      if (values.json !== true) printStanding(surroundings, source, standing, refused)
      if (refused !== undefined) tell(refused, source)
      const code: ExitCode = standing.public_chains.length > 0 ? 0 : isNever(refused) ? 1 : 3
      return { code, shown: { error: refused?.message ?? null, ...standing } }
    }
    return worst(await oneByOne(surroundings, sources, answer, tell))
  },
}

/** As JSON shows it. */
type Standing = Awaited<ReturnType<typeof standingOf>>['standing']

const storedItem = (itemId: string, service: string) => ({
  item_id: itemId,
  service,
  stored_at: utcSeconds(ulidTime(itemId)) ?? 'at no known time',
})

/** It is in a block, and that goes to no public chain any more. */
const isNever = (refused: ServiceRefused | undefined): boolean =>
  (refused?.reason ?? refused?.code) === 'no_external_commitments'

/** `refused` is why the service did not say when it is due. */
async function standingOf(surroundings: Surroundings, source: string) {
  if (!existsSync(source) && isUlid(source.toUpperCase()))
    return ofItem(await serviceFrom(surroundings), source.toUpperCase())
  const given = await readGiven(surroundings.terminal, source)
  if (given.kind !== 'evidence')
    throw new Complaint('It names no item that could be asked about.', {
      advice: `${surroundings.self} verify --help`,
    })
  const { bundle, logProof, item } = given.evidence
  const stored = storedItem(item.id, item.service)
  const proven = (by: UpgradeAnswer) => ({ standing: { ...stored, ...carried(by) }, refused: undefined })
  if (bundle !== undefined) return proven({ bundle, logProof })
  const asked = await askFor(surroundings, source, given.evidence).catch(caught(ServiceRefused))
  const isRefused = asked instanceof ServiceRefused
  if (!isRefused && asked.kind === 'answer') return proven(asked.answer)
  if (isRefused && !isNever(asked)) throw asked
  const block = isRefused || asked.isInBlock ? 'yes' : null
  const due_in_seconds = asked.retryAfterSeconds ?? null
  const standing = { ...stored, block, public_chains: [], witnesses: [], due_in_seconds }
  return { standing, refused: isRefused ? asked : undefined }
}

/** What a proof says of its item. @throws Complaint for what is no bundle: nobody has checked it */
function carried({ bundle, logProof }: UpgradeAnswer) {
  const read = rethrown(
    () => readBundleObject(bundle),
    BundleRejected,
    ({ reason }) => new Complaint(`Its bundle cannot be read (${reason}).`),
  )
  const { blockId, chains } = bundleFacts(read)
  const log = logProof === undefined ? undefined : factsOfLogProof(logProof)
  return {
    block: (log === undefined ? blockId : `height ${log.index}, ${blockId}`) ?? null,
    public_chains: chains.map(({ chain, network }) => `${chain} ${network}`),
    witnesses: log?.witnesses ?? [],
    due_in_seconds: null,
  }
}

/** What its owner may read. */
async function ofItem(service: Service, id: string) {
  const document = await askService(service, `/api/json/items/${id}?include=block,block.commitments`)
  const attributes = memberAt(memberAt(document, 'data'), 'attributes')
  const included = memberAt(document, 'included')
  const ofType = (type: string): JsonObject[] =>
    (Array.isArray(included) ? included : [])
      .filter((resource) => textAt(resource, 'type') === type)
      .flatMap((resource) => memberAt(resource, 'attributes') ?? [])
      .filter(isJsonObject)
  const [block] = ofType('block')
  const height = block && memberOf(block, 'height')
  const publicChains = ofType('commitment')
    .filter((commitment) => textAt(commitment, 'state') === 'confirmed')
    .map((commitment) => `${textAt(commitment, 'chain')} ${textAt(commitment, 'network')}`)
  // A no to the question for a proof leaves what is known of the item as it is.
  const asked = publicChains.length > 0 ? undefined : await askItem(service, id).catch(caught(ServiceRefused))
  return {
    standing: {
      ...storedItem(id, service.url.origin),
      /** Null while it is in none. */
      block: block === undefined ? null : `height ${height}, ${textAt(attributes, 'block_id')}`,
      /** Such as `bitcoin mainnet`. */
      public_chains: publicChains,
      /** Names of who signed the checkpoint of the log, besides the log. */
      witnesses: typeof height === 'number' ? await witnessesAt(service, height) : [],
      /** Until the service expects a proof. */
      due_in_seconds: (asked && 'retryAfterSeconds' in asked ? asked.retryAfterSeconds : undefined) ?? null,
    },
    refused: asked instanceof ServiceRefused ? asked : undefined,
  }
}

/** None also when the log does not hold the block yet. */
async function witnessesAt(service: Service, height: number): Promise<readonly string[]> {
  const proof = await askBytes(service, `/log/proof/${height}`).catch(caught(ServiceRefused))
  if (proof instanceof ServiceRefused) return []
  return factsOfLogProof(new TextDecoder().decode(proof))?.witnesses ?? []
}

function printStanding(
  { terminal: { say, paint } }: Surroundings,
  source: string,
  { item_id, service, stored_at, block, public_chains, witnesses, due_in_seconds }: Standing,
  refused: ServiceRefused | undefined,
): void {
  const line = (isThere: boolean, what: string, words: string): void =>
    say(`  ${isThere ? paint.green('✓') : paint.dim('-')} ${what.padEnd(14)} ${printable(words)}`)
  say(paint.bold(printable(source)))
  line(true, 'stored', `${stored_at}, item ${item_id} of ${service}`)
  line(block !== null, 'in a block', block ?? 'not yet')
  const due = due_in_seconds === null ? '' : `; expected in ${shownWait(due_in_seconds)}`
  const isPublic = public_chains.length > 0
  const none = isNever(refused) ? 'none, and none will come' : `not yet${due}`
  line(isPublic, 'public chains', isPublic ? public_chains.join(', ') : none)
  line(witnesses.length > 0, 'witnesses', witnesses.length > 0 ? witnesses.join(', ') : 'none is told of')
}

const shownWait = (seconds: number): string =>
  seconds < 120 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`
