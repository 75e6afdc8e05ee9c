// The files that were dropped on the page, those of dropped folders too. Nothing of their content is read.

export type FoundFiles = {
  readonly files: readonly File[]
  /** There were more than may be taken at once. */
  readonly isCut: boolean
}

/** Must be called in the event itself: the browser forgets what was dropped afterwards. */
export const droppedFiles = async (transfer: DataTransfer, most: number): Promise<FoundFiles> => {
  const entries = [...transfer.items].flatMap((item) => item.webkitGetAsEntry() ?? [])
  // Without folders the browser's own list holds the files. It gives no entries for some of them.
  return entries.some(isFolder) ? walk(entries, most) : firstOf(transfer.files, most)
}

export const firstOf = (files: Iterable<File>, most: number): FoundFiles => {
  const all = [...files]
  return { files: all.slice(0, most), isCut: all.length > most }
}

const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile
const isFolder = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory

const walk = async (open: FileSystemEntry[], most: number): Promise<FoundFiles> => {
  const files: File[] = []
  for (let entry = open.shift(); entry !== undefined; entry = open.shift()) {
    if (files.length === most) return { files, isCut: true }
    if (isFile(entry)) files.push(...(await fileOf(entry)))
    else if (isFolder(entry)) open.push(...(await contentOf(entry, most)))
  }
  return { files, isCut: false }
}

/** Empty when the browser may not read it. */
const fileOf = (entry: FileSystemFileEntry): Promise<File[]> =>
  new Promise((resolve) =>
    entry.file(
      (file) => resolve([file]),
      () => resolve([]),
    ),
  )

/** The browser gives a folder in pieces, and an empty one at the end. */
const contentOf = async (folder: FileSystemDirectoryEntry, most: number): Promise<FileSystemEntry[]> => {
  const reader = folder.createReader()
  const content: FileSystemEntry[] = []
  while (content.length <= most) {
    const piece = await new Promise<FileSystemEntry[]>((resolve) =>
      reader.readEntries(resolve, () => resolve([])),
    )
    if (piece.length === 0) break
    content.push(...piece)
  }
  return content
}
