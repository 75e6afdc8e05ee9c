// Gives bytes or text to the browser as a download.

export type NamedFile = { readonly name: string; readonly bytes: Uint8Array | string }

export const saveFile = ({ name, bytes }: NamedFile): void => {
  const address = URL.createObjectURL(new Blob([typeof bytes === 'string' ? bytes : new Uint8Array(bytes)]))
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  // The URL can be revoked later, because the download keeps the blob after the click was handled.
  setTimeout(() => URL.revokeObjectURL(address), 10_000)
}
