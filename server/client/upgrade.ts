// `pharos upgrade`: asks the service that signed a receipt for its proof, checks that the proof belongs to it, and puts it
// into the file.
import type { BigIntStats } from 'node:fs'
import { realpath, stat } from 'node:fs/promises'
import type { ClientCommand, Surroundings } from '../../shared/cli/command.ts'
import { isOwnComputer } from '../../shared/cli/get_bytes.ts'
import {
  Complaint,
  codeOf,
  type ExitCode,
  printable,
  tellComplaint,
  wordsOf,
} from '../../shared/cli/terminal.ts'
import {
  type EvidenceFile,
  EvidenceRejected,
  LARGEST_EVIDENCE_BYTES,
  writeEvidence,
} from '../../shared/evidence/evidence.ts'
import { type Manifest, writeManifestHeader } from '../../shared/evidence/manifest.ts'
import type { EvidenceTrust } from '../../shared/evidence/trust.ts'
import {
  checkReceipt,
  type Filling,
  filled,
  fillingOf,
  readUpgradeAnswer,
  type UpgradeAnswer,
  UpgradeRefused,
} from '../../shared/evidence/upgrade.ts'
import { carried } from '../../shared/proof/bundle/bundle_parts.ts'
import { isJsonObject } from '../../shared/proof/json_value.ts'
import { textOf } from '../../shared/proof/verify/carried_values.ts'
import { isUntouched, replaceFile, statRegular, streamOf } from './files.ts'
import { readGiven } from './given_proof.ts'
import { keyringsFor } from './keyring.ts'
import { logTrust, TRUST_OPTIONS } from './log_files.ts'
import {
  answerFrom,
  generatedProof,
  ownService,
  readAnswer,
  refusal,
  type Service,
  ServiceRefused,
  signInAdvice,
} from './service/ask_service.ts'

export const upgrade: ClientCommand = {
  usage: '<receipt>… [--dry-run] [--keyring <file or address>]',
  meaning: 'puts the proof into receipts, which are evidence files and manifests, once there is one',
  help: `
<receipt> is a file that says "not yet" when it is verified. The service that it names is asked for its proof. Only a
proof that is valid and belongs to this very item is put into the file, which is replaced in whole or stays as it was.

  --dry-run               asks and checks, and changes nothing
  --keyring <source>      whose keys count: a keyring file, or the address of a service. May be repeated.
                          Without it: the keyrings that "keyring list" shows

The address in a receipt is a hint that anybody may have written. What you are signed in with is sent to that very
service and to nobody else: any other is asked without it, by https (http on this computer), and named before.

Exit code: 0 every file has its valid proof, 1 one was refused, 2 one could not be read or asked about, 3 not yet,
4 you are to sign in first.`,
  options: {
    'dry-run': { type: 'boolean' },
    keyring: { type: 'string', multiple: true },
    ...TRUST_OPTIONS,
  },
  run: async (surroundings, values, files) => {
    if (files.length === 0)
      throw new Complaint('Name one receipt, or more.', { advice: `${surroundings.self} upgrade --help` })
    const trust = { keyrings: await keyringsFor(surroundings, values), logs: await logTrust(values) }
    const codes: ExitCode[] = []
    for (const file of files)
      codes.push(await upgradeOrTell(surroundings, file, { trust, isDry: values['dry-run'] === true }))
    return WORST_FIRST.find((code) => codes.includes(code)) ?? 0
  },
}

const WORST_FIRST: readonly ExitCode[] = [1, 2, 4, 3]

interface How {
  readonly trust: EvidenceTrust
  readonly isDry: boolean
}

