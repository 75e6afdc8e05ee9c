// Gives a file to the browser as a download.

export const saveFile = (file: File): void => {
  const address = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = address
  link.download = file.name
  link.click()
  // The URL can be revoked later, because the download keeps the file after the click was handled.
  setTimeout(() => URL.revokeObjectURL(address), 10_000)
}
