// Hands bytes to the browser's downloads.
import type { ProofFile } from './fetch_proof.ts'

export const saveFile = ({ name, bytes }: ProofFile): void => {
  const address = URL.createObjectURL(new Blob([new Uint8Array(bytes)]))
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  // The download has its own hold on the blob once the click was handled.
  setTimeout(() => URL.revokeObjectURL(address), 10_000)
}
