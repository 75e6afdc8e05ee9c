// Gives bytes to the browser as a download.
import type { ProofFile } from './fetch_proof.ts'

export const saveFile = ({ name, bytes }: ProofFile): void => {
  const address = URL.createObjectURL(new Blob([new Uint8Array(bytes)]))
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  // The URL can be revoked later, because the download keeps the blob after the click was handled.
  setTimeout(() => URL.revokeObjectURL(address), 10_000)
}
