// `pharos stamp`: has files timestamped. Their digests go to the service, and its receipts come back as evidence files.
import { join } from 'node:path'
import {
  type ClientCommand,
  type Surroundings,
  textOption,
  textOptions,
  type Values,
} from '../../../shared/cli/command.ts'
import { Complaint, type ExitCode, printable, tellComplaint } from '../../../shared/cli/terminal.ts'
import { SERVICE_OPTIONS, type Service, serviceFrom } from '../ask/ask_service.ts'
import { findKeyring, rememberKeyring } from '../keyring.ts'
import { worst } from '../one_by_one.ts'
import { type Acceptor, isSignedIn } from './accept.ts'
import type { Labels } from './as_items.ts'
import { fillReceipt, isFilled, type Wait, waitOf } from './fill_receipt.ts'
import { begun, type GivenFiles, givenBy, MOST_ALONE } from './given.ts'
import { Hasher } from './hasher.ts'
import { placesOf } from './places.ts'
import { LeftOut, type Source } from './sources.ts'
import { stampEach } from './stamp_each.ts'
import { placeEvidence, stampTree } from './stamp_tree.ts'
import type { Stamping } from './stamping.ts'
import { type Stamped, Telling } from './telling.ts'

export const stamp: ClientCommand = {
  usage: '<file>… | <folder> | - [--hash <hex>] [--from <list>] [-o <place>] [--wait]',
  meaning: 'has files timestamped, and writes the evidence beside them',
  help: `
Only digests leave this computer. FILE.pharos is written beside each file: a receipt at first, and "upgrade" puts the
proof into it as soon as there is one. A folder, or more than ${MOST_ALONE} files, becomes one item and one manifest,
FOLDER.pharos, with the digest of every file in it and below. - is what comes from standard input. Links, and
what is no regular file, are named and left out; *.pharos are left out and counted.

Without an account the service is asked as anybody may ask it: what it stamps then belongs to nobody, and the evidence
is the only copy. With one each stamp is an item of yours. A run that was interrupted is called again in the same words,
and goes on from there. Nothing that exists is overwritten.`,
  options: {
    hash: {
      multiple: true,
      takes: '<hex>',
      meaning: 'a digest that you have made, as HEX or HEX:TYPE; without a type sha256. May be repeated',
    },
    from: { takes: '<file>', meaning: 'a list of files, or what sha256sum prints; - for standard input' },
    out: {
      short: 'o',
      takes: '<file>',
      meaning: 'the evidence file, or the folder for all of them; - for standard output',
    },
    evidence: { meaning: `of a folder, or more than ${MOST_ALONE} files: evidence beside each file as well` },
    each: {
      meaning: `of a folder, or more than ${MOST_ALONE} files: an item and evidence for each, and no manifest`,
    },
    name: {
      takes: '<text>',
      meaning: 'how the item is called: "file", or "N files". No name leaves this computer unless you say so',
    },
    tag: { multiple: true, takes: '<label>', meaning: 'a label of the item. May be repeated' },
    visibility: { takes: 'private|team|public', meaning: 'who may read the item' },
    wait: { meaning: 'until its proof is in the evidence' },
    until: { takes: 'block|committed', meaning: 'waits for this only: a block, or a public chain' },
    timeout: {
      takes: '<time>',
      meaning:
        'waits no longer: 3m for a block, 3h for a chain, unless it says otherwise. Such as 90 (seconds), 20m, 2h',
    },
    json: { meaning: 'prints what was done as JSON' },
    ...SERVICE_OPTIONS,
  },
  exits: {
    0: 'all of it is stamped',
    1: 'the service refused',
    2: 'something could not be read, asked or written',
    3: 'it is stamped, and what was waited for is not there yet',
    4: 'an account is needed',
  },
  run: async (surroundings, words) => {
    const { terminal, values } = surroundings
    const leftOut = new LeftOut(terminal)
    const hasher = new Hasher(terminal)
    const places = placesOf(textOption(values, 'out'))
    if (places.isStdout && values.json === true)
      throw new Complaint(
        'With -o - the evidence itself goes to standard output, so --json has no place there.',
      )
    const wait = waitOf(surroundings)
    if (places.isStdout && wait !== undefined)
      throw new Complaint(
        'With -o - there is no file into which a proof could be put, so nobody waits for it.',
      )
    const given = await givenBy(surroundings, words, leftOut)
    const service = await serviceFrom(surroundings, 'optional')
    const labels = labelsOf(values, service)
    const telling = new Telling(surroundings, service)
    try {
      const acceptor = await acceptorOf(surroundings, service, labels)
      const stamping = { surroundings, acceptor, hasher, places, telling }
      return await stampGiven(stamping, given, { leftOut, wait })
    } catch (error) {
      throw error instanceof Complaint ? telling.unfinished(error) : error
    } finally {
      hasher.end()
    }
  },
}

