// `pharos status`: how far an item is: stored, in a block, on public chains, seen by witnesses of the log.
import { existsSync } from 'node:fs'
import type { ClientCommand, Surroundings, Values } from '../../../shared/cli/command.ts'
import { Complaint, type ExitCode, printable, tellComplaint } from '../../../shared/cli/terminal.ts'
import type { EvidenceFile } from '../../../shared/evidence/evidence.ts'
import { BundleRejected } from '../../../shared/proof/bundle/bundle_parts.ts'
import { type ReadBundle, readBundleObject } from '../../../shared/proof/bundle/read_bundle.ts'
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
import { askFor, askItem, type ProofAnswer } from '../stamp/ask_proof.ts'

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
  run: async (surroundings, values, sources) => {
    const { terminal, self } = surroundings
    if (sources.length === 0)
      throw new Complaint('Name evidence files or ids of items.', { advice: `${self} status --help` })
    const tell = (complaint: Complaint, source: string): void =>
      tellComplaint(terminal, complaint, { about: source })
    const answer = async (source: string) => {
      const standing = await standingOf(surroundings, values, source)
      if (values.json !== true) printStanding(surroundings, source, standing)
      if (standing.refused !== undefined) tell(standing.refused, source)
      return { code: codeOf(standing), shown: shownStanding(standing) }
    }
    return worst(await oneByOne(surroundings, values, sources, answer, tell))
  },
}

interface Standing {
  readonly itemId: string
  readonly service: string
  /** Undefined while it is in none. */
  readonly block: string | undefined
  /** Such as `bitcoin mainnet`. */
  readonly publicChains: readonly string[]
  /** Names of who signed the checkpoint of the log, besides the log. */
  readonly witnesses: readonly string[]
  /** Seconds until the service expects a proof. */
  readonly dueSeconds: number | undefined
  /** Why the service did not say when that is. */
  readonly refused: ServiceRefused | undefined
}

/** It is in a block, and that goes to no public chain any more. */
const isNever = (refused: ServiceRefused | undefined): boolean =>
  (refused?.reason ?? refused?.code) === 'no_external_commitments'

const codeOf = ({ publicChains, refused }: Standing): ExitCode => {
  if (publicChains.length > 0) return 0
  return isNever(refused) ? 1 : 3
}

async function standingOf(surroundings: Surroundings, values: Values, source: string): Promise<Standing> {
  if (!existsSync(source) && isUlid(source.toUpperCase()))
    return ofItem(await serviceFrom(surroundings, values), source.toUpperCase())
  const given = await readGiven(surroundings.terminal, source)
  if (given.kind !== 'evidence')
    throw new Complaint('It names no item that could be asked about.', {
      advice: `${surroundings.self} verify --help`,
    })
  const { evidence } = given
  const { bundle, logProof } = evidence
  return ofEvidence(
    evidence,
    bundle === undefined
      ? await orNever(askFor(surroundings, values, source, evidence))
      : { kind: 'answer', answer: { bundle, logProof } },
  )
}

/** @throws Complaint for every other no */
const orNever = (asking: Promise<ProofAnswer>): Promise<ProofAnswer | ServiceRefused> =>
  asking.catch((error: unknown) => {
    if (error instanceof ServiceRefused && isNever(error)) return error
    throw error
  })

function ofEvidence({ item }: EvidenceFile, asked: ProofAnswer | ServiceRefused): Standing {
  const stored = { itemId: item.id, service: item.service }
  const isRefused = asked instanceof ServiceRefused
  if (isRefused || asked.kind === 'not_yet')
    return {
      ...stored,
      block: isRefused || asked.isInBlock ? 'yes' : undefined,
      publicChains: [],
      witnesses: [],
      dueSeconds: asked.retryAfterSeconds,
      refused: isRefused ? asked : undefined,
    }
  const { bundle, logProof } = asked.answer
  const { blockId, chains } = bundleFacts(readCarried(bundle))
  const log = logProof === undefined ? undefined : factsOfLogProof(logProof)
  return {
    ...stored,
    block: log === undefined ? blockId : `height ${log.index}, ${blockId}`,
    publicChains: chains.map(({ chain, network }) => `${chain} ${network}`),
    witnesses: log?.witnesses ?? [],
    dueSeconds: undefined,
    refused: undefined,
  }
}

/** @throws Complaint for what is no bundle: nobody has checked it */
function readCarried(bundle: JsonObject): ReadBundle {
  try {
    return readBundleObject(bundle)
  } catch (error) {
    if (error instanceof BundleRejected) throw new Complaint(`Its bundle cannot be read (${error.reason}).`)
    throw error
  }
}

/** What its owner may read. */
async function ofItem(service: Service, id: string): Promise<Standing> {
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
  const asked = publicChains.length > 0 ? undefined : await orRefused(askItem(service, id))
  const refused = asked instanceof ServiceRefused ? asked : undefined
  return {
    itemId: id,
    service: service.url.origin,
    block: block && `height ${height}, ${textAt(attributes, 'block_id')}`,
    publicChains,
    witnesses: typeof height === 'number' ? await witnessesAt(service, height) : [],
    dueSeconds: asked !== undefined && 'retryAfterSeconds' in asked ? asked.retryAfterSeconds : undefined,
    refused,
  }
}

/** A no to the question for a proof leaves what was read of the item as it is. @throws Complaint for no answer */
const orRefused = (asking: Promise<ProofAnswer>): Promise<ProofAnswer | ServiceRefused> =>
  asking.catch((error: unknown) => {
    if (error instanceof ServiceRefused) return error
    throw error
  })

/** None also when the log does not hold the block yet. */
async function witnessesAt(service: Service, height: number): Promise<readonly string[]> {
  try {
    const proof = new TextDecoder().decode(await askBytes(service, `/log/proof/${height}`))
    return factsOfLogProof(proof)?.witnesses ?? []
  } catch (error) {
    if (error instanceof ServiceRefused) return []
    throw error
  }
}

const storedAt = (itemId: string): string => utcSeconds(ulidTime(itemId)) ?? 'at no known time'

function shownStanding({ itemId, service, ...standing }: Standing): object {
  return {
    error: standing.refused?.message ?? null,
    item_id: itemId,
    service,
    stored_at: storedAt(itemId),
    block: standing.block ?? null,
    public_chains: standing.publicChains,
    witnesses: standing.witnesses,
    due_in_seconds: standing.dueSeconds ?? null,
  }
}

function printStanding({ terminal: { say, paint } }: Surroundings, source: string, standing: Standing): void {
  const { itemId, service, block, publicChains, witnesses, dueSeconds, refused } = standing
  const line = (isThere: boolean, what: string, words: string): void =>
    say(`  ${isThere ? paint.green('✓') : paint.dim('-')} ${what.padEnd(14)} ${printable(words)}`)
  say(paint.bold(printable(source)))
  line(true, 'stored', `${storedAt(itemId)}, item ${itemId} of ${service}`)
  line(block !== undefined, 'in a block', block ?? 'not yet')
  const due = dueSeconds === undefined ? '' : `; expected in ${shownWait(dueSeconds)}`
  const isPublic = publicChains.length > 0
  const none = isNever(refused) ? 'none, and none will come' : `not yet${due}`
  line(isPublic, 'public chains', isPublic ? publicChains.join(', ') : none)
  line(witnesses.length > 0, 'witnesses', witnesses.length > 0 ? witnesses.join(', ') : 'none is told of')
}

const shownWait = (seconds: number): string =>
  seconds < 120 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`
