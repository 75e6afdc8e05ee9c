// `pharos proof --evidence`: evidence of an item, as its owner may have it, and of one file of a manifest, without asking
// anybody.
import { existsSync } from 'node:fs'
import { basename } from 'node:path'
import { type Surroundings, textOption } from '../../../shared/cli/command.ts'
import { Complaint, type ExitCode, printable, sayDocument } from '../../../shared/cli/terminal.ts'
import { TREE_FORMAT, type TreeEntry } from '../../../shared/evidence/digest_tree.ts'
import {
  type EvidenceItem,
  EvidenceRejected,
  readDigest,
  readEvidenceValue,
  receiptOf,
  writeEvidence,
} from '../../../shared/evidence/evidence.ts'
import { evidenceOfEntry } from '../../../shared/evidence/manifest.ts'
import type { ManifestEntry } from '../../../shared/evidence/manifest_tree.ts'
import { checkReceipt, filled, fillingOf, UpgradeRefused } from '../../../shared/evidence/upgrade.ts'
import { utf8 } from '../../../shared/proof/bytes.ts'
import { isUlid } from '../../../shared/proof/ids.ts'
import { isJsonObject, type JsonObject, memberAt, memberOf } from '../../../shared/proof/json_value.ts'
import { askService, type Service, serviceFrom } from '../ask/ask_service.ts'
import { quoted } from '../files.ts'
import { readGiven } from '../given_proof.ts'
import { findKeyring } from '../keyring.ts'
import { itemIn } from './as_items.ts'
import { askItem } from './ask_proof.ts'
import { putFile, STDOUT } from './places.ts'

/** @throws Complaint */
export async function makeEvidence(
  surroundings: Surroundings,
  [source, path, ...more]: readonly string[],
): Promise<ExitCode> {
  const { terminal, self, values } = surroundings
  if (source === undefined || more.length > 0)
    throw new Complaint('Name an item by its id, or a manifest and the path of one of its files.')
  const made =
    !existsSync(source) && isUlid(source.toUpperCase())
      ? await ofItem(await serviceFrom(surroundings), source.toUpperCase())
      : await ofEntry(surroundings, source, path)
  const text = writeEvidence(made.document)
  const place = textOption(values, 'out') ?? `${made.name}.pharos`
  if (place === STDOUT) {
    terminal.write(utf8(text))
    return made.code
  }
  await putFile(place, [text])
  const hasProof = made.document.bundle !== undefined
  if (values.json === true) {
    sayDocument(terminal, { kind: 'evidence', file: place, has_proof: hasProof })
    return made.code
  }
  terminal.say(`${printable(place)}  the evidence of ${printable(made.name)}`)
  if (!hasProof) {
    terminal.note('Its proof is not there yet. To put it in, later:')
    terminal.note(`  ${self} upgrade ${quoted(place)} --wait`)
  }
  return made.code
}

interface Made {
  readonly document: JsonObject
  readonly name: string
  readonly code: ExitCode
}

async function ofEntry({ terminal }: Surroundings, source: string, path: string | undefined): Promise<Made> {
  let found: { readonly entry: ManifestEntry; readonly index: number } | undefined
  const given = await readGiven(terminal, source, (entry, index) => {
    if (entry.path === path) found = { entry, index }
  })
  const manifest = given.kind === 'evidence' ? given.manifest : undefined
  if (manifest === undefined)
    throw new Complaint(`${source} is no manifest, so there is no evidence to be made from it.`)
  if (path === undefined) throw new Complaint('Name the path of one of its files too.')
  if (found === undefined) throw new Complaint(`${source} lists no file ${path}.`, { exitCode: 1 })
  return {
    document: evidenceOfEntry(manifest, found.index, found.entry),
    name: basename(path),
    // What it is worth is for "verify" to say, as with every file.
    code: 0,
  }
}

async function ofItem(service: Service, id: string): Promise<Made> {
  const answer = await askService(service, `/api/json/items/${id}`)
  const trust = { keyrings: [await findKeyring(service.url.origin)] }
  try {
    const item = itemIn(service, memberAt(answer, 'data'))
    const document = receiptOf({ digest: digestOf(item), trees: [], item })
    const receipt = readEvidenceValue(document)
    await checkReceipt(receipt, trust)
    const asked = await askItem(service, id)
    return asked.kind === 'not_yet'
      ? { document, name: id, code: 3 }
      : { document: filled(document, await fillingOf(receipt, asked.answer, trust)), name: id, code: 0 }
  } catch (error) {
    if (error instanceof EvidenceRejected)
      throw new Complaint(`There is no evidence of item ${id}: ${error.message}.`, { exitCode: 1 })
    if (error instanceof UpgradeRefused)
      throw new Complaint(`What ${service.url.origin} says of it is not valid. ${error.message}`, {
        exitCode: 1,
      })
    throw error
  }
}

/** @throws EvidenceRejected when it claims no digest, Complaint when that is of no file */
function digestOf({ id, claims }: EvidenceItem): TreeEntry {
  const metadata = memberOf(claims, 'metadata')
  const tree = memberAt(metadata, 'tree')
  if (isJsonObject(tree) && memberOf(tree, 'format') === TREE_FORMAT)
    throw new Complaint(`Item ${id} stands for many files: evidence of them is made from its manifest.`, {
      exitCode: 1,
    })
  return readDigest(
    { type: memberOf(claims, 'hash_type') ?? null, value: memberOf(claims, 'hash') ?? null },
    undefined,
  )
}