/** What is asked with an account is known before anything is hashed. @throws Complaint */
function labelsOf(values: Values, service: Service): Labels {
  const labels = {
    name: textOption(values, 'name'),
    tags: textOptions(values, 'tag'),
    visibility: textOption(values, 'visibility'),
  }
  const needing = ['name', 'tag', 'visibility'].find((name) => values[name] !== undefined)
  if (needing !== undefined && !isSignedIn(service))
    throw new Complaint(
      `--${needing} is for items of an account, and there is no credential for ${service.url.origin}.`,
      { exitCode: 4, advice: service.signIn },
    )
  return labels
}

/**
 * The keys of the service are remembered, so that its evidence can be verified from now on.
 * @throws Complaint when they are not those that are remembered
 */
async function acceptorOf(surroundings: Surroundings, service: Service, labels: Labels): Promise<Acceptor> {
  const { name, keys, document } = await findKeyring(service.url.origin)
  const keyring = await rememberKeyring(surroundings, name, document).catch((error: unknown) => {
    if (!(error instanceof Complaint) || error.exitCode === 1) throw error
    surroundings.terminal.note(`! ${printable(error.message)}`)
    return undefined
  })
  return { service, labels, keyring, trust: { keyrings: [{ name, keys }] } }
}

async function stampGiven(
  stamping: Stamping,
  given: GivenFiles,
  { leftOut, wait }: { readonly leftOut: LeftOut; readonly wait: Wait | undefined },
): Promise<ExitCode> {
  const { surroundings, places, telling } = stamping
  const { values } = surroundings
  const { first, all } = await begun(given.sources, MOST_ALONE + 1)
  const isTree = values.each !== true && (given.folder !== undefined || first.length > MOST_ALONE)
  const withEvidence = values.evidence === true
  if (withEvidence && (!isTree || places.isStdout))
    throw new Complaint(
      '--evidence writes files beside those that a manifest is about, and there is none here.',
    )
  const [only, ...more] = first
  if (only === undefined) {
    leftOut.tell()
    throw new Complaint('There is nothing to stamp.')
  }
  const codes: ExitCode[] = []
  const elsewhere = new Map<string, string>()
  const listed = withEvidence ? withPlaces(all, elsewhere) : all
  if (isTree) await stampTree(stamping, listed, places.manifest(given.manifest))
  else codes.push(await stampEach(stamping, all, more.length === 0 ? places.alone : places.each))
  leftOut.tell()
  const { stamped } = telling
  if (wait !== undefined) for (const one of stamped) codes.push(await waitFor(stamping, one, wait))
  const [manifest] = stamped
  // After the wait, so that each has the proof.
  if (withEvidence && manifest !== undefined) {
    const atOf = (path: string): string => elsewhere.get(path) ?? join(given.folder ?? '', path)
    const placeOf = (path: string): string => places.ofEntry(atOf(path), path)
    codes.push(await placeEvidence(surroundings, manifest.evidence, placeOf))
  }
  telling.end(stamping.acceptor.keyring)
  return worst(codes)
}

/** Notes where files lie that are named otherwise than a manifest names them. */
async function* withPlaces(
  sources: AsyncIterable<Source>,
  elsewhere: Map<string, string>,
): AsyncGenerator<Source> {
  for await (const source of sources) {
    if ('at' in source && typeof source.at === 'string' && source.at !== source.path)
      elsewhere.set(source.path, source.at)
    yield source
  }
}

async function waitFor(
  { surroundings, acceptor: { trust }, telling }: Stamping,
  stamped: Stamped,
  wait: Wait,
): Promise<ExitCode> {
  try {
    const tried = await fillReceipt(surroundings, stamped.evidence, { trust }, wait)
    telling.waited(stamped, tried)
    return isFilled(tried, wait) ? 0 : 3
  } catch (error) {
    // The receipt is safe, and the same can be asked for later.
    if (!(error instanceof Complaint)) throw error
    tellComplaint(surroundings.terminal, error, { about: stamped.evidence })
    return error.exitCode
  }
}
