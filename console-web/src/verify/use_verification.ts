// The state of the verifier: the given proof, the keyrings, the expected digest, and the report.
import { useCallback, useEffect, useMemo, useState } from 'react'
import { KeyringRejected, type NamedKeyring, readKeyring } from '../../../shared/proof/verify/keyring.ts'
import type { Report } from '../../../shared/proof/verify/report.ts'
import { verifyBundle } from '../../../shared/proof/verify/verify_bundle.ts'
import { type Judgement, judgeReport } from '../../../shared/verifier/verdict.ts'
import { takeHanded } from '../proofs/handed_over.ts'
import { fetchOwnKeyring } from '../proofs/own_keyring.ts'
import { type GivenProof, readGiven, readGivenFile } from './given_proof.ts'

export type Verified = { readonly report: Report; readonly judgement: Judgement }

export type Verification = {
  readonly given: GivenProof | null
  readonly take: (name: string, given: string | Uint8Array) => void
  readonly takeFile: (file: File) => void
  readonly clear: () => void
  /** The service's own keyring comes first. Null while it is loading. */
  readonly keyrings: readonly NamedKeyring[] | null
  readonly addKeyring: (file: File) => void
  readonly removeKeyring: (name: string) => void
  readonly keyringFailure: string | null
  readonly expectedHash: string
  readonly setExpectedHash: (hex: string) => void
  /** Null until there is a report. */
  readonly verified: Verified | null
}

export const useVerification = (): Verification => {
  const [given, setGiven] = useState<GivenProof | null>(null)
  const [own, setOwn] = useState<NamedKeyring | null>(null)
  const [added, setAdded] = useState<readonly NamedKeyring[]>([])
  const [keyringFailure, setKeyringFailure] = useState<string | null>(null)
  const [expectedHash, setExpectedHash] = useState('')
  const [verified, setVerified] = useState<Verified | null>(null)
  const keyrings = useMemo(() => (own === null ? null : [own, ...added]), [own, added])

  useEffect(() => {
    const lifetime = new AbortController()
    void fetchOwnKeyring(lifetime.signal).then((found) => lifetime.signal.aborted || setOwn(found))
    return () => lifetime.abort()
  }, [])

  const show = useCallback((next: GivenProof | null): void => {
    setGiven(next)
    setExpectedHash('')
    setVerified(null)
  }, [])
  const take = useCallback(
    (name: string, source: string | Uint8Array): void => show(readGiven(name, source)),
    [show],
  )
  useEffect(() => {
    const handed = takeHanded()
    if (handed !== null) take(handed.name, handed.bytes)
  }, [take])

  useEffect(() => {
    if (given?.kind !== 'read' || keyrings === null) return
    let stale = false
    const { read } = given
    void verifyBundle(read, {
      keyrings,
      expectedHash: expectedHash.trim() === '' ? undefined : expectedHash,
    }).then((report) => {
      if (!stale) setVerified({ report, judgement: judgeReport(read, report, keyrings) })
    })
    return () => {
      stale = true
    }
  }, [given, keyrings, expectedHash])

  const addKeyring = async (file: File): Promise<void> => {
    try {
      const keyring: NamedKeyring = { name: file.name, keys: readKeyring(await file.text()) }
      setAdded((all) => [...all.filter(({ name }) => name !== file.name), keyring])
      setKeyringFailure(null)
    } catch (error) {
      if (!(error instanceof KeyringRejected)) throw error
      setKeyringFailure(`${file.name} is not a keyring: ${error.message}.`)
    }
  }
  return {
    given,
    take,
    takeFile: (file) => void readGivenFile(file).then(show),
    clear: () => show(null),
    keyrings,
    addKeyring: (file) => void addKeyring(file),
    removeKeyring: (gone) => setAdded((all) => all.filter(({ name }) => name !== gone)),
    keyringFailure,
    expectedHash,
    setExpectedHash,
    verified,
  }
}