/** One file that cannot be upgraded keeps none of the others from it. */
async function upgradeOrTell(surroundings: Surroundings, file: string, how: How): Promise<ExitCode> {
  try {
    return await upgradeFile(surroundings, file, how)
  } catch (error) {
    const complaint = error instanceof UpgradeRefused ? refusedWords(error) : error
    if (!(complaint instanceof Complaint)) throw error
    tellComplaint(surroundings.terminal, complaint, `${file}: `)
    const isTransient =
      complaint instanceof ServiceRefused && (complaint.status === 429 || complaint.status >= 500)
    return isTransient ? 2 : complaint.exitCode
  }
}

const refusedWords = ({ reason, message }: UpgradeRefused): Complaint => {
  switch (reason) {
    case 'receipt':
      return new Complaint(`It is not valid, so nobody was asked. ${message}`, { exitCode: 1 })
    case 'key':
      return new Complaint(`Whose key is it? ${message}`, {
        exitCode: 1,
        advice:
          'Name the keyring of the service that you trust: --keyring <its keyring file, or https address>',
      })
    case 'answer':
      return new Complaint(`The proof that was answered is not that of this receipt. ${message}`, {
        exitCode: 1,
      })
    default:
      return reason satisfies never
  }
}

async function upgradeFile(
  surroundings: Surroundings,
  file: string,
  { trust, isDry }: How,
): Promise<ExitCode> {
  const { terminal } = surroundings
  if (file === '-') throw new Complaint('What comes from standard input is no file that can be replaced.')
  const found = await statRegular(file)
  const given = await readGiven(terminal, file)
  if (given.kind !== 'evidence') throw new Complaint('It is no receipt: there is nothing to put into it.')
  const { evidence, manifest } = given
  await checkReceipt(evidence, trust)
  if (evidence.bundle !== undefined) {
    terminal.say(`${printable(file)}  has its proof already`)
    return 0
  }
  const asked = await askFor(surroundings, file, evidence)
  if (asked.kind === 'not_yet') {
    terminal.say(`${printable(file)}  not yet: ${asked.why}`)
    return 3
  }
  const filling = await fillingOf(evidence, asked.answer, trust)
  if (!isDry) await fill({ file, found }, { evidence, manifest }, filling)
  terminal.say(
    `${printable(file)}  ${isDry ? 'its proof is there; nothing was changed' : 'has its proof now'}`,
  )
  return 0
}

type Asked =
  | { readonly kind: 'answer'; readonly answer: UpgradeAnswer }
  | { readonly kind: 'not_yet'; readonly why: string }

/** @throws Complaint */
async function askFor(
  surroundings: Surroundings,
  file: string,
  { item, trees }: EvidenceFile,
): Promise<Asked> {
  const url = addressOf(item.service)
  const own = await ownService(surroundings, url)
  const isOfRound = trees.length > 0
  const advice = signInAdvice(surroundings, url)
  if (own === undefined && !isOfRound)
    throw new Complaint(`The proof of this item is asked for with a credential of ${url.origin}.`, {
      exitCode: 4,
      advice,
    })
  if (own === undefined)
    surroundings.terminal.note(`Asking ${url.origin}, which ${printable(file)} names, without a credential.`)
  const ofRound = isOfRound ? await askRound(own ?? { url, headers: {} }, item) : undefined
  if (ofRound?.kind === 'answer') return ofRound
  if (own !== undefined) return askItem(own, item.id)
  if (ofRound?.kind === 'not_yet') return ofRound
  throw new Complaint(
    `${url.origin} has no round with this root, and the proof of the item is asked for with a credential.`,
    { exitCode: 4, advice },
  )
}

/** @throws Complaint unless it is an https address, or one of this computer */
function addressOf(service: string): URL {
  const url = URL.canParse(service) ? new URL(service) : undefined
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && isOwnComputer(url.hostname))
  if (url === undefined || !isSafe || url.username !== '' || url.password !== '')
    throw new Complaint(`It names ${printable(service)}, which is not asked: only https addresses are.`)
  return url
}

/**
 * Asks for the round with this root. Undefined when the service has none.
 * @throws Complaint
 */
