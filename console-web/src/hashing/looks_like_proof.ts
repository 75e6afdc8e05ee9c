// Tells a proof from any other file by how it begins, before the code that verifies is loaded.

/** Members may stand in any order, so more than the first of them is looked at. */
const LOOKED_AT = 65_536

const OTS = '\0OpenTimestamps\0\0Proof\0'
/** The tag of self-described CBOR, which proofs in CBOR begin with. */
const CBOR = '\u00d9\u00d9\u00f7'

/** A time stamp of RFC 3161 is a SEQUENCE of DER that soon names signed data (1.2.840.113549.1.7.2). */
const isTimeStamp = (head: string): boolean => head.startsWith('0') && head.slice(0, 80).includes(SIGNED_DATA)
const SIGNED_DATA = '\u0006\u0009\u002a\u0086\u0048\u0086\u00f7\u000d\u0001\u0007\u0002'

const looksLikeProof = async (file: Blob): Promise<boolean> => {
  // Each byte is a character of its own, so that any file can be looked at.
  const head = new TextDecoder('latin1').decode(await file.slice(0, LOOKED_AT).arrayBuffer())
  if (head.startsWith(OTS) || head.startsWith(CBOR) || isTimeStamp(head)) return true
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

/** A time stamp, its evidence and its file. Further files are of no use for a check. */
const MOST_CHECKED = 3

export const isToCheck = async (files: readonly File[]): Promise<boolean> =>
  (await proofsAmong(files.slice(0, MOST_CHECKED))).length > 0
