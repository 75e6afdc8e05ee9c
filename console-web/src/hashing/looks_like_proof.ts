// Tells a proof from any other file by how it begins, before the code that verifies is loaded.

/** Members may stand in any order, so more than the first of them is looked at. */
const LOOKED_AT = 65_536

const OTS = '\0OpenTimestamps\0\0Proof\0'
/** The tag of self-described CBOR, which proofs in CBOR begin with. */
const CBOR = '\u00d9\u00d9\u00f7'

const looksLikeProof = async (file: Blob): Promise<boolean> => {
  // Each byte is a character of its own, so that any file can be looked at.
  const head = new TextDecoder('latin1').decode(await file.slice(0, LOOKED_AT).arrayBuffer())
  if (head.startsWith(OTS) || head.startsWith(CBOR)) return true
  if (!/^\s*\{/.test(head)) return false
  return (
    /"pharos_(evidence|manifest)"\s*:/.test(head) ||
    (/"(commitments|cx)"\s*:/.test(head) && /"(block|b)"\s*:/.test(head))
  )
}

/** The proofs among the files. None when one of them cannot be read. */
export const proofsAmong = async (files: readonly File[]): Promise<readonly File[]> => {
  const looks = await Promise.all(files.map((file) => looksLikeProof(file).catch(() => false)))
  return files.filter((_, at) => looks[at])
}

/** A proof and its file. Further files are of no use for a check. */
const MOST_CHECKED = 2

/** The proof and what came with it. Null when there is no proof among the first files. */
export const toCheck = async (files: readonly File[]): Promise<readonly File[] | null> => {
  const first = files.slice(0, MOST_CHECKED)
  return (await proofsAmong(first)).length > 0 ? first : null
}