async function askRound(service: Service, { claims }: EvidenceFile['item']): Promise<Asked | undefined> {
  const root = textOf(carried(claims, 'hash')) ?? ''
  const answer = await answerFrom(service, `/stamp/${root}`, {
    ceilings: { bytes: LARGEST_EVIDENCE_BYTES },
  })
  if (answer.status !== 200) {
    const refused = refusal(answer, service)
    if (refused.status !== 404) throw refused
    // With a wait the round is there, and its proof is not; with a reason alone there will be none.
    if (refused.retryAfterSeconds !== undefined) return { kind: 'not_yet', why: notYetWords(refused) }
    if (refused.reason !== undefined) throw refused
    return undefined
  }
  try {
    return { kind: 'answer', answer: readUpgradeAnswer(readAnswer(answer.bytes, service.url)) }
  } catch (error) {
    if (error instanceof EvidenceRejected)
      throw new Complaint(`${service.url.origin} answered something else than a proof: ${error.message}.`)
    throw error
  }
}

/** Asks for the proof of the item, as its owner may. @throws Complaint */
async function askItem(service: Service, id: string): Promise<Asked> {
  try {
    const bundle = await generatedProof(service, { id, type: 'item', format: 'json', layout: 'published' })
    if (isJsonObject(bundle)) return { kind: 'answer', answer: { bundle, logProof: undefined } }
    throw new Complaint(`${service.url.origin} answered with something else than a proof.`)
  } catch (error) {
    if (error instanceof ServiceRefused && isForNow(error))
      return { kind: 'not_yet', why: notYetWords(error) }
    throw error
  }
}

/** Without a wait there will be no commitment. */
const isForNow = ({ code, retryAfterSeconds }: ServiceRefused): boolean =>
  code === 'subject_not_ready' || (code === 'no_external_commitments' && retryAfterSeconds !== undefined)

const notYetWords = ({ message, retryAfterSeconds }: ServiceRefused): string =>
  `${message}${retryAfterSeconds === undefined ? '' : ` Try again in ${retryAfterSeconds} s.`}`

/**
 * @param found the file before it was read
 * @throws Complaint when it was changed since then, would be too large or cannot be written; it stays as it is then
 */
async function fill(
  { file, found }: { readonly file: string; readonly found: BigIntStats },
  { evidence, manifest }: { readonly evidence: EvidenceFile; readonly manifest: Manifest | undefined },
  filling: Filling,
): Promise<void> {
  const text =
    manifest === undefined
      ? writeEvidence(filled(evidence.document, filling))
      : writeManifestHeader(filled(manifest.header.document, filling))
  if (Buffer.byteLength(text) > LARGEST_EVIDENCE_BYTES)
    throw new Complaint(`With its proof it would be larger than ${LARGEST_EVIDENCE_BYTES / 1024} KiB.`, {
      exitCode: 1,
    })
  try {
    // A link stays a link: what it leads to is replaced.
    const path = await realpath(file)
    await replaceFile(path, manifest === undefined ? text : withFirstLine(text, path), {
      mode: Number(found.mode & 0o7777n),
      check: async () => {
        if (!isUntouched(found, await stat(path, { bigint: true })))
          throw new Complaint('It was changed while it was upgraded, and stays as it is now.')
      },
    })
  } catch (error) {
    if (error instanceof Complaint || codeOf(error) === undefined) throw error
    throw new Complaint(`It could not be written: ${wordsOf(error)}`)
  }
}

/** The lines of the file, with another first one. */
async function* withFirstLine(line: string, path: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(line)
  let isBehind = false
  for await (const chunk of await streamOf(path)) {
    const bytes = Buffer.from(chunk)
    const end = isBehind ? -1 : bytes.indexOf(LINE_FEED)
    if (isBehind) yield bytes
    else if (end >= 0) {
      isBehind = true
      yield bytes.subarray(end + 1)
    }
  }
}

const LINE_FEED = 0x0a
